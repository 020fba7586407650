package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/partition"
)

// partitionSample is about how many moving bodies are used to choose the boxes. With more, boxes
// are balanced better, and a new layout takes longer.
const partitionSample = 2048

// bodyChunk is a contiguous range of the whole space's bodies. One worker sorts them by the
// subdomains that need them.
type bodyChunk struct {
	parent *parallelStep
	number int
	lists  partition.Lists // for each subdomain, the bodies in its box and its halo
}

// sort finds out which subdomains need each body of the chunk, and stores the positions at the
// start of the step.
func (c *bodyChunk) sort() {
	t := c.parent
	s := t.whole
	c.lists.Reset(len(t.subdomains))
	n, all := len(s.bodies), len(t.chunks)
	for i := c.number * n / all; i < (c.number+1)*n/all; i++ {
		b := &s.bodies[i]
		s.startPositions[i] = b.x
		s.flags[i] &^= frozen | overlapsAtStart | touchesChecked // of the last step, as startPaths does
		if s.flags[i]&alive == 0 {
			t.bodies[i], t.flags[i], t.pathIDs[i], t.accelerations[i] = body{}, 0, s.pathIDs[i], collide.Vec3{}
			continue
		}
		t.boxes.Add(&c.lists, int32(i), &b.x, t.haloWidth)
	}
}

// partition makes n subdomains and chooses their boxes, so that each contains about the same number
// of moving bodies. It also measures the largest diameter and the mean speed.
func (t *parallelStep) partition(s *Space, n int) {
	for len(t.subdomains) < n {
		p := &subdomain{parent: t, number: int32(len(t.subdomains))}
		p.space.subdomain = p
		t.subdomains = append(t.subdomains, p)
	}
	t.subdomains = t.subdomains[:n]
	t.sample = t.sample[:0]
	t.maxDiameter, t.meanSpeed = 0, 0
	every := s.movingBodies/partitionSample + 1
	moving := 0
	for i := range s.bodies {
		b := &s.bodies[i]
		t.maxDiameter = max(t.maxDiameter, 2*b.radius)
		if b.v == (collide.Vec3{}) {
			continue
		}
		t.meanSpeed += b.v.Length()
		if moving%every == 0 {
			t.sample = append(t.sample, b.x)
		}
		moving++
	}
	t.meanSpeed /= float64(max(moving, 1))
	t.boxes.Build(t.sample, n)
	for k, p := range t.subdomains {
		p.box = t.boxes.Box(k)
		p.space.gridStale = true // its grid was laid out for another box
	}
}
