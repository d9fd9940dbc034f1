package cell

import (
	"math"
	"math/bits"
)

// maxPower is the largest n for which 5ⁿ fits 64 bits.
const maxPower = 27

// power is a power of ten as head·2^shift, where head has its highest bit set
// and is rounded down.
type power struct {
	Head  uint64
	Shift int
}

// Powers holds 10^−27 to 10^27.
var Powers = func() (p [2*maxPower + 1]power) {
	five := uint64(1)
	for n := 0; n <= maxPower; n++ {
		// 10ⁿ = 5ⁿ·2ⁿ, without a remainder
		clear := bits.LeadingZeros64(five)
		p[maxPower+n] = power{five << clear, n - clear}
		if n > 0 {
			// 10⁻ⁿ = 2^(63+length)/5ⁿ · 2^(−63−length−n), of which the quotient has 64 bits
			length := bits.Len64(five)
			head, _ := bits.Div64(1<<(length-1), 0, five)
			p[maxPower-n] = power{head, -63 - length - n}
		}
		five *= 5
	}
	return p
}()

// decimal returns m·10^e, correctly rounded, for m > 0. It reports false if e is beyond
// ±27, and for a few products in a thousand, whose first bits do not decide the rounding.
//
// With m = w·2^−clear, where w has its highest bit set, and 10^e between head
// and head + 1 in units of its last place, the product lies between w·head and
// w·head + w. The bits below the 54 that float64 and its rounding need do not matter,
// unless adding w carries into those or they stand for a tie.
// This is the first step of Eisel and Lemire's method (Lemire, Number Parsing at
// a Gigabyte per Second, 2021).
func decimal(m uint64, e int) (float64, bool) {
	if e < -maxPower || e > maxPower {
		return 0, false
	}
	p := &Powers[maxPower+e]
	clear := bits.LeadingZeros64(m)
	w := m << clear
	high, low := bits.Mul64(w, p.Head)
	if high&0x1ff == 0x1ff && low+w < low {
		return 0, false
	}
	top := int(high >> 63)
	bits54 := high >> (9 + top)
	if low == 0 && high&0x1ff == 0 && bits54&3 == 1 {
		return 0, false
	}
	mantissa := (bits54 + bits54&1) >> 1 // 2⁵³ at most, where it carries into the exponent
	exponent := 10 + top + 64 + p.Shift - clear + 52 + 1023
	return math.Float64frombits(uint64(exponent-1)<<52 + mantissa), true
}
