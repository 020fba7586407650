package statics

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/convex"
	"github.com/dango-physics/dango/internal/slow"
)

// A box that moved along something that rotates came into it without an impact: between the times
// at which the two were compared once they had touched, or where the search for their impact had
// advanced too little, because the box moved fast across its normal.
func TestWhatRotatesIsMetBeforeAShapeIsInIt(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	isMet(t, turningShape, false)
}

// A box that an impact had given another speed was compared as if it had begun the step with the
// rotation that would have brought it there.
func TestWhatYieldsWithinAStepIsMetBeforeAShapeIsInIt(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	isMet(t, turningShape, true)
}

// A box that touched one facet of a sheet all the way came into the next one.
func TestEachFacetOfASheetThatRotatesIsMetBeforeAShapeIsInIt(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	isMet(t, turningSheet, false)
}

// isMet tests that convex shapes have an impact with something that rotates before they are in it.
// yields says that it gets another speed before the search for the impact.
func isMet(t *testing.T, surface func(r *rand.Rand) Shape, yields bool) {
	t.Helper()
	met, missed := 0, 0
	for n := range slow.Cases(4000) {
		seed := uint64(n)
		if known := []uint64{2850, 4936, 6904, 10572}; n < len(known) { // that were not met
			seed = known[n]
		}
		r := rand.New(rand.NewPCG(seed, 71))
		size := math.Exp(-4 * r.Float64())
		mover := convex.NewBox(collide.Box{Half: collide.Vec3{
			X: size, Y: size * (0.5 + r.Float64()), Z: size * (0.5 + r.Float64()),
		}})
		if r.IntN(3) == 0 {
			mover, _ = convex.New(collide.Capsule{A: vector(r, size), B: vector(r, size), Radius: size}, collide.Quat{})
		}
		var w Set
		k := w.Add()
		w.Put(k, surface(r))
		w.Update(seconds)
		f := w.At(k)
		m := Mover{
			Shape: mover, X: vector(r, 2.5), V: vector(r, 40*r.Float64()), Tolerance: 0x1p-30 * mover.Size, Parts: 16,
		}
		now := seconds * r.Float64() * r.Float64()
		if yields {
			f.ConvexAt(0)
			w.Turn(k, vector(r, 0.5*r.Float64()/seconds), now)
		}
		if seed%2 == 0 { // it touches the surface
			for range 20 {
				gap, n, _ := m.gapTo(&obstacle{f: f}, now)
				m.X = m.X.AddScaled(0x1p-36*size-gap, n)
			}
		}
		if gap, _, ok := m.gapTo(&obstacle{f: f}, now); !ok || gap < 0 {
			continue
		}
		first, _, _ := w.FirstOfShape(&m, now, math.Inf(1), func(int32) bool { return true }, func(int32) {})
		met += min(1, int(seconds/first))
		for s := range 100 {
			at := now + float64(s)/100*(seconds-now)
			if at >= first {
				break
			}
			if gap, _, ok := m.gapTo(&obstacle{f: f}, at); ok && gap < -m.Tolerance {
				missed++
				t.Logf("seed %d: %T of size %v at speed %v is %v m in %v at %v, the first impact is at %v",
					seed, mover.Exact, size, m.V.Length(), -gap, f.Kind(), at, first)
				break
			}
		}
	}
	if missed > 0 {
		t.Errorf("%d of %d are not met in time", missed, met)
	}
}

// turningSheet returns a rough sheet that rotates.
func turningSheet(r *rand.Rand) Shape {
	f := turningShape(r)
	n := 2 + r.IntN(4)
	var heights []float64
	for range (n + 1) * (n + 1) {
		heights = append(heights, 0.3*r.Float64())
	}
	cell := 2 / float64(n)
	field, _ := collide.NewHeightField(collide.Vec3{X: -1, Z: -1}, cell, cell, n+1, heights)
	return Shape{Field: field, Rotation: f.Rotation, TwoSided: true, Velocity: f.Velocity, Turning: f.Turning}
}

// turningShape returns something convex that rotates by up to half a radian in a step.
func turningShape(r *rand.Rand) Shape {
	f := Shape{
		Rotation: someRotation(r), TwoSided: true, Velocity: vector(r, 4*r.Float64()),
		Turning: Turning{On: true, Angular: vector(r, 0.5*r.Float64()/seconds), Pivot: vector(r, 1)},
	}
	half := vector(r, 0.5)
	half = collide.Vec3{X: 0.6 + half.X, Y: 0.6 + half.Y, Z: 0.6 + half.Z}
	switch r.IntN(3) {
	case 0:
		f.Half = half
	case 1:
		f.Hull, _ = collide.NewHull([]collide.Vec3{half, {}, {X: half.X}, {Y: half.Y}, {Z: 1}})
	default:
		f.Capsule = collide.Capsule{B: half, Radius: 0.3}
	}
	return f
}
