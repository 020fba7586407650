//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// AXIS finds the times at which the four boxes are entered and left along an axis, and makes X0, X1
// and X2, X3 their minima with those of the axes before: X0 and X1 have the entries, negated. SI is
// the node, DI the search, and X14 is zero.
#define AXIS(K) \
	XORPS    X4, X4 \
	XORPS    X5, X5 \
	CVTSS2SD (meshNode_origin+4*K)(SI), X4 \
	CVTSS2SD (meshNode_scale+4*K)(SI), X5 \
	MOVSD    (meshSearch_inverse+8*K)(DI), X6 \
	MOVSD    (meshSearch_from+8*K)(DI), X7 \
	MULSD    X6, X5 \
	SUBSD    X4, X7 \
	SUBSD    (meshSearch_to+8*K)(DI), X4 \
	MULSD    X6, X7 \
	MULSD    X6, X4 \
	UNPCKLPD X5, X5 \
	UNPCKLPD X7, X7 \
	UNPCKLPD X4, X4 \
	MOVQ     (meshSearch_near+8*K)(DI), AX \
	MOVQ     (meshSearch_far+8*K)(DI), CX \
	MOVL     meshNode_quanta(SI)(AX*4), X8 \
	MOVL     meshNode_quanta(SI)(CX*4), X10 \
	PUNPCKLBW X14, X8 \
	PUNPCKLBW X14, X10 \
	PUNPCKLWL X14, X8 \
	PUNPCKLWL X14, X10 \
	CVTPL2PD X8, X9 \
	CVTPL2PD X10, X11 \
	PSHUFD   $0xee, X8, X8 \
	PSHUFD   $0xee, X10, X10 \
	CVTPL2PD X8, X8 \
	CVTPL2PD X10, X10 \
	MULPD    X5, X9 \
	MULPD    X5, X11 \
	MULPD    X5, X8 \
	MULPD    X5, X10 \
	ADDPD    X4, X11 \
	ADDPD    X4, X10 \
	MOVAPD   X7, X12 \
	SUBPD    X9, X12 \
	SUBPD    X8, X7 \
	MINPD    X12, X0 \
	MINPD    X7, X1 \
	MINPD    X11, X2 \
	MINPD    X10, X3

// func enterFour(s *meshSearch, n *meshNode) (entered uint32)
//
// The operations are those of enterBoxesGo, in the same order, and none of them fused.
TEXT ·enterFour(SB), NOSPLIT, $0-20
	MOVQ s+0(FP), DI
	MOVQ n+8(FP), SI
	PXOR X14, X14
	PXOR X0, X0
	PXOR X1, X1
	MOVQ $0x7ff0000000000000, AX // infinity
	MOVQ AX, X2
	UNPCKLPD X2, X2
	MOVAPD X2, X3
	AXIS(0)
	AXIS(1)
	AXIS(2)
	PCMPEQL X4, X4
	PSLLQ $63, X4 // the sign
	XORPD X4, X0
	XORPD X4, X1
	MOVUPD X0, meshSearch_enters(DI)
	MOVUPD X1, (meshSearch_enters+16)(DI)
	MOVQ $0x3feffffffffffff8, AX // 1 - 2^-50
	MOVQ AX, X5
	UNPCKLPD X5, X5
	MOVQ $0x3ff0000000000004, AX // 1 + 2^-50
	MOVQ AX, X6
	UNPCKLPD X6, X6
	MOVSD meshSearch_end(DI), X7
	UNPCKLPD X7, X7
	MULPD X5, X0
	MULPD X5, X1
	MULPD X6, X2
	MULPD X6, X3
	MINPD X7, X2
	MINPD X7, X3
	CMPPD X2, X0, $2 // at most
	CMPPD X3, X1, $2
	MOVMSKPD X0, AX
	MOVMSKPD X1, CX
	SHLL $2, CX
	ORL CX, AX
	MOVUPS meshNode_children(SI), X4
	PCMPEQL X14, X4
	MOVMSKPS X4, CX // no child
	NOTL CX
	ANDL CX, AX
	MOVL AX, entered+16(FP)
	RET
