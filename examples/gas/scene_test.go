package gas

import (
	"math"
	"testing"
)

// The gas forgets that all spheres had the same speed, keeps its energy to twelve digits, and
// presses on the walls as Carnahan and Starling say, at three densities.
func TestTheGasIsAsTheorySays(t *testing.T) {
	for _, fill := range []float64{0.02, 0.1, 0.25} {
		s := newScene(3, settings{count: 1500, fill: fill, speed: 20})
		if v := s.histogram[12]; v != 1500 { // all begin in one bin
			t.Errorf("%g of 1500 spheres begin with their speed", v)
		}
		for range calmTicks + 420 {
			s.step()
		}
		if s.drift > 1e-12 {
			t.Errorf("fill %g: energy changed by %g of it", fill, s.drift)
		}
		total, off := 0.0, 0.0
		for _, n := range s.histogram {
			total += n
		}
		for i, n := range s.histogram {
			off += math.Abs(n/total - s.maxwell(i))
		}
		if off > 0.06 {
			t.Errorf("fill %g: the speeds are %.3f away from Maxwell's curve, of 2 possible", fill, off)
		}
		if got, want := s.pressure(); math.Abs(got/want-1) > 0.02 {
			t.Errorf("fill %g: pressure %g Pa, in theory %g", fill, got, want)
		}
	}
}
