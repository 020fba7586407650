// Package contacts solves persistent contacts: it finds the impulses, and with them the velocities
// at the end of a step, of bodies that rest, slide and roll on each other. It knows spheres that
// touch at one point, and nothing of materials, of a broadphase or of an ECS.
//
// A step calls [Solver.Reset], adds bodies and contacts, calls [Solver.Solve] and reads the
// results:
//
//	s.Reset(settings)
//	floor := s.AddSurface(&contacts.Surface{ID: -1})
//	ball := s.AddBody(&contacts.Body{Radius: 1, InverseMass: 1, FreeVelocity: free})
//	s.LinkBodies(a, b)                            // once for each contact of two bodies
//	s.GroupContacts(pairs)                        // finds the islands
//	moves := s.OrderContacts(pairs, sortKeyOf)    // contacts change places when some are new
//	k, _ := s.AddContact(&contacts.Contact{A: ball, B: floor, Normal: up, History: &history})
//	s.Solve()
//	s.Finish(k, &history)                         // once for each constraint
//	v := s.Velocity(ball)
//
// The method is projected successive over-relaxation with warm starting, island by island. Islands
// of uneven masses are solved along conjugate directions. Something kinematic that pushes into an
// island slows down where that cannot yield. Results are velocities only: what they leave of an
// approach is for continuous collision detection to find, so a solution that has not converged
// costs accuracy and never causes an overlap.
//
// Where to begin reading: solver.go (the arrays and the order of calls), constraint.go (what a
// contact demands, worked out once a step), iterate.go (the iterations; in assembly,
// batches_amd64.go has them for four contacts at a time, relax_wasm.go for WebAssembly),
// approaches.go (what the iterations leave), parting.go (bodies between floor and ceiling),
// chain.go (columns), conjugate.go (uneven masses), then warmstart.go, energy.go, kinematic.go,
// rotor.go, rest.go, islands.go, friction.go. All numbers with their reasons are in constants.go.
// debug_on.go has the checks of the debug build.
package contacts
