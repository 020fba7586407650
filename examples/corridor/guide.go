package corridor

import "github.com/dango-physics/dango/collide"

// guide plays an unattended run.
type guide struct {
	leg, tick int
}

// leg is a part of the tour: walk towards a point for a number of ticks, or until the point is
// reached.
type leg struct {
	to    collide.Vec3
	ticks int
	slide bool
}

// tour shows every corner: it walks into each as far as it goes, and then bounces back.
var tour = []leg{
	{collide.Vec3{X: -2.6, Y: 6}, 135, true},   // the acute corner
	{collide.Vec3{X: 1.4, Y: 2.4}, 100, true},  //
	{collide.Vec3{X: 0, Y: 0}, 60, true},       // the right corner
	{collide.Vec3{X: 12, Y: 0.3}, 190, true},   // the wedge
	{collide.Vec3{X: 5.2, Y: 0.5}, 90, true},   // out again
	{collide.Vec3{X: 5.0, Y: 3.4}, 70, true},   //
	{collide.Vec3{X: 7.6, Y: 3.5}, 60, true},   //
	{collide.Vec3{X: 9.4, Y: 2.4}, 60, true},   // along the obtuse corner
	{collide.Vec3{X: 11.0, Y: 5.0}, 60, true},  //
	{collide.Vec3{X: 13.0, Y: 7.0}, 70, true},  //
	{collide.Vec3{X: 8.0, Y: 7.6}, 150, true},  // into the shaft, pressing sideways
	{collide.Vec3{X: 2.0, Y: 9.4}, 110, true},  // on, pressing to the other side
	{collide.Vec3{X: 0, Y: shaftY}, 110, true}, // the taper: stuck
	{collide.Vec3{X: 13, Y: shaftY}, 80, false},
	{collide.Vec3{X: 9, Y: 4}, 120, false},
	{collide.Vec3{X: 2, Y: 2}, 220, false},
}

// walk returns the input of one tick.
func (g *guide) walk(s *scene) input {
	l := tour[g.leg%len(tour)]
	d := l.to.Sub(s.position())
	g.tick++
	if g.tick > l.ticks || (l.slide && d.Length() < 0.15) {
		g.leg, g.tick = g.leg+1, 0
	}
	var in input
	in.Switch = l.slide != s.slide
	in.Move, _ = d.Normalized()
	in.Move.Z = 0
	return in
}
