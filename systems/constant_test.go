package systems_test

import (
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// constantFloor is a floor of constant tiles of 1 m, and a ball that falls on the tile at x = 0.
type constantFloor struct {
	w     donburi.World
	tiles []*donburi.Entry
	ball  *donburi.Entry
}

func newConstantFloor() *constantFloor {
	f := &constantFloor{w: donburi.NewWorld()}
	for i := range 200 {
		f.tiles = append(f.tiles, spawn(f.w, at(float64(i), 0, 0), square(0.5), components.ConstantData{}))
	}
	f.ball = ball(f.w, vec(0, 0.25, 0), vec(0, 0, 0), 0.25)
	return f
}

func TestConstantPolygonsMayBeCreatedAndRemoved(t *testing.T) {
	for name, change := range map[string]func(f *constantFloor){
		"removed": func(f *constantFloor) { f.tiles[0].Remove() },
		"another one is created": func(f *constantFloor) {
			f.tiles[0].Remove()
			spawn(f.w, at(-50, 0, 0), square(0.5), components.ConstantData{})
		},
		"another one was created before": func(f *constantFloor) {
			spawn(f.w, at(-50, 0, 0), square(0.5), components.ConstantData{})
			f.tiles[0].Remove()
		},
		"not constant any more, and moved away": func(f *constantFloor) {
			f.tiles[0].RemoveComponent(components.Constant)
			set(f.tiles[0], at(0, -50, 0))
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newConstantFloor()
			p := onEarth()
			steps(t, f.w, p, 10)
			if y := position(f.ball).Y; !near(y, 0.25, 1e-9) {
				t.Fatalf("on the tile the ball is at height %v, want 0.25", y)
			}
			change(f)
			steps(t, f.w, p, 30)
			if y := position(f.ball).Y; y > -0.5 {
				t.Errorf("without the tile the ball is at height %v, want it to fall", y)
			}
		})
	}
}

func TestAConstantPolygonThatIsCreatedLaterIsSolid(t *testing.T) {
	f := newConstantFloor()
	p := onEarth()
	steps(t, f.w, p, 10)
	spawn(f.w, at(-50, 0, 0), square(0.5), components.ConstantData{})
	b := ball(f.w, vec(-50, 0.25, 0), vec(0, 0, 0), 0.25)
	steps(t, f.w, p, 30)
	if y := position(b).Y; !near(y, 0.25, 1e-9) {
		t.Errorf("the ball is at height %v, want 0.25: on the new tile", y)
	}
}

// What makes a component constant is that its changes need not be looked for.
func TestAConstantPolygonStaysWhereItWasRead(t *testing.T) {
	f := newConstantFloor()
	p := onEarth()
	steps(t, f.w, p, 10)
	components.Transform.Get(f.tiles[0]).Position.Y = -50
	steps(t, f.w, p, 30)
	if y := position(f.ball).Y; !near(y, 0.25, 1e-9) {
		t.Errorf("the ball is at height %v, want 0.25", y)
	}
}

// An invalid entity is reported in every step, constant or not.
func TestAnInvalidConstantEntityIsReportedInEveryStep(t *testing.T) {
	f := newConstantFloor()
	spawn(f.w, at(0, 0, 0), components.PolygonColliderData{}, components.ConstantData{})
	p := onEarth()
	for n := range 5 {
		p.Step(f.w)
		if got := len(errorsOf(p)); got != 1 {
			t.Fatalf("step %d: %d errors, want 1", n, got)
		}
	}
}
