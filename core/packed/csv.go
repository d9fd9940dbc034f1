package packed

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Rows as the lines of CSV that the engine reads, in the way of web/src/packed/csv.ts.

var lineEnds = regexp.MustCompile(`[\r\n]+`)

// cell writes text. A row is a line, so that an error's line is its row: line ends in a
// cell become a space.
func cell(text string) string {
	if strings.ContainsAny(text, "\r\n") {
		text = lineEnds.ReplaceAllString(text, " ")
	}
	if strings.ContainsAny(text, "\",#'\\=\t;|") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// asThousands is a number that could be taken for one with a mark of thousands.
var asThousands = regexp.MustCompile(`^-?[1-9][0-9]{0,2}\.[0-9]{3}$`)

func unmistakable(number string) string {
	if asThousands.MatchString(number) {
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
		return unmistakable(strconv.FormatFloat(v, 'f', -1, 64))
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
}

// fixed writes a whole number as a decimal one: 12345 and 2 are 123.45.
func fixed(value *big.Int, scale int) string {
	sign, digits := "", new(big.Int).Abs(value).String()
	if value.Sign() < 0 {
		sign = "-"
	}
	if scale <= 0 {
		if digits != "0" {
			digits += strings.Repeat("0", -scale)
		}
		return sign + digits
	}
	if lacks := scale + 1 - len(digits); lacks > 0 {
		digits = strings.Repeat("0", lacks) + digits
	}
	return unmistakable(sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:])
}

// date writes a day after 1 January 1970, or before; "" where its year has not four
// digits.
func date(days int64) string {
	if days < -719162 || days > 2932896 {
		return ""
	}
	return time.Unix(86400*days, 0).UTC().Format("2006-01-02")
}

// clock writes a time of day in units of which so many decimals make a second:
// 13:45:00.5.
func clock(units int64, decimals int) string {
	unit := int64(math.Pow10(decimals))
	seconds := units / unit
	text := fmt.Sprintf("%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	if fraction := units % unit; fraction != 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%0*d", decimals, fraction), "0")
	}
	return text
}

// instant writes units since 1970, as clock has them: 2024-05-31T13:45:00; the number
// itself where its year has not four digits.
func instant(units *big.Int, decimals int) string {
	perDay := big.NewInt(86400 * int64(math.Pow10(decimals)))
	days, rest := new(big.Int).DivMod(units, perDay, new(big.Int)) // Euclid's: the rest is not negative
	if !days.IsInt64() {
		return units.String()
	}
	day := date(days.Int64())
	if day == "" {
		return units.String()
	}
	return day + "T" + clock(rest.Int64(), decimals)
}
