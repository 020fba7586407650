package systems_test

import (
	"testing"

	"github.com/yohamta/donburi"
)

// A ball that slides over tiles touches one at the end of each step, two where it is on their edge,
// and each contact that began ends. Only landing is an impact.
func TestASlidingBallBeginsAndEndsItsContactWithEachTile(t *testing.T) {
	w := donburi.NewWorld()
	tiles := map[donburi.Entity]int{}
	for i := range 10 {
		tiles[spawn(w, at(float64(i), 0, 0), square(0.5)).Entity()] = i
	}
	b := ball(w, vec(0, 0.25, 0), vec(3, 0, 0), 0.25)
	p := onEarth()
	open, begun, last := map[donburi.Entity]bool{}, 0, -1
	for n := range 165 {
		p.Step(w)
		for e := range p.ContactBegins() {
			if tile := tiles[e.B]; open[e.B] || tile < last {
				t.Errorf("step %d: a contact with tile %d begins, after one with %d", n, tile, last)
			}
			open[e.B], last = true, tiles[e.B]
			begun++
		}
		for e := range p.ContactEnds() {
			if !open[e.B] {
				t.Errorf("step %d: a contact with tile %d ends that is not open", n, tiles[e.B])
			}
			delete(open, e.B)
		}
		if got := len(open); got < 1 || got > 2 {
			t.Errorf("step %d: the ball touches %d tiles, want 1 or 2", n, got)
		}
		if got := p.Stats().Impacts; n > 0 && got > 0 {
			t.Errorf("step %d: %d impacts, want none", n, got)
		}
	}
	if begun != 9 {
		t.Errorf("%d contacts began on the way to x = %v, want 9", begun, position(b).X)
	}
}
