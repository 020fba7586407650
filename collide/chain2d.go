package collide

import (
	"errors"
	"fmt"
	"math"
)

// Errors returned by [NewChain2D] and [NewPolygon2D], in addition to those of [NewMesh].
var (
	ErrChainPoints = errors.New("collide: a 2D chain needs two points or more, a 2D polygon three")
	ErrCrossing    = errors.New("collide: the sides of a 2D polygon cross or touch")
)

// NewChain2D returns the walls of a 2D game along a line through the given points of the plane z =
// 0. The front of a wall is to the right of the way from a point to the next where Y points up, and
// to the left where Y points down; options.TwoSided makes both sides solid. Nothing stumbles over
// points at which the walls are straight or concave. The error is [ErrChainPoints], or one of
// [NewMesh]: [ErrDegenerate] if a point is repeated.
//
// The result is a mesh of walls parallel to Z, so it takes part in all queries for meshes. Two
// triangles make a wall: triangles 2·i and 2·i+1 that from point i to the next.
func NewChain2D(points []Vec3, options MeshOptions) (*Mesh, error) {
	if len(points) < 2 {
		return nil, ErrChainPoints
	}
	m, err := chainMesh(points, false, options)
	var where *MeshError
	if errors.As(err, &where) && where.Err == ErrDegenerate {
		i := where.Triangle / 2
		return nil, &flatError{fmt.Sprintf("collide: points %d and %d of a 2D chain are the same", i, i+1), err}
	}
	return m, err
}

// flatError is an error in a 2D shape, in the words of what it was made of.
type flatError struct {
	text string
	err  error // of the mesh or hull
}

func (e *flatError) Error() string { return e.text }

// Unwrap returns the error of the mesh or hull.
func (e *flatError) Unwrap() error { return e.err }

// NewPolygon2D returns the outline of a polygon of a 2D game: of points of the plane z = 0 in
// either order around it. It may be concave. Its front is the outside. The error is
// [ErrChainPoints], [ErrCrossing] if sides cross or touch, or one of [NewMesh].
//
// As for [NewChain2D], the result is a mesh; triangles 2·i and 2·i+1 are the wall from point i to
// the next if the points run counter-clockwise, and from the next to point i otherwise. What lies
// wholly inside the outline touches nothing.
func NewPolygon2D(points []Vec3, options MeshOptions) (*Mesh, error) {
	if len(points) < 3 {
		return nil, ErrChainPoints
	}
	lowest := 0
	for i, p := range points {
		if !p.within(maxInput) {
			return nil, &MeshError{ErrPoint, -1, i}
		}
		if p.X < points[lowest].X || p.X == points[lowest].X && p.Y < points[lowest].Y {
			lowest = i
		}
		for j := range i {
			if sidesTouch(points, j, i) {
				return nil, ErrCrossing
			}
		}
	}
	n := len(points)
	// The lowest corner is convex.
	if turn2D(points[(lowest+n-1)%n], points[lowest], points[(lowest+1)%n]) < 0 {
		reversed := make([]Vec3, n)
		for i, p := range points {
			reversed[(n-i)%n] = p
		}
		m, err := chainMesh(reversed, true, options)
		if err != nil {
			return nil, err
		}
		for k := range m.triangles {
			// Wall w of the reversed points is that between points n-w and n-w-1.
			t := &m.triangles[k].original
			*t = uint32(2*(n-1)) - *t + 2*(*t%2)
		}
		return m, nil
	}
	return chainMesh(points, true, options)
}

// turn2D returns 1 if the way from a over b to c turns left, -1 if it turns right, and 0 if it is
// straight or turns back.
func turn2D(a, b, c Vec3) int {
	a.Z, b.Z, c.Z = 0, 0, 0
	above := a
	above.Z = 1 + 2*a.MaxAbs()
	return Orientation(a, b, c, above)
}

// sidesTouch reports whether side i of a polygon and side j > i touch, other than at the point that
// neighbours share.
func sidesTouch(points []Vec3, i, j int) bool {
	n := len(points)
	a, b, c, d := points[i], points[i+1], points[j], points[(j+1)%n]
	if max(a.X, b.X) < min(c.X, d.X) || max(c.X, d.X) < min(a.X, b.X) ||
		max(a.Y, b.Y) < min(c.Y, d.Y) || max(c.Y, d.Y) < min(a.Y, b.Y) {
		return false
	}
	switch {
	case j == i+1 && (j+1)%n == i:
		return true
	case j == i+1: // b is c
		return turn2D(a, b, d) == 0 && d.Sub(b).Dot(a.Sub(b)) > 0
	case (j+1)%n == i: // d is a
		return turn2D(c, a, b) == 0 && c.Sub(a).Dot(b.Sub(a)) > 0
	}
	return turn2D(a, b, c)*turn2D(a, b, d) <= 0 && turn2D(c, d, a)*turn2D(c, d, b) <= 0
}

// chainMesh returns the walls along points, and from the last to the first if closed is set.
func chainMesh(points []Vec3, closed bool, options MeshOptions) (*Mesh, error) {
	// Not deeper than that: triangles that are long and thin have normals of few digits.
	extent := 0.0
	for i, p := range points {
		if !p.within(maxInput) {
			return nil, &MeshError{ErrPoint, -1, i}
		}
		extent = max(extent, math.Abs(p.X-points[0].X), math.Abs(p.Y-points[0].Y))
	}
	depth := depth2D(4 * extent)
	vertices := make([]Vec3, 0, 2*len(points))
	var indices []uint32
	n := uint32(len(points))
	for i, p := range points {
		vertices = append(vertices, Vec3{p.X, p.Y, -depth}, Vec3{p.X, p.Y, depth})
		if k := uint32(i); k+1 < n || closed {
			a, b := 2*k, 2*((k+1)%n)
			indices = append(indices, a, b, b+1, a, b+1, a+1)
		}
	}
	return NewMesh(vertices, indices, options)
}
