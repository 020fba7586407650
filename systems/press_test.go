package systems_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// press is two planes that close on each other along X at the given speed, from a to either side.
func press(w donburi.World, a, speed float64, more ...any) (jaws []*donburi.Entry) {
	return []*donburi.Entry{
		wall(w, vec(-a, 0, 0), vec(1, 0, 0), append([]any{moving(speed, 0, 0)}, more...)...),
		wall(w, vec(a, 0, 0), vec(-1, 0, 0), append([]any{moving(-speed, 0, 0)}, more...)...),
	}
}

// crushed returns what the last step says was crushed, by what.
func crushed(p *systems.Physics) map[donburi.Entity][]donburi.Entity {
	all := map[donburi.Entity][]donburi.Entity{}
	for c := range p.Crushed() {
		all[c.Entity] = append(all[c.Entity], c.Other)
	}
	return all
}

// Between the jaws of a press a ball is crushed: the jaws stop at it, and the game is told of it in every step.
func TestAPressStopsAtWhatItCrushes(t *testing.T) {
	for _, speed := range []float64{0.1, 3, 1000} {
		for _, gravity := range []float64{0, -earth} {
			w := donburi.NewWorld()
			jaws := press(w, 2, speed)
			wall(w, vec(0, -0.5, 0), vec(0, 1, 0))
			b := ball(w, vec(0.7, 0, 0), vec(0, 0, 0), 0.5)
			p := systems.NewPhysics(systems.Config{Gravity: vec(0, gravity, 0)})
			told, needs := 0, int(1.5/speed/tick)+2
			for step := range needs + 60 {
				steps(t, w, p, 1)
				bounds(t, []*donburi.Entry{b}, jaws)
				c := crushed(p)[b.Entity()]
				if len(c) > 0 {
					told++
				}
				if len(c) > 0 && step < int(0.9*1.5/speed/tick) {
					t.Fatalf("speed %v: crushed in step %d, before both jaws are at the ball", speed, step)
				}
			}
			if told < 58 {
				t.Errorf("speed %v: crushed in %d steps, want each of the last 60", speed, told)
			}
			// The jaws are as far apart as the ball is wide, and no closer.
			if gap := position(jaws[1]).X - position(jaws[0]).X; gap < 1-1e-9 || gap > 1+1e-9 {
				t.Errorf("speed %v: the jaws end %v apart, want 1", speed, gap)
			}
			if v := velocity(b).Length(); v > 1e-9 {
				t.Errorf("speed %v: what is crushed moves at %v", speed, v)
			}
		}
	}
}

// A press that closes on a heap squeezes it upwards, as long as there is somewhere to go. Nothing gets through a wall, and nothing overlaps, at any time; where
// a ball can't give way, the jaws wait.
func TestAPressSqueezesOutWhatCanGiveWay(t *testing.T) {
	for _, mu := range []float64{0, 0.4} {
		for seed := range uint64(fewer(2)) {
			w := donburi.NewWorld()
			balls := pouredInto(w, 30, seed, []any{rough(mu)}, rough(mu))
			p := onEarth()
			steps(t, w, p, 300)
			jaws := press(w, 1.7, 0.3, rough(mu))
			for range fewer(300) {
				steps(t, w, p, 1)
				bounds(t, balls, jaws)
			}
			// They have come closer than the heap was wide, over the least radii, or something is crushed.
			gap := position(jaws[1]).X - position(jaws[0]).X
			if gap > 2 && len(crushed(p)) == 0 && !testing.Short() {
				t.Errorf("friction %v, seed %d: the jaws are %v apart, and nothing is said to be crushed", mu, seed, gap)
			}
		}
	}
}

// In a box with a lid nothing can give way: everything that carries the press's load is crushed, and the press stands still.
func TestAPressOnAFullBoxIsToldAsCrushing(t *testing.T) {
	w := donburi.NewWorld()
	balls := pyramid(w, 2, restGap)
	lid := wall(w, vec(0, 4, 0), vec(0, -1, 0), moving(0, -0.5, 0))
	p := onEarth()
	// The four below are pushed apart until they touch the walls, 1.5 gaps each.
	lowest := 0.5 + math.Sqrt(1-2*(0.5+1.5*restGap)*(0.5+1.5*restGap)) + 0.5
	for range 600 {
		steps(t, w, p, 1)
		bounds(t, balls, []*donburi.Entry{lid})
	}
	if y := position(lid).Y; y < lowest-1e-6 || y > lowest+1e-6+3*restGap {
		t.Errorf("the lid is at %v, want %v", y, lowest)
	}
	if len(crushed(p)) == 0 {
		t.Error("nothing is said to be crushed")
	}
	for k, b := range balls {
		if v := velocity(b).Length(); v > 1e-3 {
			t.Errorf("ball %d moves at %v", k, v)
		}
	}
}

// A lift carries a pile up and down for a minute: nothing sinks into it, and the pile stays on it. Going down it is slower than a fall.
func TestALiftCarriesAPile(t *testing.T) {
	for _, mu := range []float64{0, 0.3} {
		w := donburi.NewWorld()
		balls := pouredInto(w, 30, 1, []any{rough(mu)}, rough(mu))
		var lift *donburi.Entry
		for _, e := range worldWalls(w) {
			if components.PlaneCollider.Get(e).Normal == vec(0, 1, 0) {
				lift = e
			}
		}
		donburi.Add(lift, components.Velocity, &components.VelocityData{})
		p := onEarth()
		steps(t, w, p, 300)
		const swing, rate = 2.0, 1.5 // metres and radians a second: at most 3 m/s and 4.5 m/s²
		n := fewer(3600)
		for step := range n {
			// The lift is where it should be at the end of each step.
			at := swing * (1 - math.Cos(rate*tick*float64(step+1)))
			components.Velocity.SetValue(lift, moving(0, (at-position(lift).Y)/tick, 0))
			steps(t, w, p, 1)
			if y := position(lift).Y; !near(y, at, 1e-9) {
				t.Fatalf("friction %v, step %d: the lift is at %v, want %v: what it carries stops it, %+v", mu, step, y, at, p.Stats())
			}
			bounds(t, balls, worldWalls(w))
			for k, b := range balls {
				if y := position(b).Y - position(lift).Y; y > 3 {
					t.Fatalf("friction %v, step %d: ball %d is %v over the lift", mu, step, k, y)
				}
			}
		}
		components.Velocity.SetValue(lift, moving(0, 0, 0))
		steps(t, w, p, 1200)
		rests(t, w, p, balls, 10)
	}
}

// On a lift at a steady speed a pile rests as on a floor.
func TestAPileRestsOnALiftAtASteadySpeed(t *testing.T) {
	for _, v := range []collide.Vec3{{Y: 2}, {Y: -2}} {
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0), moving(0, v.Y, 0))
		var balls []*donburi.Entry
		for k := range 5 {
			balls = append(balls, ball(w, vec(0, 0.5+float64(k), 0), v, 0.5))
		}
		p := onEarth()
		steps(t, w, p, 600)
		for k, b := range balls {
			// Ten metres or twenty, in steps of some centimetres: a rounding each.
			expectPosition(t, fmt.Sprintf("ball %d at %v", k, v), b, vec(0, 0.5+float64(k)+10*v.Y, 0), 1e-9+restGap*float64(k+1))
			// While those gaps open, at 1e-5 m/s at most, they don't quite go along: a speed that changes is never calm, and on a lift nothing is put to rest.
			expectVelocity(t, fmt.Sprintf("ball %d at %v", k, v), b, v, 1e-5)
		}
	}
}

// worldWalls returns the planes of w.
func worldWalls(w donburi.World) (all []*donburi.Entry) {
	newJudge().walls.Each(w, func(e *donburi.Entry) { all = append(all, e) })
	return all
}

// A bin in which down turns all the way round, as in one that is turned slowly: the balls fall from wall to wall.
//
// This is how a bin is to be turned. Walls that the game puts elsewhere, turned, jump: they are in the balls then, which are moved out of them only as far as there is room. Physics
// moves walls at their Velocity, and turns none.
func TestABinInWhichDownTurnsLosesNothing(t *testing.T) {
	for _, mu := range []float64{0, 0.4} {
		for seed := range uint64(fewer(2)) {
			w := donburi.NewWorld()
			balls, walls := closedBin(w, 30, seed, rough(mu))
			for _, b := range balls {
				components.Body.Get(b).Weightless = true
				donburi.Add(b, components.Force, &components.ForceData{})
			}
			p := onEarth()
			n := fewer(900)
			for step := range n {
				down := collide.RotationAround(vec(0.6, 0, 0.8), 4*math.Pi*float64(step)/float64(n)).Rotate(vec(0, -earth, 0))
				for _, b := range balls {
					components.Force.SetValue(b, components.ForceData{Force: down.Scale(mass(b))})
				}
				steps(t, w, p, 1)
				bounds(t, balls, walls)
			}
			steps(t, w, p, 1200)
			rests(t, w, p, balls, 5)
		}
	}
}
