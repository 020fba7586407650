//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

DATA boxesEarlier<>+0(SB)/4, $0x3f7ffff8 // 1 - timeSlack
DATA boxesEarlier<>+4(SB)/4, $0x3f7ffff8
DATA boxesEarlier<>+8(SB)/4, $0x3f7ffff8
DATA boxesEarlier<>+12(SB)/4, $0x3f7ffff8
GLOBL boxesEarlier<>(SB), RODATA|NOPTR, $16

DATA boxesLater<>+0(SB)/4, $0x3f800004 // 1 + timeSlack
DATA boxesLater<>+4(SB)/4, $0x3f800004
DATA boxesLater<>+8(SB)/4, $0x3f800004
DATA boxesLater<>+12(SB)/4, $0x3f800004
GLOBL boxesLater<>(SB), RODATA|NOPTR, $16

DATA boxesSlow<>+0(SB)/4, $0x49000000 // slowExit
DATA boxesSlow<>+4(SB)/4, $0x49000000
DATA boxesSlow<>+8(SB)/4, $0x49000000
DATA boxesSlow<>+12(SB)/4, $0x49000000
GLOBL boxesSlow<>(SB), RODATA|NOPTR, $16

// AXIS makes of the quanta of the lower and upper sides along an axis the times at which the four
// boxes are left, in UPPER, and entered, in X13. LANE selects the axis in X0, X2 and X5.
#define AXIS(LANE, LOWER, UPPER) \
	PSHUFD LANE, X5, X12 \
	PSHUFD LANE, X0, X13 \
	PSHUFD LANE, X2, X1 \
	CVTPL2PS LOWER, LOWER \
	CVTPL2PS UPPER, UPPER \
	MULPS  X12, LOWER \
	MULPS  X12, UPPER \
	ADDPS  LOWER, X13 \
	ADDPS  X1, UPPER \
	MOVAPS X13, X1 \
	MINPS  UPPER, X13 \
	MAXPS  X1, UPPER

// GROUP tests the boxes of four children, and leaves their bits in MASK. X0, X2 and X5 are as
// below, X14 is zero, and X15 is the end. The bytes become integers, those of lower sides in X6, X8
// and X7, and of upper ones in X9, X10 and X11.
#define GROUP(QUANTA, CHILDREN, ENTERS, MASK) \
	MOVUPS    (QUANTA)(SI), X6 \
	MOVQ      (QUANTA+16)(SI), X10 \
	MOVAPS    X6, X7 \
	PUNPCKLBW X14, X6 \
	PUNPCKHBW X14, X7 \
	PUNPCKLBW X14, X10 \
	MOVAPS    X6, X8 \
	MOVAPS    X7, X9 \
	MOVAPS    X10, X11 \
	PUNPCKLWL X14, X6 \
	PUNPCKHWL X14, X8 \
	PUNPCKLWL X14, X7 \
	PUNPCKHWL X14, X9 \
	PUNPCKLWL X14, X10 \
	PUNPCKHWL X14, X11 \
	AXIS($0x00, X6, X9) \
	MOVAPS X13, X3 \
	AXIS($0x55, X8, X10) \
	MAXPS  X13, X3 \
	MINPS  X10, X9 \
	AXIS($0xaa, X7, X11) \
	MAXPS  X13, X3 \
	MINPS  X11, X9 \
	MAXPS  X14, X3 \
	MOVUPS X3, (ENTERS)(DI) \
	MULPS  boxesEarlier<>(SB), X3 \
	MULPS  boxesLater<>(SB), X9 \
	MOVAPS X3, X1 \
	MINPS  boxesSlow<>(SB), X3 \
	CMPPS  X15, X1, $2 \
	CMPPS  X9, X3, $2 \
	ANDPS  X1, X3 \
	MOVUPS (CHILDREN)(SI), X4 \
	PCMPEQL X14, X4 \
	PANDN  X3, X4 \
	MOVMSKPS X4, MASK

// func enterEight(s *meshSearch, n *meshNode) (entered uint32)
//
// The operations are those of enterBoxesGo, and none of them fused.
TEXT ·enterEight(SB), NOSPLIT, $0-20
	MOVQ s+0(FP), DI
	MOVQ n+8(FP), SI
	PXOR X14, X14

	// The times at which a side with no quanta would be passed, lower sides in X0 and upper ones in
	// X2, and the time that a quantum takes, in X5. The fourth lanes aren't used.
	MOVUPS meshNode_origin(SI), X0
	MOVUPS (meshNode_origin+8)(SI), X5 // the last of the origin, and the scale
	MOVUPS meshSearch_inverse(DI), X1
	MOVUPS meshSearch_high(DI), X3
	MOVUPS meshSearch_low(DI), X4
	MOVSS  meshSearch_end(DI), X15
	PSHUFD $0x39, X5, X5
	PSHUFD $0x00, X15, X15
	MOVAPS X0, X2
	SUBPS  X3, X0
	SUBPS  X4, X2
	MULPS  X1, X5
	MULPS  X1, X0
	MULPS  X1, X2

	GROUP(meshNode_quanta, meshNode_children, meshSearch_enters, AX)
	GROUP(meshNode_quanta+24, meshNode_children+16, meshSearch_enters+16, CX)
	SHLL $4, CX
	ORL  CX, AX
	MOVL AX, entered+16(FP)
	RET
