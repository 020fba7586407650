package solver

import (
	"slices"

	"github.com/dango-physics/dango/internal/grow"
	"github.com/dango-physics/dango/internal/workers"
)

// Bodies on meshes need many distances to facets in a step. Where there are enough of them, the
// loops that ask for these run in chunks, one for each worker: loops over bodies or contacts in
// which nothing changes what others read, or depends on the order. What depends on the order, such
// as which contact comes first, is done afterwards, by one worker and in the order of the loop. So
// results are the same to the bit for any number of workers.
//
// What is about one body belongs to the same chunk in all loops. Most of what a chunk reads is then
// in the caches of its worker, and no two workers ask one Around. Heaps without facets gain
// nothing. See docs/decisions/parallel-step.md.

// chunkedLoop is a loop that runs in chunks.
type chunkedLoop struct {
	space  *Space
	do     func(s *Space, c *loopChunk)
	chunks []loopChunk
	copies []Space // for each chunk: a copy of the space, with scratch of its own
	run    func(worker, k int)
}

// loopChunk is a chunk of a loop: which bodies it has, and what it has found.
type loopChunk struct {
	number, of int
	impacts    []surfaceImpact // see findFirstSurfaces
	overlaps   []overlapPair   // likewise
	neighbors  []int32         // see findChunkNeighbors
	read       int             // how many of neighbors have been read
}

// surfaceImpact is an impact of body i with surface or facet k at time t of the step.
type surfaceImpact struct {
	t    float64
	i, k int32
}

const (
	// contactsAWorker is how many contacts a step with facets has for each worker that gets a chunk
	// of its loops. With fewer, waking the worker and copying the space takes longer than it saves.
	contactsAWorker = 128

	// chunkBlock is how many bodies with IDs in a row are in one chunk. With one, bodies that share
	// a cache line would be in different chunks, and workers would wait for each other.
	chunkBlock = 32
)

// has reports whether a chunk has what is about the body with an ID.
func (c *loopChunk) has(id int32) bool { return int(id)/chunkBlock%c.of == c.number }

// runChunks calls do for all chunks of a loop at the same time, and returns true. Each call gets a
// copy of the space: do may change what is about its bodies in the arrays of the space, but not the
// lengths of these, nor other fields. If one worker runs the loops of this step, runChunks returns
// false.
func (s *Space) runChunks(do func(s *Space, c *loopChunk)) bool {
	if !s.chunksLoops {
		return false
	}
	l := s.loop
	if l == nil {
		l = &chunkedLoop{space: s}
		l.run = l.runChunk
		s.loop = l
	}
	n := min(s.Workers, max(2, len(s.solverContacts)/contactsAWorker))
	l.do, l.chunks, l.copies = do, grow.Resize(l.chunks, n), grow.Resize(l.copies, n)
	s.Pool.Acquire(workers.Solving, n, n)
	defer s.Pool.Release()
	s.Pool.Run(n, l.run)
	return true
}

// runChunk runs chunk k of the loop. Meanwhile nothing in the space changes but elements of its
// arrays.
func (l *chunkedLoop) runChunk(_, k int) {
	c, s := &l.chunks[k], &l.copies[k]
	*c = loopChunk{k, len(l.chunks), c.impacts[:0], c.overlaps[:0], c.neighbors[:0], 0}
	nearby, surfaces := s.nearby, s.nearSurfaces
	*s = *l.space
	s.nearby, s.nearSurfaces = nearby[:0], surfaces[:0]
	l.do(s, c)
}

// findGone finds which of the contacts of a chunk have ended, and with which tile they continue.
func (s *Space) findGone(c *loopChunk) {
	for k := range s.solverContacts {
		if h := &s.solverContacts[k]; c.has(h.a) {
			if h.gone, h.left = s.hasEnded(h); h.left {
				h.next = s.nextTile(h)
			}
		}
	}
}

// findLasting finds which of the open contacts of a chunk last.
func (s *Space) findLasting(c *loopChunk) {
	for k := range s.openContacts.Len() {
		if p := s.openContacts.Open(k); c.has(max(p.A, p.B)) {
			s.lasting[k] = s.keepsTouching(p.A, p.B)
		}
	}
}

// predictFirstSurfaces has several workers predict the first impacts with surfaces of the bodies of
// predictedBodies.
func (s *Space) predictFirstSurfaces() bool {
	if !s.chunksLoops {
		return false
	}
	s.surfaceImpacts = grow.Extend(s.surfaceImpacts, len(s.bodies)) // chunks don't change its length
	s.runChunks((*Space).findFirstSurfaces)
	for k := range s.loop.chunks {
		c := &s.loop.chunks[k]
		s.overlapPairs = append(s.overlapPairs, c.overlaps...)
		for _, e := range c.impacts {
			s.push(e.t, e.i, codeOf(e.k))
		}
	}
	return true
}

// findFirstSurfaces predicts the first impacts of the bodies of a chunk with surfaces.
func (s *Space) findFirstSurfaces(c *loopChunk) {
	s.overlapPairs = c.overlaps
	for _, i := range s.predictedBodies {
		if c.has(s.infos[i].id) && s.predictsSurfaces(i) {
			if t, k := s.firstSurface(i); k >= 0 {
				c.impacts = append(c.impacts, surfaceImpact{t, i, k})
			}
		}
	}
	c.overlaps = s.overlapPairs
}

// findNeighbors has several workers search for what is near the bodies that are in contacts
// already.
func (s *Space) findNeighbors() bool {
	if s.chunksLoops && s.statics.Facets() > 0 {
		for k := range s.contactBodies {
			s.needAround(s.contactBodies[k].index)
		}
	}
	return s.runChunks((*Space).findChunkNeighbors)
}

// findChunkNeighbors searches for the bodies of a chunk that are in contacts. For each that
// searches, it notes in loopChunk.neighbors the number of the body in the contact solver, how many
// bodies and surfaces are near, and these.
func (s *Space) findChunkNeighbors(c *loopChunk) {
	for k := range s.contactBodies {
		b := &s.contactBodies[k]
		id := s.infos[b.index].id
		if !c.has(id) || !b.member || !s.contactSolver.Movable(int32(k)) ||
			!s.searchesNear(b.index, &s.neighborSearches[id]) {
			continue
		}
		s.listNearContacts(int32(k), b.index)
		c.neighbors = append(c.neighbors, int32(k), int32(len(s.nearby)), int32(len(s.nearSurfaces)))
		c.neighbors = append(append(c.neighbors, s.nearby...), s.nearSurfaces...)
	}
}

// takeNeighbors sets what listNearContacts sets for number k of the contact solver, a body with the
// given ID. It returns false if findNeighbors hasn't found it. It is called with increasing k.
func (s *Space) takeNeighbors(k, id int32) bool {
	at := slices.IndexFunc(s.loop.chunks, func(c loopChunk) bool { return c.has(id) })
	c := &s.loop.chunks[at]
	for c.read < len(c.neighbors) && c.neighbors[c.read] <= k {
		number, bodies, surfaces := c.neighbors[c.read], c.neighbors[c.read+1], c.neighbors[c.read+2]
		first := c.neighbors[c.read+3:]
		c.read += 3 + int(bodies+surfaces)
		if number == k {
			s.nearby = append(s.nearby[:0], first[:bodies]...)
			s.nearSurfaces = append(s.nearSurfaces[:0], first[bodies:bodies+surfaces]...)
			return true
		}
	}
	return false
}
