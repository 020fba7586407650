// Package solver simulates one step of a world on flat arrays: bodies (spheres, and shapes that
// don't rotate) on straight paths or parabolas, surfaces that stop them, and a calendar of impacts
// that are resolved in chronological order. It knows no ECS.
//
// # Order of reading
//
//   - space.go, body.go, handle.go: the state, grouped by purpose.
//   - stage.go: a step as a sequence of stages (Begin, Sweep, Finish), and all transitions.
//   - bodies.go, surface.go: how the game adds and changes bodies and surfaces between steps.
//   - broadphase.go, pairtest.go, sort.go: candidate pairs.
//   - motion.go, arc.go, predict.go, events.go, prefetch.go: paths, predictions, the event loop.
//   - response.go, friction.go, bounce.go, material.go, rule.go, slide.go, squeeze.go,
//     kinematic.go, group.go, halt.go, impactgroup.go, impactrounds.go, taken.go, apart.go:
//     impacts; rotating.go: surfaces that rotate; rotor.go: those that yield to torque.
//   - shape.go, shapepredict.go, shapecontact.go: bodies that are no spheres: their geometry,
//     predictions, impacts and contacts.
//   - sensor.go, sensorshape.go, visitor.go: entries into sensors and exits.
//   - contact.go, nearcontacts.go, around.go, tiles.go, solvecontacts.go, repredict.go: persistent
//     contacts, floors of tiles.
//   - sleep.go: sleeping islands.
//   - stepforce.go: forces and loads that act in one step, as those of characters.
//   - separate.go: bodies that overlap when the step begins.
//   - log.go, touch.go, paths.go, inspect.go, query.go, querybatch.go: what the game can ask;
//     obstacle.go: what characters ask.
//   - parallelstep.go, partition.go, subdomain.go, loops.go: the same step with several workers.
//   - debug_on.go, debug_overlap_on.go, debug_sleep_on.go: checks of the debug build.
//
// # Invariants
//
//   - Between steps, no flag of stepFlags is set, and the calendar is not read.
//   - From Begin on, every body is in its cell of the grid, or the grid is stale (gridStale) and
//     laid out anew before it is used. In a parallel step, this holds for the grids of the
//     subdomains.
//   - After Begin, the candidate pairs contain every pair that could meet in the step, except pairs
//     of two unsolved bodies. Those are found after contacts have been solved.
//   - After repredictStale, the calendar has the next event of every body on its current path, and
//     every later change of a path (setPath) is followed by new predictions (repredict). An event
//     whose stamps are not those of its bodies' paths is void.
//   - Events are processed in the order of time, round and key. Neither indices of bodies nor cells
//     affect this order or any result.
//   - Contact solving changes velocities and accelerations, never positions. What remains of an
//     approach is found by the calendar, so an unconverged solution can't cause overlap.
//   - After Finish, positions and velocities are those at the end of the step. Bodies with the flag
//     unchanged are as they were before it, to the bit.
package solver
