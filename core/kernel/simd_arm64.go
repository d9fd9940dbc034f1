//go:build !purego

package kernel

import "os"

// linked reports whether the two lanes of NEON are used, which every arm64 has;
// IFMLAB_SIMD=0 declines.
var linked = os.Getenv("IFMLAB_SIMD") != "0"
