package debugdraw

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Camera looks at a world in three dimensions.
type Camera struct {
	Eye    collide.Vec3 // where it is
	Target collide.Vec3 // what it looks at; another point than Eye
	Up     collide.Vec3 // what is up on the screen; the zero value stands for +Y

	// FieldOfView is the angle between the lower and the upper edge of the screen, radians; 0
	// stands for 1, about 57 degrees.
	FieldOfView float64
}

// NewCamera returns a camera at eye that looks at target, with Y up.
func NewCamera(eye, target collide.Vec3) *Camera { return &Camera{Eye: eye, Target: target} }

// Project returns where a point of the world is on a screen of the given size in pixels, and how
// many pixels a length of 1 has there. The result is false for points behind the camera.
func (c *Camera) Project(p collide.Vec3, width, height float64) (x, y, scale float64, ok bool) {
	v := c.view(width, height)
	return v.project(v.see(p))
}

// Ray returns the direction, of unit length, from Eye through a point of a screen of the given size
// in pixels. [systems.Physics.RayCast] from Eye in that direction finds what is drawn there.
func (c *Camera) Ray(x, y, width, height float64) collide.Vec3 {
	v := c.view(width, height)
	right, up := v.right.Scale(x-v.middleX), v.up.Scale(v.middleY-y)
	direction, _ := v.ahead.Scale(v.focus).Add(right).Add(up).Normalized()
	return direction
}

// view is a camera for one screen.
type view struct {
	eye, right, up, ahead collide.Vec3
	focus                 float64 // pixels
	middleX, middleY      float64
	near                  float64 // the least distance that is drawn
}

// view prepares the camera for a screen.
func (c *Camera) view(width, height float64) view {
	v := view{eye: c.Eye, middleX: width / 2, middleY: height / 2}
	ahead, ok := c.Target.Sub(c.Eye).Normalized()
	if !ok {
		ahead = collide.Vec3{Z: -1}
	}
	up := c.Up
	if up == (collide.Vec3{}) {
		up = collide.Vec3{Y: 1}
	}
	right, ok := ahead.Cross(up).Normalized()
	if !ok { // it looks along up
		right, _ = ahead.Cross(collide.Vec3{X: 0.1, Z: 1}).Normalized()
	}
	v.ahead, v.right, v.up = ahead, right, right.Cross(ahead)
	angle := c.FieldOfView
	if !(angle > 0 && angle < math.Pi) {
		angle = 1
	}
	v.focus = height / 2 / math.Tan(angle/2)
	v.near = 1e-3 * max(c.Eye.Distance(c.Target), 1e-6)
	return v
}

// see returns a point in the camera's frame: right, up and ahead.
func (v *view) see(p collide.Vec3) collide.Vec3 {
	d := p.Sub(v.eye)
	return collide.Vec3{X: d.Dot(v.right), Y: d.Dot(v.up), Z: d.Dot(v.ahead)}
}

// project returns where a point of the camera's frame is on the screen.
func (v *view) project(p collide.Vec3) (x, y, scale float64, ok bool) {
	if !(p.Z >= v.near) {
		return 0, 0, 0, false
	}
	scale = v.focus / p.Z
	return v.middleX + p.X*scale, v.middleY - p.Y*scale, scale, true
}
