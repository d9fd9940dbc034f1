//go:build !purego

#include "textflag.h"
#include "lanes_arm64.h"

// func vecRowDots(n, k int, dst, a, b *float64)
// n is a multiple of four: two rows at a time, a lane each.
TEXT ·vecRowDots(SB), NOSPLIT, $0-40
	MOVD n+0(FP), R0
	MOVD k+8(FP), R1
	MOVD dst+16(FP), R2
	MOVD a+24(FP), R3
	MOVD b+32(FP), R4
	LSL  $3, R1, R5

rows:
	ADD  R5, R3, R6 // the second row of a, and of b
	ADD  R5, R4, R7
	MOVD R1, R8
	VEOR V0.B16, V0.B16, V0.B16
	SUBS $2, R8
	BLT  odd

pairs:
	VLD1.P 16(R3), [V1.D2]
	VLD1.P 16(R6), [V2.D2]
	VLD1.P 16(R4), [V3.D2]
	VLD1.P 16(R7), [V4.D2]
	VFMUL(3, 1, 1)
	VFMUL(4, 2, 2)
	VZIP1  V2.D2, V1.D2, V3.D2
	VZIP2  V2.D2, V1.D2, V4.D2
	VFADD(3, 0, 0)
	VFADD(4, 0, 0)
	SUBS   $2, R8
	BGE    pairs

odd:
	ADDS    $2, R8
	BEQ     next
	FMOVD.P 8(R3), F1
	FMOVD.P 8(R6), F2
	FMOVD.P 8(R4), F3
	FMOVD.P 8(R7), F4
	FMULD   F3, F1, F1
	FMULD   F4, F2, F2
	VZIP1   V2.D2, V1.D2, V3.D2
	VFADD(3, 0, 0)

next:
	VST1.P [V0.D2], 16(R2)
	MOVD   R6, R3 // behind the second row the next begins
	MOVD   R7, R4
	SUBS   $2, R0
	BNE    rows
	RET

// func vecRowScale(n, k int, dst, r, a *float64)
TEXT ·vecRowScale(SB), NOSPLIT, $0-40
	MOVD n+0(FP), R0
	MOVD k+8(FP), R1
	MOVD dst+16(FP), R2
	MOVD r+24(FP), R3
	MOVD a+32(FP), R4

row:
	VLD1R.P 8(R3), [V0.D2]
	MOVD    R1, R5
	SUBS    $4, R5
	BLT     few

four:
	VLD1.P 32(R4), [V1.D2, V2.D2]
	VFMUL(0, 1, 1)
	VFMUL(0, 2, 2)
	VST1.P [V1.D2, V2.D2], 32(R2)
	SUBS   $4, R5
	BGE    four

few:
	ADDS $4, R5
	BEQ  next

one:
	FMOVD.P 8(R4), F1
	FMULD   F1, F0, F1
	FMOVD.P F1, 8(R2)
	SUBS    $1, R5
	BNE     one

next:
	SUBS $1, R0
	BNE  row
	RET
