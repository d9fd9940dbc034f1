package packed

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var lineEnds = regexp.MustCompile(`[\r\n]+`)

// quote writes a cell of text for CSV. Line ends become a space, so that a row is a
// line and the line in an error is the row. web/src/packed/csv.ts writes the same.
func quote(text string) string {
	if strings.ContainsAny(text, "\r\n") {
		text = lineEnds.ReplaceAllString(text, " ")
	}
	if strings.ContainsAny(text, "\",#'\\=\t;|") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// ambiguous is a number whose point could be a thousands separator.
var ambiguous = regexp.MustCompile(`^-?[1-9][0-9]{0,2}\.[0-9]{3}$`)

// unambiguous adds a zero to a number whose point could be a thousands separator.
func unambiguous(number string) string {
	if ambiguous.MatchString(number) {
		return number + "0"
	}
	return number
}

// numeral writes a number with all its digits, as JavaScript does, and "" for none.
func numeral(v float64) string {
	switch size := math.Abs(v); {
	case v != v:
		return ""
	case v == 0:
		return "0"
	case math.IsInf(v, 1):
		return "Infinity"
	case math.IsInf(v, -1):
		return "-Infinity"
	case size >= 1e-6 && size < 1e21:
		return unambiguous(strconv.FormatFloat(v, 'f', -1, 64))
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
}

// fixed writes a whole number, shifted by a number of decimals: -12345 and 2 are -123.45.
func fixed(number string, decimals int) string {
	digits := strings.TrimPrefix(number, "-")
	sign := number[:len(number)-len(digits)]
	if decimals <= 0 {
		if digits != "0" {
			digits += strings.Repeat("0", -decimals)
		}
		return sign + digits
	}
	digits = strings.Repeat("0", max(0, decimals+1-len(digits))) + digits
	point := len(digits) - decimals
	return unambiguous(sign + digits[:point] + "." + digits[point:])
}

// date writes a day, counted from 1 January 1970, as 2024-05-31. It returns "" for a
// year that has not four digits.
func date(days int64) string {
	if days < -719162 || days > 2932896 {
		return ""
	}
	return time.Unix(86400*days, 0).UTC().Format("2006-01-02")
}

// clock writes a time of day, counted in units of 10^-decimals seconds, as 13:45:00.5.
func clock(units int64, decimals int) string {
	unit := int64(math.Pow10(decimals))
	seconds := units / unit
	text := fmt.Sprintf("%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	if fraction := units % unit; fraction != 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%0*d", decimals, fraction), "0")
	}
	return text
}

// timestamp writes a day and a time as 2024-05-31T13:45:00, or "" like [date].
func timestamp(day, units int64, decimals int) string {
	text := date(day)
	if text != "" {
		text += "T" + clock(units, decimals)
	}
	return text
}
