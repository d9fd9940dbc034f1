package cell

import (
	"cmp"
	"math"
	"strconv"
)

// Pow10 holds the powers of ten that are exact in float64.
var Pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// ParseNumber reads s as a finite decimal number, correctly rounded:
//
//	[+-] digits [point digits] [e [+-] digits]
//
// with at least one digit before or after the point, which is '.' or ','. Hex,
// underscores, Inf, NaN, spaces and numbers beyond float64 are rejected.
// Numbers too small for float64 become 0. It costs O(len(s)) and, with a point of
// '.', allocates nothing.
func ParseNumber(s string, point byte) (float64, bool) {
	i := 0
	negative := false
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		negative = s[i] == '-'
		i++
	}
	var mantissa uint64
	digits, scale, lost := 0, 0, false
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		digits++
		if mantissa < 1e18 {
			mantissa = mantissa*10 + uint64(s[i]-'0')
		} else {
			lost = true
		}
	}
	mark := -1
	if i < len(s) && s[i] == point {
		mark = i
		for i++; i < len(s) && s[i]-'0' <= 9; i++ {
			digits++
			if mantissa < 1e18 {
				mantissa = mantissa*10 + uint64(s[i]-'0')
				scale--
			} else {
				lost = true
			}
		}
	}
	if digits == 0 {
		return 0, false
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		sign := 1
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			if s[i] == '-' {
				sign = -1
			}
			i++
		}
		if i == len(s) {
			return 0, false
		}
		exponent := 0
		for ; i < len(s) && s[i]-'0' <= 9; i++ {
			if exponent < 1e6 {
				exponent = exponent*10 + int(s[i]-'0')
			}
		}
		scale += sign * exponent
	}
	if i != len(s) {
		return 0, false
	}
	// A mantissa and a power of ten that are both exact need one rounding only.
	if !lost && mantissa <= 1<<53 && -len(Pow10) < scale && scale < len(Pow10) {
		v := float64(mantissa)
		if scale < 0 {
			v /= Pow10[-scale]
		} else {
			v *= Pow10[scale]
		}
		if negative {
			v = -v
		}
		return v, true
	}
	if mark >= 0 && point != '.' {
		s = s[:mark] + "." + s[mark+1:]
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsInf(v, 0)
}

// FormatNumber returns the shortest text that parses as v.
func FormatNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// CompareLevels orders levels: numbers by value first, then other texts.
func CompareLevels(a, b string, point byte) int {
	x, xok := ParseNumber(a, point)
	y, yok := ParseNumber(b, point)
	switch {
	case xok && yok && x != y:
		return cmp.Compare(x, y)
	case xok != yok && xok:
		return -1
	case xok != yok:
		return 1
	}
	return cmp.Compare(a, b)
}
