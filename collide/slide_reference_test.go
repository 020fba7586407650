package collide

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/internal/slow"
)

// slideBySubsets is a reference for Slide. For every set of up to three contacts it computes the
// movement in their planes nearest to v, by Gaussian elimination, and returns the nearest one that
// is admissible. As the problem is convex, that is the projection.
func slideBySubsets(v Vec3, contacts []SlideContact) (Vec3, bool) {
	best, nearest := Vec3{}, math.Inf(1)
	for set := range 1 << len(contacts) {
		var subset []SlideContact
		for i, c := range contacts {
			if set>>i&1 == 1 {
				subset = append(subset, c)
			}
		}
		if len(subset) > 3 {
			continue
		}
		// w = v + Σ x_j n_j with n_i·w = n_i·u_i.
		var m [3][4]float64
		for i, a := range subset {
			for j, b := range subset {
				m[i][j] = a.Normal.Dot(b.Normal)
			}
			m[i][3] = a.Normal.Dot(a.Velocity.Sub(v))
		}
		x := solve(m, len(subset))
		w := v
		for j, c := range subset {
			w = w.AddScaled(x[j], c.Normal)
		}
		d := w.Distance(v)
		if worstViolation(w, contacts) < 1e-10 && d < nearest {
			best, nearest = w, d
		}
	}
	return best, !math.IsInf(nearest, 1)
}

func solve(m [3][4]float64, n int) (x [3]float64) {
	for i := range n {
		for k := i + 1; k < n; k++ {
			if math.Abs(m[k][i]) > math.Abs(m[i][i]) {
				m[i], m[k] = m[k], m[i]
			}
		}
		for k := range n {
			if k == i {
				continue
			}
			f := m[k][i] / m[i][i]
			for j := range m[k] {
				m[k][j] -= f * m[i][j]
			}
		}
	}
	for i := range n {
		x[i] = m[i][3] / m[i][i]
	}
	return x
}

func randomVec(rng *rand.Rand) Vec3 {
	return Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
}

func TestSlideMatchesASearchOfAllSubsets(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	compared := 0
	var outcomes [5]int
	for i := range 3000 {
		contacts := make([]SlideContact, 1+rng.IntN(6))
		for i := range contacts {
			contacts[i].Normal, _ = randomVec(rng).Normalized()
		}
		if i%2 == 1 {
			for i := range contacts {
				contacts[i].Velocity = randomVec(rng)
			}
		}
		v := randomVec(rng)
		got, result := Slide(v, contacts)
		outcomes[result.Outcome]++
		if result.Outcome == Crushed {
			if i%2 == 0 {
				t.Fatalf("static contacts %+v crush %v", contacts, v)
			}
			continue
		}
		want, ok := slideBySubsets(v, contacts)
		if !ok {
			continue
		}
		compared++
		if got.Distance(want) > 1e-8*(1+want.Length()) {
			t.Fatalf("sliding %v along %+v gave %v %+v, want %v", v, contacts, got, result, want)
		}
	}
	t.Logf("compared %d; free, plane, crease, stuck, crushed: %v", compared, outcomes)
	if compared < 1500 {
		t.Errorf("compared only %d", compared)
	}
}

// checkSlide checks the properties that characterize the projection w of v for static contacts: w
// enters no contact, it is perpendicular to v - w and no longer than v, and sliding it again
// doesn't change it.
func checkSlide(t *testing.T, v Vec3, contacts []SlideContact, w Vec3, result SlideResult) {
	t.Helper()
	size := v.Length()
	for i, c := range contacts {
		if d := c.Normal.Dot(w); d < -staticTolerance*size {
			t.Fatalf("%v along %+v: %v enters contact %d by %v", v, contacts, w, i, d)
		} else if (result.Active>>i&1 == 1) != (d <= 2*slideTolerance*size) && d > 2*slideTolerance*size {
			t.Fatalf("%v along %+v: %v leaves contact %d at %v, but it is active", v, contacts, w, i, d)
		}
	}
	if w.Length() > size*(1+4*0x1p-52) {
		t.Fatalf("%v along %+v: %v is longer", v, contacts, w)
	}
	if d := v.Sub(w).Dot(w); math.Abs(d) > 0x1p-46*size*size {
		t.Fatalf("%v along %+v: %v is not a projection, (v-w)·w = %v", v, contacts, w, d)
	}
	if again, _ := Slide(w, contacts); again.Distance(w) > staticTolerance*size {
		t.Fatalf("%v along %+v: %v slides again to %v", v, contacts, w, again)
	}
}

func TestSlideIsAProjectionForNearlyParallelContacts(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	rng := rand.New(rand.NewPCG(5, 6))
	for range slow.Cases(20000) {
		contacts := make([]SlideContact, 1+rng.IntN(10))
		base, _ := randomVec(rng).Normalized()
		// Below a spread of 2^-36 the directions of the creases are mostly rounding errors. Then
		// the nearest movement isn't defined, and only the contacts are checked.
		exponent := rng.IntN(52)
		spread := math.Ldexp(1, -exponent)
		for i := range contacts {
			// Nearly equal and nearly opposite normals, and some that are nearly coplanar.
			n := base.AddScaled(spread, randomVec(rng))
			switch rng.IntN(4) {
			case 0:
				n = n.Neg()
			case 1:
				n = base.Cross(randomVec(rng)).AddScaled(spread, randomVec(rng))
			}
			contacts[i].Normal, _ = n.Normalized()
		}
		v := randomVec(rng).AddScaled(-5*rng.Float64(), base)
		w, result := Slide(v, contacts)
		if exponent > 36 {
			if d := worstViolation(w, contacts); d > staticTolerance*v.Length() ||
				w.Length() > v.Length()*(1+4*0x1p-52) {
				t.Fatalf("%v along %+v: got %v, which enters by %v", v, contacts, w, d)
			}
			continue
		}
		checkSlide(t, v, contacts, w, result)
		want, ok := slideBySubsets(v, contacts)
		if ok && worstViolation(want, contacts) <= slideTolerance*want.Length() &&
			want.Distance(v) < w.Distance(v)-1e-9 {
			t.Fatalf("%v along %+v: got %v, but %v is nearer", v, contacts, w, want)
		}
	}
}

func TestSlideIsZeroAtTheEndOfATaperedShaft(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, slope := range []float64{1, 0.1, 1e-3, 1e-6} {
		planes := make([]SlideContact, 64)
		for i := range planes {
			angle := 2 * math.Pi * float64(i) / 64
			planes[i].Normal, _ = Vec3{math.Cos(angle), math.Sin(angle), slope}.Normalized()
		}
		for range 200 {
			// The movement is downwards, and sideways by less than the lowest planes still push
			// back.
			angle, aside := 2*math.Pi*rng.Float64(), 0.9*rng.Float64()/slope
			v := Vec3{aside * math.Cos(angle), aside * math.Sin(angle), -1}
			if got, result := Slide(v, planes); got != (Vec3{}) || result.Active != math.MaxUint64 {
				t.Fatalf("in a taper of %v %v slides to %v %+v, want zero", slope, v, got, result)
			}
		}
	}
}

func TestSlideAroundAnObtuseCornerLeavesTheFirstWall(t *testing.T) {
	// The walls meet at 135 degrees. The movement enters both, mostly the second.
	walls := []SlideContact{{Normal: Vec3{Y: 1}}, {Normal: Vec3{X: -math.Sqrt2 / 2, Y: math.Sqrt2 / 2}}}
	got, result := Slide(Vec3{1, -0.1, 3}, walls)
	if want := (Vec3{0.45, 0.45, 3}); got.Distance(want) > 1e-15 || result != (SlideResult{2, OnPlane}) {
		t.Errorf("got %v %+v, want %v along the second wall alone", got, result, want)
	}
}

func TestSlideBetweenClosingContactsMinimizesTheLargestViolation(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	crushed := 0
	for range 500 {
		contacts := make([]SlideContact, 2+rng.IntN(6))
		for i := range contacts {
			contacts[i].Normal, _ = randomVec(rng).Normalized()
			contacts[i].Velocity = contacts[i].Normal.Scale(rng.Float64()) // all close in
		}
		contacts = append(contacts, SlideContact{contacts[0].Normal.Neg(), contacts[0].Normal.Scale(-rng.Float64())})
		v := randomVec(rng)
		got, result := Slide(v, contacts)
		if result.Outcome != Crushed {
			t.Fatalf("%v between %+v: got %v %+v, want Crushed", v, contacts, got, result)
		}
		crushed++
		worst := worstViolation(got, contacts)
		for range 200 {
			w := got.AddScaled(math.Ldexp(1, -rng.IntN(30)), randomVec(rng))
			if worstViolation(w, contacts) < worst-1e-13 {
				t.Fatalf("%v between %+v: %v is entered by %v, but %v only by %v", v, contacts, got, worst, w,
					worstViolation(w, contacts))
			}
		}
	}
}

func worstViolation(w Vec3, contacts []SlideContact) float64 {
	worst := math.Inf(-1)
	for _, c := range contacts {
		worst = max(worst, c.Normal.Dot(c.Velocity.Sub(w)))
	}
	return worst
}

func FuzzSlide(f *testing.F) {
	f.Add(1.0, -2.0, 3.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
	f.Add(-3.0, 1e-9, 2.0, 1e-4, 1.0, 0.0, 1e-4, -1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
	f.Add(0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 1.0)
	f.Fuzz(func(t *testing.T, x, y, z, ax, ay, az, bx, by, bz, cx, cy, cz, speed float64) {
		v, contacts := Vec3{x, y, z}, make([]SlideContact, 3)
		for i, n := range []Vec3{{ax, ay, az}, {bx, by, bz}, {cx, cy, cz}} {
			contacts[i].Normal, _ = n.Normalized()
			contacts[i].Velocity = contacts[i].Normal.Scale(speed)
		}
		w, result := Slide(v, contacts)
		if !w.IsFinite() {
			t.Fatalf("%v along %+v gives %v", v, contacts, w)
		}
		if size := v.Length(); speed == 0 && size > 1e-100 && size < 1e70 {
			checkSlide(t, v, contacts, w, result)
		}
	})
}
