package cell

import (
	"math"
	"unsafe"
)

// Integers holds the powers of ten for the digits of a word.
var Integers = [...]uint64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

// digits returns how many bytes of w, from the first on, are digits. w holds the bytes
// after an exclusive or with '0'. A sum can overflow only above the first byte that is
// no digit.
func digits(w uint64) int { return First((w + 0x7676767676767676 | w) & Highs) }

// value returns the number in the first n digits of w, n < 8.
func value(w uint64, n int) uint64 {
	return value8(w << ((56 - 8*uint(n)) & 63) << 8) // zeros first; n = 0 shifts all digits out
}

// value8 returns the number in the eight digits of w. It combines pairs of digits, then
// pairs of those, then the two halves.
func value8(w uint64) uint64 {
	w = w*10 + w>>8
	return ((w&0x000000ff000000ff)*(100+1000000<<32) + (w>>16&0x000000ff000000ff)*(1+10000<<32)) >> 32
}

// ScanNumber parses the number at p + i and returns it with the place after it. The result
// equals [ParseNumber] of the bytes between. It returns NaN for text that is no number, and
// for rare forms: a plus sign, more than 19 digits, and those that decimal leaves open.
// GuardBytes must follow the text.
func ScanNumber(p unsafe.Pointer, i int, point byte) (v float64, end int) {
	c := Load1(p, i)
	minus := uint8(0) // a number, because a branch would be mispredicted half of the time
	if c == '-' {
		minus = 1
	}
	i += int(minus)
	w := Load8(p, i) ^ zeros
	whole, m := 1, w&0xff
	if m > 9 || byte(w>>8)^'0' != point { // a branch that is mostly predicted saves waiting for digits
		if whole = digits(w); whole == 8 {
			return longNumber(p, i, point, minus)
		}
		m = value(w, whole)
	}
	j := i + whole
	c = Load1(p, j)
	fraction := 0
	if c == point {
		j++
		w = Load8(p, j) ^ zeros
		if fraction = digits(w); fraction == 8 {
			m = m*1e8 + value8(w)
			if w = Load8(p, j+8) ^ zeros; w&0xff <= 9 {
				n := digits(w)
				m = m*Integers[n] + value(w, n)
				fraction += n
			}
			if whole+fraction > 15 { // m may not be exact
				return longNumber(p, i, point, minus)
			}
		} else {
			m = m*Integers[fraction] + value(w, fraction)
		}
		j += fraction
		c = Load1(p, j)
	}
	if c|0x20 == 'e' {
		return longNumber(p, i, point, minus)
	}
	if whole+fraction == 0 {
		return math.NaN(), j
	}
	v = float64(m) / Pow10[fraction] // both exact: one rounding
	return signed(v, minus), j
}

// signed returns −v if minus is 1, else v.
func signed(v float64, minus uint8) float64 {
	return math.Float64frombits(math.Float64bits(v) | uint64(minus)<<63)
}

// longNumber is ScanNumber after the sign, for any number of digits and an exponent.
func longNumber(p unsafe.Pointer, i int, point byte, minus uint8) (v float64, end int) {
	start := i
	m, j, fits := addDigits(p, i, 0)
	seen := j - i
	scale := 0
	if fits && Load1(p, j) == point {
		i = j + 1
		m, j, fits = addDigits(p, i, m)
		seen += j - i
		scale = i - j
	}
	if !fits || seen == 0 {
		return math.NaN(), start
	}
	if Load1(p, j)|0x20 == 'e' {
		j++
		sign := 1
		if c := Load1(p, j); c == '-' || c == '+' {
			j++
			if c == '-' {
				sign = -1
			}
		}
		w := Load8(p, j) ^ zeros
		n := digits(w)
		if n == 0 || n > 4 {
			return math.NaN(), start
		}
		scale += sign * int(value(w, n))
		j += n
	}
	switch exact := m <= 1<<53; {
	case exact && -len(Pow10) < scale && scale <= 0:
		v = float64(m) / Pow10[-scale]
	case exact && 0 < scale && scale < len(Pow10):
		v = float64(m) * Pow10[scale]
	default:
		var ok bool
		if v, ok = decimal(m, scale); !ok || m == 0 {
			return math.NaN(), start
		}
	}
	return signed(v, minus), j
}

// addDigits appends the digits at p + i to m and returns the place after them. fits is
// false if the sum is not below 10¹⁹.
func addDigits(p unsafe.Pointer, i int, m uint64) (sum uint64, end int, fits bool) {
	for {
		w := Load8(p, i) ^ zeros
		n := digits(w)
		if m >= 1e19/Integers[n] {
			return m, i, false
		}
		if n < 8 {
			return m*Integers[n] + value(w, n), i + n, true
		}
		m = m*1e8 + value8(w)
		i += 8
	}
}
