//go:build !purego

package kernel

import "os"

// avx reports whether the processor has AVX and the system keeps its registers.
func avx() bool

// linked reports whether this machine can do four lanes; IFMLAB_SIMD=0 declines.
var linked = avx() && os.Getenv("IFMLAB_SIMD") != "0"
