//go:build amd64 && !purego

#include "textflag.h"

// func searchFour(
//	q *pairQuery, bodies *body, i int, slots *int32, rows *grid.Row, count int,
//	near *int32, have int, out *int32, table *[64][8]int32,
// ) (tested, found int)
//
// The bodies in the cells are collected as in compactRows of package grid. The pair test consists
// of the operations of pairQuery.filterGo, in the same order, and none of them fused.
TEXT ·searchFour(SB), NOSPLIT, $0-96
	MOVQ slots+24(FP), SI
	MOVQ rows+32(FP), DX
	MOVQ count+40(FP), CX
	MOVQ near+48(FP), R8
	MOVQ have+56(FP), DI
	MOVQ table+72(FP), R9
	LEAQ (R8)(DI*4), DI
	MOVL $0x3fffffff, AX
	VMOVD AX, X4
	VPBROADCASTD X4, Y4 // greater values have the bit of a third body
	VPXOR Y5, Y5, Y5
	TESTQ CX, CX
	JZ listed

rows:
	MOVLQSX (DX), AX
	MOVL 4(DX), BX
	VMOVDQU (SI)(AX*4), Y0
	VMOVMSKPS Y0, R10 // empty slots
	ANDNL BX, R10, R10
	VPCMPGTD Y4, Y0, Y1
	VPOR Y1, Y5, Y5
	MOVL R10, R11
	SHLQ $5, R11
	VMOVDQU (R9)(R11*1), Y2
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
	VMOVMSKPS Y5, AX
	TESTL AX, AX
	JNZ overflow
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
	VMOVUPD (SI)(AX*1), Y0
	VMOVUPD (SI)(BX*1), Y1
	VMOVUPD (SI)(R10*1), Y2
	VMOVUPD (SI)(R11*1), Y3
	VUNPCKLPD Y1, Y0, Y4
	VUNPCKHPD Y1, Y0, Y5
	VUNPCKLPD Y3, Y2, Y6
	VUNPCKHPD Y3, Y2, Y7
	VPERM2F128 $0x20, Y6, Y4, Y0 // x
	VPERM2F128 $0x20, Y7, Y5, Y1 // y
	VPERM2F128 $0x31, Y6, Y4, Y2 // z
	VPERM2F128 $0x31, Y7, Y5, Y3 // vx
	VMOVUPD 32(SI)(AX*1), Y4
	VMOVUPD 32(SI)(BX*1), Y5
	VMOVUPD 32(SI)(R10*1), Y6
	VMOVUPD 32(SI)(R11*1), Y7
	VUNPCKLPD Y5, Y4, Y8
	VUNPCKHPD Y5, Y4, Y9
	VUNPCKLPD Y7, Y6, Y10
	VUNPCKHPD Y7, Y6, Y11
	VPERM2F128 $0x20, Y10, Y8, Y4 // vy
	VPERM2F128 $0x20, Y11, Y9, Y5 // vz
	VPERM2F128 $0x31, Y10, Y8, Y6 // radius

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

	VBROADCASTSD 80(DX), Y10
	VBROADCASTSD 88(DX), Y11
	VMULPD Y10, Y9, Y10
	VMULPD Y11, Y6, Y11
	VSUBPD Y11, Y10, Y10 // c
	VBROADCASTSD 56(DX), Y11
	VMULPD Y11, Y7, Y11
	VADDPD Y11, Y8, Y11 // approach
	VMULPD Y8, Y8, Y12
	VMULPD Y10, Y7, Y13
	VSUBPD Y13, Y12, Y12 // root
	VBROADCASTSD 72(DX), Y13
	VMULPD Y13, Y7, Y13
	VADDPD Y13, Y8, Y13 // closest
	VADDPD Y13, Y8, Y14
	VBROADCASTSD 64(DX), Y15
	VMULPD Y14, Y15, Y14
	VADDPD Y14, Y10, Y14 // gap

	VANDNPD Y11, Y12, Y12 // they approach, and they touch at some time
	VANDNPD Y13, Y14, Y13 // apart at the end of the step, and still approaching
	VANDNPD Y12, Y13, Y12
	VBROADCASTSD 96(DX), Y14
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

overflow:
	VZEROUPPER
	MOVQ $-1, found+88(FP)
	RET
