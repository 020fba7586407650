package roots

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/internal/slow"
)

// exact is a polynomial with rational coefficients, in powers of u: the oracle.
type exact []*big.Rat

func newExact(p *Poly) exact {
	r := make(exact, p.N+1)
	for k := range r {
		r[k] = new(big.Rat)
	}
	for i := range p.N + 1 { // C[i]·binomial(N,i)·u^i·(1-u)^(N-i)
		c := new(big.Rat).SetFloat64(p.C[i])
		c.Mul(c, big.NewRat(int64(binomial(p.N, i)), 1))
		for j := 0; i+j <= p.N; j++ {
			term := big.NewRat(int64(binomial(p.N-i, j)), 1)
			if j%2 == 1 {
				term.Neg(term)
			}
			r[i+j].Add(r[i+j], term.Mul(term, c))
		}
	}
	return r.trimmed()
}

func (p exact) trimmed() exact {
	for len(p) > 0 && p[len(p)-1].Sign() == 0 {
		p = p[:len(p)-1]
	}
	return p
}

// plus returns p + c.
func (p exact) plus(c *big.Rat) exact {
	r := exact{new(big.Rat).Set(c)}
	for k, x := range p {
		if k == 0 {
			r[0].Add(r[0], x)
		} else {
			r = append(r, x)
		}
	}
	return r.trimmed()
}

func (p exact) derivative() exact {
	var r exact
	for k := 1; k < len(p); k++ {
		r = append(r, new(big.Rat).Mul(p[k], big.NewRat(int64(k), 1)))
	}
	return r
}

func (p exact) at(u *big.Rat) *big.Rat {
	v := new(big.Rat)
	for k := len(p) - 1; k >= 0; k-- {
		v.Add(v.Mul(v, u), p[k])
	}
	return v
}

// remainder returns the remainder of p divided by q.
func (p exact) remainder(q exact) exact {
	r := make(exact, len(p))
	for k := range p {
		r[k] = new(big.Rat).Set(p[k])
	}
	for len(r) >= len(q) {
		f := new(big.Rat).Quo(r[len(r)-1], q[len(q)-1])
		for k := range q {
			at := r[len(r)-len(q)+k]
			at.Sub(at, new(big.Rat).Mul(f, q[k]))
		}
		r = r[:len(r)-1].trimmed()
	}
	return r
}

// sturm is the Sturm chain of a polynomial.
type sturm []exact

func newSturm(p exact) sturm {
	s := sturm{p}
	for q := p.derivative().trimmed(); len(q) > 0; {
		s = append(s, q)
		r := s[len(s)-2].remainder(q)
		for k := range r {
			r[k].Neg(r[k])
		}
		q = r
	}
	return s
}

func (s sturm) changes(u *big.Rat) int {
	n, last := 0, 0
	for _, p := range s {
		if sign := p.at(u).Sign(); sign != 0 {
			if sign == -last {
				n++
			}
			last = sign
		}
	}
	return n
}

// roots returns how many different roots are in the interval from (excluded) to (included).
func (s sturm) roots(from, to *big.Rat) int { return s.changes(from) - s.changes(to) }

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// check compares First with the Sturm chains of p shifted by its error bound, give or take the
// rounding of the subdivision.
func check(t *testing.T, p *Poly) (found bool) {
	t.Helper()
	u, ok := p.First()
	slack := 400 * rounding * p.MaxAbs()
	e := newExact(p)
	if len(e) == 0 {
		if ok {
			t.Fatalf("%v: a root at %v of the constant 0", p, u)
		}
		return false
	}
	if !ok {
		low := e.plus(rat(p.Err + slack)) // negative where p is certainly so
		if low.at(rat(0)).Sign() < 0 || len(low) > 1 && newSturm(low).roots(rat(0), rat(1)) > 0 {
			if _, real := signChange(low); real {
				t.Fatalf("%v: the root was missed", p)
			}
		}
		return false
	}
	if !(u >= 0 && u <= 1) {
		t.Fatalf("%v: root at %v", p, u)
	}
	if p.C[0] < -p.Err {
		if u != 0 {
			t.Fatalf("%v is negative at 0 and got a root at %v", p, u)
		}
		return true
	}
	if v, _ := e.at(rat(u)).Float64(); math.Abs(v) > p.Err+slack+p.slopeSlack() {
		t.Fatalf("%v: value %v at the root %v", p, v, u)
	}
	if d := p.Derivative(); d.At(u) > d.Err+400*rounding*d.MaxAbs() {
		t.Fatalf("%v: slope %v at the root %v", p, d.At(u), u)
	}
	// Before u it isn't certainly negative.
	if low := e.plus(rat(p.Err + slack)); len(low) > 1 && u > 0 && newSturm(low).roots(rat(0), rat(u)) > 0 {
		if at, real := signChange(low); real && at.Cmp(rat(u-0x1p-50)) < 0 {
			t.Fatalf("%v: root at %v is later than the first one", p, u)
		}
	}
	// After u it becomes certainly negative, and isn't certainly positive before that.
	if p.Err > slack {
		low := e.plus(rat(p.Err - slack))
		at, real := signChange(low)
		if !real {
			t.Fatalf("%v: a root at %v, and it never falls below its error", p, u)
		}
		high := e.plus(rat(-p.Err - slack - p.slopeSlack()))
		if len(high) > 1 && at.Cmp(rat(u)) > 0 && newSturm(high).roots(rat(u), at) > 0 {
			t.Fatalf("%v: root at %v, and it is positive after that", p, u)
		}
	}
	return true
}

// slopeSlack bounds by how much p changes within the rounding of u.
func (p *Poly) slopeSlack() float64 {
	d := p.Derivative()
	return 4 * rounding * d.MaxAbs()
}

// signChange returns the first point at which p becomes negative, found with its Sturm chain, and
// false if its roots in 0 to 1 are all touches.
func signChange(p exact) (*big.Rat, bool) {
	if p.at(rat(0)).Sign() < 0 {
		return rat(0), true
	}
	s := newSturm(p)
	var find func(from, to *big.Rat, depth int) (*big.Rat, bool)
	find = func(from, to *big.Rat, depth int) (*big.Rat, bool) {
		if s.roots(from, to) == 0 {
			return nil, false
		}
		if p.at(to).Sign() < 0 && s.roots(from, to) == 1 && depth > 60 {
			return to, true
		}
		if depth > 90 {
			return nil, false
		}
		middle := new(big.Rat).Add(from, to)
		middle.Mul(middle, big.NewRat(1, 2))
		if at, ok := find(from, middle, depth+1); ok {
			return at, true
		}
		if p.at(middle).Sign() < 0 {
			return middle, true
		}
		return find(middle, to, depth+1)
	}
	return find(rat(0), rat(1), 0)
}

// withRoots returns the polynomial scale·Π(u - root) in Bernstein form, rounded, so its roots are
// only close to those given.
func withRoots(scale float64, roots ...float64) Poly {
	p := Of(scale)
	for _, r := range roots {
		q := Of(-r, 1-r)
		p = p.Mul(&q)
	}
	p.Err = 0 // these coefficients are the polynomial
	return p
}

func TestFirstRootAgreesWithSturmChains(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	families := []struct {
		name string
		make func() Poly
	}{
		{"random coefficients", func() Poly {
			p := Poly{N: 1 + r.IntN(MaxDegree)}
			for i := range p.N + 1 {
				p.C[i] = r.NormFloat64()
			}
			p.C[0] = math.Abs(p.C[0])
			return p
		}},
		{"coefficients of all sizes", func() Poly {
			p := Poly{N: 1 + r.IntN(MaxDegree)}
			for i := range p.N + 1 {
				p.C[i] = r.NormFloat64() * math.Ldexp(1, r.IntN(60)-30)
			}
			p.C[0] = math.Abs(p.C[0])
			return p
		}},
		{"random roots", func() Poly {
			n := 1 + r.IntN(MaxDegree)
			roots := make([]float64, n)
			for i := range roots {
				roots[i] = 1.5*r.Float64() - 0.25
			}
			return positiveAtStart(withRoots(1, roots...))
		}},
		{"clustered roots", func() Poly {
			n := 2 + r.IntN(MaxDegree-1)
			roots := make([]float64, n)
			at, spread := r.Float64(), math.Ldexp(1, -r.IntN(30))
			for i := range roots {
				roots[i] = at + spread*r.Float64()
			}
			return positiveAtStart(withRoots(1, roots...))
		}},
		{"double roots", func() Poly {
			at := float64(r.IntN(64)) / 64 // exact
			q := withRoots(1, at, at)
			rest := Poly{N: r.IntN(MaxDegree - 1)}
			for i := range rest.N + 1 {
				rest.C[i] = float64(1 + r.IntN(100))
			}
			p := q.Mul(&rest)
			p.Err = 0
			return p
		}},
		{"nearly double roots", func() Poly {
			at, apart := r.Float64(), math.Ldexp(r.Float64()-0.5, -r.IntN(55))
			q := withRoots(1, at, at)
			for i := range q.C[:3] {
				q.C[i] += apart
			}
			rest := Poly{N: r.IntN(MaxDegree - 1)}
			for i := range rest.N + 1 {
				rest.C[i] = 0.1 + r.Float64()
			}
			p := q.Mul(&rest)
			p.Err = float64(r.IntN(2)) * p.Err
			return positiveAtStart(p)
		}},
		{"zero at the start", func() Poly {
			p := Poly{N: 2 + r.IntN(MaxDegree-1)}
			for i := range p.N + 1 {
				p.C[i] = r.NormFloat64()
			}
			p.C[0], p.C[1] = float64(r.IntN(3)-1)*0x1p-60, math.Abs(p.C[1])
			p.Err = 0x1p-50
			return p
		}},
		{"with an error bound", func() Poly {
			p := Poly{N: 1 + r.IntN(MaxDegree), Err: math.Ldexp(1, -r.IntN(40))}
			for i := range p.N + 1 {
				p.C[i] = r.NormFloat64() * math.Ldexp(1, -r.IntN(10))
			}
			p.C[0] = math.Abs(p.C[0])
			return p
		}},
	}
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) {
			n, found := slow.Cases(120), 0
			for range n {
				p := f.make()
				if check(t, &p) {
					found++
				}
			}
			t.Logf("%d of %d have a root", found, n)
			if f.name != "double roots" && found < n/10 {
				t.Errorf("only %d of %d polynomials had a root", found, n)
			}
			if f.name == "double roots" && found > n/2 {
				t.Errorf("%d of %d polynomials that touch zero had a root", found, n)
			}
		})
	}
}

func positiveAtStart(p Poly) Poly {
	if p.C[0] < 0 {
		return p.Scale(-1)
	}
	return p
}

func TestARootOfKnownPlaceIsFound(t *testing.T) {
	for _, c := range []struct {
		name string
		p    Poly
		want float64
		ok   bool
	}{
		{"falls through zero", withRoots(-1, 0.25), 0.25, true},
		{"rises through zero", withRoots(1, 0.25), 0, true}, // negative at 0
		{"touches", withRoots(1, 0.5, 0.5), 0, false},
		{"falls to zero at the end", withRoots(-1, 1), 0, false},
		{"falls from zero", withRoots(-1, 0), 0, true},
		{"rises from zero and falls", withRoots(-1, 0, 0.75), 0.75, true},
		{"a triple root", withRoots(-1, 0.5, 0.5, 0.5), 0.5, true},
		{"the first of three", withRoots(-1, 0.25, 0.5, 0.75), 0.25, true},
		{"between two touches", withRoots(-1, 0.25, 0.25, 0.5, 0.75, 0.75), 0.5, true},
		{"always positive", Of(1, 2, 3), 0, false},
		{"constant", Of(1), 0, false},
		{"constant and negative", Of(-1), 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, ok := c.p.First()
			if ok != c.ok || math.Abs(u-c.want) > 1e-15 {
				t.Errorf("got %v %v, want %v %v", u, ok, c.want, c.ok)
			}
		})
	}
}

func TestAnEntryNeedsAnApproach(t *testing.T) {
	for _, c := range []struct {
		name string
		p    Poly
		want float64
		ok   bool
	}{
		{"touches and recedes", withRoots(1, 0), 0, false},
		{"touches, recedes and comes back", withRoots(-1, 0, 0.75), 0.75, true},
		{"overlaps, recedes and comes back", withRoots(-1, 0.25, 0.75), 0.75, true},
		{"overlaps, recedes, and approaches again inside", Of(-2, -1, -2), 0.5, true},
		{"touches and approaches", withRoots(-1, 0), 0, true},
		{"overlaps and approaches", Of(-1, -2), 0, true},
		{"apart and approaches", Of(1, -1), 0.5, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, ok := c.p.FirstEntry()
			if ok != c.ok || math.Abs(u-c.want) > 1e-15 {
				t.Errorf("got %v %v, want %v %v", u, ok, c.want, c.ok)
			}
		})
	}
}

// A distance q is given as p = q·w^power. It decreases where q does, and not where p does.
func TestAnEntryOverAWeightIsWhereTheDistanceDecreases(t *testing.T) {
	w := Of(1, 0.5, 1) // least at 0.5, like that of a rotation
	for power := 1; power <= 2; power++ {
		for _, c := range []struct {
			name string
			q    Poly
			want float64
			ok   bool
		}{
			{"inside at a constant distance", Of(-1), 0, false},
			{"inside and recedes", Of(-1, -0.99), 0, false},
			{"inside and approaches", Of(-1, -1.01), 0, true},
			{"inside and comes back", Of(-1, -0.9, -0.9, -1), 0.5, true},
			{"leaves and comes back", Of(-1, 3, -1), 0.85355339059327378, true},
			{"apart and approaches", Of(1, -1), 0.5, true},
		} {
			t.Run(c.name, func(t *testing.T) {
				p := c.q
				for range power {
					p = p.Mul(&w)
				}
				u, ok := p.FirstEntryOver(&w, power)
				if ok != c.ok || math.Abs(u-c.want) > 1e-14 {
					t.Errorf("power %d: got %v %v, want %v %v", power, u, ok, c.want, c.ok)
				}
			})
		}
	}
	constant, p := Of(1, 1, 1), Of(-1, -0.3, -0.7, -2)
	want, _ := p.FirstEntry()
	if u, ok := p.FirstEntryOver(&constant, 2); u != want || !ok {
		t.Errorf("with a constant weight: %v %v, want %v", u, ok, want)
	}
}

// elevated returns the same polynomial with the given degree, which is at least its own.
func elevated(p *Poly, degree int) Poly {
	one := Poly{N: degree - p.N}
	for i := range one.N + 1 {
		one.C[i] = 1
	}
	return p.Mul(&one)
}

func TestArithmeticStaysWithinItsErrorBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		p, q := Poly{N: r.IntN(5)}, Poly{N: r.IntN(5)}
		for i := range p.C[:p.N+1] {
			p.C[i] = r.NormFloat64()
		}
		for i := range q.C[:q.N+1] {
			q.C[i] = r.NormFloat64()
		}
		u := r.Float64()
		pu, qu := newExact(&p).at(rat(u)), newExact(&q).at(rat(u))
		product := p.Mul(&q)
		differ(t, "product", &product, u, new(big.Rat).Mul(pu, qu))
		s, e := elevated(&q, max(p.N, q.N)), elevated(&p, max(p.N, q.N))
		sum, difference := e.Add(&s), e.Sub(&s)
		differ(t, "sum", &sum, u, new(big.Rat).Add(pu, qu))
		differ(t, "difference", &difference, u, new(big.Rat).Sub(pu, qu))
		scaled := p.Scale(0.3)
		differ(t, "multiple", &scaled, u, new(big.Rat).Mul(pu, rat(0.3)))
		d := p.Derivative()
		differ(t, "derivative", &d, u, newExact(&p).derivative().at(rat(u)))
		before, after := p.Split(0.3)
		differ(t, "first part", &before, u, newExact(&p).at(new(big.Rat).Mul(rat(u), rat(0.3))))
		at := new(big.Rat).Mul(rat(u), new(big.Rat).Sub(rat(1), rat(0.3)))
		differ(t, "second part", &after, u, newExact(&p).at(at.Add(at, rat(0.3))))
	}
}

// differ fails if the exact value of p at u differs from want by more than its error bound.
func differ(t *testing.T, what string, p *Poly, u float64, want *big.Rat) {
	t.Helper()
	d := new(big.Rat).Sub(newExact(p).at(rat(u)), want)
	if got, _ := d.Float64(); math.Abs(got) > p.Err {
		t.Fatalf("%s is off by %v, and its bound is %v", what, got, p.Err)
	}
}

func TestSearchesDoNotAllocate(t *testing.T) {
	p := withRoots(-1, 0.2, 0.21, 0.22, 0.5, 0.51, 0.7, 0.8)
	w := Of(1, 0.5, 1)
	if n := testing.AllocsPerRun(100, func() { p.First(); p.FirstEntry(); p.FirstEntryOver(&w, 2) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzFirst(f *testing.F) {
	f.Add(1.0, 0.5, -1.0, 2.0, 3.0, 0.0, 1.0, -1.0, 1e-9)
	f.Add(1.0, -2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g, h, i, err float64) {
		p := Of(a, b, c, d, e, g, h, i)
		for _, x := range p.C[:p.N+1] {
			if !(math.Abs(x) < 1e100 && (x == 0 || math.Abs(x) > 1e-100)) {
				t.Skip()
			}
		}
		if !(err >= 0 && err < 1e100 && (err == 0 || err > 1e-100)) {
			t.Skip()
		}
		p.Err = err
		check(t, &p)
	})
}

func BenchmarkFirst(b *testing.B) {
	miss := Of(1, 2, 1, 0.5, 1, 2, 3)
	one := Of(1, 2, 1, -0.5, -1, -2, -3)
	several := withRoots(1, 0.2, 0.21, 0.22, 0.5, 0.51, 0.7)
	for _, c := range []struct {
		name string
		p    *Poly
	}{{"none", &miss}, {"one sign change", &one}, {"clustered", &several}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.p.First()
			}
		})
	}
}
