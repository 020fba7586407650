package debugdraw

import (
	"image/color"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// drawSphere draws a sphere with a line that shows its rotation.
func (d *Drawer) drawSphere(e *donburi.Entry) {
	at, r, clr := d.transform(e), components.SphereCollider.Get(e).Radius, d.colorOf(e)
	if !(r > 0) {
		d.canvas.star(at.Position, 6, errorColor)
		return
	}
	d.ball(at, r, clr)
}

// ball draws a sphere, or a circle in a flat world.
func (d *Drawer) ball(at components.TransformData, r float64, clr color.RGBA) {
	x := at.Rotation.Rotate(collide.Vec3{X: r})
	y := at.Rotation.Rotate(collide.Vec3{Y: r})
	z := at.Rotation.Rotate(collide.Vec3{Z: r})
	if d.canvas.isFlat() {
		d.canvas.circle(at.Position, collide.Vec3{X: r}, collide.Vec3{Y: r}, clr)
		d.canvas.line(at.Position, at.Position.Add(x), clr)
		return
	}
	// Its outline, and three great circles that turn with it.
	v := &d.canvas.view
	d.canvas.circle(at.Position, v.right.Scale(r), v.up.Scale(r), clr)
	dim := color.RGBA{clr.R / 3, clr.G / 3, clr.B / 3, clr.A / 3}
	d.canvas.circle(at.Position, x, y, dim)
	d.canvas.circle(at.Position, y, z, dim)
	d.canvas.circle(at.Position, z, x, dim)
}

// drawSurface draws everything but spheres.
func (d *Drawer) drawSurface(e *donburi.Entry) {
	at, clr := d.transform(e), d.colorOf(e)
	switch {
	case e.HasComponent(components.PlaneCollider):
		p := components.PlaneCollider.Get(e)
		if n, ok := at.Rotation.Rotate(p.Normal).Normalized(); ok {
			d.plane(at.Position.AddScaled(p.Distance, n), n, p.TwoSided, clr)
		}
	case e.HasComponent(components.PolygonCollider):
		p := components.PolygonCollider.Get(e)
		if shape, err := p.Shape(at); err == nil {
			d.polygon(shape, p.OneSided, clr)
		} else {
			d.canvas.star(at.Position, 6, errorColor)
		}
	case e.HasComponent(components.ShapeCollider):
		s := components.ShapeCollider.Get(e)
		if s.Validate() != nil {
			d.canvas.star(at.Position, 6, errorColor)
			return
		}
		d.solid(s.Shape, at, clr)
		for _, part := range s.Parts {
			d.solid(part.Shape, components.TransformData{
				Position: at.Position.Add(at.Rotation.Rotate(part.Position)), Rotation: at.Rotation.Mul(part.Rotation),
			}, clr)
		}
	case e.HasComponent(components.CapsuleCollider):
		d.capsule(components.CapsuleCollider.Get(e).Shape(at), clr)
	}
}

// plane draws the part of a plane that is near the middle of what is seen, with short lines into
// the solid behind it.
func (d *Drawer) plane(p, n collide.Vec3, twoSided bool, clr color.RGBA) {
	const cells = 10
	c := &d.canvas
	if c.isFlat() {
		v, ok := collide.Vec2(-n.Y, n.X).Normalized()
		if !ok {
			return // it is parallel to the screen
		}
		// From one side of the screen to the other, wherever the plane's point is.
		inverse := c.geom
		if !inverse.IsInvertible() {
			return
		}
		inverse.Invert()
		mx, my := inverse.Apply(c.left+c.width/2, c.top+c.height/2)
		middle := p.AddScaled(collide.Vec2(mx, my).Sub(p).Dot(v), v)
		scale, _ := c.scale(p)
		reach := (c.width + c.height) / scale
		c.line(middle.AddScaled(-reach, v), middle.AddScaled(reach, v), clr)
		for k := -cells * 5; !twoSided && k <= cells*5; k++ {
			from := middle.AddScaled(reach*float64(k)/(cells*5), v)
			c.line(from, from.AddScaled(-8/scale, n).AddScaled(8/scale, v), clr)
		}
		return
	}
	// A square of lines around the point of the plane nearest to what the camera looks at.
	target := d.Camera.Target
	middle := target.AddScaled(p.Sub(target).Dot(n), n)
	size := 0.6 * d.Camera.Eye.Distance(target)
	u, ok := n.Cross(collide.Vec3{Y: 1}).Normalized()
	if !ok {
		u = collide.Vec3{X: 1}
	}
	v := n.Cross(u)
	clr = color.RGBA{clr.R / 2, clr.G / 2, clr.B / 2, clr.A / 2}
	for k := -cells; k <= cells; k++ {
		s := size * float64(k) / cells
		c.line(middle.AddScaled(s, u).AddScaled(-size, v), middle.AddScaled(s, u).AddScaled(size, v), clr)
		c.line(middle.AddScaled(s, v).AddScaled(-size, u), middle.AddScaled(s, v).AddScaled(size, u), clr)
	}
	if !twoSided {
		c.line(middle, middle.AddScaled(size/5, n), clr)
	}
}

// polygon draws the edges of a polygon, and which side is the front if it has one. In a flat world
// it draws where the polygon cuts the plane z = 0.
func (d *Drawer) polygon(p collide.Polygon, oneSided bool, clr color.RGBA) {
	c := &d.canvas
	n := p.Plane().Normal
	if !c.isFlat() {
		var middle collide.Vec3
		for k := range p.Len() {
			edge := p.Edge(k)
			c.line(edge.A, edge.B, clr)
			middle = middle.AddScaled(1/float64(p.Len()), edge.A)
		}
		if oneSided {
			c.line(middle, middle.AddScaled(0.3*math.Sqrt(p.Bounds().Size().Length()), n), clr)
		}
		return
	}
	var corners []collide.Vec3
	for k := range p.Len() {
		corners = append(corners, p.Corner(k))
	}
	cuts := cutsOf(corners)
	if len(cuts) < 2 {
		return
	}
	c.line(cuts[0], cuts[1], clr)
	if scale, _ := c.scale(cuts[0]); oneSided && scale > 0 {
		middle := cuts[0].Lerp(cuts[1], 0.5)
		c.line(middle, middle.AddScaled(8/scale, n), clr)
	}
}

// cutsOf returns the two ends of the line in which a flat polygon cuts the plane z = 0, or two of
// its corners if it lies in that plane.
func cutsOf(corners []collide.Vec3) (cuts []collide.Vec3) {
	for k, p := range corners {
		q := corners[(k+1)%len(corners)]
		switch a, b := p.Z, q.Z; {
		case a == 0:
			cuts = append(cuts, p)
		case a < 0 && b > 0 || a > 0 && b < 0:
			cuts = append(cuts, p.Lerp(q, a/(a-b)))
		}
	}
	return cuts
}

// capsule draws a capsule.
func (d *Drawer) capsule(p collide.Capsule, clr color.RGBA) {
	c := &d.canvas
	along, ok := p.B.Sub(p.A).Normalized()
	if !ok {
		along = collide.Vec3{X: 1}
	}
	if c.isFlat() {
		side := along.Perp2D().Scale(p.Radius)
		c.line(p.A.Add(side), p.B.Add(side), clr)
		c.line(p.A.Sub(side), p.B.Sub(side), clr)
		d.halfCircle(p.A, along.Scale(-p.Radius), side, clr)
		d.halfCircle(p.B, along.Scale(p.Radius), side, clr)
		return
	}
	u, ok := along.Cross(collide.Vec3{Y: 1}).Normalized()
	if !ok {
		u = collide.Vec3{X: 1}
	}
	u = u.Scale(p.Radius)
	v := along.Cross(u)
	for _, side := range []collide.Vec3{u, v, u.Neg(), v.Neg()} {
		c.line(p.A.Add(side), p.B.Add(side), clr)
	}
	for _, end := range []collide.Vec3{p.A, p.B} {
		c.circle(end, u, v, clr)
	}
	for _, side := range []collide.Vec3{u, v} {
		d.halfCircle(p.A, along.Scale(-p.Radius), side, clr)
		d.halfCircle(p.B, along.Scale(p.Radius), side, clr)
	}
}

// halfCircle draws the half of a circle that lies towards ahead, a vector of its radius, from -side
// to side.
func (d *Drawer) halfCircle(center, ahead, side collide.Vec3, clr color.RGBA) {
	const n = 12
	last := center.Sub(side)
	for k := 1; k <= n; k++ {
		sin, cos := math.Sincos(math.Pi * (float64(k)/n - 0.5))
		next := center.AddScaled(sin, side).AddScaled(cos, ahead)
		d.canvas.line(last, next, clr)
		last = next
	}
}
