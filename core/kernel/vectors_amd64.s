//go:build !purego

#include "textflag.h"

// The eight running sums of Dot are the lanes of Y0 and Y1. TOTAL adds them as
// its doc comment says and leaves the sum in X0.
#define TOTAL \
	VEXTRACTF128 $1, Y0, X2; \
	VEXTRACTF128 $1, Y1, X3; \
	VADDPD       X2, X0, X0; \
	VADDPD       X3, X1, X1; \
	VADDPD       X1, X0, X0; \
	VUNPCKHPD    X0, X0, X2; \
	VADDSD       X2, X0, X0

// func vecDot(n int, x, y *float64) float64
TEXT ·vecDot(SB), NOSPLIT, $0-32
	MOVQ   n+0(FP), CX
	MOVQ   x+8(FP), SI
	MOVQ   y+16(FP), DI
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	SUBQ   $8, CX
	JLT    total

eight:
	VMOVUPD (SI), Y2
	VMOVUPD 32(SI), Y3
	VMULPD  (DI), Y2, Y2
	VMULPD  32(DI), Y3, Y3
	VADDPD  Y2, Y0, Y0
	VADDPD  Y3, Y1, Y1
	ADDQ    $64, SI
	ADDQ    $64, DI
	SUBQ    $8, CX
	JGE     eight

total:
	TOTAL
	ADDQ $8, CX
	JEQ  done

one:
	VMOVSD (SI), X2
	VMULSD (DI), X2, X2
	VADDSD X2, X0, X0
	ADDQ   $8, SI
	ADDQ   $8, DI
	DECQ   CX
	JNZ    one

done:
	VZEROUPPER
	MOVSD X0, ret+24(FP)
	RET

// func vecSum(n int, x *float64) float64
TEXT ·vecSum(SB), NOSPLIT, $0-24
	MOVQ   n+0(FP), CX
	MOVQ   x+8(FP), SI
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	SUBQ   $8, CX
	JLT    total

eight:
	VADDPD (SI), Y0, Y0
	VADDPD 32(SI), Y1, Y1
	ADDQ   $64, SI
	SUBQ   $8, CX
	JGE    eight

total:
	TOTAL
	ADDQ $8, CX
	JEQ  done

one:
	VADDSD (SI), X0, X0
	ADDQ   $8, SI
	DECQ   CX
	JNZ    one

done:
	VZEROUPPER
	MOVSD X0, ret+16(FP)
	RET

// func vecAxpy(n int, alpha float64, x, y *float64)
TEXT ·vecAxpy(SB), NOSPLIT, $0-32
	MOVQ         n+0(FP), CX
	VBROADCASTSD alpha+8(FP), Y0
	MOVQ         x+16(FP), SI
	MOVQ         y+24(FP), DI
	SUBQ         $8, CX
	JLT          few

eight:
	VMULPD  (SI), Y0, Y1
	VMULPD  32(SI), Y0, Y2
	VADDPD  (DI), Y1, Y1
	VADDPD  32(DI), Y2, Y2
	VMOVUPD Y1, (DI)
	VMOVUPD Y2, 32(DI)
	ADDQ    $64, SI
	ADDQ    $64, DI
	SUBQ    $8, CX
	JGE     eight

few:
	ADDQ $8, CX
	JEQ  done

one:
	VMULSD (SI), X0, X1
	VADDSD (DI), X1, X1
	VMOVSD X1, (DI)
	ADDQ   $8, SI
	ADDQ   $8, DI
	DECQ   CX
	JNZ    one

done:
	VZEROUPPER
	RET

// func vecRowSquares(n, d int, dst, x, c *float64)
TEXT ·vecRowSquares(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), BX
	MOVQ d+8(FP), DX
	MOVQ dst+16(FP), DI
	MOVQ x+24(FP), SI
	MOVQ c+32(FP), R8

row:
	MOVQ   R8, R9
	MOVQ   DX, CX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	SUBQ   $8, CX
	JLT    total

eight:
	VMOVUPD (SI), Y2
	VMOVUPD 32(SI), Y3
	VMULPD  (R9), Y2, Y4
	VMULPD  32(R9), Y3, Y5
	VMULPD  Y2, Y4, Y4
	VMULPD  Y3, Y5, Y5
	VADDPD  Y4, Y0, Y0
	VADDPD  Y5, Y1, Y1
	ADDQ    $64, SI
	ADDQ    $64, R9
	SUBQ    $8, CX
	JGE     eight

total:
	TOTAL
	ADDQ $8, CX
	JEQ  next

one:
	VMOVSD (SI), X2
	VMULSD (R9), X2, X3
	VMULSD X2, X3, X3
	VADDSD X3, X0, X0
	ADDQ   $8, SI
	ADDQ   $8, R9
	DECQ   CX
	JNZ    one

next:
	VMOVSD X0, (DI)
	ADDQ   $8, DI
	DECQ   BX
	JNZ    row
	VZEROUPPER
	RET

// SUM adds what stands at A, weighted by R, to S; SQUARE its square.
#define SUM(A, R, S) \
	VMULPD (A), R, Y6; \
	VADDPD Y6, S, S;   \
	ADDQ   $32, A

#define SUM1(A, R, S) \
	VMULSD (A), R, X6; \
	VADDSD X6, S, S;   \
	ADDQ   $8, A

#define SQUARE(A, R, S) \
	VMOVUPD (A), Y5;    \
	VMULPD  Y5, R, Y6;  \
	VMULPD  Y5, Y6, Y6; \
	VADDPD  Y6, S, S;   \
	ADDQ    $32, A

#define SQUARE1(A, R, S) \
	VMOVSD (A), X5;     \
	VMULSD X5, R, X6;   \
	VMULSD X5, X6, X6;  \
	VADDSD X6, S, S;    \
	ADDQ   $8, A

// n rows, a multiple of four, of d numbers are added to acc at DI, four at a time; by
// TERM four numbers of a row, by TERM1 one. Where rows have no gaps R13 asks for the
// next four in the order in which they lie, R8 bytes at a time: a processor foresees
// rows that are read so, and not several at once.
#define ADDROWS(TERM, TERM1) \
	SHLQ $3, AX;         \
	LEAQ (DX*8), R13;    \
	XORL R8, R8;         \
	CMPQ R13, AX;        \
	JNE  rows;           \
	MOVL $128, R8;       \
rows: \
	VBROADCASTSD (SI), Y0;         \
	VBROADCASTSD 8(SI), Y1;        \
	VBROADCASTSD 16(SI), Y2;       \
	VBROADCASTSD 24(SI), Y3;       \
	LEAQ         (R9)(AX*1), R10;  \
	LEAQ         (R10)(AX*1), R11; \
	LEAQ         (R11)(AX*1), R12; \
	LEAQ         (R12)(AX*1), R13; \
	MOVQ         DX, CX;           \
	SUBQ         $4, CX;           \
	JLT          few;              \
four: \
	PREFETCHT0 (R13);   \
	PREFETCHT0 64(R13); \
	ADDQ    R8, R13;    \
	VMOVUPD (DI), Y4;   \
	TERM(R9, Y0, Y4);   \
	TERM(R10, Y1, Y4);  \
	TERM(R11, Y2, Y4);  \
	TERM(R12, Y3, Y4);  \
	VMOVUPD Y4, (DI);   \
	ADDQ    $32, DI;    \
	SUBQ    $4, CX;     \
	JGE     four;       \
few: \
	ADDQ $4, CX; \
	JEQ  next;   \
one: \
	VMOVSD (DI), X4;    \
	TERM1(R9, X0, X4);  \
	TERM1(R10, X1, X4); \
	TERM1(R11, X2, X4); \
	TERM1(R12, X3, X4); \
	VMOVSD X4, (DI);    \
	ADDQ   $8, DI;      \
	DECQ   CX;          \
	JNZ    one;         \
next: \
	LEAQ (R12)(AX*1), R9; /* R12 is at the end of the fourth, DI of acc */ \
	LEAQ (DX*8), R13;     \
	SUBQ R13, R9;         \
	SUBQ R13, DI;         \
	ADDQ $32, SI;         \
	SUBQ $4, BX;          \
	JNZ  rows;            \
	VZEROUPPER;           \
	RET

// func vecColSums(n, d int, acc, x *float64, stride int, r *float64)
TEXT ·vecColSums(SB), NOSPLIT, $0-48
	MOVQ n+0(FP), BX
	MOVQ d+8(FP), DX
	MOVQ acc+16(FP), DI
	MOVQ x+24(FP), R9
	MOVQ stride+32(FP), AX
	MOVQ r+40(FP), SI
	ADDROWS(SUM, SUM1)

// func vecColSquares(n, d int, acc, x *float64, stride int, r *float64)
TEXT ·vecColSquares(SB), NOSPLIT, $0-48
	MOVQ n+0(FP), BX
	MOVQ d+8(FP), DX
	MOVQ acc+16(FP), DI
	MOVQ x+24(FP), R9
	MOVQ stride+32(FP), AX
	MOVQ r+40(FP), SI
	ADDROWS(SQUARE, SQUARE1)
