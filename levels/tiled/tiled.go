// Package tiled reads levels of Tiled (https://www.mapeditor.org), files ending in .tmx: orthogonal
// maps of a fixed size. It uses github.com/lafriks/go-tiled.
//
// # Tiles
//
// A tile with shapes in Tiled's collision editor is solid where these shapes are. A tile without
// shapes is whole: it is a collider if it, its tileset or its layer says so (see package levels).
// The property "collider" of a layer with the value "none" switches all of its tiles off.
//
// The outlines of solid tiles are traced together, over all layers. So there is no edge between
// two tiles, and nothing to stumble over. One-way tiles become a polygon for each straight part of
// their upper side, and trigger tiles as few boxes as possible.
//
// # Objects
//
// Rectangles become boxes, circles become spheres, convex polygons and ellipses hulls, other
// polygons outlines that stop what comes from outside, and lines thin walls. An object with a tile
// is a rectangle, or has the shapes of its tile if it is a collider.
package tiled

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/levels"
	"github.com/dango-physics/dango/levels/internal/read"
	"github.com/lafriks/go-tiled"
)

// Load reads a map, and the tilesets and templates that it names, from fsys. An error names the
// layer and the tile or object that it is about.
func Load(fsys fs.FS, name string, options levels.Options) (*levels.Level, error) {
	m, err := LoadMap(fsys, name)
	if err != nil {
		return nil, err
	}
	l, err := FromMap(m, options)
	if err != nil {
		return nil, fmt.Errorf("%w (in %s)", err, name)
	}
	return l, nil
}

// LoadMap reads a map without making colliders of it, for a game that also draws it.
func LoadMap(fsys fs.FS, name string) (*tiled.Map, error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("tiled: %w", err)
	}
	if err := checkHeader(data); err != nil {
		return nil, fmt.Errorf("tiled: %s: %w", name, err)
	}
	m, err := decode(fsys, name, data)
	if err != nil {
		return nil, fmt.Errorf("tiled: %s: %w", name, locate(fsys, name, data, err))
	}
	return m, nil
}

// guard makes an error of a panic of the decoder.
func guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the decoder failed: %v", p)
		}
	}()
	return do()
}

// decode decodes a map.
func decode(fsys fs.FS, name string, data []byte) (m *tiled.Map, err error) {
	err = guard(func() (err error) {
		m, err = tiled.LoadReader(path.Dir(name), bytes.NewReader(data), tiled.WithFileSystem(fsys))
		return err
	})
	return m, err
}

// FromMap makes a level of a map. An error names the layer and the tile or object that it is about.
func FromMap(m *tiled.Map, options levels.Options) (*levels.Level, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	if m.Orientation != "orthogonal" && m.Orientation != "" {
		return nil, fmt.Errorf("tiled: the map is %s; only orthogonal ones can be read", m.Orientation)
	}
	if m.Width < 1 || m.Height < 1 || m.TileWidth < 1 || m.TileHeight < 1 || m.Infinite {
		return nil, fmt.Errorf("tiled: the map has %dx%d tiles of %dx%d pixels (infinite: %v); it needs a fixed size",
			m.Width, m.Height, m.TileWidth, m.TileHeight, m.Infinite)
	}
	l := &loader{m: m, r: &read.Reader{Options: options, Flat: true}, level: &levels.Level{}}
	l.tiles.Reader = l.r
	l.level.Bounds = collide.NewAABB(
		l.r.Point(collide.Vec3{}),
		l.r.Point(collide.Vec3{X: float64(m.Width * m.TileWidth), Y: float64(m.Height * m.TileHeight)}),
	)
	base := read.Settings{}
	if m.Properties != nil {
		var err error
		if base, err = l.inherit(base, m.Class, *m.Properties); err != nil {
			return nil, fmt.Errorf("tiled: map: %w", err)
		}
	}
	if err := l.group(m.Layers, m.ObjectGroups, m.Groups, base, "", 0, 0); err != nil {
		return nil, fmt.Errorf("tiled: %w", err)
	}
	tiles, err := l.tiles.Objects()
	if err != nil {
		return nil, fmt.Errorf("tiled: %w", err)
	}
	l.level.Objects = append(tiles, l.level.Objects...)
	if read.HasNoCollider(l.level) {
		l.level.Warnings = append(l.level.Warnings, errors.New(
			"tiled: the map has no colliders: give tiles or objects the class solid, or the property collider"))
	}
	return l.level, nil
}

type loader struct {
	m     *tiled.Map
	r     *read.Reader
	level *levels.Level
	tiles read.Tiles
	kinds map[tileKey]*tileKind
}

// group reads layers, at an offset in pixels.
func (l *loader) group(
	tileLayers []*tiled.Layer, objectLayers []*tiled.ObjectGroup, groups []*tiled.Group, base read.Settings,
	path string, x, y float64,
) error {
	for _, t := range tileLayers {
		if err := l.tileLayer(t, base, path+t.Name, x+t.OffsetX, y+t.OffsetY); err != nil {
			return fmt.Errorf("layer %q: %w", path+t.Name, err)
		}
	}
	for _, g := range objectLayers {
		// The decoder leaves out the templates of layers in groups.
		if err := guard(func() error { return g.DecodeObjectGroup(l.m) }); err != nil {
			return fmt.Errorf("layer %q: %w", path+g.Name, err)
		}
		s, err := l.inherit(base, g.Class, g.Properties)
		if err != nil {
			return fmt.Errorf("layer %q: %w", path+g.Name, err)
		}
		for _, o := range g.Objects {
			if err := l.object(o, s, path+g.Name, x+g.OffsetX, y+g.OffsetY); err != nil {
				if o.Name == "" {
					return fmt.Errorf("layer %q: object %d: %w", path+g.Name, o.ID, err)
				}
				return fmt.Errorf("layer %q: object %d (%q): %w", path+g.Name, o.ID, o.Name, err)
			}
		}
	}
	for _, g := range groups {
		s, err := l.inherit(base, g.Class, g.Properties)
		if err != nil {
			return fmt.Errorf("group %q: %w", path+g.Name, err)
		}
		err = l.group(g.Layers, g.ObjectGroups, g.Groups, s, path+g.Name+"/", x+g.OffsetX, y+g.OffsetY)
		if err != nil {
			return err
		}
	}
	return nil
}

// inherit returns the settings of something with this class and these properties.
func (l *loader) inherit(base read.Settings, class string, p tiled.Properties) (read.Settings, error) {
	values, err := properties(p)
	if err != nil {
		return base, err
	}
	return l.r.Inherit(base, class, values)
}

// properties converts custom properties. Those of a class are in Properties of their own.
func properties(p tiled.Properties) (levels.Properties, error) {
	var all levels.Properties
	for _, q := range p {
		if all == nil {
			all = levels.Properties{}
		}
		switch q.Type {
		case "bool", "boolean":
			if q.Value != "true" && q.Value != "false" {
				return nil, fmt.Errorf("property %s is %q, and not true or false", q.Name, q.Value)
			}
			all[q.Name] = q.Value == "true"
		case "int", "float", "object":
			x, err := strconv.ParseFloat(q.Value, 64)
			if err != nil {
				return nil, fmt.Errorf("property %s is %q, and not a number", q.Name, q.Value)
			}
			all[q.Name] = x
		case "class":
			members, err := properties(q.Properties)
			if err != nil {
				return nil, fmt.Errorf("property %s: %w", q.Name, err)
			}
			all[q.Name] = members
		default:
			all[q.Name] = q.Value
		}
	}
	return all, nil
}
