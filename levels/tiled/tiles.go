package tiled

import (
	"fmt"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/levels"
	"github.com/dango-physics/dango/levels/internal/read"
	"github.com/lafriks/go-tiled"
)

// tileKey names a tile of a tileset.
type tileKey struct {
	tileset *tiled.Tileset
	id      uint32
}

// tileKind is what a tile is in a layer.
type tileKind struct {
	read.Settings
	properties levels.Properties
	shapes     []tileShape
}

// tileShape is a shape of the collision editor, in pixels from the tile's upper left corner.
type tileShape struct {
	read.Settings
	properties levels.Properties
	outline    read.Outline
	name       string
}

func (l *loader) tileLayer(t *tiled.Layer, base read.Settings, name string, x, y float64) error {
	base, err := l.inherit(base, t.Class, t.Properties)
	if err != nil {
		return err
	}
	if base.Chosen && base.Kind == levels.None {
		return nil
	}
	if len(t.Tiles) != l.m.Width*l.m.Height {
		return fmt.Errorf("it has %d tiles, and the map %dx%d", len(t.Tiles), l.m.Width, l.m.Height)
	}
	l.kinds = map[tileKey]*tileKind{}
	for i, tile := range t.Tiles {
		if tile.IsNil() {
			continue
		}
		column, row := i%l.m.Width, i/l.m.Width
		if err := l.tile(tile, base, name, column, row, x, y); err != nil {
			return fmt.Errorf("tile %d, %d: %w", column, row, err)
		}
	}
	return nil
}

// tile adds the colliders of a tile.
func (l *loader) tile(tile *tiled.LayerTile, base read.Settings, layer string, column, row int, x, y float64) error {
	k, err := l.kind(tile, base)
	if err != nil {
		return err
	}
	wide, high := float64(l.m.TileWidth), float64(l.m.TileHeight)
	x += float64(float64(column) * wide)
	y += float64(float64(row) * high)
	if len(k.shapes) == 0 {
		if k.Kind != levels.None {
			l.tiles.AddCell(k.Settings, layer, k.properties, x, y, wide, high)
		}
		return nil
	}
	ts := tile.Tileset
	y += high - float64(ts.TileHeight) // tiles stand on the lower edge of their cell
	if tile.DiagonalFlip {
		y += float64(ts.TileHeight - ts.TileWidth)
	}
	if ts.TileOffset != nil {
		x += float64(ts.TileOffset.X)
		y += float64(ts.TileOffset.Y)
	}
	for i := range k.shapes {
		shape := &k.shapes[i]
		o := flip(shape.outline, tile, float64(ts.TileWidth), float64(ts.TileHeight), 1, 1)
		o.X += x
		o.Y += y
		if o.Form != read.Line && (shape.Kind == levels.Solid || shape.Kind == levels.OneWay) {
			l.tiles.Add(shape.Settings, layer, shape.properties, o.Corners())
			continue
		}
		if err := l.add(shape.Settings, levels.ObjectData{
			Name: shape.name, Layer: layer, Properties: shape.properties, Constant: true,
		}, &o); err != nil {
			return err
		}
	}
	return nil
}

// add adds the objects of an outline.
func (l *loader) add(s read.Settings, o levels.ObjectData, f *read.Outline) error {
	s.Apply(&o)
	all, err := l.r.Objects(o, f)
	if err != nil {
		return err
	}
	l.level.Objects = append(l.level.Objects, all...)
	return nil
}

// flip returns a shape of a tile of this size as the tile is flipped, and scaled.
func flip(f read.Outline, tile *tiled.LayerTile, wide, high, scaleX, scaleY float64) read.Outline {
	move := func(p collide.Vec3) collide.Vec3 {
		w, h := wide, high
		if tile.DiagonalFlip {
			p.X, p.Y = p.Y, p.X
			w, h = h, w
		}
		if tile.HorizontalFlip {
			p.X = w - p.X
		}
		if tile.VerticalFlip {
			p.Y = h - p.Y
		}
		p.X = float64(p.X * scaleX)
		p.Y = float64(p.Y * scaleY)
		return p
	}
	if f.Form == read.Ellipse && f.Width == f.Height && scaleX == scaleY && f.Degrees == 0 {
		c := move(collide.Vec3{X: f.X + float64(f.Width/2), Y: f.Y + float64(f.Height/2)})
		f.Width *= scaleX
		f.Height *= scaleX
		f.X, f.Y = c.X-float64(f.Width/2), c.Y-float64(f.Height/2)
		return f
	}
	form := read.Polygon
	if f.Form == read.Line {
		form = read.Line
	}
	points := f.Corners()
	for i, p := range points {
		points[i] = move(p)
	}
	return read.Outline{Form: form, Points: points}
}

// kind returns what a tile is in the present layer.
func (l *loader) kind(tile *tiled.LayerTile, base read.Settings) (*tileKind, error) {
	key := tileKey{tile.Tileset, tile.ID}
	if k, ok := l.kinds[key]; ok {
		return k, nil
	}
	k, err := l.readKind(tile.Tileset, tile.ID, base)
	if err != nil {
		return nil, fmt.Errorf("tile %d of tileset %q: %w", tile.ID, tile.Tileset.Name, err)
	}
	if l.kinds == nil {
		l.kinds = map[tileKey]*tileKind{}
	}
	l.kinds[key] = k
	return k, nil
}

func (l *loader) readKind(ts *tiled.Tileset, id uint32, base read.Settings) (*tileKind, error) {
	if ts.Image != nil && ts.TileCount > 0 && int64(id) >= int64(ts.TileCount) {
		return nil, fmt.Errorf("the tileset has only %d tiles", ts.TileCount)
	}
	s, err := l.inherit(base, ts.Class, ts.Properties)
	if err != nil {
		return nil, err
	}
	k := &tileKind{Settings: s}
	if k.properties, err = properties(ts.Properties); err != nil {
		return nil, err
	}
	for _, t := range ts.Tiles {
		if t.ID != id {
			continue
		}
		own, err := properties(t.Properties)
		if err != nil {
			return nil, err
		}
		k.properties = merge(k.properties, own)
		if k.Settings, err = l.r.Inherit(s, t.Class, own); err != nil {
			return nil, err
		}
		for _, g := range t.ObjectGroups {
			for _, o := range g.Objects {
				shape, err := l.tileShape(k, o)
				if err != nil {
					return nil, fmt.Errorf("shape %d of its collision editor: %w", o.ID, err)
				}
				k.shapes = append(k.shapes, shape)
			}
		}
	}
	if len(k.shapes) > 0 && ts.TileRenderSize == "grid" &&
		(ts.TileWidth != l.m.TileWidth || ts.TileHeight != l.m.TileHeight) {
		return nil, fmt.Errorf("the tileset is scaled to the map's grid, from %dx%d", ts.TileWidth, ts.TileHeight)
	}
	return k, nil
}

// tileShape reads a shape of the collision editor.
func (l *loader) tileShape(k *tileKind, o *tiled.Object) (shape tileShape, err error) {
	own, err := properties(o.Properties)
	if err != nil {
		return shape, err
	}
	shape.name, shape.properties = o.Name, merge(k.properties, own)
	if shape.Settings, err = l.r.Inherit(k.Settings, o.Class, own); err != nil {
		return shape, err
	}
	if shape.Class == "" {
		shape.Class = k.Class
	}
	if !shape.Chosen {
		shape.Kind = levels.Solid
	}
	if shape.outline, err = outline(o); err != nil {
		return shape, err
	}
	if shape.Kind == levels.Solid && shape.outline.Form != read.Line {
		_, err = collide.NewPolygon2D(shape.outline.Corners(), collide.MeshOptions{})
	}
	return shape, err
}

// merge returns the properties of something that has those of what it belongs to, too.
func merge(base, own levels.Properties) levels.Properties {
	if len(own) == 0 {
		return base
	}
	all := levels.Properties{}
	for name, value := range base {
		all[name] = value
	}
	for name, value := range own {
		all[name] = value
	}
	return all
}
