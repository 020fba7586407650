package verify

import "math"

// V is a vector.
type V [3]float64

// Add returns a+b.
func (a V) Add(b V) V { return V{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// Sub returns a-b.
func (a V) Sub(b V) V { return V{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// Scale returns s·a.
func (a V) Scale(s float64) V { return V{float64(s * a[0]), float64(s * a[1]), float64(s * a[2])} }

// Dot returns the scalar product.
func (a V) Dot(b V) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

// Cross returns the vector product.
func (a V) Cross(b V) V {
	return V{
		float64(a[1]*b[2]) - float64(a[2]*b[1]),
		float64(a[2]*b[0]) - float64(a[0]*b[2]),
		float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

// Length returns the length.
func (a V) Length() float64 { return math.Sqrt(a.Dot(a)) }

// Unit returns a vector of length 1 in the direction of a, or zero for zero.
func (a V) Unit() V {
	l := a.Length()
	if l == 0 {
		return V{}
	}
	return V{a[0] / l, a[1] / l, a[2] / l}
}

// Turn returns a rotated by the unit quaternion with that vector and scalar part.
func (a V) Turn(q V, w float64) V {
	t := q.Cross(a).Scale(2)
	return a.Add(t.Scale(w)).Add(q.Cross(t))
}

// finite reports whether all components are finite.
func (a V) finite() bool { return a[0]-a[0] == 0 && a[1]-a[1] == 0 && a[2]-a[2] == 0 }

// unlocked returns a without its components along locked axes.
func (a V) unlocked(locked uint8) V {
	for k := range a {
		if locked>>k&1 != 0 {
			a[k] = 0
		}
	}
	return a
}

// toSegment returns the distance from p to the segment from a to b.
func toSegment(p, a, b V) float64 {
	d := b.Sub(a)
	t := 0.0
	if l := d.Dot(d); l > 0 {
		t = min(max(p.Sub(a).Dot(d)/l, 0), 1)
	}
	return p.Sub(a.Add(d.Scale(t))).Length()
}

// toPolygon returns the distance from p to a flat convex polygon with that unit normal, and the
// height of p above its plane.
func toPolygon(p V, corners []V, normal V) (distance, height float64) {
	height = p.Sub(corners[0]).Dot(normal)
	inside, nearest := true, math.Inf(1)
	for k, a := range corners {
		b := corners[(k+1)%len(corners)]
		inside = inside && normal.Cross(b.Sub(a)).Dot(p.Sub(a)) >= 0
		nearest = min(nearest, toSegment(p, a, b))
	}
	if inside {
		return math.Abs(height), height
	}
	return nearest, height
}

// normalOf returns the unit normal of a polygon: the front is where corners run counter-clockwise.
func normalOf(corners []V) V {
	var n V
	for k := 2; k < len(corners); k++ {
		n = n.Add(corners[k-1].Sub(corners[0]).Cross(corners[k].Sub(corners[0])))
	}
	return n.Unit()
}
