//go:build !purego

#include "textflag.h"
#include "lanes_arm64.h"

// The products of one panel, in lanes of two: a lane belongs to one sum, and a
// product is rounded before it is added, so the order is that of gemm.go.

#define ROW8(A, s0, s1, s2, s3) \
	VLD1R (A), [V20.D2]; \
	ADD   R5, A;         \
	VFMUL(16, 20, 21);   \
	VFMUL(17, 20, 22);   \
	VFMUL(18, 20, 23);   \
	VFMUL(19, 20, 24);   \
	VFADD(21, s0, s0);   \
	VFADD(22, s1, s1);   \
	VFADD(23, s2, s2);   \
	VFADD(24, s3, s3)

#define TAKE8(s0, s1, s2, s3) \
	VLD1 (R8), [V20.D2, V21.D2, V22.D2, V23.D2]; \
	VFMUL(16, s0, s0);                           \
	VFMUL(16, s1, s1);                           \
	VFMUL(16, s2, s2);                           \
	VFMUL(16, s3, s3);                           \
	VFADD(s0, 20, 20);                           \
	VFADD(s1, 21, 21);                           \
	VFADD(s2, 22, 22);                           \
	VFADD(s3, 23, 23);                           \
	VST1 [V20.D2, V21.D2, V22.D2, V23.D2], (R8); \
	ADD  R9, R8

#define CLEAR8(a, b, c, d, e, f, g, h) \
	VEOR a.B16, a.B16, a.B16; \
	VEOR b.B16, b.B16, b.B16; \
	VEOR c.B16, c.B16, c.B16; \
	VEOR d.B16, d.B16, d.B16; \
	VEOR e.B16, e.B16, e.B16; \
	VEOR f.B16, f.B16, f.B16; \
	VEOR g.B16, g.B16, g.B16; \
	VEOR h.B16, h.B16, h.B16

// func tile8(k int, alpha float64, a0, a1, a2, a3 *float64, acs int, b *float64, brs int, c *float64, ldc int)
TEXT ·tile8(SB), NOSPLIT, $0-88
	MOVD k+0(FP), R0
	MOVD a0+16(FP), R1
	MOVD a1+24(FP), R2
	MOVD a2+32(FP), R3
	MOVD a3+40(FP), R4
	MOVD acs+48(FP), R5
	MOVD b+56(FP), R6
	MOVD brs+64(FP), R7
	MOVD c+72(FP), R8
	MOVD ldc+80(FP), R9
	LSL  $3, R5
	LSL  $3, R7
	LSL  $3, R9
	CLEAR8(V0, V1, V2, V3, V4, V5, V6, V7)
	CLEAR8(V8, V9, V10, V11, V12, V13, V14, V15)

eight:
	VLD1 (R6), [V16.D2, V17.D2, V18.D2, V19.D2]
	ADD  R7, R6
	ROW8(R1, 0, 1, 2, 3)
	ROW8(R2, 4, 5, 6, 7)
	ROW8(R3, 8, 9, 10, 11)
	ROW8(R4, 12, 13, 14, 15)
	SUBS $1, R0
	BNE  eight

	FMOVD alpha+8(FP), F16
	VDUP  V16.D[0], V16.D2
	TAKE8(0, 1, 2, 3)
	TAKE8(4, 5, 6, 7)
	TAKE8(8, 9, 10, 11)
	TAKE8(12, 13, 14, 15)
	RET

#define ROW4(A, s0, s1) \
	VLD1R (A), [V20.D2]; \
	ADD   R5, A;         \
	VFMUL(16, 20, 21);   \
	VFMUL(17, 20, 22);   \
	VFADD(21, s0, s0);   \
	VFADD(22, s1, s1)

#define TAKE4(s0, s1) \
	VLD1 (R8), [V20.D2, V21.D2]; \
	VFMUL(16, s0, s0);           \
	VFMUL(16, s1, s1);           \
	VFADD(s0, 20, 20);           \
	VFADD(s1, 21, 21);           \
	VST1 [V20.D2, V21.D2], (R8); \
	ADD  R9, R8

// func tile4(k int, alpha float64, a0, a1, a2, a3 *float64, acs int, b *float64, brs int, c *float64, ldc int)
TEXT ·tile4(SB), NOSPLIT, $0-88
	MOVD k+0(FP), R0
	MOVD a0+16(FP), R1
	MOVD a1+24(FP), R2
	MOVD a2+32(FP), R3
	MOVD a3+40(FP), R4
	MOVD acs+48(FP), R5
	MOVD b+56(FP), R6
	MOVD brs+64(FP), R7
	MOVD c+72(FP), R8
	MOVD ldc+80(FP), R9
	LSL  $3, R5
	LSL  $3, R7
	LSL  $3, R9
	CLEAR8(V0, V1, V2, V3, V4, V5, V6, V7)

four:
	VLD1 (R6), [V16.D2, V17.D2]
	ADD  R7, R6
	ROW4(R1, 0, 1)
	ROW4(R2, 2, 3)
	ROW4(R3, 4, 5)
	ROW4(R4, 6, 7)
	SUBS $1, R0
	BNE  four

	FMOVD alpha+8(FP), F16
	VDUP  V16.D[0], V16.D2
	TAKE4(0, 1)
	TAKE4(2, 3)
	TAKE4(4, 5)
	TAKE4(6, 7)
	RET

// Two numbers of two rows from R10 on, times V16, which holds those of the vector;
// the sums of the rows are the lanes of s.
#define PAIR(s) \
	VLD1.P (R10)(R2), [V17.D2];    \
	VLD1.P (R10)(R2), [V18.D2];    \
	VFMUL(16, 17, 17);             \
	VFMUL(16, 18, 18);             \
	VZIP1  V18.D2, V17.D2, V19.D2; \
	VZIP2  V18.D2, V17.D2, V20.D2; \
	VFADD(19, s, s);               \
	VFADD(20, s, s)

// The last number of two rows, times V16, which holds that of the vector twice.
#define SINGLE(s) \
	FMOVD (R10), F17;             \
	ADD   R2, R10;                \
	FMOVD (R10), F18;             \
	ADD   R2, R10;                \
	VZIP1 V18.D2, V17.D2, V19.D2; \
	VFMUL(16, 19, 19);            \
	VFADD(19, s, s)

// func rowSums16(k int, a *float64, ars int, v *float64, sums *[16]float64)
TEXT ·rowSums16(SB), NOSPLIT, $0-40
	MOVD k+0(FP), R0
	MOVD a+8(FP), R1
	MOVD ars+16(FP), R2
	MOVD v+24(FP), R3
	MOVD sums+32(FP), R4
	LSL  $3, R2
	ADD  R2<<4, R1, R11 // asks for the next rows, as ADDROWS does
	LSL  $3, R0, R12
	CMP  R12, R2
	MOVD $256, R12
	CSEL EQ, R12, ZR, R12
	CLEAR8(V0, V1, V2, V3, V4, V5, V6, V7)
	SUBS $2, R0
	BLT  odd16

pairs16:
	PRFM   (R11), PLDL1KEEP
	PRFM   64(R11), PLDL1KEEP
	PRFM   128(R11), PLDL1KEEP
	PRFM   192(R11), PLDL1KEEP
	ADD    R12, R11
	VLD1.P 16(R3), [V16.D2]
	MOVD   R1, R10
	PAIR(0)
	PAIR(1)
	PAIR(2)
	PAIR(3)
	PAIR(4)
	PAIR(5)
	PAIR(6)
	PAIR(7)
	ADD    $16, R1
	SUBS   $2, R0
	BGE    pairs16

odd16:
	ADDS  $2, R0
	BEQ   done16
	VLD1R (R3), [V16.D2]
	MOVD  R1, R10
	SINGLE(0)
	SINGLE(1)
	SINGLE(2)
	SINGLE(3)
	SINGLE(4)
	SINGLE(5)
	SINGLE(6)
	SINGLE(7)

done16:
	VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(R4)
	VST1   [V4.D2, V5.D2, V6.D2, V7.D2], (R4)
	RET

// func rowSums4(k int, a *float64, ars int, v *float64, sums *[16]float64)
TEXT ·rowSums4(SB), NOSPLIT, $0-40
	MOVD k+0(FP), R0
	MOVD a+8(FP), R1
	MOVD ars+16(FP), R2
	MOVD v+24(FP), R3
	MOVD sums+32(FP), R4
	LSL  $3, R2
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	SUBS $2, R0
	BLT  odd4

pairs4:
	VLD1.P 16(R3), [V16.D2]
	MOVD   R1, R10
	PAIR(0)
	PAIR(1)
	ADD    $16, R1
	SUBS   $2, R0
	BGE    pairs4

odd4:
	ADDS  $2, R0
	BEQ   done4
	VLD1R (R3), [V16.D2]
	MOVD  R1, R10
	SINGLE(0)
	SINGLE(1)

done4:
	VST1 [V0.D2, V1.D2], (R4)
	RET
