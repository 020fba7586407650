package stage

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// Hand drags bodies with the pointer and throws them: spheres, and dynamic bodies with one shape.
type Hand struct {
	Fastest float64 // m/s at which it pulls at most; 0 stands for 30 radii in a step

	world donburi.World
	body  donburi.Entity
	grip  collide.Vec3 // from the pointer to the body's centre
	held  bool
	far   float64 // distance of the body from the eye, along its direction; 0 without a body

	drags  bool  // the finger was pressed on a body: see Grab
	finger int   // its ID
	known  []int // IDs of all that were pressed in the last tick
}

// mouseID is the ID of the mouse, and no finger's.
const mouseID = -1

// Grab lets the mouse or a finger drag if it was pressed on a body, and returns the input without
// it; one that was pressed beside all bodies stays in the input. The function is to call Drag or
// DragThrough with the position of the pointer on the canvas.
func (h *Hand) Grab(in Input, drag func(at Pt, held bool) bool) Input {
	if in.W == 0 {
		return in // there is no window
	}
	presses := in.Fingers
	if len(presses) == 0 && in.Held {
		presses = []Finger{{mouseID, in.Pointer}}
	}
	at := slices.IndexFunc(presses, func(f Finger) bool { return h.drags && f.ID == h.finger })
	if at >= 0 {
		drag(presses[at].At, true)
	} else {
		drag(Pt{}, false)
		for i, f := range presses {
			if slices.Contains(h.known, f.ID) {
				continue
			}
			if drag(f.At, true) {
				at, h.finger = i, f.ID
				break
			}
			drag(f.At, false)
		}
	}
	h.drags = at >= 0
	h.known = h.known[:0]
	for _, f := range presses {
		h.known = append(h.known, f.ID)
	}
	if !h.drags {
		return in
	}
	if in.Pointer == presses[at].At {
		in.Held = false
	}
	if len(in.Fingers) > 0 {
		in.Fingers = slices.Delete(slices.Clone(in.Fingers), at, at+1)
	}
	return in
}

// DragThrough is Drag for worlds in three dimensions: it drags the body that the ray from the eye
// through the pointer hits, in the plane at its distance from the eye. The eye looks ahead.
func (h *Hand) DragThrough(
	p *systems.Physics, w donburi.World, eye, ray, ahead collide.Vec3, held bool, accept func(donburi.Entity) bool,
) bool {
	if !held {
		h.far = 0
		return h.Drag(p, w, collide.Vec3{}, 0, false)
	}
	perMetre := ray.Dot(ahead) / ahead.Length()
	if !h.held {
		if hit, ok := p.RayCast(eye, ray, math.Inf(1), systems.Filter{Accept: accept}); ok {
			h.far = hit.Point.Sub(eye).Dot(ahead) / ahead.Length()
		}
	}
	const reach = 1e-3 // m; the ray has found a point of the body
	if h.far == 0 {
		h.held = true // it missed, and has to be pressed again
		return false
	}
	return h.Drag(p, w, eye.AddScaled(h.far/perMetre, ray), reach, true)
}

// Drag picks the body within reach of at when the pointer is pressed, pulls it along while it is
// held, and lets it fly when it is released. It reports whether it holds one. Call it before each
// step.
func (h *Hand) Drag(p *systems.Physics, w donburi.World, at collide.Vec3, reach float64, held bool) bool {
	const pull, fastest = 12.0, 30.0 // 1/s, and radii per step
	if held && !h.held {
		h.world, h.body = w, donburi.Null
		best := math.Inf(1)
		for e := range p.OverlapSphere(collide.Sphere{Center: at, Radius: reach}, systems.Filter{}) {
			entry := w.Entry(e)
			size, ok := sizeOf(entry)
			if !ok {
				continue
			}
			centre := components.Transform.Get(entry).Position
			if d := centre.Distance(at) - size; d <= best {
				best, h.body, h.grip = d, e, centre.Sub(at)
			}
		}
	}
	h.held = held
	if !held || h.world != w || h.body == donburi.Null || !w.Valid(h.body) {
		h.body = donburi.Null
		return false
	}
	e := w.Entry(h.body)
	v := at.Add(h.grip).Sub(components.Transform.Get(e).Position).Scale(pull)
	most := h.Fastest
	if most == 0 {
		size, _ := sizeOf(e)
		most = fastest * 60 * size
	}
	if l := v.Length(); l > most {
		v = v.Scale(most / l)
	}
	components.Velocity.Get(e).Linear = v
	return true
}

// sizeOf returns the radius of a body that can be dragged, or half the length of its longest side.
func sizeOf(e *donburi.Entry) (float64, bool) {
	switch {
	case !e.HasComponent(components.Velocity):
		return 0, false
	case e.HasComponent(components.SphereCollider):
		return components.SphereCollider.Get(e).Radius, true
	case e.HasComponent(components.ShapeCollider) && e.HasComponent(components.Body):
		shape := components.ShapeCollider.Get(e).Shape
		if components.Body.Get(e).Kind != components.Dynamic || shape == nil {
			return 0, false
		}
		b := shape.Bounds()
		return b.Max.Sub(b.Min).MaxAbs() / 2, true
	}
	return 0, false
}
