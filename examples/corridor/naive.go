package corridor

import "github.com/dango-physics/dango/collide"

// naive slides as most small games do: it moves the sphere, and then pushes it out of one wall
// after the other. Where two walls push against each other, the last one wins.
type naive struct {
	at     collide.Vec3
	inside float64 // metres; deepest overlap with a wall after the step
	worst  float64 // metres, over all steps

	reached []bool // goals
	trail   []collide.Vec3
}

// step moves the sphere at a velocity.
func (n *naive) step(v collide.Vec3) {
	n.at = n.at.AddScaled(stepSeconds, v)
	for _, w := range lines() {
		if d, away := n.gap(w); d < radius {
			n.at = n.at.AddScaled(radius-d, away)
		}
	}
	n.inside = 0
	for _, w := range lines() {
		d, _ := n.gap(w)
		n.inside = max(n.inside, radius-d)
	}
	n.worst = max(n.worst, n.inside)
}

// gap returns the distance of the sphere's centre from a wall, and the direction away from it.
func (n *naive) gap(w [2]collide.Vec3) (float64, collide.Vec3) {
	ab := w[1].Sub(w[0])
	t := min(max(n.at.Sub(w[0]).Dot(ab)/ab.LengthSquared(), 0), 1)
	d := n.at.Sub(w[0].AddScaled(t, ab))
	away, _ := d.Normalized()
	return d.Length(), away
}

// lines are the walls in the plane z = 0, of the floor and of the shaft.
func lines() (all [][2]collide.Vec3) {
	corners := outline()
	for i := 1; i < len(corners); i++ {
		all = append(all, [2]collide.Vec3{corners[i-1], corners[i]})
	}
	for i := 1; i < len(mouth); i++ {
		for _, side := range []float64{-1, 1} {
			a, b := mouth[i-1], mouth[i]
			all = append(all, [2]collide.Vec3{
				{X: a.x, Y: shaftY + side*a.radius}, {X: b.x, Y: shaftY + side*b.radius},
			})
		}
	}
	return all
}

// goals are the places to be reached: the ends of all corners, and of the shaft.
var goals = []collide.Vec3{
	{X: -1.4, Y: 5.5}, {X: 0.5, Y: 0.5}, {X: 8.0, Y: 0.45}, {X: 8.9, Y: 3.1}, {X: 12.9, Y: 6.8}, {X: 4.6, Y: shaftY},
}

// reach is how close to a goal the sphere has to come, in metres.
const reach = 0.35

// visit notes which goals have been reached.
func (s *scene) visit() {
	if s.reached == nil {
		s.reached, s.naive.reached = make([]bool, len(goals)), make([]bool, len(goals))
	}
	left := 0
	for i, g := range goals {
		s.reached[i] = s.reached[i] || s.position().Distance(g) < reach
		s.naive.reached[i] = s.naive.reached[i] || s.naive.at.Distance(g) < reach
		if !s.reached[i] {
			left++
		}
	}
	if left > 0 {
		s.seconds = float64(s.ticks) * stepSeconds
	}
	s.left = left
	s.naive.trail = follow(s.naive.trail, s.naive.at)
}
