//go:build amd64 && !purego

package contacts_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
)

// TestBatchesGiveTheSameBitsAsGo compares velocities and impulses of heaps that the assembly solves
// with those that relax finds, over some steps.
func TestBatchesGiveTheSameBitsAsGo(t *testing.T) {
	if !contacts.UseAVX2(true) {
		contacts.UseAVX2(false)
		t.Skip("this processor has no AVX2")
	}
	type coefficients = contacts.FrictionCoefficients
	for _, test := range []struct {
		name            string
		friction        coefficients
		spinning        float64      // share of the balls that turn
		conveyor, moves collide.Vec3 // of the floor
		uneven          bool         // masses differ so much that conjugate directions are used
		slanted         bool         // axes are locked, and turn friction aside: no batches
		yields          bool         // the floor is part of a rotor
	}{
		{name: "frictionless"},
		{name: "friction", friction: coefficients{Static: 0.3, Dynamic: 0.3}},
		{name: "static friction", friction: coefficients{Static: 0.9, Dynamic: 0.5}},
		{name: "spins", friction: coefficients{Static: 0.3, Dynamic: 0.2}, spinning: 1},
		{
			name:     "spins with resistance",
			friction: coefficients{Static: 0.5, Dynamic: 0.5, Rolling: 0.05, Spinning: 0.02}, spinning: 1,
		},
		{
			name:     "spins of some on a conveyor",
			friction: coefficients{Static: 0.5, Dynamic: 0.4, Rolling: 0.01}, spinning: 0.5,
			conveyor: collide.Vec3{X: 1, Z: 2},
		},
		{name: "slippery spins", friction: coefficients{Rolling: 0.2}, spinning: 0.7},
		{
			name:     "uneven masses",
			friction: coefficients{Static: 0.5, Dynamic: 0.5, Rolling: 0.05}, spinning: 0.7, uneven: true,
		},
		{
			name:     "driven",
			friction: coefficients{Static: 0.5, Dynamic: 0.5, Spinning: 0.05}, spinning: 0.7,
			moves: collide.Vec3{X: 0.1, Y: 0.5},
		},
		{
			name:     "on a rotor",
			friction: coefficients{Static: 0.5, Dynamic: 0.4, Rolling: 0.01}, spinning: 0.7, yields: true,
		},
		{name: "locked axes", friction: coefficients{Static: 0.3, Dynamic: 0.3}, slanted: true},
	} {
		for n := 8; n <= 32; n += 12 {
			heap := func() *scene {
				r := rand.New(rand.NewPCG(uint64(n), 7))
				s := jam(r, n, test.friction)
				floor := s.floor(surface{
					normal: collide.Vec3{Y: 1}, distance: -0.5, friction: test.friction,
					conveyor: test.conveyor, velocity: test.moves,
				})
				s.gravity = s.settings.Down.Scale(g)
				if test.yields {
					s.rotor = &contacts.Rotor{InverseInertia: 0.1, Least: -1e3, Most: 1e3}
				}
				for k := range s.bodies {
					b := &s.bodies[k]
					if r.Float64() >= test.spinning {
						b.InverseInertia, b.AngularVelocity = 0, collide.Vec3{}
					}
					if !test.uneven {
						b.InverseMass++
					}
					b.Mobility = collide.Vec3{X: b.InverseMass, Y: b.InverseMass, Z: b.InverseMass}
					if test.slanted && k%3 == 0 {
						b.Mobility.X = 0
					}
					b.Velocity.X, b.AngularVelocity.Z = math.Copysign(0, -1), math.Copysign(0, -1)
					if b.Position.Y != 0 {
						continue
					}
					at := floor
					if test.yields { // each contact with a rotor has a surface of its own
						at = s.floor(surface{
							normal: collide.Vec3{Y: 1}, distance: -0.5, friction: test.friction,
							arm: collide.Vec3{Y: b.Position.X},
						})
					}
					s.contact(k, at)
				}
				return s
			}
			assembly, plain := heap(), heap()
			for step := range 6 {
				name := fmt.Sprintf("%s, %d balls, step %d", test.name, n, step)
				assembly.solve()
				contacts.UseAVX2(false)
				plain.solve()
				contacts.UseAVX2(true)
				some, none := assembly.solver.Batches(), plain.solver.Batches()
				if none > 0 || step == 0 && n >= 20 && some < 2 != test.slanted {
					t.Fatalf("%s: %d and %d batches, want some (unless slanted) and none", name, some, none)
				}
				for k := range assembly.bodies {
					if a, b := assembly.velocity(k), plain.velocity(k); !a.SameBits(b) {
						t.Fatalf("%s: ball %d has velocity %v, want %v", name, k, a, b)
					}
					if a, b := assembly.spin(k), plain.spin(k); !a.SameBits(b) {
						t.Fatalf("%s: ball %d has angular velocity %v, want %v", name, k, a, b)
					}
				}
				if !slices.Equal(assembly.history, plain.history) { // but for the signs of zeros
					t.Fatalf("%s: histories %v, want %v", name, assembly.history, plain.history)
				}
				assembly.move()
				plain.move()
			}
		}
	}
}

// Rounding makes a normal some 2^-53 shorter or longer along the axes that are not locked. That
// counted as a locked axis that turns friction aside, which batches can't do, so no heap of a 2D
// game was solved in batches.
func TestAHeapIn2DIsSolvedInBatches(t *testing.T) {
	if !contacts.UseAVX2(true) {
		contacts.UseAVX2(false)
		t.Skip("this processor has no AVX2")
	}
	s := newScene()
	s.friction = contacts.FrictionCoefficients{Static: 0.3, Dynamic: 0.3}
	floor := s.floor(surface{normal: collide.Vec3{Y: 1}, friction: s.friction})
	r := rand.New(rand.NewPCG(3, 4))
	for k := range 60 {
		row, column := k/10, k%10
		x := collide.Vec3{X: float64(column) + float64(row%2)/2, Y: 0.5 + float64(row)*math.Sqrt(0.75)}
		s.ball(x, 0.5, 1+r.Float64(), collide.Vec3{X: r.Float64()})
		s.bodies[k].InverseInertia, s.bodies[k].Mobility.Z = 0, 0
		if row == 0 {
			s.contact(k, floor)
		}
		for j := range k {
			if _, gap := s.normal(pair{j, k}); gap < 1e-9 {
				s.contact(j, k)
			}
		}
	}
	s.solve()
	if n := s.solver.Batches(); n < 20 {
		t.Errorf("%d batches for %d contacts", n, len(s.pairs))
	}
}

// What ends approaches goes through all contacts in the assembly, and only through those of bodies
// that have been moved in Go.
func TestEndingApproachesInBatchesGivesTheSameBitsAsGo(t *testing.T) {
	if !contacts.UseAVX2(true) {
		contacts.UseAVX2(false)
		t.Skip("this processor has no AVX2")
	}
	defer contacts.UseAVX2(true)
	for n := range 8 {
		heap := func(avx2 bool) *scene {
			contacts.UseAVX2(avx2)
			r := rand.New(rand.NewPCG(2000, uint64(n)))
			s := pyramid(8 + n)
			s.friction = contacts.FrictionCoefficients{Static: 0.35, Dynamic: 0.35}
			for k := range s.bodies {
				s.bodies[k].Velocity = direction(r).Scale(r.Float64() * r.Float64())
			}
			s.solve()
			return s
		}
		assembly, plain := heap(true), heap(false)
		if some, none := assembly.solver.Batches(), plain.solver.Batches(); some == 0 || none > 0 {
			t.Fatalf("heap %d: %d and %d batches, want some and none", n, some, none)
		}
		for k := range assembly.bodies {
			if a, b := assembly.velocity(k), plain.velocity(k); !a.SameBits(b) {
				t.Fatalf("heap %d: ball %d has velocity %v, want %v", n, k, a, b)
			}
		}
		if !slices.Equal(assembly.history, plain.history) {
			t.Fatalf("heap %d: histories differ", n)
		}
	}
}
