package pile

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// gauge measures the overlap of balls, independently of the library. It sorts balls into cells as
// wide as the largest ball, and tests each pair in neighbouring cells.
type gauge struct {
	balls []collide.Sphere
	first [cellsX * cellsY * cellsZ]int32 // the last ball in a cell, counted from 1; 0 for none
	next  []int32                         // the one before it in the same cell
}

// Cells around the bin. Those at the border also contain balls farther outside.
const (
	cellsX = 22
	cellsY = 36
	cellsZ = 16
)

// cellOf returns the cell of a position.
func cellOf(v collide.Vec3) (x, y, z int) {
	at := func(x float64, n int) int { return min(max(int(x/(2*mostRadius)+float64(n)/2), 0), n-1) }
	return at(v.X, cellsX), at(v.Y-2, cellsY), at(v.Z, cellsZ)
}

// fill sorts the balls into cells.
func (g *gauge) fill(balls []*donburi.Entry) {
	g.balls = g.balls[:0]
	for _, e := range balls {
		g.balls = append(g.balls, collide.Sphere{
			Center: components.Transform.Get(e).Position,
			Radius: components.SphereCollider.Get(e).Radius,
		})
	}
}

// overlap returns the deepest overlap of two balls in metres; 0 if there is none.
func (g *gauge) overlap() float64 {
	clear(g.first[:])
	g.next = g.next[:0]
	worst := 0.0
	for i, a := range g.balls {
		x, y, z := cellOf(a.Center)
		for cx := max(x-1, 0); cx <= min(x+1, cellsX-1); cx++ {
			for cy := max(y-1, 0); cy <= min(y+1, cellsY-1); cy++ {
				for cz := max(z-1, 0); cz <= min(z+1, cellsZ-1); cz++ {
					for j := g.first[(cx*cellsY+cy)*cellsZ+cz]; j > 0; j = g.next[j-1] {
						b := g.balls[j-1]
						r := a.Radius + b.Radius
						if a.Center.Sub(b.Center).LengthSquared() < r*r {
							worst = max(worst, r-a.Center.Distance(b.Center))
						}
					}
				}
			}
		}
		k := (x*cellsY+y)*cellsZ + z
		g.next = append(g.next, g.first[k])
		g.first[k] = int32(i + 1)
	}
	return worst
}
