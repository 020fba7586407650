//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

DATA absMask<>+0(SB)/8, $0x7fffffffffffffff
GLOBL absMask<>(SB), RODATA, $8
DATA one<>+0(SB)/8, $1.0
GLOBL one<>(SB), RODATA, $8

// TRANSPOSE3 makes the vectors of four lanes, in r0 to r3, their coordinates x, y and z. It changes
// r1, r2 and r3. The results may be in any registers but one that a later line reads.
#define TRANSPOSE3(r0, r1, r2, r3, t, x, y, z) \
	VUNPCKLPD r1, r0, t \
	VUNPCKHPD r1, r0, r1 \
	VUNPCKLPD r3, r2, r0 \
	VUNPCKHPD r3, r2, r3 \
	VPERM2F128 $0x20, r3, r1, y \
	VPERM2F128 $0x20, r0, t, x \
	VPERM2F128 $0x31, r0, t, z

// TRANSPOSE4 makes the coordinates x, y and z of four vectors these vectors, r0 to r3, each with a
// zero behind it. Y15 is 0.
#define TRANSPOSE4(x, y, z, r0, r1, r2, r3, t) \
	VUNPCKLPD y, x, t \
	VUNPCKHPD y, x, r1 \
	VUNPCKLPD Y15, z, r2 \
	VUNPCKHPD Y15, z, r3 \
	VPERM2F128 $0x20, r2, t, r0 \
	VPERM2F128 $0x31, r2, t, r2 \
	VPERM2F128 $0x20, r3, r1, t \
	VPERM2F128 $0x31, r3, r1, r3 \
	VMOVAPD t, r1

// DOT is n·(x, y, z), in the order of Vec3.Dot.
#define DOT(x, y, z, t, to) \
	VMULPD batch_nx(DX), x, to \
	VMULPD batch_ny(DX), y, t \
	VADDPD t, to, to \
	VMULPD batch_nz(DX), z, t \
	VADDPD t, to, to

// CROSS is a coordinate of n×u.
#define CROSS(nj, uk, nk, uj, t, to) \
	VMULPD nj(DX), uk, to \
	VMULPD nk(DX), uj, t \
	VSUBPD t, to, to

// APPLY gives the bodies a and b of a lane its impulse p.
#define APPLY(a, b, p) \
	VMULPD 32(SI)(a*2), p, Y4 \
	VADDPD (SI)(a*2), Y4, Y4 \
	VMOVUPD Y4, (SI)(a*2) \
	VMULPD 32(SI)(b*2), p, Y4 \
	VMOVUPD (SI)(b*2), Y5 \
	VSUBPD Y4, Y5, Y5 \
	VMOVUPD Y5, (SI)(b*2)

// SURFACE is the angular velocities of a and b times their radii.
#define SURFACE(lane, a, b, to) \
	VBROADCASTSD turningBatch_ra+lane(R14), to \
	VMULPD (R15)(a*1), to, to \
	VBROADCASTSD turningBatch_rb+lane(R14), Y6 \
	VMULPD (R15)(b*1), Y6, Y6 \
	VADDPD Y6, to, to

// TURN turns a and b by the friction of a lane: p is n times its impulse. Then p is the difference
// of their angular velocities.
#define TURN(lane, a, b, p) \
	VBROADCASTSD turningBatch_turnA+lane(R14), Y5 \
	VMULPD p, Y5, Y5 \
	VMOVUPD (R15)(a*1), Y10 \
	VSUBPD Y5, Y10, Y5 \
	VMOVUPD Y5, (R15)(a*1) \
	VBROADCASTSD turningBatch_turnB+lane(R14), Y10 \
	VMULPD p, Y10, p \
	VMOVUPD (R15)(b*1), Y10 \
	VSUBPD p, Y10, p \
	VMOVUPD p, (R15)(b*1) \
	VSUBPD p, Y5, p

// RESIST turns a and b by the torque impulse p of a lane.
#define RESIST(lane, a, b, p) \
	VBROADCASTSD turningBatch_ia+lane(R14), Y5 \
	VMULPD p, Y5, Y5 \
	VADDPD (R15)(a*1), Y5, Y5 \
	VMOVUPD Y5, (R15)(a*1) \
	VBROADCASTSD turningBatch_ib+lane(R14), Y5 \
	VMULPD p, Y5, p \
	VMOVUPD (R15)(b*1), Y5 \
	VSUBPD p, Y5, Y5 \
	VMOVUPD Y5, (R15)(b*1)

// LIMIT multiplies x, y and z by the factor k in the lanes of mask.
#define LIMIT(mask, k, x, y, z, t) \
	VMULPD k, x, t \
	VBLENDVPD mask, t, x, x \
	VMULPD k, y, t \
	VBLENDVPD mask, t, y, y \
	VMULPD k, z, t \
	VBLENDVPD mask, t, z, z

// SUMABS is |x| + |y| + |z|. Y14 is the mask of absolute values.
#define SUMABS(x, y, z, t, to) \
	VANDPD Y14, x, to \
	VANDPD Y14, y, t \
	VADDPD t, to, to \
	VANDPD Y14, z, t \
	VADDPD t, to, to

// VELOCITIES loads the offsets of the bodies of a batch, and makes x, y and z their relative
// velocities. It changes Y4 to Y7 and t.
#define VELOCITIES(x, y, z, t) \
	MOVLQSX batch_a+0(DX), R8 \
	MOVLQSX batch_a+4(DX), R9 \
	MOVLQSX batch_a+8(DX), R10 \
	MOVLQSX batch_a+12(DX), R11 \
	MOVLQSX batch_b+0(DX), R12 \
	MOVLQSX batch_b+4(DX), R13 \
	MOVLQSX batch_b+8(DX), AX \
	MOVLQSX batch_b+12(DX), BX \
	VMOVUPD (SI)(R8*2), Y4 \
	VMOVUPD (SI)(R9*2), Y5 \
	VMOVUPD (SI)(R10*2), Y6 \
	VMOVUPD (SI)(R11*2), Y7 \
	VSUBPD (SI)(R12*2), Y4, Y4 \
	VSUBPD (SI)(R13*2), Y5, Y5 \
	VSUBPD (SI)(AX*2), Y6, Y6 \
	VSUBPD (SI)(BX*2), Y7, Y7 \
	TRANSPOSE3(Y4, Y5, Y6, Y7, t, x, y, z)

// APPLYALL gives the bodies of a batch the impulses x, y and z. It changes Y3 to Y9.
#define APPLYALL(x, y, z) \
	TRANSPOSE4(x, y, z, Y6, Y7, Y8, Y9, Y3) \
	APPLY(R8, R12, Y6) \
	APPLY(R9, R13, Y7) \
	APPLY(R10, AX, Y8) \
	APPLY(R11, BX, Y9)

// func relaxBatches(
//	batches *batch, turning *turningBatch, n int, bodies *solverBody, spins *solverSpin,
//	factor, tolerance float64,
// ) (unsettled int)
//
// The operations are those of Solver.relax, in the same order, and none of them fused. A contact
// that stays apart adds zeros to the velocities of its bodies, where relax skips it. Sums of zeros
// may differ in their signs, but only in friction and torque impulses, where that has no effect.
TEXT ·relaxBatches(SB), NOSPLIT, $0-64
	MOVQ batches+0(FP), DX
	MOVQ turning+8(FP), R14
	MOVQ n+16(FP), CX
	MOVQ bodies+24(FP), SI
	MOVQ spins+32(FP), R15
	VXORPD Y11, Y11, Y11 // contacts that are not settled
	VBROADCASTSD absMask<>(SB), Y14
	VXORPD Y15, Y15, Y15

loop:
	VELOCITIES(Y0, Y1, Y2, Y3)

	// Y3: normal velocity. Y4: mass. Y5: old impulse. Y6: change of it.
	DOT(Y0, Y1, Y2, Y4, Y3)
	VMOVUPD batch_mass(DX), Y4
	VMOVUPD batch_impulse(DX), Y5
	VMOVUPD batch_target(DX), Y6
	VSUBPD Y3, Y6, Y6
	VMULPD Y4, Y6, Y6
	VMOVUPD batch_softScale(DX), Y7
	VBROADCASTSD one<>(SB), Y8
	VSUBPD Y7, Y8, Y8
	VMULPD Y5, Y8, Y8
	VMOVUPD batch_load(DX), Y9
	VSUBPD Y8, Y9, Y9
	VMULPD Y7, Y6, Y7
	VADDPD Y9, Y7, Y7
	VMINPD Y6, Y7, Y6

	// Y6: new impulse. Y7: change. Y8: mask of contacts that stay apart.
	VBROADCASTSD factor+40(FP), Y7
	VMULPD Y7, Y6, Y6
	VADDPD Y6, Y5, Y6
	VMOVUPD batch_bound(DX), Y7
	VSUBPD Y3, Y7, Y7
	VMULPD Y4, Y7, Y7
	VADDPD Y7, Y5, Y7
	VMAXPD Y6, Y7, Y6
	VMAXPD Y15, Y6, Y6
	VSUBPD Y5, Y6, Y7
	VMOVUPD Y6, batch_impulse(DX)
	VMOVUPD Y7, batch_change(DX)
	VORPD Y5, Y6, Y8
	VCMPPD $0, Y15, Y8, Y8
	VANDPD Y14, Y7, Y9
	VBROADCASTSD tolerance+48(FP), Y12
	VMULPD Y12, Y4, Y4
	VCMPPD $0x1e, Y4, Y9, Y9
	VORPD Y9, Y11, Y11
	VMOVMSKPD Y8, DI
	CMPL DI, $15
	JEQ allApart
	TESTQ R14, R14
	JZ slip

	// Add the surface velocities: those of the spins, across the normal, and that of a conveyor.
	SURFACE(0, R8, R12, Y4)
	SURFACE(8, R9, R13, Y5)
	SURFACE(16, R10, AX, Y9)
	SURFACE(24, R11, BX, Y10)
	TRANSPOSE3(Y4, Y5, Y9, Y10, Y6, Y3, Y12, Y13)
	CROSS(batch_ny, Y13, batch_nz, Y12, Y5, Y4)
	VSUBPD turningBatch_sx(R14), Y0, Y0
	VADDPD Y4, Y0, Y0
	CROSS(batch_nz, Y3, batch_nx, Y13, Y5, Y4)
	VSUBPD turningBatch_sy(R14), Y1, Y1
	VADDPD Y4, Y1, Y1
	CROSS(batch_nx, Y12, batch_ny, Y3, Y5, Y4)
	VSUBPD turningBatch_sz(R14), Y2, Y2
	VADDPD Y4, Y2, Y2
	DOT(Y0, Y1, Y2, Y4, Y3)
	VMOVUPD batch_impulse(DX), Y6

slip:

	// Y0, Y1, Y2: old friction. Y5, Y9, Y3: new friction.
	VMOVUPD batch_tangentMass(DX), Y4
	VMULPD batch_nx(DX), Y3, Y5
	VSUBPD Y5, Y0, Y5
	VMULPD Y4, Y5, Y5
	VMOVUPD batch_fx(DX), Y0
	VSUBPD Y5, Y0, Y5
	VMULPD batch_ny(DX), Y3, Y9
	VSUBPD Y9, Y1, Y9
	VMULPD Y4, Y9, Y9
	VMOVUPD batch_fy(DX), Y1
	VSUBPD Y9, Y1, Y9
	VMULPD batch_nz(DX), Y3, Y3
	VSUBPD Y3, Y2, Y3
	VMULPD Y4, Y3, Y3
	VMOVUPD batch_fz(DX), Y2
	VSUBPD Y3, Y2, Y3
	VMULPD Y5, Y5, Y4
	VMULPD Y9, Y9, Y10
	VADDPD Y10, Y4, Y4
	VMULPD Y3, Y3, Y10
	VADDPD Y10, Y4, Y4
	VMULPD batch_static(DX), Y6, Y10
	VMULPD Y10, Y10, Y10
	VCMPPD $0x1e, Y10, Y4, Y10
	VMOVMSKPD Y10, DI
	TESTL DI, DI
	JZ sticking
	VSQRTPD Y4, Y4
	VMULPD batch_dynamic(DX), Y6, Y6
	VDIVPD Y4, Y6, Y6
	LIMIT(Y10, Y6, Y5, Y9, Y3, Y4)

sticking:
	VBLENDVPD Y8, Y0, Y5, Y5
	VBLENDVPD Y8, Y1, Y9, Y9
	VBLENDVPD Y8, Y2, Y3, Y3
	VMOVUPD Y5, batch_fx(DX)
	VMOVUPD Y9, batch_fy(DX)
	VMOVUPD Y3, batch_fz(DX)
	VSUBPD Y0, Y5, Y0
	VSUBPD Y1, Y9, Y1
	VSUBPD Y2, Y3, Y2
	SUMABS(Y0, Y1, Y2, Y5, Y4)
	VBROADCASTSD tolerance+48(FP), Y5
	VMULPD batch_tangentMass(DX), Y5, Y5
	VCMPPD $0x1e, Y5, Y4, Y4
	VORPD Y4, Y11, Y11
	TESTQ R14, R14
	JZ apply

	// The change of friction, Y0 to Y2, turns the bodies. Y3, Y5, Y4: relative angular velocity.
	CROSS(batch_ny, Y2, batch_nz, Y1, Y6, Y3)
	CROSS(batch_nz, Y0, batch_nx, Y2, Y6, Y4)
	CROSS(batch_nx, Y1, batch_ny, Y0, Y6, Y5)
	TRANSPOSE4(Y3, Y4, Y5, Y9, Y12, Y6, Y13, Y10)
	TURN(0, R8, R12, Y9)
	TURN(8, R9, R13, Y12)
	TURN(16, R10, AX, Y6)
	TURN(24, R11, BX, Y13)
	TRANSPOSE3(Y9, Y12, Y6, Y13, Y10, Y3, Y5, Y4)

	// Y3, Y5, Y4: torque impulse. Y6: its part along the normal, spinning. The rest is rolling.
	VMOVUPD turningBatch_angularMass(R14), Y6
	VMULPD Y6, Y3, Y3
	VMOVUPD turningBatch_tx(R14), Y9
	VSUBPD Y3, Y9, Y3
	VMULPD Y6, Y5, Y5
	VMOVUPD turningBatch_ty(R14), Y9
	VSUBPD Y5, Y9, Y5
	VMULPD Y6, Y4, Y4
	VMOVUPD turningBatch_tz(R14), Y9
	VSUBPD Y4, Y9, Y4
	DOT(Y3, Y5, Y4, Y9, Y6)
	VMULPD batch_nx(DX), Y6, Y9
	VSUBPD Y9, Y3, Y3
	VMULPD batch_ny(DX), Y6, Y9
	VSUBPD Y9, Y5, Y5
	VMULPD batch_nz(DX), Y6, Y9
	VSUBPD Y9, Y4, Y4
	VMULPD Y3, Y3, Y9
	VMULPD Y5, Y5, Y10
	VADDPD Y10, Y9, Y9
	VMULPD Y4, Y4, Y10
	VADDPD Y10, Y9, Y9
	VMOVUPD batch_impulse(DX), Y13
	VMULPD turningBatch_rolling(R14), Y13, Y10
	VMULPD Y10, Y10, Y12
	VCMPPD $0x1e, Y12, Y9, Y12
	VMOVMSKPD Y12, DI
	TESTL DI, DI
	JZ rolls
	VSQRTPD Y9, Y9
	VDIVPD Y9, Y10, Y10
	LIMIT(Y12, Y10, Y3, Y5, Y4, Y9)

rolls:
	VMULPD turningBatch_spinning(R14), Y13, Y9
	VMINPD Y9, Y6, Y6
	VSUBPD Y9, Y15, Y9
	VMAXPD Y9, Y6, Y6
	VMULPD batch_nx(DX), Y6, Y9
	VADDPD Y9, Y3, Y3
	VMULPD batch_ny(DX), Y6, Y9
	VADDPD Y9, Y5, Y5
	VMULPD batch_nz(DX), Y6, Y9
	VADDPD Y9, Y4, Y4

	// Y3, Y5, Y4: change of the torque impulse; none where the two are apart.
	VMOVUPD turningBatch_tx(R14), Y10
	VBLENDVPD Y8, Y10, Y3, Y3
	VMOVUPD Y3, turningBatch_tx(R14)
	VSUBPD Y10, Y3, Y3
	VMOVUPD turningBatch_ty(R14), Y10
	VBLENDVPD Y8, Y10, Y5, Y5
	VMOVUPD Y5, turningBatch_ty(R14)
	VSUBPD Y10, Y5, Y5
	VMOVUPD turningBatch_tz(R14), Y10
	VBLENDVPD Y8, Y10, Y4, Y4
	VMOVUPD Y4, turningBatch_tz(R14)
	VSUBPD Y10, Y4, Y4
	SUMABS(Y3, Y5, Y4, Y9, Y6)
	VMULPD turningBatch_lever(R14), Y6, Y6
	VBROADCASTSD tolerance+48(FP), Y9
	VMULPD turningBatch_angularMass(R14), Y9, Y9
	VCMPPD $0x1e, Y9, Y6, Y6
	VORPD Y6, Y11, Y11
	TRANSPOSE4(Y3, Y5, Y4, Y9, Y12, Y6, Y13, Y10)
	RESIST(0, R8, R12, Y9)
	RESIST(8, R9, R13, Y12)
	RESIST(16, R10, AX, Y6)
	RESIST(24, R11, BX, Y13)
	ADDQ $turningBatch__size, R14

apply:

	// Y0 to Y3: the impulse of each contact.
	VMULPD batch_nx(DX), Y7, Y3
	VADDPD Y0, Y3, Y0
	VMULPD batch_ny(DX), Y7, Y3
	VADDPD Y1, Y3, Y1
	VMULPD batch_nz(DX), Y7, Y3
	VADDPD Y2, Y3, Y2
	APPLYALL(Y0, Y1, Y2)

relaxed:
	ADDQ $batch__size, DX
	DECQ CX
	JNZ loop

	VMOVMSKPD Y11, AX
	VZEROUPPER
	MOVLQZX AX, AX
	MOVQ AX, unsettled+56(FP)
	RET

allApart:
	TESTQ R14, R14
	JZ relaxed
	ADDQ $turningBatch__size, R14
	JMP relaxed

// func endBatchedApproaches(
//	batches *batch, n int, bodies *solverBody, factor, least float64,
// ) (found int)
TEXT ·endBatchedApproaches(SB), NOSPLIT, $0-48
	MOVQ batches+0(FP), DX
	MOVQ n+8(FP), CX
	MOVQ bodies+16(FP), SI
	VBROADCASTSD factor+24(FP), Y12
	VBROADCASTSD least+32(FP), Y13
	VXORPD Y11, Y11, Y11 // contacts that approach
	VXORPD Y15, Y15, Y15

next:
	VELOCITIES(Y0, Y1, Y2, Y3)
	DOT(Y0, Y1, Y2, Y4, Y3)
	VMOVUPD batch_bound(DX), Y4
	VSUBPD Y3, Y4, Y4
	VCMPPD $0x1e, Y15, Y4, Y5
	VMOVMSKPD Y5, DI
	TESTL DI, DI
	JZ apart

	// Y4: approach. Y5: mask of those that approach. Y6: opening, then impulse.
	VORPD Y5, Y11, Y11
	VMULPD Y12, Y4, Y6
	VADDPD Y13, Y6, Y6
	VMINPD batch_load(DX), Y6, Y6
	VADDPD Y6, Y4, Y6
	VMULPD batch_mass(DX), Y6, Y6
	VANDPD Y5, Y6, Y6
	VADDPD batch_impulse(DX), Y6, Y7
	VMOVUPD Y7, batch_impulse(DX)
	VMULPD batch_nx(DX), Y6, Y0
	VMULPD batch_ny(DX), Y6, Y1
	VMULPD batch_nz(DX), Y6, Y2
	APPLYALL(Y0, Y1, Y2)

apart:
	ADDQ $batch__size, DX
	DECQ CX
	JNZ next
	VMOVMSKPD Y11, AX
	VZEROUPPER
	MOVLQZX AX, AX
	MOVQ AX, found+40(FP)
	RET
