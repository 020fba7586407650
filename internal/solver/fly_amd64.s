//go:build amd64 && !purego

#include "textflag.h"

// func fly(ids, index []int32, bodies []body, all []flags, mask int, positions, velocities []unsafe.Pointer) int
TEXT ·fly(SB), NOSPLIT, $0-160
	MOVQ ids_base+0(FP), SI
	MOVQ ids_len+8(FP), CX
	MOVQ index_base+24(FP), R8
	MOVQ bodies_base+48(FP), R9
	MOVQ all_base+72(FP), DI
	MOVQ mask+96(FP), R12
	MOVQ positions_base+104(FP), R10
	MOVQ velocities_base+128(FP), R11
	LEAQ (SI)(CX*4), CX
	JMP  check

next:
	MOVL       (SI), AX
	MOVL       (R8)(AX*4), AX
	MOVL       (DI)(AX*4), BX
	SHLQ       $6, AX
	ADDQ       R9, AX
	ANDQ       R12, BX
	MOVQ       (R10), DX
	MOVQ       (DX), R13
	XORQ       (AX), R13
	ORQ        R13, BX
	MOVQ       8(DX), R13
	XORQ       8(AX), R13
	ORQ        R13, BX
	MOVQ       16(DX), R13
	XORQ       16(AX), R13
	ORQ        R13, BX
	JNE        done
	MOVQ       (R11), DX
	MOVOU      (DX), X0
	MOVQ       16(DX), X1
	MOVOU      X0, 24(AX)
	MOVQ       X1, 40(AX)
	ADDQ       $8, R10
	ADDQ       $8, R11
	ADDQ       $4, SI

check:
	CMPQ SI, CX
	JB   next

done:
	SUBQ ids_base+0(FP), SI
	SHRQ $2, SI
	MOVQ SI, ret+152(FP)
	RET

// func land(ids, next, index []int32, bodies []body, all []flags, positions, velocities []unsafe.Pointer, ahead int, states []State) int
TEXT ·land(SB), NOSPLIT, $0-208
	MOVQ ids_base+0(FP), SI
	MOVQ next_base+24(FP), DI
	MOVQ index_base+48(FP), R8
	MOVQ bodies_base+72(FP), R9
	MOVQ all_base+96(FP), R15
	MOVQ positions_base+120(FP), R10
	MOVQ velocities_base+144(FP), R11
	MOVQ states_base+176(FP), CX
	XORL R12, R12
	XORL R13, R13

next:
	MOVQ       ahead+168(FP), DX
	MOVL       (DI)(R13*4), AX
	MOVL       (R8)(AX*4), AX
	ADDQ       R13, DX
	MOVQ       (R10)(DX*8), BX
	MOVQ       (R11)(DX*8), DX
	PREFETCHT0 (R15)(AX*4)
	SHLQ       $6, AX
	PREFETCHT0 (BX)
	PREFETCHT0 (DX)
	PREFETCHT0 (R9)(AX*1)
	MOVL       (SI)(R13*4), AX
	MOVL       (R8)(AX*4), AX
	MOVL       (R15)(AX*4), BX
	ORL        BX, R12
	SHLQ       $6, AX
	ADDQ       R9, AX
	MOVQ       24(AX), BX
	ORQ        32(AX), BX
	ORQ        40(AX), BX
	CMPQ       BX, $1         // carries if the velocity is 0
	SBBL       BX, BX
	ANDL       $0x1000000, BX
	ORL        BX, R12
	MOVQ       (R10)(R13*8), DX
	MOVQ       (R11)(R13*8), BX
	MOVOU      (AX), X0
	MOVOU      16(AX), X1
	MOVOU      32(AX), X2
	MOVOU      X0, (DX)
	MOVLPD     X1, 16(DX)
	MOVHPD     X1, (BX)
	MOVOU      X2, 8(BX)
	INCQ       R13
	TESTQ      CX, CX
	JEQ        check
	MOVOU      X0, (CX)
	MOVOU      X1, 16(CX)
	MOVOU      X2, 32(CX)
	ADDQ       $48, CX

check:
	CMPQ R13, ids_len+8(FP)
	JB   next
	MOVQ R12, ret+200(FP)
	RET

// func bring(ids, index []int32, bodies []body)
TEXT ·bring(SB), NOSPLIT, $0-72
	MOVQ ids_base+0(FP), SI
	MOVQ ids_len+8(FP), CX
	MOVQ index_base+24(FP), R8
	MOVQ bodies_base+48(FP), R9
	LEAQ (SI)(CX*4), CX

next:
	MOVL       (SI), AX
	MOVL       (R8)(AX*4), AX
	SHLQ       $6, AX
	PREFETCHT0 (R9)(AX*1)
	ADDQ       $4, SI
	CMPQ       SI, CX
	JB         next
	RET
