package systems

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/archetypes"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/filter"
)

// Finding is something in a world that probably doesn't do what its author expects.
type Finding struct {
	Kind   FindingKind    // the kind of mistake
	Entity donburi.Entity // what it is about; donburi.Null for the world as a whole
	Other  donburi.Entity // the second entity of a pair, or donburi.Null
	Field  string         // where to look, such as "CollisionFilter.Mask"
	Reason string         // what is wrong
	Advice string         // what to do about it
}

// String returns one line, such as "entity 7: SphereCollider is missing: ...".
func (f Finding) String() string {
	var b strings.Builder
	if f.Entity != donburi.Null {
		fmt.Fprintf(&b, "entity %d", f.Entity.Id())
		if f.Other != donburi.Null {
			fmt.Fprintf(&b, " and entity %d", f.Other.Id())
		}
		b.WriteString(": ")
	}
	if !strings.HasPrefix(f.Reason, f.Field) { // as that of an invalid value does
		b.WriteString(f.Field + ": ")
	}
	b.WriteString(f.Reason + "; " + f.Advice)
	return b.String()
}

// FindingKind says what a [Finding] is about.
type FindingKind uint8

// The kinds of findings.
const (
	InvalidValue     FindingKind = iota + 1 // a component or Config is invalid: see Physics.Errors
	MissingCollider                         // it has a Velocity, and nothing that could collide
	MissingTransform                        // it has a Velocity and no Transform
	NeverDynamic                            // a plane, polygon or CapsuleCollider with a mass: it doesn't fall
	StaticWithSpeed                         // its Kind is Static, and its Velocity is not zero
	ExcludedByMask                          // two masks contradict each other, or one excludes everything
	PlaneFacesAway                          // everything is behind the plane
	WrongUnits                              // pixels and metres mixed: sizes, gravity, LengthUnit, characters
	SeveralPhysics                          // something else moves the bodies between steps
	LargeMassRatio                          // a body rests on one that has less than a thousandth of its mass
	ExhaustedBudgets                        // for 600 steps, bodies have had too many impacts in each
	OverlapAtStart                          // two things are inside each other
	CreateWouldPanic                        // World.Create of Donburi 1.15.7 panics for these components
	NoEffect                                // a Motor, Force or CrouchHeight that does nothing, or what it shouldn't
)

// maxFindings is how many findings of a kind Check returns. A world with one mistake often has it a
// thousand times.
const maxFindings = 8

// Check returns what in w probably doesn't do what its author expects: entities that take no part,
// masks and planes that stop nothing, units that don't fit together, overlaps, and others of
// [FindingKind]. Call it when a scene is set up, when something looks wrong, or in a test of the
// game. It takes much longer than a step, changes nothing, and finds nothing in a world that is as
// it should be.
//
// Some findings need a step, and are found after it. At most eight findings of a kind are returned,
// in the order of kinds and entities. Between Broadphase and Response the entities are those that
// Broadphase read.
func (p *Physics) Check(w donburi.World) []Finding {
	checkWorld("Check", w)
	c := &checker{physics: p, world: w, found: map[FindingKind]int{}}
	c.checkMovedByOthers() // before Sync reads what has moved
	p.Sync(w)
	donburi.NewQuery(filter.Or(
		filter.Contains(components.Velocity), filter.Contains(components.SphereCollider),
		filter.Contains(components.PlaneCollider), filter.Contains(components.PolygonCollider),
		filter.Contains(components.CapsuleCollider), filter.Contains(components.ShapeCollider),
	)).Each(w, func(e *donburi.Entry) { c.entities = append(c.entities, e.Entity()) })
	slices.Sort(c.entities)

	c.checkValues()
	c.checkComponents()
	c.checkMasks()
	c.checkPlanes()
	c.checkUnits()
	c.checkMasses()
	c.checkBudgets()
	c.checkOverlaps()
	c.checkArchetypes()
	slices.SortStableFunc(c.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Entity, b.Entity), cmp.Compare(a.Other, b.Other))
	})
	return c.findings
}

// checker collects findings.
type checker struct {
	physics  *Physics
	world    donburi.World
	entities []donburi.Entity // with a Velocity or a collider, in their order
	findings []Finding
	found    map[FindingKind]int
}

// add adds a finding, unless there are enough of its kind.
func (c *checker) add(kind FindingKind, entity, other donburi.Entity, field, reason, advice string) {
	if c.found[kind]++; c.found[kind] <= maxFindings {
		c.findings = append(c.findings, Finding{kind, entity, other, field, reason, advice})
	}
}

// checkValues finds invalid values.
func (c *checker) checkValues() {
	for e := range c.physics.Errors() {
		reason, field := strings.ReplaceAll(e.Err.Error(), "\n", "; "), "components"
		if f := new(components.FieldError); errors.As(e.Err, &f) {
			field = f.Component + "." + f.Field
		}
		advice := "it takes no part until the value is valid"
		switch {
		case strings.HasPrefix(field, "Physics."):
			advice = "it has lost contacts, pushes and sleep"
		case e.Entity == donburi.Null:
			advice = "the default is used"
		case strings.HasPrefix(field, "Motor."):
			advice = "it doesn't rotate until the value is valid"
		case strings.HasPrefix(field, "CharacterController."):
			advice = "it doesn't move until the value is valid"
		}
		c.add(InvalidValue, e.Entity, donburi.Null, field, reason, advice)
	}
}

// hasError reports whether an entity is left out because of an invalid value.
func (c *checker) hasError(entity donburi.Entity) bool {
	return slices.ContainsFunc(c.physics.errors, func(e EntityError) bool { return e.Entity == entity })
}

// checkComponents finds entities whose components don't go together.
func (c *checker) checkComponents() {
	leaders := map[donburi.Entity]bool{}
	donburi.NewQuery(filter.Contains(components.KinematicGroup)).Each(c.world, func(e *donburi.Entry) {
		leaders[components.KinematicGroup.Get(e).Leader] = true
	})
	for _, entity := range c.entities {
		e := c.world.Entry(entity)
		_, takesPart := c.physics.bridge.Handle(entity)
		switch {
		case takesPart || leaders[entity] || c.hasError(entity):
		case !e.HasComponent(components.Transform):
			c.add(MissingTransform, entity, donburi.Null, "Transform", "it has none, so it takes no part",
				"add components.Transform, also if positions are kept in Donburi's features/transform")
		default:
			c.add(MissingCollider, entity, donburi.Null, "Velocity",
				"it has no collider, so it takes no part and its Velocity does not move it",
				"add a collider such as components.SphereCollider")
		}
		c.checkMotor(e)
		if takesPart {
			c.checkForce(e)
			c.checkCrouch(e)
		}
		if !takesPart || !e.HasComponent(components.Body) || !e.HasComponent(components.Velocity) {
			continue
		}
		body := components.Body.Get(e)
		if e.HasComponent(components.PlaneCollider) || e.HasComponent(components.PolygonCollider) ||
			e.HasComponent(components.CapsuleCollider) && !e.HasComponent(components.CharacterController) {
			if body.Kind == components.Dynamic && body.Mass != 0 {
				c.add(NeverDynamic, entity, donburi.Null, "Body.Mass",
					"planes, polygons and CapsuleColliders are never dynamic: with a Velocity they are kinematic",
					"give it a SphereCollider or ShapeCollider, or set Body.Kind to components.Kinematic")
			}
		} else if body.Kind == components.Static && components.Velocity.Get(e).Linear != (collide.Vec3{}) {
			c.add(StaticWithSpeed, entity, donburi.Null, "Body.Kind",
				"it is Static, so its Velocity does not move it", "set Kind to components.Kinematic or Dynamic")
		}
	}
}

// filterOf returns the collision filter of an entity.
func filterOf(e *donburi.Entry) components.CollisionFilterData {
	if e.HasComponent(components.CollisionFilter) {
		return *components.CollisionFilter.Get(e)
	}
	return components.CollisionFilterData{}
}

// checkMasks finds filters that contradict each other, and those that exclude all others.
func (c *checker) checkMasks() {
	type group struct {
		filter components.CollisionFilterData
		first  donburi.Entity
		count  int
		moves  bool
	}
	var groups []group
	for _, entity := range c.entities {
		handle, ok := c.physics.bridge.Handle(entity)
		if !ok {
			continue
		}
		f := filterOf(c.world.Entry(entity))
		moves := !handle.IsSurface() && c.kind(entity) == components.Dynamic
		if k := slices.IndexFunc(groups, func(g group) bool { return g.filter == f }); k >= 0 {
			if groups[k].count++; moves && !groups[k].moves {
				groups[k].first, groups[k].moves = entity, true
			}
		} else {
			groups = append(groups, group{f, entity, 1, moves})
		}
	}
	for i, g := range groups {
		if g.filter.Disabled {
			continue
		}
		layers, mask := g.filter.Effective()
		collides, others := g.filter.Collides(g.filter) && g.count > 1, g.count > 1
		for j, o := range groups {
			if i == j {
				continue
			}
			others = true
			collides = collides || g.filter.Collides(o.filter)
			otherLayers, otherMask := o.filter.Effective()
			if g.filter.Mask != 0 && o.filter.Mask != 0 && mask&otherLayers != 0 && otherMask&layers == 0 {
				c.add(ExcludedByMask, o.first, g.first, "CollisionFilter.Mask",
					fmt.Sprintf("its mask %#x excludes the layers %#x of the other, whose mask includes it: they do "+
						"not collide", otherMask, layers),
					"add these layers to its Mask, or remove its layers from the Mask of the other")
			}
		}
		if g.moves && others && !collides {
			c.add(ExcludedByMask, g.first, donburi.Null, "CollisionFilter.Mask",
				fmt.Sprintf("nothing in the world is in a layer of its mask %#x and has its layers %#x in a mask: "+
					"it collides with nothing", mask, layers),
				"entities without a CollisionFilter are in components.DefaultLayer: add that to the Mask; "+
					"if nothing shall collide, set Disabled")
		}
	}
}

// kind returns the kind of an entity with a sphere: Static without a Velocity.
func (c *checker) kind(entity donburi.Entity) components.BodyKind {
	e := c.world.Entry(entity)
	switch {
	case e.HasComponent(components.KinematicGroup):
		return components.Kinematic
	case !e.HasComponent(components.Velocity):
		return components.Static
	case e.HasComponent(components.Body):
		return components.Body.Get(e).Kind
	}
	return components.Dynamic
}

// isDynamic reports whether an entity is a dynamic body that takes part.
func (c *checker) isDynamic(entity donburi.Entity) bool {
	handle, ok := c.physics.bridge.Handle(entity)
	return ok && !handle.IsSurface() && c.kind(entity) == components.Dynamic &&
		!c.world.Entry(entity).HasComponent(components.Sensor)
}

// eachDynamic calls yield with the dynamic bodies that take part and are no sensors, in the order
// of entities: with the shape in the world's frame, and its radius or half its least width.
func (c *checker) eachDynamic(yield func(e *donburi.Entry, shape collide.Convex, radius float64)) {
	for _, entity := range c.entities {
		if !c.isDynamic(entity) {
			continue
		}
		e := c.world.Entry(entity)
		at := components.Transform.Get(e)
		if e.HasComponent(components.SphereCollider) {
			radius := components.SphereCollider.Get(e).Radius
			yield(e, collide.Sphere{Center: at.Position, Radius: radius}, radius)
			continue
		}
		shape := components.ShapeCollider.Get(e).Shape
		if s, ok := shape.(collide.Cylinder); ok {
			shape, _ = s.Prism(16) // no error: it takes part
		}
		size := shape.Bounds().Size()
		yield(e, collide.NewPlaced(shape.(collide.Convex), at.Position, at.Rotation), min(size.X, size.Y, size.Z)/2)
	}
}

// checkPlanes finds one-sided planes that have everything behind them.
func (c *checker) checkPlanes() {
	for _, entity := range c.entities {
		e := c.world.Entry(entity)
		if _, ok := c.physics.bridge.Handle(entity); !ok || !e.HasComponent(components.PlaneCollider) ||
			e.HasComponent(components.Sensor) || components.PlaneCollider.Get(e).TwoSided {
			continue
		}
		plane, ok := c.planeOf(e)
		if !ok {
			continue
		}
		behind, total := 0, 0
		c.eachDynamic(func(b *donburi.Entry, shape collide.Convex, _ float64) {
			if filterOf(e).Collides(filterOf(b)) {
				total++
				if _, highest := collide.ConvexHeights(shape, plane); highest < 0 {
					behind++
				}
			}
		})
		if total > 0 && behind == total {
			c.add(PlaneFacesAway, entity, donburi.Null, "PlaneCollider.Normal",
				fmt.Sprintf("all %d bodies that it could stop are behind it, where everything is solid", total),
				"turn the normal round, to where the bodies are; with Y down, floors have a normal of -Y")
		}
	}
}

// planeOf returns the plane of an entity in the world's frame.
func (c *checker) planeOf(e *donburi.Entry) (collide.Plane, bool) {
	t, d := components.Transform.Get(e), components.PlaneCollider.Get(e)
	n, ok := t.Rotation.Rotate(d.Normal).Normalized()
	if !ok {
		return collide.Plane{}, false
	}
	plane, err := collide.PlaneThrough(t.Position.AddScaled(d.Distance, n), n)
	return plane, err == nil
}

// checkUnits finds sizes, gravity, LengthUnit and characters that don't fit together.
func (c *checker) checkUnits() {
	config := c.physics.config
	config.Gravity = c.physics.gravity
	var radii []float64
	first := donburi.Null
	add := func(e *donburi.Entry, _ collide.Convex, radius float64) {
		if len(radii) == 0 {
			first = e.Entity()
		}
		radii = append(radii, radius)
	}
	c.eachDynamic(add)
	metres := components.NewCharacterController()
	for _, entity := range c.entities {
		e := c.world.Entry(entity)
		if !e.HasComponent(components.CharacterController) || c.hasError(entity) {
			continue
		}
		if e.HasComponent(components.CapsuleCollider) {
			add(e, nil, components.CapsuleCollider.Get(e).Radius)
			c.checkJump(e)
		}
		d := components.CharacterController.Get(e)
		if config.LengthUnit >= 4 && d.Acceleration == metres.Acceleration && d.SnapLength == metres.SnapLength {
			c.add(WrongUnits, entity, donburi.Null, "CharacterController",
				fmt.Sprintf("with a LengthUnit of %.4g, its settings are still in metres", config.LengthUnit),
				fmt.Sprintf("begin with components.NewCharacterController().Scaled(%.4g)", config.LengthUnit))
		}
	}
	if config.StepSeconds >= 1 {
		c.add(WrongUnits, donburi.Null, donburi.Null, "Config.StepSeconds",
			fmt.Sprintf("it is %.4g, so each step lasts %.4g seconds", config.StepSeconds, config.StepSeconds),
			"for 60 steps a second it is 1.0/60, which is the default")
	}
	gravity := config.Gravity.Length()
	if gravity == 0 || len(radii) == 0 {
		return
	}
	slices.Sort(radii)
	radius := radii[len(radii)/2]
	seconds := math.Sqrt(4 * radius / gravity) // in which a ball falls its own diameter
	switch {
	case radius >= 4 && seconds > 1.4:
		c.add(WrongUnits, first, donburi.Null, "Config.Gravity",
			fmt.Sprintf("with radii of %.4g and a gravity of %.4g, balls take %.1f s to fall their own diameter",
				radius, gravity, seconds),
			"if radii are in pixels, gravity is too: some hundreds; set Config.LengthUnit to the pixels in a metre")
	case config.LengthUnit >= 2 && gravity < config.LengthUnit/2:
		c.add(WrongUnits, donburi.Null, donburi.Null, "Config.Gravity",
			fmt.Sprintf("with a LengthUnit of %.4g, a gravity of %.4g is %.2g m/s²", config.LengthUnit, gravity,
				gravity/config.LengthUnit),
			fmt.Sprintf("gravity is in the world's units: on Earth %.4g", 9.81*config.LengthUnit))
	case config.LengthUnit == 1 && gravity >= 100 && radius >= 2:
		c.add(WrongUnits, donburi.Null, donburi.Null, "Config.LengthUnit",
			fmt.Sprintf("it is 1, and a gravity of %.4g with radii of %.4g is a world in pixels; bodies will take "+
				"long to come to rest", gravity, radius),
			"set it to the number of pixels in a metre, such as 50")
	}
}

// checkJump finds a JumpHeight that doesn't fit the height of a capsule, such as one in pixels that
// has been multiplied by Scaled.
func (c *checker) checkJump(e *donburi.Entry) {
	const most = 40 // jumps as high as that many times the character itself are meant
	capsule, jump := components.CapsuleCollider.Get(e), components.CharacterController.Get(e).JumpHeight
	height := capsule.A.Distance(capsule.B) + float64(2*capsule.Radius)
	if jump > most*height {
		c.add(WrongUnits, e.Entity(), donburi.Null, "CharacterController.JumpHeight",
			fmt.Sprintf("it is %.4g, and the character is %.4g high", jump, height),
			"Scaled multiplies all lengths: set those in the world's units after it")
	}
}

// checkMovedByOthers finds out whether something else moves bodies from step to step.
func (c *checker) checkMovedByOthers() {
	p := c.physics
	if !p.bridge.Serves(c.world) || p.space.Stage() != solver.Idle {
		return
	}
	moving, moved, first := 0, 0, donburi.Null
	bodies := filter.Or(filter.Contains(components.SphereCollider), filter.Contains(components.ShapeCollider))
	donburi.NewQuery(filter.And(filter.Contains(components.Transform, components.Velocity), bodies)).Each(
		c.world, func(e *donburi.Entry) {
			handle, ok := p.bridge.Handle(e.Entity())
			if !ok || handle.IsSurface() {
				return
			}
			was, v := p.space.Motion(handle.Body())
			if v == (collide.Vec3{}) {
				return
			}
			moving++
			if solver.IsMotionOfAStep(components.Transform.Get(e).Position.Sub(was), v, p.config.StepSeconds) {
				if moved++; first == donburi.Null || e.Entity() < first {
					first = e.Entity()
				}
			}
		})
	if m, total := p.space.MovedLikeSteps(); total > 0 && 2*m > total {
		moving, moved = total, m
	}
	if moved > 0 && 2*moved > moving {
		c.add(SeveralPhysics, first, donburi.Null, "Transform.Position",
			fmt.Sprintf("between steps, something has moved %d of %d moving bodies by their velocity", moved, moving),
			"use one Physics for a world, one of Step, Advance and the systems of AddTo, and do not add velocities "+
				"to positions")
	}
}

// checkMasses finds bodies that rest on much lighter ones.
func (c *checker) checkMasses() {
	const large = 1000
	c.eachDynamic(func(e *donburi.Entry, _ collide.Convex, _ float64) {
		m := massOf(e)
		for contact := range c.physics.Contacts(e.Entity()) {
			if contact.Sensor || !c.isDynamic(contact.Other) {
				continue
			}
			other := massOf(c.world.Entry(contact.Other))
			if m > large*other && contact.Normal.Dot(c.physics.gravity) < 0 {
				c.add(LargeMassRatio, e.Entity(), contact.Other, "Body.Mass",
					fmt.Sprintf("%.4g kg rest on %.4g kg: above 1000 to 1, heaps settle slowly or tremble", m, other),
					"make the masses more alike, or let heavy things rest on the floor")
			}
		}
	})
}

// massOf returns the mass of a dynamic body.
func massOf(e *donburi.Entry) float64 {
	if e.HasComponent(components.Body) {
		if m := components.Body.Get(e).Mass; m > 0 {
			return m
		}
	}
	return 1
}

// checkBudgets finds steps that keep using up the impacts of bodies.
func (c *checker) checkBudgets() {
	p := c.physics
	if p.jammedInARow < jammedTooLong {
		return
	}
	first := donburi.Null
	p.space.EachJammed(func(id int32) {
		if e := p.bridge.Entity(solver.BodyHandle(id)); first == donburi.Null || e < first {
			first = e
		}
	})
	reason := fmt.Sprintf("for %d steps, bodies have had more than %d impacts in a step and then bounced no more",
		p.jammedInARow, p.config.MaxImpacts)
	if added := c.speedOfForces(); added > 0 && p.config.RestitutionThreshold == 0 { // the default without gravity
		c.add(ExhaustedBudgets, first, donburi.Null, "Config.RestitutionThreshold", reason,
			fmt.Sprintf("without gravity, 0 is no threshold, so what Forces press together bounces forever; "+
				"set it to %.2g, twice the speed that the largest of them adds in a step", 2*added))
		return
	}
	c.add(ExhaustedBudgets, first, donburi.Null, "Config.MaxImpacts", reason,
		"look whether something kinematic squeezes bodies that cannot yield; otherwise raise MaxImpacts")
}

// speedOfForces returns the largest speed that a Force adds to a dynamic body in a step, m/s.
func (c *checker) speedOfForces() float64 {
	largest := 0.0
	c.eachDynamic(func(e *donburi.Entry, _ collide.Convex, _ float64) {
		if e.HasComponent(components.Force) {
			largest = max(largest, components.Force.Get(e).Force.Length()/massOf(e))
		}
	})
	return largest * c.physics.config.StepSeconds
}

// jammedTooLong is the number of steps in a row after which jammed bodies are a finding. While
// balls are poured into a heap they are normal, and that may take some seconds; with a larger
// number a squeezed heap is found late.
const jammedTooLong = 600

// checkOverlaps finds things that are inside each other.
func (c *checker) checkOverlaps() {
	const slack = 1e-6 // of the radius or half the least width
	c.eachDynamic(func(e *donburi.Entry, shape collide.Convex, radius float64) {
		own := filterOf(e)
		for gap := range c.physics.Gaps(shape, 0, Filter{As: &own, Except: []donburi.Entity{e.Entity()}}) {
			other := gap.Entity
			o := c.world.Entry(other)
			if gap.Distance > -slack*radius || other < e.Entity() && c.isDynamic(other) || passes(e, o, gap.Normal) {
				continue // reported from the other side; or passed from behind
			}
			if o.HasComponent(components.PlaneCollider) && c.reported(PlaneFacesAway, other) {
				continue
			}
			c.add(OverlapAtStart, e.Entity(), other, "Transform.Position",
				"the two are inside each other, and will be moved apart slowly",
				"place them apart, or let their CollisionFilters exclude each other")
		}
	})
}

// passes reports whether a body that overlaps an obstacle may be on its way through a one-sided one
// from behind, in the direction out of it. One that rests in a mesh was put there.
func passes(body, obstacle *donburi.Entry, out collide.Vec3) bool {
	if obstacle.HasComponent(components.PolygonCollider) {
		return components.PolygonCollider.Get(obstacle).OneSided
	}
	if !obstacle.HasComponent(components.ShapeCollider) {
		return false
	}
	sheet, ok := components.ShapeCollider.Get(obstacle).Shape.(interface{ TwoSided() bool })
	return ok && !sheet.TwoSided() && components.Velocity.Get(body).Linear.Dot(out) > 0
}

// reported reports whether there is a finding of this kind about entity.
func (c *checker) reported(kind FindingKind, entity donburi.Entity) bool {
	return slices.ContainsFunc(c.findings, func(f Finding) bool { return f.Kind == kind && f.Entity == entity })
}

// checkArchetypes finds component types for which Donburi's Create panics.
func (c *checker) checkArchetypes() {
	for k, a := range c.world.Archetypes() {
		if !a.Layout().HasComponent(components.Transform) || !archetypes.Miscounted(c.world, k) {
			continue
		}
		var names []string
		for _, t := range a.Layout().Components() {
			names = append(names, t.Name())
		}
		first := donburi.Null
		if all := a.Entities(); len(all) > 0 {
			first = slices.Min(all)
		}
		c.add(CreateWouldPanic, first, donburi.Null, "World.Create",
			"it panics for the components "+strings.Join(names, ", ")+
				", because the first entity with them got one by AddComponent or RemoveComponent (Donburi 1.15.7)",
			"create the first such entity with all of its components, or use the functions of package components")
	}
}
