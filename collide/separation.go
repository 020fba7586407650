package collide

import "math"

// Gap describes how far two shapes are apart.
type Gap struct {
	Distance float64 // metres between the surfaces; negative if the shapes overlap, by that depth
	Normal   Vec3    // unit length, from B towards A: the direction in which A leaves B
	PointA   Vec3    // the point of A nearest to B
	PointB   Vec3    // the point of B nearest to A
}

// Separation returns the distance between a and b and their nearest points. If the shapes overlap,
// Distance is negative, and moving a by -Distance along Normal is the shortest way to separate
// them; if several are equally short, sides come before edges. The distance has an error of a few
// ulps of the coordinates relative to each other, and between a shape with a position ([Sphere],
// [Box], [PlacedHull]) and one given by its corners, of the coordinates themselves. Invalid input
// gives a distance of NaN.
func Separation(a, b Convex) Gap {
	if g, ok := separationOfRoundSegments(a, b); ok {
		return g
	}
	return separationOfCores(a, b)
}

// separationOfCores is Separation for any shapes.
func separationOfCores(a, b Convex) Gap {
	var sa, sb coreStorage
	p, ok := newPair(a, &sa, Vec3{}, b, &sb, Vec3{}, 0)
	if !ok {
		return Gap{Distance: math.NaN()}
	}
	g, atA := p.separation()
	g.PointA = atA.Add(p.b.origin)
	g.PointB = g.PointA.AddScaled(-g.Distance, g.Normal)
	return g
}

// separation returns the gap without its points, and a's nearest point relative to b's origin.
func (p *pair) separation() (g Gap, atA Vec3) {
	near := p.nearest()
	if p.separates(&near) {
		g.Normal, _ = near.d.Normalized()
		distance := p.between(near.i, near.j)
		switch near.kind {
		case onFace:
			n := near.normal.scaled(inverseScale(near.normal))
			g.Distance = n.dot(distance).abs().sub(p.r.mul(n.dot(n).sqrt())).div(n.dot(n).sqrt()).hi
		default:
			g.Distance = near.d.Length() - p.rRounded
		}
	} else {
		depth, normal, _ := p.penetration()
		g.Normal, g.Distance = normal, -depth-p.rRounded
	}
	g.Normal = g.Normal.Add(Vec3{}) // without negative zeros
	p.normal = g.Normal
	var room areaStorage
	ea, eb := p.a.extreme(g.Normal.Neg(), &room.a), p.b.extreme(g.Normal, &room.b)
	at := p.area(ea, eb, p.originRounded)
	height := g.Normal.Dot(p.a.points[ea[0]].Add(p.originRounded)) - p.a.radius
	return g, at.AddScaled(height-g.Normal.Dot(at), g.Normal)
}

// Overlaps reports whether the interiors of a and b share a point, and for a segment, triangle or
// polygon, whether it has a point in the interior of the other. Touching isn't an overlap. Invalid
// input gives false.
func Overlaps(a, b Convex) bool {
	var sa, sb coreStorage
	p, ok := newPair(a, &sa, Vec3{}, b, &sb, Vec3{}, 0)
	if !ok || p.surelyApart() {
		return false
	}
	if p.r.hi > 0 || !p.a.solid() && !p.b.solid() {
		near := p.nearest()
		if !p.separates(&near) {
			return p.r.hi > 0
		}
		_, excess := p.approach(&near.pairFeature)
		return excess.hi < 0
	}
	return p.sweepAxes() == Overlap
}

// closestPoint returns the point of c nearest to p, which is p itself inside of c.
func closestPoint(c Convex, at Vec3) Vec3 {
	var sa, sb coreStorage
	p, ok := newPair(Sphere{Center: at}, &sa, Vec3{}, c, &sb, Vec3{}, 0)
	if !ok {
		return at
	}
	near := p.nearest()
	if !p.separates(&near) {
		return at
	}
	distance := near.d.Length()
	if distance <= p.b.radius {
		return at
	}
	return at.AddScaled(p.b.radius/distance-1, near.d)
}
