//go:build !purego

#include "textflag.h"

// func vecRowDots(n, k int, dst, a, b *float64)
// n is a multiple of four: four rows at a time, a lane each.
TEXT ·vecRowDots(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), R10
	MOVQ k+8(FP), R11
	MOVQ dst+16(FP), DI
	MOVQ a+24(FP), R8
	MOVQ b+32(FP), R9
	MOVQ R11, BX
	SHLQ $3, BX
	LEAQ (BX)(BX*2), DX

rows:
	MOVQ   R8, SI
	MOVQ   R9, AX
	MOVQ   R11, CX
	VXORPD Y0, Y0, Y0
	SUBQ   $2, CX
	JLT    odd

pairs:
	VMOVUPD     (SI), X1
	VINSERTF128 $1, (SI)(BX*2), Y1, Y1
	VMOVUPD     (SI)(BX*1), X2
	VINSERTF128 $1, (SI)(DX*1), Y2, Y2
	VMOVUPD     (AX), X3
	VINSERTF128 $1, (AX)(BX*2), Y3, Y3
	VMOVUPD     (AX)(BX*1), X4
	VINSERTF128 $1, (AX)(DX*1), Y4, Y4
	VMULPD      Y3, Y1, Y1
	VMULPD      Y4, Y2, Y2
	VUNPCKLPD   Y2, Y1, Y3
	VUNPCKHPD   Y2, Y1, Y4
	VADDPD      Y3, Y0, Y0
	VADDPD      Y4, Y0, Y0
	ADDQ        $16, SI
	ADDQ        $16, AX
	SUBQ        $2, CX
	JGE         pairs

odd:
	ADDQ        $2, CX
	JEQ         next
	VMOVSD      (SI), X1
	VMOVHPD     (SI)(BX*1), X1, X1
	VMOVSD      (SI)(BX*2), X2
	VMOVHPD     (SI)(DX*1), X2, X2
	VINSERTF128 $1, X2, Y1, Y1
	VMOVSD      (AX), X3
	VMOVHPD     (AX)(BX*1), X3, X3
	VMOVSD      (AX)(BX*2), X4
	VMOVHPD     (AX)(DX*1), X4, X4
	VINSERTF128 $1, X4, Y3, Y3
	VMULPD      Y3, Y1, Y1
	VADDPD      Y1, Y0, Y0

next:
	VMOVUPD Y0, (DI)
	ADDQ    $32, DI
	LEAQ    (R8)(BX*4), R8
	LEAQ    (R9)(BX*4), R9
	SUBQ    $4, R10
	JNZ     rows
	VZEROUPPER
	RET

// func vecRowScale(n, k int, dst, r, a *float64)
TEXT ·vecRowScale(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), BX
	MOVQ k+8(FP), DX
	MOVQ dst+16(FP), DI
	MOVQ r+24(FP), R8
	MOVQ a+32(FP), SI

row:
	VBROADCASTSD (R8), Y0
	MOVQ         DX, CX
	SUBQ         $4, CX
	JLT          few

four:
	VMULPD  (SI), Y0, Y1
	VMOVUPD Y1, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $4, CX
	JGE     four

few:
	ADDQ $4, CX
	JEQ  next

one:
	VMULSD (SI), X0, X1
	VMOVSD X1, (DI)
	ADDQ   $8, SI
	ADDQ   $8, DI
	DECQ   CX
	JNZ    one

next:
	ADDQ $8, R8
	DECQ BX
	JNZ  row
	VZEROUPPER
	RET
