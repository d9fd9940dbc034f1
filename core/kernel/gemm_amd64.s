//go:build !purego

#include "textflag.h"

// The products of one panel, in lanes of four: a lane belongs to one sum, and a
// product is rounded before it is added, so the order is that of gemm.go.

#define ROW8(A, L, H) \
	VBROADCASTSD (A)(R12*1), Y10; \
	VMULPD       Y8, Y10, Y11;    \
	VMULPD       Y9, Y10, Y12;    \
	VADDPD       Y11, L, L;       \
	VADDPD       Y12, H, H

#define TAKE8(L, H) \
	VMULPD  Y8, L, L;     \
	VMULPD  Y8, H, H;     \
	VADDPD  (DI), L, L;   \
	VADDPD  32(DI), H, H; \
	VMOVUPD L, (DI);      \
	VMOVUPD H, 32(DI);    \
	ADDQ    DX, DI

// func tile8(k int, alpha float64, a0, a1, a2, a3 *float64, acs int, b *float64, brs int, c *float64, ldc int)
TEXT ·tile8(SB), NOSPLIT, $0-88
	MOVQ   k+0(FP), CX
	MOVQ   a0+16(FP), R8
	MOVQ   a1+24(FP), R9
	MOVQ   a2+32(FP), R10
	MOVQ   a3+40(FP), R11
	MOVQ   acs+48(FP), AX
	MOVQ   b+56(FP), SI
	MOVQ   brs+64(FP), BX
	MOVQ   c+72(FP), DI
	MOVQ   ldc+80(FP), DX
	SHLQ   $3, AX
	SHLQ   $3, BX
	SHLQ   $3, DX
	XORQ   R12, R12
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7

eight:
	VMOVUPD (SI), Y8
	VMOVUPD 32(SI), Y9
	ROW8(R8, Y0, Y1)
	ROW8(R9, Y2, Y3)
	ROW8(R10, Y4, Y5)
	ROW8(R11, Y6, Y7)
	ADDQ    AX, R12
	ADDQ    BX, SI
	DECQ    CX
	JNZ     eight

	VBROADCASTSD alpha+8(FP), Y8
	TAKE8(Y0, Y1)
	TAKE8(Y2, Y3)
	TAKE8(Y4, Y5)
	TAKE8(Y6, Y7)
	VZEROUPPER
	RET

#define ROW4(A, S) \
	VBROADCASTSD (A)(R12*1), Y10; \
	VMULPD       Y8, Y10, Y10;    \
	VADDPD       Y10, S, S

#define TAKE4(S) \
	VMULPD  Y8, S, S;   \
	VADDPD  (DI), S, S; \
	VMOVUPD S, (DI);    \
	ADDQ    DX, DI

// func tile4(k int, alpha float64, a0, a1, a2, a3 *float64, acs int, b *float64, brs int, c *float64, ldc int)
TEXT ·tile4(SB), NOSPLIT, $0-88
	MOVQ   k+0(FP), CX
	MOVQ   a0+16(FP), R8
	MOVQ   a1+24(FP), R9
	MOVQ   a2+32(FP), R10
	MOVQ   a3+40(FP), R11
	MOVQ   acs+48(FP), AX
	MOVQ   b+56(FP), SI
	MOVQ   brs+64(FP), BX
	MOVQ   c+72(FP), DI
	MOVQ   ldc+80(FP), DX
	SHLQ   $3, AX
	SHLQ   $3, BX
	SHLQ   $3, DX
	XORQ   R12, R12
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3

four:
	VMOVUPD (SI), Y8
	ROW4(R8, Y0)
	ROW4(R9, Y1)
	ROW4(R10, Y2)
	ROW4(R11, Y3)
	ADDQ    AX, R12
	ADDQ    BX, SI
	DECQ    CX
	JNZ     four

	VBROADCASTSD alpha+8(FP), Y8
	TAKE4(Y0)
	TAKE4(Y1)
	TAKE4(Y2)
	TAKE4(Y3)
	VZEROUPPER
	RET

// Two numbers of four rows from A on, times Y12, which holds the two of the vector
// twice; the sums of the rows are the lanes of S.
#define PAIR(A, S) \
	VMOVUPD     (A), X8;                  \
	VINSERTF128 $1, (A)(BX*2), Y8, Y8;    \
	VMOVUPD     (A)(BX*1), X9;            \
	VINSERTF128 $1, (A)(DX*1), Y9, Y9;    \
	VMULPD      Y12, Y8, Y8;              \
	VMULPD      Y12, Y9, Y9;              \
	VUNPCKLPD   Y9, Y8, Y10;              \
	VUNPCKHPD   Y9, Y8, Y11;              \
	VADDPD      Y10, S, S;                \
	VADDPD      Y11, S, S;                \
	ADDQ        $16, A

// The last number of four rows, times Y12.
#define SINGLE(A, S) \
	VMOVSD      (A), X8;             \
	VMOVHPD     (A)(BX*1), X8, X8;   \
	VMOVSD      (A)(BX*2), X9;       \
	VMOVHPD     (A)(DX*1), X9, X9;   \
	VINSERTF128 $1, X9, Y8, Y8;      \
	VMULPD      Y12, Y8, Y8;         \
	VADDPD      Y8, S, S

// func rowSums16(k int, a *float64, ars int, v *float64, sums *[16]float64)
TEXT ·rowSums16(SB), NOSPLIT, $0-40
	MOVQ   k+0(FP), CX
	MOVQ   a+8(FP), R8
	MOVQ   ars+16(FP), BX
	MOVQ   v+24(FP), SI
	MOVQ   sums+32(FP), DI
	SHLQ   $3, BX
	LEAQ   (BX)(BX*2), DX
	LEAQ   (R8)(BX*4), R9
	LEAQ   (R9)(BX*4), R10
	LEAQ   (R10)(BX*4), R11
	LEAQ   (R11)(BX*4), R12 // asks for the next rows, as ADDROWS does
	LEAQ   (CX*8), AX
	XORL   R13, R13
	CMPQ   AX, BX
	JNE    sums16
	MOVL   $256, R13

sums16:
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	SUBQ   $2, CX
	JLT    odd16

pairs16:
	PREFETCHT0     (R12)
	PREFETCHT0     64(R12)
	PREFETCHT0     128(R12)
	PREFETCHT0     192(R12)
	ADDQ           R13, R12
	VBROADCASTF128 (SI), Y12
	PAIR(R8, Y0)
	PAIR(R9, Y1)
	PAIR(R10, Y2)
	PAIR(R11, Y3)
	ADDQ           $16, SI
	SUBQ           $2, CX
	JGE            pairs16

odd16:
	ADDQ         $2, CX
	JEQ          done16
	VBROADCASTSD (SI), Y12
	SINGLE(R8, Y0)
	SINGLE(R9, Y1)
	SINGLE(R10, Y2)
	SINGLE(R11, Y3)

done16:
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VZEROUPPER
	RET

// func rowSums4(k int, a *float64, ars int, v *float64, sums *[16]float64)
TEXT ·rowSums4(SB), NOSPLIT, $0-40
	MOVQ   k+0(FP), CX
	MOVQ   a+8(FP), R8
	MOVQ   ars+16(FP), BX
	MOVQ   v+24(FP), SI
	MOVQ   sums+32(FP), DI
	SHLQ   $3, BX
	LEAQ   (BX)(BX*2), DX
	VXORPD Y0, Y0, Y0
	SUBQ   $2, CX
	JLT    odd4

pairs4:
	VBROADCASTF128 (SI), Y12
	PAIR(R8, Y0)
	ADDQ           $16, SI
	SUBQ           $2, CX
	JGE            pairs4

odd4:
	ADDQ         $2, CX
	JEQ          done4
	VBROADCASTSD (SI), Y12
	SINGLE(R8, Y0)

done4:
	VMOVUPD Y0, (DI)
	VZEROUPPER
	RET
