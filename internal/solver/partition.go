package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/partition"
)

// partitionSample is about how many moving bodies are used to choose the boxes. With more the boxes are
// balanced better, and a new layout takes longer.
const partitionSample = 2048

// chunk is a contiguous range of the whole space's bodies, which one worker sorts by the boxes that
// they are in or near.
type chunk struct {
	team   *team
	number int
	lists  partition.Lists // for each part, the bodies in its box and its halo
	moving int             // how many bodies of the chunk move
}

// sort sorts the bodies of the chunk, and saves their positions.
func (c *chunk) sort() {
	t := c.team
	s := t.whole
	c.lists.Reset(len(t.parts))
	moving := 0
	n, all := len(s.bodies), len(t.chunks)
	for i := c.number * n / all; i < (c.number+1)*n/all; i++ {
		b := &s.bodies[i]
		s.before[i] = b.x
		if s.flags[i]&alive == 0 {
			t.bodies[i], t.flags[i], t.marks[i], t.pulls[i] = body{}, 0, s.marks[i], collide.Vec3{}
			continue
		}
		if s.stirs(int32(i)) {
			moving++
		}
		t.boxes.Add(&c.lists, int32(i), &b.x, t.margin)
	}
	c.moving = moving
}

// partition makes n parts and chooses their boxes, so that each contains about the same number of
// moving bodies. It also measures the largest diameter and the mean speed.
func (t *team) partition(s *Space, n int) {
	for len(t.parts) < n {
		p := &region{team: t, number: int32(len(t.parts))}
		p.space.region = p
		t.parts = append(t.parts, p)
	}
	t.parts = t.parts[:n]
	t.sample = t.sample[:0]
	t.touch, t.speed = 0, 0
	every := s.stirring/partitionSample + 1
	moving := 0
	for i := range s.bodies {
		b := &s.bodies[i]
		t.touch = max(t.touch, 2*b.radius)
		if b.v == (collide.Vec3{}) {
			continue
		}
		t.speed += b.v.Length()
		if moving%every == 0 {
			t.sample = append(t.sample, b.x)
		}
		moving++
	}
	t.speed /= float64(max(moving, 1))
	t.boxes.Build(t.sample, n)
	for k, p := range t.parts {
		p.box = t.boxes.Box(k)
		p.space.unplaced = true // its grid was laid out for another box
	}
}
