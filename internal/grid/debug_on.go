//go:build dangodebug

package grid

import (
	"fmt"
	"math"

	"github.com/dango-physics/dango/collide"
)

// The checks of this file are called by package solver, which knows where bodies are.

// cellTolerance is how far beside its cell a body may be, in cells, for the rounding of its
// position and of the times of crossings. Cells are wider than bodies by cellSlack, so a pair that
// touches is still found.
const cellTolerance = cellSlack - 1

// CheckBody returns an error if body i, which is in the world, is not in the cell that contains
// center. The center may be wrong by rounding, in metres.
func (g *Grid) CheckBody(i int32, center collide.Vec3, rounding, diameter float64) error {
	p := &g.locations[i]
	if p.level < 0 || int(p.level) >= len(g.levels) {
		return fmt.Errorf("grid: body %d is on level %d of %d, want it in the grid", i, p.level, len(g.levels))
	}
	lv := &g.levels[p.level]
	if diameter*cellSlack > lv.size || diameter > lv.maxDiameter {
		return fmt.Errorf("grid: body %d of diameter %v is on level %d, of cells of %v m and bodies up to %v m, "+
			"want it to fit",
			i, diameter, p.level, lv.size, lv.maxDiameter)
	}
	if p.isUnbinned() {
		return nil
	}
	tolerance := cellTolerance + float64(rounding*lv.inverse)
	for axis, x := range [3]float64{center.X, center.Y, center.Z} {
		cell := float64(p.cell[axis])
		if g.flat[axis] {
			if cell != 0 {
				return fmt.Errorf("grid: body %d is in cell %v of axis %d, want 0 on a flat axis", i, p.cell, axis)
			}
			continue
		}
		at := min(max(float64((x-lv.origin[axis])*lv.inverse), -farthest), farthest)
		if !(at >= cell-tolerance && at <= cell+1+tolerance) {
			return fmt.Errorf("grid: body %d at %v is in cell %v of level %d, want it in cell %v on axis %d",
				i, center, p.cell, p.level, math.Floor(at), axis)
		}
	}
	return nil
}

// CheckLists returns an error if the lists of cells and levels do not agree with where the bodies
// are stored. There are so many bodies in the world.
func (g *Grid) CheckLists(bodies int) error {
	count := len(g.unbinned)
	for l := range g.levels {
		lv := &g.levels[l]
		count += len(lv.bodies)
		for k, i := range lv.bodies {
			if p := &g.locations[i]; int(p.level) != l || p.isUnbinned() || g.index[i] != int32(k) {
				return fmt.Errorf("grid: body %d is number %d of level %d, but its own level is %d, its number "+
					"%d, and unbinned is %v",
					i, k, l, p.level, g.index[i], p.isUnbinned())
			}
		}
		for _, i := range lv.fast {
			if p := &g.locations[i]; !p.isFast || int(p.level) != l {
				return fmt.Errorf("grid: body %d is a fast one of level %d, but its own level is %d and isFast %v",
					i, l, p.level, p.isFast)
			}
		}
		linked := 0
		for c := range lv.n[0] * lv.n[1] * lv.n[2] {
			n, err := g.checkCell(lv, int32(l), c*lv.perCell)
			if err != nil {
				return err
			}
			linked += n
		}
		if linked != len(lv.bodies) {
			return fmt.Errorf("grid: the cells of level %d contain %d bodies, want %d", l, linked, len(lv.bodies))
		}
	}
	for k, i := range g.unbinned {
		if p := &g.locations[i]; !p.isUnbinned() || g.index[i] != int32(k) {
			return fmt.Errorf("grid: body %d is unbinned number %d, but its own number is %d and unbinned %v", i,
				k, g.index[i], p.isUnbinned())
		}
	}
	if count != bodies {
		return fmt.Errorf("grid: the grid contains %d bodies, want %d", count, bodies)
	}
	return nil
}

// checkCell returns an error if a body in the cell with that first slot is stored elsewhere, and
// otherwise how many bodies the cell contains.
func (g *Grid) checkCell(lv *level, l, slot int32) (n int, err error) {
	slots := lv.slotsAt(slot)
	last := len(slots) - 1
	for k, j := range slots {
		if j < 0 {
			continue
		}
		if j >= more && (k < last || g.next[j&^more] < 0) || k > 0 && slots[k-1] < 0 {
			return 0, fmt.Errorf("grid: slot %d of level %d contains %d after %d, want bodies in the first slots and "+
				"only the last with a follower",
				slot+int32(k), l, j, slots[max(k-1, 0)])
		}
		for i, follows := j&^more, j >= more; i >= 0; n++ {
			p := &g.locations[i]
			if at := lv.slotOf(&p.cell); p.level != int8(l) || p.isUnbinned() || p.slot != at || max(at, ^at) != slot {
				return 0, fmt.Errorf("grid: body %d is in the cell of slot %d of level %d, but stored in cell %v, "+
					"slot %d of level %d",
					i, slot, l, p.cell, p.slot, p.level)
			}
			if n > len(lv.bodies) {
				return 0, fmt.Errorf("grid: the list of slot %d of level %d has no end", slot, l)
			}
			if !follows {
				i = -1
			} else {
				i = g.next[i]
			}
		}
	}
	return n, nil
}
