package contacts

// Fractions "of the smaller radius" are of the smaller of two spheres, or of the sphere at a
// surface.
//
// What breaks on either side was measured with "go run ./bench/rest heap:1000 heap:1000/0": 1,000
// balls are poured into a walled floor, with friction 0.3 and with none. With the constants below
// they spend 4,400 and 690 impact budgets until they are at rest, and have no impacts from then
// on.

// Constants of a contact in an island of several bodies: a spring with a damper within a small gap.
const (
	// RestGap is the largest gap at which bodies that hold each other rest, as a fraction of the
	// smaller radius. The gap takes up what the iterations leave of an approach. With 2^-13 more
	// of that ends in impacts: 49 a step after 10 s, and four times as many spent budgets. With
	// 2^-6 heaps come to rest alike, but one sees that balls hover, and each opening lifts more
	// weight.
	RestGap = 0x1p-9

	// softness is how far the spring of a contact gives way, as a fraction of the effective
	// inverse mass. Without a spring (0) heaps of 1,000 come to rest as well, but a frictionless
	// one of 10,000 takes up to twice as long, and spends 1,100,000 impact budgets instead of
	// 13,000. With 2^-4 ordinary loads use up the gap, and the frictionless heap spends 28 times
	// as many impact budgets.
	softness = 0x1p-8

	// softGapShare is the greatest fraction of RestGap by which the spring of a contact may give
	// way in a step under the load of the last one; a heavier load gets a stiffer contact.
	// Without a bound a load of 1,000 times the mass below it uses up the gap as soon as it
	// grows. Heaps of equal masses do not depend on it.
	softGapShare = 0.75

	// openingShare is the fraction of what a gap lacks that is made up for in a step, at most.
	// With 1 heaps come to rest alike, but a gap that opens at once gives what lies on it all its
	// energy in one step. With 0.005 gaps open more slowly than the need for them fades: the heap
	// with friction still has 1.7 impacts a step after 10 s.
	openingShare = 0.1

	// wedgeLoad is the impulse of a contact from which its gap no longer opens, as a multiple of
	// the free change of momentum of an island whose bodies are all as heavy as its heaviest one.
	// Without friction a wedge of 4 degrees makes as much of its load. Balls that friction held
	// between two pegs bore 16,000 times the weight of their heap, and more with each step, and the
	// rounding of that had impacts in every step.
	wedgeLoad = 16

	// uncertaintyFactor is the gap that a contact needs, as a multiple of the way that the last
	// iteration of a step still changed. The error that is left is larger than the last change,
	// the more so the slower the convergence. With 1 the heap with friction spends 13 % more
	// impact budgets; with 100 it creeps by 6 mm in the two seconds after it should be at rest.
	uncertaintyFactor = 8

	// uncertaintyDecay is what is left of that need after each step, so that it fades over some
	// ten steps. With 0 it follows every single step, at 5 % more impact budgets; with 0.99 the
	// heap creeps by 0.6 mm in the two seconds after it should be at rest.
	uncertaintyDecay = 0.9

	// clearance is the gap that a solved contact keeps from a touch, as a fraction of the smaller
	// radius: far above the rounding of a gap, 2^-52 of the coordinates, so that a pair that is
	// solved does not have an impact as well, and far below TouchTolerance, so that it still
	// touches.
	clearance = 0x1p-40

	// heapFriction is the least coefficient of friction, and of rolling and spinning resistance,
	// between bodies of an island that slip more slowly than calmSpeed. Without any, the
	// frictionless heap creeps on at 0.2 m/s after 20 s; with 0.02 it is at rest after 10 s. With
	// more, frictionless heaps would stand on slopes that one can see.
	heapFriction = 0.02
)

// Constants of the iterations.
const (
	// overRelaxation multiplies the change of impulse that would satisfy a contact by itself. It
	// has to lie between 1, plain Gauss-Seidel, and 2, from where on it diverges. With 1.7 a heap
	// of 10,000 with friction spends 12 % more impact budgets in its first five seconds, and with
	// 1.5 50 % more. Close to 2 changes overshoot for long.
	overRelaxation = 1.8

	// The greatest number of iterations of an island. Without much friction hardly more contacts
	// than necessary hold a heap, and a change of one force is answered far away, so it takes more.
	// These are for heaps of 10,000: with 10 and 40 the one with friction 0.3 spends 11 % more
	// impact budgets in its first five seconds, and with 20 and 80 hardly fewer. Time is in
	// proportion. Heaps of 1,000 come to rest no sooner with 300.
	iterationsRough, iterationsSmooth = 12, 48

	// roughFriction is the coefficient of friction from which on a contact is rough. An island has
	// iterationsRough if at least half of its contacts are. A heap of 10,000 with friction 0.1 or
	// 0.2 sleeps after 8 s with iterationsSmooth. With iterationsRough it does not come to rest,
	// and with 0.1 it has ten times as many impacts while it is poured.
	roughFriction = 0.25

	// Small islands get up to 68 more, as long as that comes to 8,192 contact updates or fewer:
	// there they cost next to nothing, and single columns and small heaps are seen most closely.
	// With half of that, pyramids of 55 balls without walls move by 0.2 mm after they should be at
	// rest.
	extraIterations, extraBudget = 68, 1 << 13

	// fewestEnded is the number of contacts of an island from which on endApproaches ends what the
	// iterations leave. Smaller ones have three times as many iterations, which leave something in
	// wedges only. There the impulses from both sides press against each other, the more the more
	// passes there are, until the wedge throws out what is in it.
	fewestEnded = 256

	// mostPasses is how often endApproaches goes through the contacts of an island at most. A heap
	// of 2,000 that is stirred takes 55 on average. With 16 it has 1.7 times as many impacts.
	mostPasses = 64

	// leftShare is how fast endApproaches lets two bodies part, at least, as a fraction of the
	// fastest approach that the iterations have left. Without it passes converge as slowly as the
	// iterations, and even approaches of 1e-4 m/s become as many impacts: 3,100 a step in a heap of
	// 2,000 that is stirred, instead of 500. In proportion, what is nearly at rest is hardly moved.
	leftShare = 0x1p-3

	// unevenRatio is the ratio of the greatest and the least mass of an island above which it is
	// iterated along conjugate directions. Over-relaxation needs as many iterations as that ratio
	// times the square of a column's height; with it, fifty balls of 1 and 5 kg in turn never come
	// to rest, and neither do 1000 kg on eight by eight balls of 1 kg. Along conjugate directions
	// they do, and so do a hundred balls of 1 and 1000 kg in turn. An iteration costs up to twice
	// as much. At 1 heaps of equal balls come to rest alike, and cost more; 8 leaves balls of one
	// material whose radii differ by up to 2 to over-relaxation.
	//
	// Below fewestConjugate iterations, in islands of more than 2,048 contacts, over-relaxation is
	// as good and takes half the time: a heap of 1,000 that a heavy ball stirs has 85 impacts a
	// step with 28 iterations of it, and 108 with 28 along directions. In a heap of 600 balls a
	// heavy one comes to rest only along directions. Large driven islands are iterated without:
	// 500 balls on which a character stands take half the time, and those on a lift two thirds.
	unevenRatio, fewestConjugate = 8, 32

	// Where masses differ, convergence takes more iterations. As many as the ratio of masses are
	// added, up to 400 and up to 32,768 contact updates. That carries 1000:1 on beds of twelve by
	// twelve balls. Columns need none of them: see chain.go.
	unevenIterations, unevenBudget = 400, 1 << 15

	// unorderedShare is the fraction of an island's contacts that may be new since all of them
	// were put in order. Contacts that are solved out of order converge more slowly, and with a
	// smaller share sorting takes more time.
	unorderedShare = 0x1p-4

	// fewContacts is the largest number of contacts with which the iterations go on to rounding and
	// not only to solvedShare: there they converge so soon that it costs little. Only there, and in
	// columns, solveWithoutParting can tell an approach from what iterations leave. Islands of so
	// many are iterated without over-relaxation: balls that roll down a terrain, alone and in small
	// groups, take a third of the contact updates that they take with 1.8, and half as many islands
	// are left unsettled. With 1.2 they take a fifth more.
	fewContacts = 16

	// solvedShare is the change of a velocity in an iteration below which an island counts as
	// solved, as a fraction of the change that free motion would make in the step: 1e-6 m/s on
	// Earth at 60 steps a second. The gap takes up what it leaves. It has to stay below
	// calmShare, or what is at rest need not count as calm. Less costs iterations; 2^-22 changes
	// nothing that can be seen.
	solvedShare = 0x1p-17

	// speedShare is the fraction of the free velocities that counts towards that change where
	// nothing accelerates a body, so that islands of flying bodies have a scale, too.
	speedShare = 0x1p-7
)

// Bounds of rounding.
const (
	// leastFree is the freeShare of a contact below which a locked axis counts as a support, and as
	// one that turns friction aside. In 2D, where all bodies have a locked axis across all normals,
	// rounding leaves it some 2^-53 below 1. A normal that is tilted by less than 0.06 degrees
	// towards a locked axis gives that a millionth of the impulse.
	leastFree = 1 - 0x1p-20

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

	// slopeRounding is the approach, as a fraction of the speeds, that is more than the rounding of
	// a velocity along a surface: 8 roundings. With less, velocities along planes would change in
	// the last digit for nothing; with more, a ball has impacts on slanted floors of tiles.
	slopeRounding = 0x1p-50

	// LockedRounding is the length of the part of a unit normal along unlocked axes that counts as
	// zero. The normal of a round thing has a rounding error of the coordinates, in radii: so it
	// covers coordinates of up to ten thousand radii. A body that slides along such a surface for a
	// metre gets 4e-12 m deeper than its locked axes let it.
	LockedRounding = 0x1p-38

	// frictionRounding is the fraction by which a friction impulse, cut down to the dynamic
	// coefficient, may differ from that times the normal impulse: far more than the rounding of a
	// root, and far less than a static coefficient that matters exceeds it.
	frictionRounding = 0x1p-40

	// velocityRounding is the relative velocity of two bodies, as a fraction of the sum of their
	// speeds, that counts as none: eight roundings, those of n·(va-vb).
	velocityRounding = 8 * 0x1p-53
)

// Constants of kinematic drivers.
const (
	// drivenIterations is the number of iterations of an island into which a driver pushes, and
	// that can't be solved like any other. The heap may resist with hundreds of times its weight,
	// and the warm start knows nothing of that. With 32 in a drum, a step of 1,000 circles takes up
	// to twice as long, and one of 1,000 balls 10 % less.
	drivenIterations = 64

	// conjugateIterations takes the place of drivenIterations along conjugate directions, and is
	// the least number of iterations of an island with a surface that yields to torque. With 64 in
	// bins that tilt and have a heavy ball among light ones, three times as many balls are crushed.
	conjugateIterations = 120

	// settledShare is the share of drivenApproach, or of the same fraction of the fastest relative
	// velocity, up to which approaches may be left without further iterations.
	settledShare = 0.25

	// slowedIterations is how many more follow each time that the driver is halved in speed: the
	// impulses are nearly right by then.
	slowedIterations = 20

	// drivenGap is the gap that contacts of a driven island keep open, as a fraction of RestGap.
	// What the iterations leave of an approach must not become impacts: there would be thousands,
	// each in the way of the next.
	drivenGap = 1.0

	// drivenApproach is the approach that may be left beyond the gap, as a fraction of the fastest
	// driver's speed, or of the speed at which the island moves if that is less. Less slows drivers
	// down for approaches that make a few harmless impacts; much more lets those impacts multiply.
	drivenApproach = 0x1p-5

	// Islands that a surface that rotates drives, such as the bed of a drum, flow rather than
	// resist. More iterations help little against the approaches that are left, so contacts keep
	// wider gaps instead. Measured with drums of 1,000 balls and of 1,000 circles in 2D, of three
	// sizes (docs/decisions/rotating.md).

	// turnedGap is the widest gap that such contacts keep, as a multiple of RestGap, if the last
	// iterations have left that much of an approach. With 8 a step of the circles takes up to twice
	// as long, and the longest one five times. In drums of balls even 4 would do.
	turnedGap = 16

	// turnedOpening takes the place of openingShare. With 0.1 contacts of the circles are gone
	// before their gaps are open: twice as many impacts, in steps of twice the time.
	turnedOpening = 0.3

	// turnedApproach takes the place of drivenApproach. With 2^-5 a step of the balls takes 15 %
	// longer. With 2^-4 there are a third fewer impacts in as much time, but what rotates is slowed
	// down twice as often where a heavy body lies among light ones.
	turnedApproach = 0x1p-3

	// jamShare is the greatest speed of the bodies of a jam that has stopped its driver, as a
	// fraction of the change that free motion would make in the step, up to which they are
	// stopped: 2.5 mm/s on Earth at 60 steps a second. It is above what the iterations leave of
	// rows of thirty crates between two walls, which have 18,000 instead of 215,000 impacts while a
	// wall presses on them for two seconds. With 2^-7 they have three times as many. A jam may hold
	// what lies on a slope of up to a degree.
	jamShare = 0x1p-6

	// nearlyJammed is how many times as fast as that bodies may be for further iterations. Most
	// balls that a wall pushes are faster, and the iterations would make nothing of it.
	nearlyJammed = 8

	// MaxSqueezeSpeed is the largest speed at which a driver may squeeze a body out that can move
	// only almost across the push, relative to the faster of the two. A wedge of two degrees
	// reaches about half of it (1/sin 2° is 29). A smaller value would crush bodies in such wedges
	// instead; a larger one would fling bodies out of wedges that exist by rounding only.
	MaxSqueezeSpeed = 64

	// MaxThrow is how many times as fast as before, relative to each other, something that moves by
	// itself may make bodies that it pushes against one another. In a row of balls with much
	// friction in front of a wall, each rolls on the next as gears do, and impulses may grow until
	// one is shot away at fifty times the speed of the wall. Then the wall stops in that step
	// instead. With 16 in jams, a wall at 5 m/s threw a ball at 71 m/s.
	MaxThrow = 8

	// MinSpeedScale is the least fraction of its speed at which a driver moves; it stands instead
	// of moving more slowly. It takes up speed again by a factor of 2 a step, so from here in five
	// steps.
	MinSpeedScale = 0x1p-5
)

// Constants of coming to rest.
const (
	// calmSteps is for how many steps all bodies of an island have to be calm before their
	// velocities become zero: half a second at 60 steps a second. Much fewer stop what only turns
	// around, such as a ball at the top of its way up a slope; more let heaps stay awake longer.
	calmSteps = 30

	// calmSpeed is the greatest speed of a calm body, m/s times LengthUnit. It bounds what can be
	// stopped at all, and so how much momentum that can cost.
	calmSpeed = 0.1

	// calmShare is the greatest change of a calm body's velocity in a step, as a fraction of the
	// change that free motion would make: 1e-5 m/s on Earth at 60 steps a second. It is above what
	// the iterations leave (solvedShare), and below the acceleration on any slope that one can see,
	// so what slides or rolls down one is never stopped.
	calmShare = 0x1p-14

	// restShare takes the place of calmShare for a body whose island has been brought to rest. It
	// is the share of its weight that holds it like static friction, so that bodies that crept at
	// a steady speed do not begin to creep again. That speed is up to 5e-5 m/s in heaps of 10,000
	// at 60 steps a second. With 2^-11 a heap that would have been asleep began again where it was
	// kept awake: impulses still settle after it has stopped. What is put on a slope is not at rest
	// yet, so it starts there however small this is.
	restShare = 0x1p-8
)
