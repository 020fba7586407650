//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// Bits that count, of a Rotation (not the signs of its imaginary parts), of a Body and of the last
// 16 bytes of a Material (not the bytes between fields).
DATA rotationMask<>+0(SB)/8, $0x7fffffffffffffff
DATA rotationMask<>+8(SB)/8, $0x7fffffffffffffff
DATA rotationMask<>+16(SB)/8, $0x7fffffffffffffff
DATA rotationMask<>+24(SB)/8, $-1
GLOBL rotationMask<>(SB), RODATA|NOPTR, $32
DATA bodyMask<>+0(SB)/8, $0xffffffff
DATA bodyMask<>+8(SB)/8, $-1
DATA bodyMask<>+16(SB)/8, $-1
DATA bodyMask<>+24(SB)/8, $-1
GLOBL bodyMask<>(SB), RODATA|NOPTR, $32
DATA materialMask<>+0(SB)/8, $-1
DATA materialMask<>+8(SB)/8, $0xffff
GLOBL materialMask<>(SB), RODATA|NOPTR, $16

// func rowsDiffer(t *table, from, n, following int, is *profile, c *restingRows) bool
TEXT ·rowsDiffer(SB), NOSPLIT, $0-49
	MOVQ t+0(FP), AX
	MOVQ from+8(FP), BX
	MOVQ n+16(FP), R14
	MOVQ following+24(FP), R12
	MOVQ is+32(FP), DX
	MOVQ c+40(FP), R13
	MOVQ (table_cols+const_colTransform*24)(AX), SI
	MOVQ (table_cols+const_colVelocity*24)(AX), DI
	MOVQ (table_cols+const_colSphere*24)(AX), R8
	MOVQ (table_cols+const_colBody*24)(AX), R9
	MOVQ (table_cols+const_colMaterial*24)(AX), R10
	LEAQ (SI)(BX*8), SI
	LEAQ (DI)(BX*8), DI
	LEAQ (R8)(BX*8), R8
	LEAQ (R9)(BX*8), R9
	LEAQ (R10)(BX*8), R10
	LEAQ restingRows_positions(R13), CX
	LEAQ (restingRows_sizes+rowSizes_radius)(R13), R13
	XORL R11, R11                                            // row
	XORL R15, R15                                            // how single words differ
	VPXOR X1, X1, X1                                         // pairs of words
	VPXOR X2, X2, X2                                         // rotations
	VPXOR X3, X3, X3                                         // bodies
	VPXOR X4, X4, X4                                         // the first 32 bytes of materials
	VPXOR X5, X5, X5                                         // and the last 16
	VMOVDQU (profile_profileKey+profileKey_body)(DX), Y6
	VMOVDQU (profile_profileKey+profileKey_material)(DX), Y7
	VMOVDQU (profile_profileKey+profileKey_material+32)(DX), X8
	MOVQ    (SI), AX
	VMOVDQU 24(AX), Y9
	VPBLENDD $0xc0, Y9, Y1, Y9                               // real part of the first rotation

next:
	TESTQ R12, R12
	JZ    compare
	MOVQ  (SI)(R12*8), AX
	MOVQ  (DI)(R12*8), BX
	MOVQ  (R8)(R12*8), DX
	PREFETCHT0 (AX)
	PREFETCHT0 (BX)
	PREFETCHT0 (DX)
	MOVQ  (R9)(R12*8), AX
	MOVQ  (R10)(R12*8), BX
	PREFETCHT0 (AX)
	PREFETCHT0 (BX)
	INCQ  R12

compare:
	MOVQ (R8)(R11*8), DX
	MOVQ (R9)(R11*8), AX
	MOVQ (R10)(R11*8), BX
	MOVQ (DX), DX
	XORQ (R13)(R11*8), DX
	ORQ  DX, R15
	VBROADCASTSD (rowSizes_mass-rowSizes_radius)(R13)(R11*8), Y0
	VBLENDPD $2, Y0, Y6, Y0
	VPXOR (AX), Y0, Y0
	VPOR  Y0, Y3, Y3
	VPXOR (BX), Y7, Y0
	VPOR  Y0, Y4, Y4
	VPXOR 32(BX), X8, X0
	VPOR  X0, X5, X5

	MOVQ (SI)(R11*8), AX
	MOVQ (DI)(R11*8), BX
	MOVQ 16(AX), DX
	XORQ 16(CX), DX
	ORQ  DX, R15
	ORQ  16(BX), R15
	VMOVDQU (AX), X0
	VPXOR (CX), X0, X0
	VPOR  X0, X1, X1
	VPOR  (BX), X1, X1
	VPXOR 24(AX), Y9, Y0
	VPOR  Y0, Y2, Y2

	ADDQ $24, CX
	INCQ R11
	CMPQ R11, R14
	JB   next

	VPAND rotationMask<>(SB), Y2, Y2
	VPAND bodyMask<>(SB), Y3, Y3
	VPAND materialMask<>(SB), X5, X5
	VMOVQ R15, X0
	VPOR  X0, X1, X1
	VPOR  X5, X1, X1
	VPOR  Y2, Y3, Y3
	VPOR  Y4, Y1, Y1
	VPOR  Y3, Y1, Y1
	VPTEST Y1, Y1
	SETNE ret+48(FP)
	VZEROUPPER
	RET
