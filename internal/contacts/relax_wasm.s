//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// In relaxContacts:
//
//	R0, R1       the contact, and the end of the contacts
//	R2, R3       its bodies
//	R4, R5, R6   its rotation constraint and the spins of its bodies
//	R7           1 if a change was large
//	F16 to F18   relative velocity w; later the change of the friction impulse
//	F19 to F21   normal n
//	F22          velocity along n
//	F23 to F25   old impulse, its change, impulse
//	F26 to F28   impulse p on the bodies
//	F29 to F31   other vectors

// LD pushes a number in memory.
#define LD(base, offset) Get base; I32WrapI64; F64Load $offset

// AT pushes where to store a number: the offset follows with the store.
#define AT(base) Get base; I32WrapI64

// LARGER pushes x if it is greater than y, and otherwise y; SMALLER likewise.
#define LARGER(x, y) Get x; Get y; Get x; Get y; F64Gt; Select
#define SMALLER(x, y) Get x; Get y; Get x; Get y; F64Lt; Select

// MUL and its like push a product of registers, a sum and so on.
#define MUL(x, y) Get x; Get y; F64Mul
#define SUB(x, y) Get x; Get y; F64Sub
#define ADD(x, y) Get x; Get y; F64Add

// DOT pushes a·b.
#define DOT(ax, ay, az, bx, by, bz) MUL(ax, bx); MUL(ay, by); F64Add; MUL(az, bz); F64Add

// CROSS pushes a coordinate of n×u.
#define CROSS(nj, uk, nk, uj) MUL(nj, uk); MUL(nk, uj); F64Sub

// NOTE notes that the number on the stack is larger than tolerance times another one in memory.
#define NOTE(base, offset) \
	F64Load tolerance+48(FP); LD(base, offset); F64Mul; F64Gt; I64ExtendI32U; Get R7; I64Or; Set R7

// PUSH changes a coordinate of the velocity of a body by p, and TURN that of a spin by p times u.
#define PUSH(base, offset, p, op) \
	AT(base); LD(base, solverBody_v+offset); LD(base, solverBody_mobility+offset); Get p; F64Mul; op; \
	F64Store $(solverBody_v+offset)
#define TURN(base, offset, p, u) \
	AT(base); LD(base, solverSpin_w+offset); MUL(u, p); F64Add; F64Store $(solverSpin_w+offset)

// SLANT changes a coordinate of w by what p does to it.
#define SLANT(w, p, offset) \
	Get w; LD(R2, solverBody_mobility+offset); LD(R3, solverBody_mobility+offset); F64Add; Get p; F64Mul; F64Add; Set w

// SURFACE pushes a coordinate of the sum of the angular velocities times radii.
#define SURFACE(offset) \
	LD(R5, solverSpin_w+offset); LD(R4, rotationConstraint_ra); F64Mul; \
	LD(R6, solverSpin_w+offset); LD(R4, rotationConstraint_rb); F64Mul; F64Add

// FRICTION pushes a coordinate of the friction impulse that stops the surfaces.
#define FRICTION(offset, w, n) \
	LD(R0, contactConstraint_frictionImpulse+offset); \
	LD(R0, contactConstraint_tangentMass); Get w; MUL(F22, n); F64Sub; F64Mul; F64Sub

// TORQUE pushes a coordinate of the torque impulse that stops the rotation; F22 is -angularMass.
#define TORQUE(offset) \
	LD(R4, rotationConstraint_torqueImpulse+offset); \
	LD(R5, solverSpin_w+offset); LD(R6, solverSpin_w+offset); F64Sub; Get F22; F64Mul; F64Add

// func relaxContacts(
//	first *contactConstraint, n int, bodies *solverBody, spins *solverSpin,
//	rotations *rotationConstraint, factor, tolerance float64,
// ) (unsettled int)
TEXT ·relaxContacts(SB), NOSPLIT, $0-64
	I64Load first+0(FP); Set R0
	I64Load n+8(FP); I64Const $contactConstraint__size; I64Mul; Get R0; I64Add; Set R1
	I64Const $0; Set R7
	Block
	Loop
	Get R0; Get R1; I64GeU; BrIf $1
	Block
	// The bodies, w, n and the velocity along n.
	AT(R0); I64Load32S $contactConstraint_a; I64Const $solverBody__size; I64Mul; I64Load bodies+16(FP); I64Add; Set R2
	AT(R0); I64Load32S $contactConstraint_b; I64Const $solverBody__size; I64Mul; I64Load bodies+16(FP); I64Add; Set R3
	LD(R2, solverBody_v); LD(R3, solverBody_v); F64Sub; Set F16
	LD(R2, solverBody_v+8); LD(R3, solverBody_v+8); F64Sub; Set F17
	LD(R2, solverBody_v+16); LD(R3, solverBody_v+16); F64Sub; Set F18
	LD(R0, contactConstraint_normal); Set F19
	LD(R0, contactConstraint_normal+8); Set F20
	LD(R0, contactConstraint_normal+16); Set F21
	DOT(F16, F17, F18, F19, F20, F21); Set F22
	// The impulse along n.
	LD(R0, contactConstraint_normalImpulse); Set F23
	LD(R0, contactConstraint_targetVelocity); Get F22; F64Sub; LD(R0, contactConstraint_mass); F64Mul; Set F24
	LD(R0, contactConstraint_softScale); Get F24; F64Mul
	LD(R0, contactConstraint_relaxedLoad)
	F64Const $1.0; LD(R0, contactConstraint_softScale); F64Sub; Get F23; F64Mul; F64Sub; F64Add; Set F25
	SMALLER(F25, F24); Set F24
	Get F23; F64Load factor+40(FP); Get F24; F64Mul; F64Add; Set F25
	Get F23; LD(R0, contactConstraint_bound); Get F22; F64Sub; LD(R0, contactConstraint_mass); F64Mul; F64Add; Set F26
	LARGER(F26, F25); Set F25
	F64Const $0.0; Set F26
	LARGER(F25, F26); Set F25
	Get F25; F64Const $0.0; F64Eq; Get F23; F64Const $0.0; F64Eq; I32And
	If // apart, and it stays so
	AT(R0); F64Const $0.0; F64Store $contactConstraint_lastChange
	Br $1
	End
	SUB(F25, F23); Set F24
	AT(R0); Get F25; F64Store $contactConstraint_normalImpulse
	AT(R0); Get F24; F64Store $contactConstraint_lastChange
	MUL(F19, F24); Set F26
	MUL(F20, F24); Set F27
	MUL(F21, F24); Set F28
	Get F24; F64Abs; NOTE(R0, contactConstraint_mass)

	LD(R0, contactConstraint_tangentMass); F64Const $0.0; F64Gt
	If
	AT(R0); I32Load8U $contactConstraint_slanted
	If
	SLANT(F16, F26, 0)
	SLANT(F17, F27, 8)
	SLANT(F18, F28, 16)
	DOT(F16, F17, F18, F19, F20, F21); Set F22
	End
	AT(R0); I64Load32S $contactConstraint_rotation; Set R4
	Get R4; I64Const $0; I64GeS
	If // slipVelocity
	Get R4; I64Const $rotationConstraint__size; I64Mul; I64Load rotations+32(FP); I64Add; Set R4
	AT(R0); I64Load32S $contactConstraint_a; I64Const $solverSpin__size; I64Mul; I64Load spins+24(FP); I64Add; Set R5
	AT(R0); I64Load32S $contactConstraint_b; I64Const $solverSpin__size; I64Mul; I64Load spins+24(FP); I64Add; Set R6
	SURFACE(0); Set F29
	SURFACE(8); Set F30
	SURFACE(16); Set F31
	Get F16; LD(R4, rotationConstraint_surfaceVelocity); F64Sub; CROSS(F20, F31, F21, F30); F64Add; Set F16
	Get F17; LD(R4, rotationConstraint_surfaceVelocity+8); F64Sub; CROSS(F21, F29, F19, F31); F64Add; Set F17
	Get F18; LD(R4, rotationConstraint_surfaceVelocity+16); F64Sub; CROSS(F19, F30, F20, F29); F64Add; Set F18
	DOT(F16, F17, F18, F19, F20, F21); Set F22
	End
	FRICTION(0, F16, F19); Set F29
	FRICTION(8, F17, F20); Set F30
	FRICTION(16, F18, F21); Set F31
	DOT(F29, F30, F31, F29, F30, F31); Set F16
	LD(R0, contactConstraint_staticFriction); Get F25; F64Mul; Set F17
	Get F16; MUL(F17, F17); F64Gt
	If // it slips
	LD(R0, contactConstraint_dynamicFriction); Get F25; F64Mul; Get F16; F64Sqrt; F64Div; Set F17
	MUL(F29, F17); Set F29
	MUL(F30, F17); Set F30
	MUL(F31, F17); Set F31
	End
	Get F29; LD(R0, contactConstraint_frictionImpulse); F64Sub; Set F16
	Get F30; LD(R0, contactConstraint_frictionImpulse+8); F64Sub; Set F17
	Get F31; LD(R0, contactConstraint_frictionImpulse+16); F64Sub; Set F18
	AT(R0); Get F29; F64Store $contactConstraint_frictionImpulse
	AT(R0); Get F30; F64Store $(contactConstraint_frictionImpulse+8)
	AT(R0); Get F31; F64Store $(contactConstraint_frictionImpulse+16)
	Get F16; F64Abs; Get F17; F64Abs; F64Add; Get F18; F64Abs; F64Add; NOTE(R0, contactConstraint_tangentMass)
	ADD(F26, F16); Set F26
	ADD(F27, F17); Set F27
	ADD(F28, F18); Set F28
	AT(R0); I64Load32S $contactConstraint_rotation; I64Const $0; I64GeS
	If // applyTorque. The 0 is the torque: -0 becomes 0 by it.
	CROSS(F20, F18, F21, F17); Set F29
	CROSS(F21, F16, F19, F18); Set F30
	CROSS(F19, F17, F20, F16); Set F31
	LD(R4, rotationConstraint_ra); LD(R5, solverSpin_inverseInertia); F64Mul; F64Neg; Set F22
	TURN(R5, 0, F22, F29)
	TURN(R5, 8, F22, F30)
	TURN(R5, 16, F22, F31)
	AT(R5); LD(R5, solverSpin_w); F64Const $0.0; F64Add; F64Store $solverSpin_w
	AT(R5); LD(R5, solverSpin_w+8); F64Const $0.0; F64Add; F64Store $(solverSpin_w+8)
	AT(R5); LD(R5, solverSpin_w+16); F64Const $0.0; F64Add; F64Store $(solverSpin_w+16)
	LD(R4, rotationConstraint_rb); LD(R6, solverSpin_inverseInertia); F64Mul; F64Neg; Set F22
	TURN(R6, 0, F22, F29)
	TURN(R6, 8, F22, F30)
	TURN(R6, 16, F22, F31)
	LD(R4, rotationConstraint_angularMass); F64Const $0.0; F64Gt
	If // resistRotation
	LD(R4, rotationConstraint_angularMass); F64Neg; Set F22
	TORQUE(0); Set F29
	TORQUE(8); Set F30
	TORQUE(16); Set F31
	DOT(F19, F20, F21, F29, F30, F31); Set F16
	Get F16; F64Neg; Set F17
	Get F29; MUL(F19, F17); F64Add; Set F29
	Get F30; MUL(F20, F17); F64Add; Set F30
	Get F31; MUL(F21, F17); F64Add; Set F31
	DOT(F29, F30, F31, F29, F30, F31); Set F17
	LD(R4, rotationConstraint_rollingLength); Get F25; F64Mul; Set F18
	Get F17; MUL(F18, F18); F64Gt
	If // it rolls
	Get F18; Get F17; F64Sqrt; F64Div; Set F18
	MUL(F29, F18); Set F29
	MUL(F30, F18); Set F30
	MUL(F31, F18); Set F31
	End
	LD(R4, rotationConstraint_spinningLength); Get F25; F64Mul; Set F17
	SMALLER(F17, F16); Set F16
	Get F17; F64Neg; Set F17
	LARGER(F17, F16); Set F16
	Get F29; MUL(F19, F16); F64Add; Set F29
	Get F30; MUL(F20, F16); F64Add; Set F30
	Get F31; MUL(F21, F16); F64Add; Set F31
	Get F29; LD(R4, rotationConstraint_torqueImpulse); F64Sub; Set F16
	Get F30; LD(R4, rotationConstraint_torqueImpulse+8); F64Sub; Set F17
	Get F31; LD(R4, rotationConstraint_torqueImpulse+16); F64Sub; Set F18
	AT(R4); Get F29; F64Store $rotationConstraint_torqueImpulse
	AT(R4); Get F30; F64Store $(rotationConstraint_torqueImpulse+8)
	AT(R4); Get F31; F64Store $(rotationConstraint_torqueImpulse+16)
	LD(R5, solverSpin_inverseInertia); Set F22
	TURN(R5, 0, F22, F16)
	TURN(R5, 8, F22, F17)
	TURN(R5, 16, F22, F18)
	LD(R6, solverSpin_inverseInertia); F64Neg; Set F22
	TURN(R6, 0, F22, F16)
	TURN(R6, 8, F22, F17)
	TURN(R6, 16, F22, F18)
	Get F16; F64Abs; Get F17; F64Abs; F64Add; Get F18; F64Abs; F64Add
	LD(R4, rotationConstraint_ra); LD(R4, rotationConstraint_rb); F64Max; F64Mul
	NOTE(R4, rotationConstraint_angularMass)
	End
	End
	End

	PUSH(R2, 0, F26, F64Add)
	PUSH(R2, 8, F27, F64Add)
	PUSH(R2, 16, F28, F64Add)
	PUSH(R3, 0, F26, F64Sub)
	PUSH(R3, 8, F27, F64Sub)
	PUSH(R3, 16, F28, F64Sub)
	End
	Get R0; I64Const $contactConstraint__size; I64Add; Set R0
	Br $0
	End
	End
	Get SP; Get R7; I64Store unsettled+56(FP)
	RET
