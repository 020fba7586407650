package tiled

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/levels"
	"github.com/dango-physics/dango/levels/internal/read"
	"github.com/lafriks/go-tiled"
)

// outline converts a shape that isn't a tile.
func outline(o *tiled.Object) (read.Outline, error) {
	f := read.Outline{X: o.X, Y: o.Y, Width: o.Width, Height: o.Height, Degrees: o.Rotation}
	var points *tiled.Points
	switch {
	case len(o.Ellipses) > 0:
		f.Form = read.Ellipse
		return f, nil
	case len(o.Polygons) > 0:
		f.Form, points = read.Polygon, o.Polygons[0].Points
	case len(o.PolyLines) > 0:
		f.Form, points = read.Line, o.PolyLines[0].Points
	default:
		return f, nil
	}
	if points == nil || len(*points) < 2 {
		return f, errors.New("it has fewer than two points")
	}
	for _, p := range *points {
		f.Points = append(f.Points, collide.Vec3{X: p.X, Y: p.Y})
	}
	return f, nil
}

// object adds an object of an object layer, which is at an offset in pixels.
func (l *loader) object(o *tiled.Object, base read.Settings, layer string, x, y float64) error {
	o, tile, err := l.complete(o)
	if err != nil {
		return err
	}
	own, err := properties(o.Properties)
	if err != nil {
		return err
	}
	class := o.Class
	var k *tileKind
	if tile != nil {
		l.kinds = nil // those of tile layers have other bases
		if k, err = l.kind(tile, base); err != nil {
			return err
		}
		own = merge(k.properties, own)
		class = cmp.Or(class, k.Class)
		base = k.Settings
	}
	s, err := l.r.Inherit(base, class, own)
	if err != nil {
		return err
	}
	if o.Text != nil {
		s.Kind = levels.None
	}
	object := levels.ObjectData{Name: o.Name, Layer: layer, ID: strconv.Itoa(int(o.ID)), Properties: own}
	f, err := outline(o)
	if err != nil {
		return err
	}
	if tile == nil {
		f.X += x
		f.Y += y
		return l.add(s, object, &f)
	}
	// A tile rotates about the point of it that is at X, Y.
	across, down, err := alignment(tile.Tileset.ObjectAlignment)
	if err != nil {
		return err
	}
	corner := l.fileTurn(f.Degrees).Rotate(collide.Vec3{X: -across * f.Width, Y: -down * f.Height})
	f.X += x + corner.X
	f.Y += y + corner.Y
	if s.Kind == levels.None && s.Chosen || len(k.shapes) == 0 {
		return l.add(s, object, &f)
	}
	wide, high := float64(tile.Tileset.TileWidth), float64(tile.Tileset.TileHeight)
	for i := range k.shapes {
		shape := flip(k.shapes[i].outline, tile, wide, high, f.Width/wide, f.Height/high)
		if shape.Form == read.Ellipse {
			center := l.fileTurn(f.Degrees).Rotate(collide.Vec3{
				X: shape.X + float64(shape.Width/2),
				Y: shape.Y + float64(shape.Height/2),
			})
			shape.X, shape.Y = f.X+center.X-float64(shape.Width/2), f.Y+center.Y-float64(shape.Height/2)
		} else {
			shape.X, shape.Y, shape.Degrees = f.X, f.Y, f.Degrees
		}
		settings := s
		if !s.Chosen {
			settings.Kind = k.shapes[i].Kind
		}
		if err := l.add(settings, object, &shape); err != nil {
			return err
		}
	}
	return nil
}

// fileTurn returns a rotation in the file's frame, in which Y points down.
func (l *loader) fileTurn(degrees float64) collide.Quat {
	down := read.Reader{Flat: true}
	return down.Turn(degrees)
}

// alignment returns which part of a tile is at the position of its object, in parts of its size.
func alignment(name string) (across, down float64, err error) {
	switch name {
	case "topleft":
		return 0, 0, nil
	case "top":
		return 0.5, 0, nil
	case "topright":
		return 1, 0, nil
	case "left":
		return 0, 0.5, nil
	case "center":
		return 0.5, 0.5, nil
	case "right":
		return 1, 0.5, nil
	case "", "unspecified", "bottomleft":
		return 0, 1, nil
	case "bottom":
		return 0.5, 1, nil
	case "bottomright":
		return 1, 1, nil
	}
	return 0, 0, fmt.Errorf("its tileset has the unknown alignment %q", name)
}

// complete returns an object with what its template says, and its tile, or nil.
func (l *loader) complete(o *tiled.Object) (*tiled.Object, *tiled.LayerTile, error) {
	if o.Template == nil || o.Template.Object == nil {
		if o.GID == 0 {
			return o, nil, nil
		}
		tile, err := l.m.TileGIDToTile(o.GID)
		return o, tile, err
	}
	t, all := o.Template.Object, *o
	all.Name, all.Class = cmp.Or(o.Name, t.Name), cmp.Or(o.Class, t.Class)
	all.Width, all.Height = cmp.Or(o.Width, t.Width), cmp.Or(o.Height, t.Height)
	all.Rotation = cmp.Or(o.Rotation, t.Rotation)
	if len(o.Ellipses)+len(o.Polygons)+len(o.PolyLines) == 0 {
		all.Ellipses, all.Polygons, all.PolyLines = t.Ellipses, t.Polygons, t.PolyLines
	}
	all.Properties = nil
	for _, p := range t.Properties {
		if o.Properties.Get(p.Name) == nil {
			all.Properties = append(all.Properties, p)
		}
	}
	all.Properties = append(all.Properties, o.Properties...)
	ts := o.Template.Tileset
	switch {
	case o.GID != 0:
		tile, err := l.m.TileGIDToTile(o.GID)
		return &all, tile, err
	case t.GID == 0 || ts == nil:
		return &all, nil, nil
	}
	const flags = 0xf0000000
	id := t.GID &^ flags
	if id < ts.FirstGID {
		return nil, nil, fmt.Errorf("its template has tile %d, and a tileset that begins with %d", id, ts.FirstGID)
	}
	return &all, &tiled.LayerTile{
		ID: id - ts.FirstGID, Tileset: ts,
		HorizontalFlip: t.GID&0x80000000 != 0, VerticalFlip: t.GID&0x40000000 != 0,
	}, nil
}
