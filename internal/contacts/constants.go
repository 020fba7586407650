package contacts

// Fractions "of the smaller radius" are of the smaller of two spheres, or of the sphere at a
// surface. Where a note names a scene, a heap is 1,000 or 10,000 balls poured into a walled floor,
// or 30 into a small bin; docs/architecture.md ("Contacts that last") has the measurements.

// Constants of a contact in an island of several bodies: a spring with a damper within a small gap.
const (
	// RestGap is the largest gap at which bodies that hold each other rest, as a fraction of the
	// smaller radius. The gap takes up what the iterations leave of an approach. Smaller, and more
	// of that ends in impacts; larger, and one sees that balls hover, and each opening lifts more
	// weight.
	RestGap = 0x1p-9

	// softness is how far the spring of a contact gives way, as a fraction of the effective inverse
	// mass. Hard contacts (0) have no single solution in a heap without friction that a few
	// iterations find: after 28 s such a heap still moved, even with 300 iterations a step. Softer
	// contacts use up the gap under ordinary loads, and are hard again. Chosen with softGapShare on
	// heaps of 1,000.
	softness = 0x1p-8

	// softGapShare is the greatest fraction of RestGap by which the spring of a contact may give
	// way in a step under the load of the last one; a heavier load gets a stiffer contact. With 1
	// or more the hard stop would carry part of every heavy load; with little, contacts under load
	// are as good as hard.
	softGapShare = 0.75

	// openingShare is the fraction of what a gap lacks that is made up for in a step, at most. With
	// 1 an opening gap throws off what lies on it, as energy that the next steps have to take back;
	// with less than about 0.01 the gaps are still closed when the next disturbance comes.
	openingShare = 0.1

	// uncertaintyFactor is the gap that a contact needs, as a multiple of the way that the last
	// iteration of a step still changed. The error that is left is larger than the last change, the
	// more so the slower the convergence. Too small, and contacts without gap become impacts; too
	// large, and even short columns hover by all of RestGap.
	uncertaintyFactor = 8

	// uncertaintyDecay is what is left of that need after each step, so that gaps close over some
	// ten steps. With 0 they would follow every change of a single step and never be at rest.
	uncertaintyDecay = 0.9

	// clearance is the gap that a solved contact keeps from a touch, as a fraction of the smaller
	// radius: far above the rounding of a gap, 2^-52 of the coordinates, so that a pair that is
	// solved does not have an impact as well, and far below TouchTolerance, so that it still
	// touches.
	clearance = 0x1p-40

	// heapFriction is the least coefficient of friction, and of rolling and spinning resistance,
	// between bodies of an island that slip more slowly than calmSpeed. Without any, a heap of
	// 1,000 frictionless balls creeps on at some 5 mm/s after 30 s; with 0.02 it is at rest after
	// 10 s. Larger values would show as slopes on which frictionless heaps stand.
	heapFriction = 0.02
)

// Constants of the iterations.
const (
	// overRelaxation multiplies the change of impulse that would satisfy a contact by itself. Plain
	// Gauss-Seidel is 1; the method diverges from 2 on, and close to 2 it overshoots for long. In
	// between it spreads loads through a tall heap in fewer iterations.
	overRelaxation = 1.7

	// The greatest number of iterations of an island: with friction 20 settle heaps of 10,000.
	// Without friction hardly more contacts than necessary hold a heap, one change of a force is
	// answered far away, and it takes 80. Fewer leave heaps trembling; more cost time in
	// proportion.
	iterationsFriction, iterationsFrictionless = 20, 80

	// Small islands get up to 60 more, as long as that comes to 4,096 contact updates or fewer:
	// there they cost next to nothing, and single columns and small heaps are seen most closely.
	extraIterations, extraBudget = 60, 1 << 12

	// Where masses differ, convergence takes as many more iterations as the ratio of masses. So
	// many are added, up to 400 and up to 32,768 contact updates. That carries 1000:1 in columns,
	// and on a bed of four by four balls; what lies on a wider bed may tremble.
	unevenIterations, unevenBudget = 400, 1 << 15

	// fewContacts is the largest number of contacts with which the iterations go on to rounding and
	// not only to solvedShare: there they converge so soon that it costs little.
	fewContacts = 16

	// solvedShare is the change of a velocity in an iteration below which an island counts as
	// solved, as a fraction of the change that free motion would make in the step: 1e-6 m/s on
	// Earth at 60 steps a second. The gap takes up what it leaves. It has to stay below calmShare,
	// or what is at rest never counts as calm; less costs iterations and changes nothing that can
	// be seen.
	solvedShare = 0x1p-17

	// speedShare is the fraction of the free velocities that counts towards that change where
	// nothing accelerates a body, so that islands of flying bodies have a scale, too.
	speedShare = 0x1p-7
)

// Bounds of rounding.
const (
	// roundingShare is the velocity, as a fraction of the change that free motion would make in the
	// step, below which nothing is left but rounding: about 1,000 roundings.
	roundingShare = 0x1p-42

	// energyRounding is the gain of energy, as a fraction of the energy of free motion, that counts
	// as none: the rounding of a sum of thousands of terms. Less would scale down impulses for
	// nothing.
	energyRounding = 0x1p-40

	// accelerationRounding is the approach, as a fraction of the change that free motion would make
	// in the step, up to which a contact's velocity counts as changing evenly. It lies halfway
	// between the rounding of that change, 2^-52, and a velocity that matters.
	accelerationRounding = 0x1p-30

	// velocityRounding is the relative velocity of two bodies, as a fraction of the sum of their
	// speeds, that counts as none: eight roundings, those of n·(va-vb).
	velocityRounding = 8 * 0x1p-53
)

// Constants of kinematic drivers.
const (
	// drivenIterations is the least number of iterations of an island into which a driver pushes.
	// The heap resists with hundreds of times its weight, and the warm start knows nothing of that.
	// Fewer slow drivers down in heaps that could yield.
	drivenIterations = 120

	// slowedIterations is how many more follow each time that the driver is halved in speed: the
	// impulses are nearly right by then.
	slowedIterations = 20

	// drivenGap is the gap that contacts of a driven island keep open, as a fraction of RestGap.
	// What the iterations leave of an approach must not become impacts: there would be thousands,
	// each in the way of the next.
	drivenGap = 1.0

	// drivenApproach is the approach that may be left beyond the gap, as a fraction of the fastest
	// driver's speed. Less slows drivers down for approaches that make a few harmless impacts; much
	// more lets those impacts multiply.
	drivenApproach = 0x1p-7

	// MinSpeedScale is the least fraction of its speed at which a driver moves; it stands instead
	// of moving more slowly. It takes up speed again by a factor of 2 a step, so from here in five
	// steps.
	MinSpeedScale = 0x1p-5
)

// Constants of coming to rest.
const (
	// calmSteps is for how many steps a body has to be calm before its velocity becomes zero: half
	// a second at 60 steps a second. Much fewer stop what only turns around, such as a ball at the
	// top of its way up a slope; more let heaps stay awake longer.
	calmSteps = 30

	// calmSpeed is the greatest speed of a calm body, m/s times LengthUnit. It bounds what can be
	// stopped at all, and so how much momentum that can cost.
	calmSpeed = 0.1

	// calmShare is the greatest change of a calm body's velocity in a step, as a fraction of the
	// change that free motion would make: 1e-5 m/s on Earth at 60 steps a second. It is above what
	// the iterations leave (solvedShare), and below the acceleration on any slope that one can see,
	// so what slides or rolls down one is never stopped.
	calmShare = 0x1p-14
)
