//go:build !purego

#include "textflag.h"
#include "lanes_arm64.h"

#define CLEAR4 \
	VEOR V0.B16, V0.B16, V0.B16; \
	VEOR V1.B16, V1.B16, V1.B16; \
	VEOR V2.B16, V2.B16, V2.B16; \
	VEOR V3.B16, V3.B16, V3.B16

#define ADD4(a, b, c, d) \
	VFADD(a, 0, 0); \
	VFADD(b, 1, 1); \
	VFADD(c, 2, 2); \
	VFADD(d, 3, 3)

// The eight running sums of Dot are the lanes of V0 to V3. TOTAL adds them as its
// doc comment says and leaves the sum in F0.
#define TOTAL \
	VFADD(1, 0, 0);         \
	VFADD(3, 2, 2);         \
	VFADD(2, 0, 0);         \
	VDUP  V0.D[1], V1.D2;   \
	FADDD F1, F0, F0

// func vecDot(n int, x, y *float64) float64
TEXT ·vecDot(SB), NOSPLIT, $0-32
	MOVD n+0(FP), R0
	MOVD x+8(FP), R1
	MOVD y+16(FP), R2
	CLEAR4
	SUBS $8, R0
	BLT  total

eight:
	VLD1.P 64(R1), [V4.D2, V5.D2, V6.D2, V7.D2]
	VLD1.P 64(R2), [V8.D2, V9.D2, V10.D2, V11.D2]
	VFMUL(8, 4, 4)
	VFMUL(9, 5, 5)
	VFMUL(10, 6, 6)
	VFMUL(11, 7, 7)
	ADD4(4, 5, 6, 7)
	SUBS   $8, R0
	BGE    eight

total:
	TOTAL
	ADDS $8, R0
	BEQ  done

one:
	FMOVD.P 8(R1), F2
	FMOVD.P 8(R2), F3
	FMULD   F3, F2, F2
	FADDD   F2, F0, F0
	SUBS    $1, R0
	BNE     one

done:
	FMOVD F0, ret+24(FP)
	RET

// func vecSum(n int, x *float64) float64
TEXT ·vecSum(SB), NOSPLIT, $0-24
	MOVD n+0(FP), R0
	MOVD x+8(FP), R1
	CLEAR4
	SUBS $8, R0
	BLT  total

eight:
	VLD1.P 64(R1), [V4.D2, V5.D2, V6.D2, V7.D2]
	ADD4(4, 5, 6, 7)
	SUBS   $8, R0
	BGE    eight

total:
	TOTAL
	ADDS $8, R0
	BEQ  done

one:
	FMOVD.P 8(R1), F2
	FADDD   F2, F0, F0
	SUBS    $1, R0
	BNE     one

done:
	FMOVD F0, ret+16(FP)
	RET

// func vecAxpy(n int, alpha float64, x, y *float64)
TEXT ·vecAxpy(SB), NOSPLIT, $0-32
	MOVD  n+0(FP), R0
	FMOVD alpha+8(FP), F0
	VDUP  V0.D[0], V0.D2
	MOVD  x+16(FP), R1
	MOVD  y+24(FP), R2
	SUBS  $8, R0
	BLT   few

eight:
	VLD1.P 64(R1), [V4.D2, V5.D2, V6.D2, V7.D2]
	VLD1   (R2), [V8.D2, V9.D2, V10.D2, V11.D2]
	VFMUL(0, 4, 4)
	VFMUL(0, 5, 5)
	VFMUL(0, 6, 6)
	VFMUL(0, 7, 7)
	VFADD(4, 8, 8)
	VFADD(5, 9, 9)
	VFADD(6, 10, 10)
	VFADD(7, 11, 11)
	VST1.P [V8.D2, V9.D2, V10.D2, V11.D2], 64(R2)
	SUBS   $8, R0
	BGE    eight

few:
	ADDS $8, R0
	BEQ  done

one:
	FMOVD.P 8(R1), F1
	FMOVD   (R2), F2
	FMULD   F1, F0, F1
	FADDD   F1, F2, F2
	FMOVD.P F2, 8(R2)
	SUBS    $1, R0
	BNE     one

done:
	RET

// func vecRowSquares(n, d int, dst, x, c *float64)
TEXT ·vecRowSquares(SB), NOSPLIT, $0-40
	MOVD n+0(FP), R0
	MOVD d+8(FP), R1
	MOVD dst+16(FP), R2
	MOVD x+24(FP), R3
	MOVD c+32(FP), R4

row:
	MOVD R4, R5
	MOVD R1, R6
	CLEAR4
	SUBS $8, R6
	BLT  total

eight:
	VLD1.P 64(R3), [V4.D2, V5.D2, V6.D2, V7.D2]
	VLD1.P 64(R5), [V8.D2, V9.D2, V10.D2, V11.D2]
	VFMUL(4, 8, 8)
	VFMUL(5, 9, 9)
	VFMUL(6, 10, 10)
	VFMUL(7, 11, 11)
	VFMUL(4, 8, 8)
	VFMUL(5, 9, 9)
	VFMUL(6, 10, 10)
	VFMUL(7, 11, 11)
	ADD4(8, 9, 10, 11)
	SUBS   $8, R6
	BGE    eight

total:
	TOTAL
	ADDS $8, R6
	BEQ  next

one:
	FMOVD.P 8(R3), F2
	FMOVD.P 8(R5), F3
	FMULD   F2, F3, F3
	FMULD   F2, F3, F3
	FADDD   F3, F0, F0
	SUBS    $1, R6
	BNE     one

next:
	FMOVD.P F0, 8(R2)
	SUBS    $1, R0
	BNE     row
	RET

// SUMS adds what stands at A, weighted by r, to V4 and V5; SQUARES its squares.
#define SUMS(A, r) \
	VLD1.P 32(A), [V6.D2, V7.D2]; \
	VFMUL(6, r, 8);               \
	VFMUL(7, r, 9);               \
	VFADD(8, 4, 4);               \
	VFADD(9, 5, 5)

#define SUM1(A, R) \
	FMOVD.P 8(A), F6;  \
	FMULD   F6, R, F8; \
	FADDD   F8, F4, F4

#define SQUARES(A, r) \
	VLD1.P 32(A), [V6.D2, V7.D2]; \
	VFMUL(6, r, 8);               \
	VFMUL(7, r, 9);               \
	VFMUL(6, 8, 8);               \
	VFMUL(7, 9, 9);               \
	VFADD(8, 4, 4);               \
	VFADD(9, 5, 5)

#define SQUARE1(A, R) \
	FMOVD.P 8(A), F6;   \
	FMULD   F6, R, F8;  \
	FMULD   F6, F8, F8; \
	FADDD   F8, F4, F4

// n rows, a multiple of four, of d numbers are added to acc, four at a time; by TERMS
// four numbers of a row, by TERM1 one. Where rows have no gaps R11 asks for the next
// four in the order in which they lie, R13 bytes at a time: a processor foresees rows
// that are read so, and not several at once.
#define ADDROWS(TERMS, TERM1) \
	LSL  $3, R5;            \
	LSL  $3, R1, R13;       \
	CMP  R13, R5;           \
	MOVD $128, R13;         \
	CSEL EQ, R13, ZR, R13;  \
rows: \
	VLD1R.P 8(R4), [V0.D2]; \
	VLD1R.P 8(R4), [V1.D2]; \
	VLD1R.P 8(R4), [V2.D2]; \
	VLD1R.P 8(R4), [V3.D2]; \
	ADD     R5, R3, R6;     \
	ADD     R5, R6, R7;     \
	ADD     R5, R7, R8;     \
	ADD     R5, R8, R11;    \
	MOVD    R11, R12;       \
	MOVD    R2, R9;         \
	MOVD    R1, R10;        \
	SUBS    $4, R10;        \
	BLT     few;            \
four: \
	PRFM   (R11), PLDL1KEEP;       \
	PRFM   64(R11), PLDL1KEEP;     \
	ADD    R13, R11;               \
	VLD1   (R9), [V4.D2, V5.D2];   \
	TERMS(R3, 0);                  \
	TERMS(R6, 1);                  \
	TERMS(R7, 2);                  \
	TERMS(R8, 3);                  \
	VST1.P [V4.D2, V5.D2], 32(R9); \
	SUBS   $4, R10;                \
	BGE    four;                   \
few: \
	ADDS $4, R10; \
	BEQ  next;    \
one: \
	FMOVD   (R9), F4;  \
	TERM1(R3, F0);     \
	TERM1(R6, F1);     \
	TERM1(R7, F2);     \
	TERM1(R8, F3);     \
	FMOVD.P F4, 8(R9); \
	SUBS    $1, R10;   \
	BNE     one;       \
next: \
	MOVD R12, R3; \
	SUBS $4, R0;  \
	BNE  rows;    \
	RET

// func vecColSums(n, d int, acc, x *float64, stride int, r *float64)
TEXT ·vecColSums(SB), NOSPLIT, $0-48
	MOVD n+0(FP), R0
	MOVD d+8(FP), R1
	MOVD acc+16(FP), R2
	MOVD x+24(FP), R3
	MOVD stride+32(FP), R5
	MOVD r+40(FP), R4
	ADDROWS(SUMS, SUM1)

// func vecColSquares(n, d int, acc, x *float64, stride int, r *float64)
TEXT ·vecColSquares(SB), NOSPLIT, $0-48
	MOVD n+0(FP), R0
	MOVD d+8(FP), R1
	MOVD acc+16(FP), R2
	MOVD x+24(FP), R3
	MOVD stride+32(FP), R5
	MOVD r+40(FP), R4
	ADDROWS(SQUARES, SQUARE1)
