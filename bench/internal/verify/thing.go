package verify

import (
	"fmt"
	"math"
	"slices"
)

// Shape is the shape of a thing.
type Shape uint8

// The shapes.
const (
	Sphere Shape = iota
	Plane
	Polygon
	Convex // a Solid
	Parts  // a mesh, terrain or a compound
)

// Kind says what moves a thing.
type Kind uint8

// The kinds.
const (
	Dynamic Kind = iota
	Kinematic
	Static
)

// Rule says how two coefficients combine, with the numbers of components.CombineRule.
type Rule uint8

// apply combines two coefficients by the later of two rules.
func apply(ra, rb Rule, a, b float64) float64 {
	switch max(ra, rb) {
	case 1:
		return (a + b) / 2
	case 2:
		return math.Sqrt(a * b)
	case 3:
		return min(a, b)
	case 4:
		return float64(a * b)
	default:
		return max(a, b)
	}
}

// restitution is the coefficient of two things.
func restitution(a, b *Thing) float64 {
	return apply(a.RestitutionRule, b.RestitutionRule, a.Restitution, b.Restitution)
}

// friction is the larger of the two coefficients of friction of two things.
func friction(a, b *Thing) float64 {
	return apply(a.FrictionRule, b.FrictionRule, max(a.StaticFriction, a.Friction), max(b.StaticFriction, b.Friction))
}

// resistance is the larger coefficient of rolling and spinning resistance in a contact of a and b.
func resistance(a, b *Thing) float64 {
	return apply(a.FrictionRule, b.FrictionRule, a.Resistance, b.Resistance)
}

// State is what a step changes.
type State struct {
	Position, Velocity, Angular V
}

// Vertex is a place at a time of the step, in seconds.
type Vertex struct {
	T float64
	P V
}

// Thing is an entity in one step.
type Thing struct {
	ID         int
	Shape      Shape
	Kind       Kind
	Radius     float64 // of a solid: half of its least width
	Mass       float64 // of dynamic things
	Inertia    float64 // 0 if it does not rotate
	Normal     V       // of planes and polygons, unit length
	Distance   float64 // of planes: from the position along Normal
	Corners    []V     // of polygons, in the directions of the world, relative to the position
	OneSided   bool    // of polygons, and of planes that are solid behind
	Locked     uint8   // bit 0 for X
	Solid      *Solid  // of a convex shape, as the step begins
	EndSolid   *Solid  // the same as it ends, if it rotates
	Parts      []Part  // of a mesh, terrain or a compound, as the step begins
	EndParts   []Part  // the same as it ends, if it rotates
	Closed     bool    // nothing gets to the other side of its triangles: ground between walls, or a room
	Group      int     // not 0: things with that number move as one
	Turns      float64 // of something kinematic: its greatest speed of rotation in the step, rad/s
	Yields     bool    // it rotates about an axis under load: Turns is that without it, and Inertia that about the axis
	Torque     float64 // greatest torque of the motor of what yields, N·m
	MotorSpeed float64 // greatest speed to which that motor drives it, rad/s
	Swing      float64 // greatest distance of its surface from the point about which it rotates, m

	Acceleration V       // by gravity and forces, m/s², along free axes
	Push         float64 // the greatest force of characters on it in the step, N, in any direction
	Lifts        []Lift  // what characters that rose have done to it when the step was over
	Character    bool    // a convex shape that walks
	Crushed      bool    // of a character: what moves has left it no room

	Damping        float64 // 1/s
	AngularDamping float64 // 1/s

	Restitution, Friction, StaticFriction float64
	Resistance                            float64 // the larger coefficient of rolling and spinning resistance
	RestitutionRule, FrictionRule         Rule

	Belt         V // surface velocity
	Sensor       bool
	Sliding      bool
	Layers, Mask uint32 // effective values

	Start, End State
	Path       []Vertex // of a sphere's centre within the step, if it is known: see [Step.paths]
	Changed    bool     // the game changed it during the step, so that nothing is known about its path
	Moved      bool     // the game placed it before the step

	known struct { // what Check computes once for all pairs
		seconds, extent float64 // extent(seconds)
		travel          float64 // length of its path, m; endless if that is not known, or if it turns
		sheet           []Part  // of a polygon: see there
	}
}

// Lift is what a character that rises may have done to a body that it has met with its head: an
// impulse when the step was over, which changes the velocity of the body, and not its path.
type Lift struct {
	Normal  V       // of their contact, unit length, towards the body
	Impulse float64 // the greatest, N·s
}

// Impact is a reported impact.
type Impact struct {
	A, B     int
	Time     float64
	Point    V
	Normal   V
	Approach float64
	Impulse  float64
}

// Contact is a reported begin or end of a contact, or a pair that touches.
type Contact struct {
	A, B   int
	Time   float64
	Point  V
	Normal V
	Sensor bool
	Gone   bool // ends only: one side left the world before the step
}

// Step is what a game sees of a step.
type Step struct {
	Seconds     float64
	LengthUnit  float64
	Threshold   float64 // restitution threshold, effective
	TouchingGap float64 // m
	Arcs        bool    // bodies that nothing supports move on parabolas, and not on their chords
	Gravity     V
	Things      []Thing // in the order of ID
	Impacts     []Impact
	Begins      []Contact
	Ends        []Contact
	Touching    [][2]int // each pair once or twice, without sensors
	InSensors   [][2]int // sensor, visitor
	Crushed     []int
	Vetoes      [][2]int // pairs that the game lets pass through each other in this step
	Spent       int
	Blocked     int
}

// Failure is a result that breaks a promise.
type Failure struct {
	Check string // a fixed name, such as "overlap"
	Limit string // heading of docs/limits.md that allows it, or ""
	Text  string
	A, B  int // IDs of the things, or -1
}

func (f Failure) String() string {
	if f.Limit != "" {
		return fmt.Sprintf("%s (limit %q): %s", f.Check, f.Limit, f.Text)
	}
	return f.Check + ": " + f.Text
}

// isImmovable reports whether impacts don't change its velocity.
func (t *Thing) isImmovable() bool { return !t.isBody() || t.Kind != Dynamic }

// Rotates reports whether a surface rotates, or may under load.
func (t *Thing) Rotates() bool { return t.Turns > 0 || t.Yields }

// isBody reports whether a thing may be dynamic: it is a sphere or a solid.
func (t *Thing) isBody() bool { return t.Shape == Sphere || t.Shape == Convex }

// atEnd returns the thing as it is turned when the step ends.
func (t *Thing) atEnd() *Thing {
	if t.EndSolid == nil && t.EndParts == nil {
		return t
	}
	turned := *t
	turned.Solid, turned.Parts = t.EndSolid, t.EndParts
	return &turned
}

// collides reports whether two things stop each other.
func collides(a, b *Thing) bool {
	return !a.Sensor && !b.Sensor && a.Layers&b.Mask != 0 && b.Layers&a.Mask != 0 &&
		!(a.isImmovable() && b.isImmovable())
}

// vetoed reports whether the game lets two things pass through each other.
func (s *Step) vetoed(a, b *Thing) bool {
	return slices.Contains(s.Vetoes, [2]int{a.ID, b.ID}) || slices.Contains(s.Vetoes, [2]int{b.ID, a.ID})
}

// drive is the largest speed that a surface moves with, of its own or as a belt or roller.
func (t *Thing) drive() float64 {
	if !t.isImmovable() {
		return 0
	}
	u := t.Belt.Length()
	if t.Kind == Kinematic {
		u += t.Start.Velocity.Length() + float64(t.Turns*t.Swing)
		if t.Shape == Sphere {
			u += float64(t.Start.Angular.Length() * t.Radius)
		}
	}
	return u
}

// gap returns the distance between the surfaces of a sphere or solid at p and a thing at position
// q; negative if they overlap. Where a solid takes part, and the distance is more than the smaller
// radius, it returns some number between the two. Behind a one-sided plane it is negative. Of
// one-sided polygons it doesn't say from where something has come. side is
// the side of a two-sided plane that counts, or 0 for the nearer.
func gap(a *Thing, p V, b *Thing, q V, side float64) float64 {
	if b.Shape == Parts {
		return partsGap(a.solidOf(), p.Sub(q), b.Parts, reach(a, b))
	}
	if a.Shape == Convex || b.Shape == Convex {
		return solidGapAt(a, p, b, q, side, reach(a, b))
	}
	switch b.Shape {
	case Plane:
		d := p.Sub(q).Dot(b.Normal) - b.Distance
		if !b.OneSided {
			if side == 0 {
				side = math.Copysign(1, d)
			}
			d *= side
		}
		return d - a.Radius
	case Polygon:
		d, _ := toPolygon(p.Sub(q), b.Corners, b.Normal)
		return d - a.Radius
	default:
		return p.Sub(q).Length() - a.Radius - b.Radius
	}
}

// sprint formats anything.
func sprint(x any) string { return fmt.Sprintf("%v", x) }

// sprintImpacts lists the pairs of impacts.
func sprintImpacts(list []Impact) string {
	var pairs [][2]int
	for _, m := range list {
		pairs = append(pairs, [2]int{m.A, m.B})
	}
	return sprint(pairs)
}

// Gap returns the distance between the surfaces of a sphere or solid and another thing at the start
// of a step, see gap; negative if they overlap.
func Gap(a, b *Thing) float64 {
	if b.Shape == Polygon && b.Normal == (V{}) {
		b.Normal = normalOf(b.Corners)
	}
	return gap(a, a.Start.Position, b, b.Start.Position, 0)
}
