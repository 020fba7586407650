package twins

import (
	"fmt"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// Both worlds agree after every step, and with the recording on every platform.
func TestTwinsAgreeWithEachOtherAndTheRecording(t *testing.T) {
	s := newScene(1, 6)
	var hashes []uint64
	for range recordEvery * max(len(recorded), 10) {
		s.step()
		if s.hashes[0] != s.hashes[1] {
			t.Fatalf("tick %d: %016x and %016x", s.ticks, s.hashes[0], s.hashes[1])
		}
		if s.ticks%recordEvery == 0 {
			hashes = append(hashes, s.hashes[0])
		}
	}
	if s.different || s.checked != len(recorded) || s.checked == 0 {
		t.Errorf("the recording is another one; this one has")
		for _, h := range hashes {
			fmt.Printf("\t%#016x,\n", h)
		}
	}
}

// The hash sees the last bit of a single number, and two balls that change places.
func TestTheHashSeesEveryBit(t *testing.T) {
	s := newScene(1, 6)
	a, b := s.twins[0], s.twins[1]
	if a.hash() != b.hash() {
		t.Fatal("the beginnings differ")
	}
	v := components.Velocity.Get(b.balls[700])
	before := *v
	v.Linear = v.Linear.Add(collide.Vec3{Y: 1e-15})
	if a.hash() == b.hash() {
		t.Error("a change of 1e-15 m/s isn't seen")
	}
	*v = before
	b.balls[3], b.balls[4] = b.balls[4], b.balls[3]
	if a.hash() == b.hash() {
		t.Error("two balls have changed places, and that isn't seen")
	}
}
