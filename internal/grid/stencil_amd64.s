//go:build amd64 && !purego

#include "textflag.h"

// func compactRows(slots *int32, rows *Row, n int, out *int32) (count, overflow int)
TEXT ·compactRows(SB), NOSPLIT, $0-48
	MOVQ slots+0(FP), SI
	MOVQ rows+8(FP), DX
	MOVQ n+16(FP), CX
	MOVQ out+24(FP), DI
	MOVQ DI, R8
	LEAQ ·CompactTable(SB), R9
	MOVL $0x3fffffff, AX
	VMOVD AX, X4
	VPBROADCASTD X4, Y4 // greater values have the bit "more"
	VPXOR Y5, Y5, Y5

loop:
	MOVLQSX (DX), AX
	MOVL 4(DX), BX
	VMOVDQU (SI)(AX*4), Y0
	VMOVMSKPS Y0, R10 // empty slots
	ANDNL BX, R10, R10
	VPCMPGTD Y4, Y0, Y1
	VPOR Y1, Y5, Y5
	VPMOVZXBD (R9)(R10*8), Y2
	VPERMD Y0, Y2, Y3
	VMOVDQU Y3, (DI)
	POPCNTL R10, R10
	LEAQ (DI)(R10*4), DI
	ADDQ $8, DX
	DECQ CX
	JNZ loop

	SUBQ R8, DI
	SHRQ $2, DI
	VMOVMSKPS Y5, AX
	VZEROUPPER
	MOVQ DI, count+32(FP)
	MOVLQZX AX, AX
	MOVQ AX, overflow+40(FP)
	RET

// func prefetchRows(slots *int32, rows *Row, n int)
TEXT ·prefetchRows(SB), NOSPLIT, $0-24
	MOVQ slots+0(FP), SI
	MOVQ rows+8(FP), DX
	MOVQ n+16(FP), CX

loop:
	MOVLQSX (DX), AX
	PREFETCHT0 (SI)(AX*4)
	ADDQ $8, DX
	DECQ CX
	JNZ loop
	RET
