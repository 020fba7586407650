package roots

import "math"

// First returns the first u in 0 to 1 at which p becomes negative, and false if it does not.
//
// A value counts as negative if it is below -Err: then it is negative whatever the errors of the
// coefficients are. So a p that touches zero, or goes below it by less than its error, has no root.
// For a root, all values before u are at least -Err, up to the rounding of the subdivision, and u
// is where p is zero before the first negative value. If p is negative at 0 already, u is 0.
func (p *Poly) First() (u float64, ok bool) {
	if p.Min() >= -p.Err {
		return 0, false // true for most polynomials
	}
	if done, at, found := p.decide(); done {
		return at, found
	}
	return p.search()
}

// decide finds the first root if the signs of the coefficients tell that there is one root or none.
func (p *Poly) decide() (done bool, u float64, ok bool) {
	n, changes, first, last := p.N, 0, 0.0, 0.0
	certain := false
	for _, c := range p.C[:n+1] {
		certain = certain || c < -p.Err
		if c != 0 {
			if c < 0 && last > 0 || c > 0 && last < 0 {
				changes++
			}
			if first == 0 {
				first = c
			}
			last = c
		}
	}
	switch {
	case !certain:
		return true, 0, false
	case p.C[0] < -p.Err:
		return true, 0, true
	case changes == 0: // zero to rounding at first, and then negative
		return p.C[n] < -p.Err, 0, true
	case changes == 1 && p.C[0] >= 0 && first > 0 && p.C[n] < -p.Err:
		return true, p.refine(), true
	}
	return false, 0, false
}

// maxHalvings is how often an interval is halved: down to the distance of floats just below 1. Two
// roots that are closer count as one.
const maxHalvings = 52

// search is First for coefficients with several changes of sign. It visits the intervals from left
// to right.
func (p *Poly) search() (u float64, ok bool) {
	type piece struct {
		Poly
		from, width float64
	}
	var later [maxHalvings + 1]piece // on the right of the present piece, the nearest last
	waiting := 0
	now := piece{*p, 0, 1}
	for {
		done, at, found := now.decide()
		switch {
		case done && found:
			return now.from + float64(at*now.width), true
		case !done && now.width > 0x1p-52:
			left, right := now.halves()
			half := float64(0.5 * now.width)
			later[waiting] = piece{right, now.from + half, half}
			waiting++
			now = piece{left, now.from, half}
			continue
		case !done && now.C[now.N] < -now.Err:
			return now.from, true
		}
		if waiting == 0 {
			return 0, false
		}
		waiting--
		now = later[waiting]
	}
}

// refine returns the only root of p at which it falls, where p is at least 0 at 0 and negative at
// 1: by Newton's method in an interval that contains the root, which is halved where Newton's
// method leaves it. p may also be zero at 0 and rise there.
func (p *Poly) refine() float64 {
	from, to := 0.0, 1.0
	u := p.C[0] / (p.C[0] - p.C[p.N])
	for range maxRefinements {
		value, slope := p.atWithSlope(u)
		if value >= 0 {
			from = u
		} else {
			to = u
		}
		next := u - value/slope
		if slope < 0 && math.Abs(next-u) <= 0x1p-53*u {
			return u
		}
		if !(next > from && next < to) {
			if next = 0.5 * (from + to); !(next > from && next < to) {
				return from
			}
		}
		u = next
	}
	return from
}

// maxRefinements bounds the steps of refine. Newton's method needs five, and halving sixty.
const maxRefinements = 128

// FirstEntry returns the first u in 0 to 1 at which p is not positive and decreases: where
// something whose distance is p touches and approaches. It differs from First if p is not positive
// at 0: as long as it increases, there is no entry.
func (p *Poly) FirstEntry() (u float64, ok bool) {
	if p.C[0] > p.Err {
		return p.First()
	}
	d := p.Derivative()
	return p.firstEntryAtRate(&d)
}

// FirstEntryOver is FirstEntry for a distance that is p/w^power, with w positive on 0 to 1. p and
// the distance are zero at the same places, but one may decrease where the other does not: what is
// inside at a constant distance would seem to approach wherever w increases. The degrees of p and w
// add up to at most MaxDegree+1.
func (p *Poly) FirstEntryOver(w *Poly, power int) (u float64, ok bool) {
	bend := w.Derivative()
	if !(p.C[0] < -p.Err) || bend.MaxAbs() <= bend.Err { // w is constant but for rounding
		return p.FirstEntry()
	}
	// (p/w^k)' is (p'·w - k·p·w')/w^(k+1).
	d := p.Derivative()
	d = d.Mul(w)
	bend = p.Mul(&bend)
	bend = bend.Scale(float64(power))
	d = d.Sub(&bend)
	return p.firstEntryAtRate(&d)
}

// firstEntryAtRate is FirstEntry for a p that is not positive at 0. d has the sign of the rate of
// the distance.
func (p *Poly) firstEntryAtRate(d *Poly) (u float64, ok bool) {
	turn, ok := d.First()
	if !ok {
		return 0, false // it never decreases, but for rounding
	}
	_, rest := p.Split(turn)
	if rest.C[0] <= rest.Err {
		return turn, true
	}
	if u, ok = rest.First(); !ok {
		return 0, false
	}
	return turn + float64(u*(1-turn)), true
}
