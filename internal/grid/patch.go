package grid

// Patch is the cells of a zone as they lie in memory, for who looks into them on its own: slots, counted from Slots on, in so many rows. Where that is
// an odd number an empty row follows, for who takes them in pairs. Up to eight slots may be read from where a row begins.
type Patch struct {
	Slots  *int32
	Rows   *Row
	Count  int
	Listed int // bodies that belong to it and are listed already
}

const (
	// MostInRows is how many slots the rows of a patch have at most.
	MostInRows = 9 * 6

	// MostListed is how many bodies Patch lists at most: more than there ever are in a cell but of a heap of small ones.
	MostListed = 64
)

// Patch returns the cells of a zone about body i. It is false where they don't lie in rows, as at the edges of the torus, or where the bodies of other levels matter too, or those that roam.
//
// Of After those that share the cell with the body are a part. They go to listed.
func (g *Grid) Patch(i int32, z Zone, listed []int32) (Patch, bool) {
	p, lv := &g.places[i], &g.levels[0]
	c := &lv.zones[z]
	if len(g.levels) > 1 || len(g.roaming) > 0 || c.n == 0 || p.at < 0 {
		return Patch{}, false
	}
	n := 0
	if z == After {
		for j := g.link(i).next; j >= 0; j = g.link(j).next {
			if n == len(listed) {
				return Patch{}, false
			}
			listed[n] = j
			n++
		}
	}
	return Patch{&lv.lives[p.at], &c.rows[0], c.n, n}, true
}
