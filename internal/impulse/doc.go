// Package impulse computes the impulses of contacts that act at the same time.
//
// Each contact has a unit normal and a speed at which its two bodies have to part. The impulses
// push and never pull, and a contact that parts faster than it has to gets none:
//
//	impulse >= 0,  parting speed >= Parting,  impulse·(parting speed - Parting) = 0
//
// This is a linear complementarity problem. Its matrix is symmetric and positive semidefinite, so
// it is the condition for the minimum of a convex function, and the velocities that solve it are
// unique, even where the impulses are not. A symmetric group therefore keeps its symmetry. With
// Parting 0 everywhere the result is the nearest velocity, in the metric of kinetic energy, at
// which nothing approaches.
//
// Every impulse acts on both bodies, in opposite directions along the normal. So momentum is
// conserved however exact the solution is, and angular momentum, too, if the normal is the line of
// centres of two spheres.
//
// All of it is in solver.go.
package impulse
