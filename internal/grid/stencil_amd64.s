//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// func compactRows(
//	slots *int32, c *StencilRows, out *int32, table *[256][8]uint8,
// ) (count, crowded int)
TEXT ·compactRows(SB), NOSPLIT, $0-48
	MOVQ slots+0(FP), SI
	MOVQ c+8(FP), DX
	MOVQ out+16(FP), DI
	MOVQ table+24(FP), R9
	MOVQ DI, R8
	MOVQ StencilRows_pieces(DX), CX
	VPXOR Y5, Y5, Y5
	LEAQ (DX)(CX*4), DX // CX counts from -pieces to 0
	NEGQ CX

loop:
	MOVLQSX StencilRows_offsets(DX)(CX*4), AX
	VMOVDQU (SI)(AX*4), Y0
	VMOVMSKPS Y0, R10 // empty slots
	ANDNL StencilRows_masks(DX)(CX*4), R10, R10
	VPMAXSD Y0, Y5, Y5
	VPMOVZXBD (R9)(R10*8), Y2
	VPERMD Y0, Y2, Y3
	VMOVDQU Y3, (DI)
	POPCNTL R10, R10
	LEAQ (DI)(R10*4), DI
	INCQ CX
	JNZ loop

	SUBQ R8, DI
	SHRQ $2, DI
	MOVQ DI, count+32(FP)
	MOVL $0x3fffffff, AX
	VMOVD AX, X4
	VPBROADCASTD X4, Y4 // greater values have the bit "more"
	VPCMPGTD Y4, Y5, Y5
	VMOVMSKPS Y5, AX
	VZEROUPPER
	MOVQ AX, crowded+40(FP)
	RET

// func prefetchRows(slots, offsets *int32, n int)
TEXT ·prefetchRows(SB), NOSPLIT, $0-24
	MOVQ slots+0(FP), SI
	MOVQ offsets+8(FP), DX
	MOVQ n+16(FP), CX

loop:
	MOVLQSX (DX), AX
	PREFETCHT0 (SI)(AX*4)
	ADDQ $4, DX
	DECQ CX
	JNZ loop
	RET
