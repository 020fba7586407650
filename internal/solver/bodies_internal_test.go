package solver

import (
	"testing"
	"unsafe"

	"github.com/dango-physics/dango/collide"
)

func TestSizesOfABody(t *testing.T) {
	if size := unsafe.Sizeof(body{}); size != 64 { // the assembly relies on it
		t.Errorf("a body has %d bytes, want 64", size)
	}
	if size := unsafe.Sizeof(bodyInfo{}); size > 64 {
		t.Errorf("what a step knows of a body has %d bytes, want at most 64", size)
	}
}

// Balls that bounce off each other have no list of accelerations. With the first acceleration there
// is one for all bodies, also for those that are added later, and it is sorted like them.
func TestAccelerationsAreListedOnceThereIsOne(t *testing.T) {
	s := &Space{Settings: Settings{Seconds: 1.0 / 60, MaxImpacts: 32, MaxInelasticImpacts: 32, LengthUnit: 1}}
	set := func(id int32, state State) {
		s.Set(id, state, 0.5, 1, Dynamic, Material{Restitution: 1, Layers: 1, Mask: 1})
	}
	add := func(k int, v collide.Vec3) int32 {
		id := s.Add()
		set(id, State{collide.Vec3{X: float64(k*7%10) * 1.01}, v})
		return id
	}
	for k := range 9 {
		add(k, collide.Vec3{X: float64(k%3 - 1)})
	}
	impacts := 0
	for range 10 {
		s.Finish()
		impacts += s.Counts.Impacts
	}
	if impacts == 0 || len(s.accelerations) > 0 {
		t.Fatalf("after %d impacts, %d accelerations are listed, want none", impacts, len(s.accelerations))
	}
	a := collide.Vec3{Y: -10}
	set(2, s.State(2))
	s.Accelerate(2, a)
	last := add(9, collide.Vec3{})
	was := s.index[2]
	s.gridStale = true // so that the bodies are sorted
	s.Finish()
	if s.index[2] == was || len(s.accelerations) != 10 {
		t.Fatalf("ball 2 keeps index %d, and there are %d accelerations, want 10", was, len(s.accelerations))
	}
	for id := range last + 1 {
		want := collide.Vec3{}
		if id == 2 {
			want = a
		}
		if got := s.acceleration(s.index[id]); got != want {
			t.Errorf("ball %d has acceleration %v, want %v", id, got, want)
		}
	}
}
