//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// The first three of four words.
DATA three<>+0(SB)/8, $-1
DATA three<>+8(SB)/8, $-1
DATA three<>+16(SB)/8, $-1
DATA three<>+24(SB)/8, $0
GLOBL three<>(SB), RODATA|NOPTR, $32

// func examineFour(e *exam, found *words)
TEXT ·examineFour(SB), NOSPLIT, $0-16
	MOVQ e+0(FP), R14
	MOVQ exam_transforms(R14), SI
	MOVQ exam_velocities(R14), DI
	MOVQ exam_spheres(R14), R8
	MOVQ exam_bodies(R14), R9
	MOVQ exam_responses(R14), R10
	MOVQ exam_ahead(R14), R12
	MOVQ exam_sizes(R14), R13
	MOVQ exam_landed(R14), CX
	LEAQ measures_mass(R13), R15
	XORL R11, R11

	VPXOR   X1, X1, X1          // squares of positions
	VPXOR   X2, X2, X2          // and of velocities
	VPXOR   X3, X3, X3          // bits of rotations
	VPXOR   X4, X4, X4          // how positions differ from where they landed
	VPXOR   X5, X5, X5          // and velocities
	VPXOR   X6, X6, X6          // how bodies differ
	VPXOR   X7, X7, X7
	VPXOR   X13, X13, X13       // how responses do
	VPXOR   X14, X14, X14       // how radii do
	VMOVDQU exam_body(R14), Y8
	VMOVDQU exam_body+32(R14), X9
	VMOVDQU exam_response(R14), Y10
	VMOVDQU three<>(SB), Y11
	MOVQ    (SI), AX
	VMOVDQU 24(AX), Y12
	VPBLENDD $0xc0, Y12, Y7, Y12 // the first one's real part

next:
	MOVQ       (SI)(R12*8), AX
	MOVQ       (DI)(R12*8), BX
	MOVQ       (R8)(R12*8), DX
	PREFETCHT0 (AX)
	PREFETCHT0 (BX)
	PREFETCHT0 (DX)
	MOVQ       (R9)(R12*8), AX
	MOVQ       (R10)(R12*8), BX
	PREFETCHT0 (AX)
	PREFETCHT0 (BX)

	MOVQ         (R8)(R11*8), DX
	MOVQ         (R9)(R11*8), AX
	MOVQ         (R10)(R11*8), BX
	VMOVQ        (DX), X0
	VPXOR        (R13)(R11*8), X0, X0
	VPOR         X0, X14, X14
	VBROADCASTSD (R15)(R11*8), Y0
	VBLENDPD     $2, Y0, Y8, Y0
	VPXOR        (AX), Y0, Y0
	VPXOR        32(AX), X9, X15
	VPOR         Y0, Y6, Y6
	VPOR         X15, X7, X7
	VMASKMOVPD   (BX), Y11, Y0
	VPXOR        Y10, Y0, Y0
	VPOR         Y0, Y13, Y13

	MOVQ       (SI)(R11*8), AX
	MOVQ       (DI)(R11*8), BX
	VMOVDQU    (AX), Y0
	VPXOR      24(AX), Y12, Y15
	VPOR       Y15, Y3, Y3
	VPXOR      (CX), Y0, Y15
	VPOR       Y15, Y4, Y4
	VMULPD     Y0, Y0, Y0
	VADDPD     Y0, Y1, Y1
	VMASKMOVPD (BX), Y11, Y0
	VPXOR      24(CX), Y0, Y15
	VPOR       Y15, Y5, Y5
	VMULPD     Y0, Y0, Y0
	VADDPD     Y0, Y2, Y2

	ADDQ $48, CX
	INCQ R12
	INCQ R11
	CMPQ R11, exam_rows(R14)
	JB   next

	MOVQ    found+8(FP), AX
	VMOVDQU Y6, words_body(AX)
	VMOVDQU X7, words_body+32(AX)
	VMOVDQU Y13, words_response(AX)
	VMOVDQU X14, words_radius(AX)
	VMOVDQU Y3, words_rotation(AX)
	VMOVDQU Y4, words_strayed(AX)
	VMOVDQU Y5, words_turned(AX)
	VMOVDQU Y1, words_position(AX)
	VMOVDQU Y2, words_velocity(AX)
	VZEROUPPER
	RET
