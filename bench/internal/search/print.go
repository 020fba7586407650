package search

import (
	"fmt"
	"strings"
)

// literal returns a scene as a Go literal for a test of package search.
func literal(s *Scene) string {
	var b strings.Builder
	fmt.Fprintf(&b, "&Scene{\n\tKind: %q, Seed: %d, Mode: %d, Steps: %d, Oracle: %v,\n",
		s.Kind, s.Seed, s.Mode, s.Steps, s.Oracle)
	fmt.Fprintf(&b, "\tConfig: %#v,\n", s.Config)
	if t := s.Twin; t != nil {
		mode := "nil"
		if t.Mode != nil {
			mode = fmt.Sprintf("func() *Mode { m := Mode(%d); return &m }()", *t.Mode)
		}
		fmt.Fprintf(&b, "\tTwin: &Twin{Workers: %d, Order: %d, Sleep: %v, Without: %d, Mode: %s},\n",
			t.Workers, t.Order, t.Sleep, t.Without, mode)
	}
	b.WriteString("\tThings: []Thing{\n")
	for k := range s.Things {
		fmt.Fprintf(&b, "\t\t%s,\n", thingLiteral(&s.Things[k]))
	}
	b.WriteString("\t},\n")
	if len(s.Changes) > 0 {
		b.WriteString("\tChanges: []Change{\n")
		for _, c := range s.Changes {
			thing := "nil"
			if c.Thing != nil {
				thing = "&Thing" + thingLiteral(c.Thing)
			}
			fmt.Fprintf(&b, "\t\t{Step: %d, Stage: %d, ID: %d, Thing: %s},\n", c.Step, c.Stage, c.ID, thing)
		}
		b.WriteString("\t},\n")
	}
	if len(s.Vetoes) > 0 {
		fmt.Fprintf(&b, "\tVetoes: %#v,\n", s.Vetoes)
	}
	b.WriteString("}")
	return strings.ReplaceAll(b.String(), "search.", "")
}

// thingLiteral returns the braces of a Thing.
func thingLiteral(t *Thing) string {
	parts := []string{fmt.Sprintf("ID: %d", t.ID), fmt.Sprintf("Transform: %#v", t.Transform)}
	add := func(has bool, name string, value any) {
		if has {
			parts = append(parts, fmt.Sprintf("%s: &%s", name, strings.TrimPrefix(fmt.Sprintf("%#v", value), "&")))
		}
	}
	add(t.Velocity != nil, "Velocity", t.Velocity)
	add(t.Sphere != nil, "Sphere", t.Sphere)
	add(t.Plane != nil, "Plane", t.Plane)
	add(t.Polygon != nil, "Polygon", t.Polygon)
	add(t.Solid != nil, "Solid", t.Solid)
	add(t.Mesh != nil, "Mesh", t.Mesh)
	add(t.Walker != nil, "Walker", t.Walker)
	if t.Compound != nil {
		parts = append(parts, fmt.Sprintf("Compound: %#v", t.Compound))
	}
	if t.Leader != 0 {
		parts = append(parts, fmt.Sprintf("Leader: %d", t.Leader))
	}
	add(t.Motor != nil, "Motor", t.Motor)
	add(t.Body != nil, "Body", t.Body)
	add(t.Material != nil, "Material", t.Material)
	add(t.Spin != nil, "Spin", t.Spin)
	add(t.Force != nil, "Force", t.Force)
	add(t.Filter != nil, "Filter", t.Filter)
	add(t.Belt != nil, "Belt", t.Belt)
	if t.Sensor {
		parts = append(parts, "Sensor: true")
	}
	if t.Sliding {
		parts = append(parts, "Sliding: true")
	}
	if t.Bad != "" {
		parts = append(parts, fmt.Sprintf("Bad: %q", t.Bad))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// Test returns the source of a test of this package that runs the scene and fails as it does.
func (s *Scene) Test(name string) string {
	return `package search

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
)

var (
	_ collide.Vec3
	_ components.BodyData
)

func Test` + name + `(t *testing.T) {
	var s = ` + strings.ReplaceAll(literal(s), "\n", "\n\t") + `
	for _, f := range Run(s).Found {
		t.Errorf("step %d: %s", f.Step, f.Failure)
	}
}
`
}
