//go:build amd64 && !purego

#include "textflag.h"

// func Lines(places ...unsafe.Pointer)
TEXT ·Lines(SB), NOSPLIT, $0-24
	MOVQ places_base+0(FP), AX
	MOVQ places_len+8(FP), CX
	LEAQ (AX)(CX*8), CX
	JMP  check

next:
	MOVQ       (AX), DX
	PREFETCHT0 (DX)
	ADDQ       $8, AX

check:
	CMPQ AX, CX
	JB   next
	RET
