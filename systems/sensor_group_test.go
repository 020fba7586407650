package systems_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A lift moves up under balls until they meet a ceiling, which slows it down and stops it. Sensors
// move with it, a ball and a box, and others come and go there. After each step the open overlaps
// are those that there are, also in the steps in which all of that moves more slowly than its
// velocity says.
func TestSensorsOfASlowedGroupNoticeWhoComesAndGoes(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for scene := range 4 {
		w := donburi.NewWorld()
		config := systems.Config{Workers: 1 + scene/2}
		lift := tile(w, 0, 0, moving(0, 0.5, 0))
		tile(w, 0, 3)
		if scene%2 == 0 {
			config.Gravity = vec(0, -9.81, 0) // the contact solver slows it down, later an impact stops it
		}
		for k := range 6 {
			ball(w, vec(0.3*float64(k%2), 0.3+0.5*float64(k), 0.1*float64(k%3)), vec(0, 0, 0), 0.25)
		}
		sensors := []*donburi.Entry{
			spawn(w, at(10, position(lift).Y, 0), sphere(1), components.SensorData{}, follows(lift)),
			spawn(w, at(20, position(lift).Y, 0), components.ShapeColliderData{Shape: collide.Box{Half: vec(1, 1, 1)}},
				components.SensorData{}, follows(lift)),
		}
		var visitors []*donburi.Entry
		for _, s := range sensors {
			for k := range 60 {
				y := 0.1*float64(k) - 3
				v := 0.1 * float64(k%5)
				visitors = append(visitors, kinematicBall(w, position(s).Add(vec(0, y, 0)), vec(0, v, 0), 0.2))
			}
		}
		p := systems.NewPhysics(config)
		p.ForceParallelFrom(10)
		open, ends, slowed := map[string]bool{}, 0, 0
		for step := range 400 {
			before := position(lift).Y
			p.Step(w)
			if moved := position(lift).Y - before; moved < 0.98*0.5*tick {
				slowed++
			}
			began := map[string]float64{}
			for e := range p.ContactBegins() {
				open[fmt.Sprint(e.A, e.B)], began[fmt.Sprint(e.A, e.B)] = true, e.Time
			}
			for e := range p.ContactEnds() {
				pair := fmt.Sprint(e.A, e.B)
				if t, begins := began[pair]; !begins || t <= e.Time { // otherwise it ended before it began again
					delete(open, pair)
				}
				ends++
			}
			for _, s := range sensors {
				for _, v := range visitors {
					d := position(v).Sub(position(s))
					gap := d.Length() - 1.2
					if s == sensors[1] {
						beside := func(x float64) float64 { return max(0, math.Abs(x)-1) }
						gap = vec(beside(d.X), beside(d.Y), beside(d.Z)).Length() - 0.2
					}
					is := open[fmt.Sprint(v.Entity(), s.Entity())] || open[fmt.Sprint(s.Entity(), v.Entity())]
					if math.Abs(gap) > 1e-9 && is != (gap < 0) {
						t.Fatalf("scene %d, step %d: gap %v between %v and %v, overlap %v",
							scene, step, gap, v.Entity(), s.Entity(), is)
					}
				}
			}
		}
		if slowed < 30 || ends < 40 {
			t.Errorf("scene %d: %d steps in which it is slowed down, %d ends, want more", scene, slowed, ends)
		}
	}
}

// A sensor in a group that rotates was accepted, and all that entered it did so at time 0.
func TestASensorInAGroupThatRotatesIsAnError(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
	leader := spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, 1))
	s := spawn(w, at(3, 0, 0), components.ShapeColliderData{Shape: collide.Box{Half: vec(2, 0.1, 1)}},
		components.SensorData{}, follows(leader))
	p.Step(w)
	got := errorsOf(p)
	if len(got) != 1 || got[0].Entity != s.Entity() ||
		!strings.Contains(got[0].Error(), "KinematicGroup.Leader (rotates) can't lead a sensor") {
		t.Errorf("errors %v, want one of the sensor", got)
	}
	components.AngularVelocity.Get(leader).Angular.Z = 0
	p.Step(w)
	expectNoErrors(t, p)
}
