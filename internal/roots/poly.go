package roots

import "math"

// MaxDegree is the highest degree of a [Poly].
const MaxDegree = 12

// Poly is a polynomial of degree N in Bernstein form:
//
//	p(u) = Σ C[i]·binomial(N, i)·u^i·(1-u)^(N-i),  0 <= u <= 1.
//
// Err bounds the error of every coefficient, and so that of every value. The zero value is the
// constant 0.
type Poly struct {
	C   [MaxDegree + 1]float64 // only the first N+1 are used
	Err float64
	N   int
}

// rounding is the largest relative error of one operation.
const rounding = 0x1p-53

// Of returns the polynomial with the given coefficients, which are exact. There are at least one
// and at most MaxDegree+1.
func Of(coefficients ...float64) Poly {
	p := Poly{N: len(coefficients) - 1}
	copy(p.C[:], coefficients)
	return p
}

// MaxAbs returns the largest absolute value of a coefficient, which bounds all values.
func (p *Poly) MaxAbs() float64 {
	m := 0.0
	for _, c := range p.C[:p.N+1] {
		m = max(m, math.Abs(c))
	}
	return m
}

// Min returns the smallest coefficient: no value is smaller.
func (p *Poly) Min() float64 {
	m := p.C[0]
	for _, c := range p.C[1 : p.N+1] {
		m = min(m, c)
	}
	return m
}

// Add returns p + q for polynomials of the same degree.
func (p *Poly) Add(q *Poly) Poly {
	r := Poly{N: p.N, Err: p.Err + q.Err}
	for i := range p.N + 1 {
		r.C[i] = p.C[i] + q.C[i]
	}
	r.Err += float64(rounding * r.MaxAbs())
	return r
}

// Sub returns p - q for polynomials of the same degree.
func (p *Poly) Sub(q *Poly) Poly {
	r := Poly{N: p.N, Err: p.Err + q.Err}
	for i := range p.N + 1 {
		r.C[i] = p.C[i] - q.C[i]
	}
	r.Err += float64(rounding * r.MaxAbs())
	return r
}

// Scale returns s·p.
func (p *Poly) Scale(s float64) Poly {
	r := Poly{N: p.N}
	for i := range p.N + 1 {
		r.C[i] = float64(p.C[i] * s)
	}
	r.Err = float64(float64(p.Err*math.Abs(s))*(1+4*rounding)) + float64(rounding*r.MaxAbs())
	return r
}

// Mul returns p·q, the sum of whose degrees is at most MaxDegree.
func (p *Poly) Mul(q *Poly) Poly {
	r := Poly{N: p.N + q.N}
	for i := range p.N + 1 {
		for j := range q.N + 1 {
			// The weights are at most 1 and add up to 1 for each coefficient of the product.
			w := productWeights[p.N][q.N][i][j]
			r.C[i+j] += float64(float64(p.C[i]*q.C[j]) * w)
		}
	}
	a, b := p.MaxAbs(), q.MaxAbs()
	// Three roundings of each term and its weight, and at most eight of the sum.
	r.Err = float64(12*rounding*float64(a*b)) + float64(a*q.Err) + float64(b*p.Err) + float64(p.Err*q.Err)
	r.Err *= 1 + 8*rounding
	return r
}

// productWeights[m][n][i][j] is binomial(m, i)·binomial(n, j)/binomial(m+n, i+j).
var productWeights = func() (w [MaxDegree + 1][MaxDegree + 1][MaxDegree + 1][MaxDegree + 1]float64) {
	for m := range MaxDegree + 1 {
		for n := range MaxDegree + 1 - m {
			for i := range m + 1 {
				for j := range n + 1 {
					w[m][n][i][j] = binomial(m, i) * binomial(n, j) / binomial(m+n, i+j)
				}
			}
		}
	}
	return w
}()

// binomial returns n!/(k!·(n-k)!), exactly for n <= MaxDegree.
func binomial(n, k int) float64 {
	b := 1.0
	for i := range k {
		b = b * float64(n-i) / float64(i+1)
	}
	return b
}

// Derivative returns dp/du.
func (p *Poly) Derivative() Poly {
	if p.N == 0 {
		return Poly{}
	}
	n := float64(p.N)
	r := Poly{N: p.N - 1}
	for i := range p.N {
		r.C[i] = float64((p.C[i+1] - p.C[i]) * n)
	}
	r.Err = float64(float64(2*n*p.Err)*(1+8*rounding)) + float64(2*rounding*r.MaxAbs())
	return r
}

// At returns p(u), with an error of at most Err and a few roundings of the largest coefficient.
func (p *Poly) At(u float64) float64 {
	c := p.C
	v := 1 - u
	for n := p.N; n > 0; n-- {
		for i := range n {
			c[i] = float64(c[i]*v) + float64(c[i+1]*u)
		}
	}
	return c[0]
}

// atWithSlope returns p(u) and p'(u).
func (p *Poly) atWithSlope(u float64) (value, slope float64) {
	if p.N == 0 {
		return p.C[0], 0
	}
	c := p.C
	v := 1 - u
	for n := p.N; n > 1; n-- {
		for i := range n {
			c[i] = float64(c[i]*v) + float64(c[i+1]*u)
		}
	}
	return float64(c[0]*v) + float64(c[1]*u), float64(p.N) * (c[1] - c[0])
}

// Split returns the parts of p before and after u, each as a polynomial on 0 to 1.
func (p *Poly) Split(u float64) (before, after Poly) {
	before, after = Poly{N: p.N}, *p
	v := 1 - u
	c := &after.C
	for n := p.N; n > 0; n-- {
		before.C[p.N-n] = c[0]
		for i := range n {
			c[i] = float64(c[i]*v) + float64(c[i+1]*u)
		}
	}
	before.C[p.N] = c[0]
	// Each of the N rounds rounds three times, and 1-u is rounded once.
	before.Err = p.Err + float64(float64(float64(4*p.N)*rounding)*p.MaxAbs())
	after.Err = before.Err
	return before, after
}

// halves is Split at 1/2, which is more accurate.
func (p *Poly) halves() (before, after Poly) {
	before, after = Poly{N: p.N}, *p
	c := &after.C
	for n := p.N; n > 0; n-- {
		before.C[p.N-n] = c[0]
		for i := range n {
			c[i] = 0.5 * (c[i] + c[i+1])
		}
	}
	before.C[p.N] = c[0]
	before.Err = p.Err + float64(float64(float64(p.N)*rounding)*p.MaxAbs())
	after.Err = before.Err
	return before, after
}
