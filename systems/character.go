package systems

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/character"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/filter"
)

// characters moves the characters of a world after each step. The step moves them with the ground
// that carries them, and they keep bodies out. Then each moves on its own, in the same time: among
// obstacles that move along the chords of their motion in the step.
//
// They move one after the other, in the order of their positions. One that has moved is an obstacle
// that moves; one that has not is an obstacle at rest. So they never overlap, and nothing depends
// on the order of creation.
type characters struct {
	query       *donburi.Query
	list        []walker
	slots       []int32         // by entity id: 1 + index of its character in list, 0 for none
	near        []nearTriangles // by entity id: see trianglesOf
	riders      riders
	passengers  []passenger
	nearOf      []int    // the ids that have some in near
	impacts     uint64   // how many there have been
	lastImpacts []uint64 // by entity id: the number of its last one
	failed      []donburi.Entity
	meetings    []meeting
	world       characterWorld
	mover       *character.Mover
	state       character.State // of the character that moves
	set         character.Settings
	visitor     characterVisitor
	reach       float64 // how far along X the bounds of a character are from its start, at most; metres
}

// walker is a character in a step.
type walker struct {
	entity donburi.Entity
	entry  *donburi.Entry
	data   *components.CharacterControllerData
	shape  character.Shape
	start  collide.Vec3 // position when the step began
	end    collide.Vec3 // position now
	bounds collide.AABB // of all positions in the step that are known, and of those to which its ground carries it
	moved  bool         // it has moved in this step
	given  collide.Vec3 // Velocity that it has been given to be carried on, m/s
	turned bool         // the ground carries it on at another velocity than before: see hasTurned
	recast bool         // that velocity has to be found anew, since that of a character near it has changed
	rides  bool         // it is one of the riders
	gone   bool         // it is no character any more

	// carried is the velocity with which the step has moved it among bodies, m/s; zero for one that
	// stands on another character, which may turn elsewhere.
	carried collide.Vec3

	layers, mask uint32 // of its CollisionFilter
}

// errors appends to all what is wrong with the characters of the world, in the order of entities,
// and to fresh what wasn't in the last call.
func (c *characters) errors(w donburi.World, all, fresh []EntityError) (allOut, freshOut []EntityError) {
	if c.query == nil {
		c.query = donburi.NewQuery(filter.Contains(components.CharacterController))
	}
	var failed []donburi.Entity
	for e := range c.query.Iter(w) {
		err := validateCharacter(e)
		if err == nil {
			continue
		}
		all = append(all, EntityError{e.Entity(), err})
		if !slices.Contains(c.failed, e.Entity()) {
			fresh = append(fresh, EntityError{e.Entity(), err})
		}
		failed = append(failed, e.Entity())
	}
	if c.failed = failed; failed != nil {
		sortErrors(all)
	}
	return all, fresh
}

// sortErrors sorts errors in the order of entities.
func sortErrors(all []EntityError) {
	slices.SortStableFunc(all, func(a, b EntityError) int { return cmp.Compare(orderOf(a), orderOf(b)) })
}

// orderOf returns where an error is among others: first those of the Config and of the world.
func orderOf(e EntityError) donburi.Entity {
	if e.Entity == donburi.Null {
		return 0
	}
	return e.Entity
}

// validateCharacter returns what keeps an entity from being a character.
func validateCharacter(e *donburi.Entry) error {
	if err := components.CharacterController.Get(e).Validate(); err != nil {
		return err
	}
	missing := func(component, field, reason string) error {
		return characterError(component, field, "(no component)", "is missing: a character needs "+reason)
	}
	switch {
	case e.HasComponent(components.Sensor):
		return characterError("Sensor", "Shape", "(character)",
			"can't be a sensor: give the sensor an entity of its own")
	case !e.HasComponent(components.Transform):
		return missing("Transform", "Position", "a components.Transform")
	case !e.HasComponent(components.Velocity):
		return missing("Velocity", "Linear", "a components.Velocity")
	case e.HasComponent(components.CapsuleCollider):
		return nil
	case e.HasComponent(components.ShapeCollider):
		if _, ok := shapeOfCollider(e); !ok {
			shape := fmt.Sprintf("(%T)", components.ShapeCollider.Get(e).Shape)
			return characterError("ShapeCollider", "Shape", shape, "is no box, sphere or capsule, as a character needs")
		}
		return nil
	case !e.HasComponent(components.SphereCollider):
		return missing("Collider", "Shape", "a capsule, box or sphere")
	case !e.HasComponent(components.Body) || components.Body.Get(e).Kind != components.Kinematic:
		return characterError("Body", "Kind", "(of a sphere)", "is not Kinematic, as that of a character has to be")
	}
	return nil
}

// characterError is the error of an entity that has a CharacterController and not what that needs.
func characterError(component, field string, value any, reason string) error {
	return &components.FieldError{Component: component, Field: field, Value: value, Reason: reason}
}

// move moves all characters after a step.
func (c *characters) move(p *Physics, w donburi.World) {
	c.riders.begin(p.config.Gravity)
	c.passengers = c.passengers[:0]
	if c.query == nil || c.query.Count(w) == 0 {
		c.forget()
		return
	}
	if c.mover == nil {
		c.mover = character.NewMover(&c.world)
		c.world.accepts, c.world.ground = c.world.accept, noObstacle
	}
	c.world.p, c.world.all = p, c
	c.collect(p, w)
	c.takeImpacts(p, w)
	turned := false
	for i := range c.list {
		c.moveOne(p, i)
		turned = turned || c.list[i].turned
	}
	if turned {
		c.settleCarried(p)
	}
	c.addMeetings()
	for i := range c.list {
		c.note(p, i)
		c.notePassenger(p, i)
	}
	c.findRoom(p)
	c.findSensors(p)
	c.forgetTriangles()
	c.unlist()
}

// unlist clears the slots of the list, which stays.
func (c *characters) unlist() {
	for i := range c.list {
		c.slots[c.list[i].entity.Id()] = 0
	}
}

// collect lists the characters that take part, in the order of their positions.
func (c *characters) collect(p *Physics, w donburi.World) {
	c.list, c.reach = c.list[:0], 0
	for e := range c.query.Iter(w) {
		handle, ok := p.bridge.Handle(e.Entity())
		if !ok || validateCharacter(e) != nil || !hasValidShape(e) {
			continue
		}
		k := walker{entity: e.Entity(), entry: e, data: components.CharacterController.Get(e)}
		k.shape = shapeOf(e)
		at := components.Transform.Get(e).Position
		carried := p.space.ObstacleOf(handle).Velocity
		ground := k.data.State.GroundEntity
		if !w.Valid(ground) || !w.Entry(ground).HasComponent(components.CharacterController) {
			k.carried = carried
		}
		carried = carried.Scale(p.config.StepSeconds)
		s := &k.data.State
		if !s.Started || at.Sub(carried).Distance(s.Position) > teleportSlack*(1+at.MaxAbs()) {
			s.Position, s.MayOverlap = at.Sub(carried), true // the game has put it there
		}
		if !s.Started {
			s.Started, s.SinceGround, s.GroundEntity = true, math.Inf(1), donburi.Null
			s.LastVelocity = s.Velocity
		}
		k.start, k.end = s.Position, s.Position
		k.bounds = k.shape.Bounds(k.start).Union(k.shape.Bounds(k.start.AddScaled(p.config.StepSeconds, k.carried)))
		var own components.CollisionFilterData
		if e.HasComponent(components.CollisionFilter) {
			own = *components.CollisionFilter.Get(e)
		}
		k.layers, k.mask = own.Effective()
		c.reach = max(c.reach, k.reach())
		c.list = append(c.list, k)
	}
	slices.SortFunc(c.list, func(a, b walker) int {
		return cmp.Or(cmp.Compare(a.start.X, b.start.X), cmp.Compare(a.start.Y, b.start.Y),
			cmp.Compare(a.start.Z, b.start.Z), cmp.Compare(a.entity, b.entity))
	})
	c.enlist()
}

// enlist sets the slots of the list.
func (c *characters) enlist() {
	for i := range c.list {
		id := int(c.list[i].entity.Id())
		if id >= len(c.slots) {
			c.slots = append(c.slots, make([]int32, id+1-len(c.slots))...)
		}
		c.slots[id] = int32(i + 1)
	}
}

// hasValidShape reports whether the Transform and the collider of a character are valid. The game
// may have changed them since the step began; the next one reports that.
func hasValidShape(e *donburi.Entry) bool {
	if components.Transform.Get(e).Validate() != nil {
		return false
	}
	switch {
	case e.HasComponent(components.CapsuleCollider):
		return components.CapsuleCollider.Get(e).Validate() == nil
	case e.HasComponent(components.ShapeCollider):
		return components.ShapeCollider.Get(e).Validate() == nil
	}
	return components.SphereCollider.Get(e).Validate() == nil
}

// teleportSlack is the distance, relative to the coordinates, up to which the position of a
// character that was carried is where the ground has carried it: a million roundings.
const teleportSlack = 0x1p-32

// reach returns how far along X the bounds of a character are from its start.
func (k *walker) reach() float64 { return max(k.bounds.Max.X-k.start.X, k.start.X-k.bounds.Min.X) }

// wayOf returns about how far a character moves and looks in a step.
func wayOf(k *walker, seconds float64) float64 {
	d := k.data
	speed := d.State.Velocity.Length() + d.State.GroundVelocity.Length()
	if d.DesiredVelocity != (collide.Vec3{}) {
		speed += d.DesiredVelocity.Length()
	}
	return max(d.StepHeight, d.SnapLength) + float64(speed*seconds)
}

// indexOf returns the index of an entity's character in list, or -1.
func (c *characters) indexOf(e donburi.Entity) int {
	if id := int(e.Id()); id < len(c.slots) && c.slots[id] > 0 && c.list[c.slots[id]-1].entity == e {
		return int(c.slots[id] - 1)
	}
	return -1
}

// nearTriangles is the triangles of a mesh around a character.
type nearTriangles struct {
	entity donburi.Entity
	mesh   *collide.MeshNear // nil for none
}

// forget forgets what is around each character: it refers to meshes, and numbers of another world
// mean something else.
func (c *characters) forget() { c.near, c.nearOf = nil, nil }

// trianglesOf returns the triangles of a mesh around a character, which are kept over steps, and
// whether there were some: false in its first step in this Physics.
func (c *characters) trianglesOf(e donburi.Entity) (near *collide.MeshNear, known bool) {
	id := int(e.Id())
	if id >= len(c.near) {
		c.near = append(c.near, make([]nearTriangles, id+1-len(c.near))...)
	}
	n := &c.near[id]
	if n.mesh == nil {
		c.nearOf = append(c.nearOf, id)
	}
	if known = n.mesh != nil && n.entity == e; !known {
		*n = nearTriangles{e, new(collide.MeshNear)}
	}
	return n.mesh, known
}

// forgetTriangles forgets the triangles around entities that are no characters any more, since they
// refer to meshes.
func (c *characters) forgetTriangles() {
	if len(c.nearOf) == len(c.list) { // each character has some
		return
	}
	kept := c.nearOf[:0]
	for _, id := range c.nearOf {
		if c.slots[id] > 0 {
			kept = append(kept, id)
		} else {
			c.near[id] = nearTriangles{}
		}
	}
	c.nearOf = kept
}

// shapeOf returns the shape of a character.
func shapeOf(e *donburi.Entry) character.Shape {
	if e.HasComponent(components.CapsuleCollider) {
		d := components.CapsuleCollider.Get(e)
		turn := components.Transform.Get(e).Rotation
		return character.Shape{
			Kind: character.Capsule, A: turn.Rotate(d.A), B: turn.Rotate(d.B), Radius: d.Radius,
		}
	}
	if e.HasComponent(components.ShapeCollider) {
		s, _ := shapeOfCollider(e)
		return s
	}
	return character.Shape{Kind: character.Sphere, Radius: components.SphereCollider.Get(e).Radius}
}

// shapeOfCollider returns the shape of a character with a ShapeCollider, and false if it can't be
// one.
func shapeOfCollider(e *donburi.Entry) (character.Shape, bool) {
	turn := components.Transform.Get(e).Rotation
	switch s := components.ShapeCollider.Get(e).Shape.(type) {
	case collide.Box:
		b := s.Turned(turn)
		return character.Shape{Kind: character.Box, A: b.Center, Half: b.Half, Rotation: b.Rotation}, true
	case collide.AABB:
		b := collide.Box{Center: s.Center(), Half: s.Size().Scale(0.5)}.Turned(turn)
		return character.Shape{Kind: character.Box, A: b.Center, Half: b.Half, Rotation: b.Rotation}, true
	case collide.Capsule:
		return character.Shape{
			Kind: character.Capsule, A: turn.Rotate(s.A), B: turn.Rotate(s.B), Radius: s.Radius,
		}, true
	case collide.Sphere:
		return character.Shape{Kind: character.Sphere, A: turn.Rotate(s.Center), Radius: s.Radius}, true
	}
	return character.Shape{}, false
}

// interpolated returns where a character was when a fraction alpha of the last step had passed, and
// false for an entity that is none.
func (c *characters) interpolated(p *Physics, e donburi.Entity, alpha float64) (components.TransformData, bool) {
	w := p.bridge.World()
	if len(c.list) == 0 || !w.Valid(e) {
		return components.TransformData{}, false
	}
	entry := w.Entry(e)
	if !entry.HasComponent(components.CharacterController) || validateCharacter(entry) != nil {
		return components.TransformData{}, false
	}
	s, at := &components.CharacterController.Get(entry).State, *components.Transform.Get(entry)
	if s.Started && at.Position == s.Position {
		at.Position = s.Previous.Lerp(s.Position, alpha)
	}
	return at, true
}

// moveOne moves the character with an index.
func (c *characters) moveOne(p *Physics, i int) {
	k := &c.list[i]
	d := k.data
	set, s := &c.set, &c.state
	*set = settingsOf(d, p.config.Gravity)
	set.Planar = lockedOf(k.entry)
	c.world.begin(i, p.config.StepSeconds, false)
	c.crouch(k, set)
	set.Foot = -k.shape.Lowest(collide.Vec3{}, set.Up)

	in := character.Input{
		Desired: d.DesiredVelocity, Jump: d.Jump, DropThrough: d.DropThrough, Carried: k.carried,
	}
	d.Jump = false
	*s = c.stateOf(&d.State)
	c.mover.Step(s, set, in, p.config.StepSeconds)
	c.keep(&d.State, s)
	d.State.Previous = k.start

	if k.moved = true; k.end != s.Position {
		k.end = s.Position
		c.extend(k, k.end)
	}
	components.Transform.Get(k.entry).Position = s.Position
	was := components.Velocity.Get(k.entry).Linear
	k.give(c.carriedVelocity(p, k))
	k.turned = hasTurned(k.given, was, s.GroundVelocity)
}

// extend makes the bounds of a character contain its shape at p, too.
func (c *characters) extend(k *walker, p collide.Vec3) {
	k.bounds = k.bounds.Union(k.shape.Bounds(p))
	c.reach = max(c.reach, k.reach())
}

// settingsOf returns the settings of a character in gravity.
func settingsOf(d *components.CharacterControllerData, gravity collide.Vec3) character.Settings {
	set := character.Settings{
		Gravity:      gravity.Scale(d.GravityScale),
		Acceleration: d.Acceleration, AirAcceleration: d.AirAcceleration, MaxFallSpeed: d.MaxFallSpeed,
		JumpHeight: d.JumpHeight, CoyoteTime: d.CoyoteTime, JumpBuffer: d.JumpBuffer,
		MinGroundCosine: cosine(d.MaxSlopeAngle), MinWallSlideCosine: cosine(d.WallMinSlideAngle),
		StepHeight: d.StepHeight, SnapLength: d.SnapLength,
		ConstantSpeed: d.ConstantSpeed, NoCeilingSlide: d.NoCeilingSlide, Floating: d.Mode == components.Floating,
		OnLeave: character.LeaveMode(d.PlatformOnLeave),
		Mass:    d.Mass, MaxPushForce: d.MaxPushForce, RecoverySpeed: d.RecoverySpeed,
	}
	set.Up = upOf(d, gravity)
	return set
}

// upOf returns the up direction of a character in gravity.
func upOf(d *components.CharacterControllerData, gravity collide.Vec3) collide.Vec3 {
	if up, ok := d.Up.Normalized(); ok {
		return up
	}
	if up, ok := gravity.Neg().Normalized(); ok {
		return up
	}
	return collide.Vec3{Y: 1}
}

// cosine returns the cosine of an angle, with the same bits on all platforms.
func cosine(angle float64) float64 {
	half := collide.RotationBy(collide.Vec3{X: angle}).X
	return 1 - float64(2*half*half)
}

// crouch lets a capsule crouch, or rise where there is room. Its lowest point stays.
func (c *characters) crouch(k *walker, set *character.Settings) {
	d := k.data
	if !k.entry.HasComponent(components.CapsuleCollider) || d.CrouchHeight == 0 && !d.State.Crouching {
		return
	}
	foot, head := &k.shape.A, &k.shape.B
	collider := components.CapsuleCollider.Get(k.entry)
	upper := &collider.B
	if set.Up.Dot(*foot) > set.Up.Dot(*head) {
		foot, head = head, foot
		upper = &collider.A
	}
	axis := head.Sub(*foot)
	length := axis.Length()
	low := max(0, d.CrouchHeight-float64(2*k.shape.Radius))
	switch {
	case d.Crouch && !d.State.Crouching && low < length:
		d.State.Crouching, d.State.StandHeight = true, length
		length = low
	case !d.Crouch && d.State.Crouching:
		*head = foot.AddScaled(d.State.StandHeight, set.Up)
		c.world.setShape(k.shape)
		if c.world.IsFree(k.start, 0, true) && c.world.IsFree(k.start, c.world.seconds, true) {
			d.State.Crouching = false
			length = d.State.StandHeight
		}
	default:
		return
	}
	*head = foot.AddScaled(length, set.Up)
	c.world.setShape(k.shape)
	c.extend(k, k.start)
	turn := components.Transform.Get(k.entry).Rotation
	*upper = collide.Quat{X: -turn.X, Y: -turn.Y, Z: -turn.Z, W: turn.W}.Rotate(*head)
}

// stateOf returns the state for a mover.
func (c *characters) stateOf(d *components.CharacterState) character.State {
	// Surroundings are by numbers, which mean something else in the Physics of another session.
	unchanged := c.world.known && d.Surroundings == c.world.hash
	return character.State{
		Position: d.Position, Velocity: d.Velocity, Walk: d.Walk, Left: d.LastVelocity,
		Ground: character.Ground(d.Ground), GroundNormal: d.GroundNormal, GroundPoint: d.GroundPoint,
		GroundVelocity: d.GroundVelocity, GroundObstacle: c.world.number(d.GroundEntity), Climbed: d.Climbed,
		SinceGround: d.SinceGround, JumpWish: d.JumpWish, Jumping: d.Jumping, OnCeiling: d.OnCeiling,
		MayOverlap: d.MayOverlap || d.Resting && !unchanged,
		Resting:    d.Resting && unchanged,
	}
}

// keep writes the state of a mover into the component.
func (c *characters) keep(d *components.CharacterState, s *character.State) {
	*d = components.CharacterState{
		Position: s.Position, Velocity: s.Velocity, Walk: s.Walk, LastVelocity: s.Left,
		Ground: components.GroundState(s.Ground), GroundNormal: s.GroundNormal, GroundPoint: s.GroundPoint,
		GroundVelocity: s.GroundVelocity, GroundEntity: c.world.entity(s.GroundObstacle), Climbed: s.Climbed,
		OnWall: s.OnWall, OnCeiling: s.OnCeiling, WallNormal: s.WallNormal,
		Jumped: s.Jumped, Landed: s.Landed, Crushed: s.Crushed,
		SinceGround: s.SinceGround, JumpWish: s.JumpWish, Jumping: s.Jumping, MayOverlap: s.MayOverlap,
		Resting: s.Resting, Surroundings: c.world.hash,
		Crouching: d.Crouching, StandHeight: d.StandHeight, Started: true, Contacts: d.Contacts[:0],
	}
	if n := len(c.mover.Contacts); n > cap(d.Contacts) { // in large steps, or many steps would allocate
		d.Contacts = slices.Grow(d.Contacts, max(8, 2*n))
	}
	for i := range c.mover.Contacts {
		k := &c.mover.Contacts[i]
		d.Contacts = append(d.Contacts, components.CharacterContact{
			Entity: c.world.entity(k.Obstacle), Time: k.Time, Point: k.Point, Normal: k.Normal, Velocity: k.Velocity,
		})
	}
}
