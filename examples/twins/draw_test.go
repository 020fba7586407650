package twins

import (
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
)

// A press outside of both boxes dragged the ball at which the pointer had been last. A drag that
// leaves a box goes on.
func TestAPressBesideTheBoxesDragsNothing(t *testing.T) {
	v := New(1).(*view)
	v.Reset()
	in := stage.Input{W: 900, H: 700, Scale: 1}
	ball := v.scene.twins[0].balls[0]
	over := func() stage.Pt {
		return cameras(in.W, in.H, in.Scale)[0].At(components.Transform.Get(ball).Position)
	}
	outside := stage.Pt{X: 450, Y: 690}
	in.Pointer = over()
	v.Step(in)
	in.Pointer, in.Held = outside, true
	for range 3 {
		v.Step(in)
	}
	if v.scene.touched {
		t.Fatal("a press on the texts drags a ball")
	}
	in.Held = false
	v.Step(in)
	in.Pointer, in.Held = over(), true
	v.Step(in)
	if !v.scene.touched {
		t.Fatal("a press on a ball doesn't drag it")
	}
	v.scene.touched, in.Pointer = false, outside
	if v.Step(in); !v.scene.touched {
		t.Error("a drag ends where it leaves the box")
	}
}
