package jsontext

import (
	"strconv"
	"unicode/utf8"
)

// AppendText appends text as a string of JSON. What is not UTF-8 becomes U+FFFD.
func AppendText(b []byte, text string) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			b = utf8.AppendRune(b, c)
		}
	}
	return append(b, '"')
}

// AppendNumber appends a finite v in the shortest form that reads as v.
func AppendNumber(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'g', -1, 64) }
