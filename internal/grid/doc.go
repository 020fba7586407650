// Package grid finds the bodies near a moving body: a hierarchy of uniform grids that is updated
// whenever a body crosses from one cell to the next.
//
// Each body is stored in one cell of one level. The level is chosen by the body's size, and by its
// speed. The grid is correct because of three invariants:
//
//   - Same level: two bodies that touch are in the same cell or in neighbouring cells, because a
//     cell is wider than every body of its level. A body on a new path therefore searches the cells
//     around it once ([Grid.Neighbors]), and afterwards only the layer of cells that each crossing
//     brings near ([Grid.FaceNeighbors]).
//   - Different levels: a body on a new path searches each other level for all bodies that could
//     touch it, given the paths that both have now. Coarser levels it searches for the rest of the
//     step: only a new path can make such a pair touch later, and that body then searches in its
//     turn. Finer levels it searches for a short time ahead, and again when that is over
//     ([Grid.NextSearch], [Grid.FinerNeighbors]). Crossings don't matter across levels.
//   - Unbinned bodies: a body that has crossed very many cells, and would cross many more, is taken
//     out of its cell for the rest of its path. It is tested with all other bodies once, and every
//     body that starts on a new path is tested with it. When the unbinned body itself starts on a
//     new path, it returns to a cell. No body is unbinned when a step begins.
//
// The cells of a level form a torus, so the world has no edge and memory doesn't depend on its
// size. Bodies that are far apart may share a cell; that costs a test and changes no result.
//
// Read grid.go (storage), layout.go (cells), levels.go (what levels there are), stencil.go (cells
// around a cell), neighbors.go (the searches), crossing.go, cross_level.go, unbinned.go, query.go.
// The remaining files serve the solver's assembly, view.go and stencil_amd64.go, and the debug
// build, debug_on.go.
package grid
