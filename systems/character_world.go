package systems

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/character"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// characterWorld is what the character that moves sees of the world: the bodies and surfaces near
// it, and the other characters. It implements character.World.
//
// Obstacles have numbers, 0 or larger: 3·index + one of the kinds below.
type characterWorld struct {
	p       *Physics
	all     *characters
	accepts func(solver.Handle) bool

	self    int // index of the character that moves
	seconds float64
	shape   character.Shape
	layers  uint32
	mask    uint32
	ignore  bool // one-way platforms
	next    bool // sweeps are in the next step, among what nothing can push
	fixed   bool // near is without what something can push
	// beginning says that the next step is about to begin: what is kinematic moves as its component
	// says.
	beginning bool

	ground int // number of an obstacle that castNext leaves out, or noObstacle

	around    collide.AABB // in which near is complete
	near      []solver.Obstacle
	passed    []int   // indices in near of one-way platforms that the last sweep has passed
	ridges    []ridge // sides of ridges that it could meet
	others    []int
	triangles *collide.MeshNear // around the character
	known     bool              // it has been in a step of this Physics before

	// hash is of what is in around when the character's turn comes, and of the character itself. It
	// is 0 if something moves.
	hash uint64
}

const (
	characterNumber = iota // index in characters.list
	bodyNumber             // id of a body
	surfaceNumber          // number of a surface
	numbers

	noObstacle = -1

	// oneWaySlack is how deep, in metres, a character may be behind a one-sided polygon on which it
	// stands: far more than rounding, and less than it falls in a step.
	oneWaySlack = 1e-9

	// boundsSlack is far more than the rounding of bounds, relative to coordinates.
	boundsSlack = 0x1p-40

	// betweenSlack is the cosine up to which the normal of a contact is at right angles to a ridge:
	// more than rounding, less than that of a contact with the end of a ridge. It is also the sine
	// of the angle up to which platforms are in one plane: no shape is far behind both.
	betweenSlack = 1e-6
)

// begin prepares the world for the character with an index. If fixed is set, it may only look into
// the next step.
func (c *characterWorld) begin(self int, seconds float64, fixed bool) {
	k := &c.all.list[self]
	c.self, c.seconds, c.fixed, c.ignore = self, seconds, fixed, false
	c.layers, c.mask = k.layers, k.mask
	c.triangles, c.known = c.all.trianglesOf(k.entity)
	c.setShape(k.shape)
	c.gather(k.bounds.Grow(wayOf(k, seconds)))
	if c.hash = c.hashNear(); c.hash != 0 {
		c.hash = max(1, c.hash+c.hashSelf())
	}
}

// hashSelf returns a hash of what a character at rest depends on besides what is near: its weight,
// its up direction, its shape, and which slopes and steps it can walk on.
func (c *characterWorld) hashSelf() uint64 {
	set, s := &c.all.set, &c.shape
	return solver.PointHash(set.Gravity) + solver.PointHash(set.Up) +
		solver.PointHash(s.A) + solver.PointHash(s.B) + solver.PointHash(s.Half) +
		solver.PointHash(collide.Vec3{X: s.Rotation.X, Y: s.Rotation.Y, Z: s.Rotation.Z}) +
		solver.PointHash(collide.Vec3{X: s.Radius, Y: s.Rotation.W, Z: float64(s.Kind)}) +
		solver.PointHash(collide.Vec3{X: set.MinGroundCosine, Y: set.StepHeight, Z: set.SnapLength})
}

// hashNear returns a hash of all that is near, where it is, and how big characters there are, or 0
// if something there moves. It doesn't depend on the order in which things were found.
func (c *characterWorld) hashNear() uint64 {
	sum := uint64(1)
	for i := range c.near {
		o := &c.near[i]
		if o.Velocity != (collide.Vec3{}) || o.Turns {
			return 0
		}
		sum += c.p.space.PlaceHash(o.Handle)
	}
	for _, i := range c.others {
		k := &c.all.list[i]
		if k.start != k.end || k.data.State.Velocity != (collide.Vec3{}) {
			return 0
		}
		bounds := k.shape.Bounds(k.start)
		sum += solver.PointHash(bounds.Min) + solver.PointHash(bounds.Max)
	}
	return sum
}

// IsUnchanged implements character.World.
func (c *characterWorld) IsUnchanged() bool { return c.hash != 0 }

// setShape changes the shape of the character.
func (c *characterWorld) setShape(s character.Shape) { c.shape = s }

// gather finds what is in a box. What rotates counts as moving like the point of it that is nearest
// to the character.
func (c *characterWorld) gather(box collide.AABB) {
	c.around = box
	c.near = c.p.space.Obstacles(box, c.fixed, c.accepts, c.near[:0])
	for i := range c.near {
		o := &c.near[i]
		switch {
		case o.Turns:
			o.Velocity = c.p.space.PointVelocity(o.Handle, c.gap(o.Handle, c.all.list[c.self].start).PointB)
		case c.beginning && o.InverseMass == 0:
			w := c.p.bridge.World()
			if e := carrierOf(w, c.p.bridge.Entity(o.Handle)); e != donburi.Null {
				if v := components.Velocity.Get(w.Entry(e)); v.Validate() == nil {
					o.Velocity = v.Linear
				}
			}
		}
	}
	c.others = c.others[:0]
	list := c.all.list
	for i := c.self - 1; i >= 0 && list[i].start.X+c.all.reach >= box.Min.X; i-- {
		c.add(i)
	}
	for i := c.self + 1; i < len(list) && list[i].start.X-c.all.reach <= box.Max.X; i++ {
		c.add(i)
	}
}

// add adds another character if it is near and collides with this one.
func (c *characterWorld) add(i int) {
	k := &c.all.list[i]
	if !k.gone && k.bounds.Overlaps(c.around) && c.layers&k.mask != 0 && k.layers&c.mask != 0 {
		c.others = append(c.others, i)
	}
}

// accept reports whether the character collides with a body or surface that is no character.
func (c *characterWorld) accept(h solver.Handle) bool {
	if c.beginning && !c.p.bridge.Stays(h) {
		return false // the game has taken it away
	}
	m := c.p.space.Material(h)
	return c.layers&m.Mask != 0 && m.Layers&c.mask != 0 && c.all.indexOf(c.p.bridge.Entity(h)) < 0
}

// number returns the number of an entity, or noObstacle.
func (c *characterWorld) number(e donburi.Entity) int {
	if i := c.all.indexOf(e); i >= 0 {
		return numbers*i + characterNumber
	}
	if h, ok := c.p.bridge.Handle(e); ok && e != donburi.Null {
		return numberOf(h)
	}
	return noObstacle
}

// numberOf returns the number of a body or surface.
func numberOf(h solver.Handle) int {
	if h.IsSurface() {
		return numbers*int(h.Surface()) + surfaceNumber
	}
	return numbers*int(h.Body()) + bodyNumber
}

// handleOf returns the handle of an obstacle that is no character.
func handleOf(number int) solver.Handle {
	if number%numbers == surfaceNumber {
		return solver.SurfaceHandle(int32(number / numbers))
	}
	return solver.BodyHandle(int32(number / numbers))
}

// isCharacter reports whether an obstacle is a character.
func isCharacter(number int) bool { return number >= 0 && number%numbers == characterNumber }

// entity returns the entity of an obstacle, or donburi.Null.
func (c *characterWorld) entity(number int) donburi.Entity {
	switch {
	case isCharacter(number):
		return c.all.list[number/numbers].entity
	case number == noObstacle:
		return donburi.Null
	}
	return c.p.bridge.Entity(handleOf(number))
}

// Cast implements character.World.
func (c *characterWorld) Cast(p, v collide.Vec3, start, end float64) (collide.MoveContact, collide.Outcome) {
	return c.sweep(p, v, start, end-start, true)
}

// castNext is Cast for the next step, among what nothing can push. Other characters move there as
// the ground carries them.
func (c *characterWorld) castNext(p, v collide.Vec3, start, end float64) (collide.MoveContact, collide.Outcome) {
	c.next = true
	contact, outcome := c.sweep(p, v, c.seconds+start, end-start, true)
	c.next = false
	return contact, outcome
}

// Probe implements character.World.
func (c *characterWorld) Probe(p, d collide.Vec3, time float64) (collide.MoveContact, collide.Outcome) {
	return c.sweep(p, d, time, 1, false)
}

// touchSlack is more than rounding, and less than the distance that characters keep. Up to that
// depth, relative to the coordinates, a character moves along a body that it touches as if it
// weren't there, unless it approaches it by more than that fraction of its speed.
const touchSlack = 0x1p-48

// sweep casts the shape at velocity v, from time on for some seconds. Obstacles are where they are
// at that time, and move on if moving is set.
func (c *characterWorld) sweep(
	p, v collide.Vec3, time, seconds float64, moving bool,
) (best collide.MoveContact, outcome collide.Outcome) {
	here := c.shape.Bounds(p)
	way := here.Union(c.shape.Bounds(p.AddScaled(seconds, v)))
	c.need(way)
	c.passed = c.passed[:0]
	for i := range c.near {
		o := &c.near[i]
		// The space has the obstacle as it is at the end of the step.
		shift := o.Velocity.Scale(time - c.seconds)
		own := collide.Vec3{}
		if moving {
			own = o.Velocity
		}
		at, relative := p.Sub(shift), v.Sub(own)
		if !o.Handle.IsSurface() &&
			!c.p.space.MayTouch(o.Handle, here.Translate(at.Sub(p)), relative.Scale(seconds)) {
			continue // most of those in a heap
		}
		if c.next && (o.InverseMass > 0 || numberOf(o.Handle) == c.ground || c.beginning && o.Turns) {
			continue
		}
		if plane, ok := c.p.space.OneWay(o.Handle); ok && c.passes(&plane, at, relative) {
			if !c.ignore {
				c.passed = append(c.passed, i)
			}
			continue
		}
		hit, found := c.sweepNear(o.Handle, at, relative, seconds)
		if found == collide.Miss {
			continue
		}
		hit.Point, hit.Velocity, hit.Obstacle = hit.Point.Add(shift), own, numberOf(o.Handle)
		if found == collide.Overlap {
			hit.Depth = max(0, -c.gap(o.Handle, at).Distance)
			if o.InverseMass > 0 && hit.Depth <= float64(touchSlack*p.MaxAbs()) &&
				hit.Normal.Dot(relative) >= -float64(touchSlack*relative.MaxAbs()) {
				continue // one with a crate on its head can keep a distance neither from that nor from the floor
			}
		}
		best, outcome = earlier(best, outcome, hit, found)
	}
	if len(c.passed) > 1 {
		best, outcome = c.sweepRidges(p, v, time, seconds, moving, best, outcome)
	}
	reach := way.Grow(float64(boundsSlack * (way.Min.MaxAbs() + way.Max.MaxAbs())))
	for _, i := range c.others {
		k := &c.all.list[i]
		if !c.next && !k.bounds.Overlaps(reach) {
			continue
		}
		if c.next && c.ground != noObstacle && (numbers*i+characterNumber == c.ground || c.standsOnSelf(k)) {
			continue
		}
		own := c.velocityOf(k)
		at := k.start.AddScaled(time, own)
		if c.next {
			own = components.Velocity.Get(k.entry).Linear
			at = components.Transform.Get(k.entry).Position.AddScaled(time-c.seconds, own)
		}
		if !moving {
			own = collide.Vec3{}
		}
		contact, found := c.sweepOther(k, p.Sub(at), v.Sub(own), seconds)
		if found == collide.Miss {
			continue
		}
		if c.next && (found == collide.Overlap && !k.moved ||
			contact.Normal.Dot(own) > max(0, -contact.Normal.Dot(v))) {
			continue // it will make room, or approaches this one faster, and stops behind it
		}
		hit := collide.MoveContact{
			Time: contact.Time, Point: contact.Point.Add(at), Normal: contact.Normal,
			Velocity: own, Obstacle: numbers*i + characterNumber,
		}
		if found == collide.Overlap {
			hit.Depth = max(0, -c.gapOther(k, p.Sub(at)).Distance)
		}
		best, outcome = earlier(best, outcome, hit, found)
	}
	return best, outcome
}

// standsOnSelf reports whether another character stands on the head of this one, which lifts it.
// One that is wedged beside it may have it as its ground, too.
func (c *characterWorld) standsOnSelf(k *walker) bool {
	s, self, up := &k.data.State, &c.all.list[c.self], c.all.riders.loads.up
	if s.Ground != components.OnGround || s.GroundEntity != self.entity {
		return false
	}
	low, high := c.shape.Lowest(self.start, up), -c.shape.Lowest(self.start, up.Neg())
	return k.shape.Lowest(k.start, up) > (low+high)/2
}

// need makes near complete in a box.
func (c *characterWorld) need(box collide.AABB) {
	if !c.around.Contains(box.Min) || !c.around.Contains(box.Max) {
		c.gather(c.around.Union(box))
	}
}

// earlier returns the contact that counts: the deepest overlap, or the earliest contact, and of
// several at the same time the one whose normal is first in the order of coordinates, so that the
// order of obstacles doesn't matter.
func earlier(
	a collide.MoveContact, outcomeA collide.Outcome, b collide.MoveContact, outcomeB collide.Outcome,
) (collide.MoveContact, collide.Outcome) {
	switch {
	case outcomeA == collide.Miss:
		return b, outcomeB
	case outcomeA != outcomeB:
		if outcomeB == collide.Overlap {
			return b, outcomeB
		}
		return a, outcomeA
	case outcomeA == collide.Overlap && a.Depth != b.Depth:
		if b.Depth > a.Depth {
			return b, outcomeB
		}
		return a, outcomeA
	case a.Time != b.Time:
		if b.Time < a.Time {
			return b, outcomeB
		}
		return a, outcomeA
	}
	for axis := range 3 {
		if x, y := a.Normal.Component(axis), b.Normal.Component(axis); x != y {
			if y < x {
				return b, outcomeB
			}
			return a, outcomeA
		}
	}
	return a, outcomeA
}

// sweepNear sweeps the shape at p against a body or surface as it is at the end of the step.
func (c *characterWorld) sweepNear(
	h solver.Handle, p, v collide.Vec3, seconds float64,
) (collide.MoveContact, collide.Outcome) {
	var k collide.Contact
	var outcome collide.Outcome
	switch c.shape.Kind {
	case character.Capsule:
		k, outcome = c.p.space.SweepCapsule(h, c.shape.Capsule(p), v, seconds, c.triangles)
	case character.Box:
		k, outcome = c.p.space.SweepBox(h, c.shape.Box(p), v, seconds)
	case character.Sphere:
		k, outcome = c.p.space.SweepSphere(h, c.shape.Sphere(p), v, seconds)
	}
	return collide.MoveContact{Time: k.Time, Point: k.Point, Normal: k.Normal}, outcome
}

// gap returns the gap between the shape at p and a body or surface as it is at the end of the step.
func (c *characterWorld) gap(h solver.Handle, p collide.Vec3) collide.Gap {
	var g collide.Gap
	var ok bool
	switch c.shape.Kind {
	case character.Capsule:
		g, ok = c.p.space.SeparateObstacle(h, c.shape.Capsule(p))
	case character.Box:
		g, ok = c.p.space.SeparateObstacle(h, c.shape.Box(p))
	case character.Sphere:
		g, ok = c.p.space.SeparateObstacle(h, c.shape.Sphere(p))
	}
	if !ok {
		g.Distance = 0
	}
	return g
}

// passes reports whether the character at p passes a one-way platform in a plane: it ignores it,
// comes from behind, or isn't wholly in front of it.
func (c *characterWorld) passes(plane *collide.Plane, p, v collide.Vec3) bool {
	return c.ignore || plane.Normal.Dot(v) >= 0 ||
		c.shape.Lowest(p, plane.Normal)-plane.Distance < -oneWaySlack
}

// ridge is a one-way platform that a character would meet at its edge if it didn't pass it.
type ridge struct {
	hit    collide.MoveContact
	normal collide.Vec3 // of the platform
}

// sweepRidges sweeps the shape against ridges: edges in which two one-way platforms meet. Above a
// ridge, a round shape may not be wholly in front of either of them, and doesn't pass through.
func (c *characterWorld) sweepRidges(
	p, v collide.Vec3, time, seconds float64, moving bool, best collide.MoveContact, outcome collide.Outcome,
) (collide.MoveContact, collide.Outcome) {
	c.ridges = c.ridges[:0]
	for _, i := range c.passed {
		o := &c.near[i]
		shift, own := o.Velocity.Scale(time-c.seconds), collide.Vec3{}
		if moving {
			own = o.Velocity
		}
		plane, _ := c.p.space.OneWay(o.Handle)
		hit, found := c.sweepNear(o.Handle, p.Sub(shift), v.Sub(own), seconds)
		if found != collide.Hit {
			continue
		}
		hit.Point, hit.Velocity, hit.Obstacle = hit.Point.Add(shift), own, numberOf(o.Handle)
		for k := range c.ridges {
			r := &c.ridges[k]
			if r.hit.Point.Distance(hit.Point) <= oneWaySlack && isBetween(hit.Normal, plane.Normal, r.normal) {
				best, outcome = earlier(best, outcome, hit, found)
				best, outcome = earlier(best, outcome, r.hit, found)
			}
		}
		c.ridges = append(c.ridges, ridge{hit, plane.Normal})
	}
	return best, outcome
}

// isBetween reports whether a unit vector is in the angle between two others that differ.
func isBetween(n, a, b collide.Vec3) bool {
	across := a.Cross(b)
	sine := across.Length()
	return sine > betweenSlack && n.Dot(a.Add(b)) > 0 && a.Cross(n).Dot(across) >= 0 && n.Cross(b).Dot(across) >= 0 &&
		math.Abs(n.Dot(across)) <= betweenSlack*sine
}

// Overlaps implements character.World.
func (c *characterWorld) Overlaps(p collide.Vec3, found []collide.MoveContact) []collide.MoveContact {
	return c.overlapsAt(p, 0, found)
}

// overlapsAt appends what the shape at p overlaps at the given time of the step.
func (c *characterWorld) overlapsAt(
	p collide.Vec3, time float64, found []collide.MoveContact,
) []collide.MoveContact {
	here := c.shape.Bounds(p)
	c.need(here)
	for i := range c.near {
		o := &c.near[i]
		shift := o.Velocity.Scale(time - c.seconds)
		if !o.Handle.IsSurface() && !c.p.space.MayTouch(o.Handle, here.Translate(shift.Neg()), collide.Vec3{}) {
			continue
		}
		if _, oneWay := c.p.space.OneWay(o.Handle); oneWay {
			continue
		}
		if g := c.gap(o.Handle, p.Sub(shift)); g.Distance < 0 {
			found = append(found, collide.MoveContact{
				Point: g.PointB.Add(shift), Normal: g.Normal, Depth: -g.Distance, Velocity: o.Velocity,
				Obstacle: numberOf(o.Handle),
			})
		}
	}
	for _, i := range c.others {
		k := &c.all.list[i]
		own := c.velocityOf(k)
		at := k.start.AddScaled(time, own)
		if g := c.gapOther(k, p.Sub(at)); g.Distance < 0 {
			found = append(found, collide.MoveContact{
				Point: g.PointB.Add(at), Normal: g.Normal, Depth: -g.Distance, Velocity: own,
				Obstacle: numbers*i + characterNumber,
			})
		}
	}
	return found
}

// IsFree implements character.World.
func (c *characterWorld) IsFree(p collide.Vec3, time float64, waiting bool) bool {
	var room [8]collide.MoveContact
	for _, k := range c.overlapsAt(p, time, room[:0]) {
		if k.Depth > oneWaySlack && (waiting || !c.waits(k.Obstacle)) {
			return false
		}
	}
	return true
}

// waits reports whether an obstacle is another character that has not moved yet in this step.
func (c *characterWorld) waits(number int) bool {
	return isCharacter(number) && !c.all.list[number/numbers].moved
}

// Ray implements character.World.
func (c *characterWorld) Ray(from, d collide.Vec3, time float64) (point, normal collide.Vec3, ok bool) {
	end := from.Add(d)
	c.need(collide.NewAABB().Union(collide.AABB{Min: from, Max: from}).Union(collide.AABB{Min: end, Max: end}))
	var best collide.MoveContact
	outcome := collide.Miss
	for i := range c.near {
		o := &c.near[i]
		shift := o.Velocity.Scale(time - c.seconds)
		k, found := c.p.space.SweepSphere(o.Handle, collide.Sphere{Center: from.Sub(shift)}, d, 1)
		if found == collide.Hit {
			hit := collide.MoveContact{Time: k.Time, Normal: k.Normal, Point: k.Point.Add(shift)}
			best, outcome = earlier(best, outcome, hit, found)
		}
	}
	return best.Point, best.Normal, outcome == collide.Hit
}

// Extent implements character.World.
func (c *characterWorld) Extent(d collide.Vec3) float64 { return c.shape.Extent(d) }

// Obstacle implements character.World.
func (c *characterWorld) Obstacle(number int, point collide.Vec3) character.Obstacle {
	if isCharacter(number) {
		k := &c.all.list[number/numbers]
		// It can be pushed in so far as it may make way: what walks into it doesn't lose its speed.
		return character.Obstacle{Velocity: c.velocityOf(k), InverseMass: 1 / k.data.Mass, Character: true}
	}
	h := handleOf(number)
	o := c.p.space.ObstacleOf(h)
	if o.InverseMass > 0 {
		if v, ok := c.bodyVelocity(h); ok {
			o.Velocity = *v
		}
	}
	o.Velocity = o.Velocity.Add(c.p.space.SurfaceVelocityAt(h, point))
	seen := character.Obstacle{Velocity: o.Velocity, InverseMass: o.InverseMass}
	if arm, inertia, e, ok := c.rotorAt(number, point); ok {
		seen.Pushed = arm.Scale(c.p.motors.pushOn(e).change(inertia))
	}
	if o.InverseMass > 0 {
		seen.Pushed = c.p.space.StepForce(h.Body()).Scale(float64(o.InverseMass * c.seconds))
	}
	return seen
}

// bodyVelocity returns the velocity of a dynamic body's entity.
func (c *characterWorld) bodyVelocity(h solver.Handle) (*collide.Vec3, bool) {
	w, e := c.p.bridge.World(), c.p.bridge.Entity(h)
	if !w.Valid(e) {
		return nil, false
	}
	entry := w.Entry(e)
	if !entry.HasComponent(components.Velocity) {
		return nil, false
	}
	return &components.Velocity.Get(entry).Linear, true
}

// IgnoreOneWay implements character.World.
func (c *characterWorld) IgnoreOneWay(ignore bool) { c.ignore = ignore }
