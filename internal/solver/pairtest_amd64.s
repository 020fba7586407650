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
	LEAQ (DX)(CX*4), DX // CX counts from -pieces to 0
	NEGQ CX
	LEAQ ·rowTable(SB), R9

pieces: // of up to eight slots
	MOVLQSX 8(DX)(CX*4), AX // offsets
	VMOVDQU (SI)(AX*4), Y0
	VMOVMSKPS Y0, R10 // empty slots
	ANDNL 80(DX)(CX*4), R10, R10 // masks
	VPMAXSD Y0, Y5, Y5
	VPMOVZXBD (R9)(R10*8), Y2
	VPERMD Y0, Y2, Y3
	VMOVDQU Y3, (DI)
	POPCNTL R10, R10
	LEAQ (DI)(R10*4), DI
	INCQ CX
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
	VMOVUPD (R12), Y12 // x, y, z, vx of the body
	VMOVUPD 32(R12), Y13 // vy, vz, radius
	VXORPD Y0, Y0, Y0
	VSUBPD Y13, Y0, Y0
	VBLENDPD $12, Y0, Y13, Y13 // the radius becomes negative: what follows subtracts all four
	VBROADCASTSD pairQuery_now(DX), Y14
	VBROADCASTSD pairQuery_keep(DX), Y15

bodies:
	MOVLQSX (R8), AX
	MOVLQSX 4(R8), BX
	MOVLQSX 8(R8), R10
	MOVLQSX 12(R8), R11
	SHLQ $6, AX
	SHLQ $6, BX
	SHLQ $6, R10
	SHLQ $6, R11

	// The differences to four bodies, transposed: one register for each coordinate.
	VSUBPD (SI)(AX*1), Y12, Y0
	VSUBPD (SI)(BX*1), Y12, Y1
	VSUBPD (SI)(R10*1), Y12, Y2
	VSUBPD (SI)(R11*1), Y12, Y3
	VSUBPD 32(SI)(AX*1), Y13, Y4
	VSUBPD 32(SI)(BX*1), Y13, Y5
	VSUBPD 32(SI)(R10*1), Y13, Y6
	VSUBPD 32(SI)(R11*1), Y13, Y7
	VPERM2F128 $0x20, Y2, Y0, Y8
	VPERM2F128 $0x20, Y3, Y1, Y9
	VPERM2F128 $0x31, Y2, Y0, Y10
	VPERM2F128 $0x31, Y3, Y1, Y11
	VUNPCKLPD Y9, Y8, Y0   // dx
	VUNPCKHPD Y9, Y8, Y1   // dy
	VUNPCKLPD Y11, Y10, Y2 // dz
	VUNPCKHPD Y11, Y10, Y3 // wx
	VPERM2F128 $0x20, Y6, Y4, Y8
	VPERM2F128 $0x20, Y7, Y5, Y9
	VPERM2F128 $0x31, Y6, Y4, Y10
	VPERM2F128 $0x31, Y7, Y5, Y11
	VUNPCKLPD Y9, Y8, Y4   // wy
	VUNPCKHPD Y9, Y8, Y5   // wz
	VUNPCKLPD Y11, Y10, Y6 // -r

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
	VMULPD Y0, Y0, Y0
	VMULPD Y1, Y1, Y1
	VMULPD Y2, Y2, Y2
	VADDPD Y1, Y0, Y0
	VADDPD Y2, Y0, Y0   // dd
	VMULPD Y6, Y6, Y6   // rr

	VMULPD pairQuery_less(DX), Y0, Y1
	VMULPD pairQuery_more(DX), Y6, Y2
	VSUBPD Y2, Y1, Y1   // c
	VMULPD Y14, Y7, Y2
	VADDPD Y2, Y8, Y2   // approach
	VMULPD Y8, Y8, Y3
	VMULPD Y1, Y7, Y4
	VSUBPD Y4, Y3, Y3   // root
	VMULPD pairQuery_untilLess(DX), Y7, Y4
	VADDPD Y4, Y8, Y4   // closest
	VADDPD Y4, Y8, Y5
	VMULPD pairQuery_until(DX), Y5, Y5
	VADDPD Y5, Y1, Y5   // gap

	VANDNPD Y2, Y3, Y3  // they approach, and they touch at some time
	VANDNPD Y4, Y5, Y5  // apart at the end of the step, and still approaching
	VANDNPD Y3, Y5, Y5
	VMULPD Y15, Y6, Y6
	VSUBPD Y6, Y0, Y0
	VORPD Y0, Y5, Y5    // or they overlap deeply

	VMOVMSKPD Y5, AX
	LEAL (AX)(AX*1), BX
	VMOVDQU (R8), X0
	VPSHUFB (R9)(BX*8), X0, X0
	VMOVDQU X0, (DI)
	POPCNTL AX, R10
	LEAQ (DI)(R10*4), DI
	ADDQ $16, R8
	SUBQ $4, CX
	JHI bodies

	ADDL $4, CX // how many of the last four are bodies; the others don't count
	SHRXL CX, AX, AX
	POPCNTL AX, AX
	SUBQ R13, DI
	SHRQ $2, DI
	SUBQ AX, DI
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
