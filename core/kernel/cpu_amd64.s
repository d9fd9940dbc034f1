//go:build !purego

#include "textflag.h"

// func avx() bool
TEXT ·avx(SB), NOSPLIT, $0-1
	MOVB  $0, ret+0(FP)
	MOVL  $1, AX
	XORL  CX, CX
	CPUID
	ANDL  $0x18000000, CX // bit 27: the system saves what XGETBV says; bit 28: AVX
	CMPL  CX, $0x18000000
	JNE   without
	XORL  CX, CX
	XGETBV
	ANDL  $6, AX          // the registers X and Y
	CMPL  AX, $6
	JNE   without
	MOVB  $1, ret+0(FP)

without:
	RET
