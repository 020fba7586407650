package contacts_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
)

const (
	dt = 1.0 / 60
	g  = 9.81
)

// surface is a plane of a scene: the points x with normal·x = distance.
type surface struct {
	normal             collide.Vec3
	distance           float64
	velocity, conveyor collide.Vec3
	friction           contacts.FrictionCoefficients
	restitution, scale float64
	arm                collide.Vec3 // where it moves with the rotor: see contacts.Surface
}

// pair is a contact of a scene: two bodies, or a body and, as -1-k, surface k.
type pair struct{ a, b int }

// scene is spheres and planes, and the contacts between them, with all that a caller of the solver
// keeps from step to step.
type scene struct {
	solver        contacts.Solver
	settings      contacts.Settings
	gravity       collide.Vec3
	accelerations []collide.Vec3                // of the bodies, instead of gravity; nil for none
	friction      contacts.FrictionCoefficients // of two bodies
	rotor         *contacts.Rotor               // of all surfaces; nil for none
	bodies        []contacts.Body
	surfaces      []surface
	pairs         []pair
	history       []contacts.History // of the pairs
	impulse       []float64          // of the pairs in the last step, along their normals
	results       []contacts.Preparation
	order         []int // in which the bodies and the pairs are added; nil for that of their numbers
	numbers       []int32
	solved        []int // the pair of each contact that was added

	constraints []int32 // of the pairs
}

func newScene() *scene {
	down := collide.Vec3{Y: -1}
	return &scene{
		settings: contacts.Settings{
			Seconds: dt, LengthUnit: 1, Down: down, TouchTolerance: 0x1p-20, OverlapTolerance: 0x1p-30,
		},
		gravity: down.Scale(g),
	}
}

// ball adds a solid ball that moves at v.
func (s *scene) ball(x collide.Vec3, r, mass float64, v collide.Vec3) int {
	inverse := 1 / mass
	s.bodies = append(s.bodies, contacts.Body{
		ID: int32(len(s.bodies)), Position: x, Velocity: v, Radius: r,
		InverseMass: inverse, Mobility: collide.Vec3{X: inverse, Y: inverse, Z: inverse},
		InverseInertia: 2.5 * inverse / (r * r),
	})
	return len(s.bodies) - 1
}

// floor adds a plane and returns its code for pair.
func (s *scene) floor(f surface) int {
	s.surfaces = append(s.surfaces, f)
	return -len(s.surfaces)
}

func (s *scene) contact(a, b int) {
	s.pairs = append(s.pairs, pair{a, b})
	s.history = append(s.history, contacts.History{})
	s.impulse = append(s.impulse, 0)
	s.results = append(s.results, 0)
}

// normal returns the normal and the gap of a pair.
func (s *scene) normal(p pair) (n collide.Vec3, gap float64) {
	a := &s.bodies[p.a]
	if p.b < 0 {
		f := &s.surfaces[-1-p.b]
		return f.normal, f.normal.Dot(a.Position) - f.distance - a.Radius
	}
	b := &s.bodies[p.b]
	d := a.Position.Sub(b.Position)
	n, _ = d.Normalized()
	return n, d.Length() - (a.Radius + b.Radius)
}

// solve solves all contacts once. Bodies keep their velocities: see move.
func (s *scene) solve() {
	s.prepare()
	c := &s.solver
	c.Solve()
	clear(s.impulse)
	for _, at := range s.solved {
		if k := s.constraints[at]; k >= 0 {
			c.Finish(k, &s.history[at])
			s.impulse[at] = c.NormalImpulse(k)
		}
	}
}

// prepare adds all bodies and contacts.
func (s *scene) prepare() {
	c := &s.solver
	c.Reset(s.settings)
	order := s.order
	if order == nil {
		for k := range max(len(s.bodies), len(s.pairs)) {
			order = append(order, k)
		}
	}
	s.numbers = slices.Grow(s.numbers[:0], len(s.bodies)+len(s.surfaces))[:len(s.bodies)+len(s.surfaces)]
	for _, k := range order {
		if k < len(s.bodies) {
			b := s.bodies[k]
			b.FreeVelocity = b.Velocity
			if b.InverseMass > 0 {
				b.FreeVelocity = b.Velocity.AddScaled(s.settings.Seconds, s.acceleration(k))
			}
			s.numbers[k] = c.AddBody(&b)
		}
	}
	rotor := int32(0)
	if s.rotor != nil {
		rotor = 1 + c.AddRotor(*s.rotor)
	}
	for k, f := range s.surfaces {
		s.numbers[len(s.bodies)+k] = c.AddSurface(&contacts.Surface{
			SortKey:  contacts.SortKey{ID: int32(-1 - k), Position: f.normal},
			Velocity: f.velocity, SpeedScale: f.scale, Rotor: rotor, Arm: f.arm,
		})
	}
	var pairs []contacts.Pair
	s.solved = s.solved[:0]
	for _, k := range order {
		if k < len(s.pairs) {
			p := s.pairs[k]
			a, b := s.numbers[p.a], s.number(p.b)
			pairs, s.solved = append(pairs, contacts.Pair{A: a, B: b}), append(s.solved, k)
			switch {
			case p.b >= 0:
				c.LinkBodies(a, b)
			case rotor > 0:
				c.LinkToRotor(a, rotor-1)
			}
		}
	}
	c.GroupContacts(pairs)
	found := slices.Clone(s.solved)
	for _, m := range c.OrderContacts(pairs, nil) {
		s.solved[m.To] = found[m.From]
	}
	s.constraints = slices.Grow(s.constraints[:0], len(s.pairs))[:len(s.pairs)]
	for _, k := range s.solved {
		n, gap := s.normal(s.pairs[k])
		contact := contacts.Contact{
			A: s.numbers[s.pairs[k].a], B: s.number(s.pairs[k].b),
			Normal: n, Gap: gap, Friction: s.friction, History: &s.history[k],
		}
		if b := s.pairs[k].b; b < 0 {
			f := &s.surfaces[-1-b]
			contact.Friction, contact.SurfaceVelocity, contact.Restitution = f.friction, f.conveyor, f.restitution
		}
		s.constraints[k], s.results[k] = c.AddContact(&contact)
	}
}

// acceleration returns the acceleration of a body without contacts.
func (s *scene) acceleration(body int) collide.Vec3 {
	if s.accelerations != nil {
		return s.accelerations[body]
	}
	return s.gravity
}

// number returns the solver's number of a body, or of a surface by its code.
func (s *scene) number(code int) int32 {
	if code < 0 {
		return s.numbers[len(s.bodies)-1-code]
	}
	return s.numbers[code]
}

// move gives the bodies the velocities that were found, and moves them through the step.
func (s *scene) move() {
	for k := range s.bodies {
		b, at := &s.bodies[k], s.numbers[k]
		v := s.solver.Velocity(at)
		if s.solver.MovesAtEndVelocity(at) {
			b.Position = b.Position.AddScaled(s.settings.Seconds, v)
		} else {
			b.Position = b.Position.AddScaled(s.settings.Seconds/2, b.Velocity.Add(v))
		}
		b.Velocity, b.AngularVelocity, b.CalmSteps = v, s.solver.AngularVelocity(at), s.solver.CalmSteps(at)
	}
}

// velocity returns the velocity that was found for a body.
func (s *scene) velocity(k int) collide.Vec3 { return s.solver.Velocity(s.numbers[k]) }

// spin returns the angular velocity that was found for a body.
func (s *scene) spin(k int) collide.Vec3 { return s.solver.AngularVelocity(s.numbers[k]) }

// energies returns the kinetic energy of free motion and that of the solution.
func (s *scene) energies() (free, found float64) {
	for k, b := range s.bodies {
		if b.InverseMass == 0 {
			continue
		}
		v := b.Velocity.AddScaled(s.settings.Seconds, s.gravity)
		free += v.LengthSquared() / b.InverseMass / 2
		found += s.velocity(k).LengthSquared() / b.InverseMass / 2
		if b.InverseInertia > 0 {
			free += b.AngularVelocity.LengthSquared() / b.InverseInertia / 2
			found += s.spin(k).LengthSquared() / b.InverseInertia / 2
		}
	}
	return free, found
}

// column stacks balls of these masses, with radius 0.5 and these gaps below them, on a floor.
func column(gap float64, masses ...float64) *scene {
	s := newScene()
	floor := s.floor(surface{normal: collide.Vec3{Y: 1}})
	y := 0.0
	for k, m := range masses {
		y += gap
		s.ball(collide.Vec3{Y: y + 0.5}, 0.5, m, collide.Vec3{})
		y++
		if k == 0 {
			s.contact(0, floor)
		} else {
			s.contact(k-1, k)
		}
	}
	return s
}

// tree returns balls of all sizes and masses that move and spin at random. Each touches one of
// those before it, and none overlap.
func tree(r *rand.Rand, n int, friction contacts.FrictionCoefficients) *scene {
	s := newScene()
	s.gravity, s.friction = collide.Vec3{}, friction
	for len(s.bodies) < n {
		k, radius, x, touched := len(s.bodies), 0.1+r.Float64(), collide.Vec3{}, 0
		if k > 0 {
			touched = r.IntN(k)
			o := &s.bodies[touched]
			x = o.Position.AddScaled(o.Radius+radius, direction(r))
		}
		free := true
		for j := range k {
			o := &s.bodies[j]
			free = free && (j == touched || x.Distance(o.Position) > o.Radius+radius)
		}
		if free {
			s.ball(x, radius, math.Pow(10, 2*r.Float64()), direction(r).Scale(3*r.Float64()))
			s.bodies[k].AngularVelocity = direction(r).Scale(3 * r.Float64())
			if k > 0 {
				s.contact(touched, k)
			}
		}
	}
	return s
}

// jam returns n balls of one size and all masses, closest packed, that move and spin at random: up
// to twelve touch each.
func jam(r *rand.Rand, n int, friction contacts.FrictionCoefficients) *scene {
	s := newScene()
	s.gravity, s.friction = collide.Vec3{}, friction
	for x := range 4 {
		for y := range 4 {
			for z := range 4 {
				if (x+y+z)%2 == 0 && len(s.bodies) < n {
					at := collide.Vec3{X: float64(x), Y: float64(y), Z: float64(z)}.Scale(math.Sqrt(0.5))
					s.ball(at, 0.5, math.Pow(10, 2*r.Float64()), direction(r).Scale(3*r.Float64()))
					s.bodies[len(s.bodies)-1].AngularVelocity = direction(r).Scale(3 * r.Float64())
				}
			}
		}
	}
	for k := range s.bodies {
		for j := range k {
			if _, gap := s.normal(pair{j, k}); gap < 1e-9 {
				s.contact(j, k)
			}
		}
	}
	return s
}

func direction(r *rand.Rand) collide.Vec3 {
	for {
		v := collide.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
		if n, ok := v.Normalized(); ok {
			return n
		}
	}
}

// near fails where two numbers differ by more than this fraction of scale.
func near(t *testing.T, what string, got, want, scale, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within*scale) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
