//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// func searchFour(
//	q *pairQuery, bodies *body, i int, slots *int32, cells *grid.StencilRows, links *grid.Link,
//	near *int32, have int, out *int32, table *[64][8]uint8,
// ) (tested, found int)
//
// The first two bodies of each cell are collected as in compactRows of package grid. The pair test
// consists of the operations of pairQuery.filterGo, in the same order, and none of them fused.
TEXT ·searchFour(SB), NOSPLIT, $0-96
	MOVQ slots+24(FP), SI
	MOVQ cells+32(FP), DX
	MOVQ near+48(FP), R8
	MOVQ have+56(FP), DI
	MOVQ table+72(FP), R9
	LEAQ (R8)(DI*4), DI
	VPXOR Y5, Y5, Y5 // the greatest slots
	TESTQ DX, DX
	JZ listed
	MOVQ (DX), CX // rows
	ADDQ $8, DX
	TESTQ CX, CX
	JZ listed

rows:
	MOVLQSX (DX), AX
	MOVL 4(DX), BX
	VMOVDQU (SI)(AX*4), Y0
	VMOVMSKPS Y0, R10 // empty slots
	ANDNL BX, R10, R10
	VPMAXSD Y0, Y5, Y5
	VPMOVZXBD (R9)(R10*8), Y2
	VPERMD Y0, Y2, Y3
	VMOVDQU Y3, (DI)
	POPCNTL R10, R10
	LEAQ (DI)(R10*4), DI
	ADDQ $8, DX
	DECQ CX
	JNZ rows

listed:
	VPXOR X0, X0, X0
	VMOVDQU X0, (DI) // the loop below reads up to three bodies beyond the last: body 0
	MOVL $0x3fffffff, AX
	VMOVD AX, X4
	VPBROADCASTD X4, Y4 // greater values have the bit of a third body
	VPCMPGTD Y4, Y5, Y5
	VMOVMSKPS Y5, AX
	TESTL AX, AX
	JNZ crowded
	MOVQ DI, CX
	SUBQ R8, CX
	SHRQ $2, CX
	MOVQ CX, tested+80(FP)
	JZ none
	MOVQ q+0(FP), DX
	MOVQ bodies+8(FP), SI
	MOVQ i+16(FP), R12
	SHLQ $6, R12
	ADDQ SI, R12
	MOVQ out+64(FP), DI
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
	JLT tail
	MOVQ AX, BX
	SHLQ $4, BX
	VMOVDQU (R8), X0
	VPSHUFB (R9)(BX*1), X0, X0
	VMOVDQU X0, (DI)
	POPCNTL AX, AX
	LEAQ (DI)(AX*4), DI
	ADDQ $16, R8
	SUBQ $4, CX
	JNZ bodies
	JMP done

tail:
	MOVL $1, BX
	SHLL CX, BX
	DECL BX
	ANDL BX, AX
	MOVQ AX, BX
	SHLQ $4, BX
	VMOVDQU (R8), X0
	VPSHUFB (R9)(BX*1), X0, X0
	VMOVDQU X0, (DI)
	POPCNTL AX, AX
	LEAQ (DI)(AX*4), DI

done:
	SUBQ R13, DI
	SHRQ $2, DI
	VZEROUPPER
	MOVQ DI, found+88(FP)
	RET

none:
	VZEROUPPER
	MOVQ $0, found+88(FP)
	RET

// Some cells have more than two bodies. The others are collected along their lists.
crowded:
	MOVL $0xbfffffff, AX
	VMOVD AX, X6
	VPBROADCASTD X6, Y6
	MOVQ R8, AX

clear: // the bit of a third body in what has been collected
	VPAND (AX), Y6, Y0
	VMOVDQU Y0, (AX)
	ADDQ $32, AX
	CMPQ AX, DI
	JB clear
	MOVQ cells+32(FP), DX
	MOVQ (DX), CX
	ADDQ $8, DX
	MOVQ links+40(FP), R13
	LEAQ (4*const_mostTested)(R8), R12

crowdedRows:
	MOVLQSX (DX), AX
	LEAQ (SI)(AX*4), R11
	VMOVDQU (R11), Y0
	VPCMPGTD Y4, Y0, Y1
	VMOVMSKPS Y1, R10
	ANDL 4(DX), R10
	JZ nextRow

crowdedCell:
	BSFL R10, BX
	MOVL (R11)(BX*4), AX
	ANDL $0x3fffffff, AX

list:
	MOVLQSX (R13)(AX*8), AX
	TESTL AX, AX
	JLT nextCell
	CMPQ DI, R12
	JAE overflow
	MOVL AX, (DI)
	ADDQ $4, DI
	JMP list

nextCell:
	LEAL -1(R10), BX
	ANDL BX, R10
	JNZ crowdedCell

nextRow:
	ADDQ $8, DX
	DECQ CX
	JNZ crowdedRows
	VPXOR Y5, Y5, Y5
	JMP listed

overflow:
	VZEROUPPER
	MOVQ $-1, found+88(FP)
	RET
