package level

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// At each point of a picture, the triangle that was drawn last is the one that a ray meets first:
// in the level, and among boxes and balls that are drawn with it.
func TestWhatIsInFrontIsDrawnLast(t *testing.T) {
	still, models, err := readScenes()
	if err != nil {
		t.Fatal(err)
	}
	// Each triangle gets a colour of its own.
	count := float32(0)
	number := func(list []triangle) {
		for i := range list {
			count++
			for k := range list[i].corners {
				list[i].corners[k].colour = [3]float32{count, count, count}
			}
		}
	}
	number(still)
	for _, name := range []string{"ball", "crate"} {
		number(models[name])
	}
	p := &painter{level: newTree(still), models: models}
	rng := rand.New(rand.NewPCG(1, 2))
	checked, moving := 0, 0
	s := newScene()
	for i := range 60 {
		eye := collide.Vec3{X: 40*rng.Float64() - 20, Y: 1 + 6*rng.Float64(), Z: 40*rng.Float64() - 20}
		turn := collide.RotationAround(collide.Vec3{Y: 1}, 2*math.Pi*rng.Float64()).
			Mul(collide.RotationAround(collide.Vec3{X: 1}, -0.6*rng.Float64()))
		if i%2 == 0 { // at a crate, which may be on another one
			eye = components.Transform.Get(s.crates[i/2%len(s.crates)]).Position.
				Add(turn.Rotate(collide.Vec3{Z: 2 + 2*rng.Float64()}))
		}
		p.look(eye, turn, 1, 400, 400)
		for _, e := range s.balls {
			p.add("ball", *components.Transform.Get(e), false)
		}
		for _, e := range s.crates {
			p.add("crate", *components.Transform.Get(e), true)
		}
		all := slices.Concat(still, p.moving)
		p.walk(p.level, p.moving)
		for range 100 {
			x, y := 400*rng.Float64(), 400*rng.Float64()
			way := turn.Rotate(collide.Vec3{X: (x - 200) / p.zoom, Y: (200 - y) / p.zoom, Z: -1})
			want, sure := firstAlong(all, eye, way)
			got, clear := p.lastAt(x, y)
			if !sure || !clear {
				continue
			}
			checked++
			if want > float32(len(still)) {
				moving++
			}
			if got != want {
				t.Fatalf("from %v along %v a ray meets triangle %g first, and %g is drawn last", eye, way, want, got)
			}
		}
	}
	if checked < 2000 || moving < 500 {
		t.Errorf("only %d points checked, %d of them on what moves", checked, moving)
	}
}

// firstAlong returns the colour of the first triangle that a ray meets from its front, or 0. It is
// not sure if another one is about as near.
func firstAlong(all []triangle, eye, way collide.Vec3) (colour float32, sure bool) {
	first, second := math.Inf(1), math.Inf(1)
	for i := range all {
		t := &all[i]
		speed := t.normal.Dot(way)
		if speed >= 0 || t.above(eye) <= 0 {
			continue
		}
		at := -t.above(eye) / speed
		point, inside := eye.AddScaled(at, way), true
		for k := range 3 {
			a, b := t.corners[k].at, t.corners[(k+1)%3].at
			inside = inside && b.Sub(a).Cross(point.Sub(a)).Dot(t.normal) >= -1e-6
		}
		if !inside || at < 0.1 {
			continue
		}
		if at < first {
			first, second, colour = at, first, t.corners[0].colour[0]
		} else {
			second = min(second, at)
		}
	}
	return colour, second > first+1e-2
}

// lastAt returns the colour of the last triangle at a point of the picture, or 0. It is not clear
// if an edge is within a tenth of a pixel.
func (p *painter) lastAt(x, y float64) (colour float32, clear bool) {
	clear = true
	for i := 0; i < len(p.indices); i += 3 {
		least := math.Inf(1)
		for k := range 3 {
			a, b := p.vertices[p.indices[i+k]], p.vertices[p.indices[i+(k+1)%3]]
			ux, uy := float64(b.DstX-a.DstX), float64(b.DstY-a.DstY)
			least = min(least, ((x-float64(a.DstX))*uy-(y-float64(a.DstY))*ux)/math.Hypot(ux, uy))
		}
		switch {
		case least > 0.1:
			colour, clear = p.vertices[p.indices[i]].ColorR, true
		case least > -0.1:
			clear = false
		}
	}
	return colour, clear
}
