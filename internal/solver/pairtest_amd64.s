//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// func searchFour(
//	q *pairQuery, i int, slots *int32, cells *grid.StencilRows, near *int32, have int, out *int32,
// ) (tested, found int)
//
// The bodies in slots are collected without a branch for each. The pair test consists of the
// operations of pairQuery.filterGo, in the same order, and none of them fused.
TEXT ·searchFour(SB), NOSPLIT, $0-72
	MOVQ slots+16(FP), SI
	MOVQ cells+24(FP), DX
	MOVQ near+32(FP), R8
	MOVQ have+40(FP), DI
	LEAQ (R8)(DI*4), DI
	VPXOR Y5, Y5, Y5 // the greatest slots
	TESTQ DX, DX
	JZ listed
	MOVQ (DX), CX // StencilRows.pieces
	TESTQ CX, CX
	JZ listed
	LEAQ ·rowTable(SB), R9

pieces: // of up to eight slots
	MOVLQSX 8(DX), AX // offsets
	MOVL 80(DX), BX // masks
	VMOVDQU (SI)(AX*4), Y0
	VMOVMSKPS Y0, R10 // empty slots
	ANDNL BX, R10, R10
	VPMAXSD Y0, Y5, Y5
	VPMOVZXBD (R9)(R10*8), Y2
	VPERMD Y0, Y2, Y3
	VMOVDQU Y3, (DI)
	POPCNTL R10, R10
	LEAQ (DI)(R10*4), DI
	ADDQ $4, DX
	DECQ CX
	JNZ pieces

listed:
	VPXOR X0, X0, X0
	VMOVDQU X0, (DI) // the loop below reads up to three bodies beyond the last: body 0
	MOVL $0x3fffffff, AX
	VMOVD AX, X4
	VPBROADCASTD X4, Y4 // greater values say that other bodies follow
	VPCMPGTD Y4, Y5, Y5
	VMOVMSKPS Y5, AX
	TESTL AX, AX
	JNZ crowded
	MOVQ DI, CX
	SUBQ R8, CX
	SHRQ $2, CX
	MOVQ CX, tested+56(FP)
	JZ none
	MOVQ q+0(FP), DX
	MOVQ pairQuery_bodies(DX), SI
	MOVQ i+8(FP), R12
	SHLQ $6, R12
	ADDQ SI, R12
	MOVQ out+48(FP), DI
	MOVQ DI, R13
	LEAQ ·packTable(SB), R9

bodies:
	MOVLQSX (R8), AX
	MOVLQSX 4(R8), BX
	MOVLQSX 8(R8), R10
	MOVLQSX 12(R8), R11
	SHLQ $6, AX
	SHLQ $6, BX
	SHLQ $6, R10
	SHLQ $6, R11

	// Transpose four bodies: one register for each coordinate.
	VMOVUPD (SI)(AX*1), X0
	VMOVUPD (SI)(BX*1), X1
	VINSERTF128 $1, (SI)(R10*1), Y0, Y4
	VINSERTF128 $1, (SI)(R11*1), Y1, Y5
	VMOVUPD 16(SI)(AX*1), X2
	VMOVUPD 16(SI)(BX*1), X3
	VINSERTF128 $1, 16(SI)(R10*1), Y2, Y6
	VINSERTF128 $1, 16(SI)(R11*1), Y3, Y7
	VUNPCKLPD Y5, Y4, Y0 // x
	VUNPCKHPD Y5, Y4, Y1 // y
	VUNPCKLPD Y7, Y6, Y2 // z
	VUNPCKHPD Y7, Y6, Y3 // vx
	VMOVUPD 32(SI)(AX*1), X8
	VMOVUPD 32(SI)(BX*1), X9
	VINSERTF128 $1, 32(SI)(R10*1), Y8, Y8
	VINSERTF128 $1, 32(SI)(R11*1), Y9, Y9
	VMOVUPD 48(SI)(AX*1), X10
	VMOVUPD 48(SI)(BX*1), X11
	VINSERTF128 $1, 48(SI)(R10*1), Y10, Y10
	VINSERTF128 $1, 48(SI)(R11*1), Y11, Y11
	VUNPCKLPD Y9, Y8, Y4 // vy
	VUNPCKHPD Y9, Y8, Y5 // vz
	VUNPCKLPD Y11, Y10, Y6 // radius

	VBROADCASTSD 0(R12), Y8
	VBROADCASTSD 8(R12), Y9
	VBROADCASTSD 16(R12), Y10
	VBROADCASTSD 24(R12), Y11
	VBROADCASTSD 32(R12), Y12
	VBROADCASTSD 40(R12), Y13
	VBROADCASTSD 48(R12), Y14
	VSUBPD Y0, Y8, Y0   // dx
	VSUBPD Y1, Y9, Y1   // dy
	VSUBPD Y2, Y10, Y2  // dz
	VSUBPD Y3, Y11, Y3  // wx
	VSUBPD Y4, Y12, Y4  // wy
	VSUBPD Y5, Y13, Y5  // wz
	VADDPD Y6, Y14, Y6  // r

	VMULPD Y3, Y3, Y7
	VMULPD Y4, Y4, Y8
	VMULPD Y5, Y5, Y9
	VADDPD Y8, Y7, Y7
	VADDPD Y9, Y7, Y7   // a
	VMULPD Y3, Y0, Y8
	VMULPD Y4, Y1, Y9
	VMULPD Y5, Y2, Y10
	VADDPD Y9, Y8, Y8
	VADDPD Y10, Y8, Y8  // h
	VMULPD Y0, Y0, Y9
	VMULPD Y1, Y1, Y10
	VMULPD Y2, Y2, Y11
	VADDPD Y10, Y9, Y9
	VADDPD Y11, Y9, Y9  // dd
	VMULPD Y6, Y6, Y6   // rr

	VMULPD pairQuery_less(DX), Y9, Y10
	VMULPD pairQuery_more(DX), Y6, Y11
	VSUBPD Y11, Y10, Y10 // c
	VBROADCASTSD pairQuery_now(DX), Y11
	VMULPD Y11, Y7, Y11
	VADDPD Y11, Y8, Y11 // approach
	VMULPD Y8, Y8, Y12
	VMULPD Y10, Y7, Y13
	VSUBPD Y13, Y12, Y12 // root
	VMULPD pairQuery_untilLess(DX), Y7, Y13
	VADDPD Y13, Y8, Y13 // closest
	VADDPD Y13, Y8, Y14
	VMULPD pairQuery_until(DX), Y14, Y14
	VADDPD Y14, Y10, Y14 // gap

	VANDNPD Y11, Y12, Y12 // they approach, and they touch at some time
	VANDNPD Y13, Y14, Y13 // apart at the end of the step, and still approaching
	VANDNPD Y12, Y13, Y12
	VBROADCASTSD pairQuery_keep(DX), Y14
	VMULPD Y14, Y6, Y14
	VSUBPD Y14, Y9, Y9
	VORPD Y9, Y12, Y12  // or they overlap deeply

	VMOVMSKPD Y12, AX
	CMPQ CX, $4
	MOVL $4, BX
	CMOVLLT CX, BX
	BZHIL BX, AX, AX // not those beyond the last body
	MOVL AX, BX
	SHLQ $4, BX
	VMOVDQU (R8), X0
	VPSHUFB (R9)(BX*1), X0, X0
	VMOVDQU X0, (DI)
	POPCNTL AX, AX
	LEAQ (DI)(AX*4), DI
	ADDQ $16, R8
	SUBQ $4, CX
	JHI bodies
	SUBQ R13, DI
	SHRQ $2, DI
	VZEROUPPER
	MOVQ DI, found+64(FP)
	RET

none:
	VZEROUPPER
	MOVQ $0, found+64(FP)
	RET

// Some cells have more bodies than slots. The others follow those in their last slots.
crowded:
	MOVQ q+0(FP), R13
	MOVQ pairQuery_next(R13), R13
	MOVQ R8, AX
	MOVQ DI, R11
	LEAQ (4*const_mostTested)(R8), R12

crowdedCell:
	MOVL (AX), BX
	CMPL BX, $0x3fffffff
	JLE nextCell
	ANDL $0x3fffffff, BX
	MOVL BX, (AX)

list:
	MOVLQSX (R13)(BX*4), BX
	TESTL BX, BX
	JLT nextCell
	CMPQ DI, R12
	JAE overflow
	MOVL BX, (DI)
	ADDQ $4, DI
	JMP list

nextCell:
	ADDQ $4, AX
	CMPQ AX, R11
	JB crowdedCell
	VPXOR Y5, Y5, Y5
	JMP listed

overflow:
	VZEROUPPER
	MOVQ $-1, found+64(FP)
	RET
