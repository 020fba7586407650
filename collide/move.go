package collide

// Move describes a movement for [MoveAndSlide].
type Move struct {
	Position Vec3    // of the shape, at the start; metres
	Velocity Vec3    // wanted, metres per second
	Seconds  float64 // how long, >= 0 and finite

	// Constraints limit the velocity during the whole movement, in addition to what the shape
	// meets. At most 16 are used. In 2D, the normals Z and -Z keep the shape in its plane.
	Constraints []SlideContact

	// RecoverySpeed is the highest speed at which the shape leaves an obstacle that it overlaps at
	// the start, metres per second. Within one movement it leaves no more than the overlap. With 0
	// it doesn't leave, but gets no deeper.
	RecoverySpeed float64

	// MaxSqueeze, unless 0, limits the speed at which obstacles that close in on the shape push it
	// out to the side: to so many times the largest of the wanted speed and those of the obstacles.
	// A shape that would have to be faster is Crushed. Between a floor and a plate that comes down
	// at 1 m/s and is tilted by 0.1 rad, it has to move at 10 m/s.
	MaxSqueeze float64

	// Overlaps appends to found what the shape overlaps at the start, each with its Depth, Normal
	// and Velocity; nil if it overlaps nothing, or for no recovery while the velocity doesn't lead
	// deeper.
	Overlaps func(position Vec3, found []MoveContact) []MoveContact

	// OnContact is called with each obstacle at the moment of contact, when the shape is at
	// position. Nil stands for a function that returns the zero value.
	OnContact func(position Vec3, c MoveContact) MoveResponse
}

// MoveResponse is how a movement goes on after a contact. The zero value is to slide.
type MoveResponse struct {
	// Stop ends the movement at the contact. MoveResult.Seconds says how much time was used.
	Stop bool

	// Wall, unless zero, is a second normal that the velocity must not enter, of unit length. With
	// the horizontal part of the normal of a steep slope, a character doesn't climb it.
	Wall Vec3
}

// MoveCast returns the first obstacle that the moving shape touches. At time start the shape is at
// position, and it moves at velocity until time end; obstacles that move are where they are at that
// time. Times are in seconds since the beginning of the movement. Time of the contact counts from
// start. Hit, Overlap and Miss have the same meaning as for [Sweep]; above all, what the shape
// doesn't approach is a Miss. For an Overlap, Depth must be set.
type MoveCast func(position, velocity Vec3, start, end float64) (MoveContact, Outcome)

// MoveContact is an obstacle that a moving shape has met.
type MoveContact struct {
	Time     float64 // of the first contact, seconds; 0 for an overlap at the start
	Point    Vec3    // of contact, metres
	Normal   Vec3    // unit length, out of the obstacle
	Velocity Vec3    // of the obstacle at Point, metres per second
	Depth    float64 // of an overlap at the start, metres; 0 for others
	Obstacle int     // what the MoveCast sets, such as an index
}

// MoveResult is the result of [MoveAndSlide].
type MoveResult struct {
	Position Vec3          // at the end, metres
	Velocity Vec3          // at the end, metres per second; without that of a recovery
	Seconds  float64       // time used: all of it, unless OnContact ended the movement
	Contacts []MoveContact // everything met, in the order of time; of things met twice the last
	Outcome  SlideOutcome  // of the velocity
}

const (
	// moveSlack is the distance that a moving shape keeps from what it has met, relative to the
	// coordinates: 256 ulps, 6e-12 m at 100 m. It covers the rounding of positions, of normals and
	// of sweeps. If it were smaller, shapes would be inside of obstacles by rounding, and could
	// catch on the seams between them; if it were larger, it would be noticed as a gap.
	moveSlack = 0x1p-44

	// travelSlack is the same relative to the length of the way to the contact. The error of the
	// time of impact is at most 3e-13 of it.
	travelSlack = 0x1p-41

	// carrySlack is how deep, relative to the coordinates, a shape that is held may be in something
	// at the end of its movement: more than what rounding and moveSlack add up to on both sides,
	// and less than one sees in any unit.
	carrySlack = 0x1p-38

	// carrySamples is at how many places on the way of such a shape it is looked for what is in the
	// way. What is thinner than the shape is found unless the way is 64 times as long as both are
	// thick. With more, such a movement takes longer.
	carrySamples = 64

	// leavingSpeed is the speed at which a shape begins to leave an obstacle that it meets again
	// although it slides along it, relative to its speed. Each time it is doubled.
	leavingSpeed = 0x1p-46

	// grazeSpeed is the speed, relative to that of the shape or obstacle, at which one may leave
	// what a cast reports as approached: the normal of a graze has an error of the square root of a
	// rounding error. If it were smaller, nothing would stop the rest of the movement; if it were
	// larger, what shapes leave would hold them.
	grazeSpeed = 0x1p-20

	maxConstraints = 16
	maxPlanes      = 64 // as many as Slide uses
	maxMoveCasts   = 256

	// maxIdleCasts is how many casts in one place and time may find something that the shape
	// overlaps. All tests of characters need up to 4. Between obstacles that a shape overlaps by
	// far, which push it into one another, there would be no end.
	maxIdleCasts = 16
)

// MoveAndSlide moves a shape along its velocity and lets it slide along what it meets. It returns
// where the shape is at the end. The contacts are appended to contacts, which may be nil.
//
// Each contact is a first impact found by cast. It takes its time: the shape moves until then, and
// slides for the rest. The velocity is always the one nearest to m.Velocity that enters none of the
// obstacles met so far ([Slide]). So the shape comes to rest in corners, wedges and funnels, and
// stays there. It keeps a distance of rounding errors from what it has met, 2^-44 of the
// coordinates, and is never inside of anything that it didn't overlap at the start.
//
// What moves pushes the shape at its own speed. Obstacles that the shape overlaps at the start push
// it out at up to m.RecoverySpeed. If obstacles leave it no way, the outcome is Crushed, and it
// stays where it is.
//
// MoveAndSlide knows neither the shape nor the obstacles, so it works for spheres, capsules, boxes
// and hulls alike, in 3D and in 2D. It doesn't allocate, unless contacts has to grow. A movement
// that isn't finite, or lasts no time, stays at m.Position.
func MoveAndSlide(m Move, cast MoveCast, contacts []MoveContact) MoveResult {
	r := MoveResult{Position: m.Position, Velocity: m.Velocity, Contacts: contacts}
	if !(m.Seconds > 0 && m.Seconds <= maxInput) || !m.Velocity.within(maxInput) || !m.Position.within(maxInput) {
		return r
	}
	s := mover{
		wanted: m.Velocity, seconds: m.Seconds, recovery: m.RecoverySpeed, squeeze: m.MaxSqueeze, from: len(contacts),
	}
	for _, c := range m.Constraints[:min(len(m.Constraints), maxConstraints)] {
		s.add(c.Normal, c.Velocity, c.Velocity)
	}
	s.fixed = s.n
	if m.Overlaps != nil {
		r.Contacts = m.Overlaps(m.Position, r.Contacts)
		for i := s.from; i < len(r.Contacts); i++ {
			c := &r.Contacts[i]
			s.add(c.Normal, s.leaving(c, m.Seconds), c.Velocity)
		}
	}
	s.slide(&r)
	stuck := false // the last contact has changed nothing
	idle := 0      // overlaps that have been found since the shape has moved
	for range maxMoveCasts {
		left, at := m.Seconds-r.Seconds, r.Position
		if !(left > 0) || r.Outcome == Crushed {
			break
		}
		c, outcome := cast(r.Position, r.Velocity, r.Seconds, m.Seconds)
		if outcome == Miss || !s.reach(&r, &c, outcome) {
			r.Position = r.Position.AddScaled(left, r.Velocity)
			r.Seconds = m.Seconds
			break
		}
		r.Contacts = keepContact(r.Contacts, s.from, &c)
		var response MoveResponse
		if m.OnContact != nil {
			response = m.OnContact(r.Position, c)
		}
		if response.Stop {
			s.dropRecovery(&r)
			return r
		}
		moved := r.Position != at || m.Seconds-r.Seconds != left
		switch {
		case moved:
			idle = 0
		case outcome == Overlap:
			idle++
		}
		goesOn := s.resolve(&c, outcome, &r, response.Wall) || moved
		if stuck && !goesOn { // the next cast would find the same again, whatever the planes are
			s.carry(&r, cast, &m)
			break
		}
		if idle > maxIdleCasts {
			break
		}
		stuck = !goesOn
	}
	r.Seconds = m.Seconds
	s.dropRecovery(&r)
	return r
}

// mover is the state of one call of MoveAndSlide.
type mover struct {
	wanted   Vec3 // the velocity without obstacles
	seconds  float64
	recovery float64
	squeeze  float64
	planes   [maxPlanes]SlideContact
	own      [maxPlanes]Vec3 // the velocities of the obstacles, without recovery
	n        int             // number of planes
	fixed    int             // of these, the constraints, which are never dropped
	from     int             // index of the first contact of this movement
}

// reach moves the shape to the contact, up to the distance that it keeps. It returns false if the
// contact isn't approached, which a cast should not report. By rounding it may.
func (s *mover) reach(r *MoveResult, c *MoveContact, outcome Outcome) bool {
	approach := c.Normal.Dot(c.Velocity.Sub(r.Velocity))
	n := c.Normal.LengthSquared()
	graze := float64(grazeSpeed * max(r.Velocity.MaxAbs(), c.Velocity.MaxAbs()))
	if !(n > 0.25 && n < 4 && approach > -graze && c.Velocity.within(maxInput)) {
		return false
	}
	t := 0.0
	if outcome == Hit {
		c.Depth = 0
		travelled := float64(c.Time * (r.Velocity.MaxAbs() + c.Velocity.MaxAbs()))
		slack := float64(moveSlack*(r.Position.MaxAbs()+c.Point.MaxAbs())) + float64(travelSlack*travelled)
		if approach > 0 {
			t = max(0, min(c.Time, s.seconds-r.Seconds)-slack/approach)
		}
	}
	r.Position = r.Position.AddScaled(t, r.Velocity)
	r.Seconds = min(r.Seconds+t, s.seconds)
	c.Time = r.Seconds
	return true
}

// leaving returns the velocity that an obstacle has for a shape that overlaps it: its own, and as
// much outwards as brings the shape out within the given seconds.
func (s *mover) leaving(c *MoveContact, seconds float64) Vec3 {
	depth := c.Depth + float64(moveSlack*c.Point.MaxAbs())
	return c.Velocity.AddScaled(min(s.recovery, depth/seconds), c.Normal)
}

// resolve adds the obstacle to those that limit the velocity, and slides. It reports whether that
// changes the velocity.
func (s *mover) resolve(c *MoveContact, outcome Outcome, r *MoveResult, wall Vec3) (changes bool) {
	velocity := c.Velocity
	if outcome == Overlap {
		velocity = s.leaving(c, s.seconds-r.Seconds)
	}
	before := r.Velocity
	k := s.add(c.Normal, velocity, c.Velocity)
	if wall != (Vec3{}) {
		s.add(wall, c.Velocity, c.Velocity)
	}
	s.slide(r)
	// An obstacle that the shape slides along already, as well as rounding allows, and that it
	// meets again: it leaves it.
	speed := max(before.MaxAbs(), c.Velocity.MaxAbs())
	crushes := 0
	for faster := leavingSpeed; faster < 1 && r.Velocity == before && r.Outcome != Crushed; faster *= 2 {
		s.planes[k].Velocity = velocity.AddScaled(float64(faster*speed), c.Normal)
		if s.slide(r) {
			// The first time, slide drops the speeds at which the shape leaves what it overlaps.
			// Without them, the next try may succeed.
			if crushes++; crushes == 2 { // it is held, and leaves nothing by itself
				s.planes[k].Velocity = s.own[k]
				s.slide(r)
				break
			}
		}
	}
	return r.Velocity != before
}

// carry moves a shape that obstacles hold, up to rounding, with these to the end of the movement,
// unless it would overlap something on the way. No cast sees what is behind an obstacle that the
// shape touches, so it is looked for at carrySamples places.
func (s *mover) carry(r *MoveResult, cast MoveCast, m *Move) {
	if r.Outcome == Crushed || r.Velocity == (Vec3{}) {
		return
	}
	left := m.Seconds - r.Seconds
	end := r.Position
	for k := 1; k <= carrySamples; k++ {
		after := float64(left * float64(k) / carrySamples)
		end = r.Position.AddScaled(after, r.Velocity)
		now := min(r.Seconds+after, m.Seconds)
		if c, outcome := cast(end, r.Velocity, now, now); outcome == Overlap &&
			c.Depth > float64(carrySlack*end.MaxAbs()) {
			return
		}
	}
	r.Position = end
}

// add adds a plane and returns its index. Of planes with the same normal, the fastest stays.
func (s *mover) add(normal, velocity, own Vec3) int {
	for i := range s.n {
		if p := &s.planes[i]; p.Normal.Sub(normal).MaxAbs() <= staticTolerance {
			if normal.Dot(velocity) > normal.Dot(p.Velocity) {
				p.Velocity, s.own[i] = velocity, own
			}
			return i
		}
	}
	if s.n == maxPlanes { // forgets the oldest
		copy(s.planes[s.fixed:], s.planes[s.fixed+1:])
		copy(s.own[s.fixed:], s.own[s.fixed+1:])
		s.n--
	}
	s.planes[s.n], s.own[s.n] = SlideContact{Normal: normal, Velocity: velocity}, own
	s.n++
	return s.n - 1
}

// slide sets the velocity to the wanted one, as far as the planes admit it. A shape that can't
// leave everything that it overlaps leaves nothing; then slide returns true.
func (s *mover) slide(r *MoveResult) (crushed bool) {
	s.limit(r)
	if r.Outcome == Crushed {
		s.dropRecovery(r)
		return true
	}
	return false
}

// limit sets the velocity and the outcome to those of Slide, and stops a shape that would be
// squeezed out too fast.
func (s *mover) limit(r *MoveResult) {
	v, result := Slide(s.wanted, s.planes[:s.n])
	r.Velocity, r.Outcome = v, result.Outcome
	if !(s.squeeze > 0) || r.Outcome == Crushed {
		return
	}
	fastest := s.wanted.LengthSquared()
	for i := range s.n {
		fastest = max(fastest, s.planes[i].Velocity.LengthSquared())
	}
	if v.LengthSquared() > float64(float64(s.squeeze*s.squeeze)*fastest) {
		r.Velocity, r.Outcome = Vec3{}, Crushed
	}
}

// dropRecovery sets the velocity to what the obstacles admit, without the speed at which the shape
// leaves what it overlaps.
func (s *mover) dropRecovery(r *MoveResult) {
	recovers := false
	for i := range s.n {
		recovers = recovers || s.planes[i].Velocity != s.own[i]
		s.planes[i].Velocity = s.own[i]
	}
	if recovers {
		s.limit(r)
	}
}

// keepContact appends a contact. If the same side of the same obstacle was met before, it replaces
// that contact.
func keepContact(all []MoveContact, from int, c *MoveContact) []MoveContact {
	for i := len(all) - 1; i >= from; i-- {
		if all[i].Obstacle == c.Obstacle && all[i].Normal.Sub(c.Normal).MaxAbs() <= staticTolerance {
			all[i] = *c
			return all
		}
	}
	return append(all, *c)
}
