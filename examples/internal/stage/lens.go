package stage

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Lens is a perspective camera.
type Lens struct {
	Eye   collide.Vec3
	Turn  collide.Quat // from the world to the eye: x to the right, y up, z back
	zoom  float64      // pixels per metre at a distance of one metre
	place Pt           // position on the canvas of the point straight ahead
}

// NewLens returns the lens that looks at target from a distance in metres, turned about the
// vertical axis by yaw and looking down by pitch, in radians. It shows the bounding box of points
// in the middle of area, as large as possible.
func NewLens(target collide.Vec3, distance, yaw, pitch float64, points []collide.Vec3, area Rect) Lens {
	turn := collide.RotationAround(collide.Vec3{X: 1}, pitch).Mul(collide.RotationAround(collide.Vec3{Y: 1}, -yaw))
	l := Lens{Turn: turn, zoom: 1}
	l.Eye = target.Add(Inverse(turn).Rotate(collide.Vec3{Z: distance}))
	low, high := Pt{math.Inf(1), math.Inf(1)}, Pt{math.Inf(-1), math.Inf(-1)}
	for _, v := range points {
		p, _ := l.At(v)
		low, high = Pt{min(low.X, p.X), min(low.Y, p.Y)}, Pt{max(high.X, p.X), max(high.Y, p.Y)}
	}
	size := high.Sub(low)
	l.zoom = min(area.W/size.X, area.H/size.Y)
	l.place = Pt{area.X + area.W/2, area.Y + area.H/2}.Sub(low.Add(high).Scale(l.zoom / 2))
	return l
}

// At returns the position of a point on the canvas, and the pixels per metre there.
func (l Lens) At(v collide.Vec3) (Pt, float64) {
	v = l.Turn.Rotate(v.Sub(l.Eye))
	scale := l.zoom / -v.Z
	return l.place.Add(Pt{v.X * scale, -v.Y * scale}), scale
}

// In returns the lens for points of something that is shown turned about a point and shifted before
// that: In(turn, about, shift).At(v) is l.At(turn.Rotate(v+shift-about)+about).
func (l Lens) In(turn collide.Quat, about, shift collide.Vec3) Lens {
	l.Eye = Inverse(turn).Rotate(l.Eye.Sub(about)).Add(about).Sub(shift)
	l.Turn = l.Turn.Mul(turn)
	return l
}

// Ray returns the direction from the eye through p.
func (l Lens) Ray(p Pt) collide.Vec3 {
	p = p.Sub(l.place).Scale(1 / l.zoom)
	return Inverse(l.Turn).Rotate(collide.Vec3{X: p.X, Y: -p.Y, Z: -1})
}

// Inverse returns the inverse rotation of q.
func Inverse(q collide.Quat) collide.Quat { return collide.Quat{X: -q.X, Y: -q.Y, Z: -q.Z, W: q.W} }
