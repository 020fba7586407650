package read

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/levels"
	"github.com/dango-physics/dango/levels/internal/outline"
)

// Tiles collects the colliders of tile layers.
type Tiles struct {
	Reader *Reader
	groups []group
	index  map[groupKey]int
	solid  map[solidKey]*outline.Tracer
	order  []solidKey
}

// group is what becomes one kind of collider.
type group struct {
	groupKey
	index      int
	properties levels.Properties
	cells      []cell // of triggers
	oneWay     outline.Tracer
}

type groupKey struct {
	Settings
	layer string
}

// solidKey tells which solid tiles may hide each other's edges: those that stop the same bodies,
// and move together.
type solidKey struct {
	layers, mask uint32
	moving       string // the layer, if it moves
}

// cell is a tile that is all trigger.
type cell struct{ x, y, width, height float64 }

// AddCell adds a whole tile with its upper left corner at x, y.
func (t *Tiles) AddCell(s Settings, layer string, p levels.Properties, x, y, width, height float64) {
	if s.Kind == levels.Trigger {
		g := t.group(s, layer, p)
		g.cells = append(g.cells, cell{x, y, width, height})
		return
	}
	t.Add(s, layer, p, []collide.Vec3{
		{X: x, Y: y}, {X: x + width, Y: y}, {X: x + width, Y: y + height}, {X: x, Y: y + height},
	})
}

// Add adds a simple polygon, in the file's frame, that is solid or one-way.
func (t *Tiles) Add(s Settings, layer string, p levels.Properties, points []collide.Vec3) {
	for i, p := range points {
		points[i] = t.Reader.Point(p)
	}
	g := t.group(s, layer, p)
	switch s.Kind {
	case levels.OneWay:
		g.oneWay.AddFacing(points, t.Reader.Up(), 0)
	case levels.Solid:
		k := solidKey{layers: s.Filter.Layers, mask: s.Filter.Mask}
		if s.Kinematic {
			k.moving = layer
		}
		if t.solid == nil {
			t.solid = map[solidKey]*outline.Tracer{}
		}
		if t.solid[k] == nil {
			t.solid[k] = &outline.Tracer{}
			t.order = append(t.order, k)
		}
		t.solid[k].Add(points, g.index)
	case levels.None, levels.Trigger:
	}
}

func (t *Tiles) group(s Settings, layer string, p levels.Properties) *group {
	k := groupKey{s, layer}
	k.Chosen = false
	i, ok := t.index[k]
	if !ok {
		if t.index == nil {
			t.index = map[groupKey]int{}
		}
		i = len(t.groups)
		t.index[k] = i
		t.groups = append(t.groups, group{groupKey: k, index: i, properties: p})
	}
	return &t.groups[i]
}

// Objects returns the colliders: a mesh for each part of the outline of solid tiles, a polygon for
// each straight part of one-way platforms, and boxes that cover triggers.
func (t *Tiles) Objects() (all []levels.ObjectData, err error) {
	r := t.Reader
	object := func(g *group) levels.ObjectData {
		o := levels.ObjectData{Layer: g.layer, Properties: g.properties}
		g.Apply(&o)
		o.Constant = !g.Kinematic
		return o
	}
	for _, k := range t.order {
		for _, c := range t.solid[k].Chains() {
			o := object(&t.groups[c.Tag])
			o.Points = c.Points
			if o.Shape, err = collide.NewChain2D(c.Points, collide.MeshOptions{}); err != nil {
				return nil, fmt.Errorf("layer %q: outline of its tiles: %w", o.Layer, err)
			}
			all = append(all, o)
		}
	}
	for i := range t.groups {
		g := &t.groups[i]
		for _, c := range g.oneWay.Chains() {
			for _, part := range pairs(c.Points) {
				o := object(g)
				o.Position, o.Points = part[0], part[:]
				if o.Shape, err = r.sheet(collide.Vec3{}, part[1].Sub(part[0])); err != nil {
					return nil, fmt.Errorf("layer %q: one-way platform at %v: %w", o.Layer, o.Position, err)
				}
				all = append(all, o)
			}
		}
		for _, c := range cover(g.cells) {
			o := object(g)
			f := Outline{X: c.x, Y: c.y, Width: c.width, Height: c.height}
			boxes, err := r.Objects(o, &f)
			if err != nil {
				return nil, fmt.Errorf("layer %q: tile at %v, %v: %w", o.Layer, c.x, c.y, err)
			}
			all = append(all, boxes...)
		}
	}
	return all, nil
}

// cover returns fewer rectangles that cover the same: rows of tiles side by side, and rows of the
// same width on top of each other.
func cover(cells []cell) []cell {
	slices.SortFunc(cells, func(a, b cell) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x)) })
	var rows []cell
	for _, c := range cells {
		if n := len(rows) - 1; n >= 0 {
			if last := &rows[n]; last.y == c.y && last.height == c.height && last.x+last.width == c.x {
				last.width += c.width
				continue
			}
		}
		rows = append(rows, c)
	}
	slices.SortFunc(rows, func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.width, b.width), cmp.Compare(a.y, b.y))
	})
	var all []cell
	for _, c := range rows {
		if n := len(all) - 1; n >= 0 {
			if last := &all[n]; last.x == c.x && last.width == c.width && last.y+last.height == c.y {
				last.height += c.height
				continue
			}
		}
		all = append(all, c)
	}
	return all
}
