package systems

import (
	"iter"

	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
)

// Path returns the path of a body (a sphere or a dynamic shape) in the last step: the times in
// seconds since the step began, and the positions of its Transform, at the beginning, at each
// impact that changed its motion, and at the end. Between them it moved along straight lines, or
// with [Config.Parabolic] along parabolas. It is for drawing and for finding out what happened;
// [Physics.Interpolated] returns single positions.
//
// Paths are recorded from the step after the first call of Path or Interpolated on. Before that,
// the path has only its beginning and its end. Both are the place of a body that the game has
// moved, once [Physics.Sync] has read it. It is empty for other entities.
func (p *Physics) Path(entity donburi.Entity) iter.Seq2[float64, collide.Vec3] {
	p.bridge.KeepPaths()
	return func(yield func(float64, collide.Vec3) bool) {
		handle, ok := p.bridge.Handle(entity)
		if !ok || handle.IsSurface() || !yield(0, p.space.StartPosition(handle.Body())) {
			return
		}
		more := true
		p.space.Turns(handle.Body(), func(t float64, at collide.Vec3) bool {
			more = yield(t, at)
			return more
		})
		if more {
			end, _ := p.space.Motion(handle.Body())
			yield(p.config.StepSeconds, end)
		}
	}
}

// Cell returns the cell of the broadphase's grid in which a body was in the last step, for
// drawing. In a world in which all centres are in one plane the cell has no depth. The result is
// false for other entities, and for bodies that are too fast for cells. Steps that several workers
// share leave cells as they were.
func (p *Physics) Cell(entity donburi.Entity) (collide.AABB, bool) {
	handle, ok := p.bridge.Handle(entity)
	if !ok || handle.IsSurface() {
		return collide.AABB{}, false
	}
	return p.space.CellOf(handle.Body())
}
