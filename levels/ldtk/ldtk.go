// Package ldtk reads levels of LDtk (https://ldtk.io), files ending in .ldtk. It uses
// github.com/solarlune/ldtkgo, which draws nothing and doesn't import Ebitengine.
//
// # Tiles
//
// Colliders come from IntGrid layers. The name of an IntGrid value says what its cells are:
// "solid", "oneway" or "trigger". For other names, or for slopes, see [Options].Tiles. As in
// package levels/tiled the outlines of all solid cells are traced together.
//
// # Entities
//
// Entities are objects of a class that is their identifier. Their fields are properties. They are
// rectangles, or ellipses if they are drawn as such in LDtk. A field "path" of the type
// Array<Point> becomes Points.
package ldtk

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/levels"
	"github.com/dango-physics/dango/levels/internal/read"
	"github.com/solarlune/ldtkgo"
)

// Options are the options of [Load].
type Options struct {
	levels.Options

	// Level is the identifier of the level to read, whose upper left corner is then at Origin.
	// Without it all levels are read, also those of other depths, which may lie at the same place.
	// Each is at its place in LDtk's world, or one after the other if the world is linear.
	Level string

	// Tiles says what the cells of an IntGrid value are, by the name of the value, or by its number
	// if it has no name.
	Tiles map[string]Tile
}

// Tile says what the cells of an IntGrid value are.
type Tile struct {
	Kind levels.Kind // solid, one-way, trigger or none

	// Outline are the corners of a simple polygon, in parts of a cell from its upper left corner
	// with Y down: {0, 1}, {1, 0}, {1, 1} rises to the right. Without it the whole cell counts.
	// Triggers are always whole cells.
	Outline []collide.Vec3

	Properties levels.Properties // friction and so on, as in package levels
}

// Load reads the levels of a project from fsys. An error names the level, the layer and the entity
// that it is about.
func Load(fsys fs.FS, name string, options Options) (*levels.Level, error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("ldtk: %w", err)
	}
	l, err := parse(data, options)
	if err != nil {
		return nil, fmt.Errorf("ldtk: %s: %w", name, err)
	}
	return l, nil
}

// rest is what ldtkgo leaves out.
type rest struct {
	ExternalLevels bool              `json:"externalLevels"`
	Worlds         []json.RawMessage `json:"worlds"`
	Defs           struct {
		Layers []struct {
			Identifier    string `json:"identifier"`
			IntGridValues []struct {
				Value      int     `json:"value"`
				Identifier *string `json:"identifier"`
			} `json:"intGridValues"`
		} `json:"layers"`
		Entities []struct {
			Identifier string `json:"identifier"`
			RenderMode string `json:"renderMode"`
		} `json:"entities"`
	} `json:"defs"`
	Levels []struct {
		Layers []struct {
			CSV      []int `json:"intGridCsv"`
			Entities []struct {
				ID string `json:"iid"`
			} `json:"entityInstances"`
		} `json:"layerInstances"`
	} `json:"levels"`
}

// decode decodes a project. A panic of the decoder is an error.
func decode(data []byte) (p *ldtkgo.Project, more rest, err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("the decoder failed: %v", e)
		}
	}()
	if err = json.Unmarshal(data, &more); err != nil {
		return nil, more, err
	}
	p, err = ldtkgo.Read(data)
	return p, more, err
}

type loader struct {
	options Options
	r       read.Reader
	rest    rest
	level   levels.Level
	tiles   read.Tiles
}

func parse(data []byte, options Options) (*levels.Level, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	for name, t := range options.Tiles {
		if len(t.Outline) > 0 {
			if _, err := collide.NewPolygon2D(t.Outline, collide.MeshOptions{}); err != nil {
				return nil, fmt.Errorf("Options.Tiles[%q].Outline: %w", name, err)
			}
		}
	}
	project, rest, err := decode(data)
	switch {
	case err != nil:
		return nil, err
	case rest.ExternalLevels:
		return nil, errors.New("its levels are in files of their own: switch off \"Save levels separately\" in LDtk")
	case len(project.Levels) == 0 && len(rest.Worlds) > 0:
		return nil, fmt.Errorf("its levels are in %d worlds, which only projects with the setting \"Multi-worlds\" "+
			"have, and which are not read: use a project for each world", len(rest.Worlds))
	case len(project.Levels) == 0:
		return nil, errors.New("it has no levels; is it a project of LDtk?")
	}
	l := &loader{options: options, r: read.Reader{Options: options.Options, Flat: true}, rest: rest}
	l.tiles.Reader = &l.r
	x, y, found := 0.0, 0.0, false
	var names []string
	for i, v := range project.Levels {
		names = append(names, v.Identifier)
		if options.Level != "" && v.Identifier != options.Level {
			continue
		}
		found = true
		if options.Level == "" && (project.WorldLayout == ldtkgo.WorldLayoutFree ||
			project.WorldLayout == ldtkgo.WorldLayoutGridVania) {
			x, y = float64(v.WorldX), float64(v.WorldY)
		}
		if err := l.read(i, v, x, y); err != nil {
			return nil, fmt.Errorf("level %q: %w", v.Identifier, err)
		}
		if project.WorldLayout == ldtkgo.WorldLayoutVertical {
			y += float64(v.Height)
		} else {
			x += float64(v.Width)
		}
	}
	if !found {
		return nil, fmt.Errorf("there is no level %q; there are %q", options.Level, names)
	}
	tiles, err := l.tiles.Objects()
	if err != nil {
		return nil, err
	}
	l.level.Objects = append(tiles, l.level.Objects...)
	l.warn()
	return &l.level, nil
}

// warn adds the warnings about the whole project.
func (l *loader) warn() {
	for _, name := range slices.Sorted(maps.Keys(l.options.Tiles)) {
		if !l.hasValue(name) {
			l.level.Warnings = append(l.level.Warnings, fmt.Errorf(
				"ldtk: no IntGrid value is called %q, as in Options.Tiles", name))
		}
	}
	if read.HasNoCollider(&l.level) {
		l.level.Warnings = append(l.level.Warnings, errors.New(
			"ldtk: the levels have no colliders: name IntGrid values or entities solid, or see Options.Tiles"))
	}
}

// hasValue reports whether an IntGrid value has a name, or that number and no name.
func (l *loader) hasValue(name string) bool {
	for _, d := range l.rest.Defs.Layers {
		for _, v := range d.IntGridValues {
			if l.valueName(d.Identifier, v.Value) == name {
				return true
			}
		}
	}
	return false
}

// read reads the level with an index, whose upper left corner is at x, y.
func (l *loader) read(index int, v *ldtkgo.Level, x, y float64) error {
	if v.Width < 1 || v.Height < 1 {
		return fmt.Errorf("its size is %dx%d", v.Width, v.Height)
	}
	box := collide.NewAABB(
		l.r.Point(collide.Vec3{X: x, Y: y}), l.r.Point(collide.Vec3{X: x + float64(v.Width), Y: y + float64(v.Height)}),
	)
	if l.level.Bounds == (collide.AABB{}) {
		l.level.Bounds = box
	}
	l.level.Bounds = collide.NewAABB(l.level.Bounds.Min, l.level.Bounds.Max, box.Min, box.Max)
	base, err := l.r.Inherit(read.Settings{}, "", properties(v.Properties))
	if err != nil {
		return err
	}
	for i, layer := range v.Layers {
		if layer == nil {
			return fmt.Errorf("layer %d is null", i)
		}
		name := v.Identifier + "/" + layer.Identifier
		ox, oy := x+float64(layer.OffsetX), y+float64(layer.OffsetY)
		switch layer.Type {
		case ldtkgo.LayerTypeIntGrid:
			err = l.intGrid(layer, l.rest.Levels[index].Layers[i].CSV, base, name, ox, oy)
		case ldtkgo.LayerTypeEntity:
			for k, e := range layer.Entities {
				if e == nil {
					err = fmt.Errorf("entity %d is null", k)
					break
				}
				id := l.rest.Levels[index].Layers[i].Entities[k].ID
				if err = l.entity(layer, e, base, name, id, ox, oy); err != nil {
					err = fmt.Errorf("entity %s (%s) at %v: %w", e.Identifier, id, e.Position, err)
					break
				}
			}
		}
		if err != nil {
			return fmt.Errorf("layer %q: %w", layer.Identifier, err)
		}
	}
	return nil
}

// intGrid adds the cells of a layer.
func (l *loader) intGrid(layer *ldtkgo.Layer, cells []int, base read.Settings, name string, x, y float64) error {
	if layer.GridSize < 1 || layer.CellWidth < 1 || layer.CellHeight < 1 {
		return fmt.Errorf("it has %dx%d cells of %d pixels", layer.CellWidth, layer.CellHeight, layer.GridSize)
	}
	if len(cells) != layer.CellWidth*layer.CellHeight {
		return fmt.Errorf("it has %d values, and %dx%d cells", len(cells), layer.CellWidth, layer.CellHeight)
	}
	type kind struct {
		settings read.Settings
		tile     Tile
	}
	kinds := map[int]kind{}
	for i, value := range cells {
		if value == 0 {
			continue
		}
		k, ok := kinds[value]
		if !ok {
			identifier := l.valueName(layer.Identifier, value)
			t, known := l.options.Tiles[identifier]
			s, err := l.r.Inherit(base, identifier, t.Properties)
			if err != nil {
				return fmt.Errorf("IntGrid value %q: %w", identifier, err)
			}
			if known {
				s.Kind = t.Kind
			}
			k = kind{s, t}
			kinds[value] = k
		}
		if k.settings.Kind == levels.None {
			continue
		}
		size := float64(layer.GridSize)
		cx, cy := x+float64(float64(i%layer.CellWidth)*size), y+float64(float64(i/layer.CellWidth)*size)
		if len(k.tile.Outline) == 0 || k.settings.Kind == levels.Trigger {
			l.tiles.AddCell(k.settings, name, k.tile.Properties, cx, cy, size, size)
			continue
		}
		points := make([]collide.Vec3, len(k.tile.Outline))
		for j, p := range k.tile.Outline {
			points[j] = collide.Vec3{X: cx + float64(p.X*size), Y: cy + float64(p.Y*size)}
		}
		l.tiles.Add(k.settings, name, k.tile.Properties, points)
	}
	return nil
}

// valueName returns the name of an IntGrid value, or its number.
func (l *loader) valueName(layer string, value int) string {
	for _, d := range l.rest.Defs.Layers {
		if d.Identifier != layer {
			continue
		}
		for _, v := range d.IntGridValues {
			if v.Value == value && v.Identifier != nil && *v.Identifier != "" {
				return *v.Identifier
			}
		}
	}
	return strconv.Itoa(value)
}

// entity adds an entity of a layer, which is at x, y.
func (l *loader) entity(
	layer *ldtkgo.Layer, e *ldtkgo.Entity, base read.Settings, name, id string, x, y float64,
) error {
	if len(e.Position) != 2 {
		return fmt.Errorf("its position has %d coordinates", len(e.Position))
	}
	p := properties(e.Properties)
	s, err := l.r.Inherit(base, e.Identifier, p)
	if err != nil {
		return err
	}
	f := read.Outline{
		X: x + float64(e.Position[0]), Y: y + float64(e.Position[1]), Width: float64(e.Width),
		Height: float64(e.Height),
	}
	if len(e.Pivot) == 2 {
		f.X -= float64(float64(e.Pivot[0]) * f.Width)
		f.Y -= float64(float64(e.Pivot[1]) * f.Height)
	}
	for _, d := range l.rest.Defs.Entities {
		if d.Identifier == e.Identifier && d.RenderMode == "Ellipse" {
			f.Form = read.Ellipse
		}
	}
	o := levels.ObjectData{Name: cmp.Or(p.Text("name"), e.Identifier), Layer: name, ID: id, Properties: p}
	s.Apply(&o)
	o.Class = e.Identifier
	all, err := l.r.Objects(o, &f)
	if err != nil {
		return err
	}
	if path, ok := p["path"].([]any); ok {
		points, err := l.path(path, float64(layer.GridSize), x, y)
		if err != nil {
			return err
		}
		for i := range all {
			all[i].Points = points
		}
	}
	l.level.Objects = append(l.level.Objects, all...)
	return nil
}

// path converts the cells of a field of points to the middles of these cells.
func (l *loader) path(cells []any, size, x, y float64) (points []collide.Vec3, err error) {
	for i, c := range cells {
		cell, _ := c.(map[string]any)
		cx, okX := cell["cx"].(float64)
		cy, okY := cell["cy"].(float64)
		if !okX || !okY || math.Abs(cx) > 1e9 || math.Abs(cy) > 1e9 {
			return nil, fmt.Errorf("point %d of its field path is %v", i, c)
		}
		points = append(points, l.r.Point(collide.Vec3{X: x + float64((cx+0.5)*size), Y: y + float64((cy+0.5)*size)}))
	}
	return points, nil
}

// properties converts fields. Those without a value are left out.
func properties(fields []*ldtkgo.Property) levels.Properties {
	var all levels.Properties
	for _, f := range fields {
		if f == nil || f.Value == nil {
			continue
		}
		if all == nil {
			all = levels.Properties{}
		}
		all[f.Identifier] = f.Value
	}
	return all
}
