package main

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/examples/internal/stage"
)

// The eye looks at the bin from the front and above.
const (
	eyeHeight = 2.6 // metres above the floor
	eyeBack   = 4.3 // metres in front of the bin's middle
	eyePitch  = 0.42
)

// lens is a perspective camera.
type lens struct {
	turn  collide.Quat // from the world to the eye: x to the right, y up, z back
	zoom  float64      // pixels per metre at a distance of one metre
	place stage.Pt     // position on the canvas of the point straight ahead
}

var eye = collide.Vec3{Y: eyeHeight, Z: eyeBack}

// newLens returns the lens that shows the bounding box of points in the middle of area, as large as
// possible.
func newLens(points []collide.Vec3, area stage.Rect) lens {
	l := lens{turn: collide.RotationAround(collide.Vec3{X: 1}, eyePitch), zoom: 1}
	low, high := stage.Pt{X: math.Inf(1), Y: math.Inf(1)}, stage.Pt{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, v := range points {
		p, _ := l.at(v)
		low, high = stage.Pt{X: min(low.X, p.X), Y: min(low.Y, p.Y)}, stage.Pt{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	size := high.Sub(low)
	l.zoom = min(area.W/size.X, area.H/size.Y)
	l.place = stage.Pt{X: area.X + area.W/2, Y: area.Y + area.H/2}.Sub(low.Add(high).Scale(l.zoom / 2))
	return l
}

// at returns the position of a point on the canvas, and the pixels per metre there.
func (l lens) at(v collide.Vec3) (stage.Pt, float64) {
	v = l.turn.Rotate(v.Sub(eye))
	scale := l.zoom / -v.Z
	return l.place.Add(stage.Pt{X: v.X * scale, Y: -v.Y * scale}), scale
}

// ray returns the direction from the eye through p.
func (l lens) ray(p stage.Pt) collide.Vec3 {
	p = p.Sub(l.place).Scale(1 / l.zoom)
	return inverse(l.turn).Rotate(collide.Vec3{X: p.X, Y: -p.Y, Z: -1})
}
