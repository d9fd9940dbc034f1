package cell

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Amount is a cell split into its number, sign and unit.
type Amount struct {
	Body     string // such as 1.234,50: digits, marks and an exponent
	minus    bool
	Brackets bool   // the number is in brackets or has a minus behind it, as in accounting
	Bound    bool   // the cell gives only a bound, as <0.05 does
	Footnote bool   // a footnote's mark stands at the end, as in 12* and 12[a]
	Spaced   bool   // a space stands before the unit
	Unit     string // "$", "%", "kg"; or ""
	power    int    // of ten, of the scale beside a currency: 6 in €1.5M
}

// currencies are symbols and names of money. A longer one comes before its beginning.
var currencies = [...]string{"US$", "R$", "A$", "C$", "$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₪", "₫", "฿", "₴",
	"USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RUB", "TRY", "BRL", "MXN", "ZAR", "KRW", "SGD", "HKD"}

// longestUnit is the largest number of characters in a unit.
const longestUnit = 6

// ParseAmount splits a trimmed cell. It reports false unless the cell is one number with at
// most one unit. [Amount.Number] checks the marks of the number. O(len(cell)), and it
// allocates nothing.
func ParseAmount(cell string) (a Amount, ok bool) {
	n := len(cell)
	if n == 0 || n > 64 || cell[0] >= 'a' && cell[0] <= 'z' {
		return a, false // most texts
	}
	if cell[0] == '<' || cell[0] == '>' {
		a.Bound = true
		cell = strings.TrimSpace(strings.TrimPrefix(cell[1:], "="))
	}
	cell = a.cutFootnote(cell)
	n = len(cell)
	if n > 1 && cell[0] == '(' && cell[n-1] == ')' {
		a.Brackets = true
		cell = strings.TrimSpace(cell[1 : n-1])
	}
	cell, signed := a.sign(a.cutFootnote(cell))
	if cell != "" && cell[0]-'0' > 9 {
		for _, c := range currencies {
			if strings.HasPrefix(cell, c) {
				a.Unit = c
				cell = strings.TrimSpace(cell[len(c):])
				break
			}
		}
	}
	if !signed && a.Unit != "" {
		cell, signed = a.sign(cell)
	}
	if signed && a.Brackets {
		return a, false
	}
	size := bodyLength(cell)
	behind := strings.TrimSpace(cell[size:])
	a.Body, a.Spaced = cell[:size], size < len(cell) && cell[size] == ' '
	if rest, is := strings.CutSuffix(behind, "-"); is && !signed && !a.Brackets {
		a.Brackets, behind = true, strings.TrimSpace(rest)
	}
	if size == 0 {
		return a, false
	}
	if behind == "" {
		return a, true
	}
	for _, c := range currencies {
		if rest, is := strings.CutSuffix(behind, c); is && a.Unit == "" && rest != "" {
			a.Unit, behind = c, strings.TrimSpace(rest)
		}
	}
	switch {
	case a.Unit != "":
		a.power = Scales[Lower(strings.TrimSuffix(behind, "."))]
		return a, a.power > 0
	case !IsUnit(behind):
		return a, false
	}
	a.Unit = behind
	return a, true
}

// cutFootnote cuts off the marks of footnotes: stars, daggers, and one to three characters in
// square brackets.
func (a *Amount) cutFootnote(cell string) string {
	for {
		rest := strings.TrimRight(cell, "*†‡§")
		if i := strings.LastIndexByte(rest, '['); i >= 0 && strings.IndexByte(rest[i:], ']') == len(rest)-1-i {
			if n := utf8.RuneCountInString(rest[i:]); n > 2 && n < 6 {
				rest = rest[:i]
			}
		}
		if len(rest) == len(cell) {
			return cell
		}
		a.Footnote, cell = true, strings.TrimSpace(rest)
	}
}

// Scaled reports whether a scale stands between the number and its currency.
func (a *Amount) Scaled() bool { return a.power > 0 }

// Scales maps words between a number and its currency, as M in €1.5M, to powers of ten.
var Scales = map[string]int{"k": 3, "tsd": 3, "thousand": 3, "lakh": 5, "lac": 5, "m": 6, "mn": 6, "mm": 6, "mio": 6, "mln": 6,
	"million": 6, "millions": 6, "cr": 7, "crore": 7, "b": 9, "bn": 9, "mrd": 9, "billion": 9, "billions": 9}

// sign cuts off the sign of a cell.
func (a *Amount) sign(cell string) (rest string, signed bool) {
	rest, a.minus = strings.CutPrefix(cell, "-")
	if !a.minus {
		rest, a.minus = strings.CutPrefix(cell, "\u2212")
	}
	if !a.minus {
		rest, signed = strings.CutPrefix(cell, "+")
	}
	return strings.TrimSpace(rest), signed || a.minus
}

// bodyLength returns the length of the number that text begins with, with its marks and
// exponent; 0 if it has no digit.
func bodyLength(text string) (size int) {
	digits := false
	for i := 0; i < len(text); {
		if text[i]-'0' <= 9 {
			digits = true
			i++
			size = i
			continue
		}
		mark := markAt(text[i:])
		if mark == 0 {
			break
		}
		if i += mark; mark == 1 && (text[i-1] == '.' || text[i-1] == ',') {
			size = i
		}
	}
	if !digits {
		return 0
	}
	if rest := text[size:]; len(rest) > 1 && rest[0]|0x20 == 'e' { // of an exponent
		i := 1
		if rest[1] == '+' || rest[1] == '-' {
			i++
		}
		first := i
		for i < len(rest) && rest[i]-'0' <= 9 {
			i++
		}
		if i > first {
			size += i
		}
	}
	return size
}

// IsCurrency reports whether unit stands for money.
func IsCurrency(unit string) bool {
	for _, c := range currencies {
		if c == unit {
			return true
		}
	}
	return false
}

// IsUnit reports whether text can be the unit behind a number: a currency, or at most six
// letters, %, °, µ or powers. After the first character a stroke is allowed too.
func IsUnit(text string) bool {
	if IsCurrency(text) {
		return true
	}
	if utf8.RuneCountInString(text) > longestUnit {
		return false
	}
	for i, r := range text {
		switch {
		case r|0x20 >= 'a' && r|0x20 <= 'z' && r < utf8.RuneSelf, r == '%', r == '°', r == 'µ', r == '²', r == '³', r == '‰':
		case r == '/' && i > 0 && i < len(text)-1:
		case 0xc0 <= r && r < 0x590, 0x3040 <= r && r < 0xa000, 0xac00 <= r && r < 0xd7a4: // Latin to Hebrew's begin, of East Asia
		default:
			return false
		}
	}
	return true
}

// knownUnits have no other meaning in a column of numbers.
var knownUnits = [...]string{"m", "cm", "mm", "km", "nm", "um", "ft", "mi", "mile", "miles", "inch", "yd", "ha", "sqm", "sqft",
	"s", "sec", "ms", "h", "hr", "hrs", "hours", "days", "weeks", "months", "years", "yr", "yrs",
	"g", "mg", "kg", "lb", "lbs", "oz", "ton", "tons", "l", "ml", "dl", "cl", "gal", "mol", "mmol", "bbl",
	"V", "mV", "kV", "W", "kW", "MW", "GW", "Wh", "kWh", "MWh", "GWh", "J", "kJ", "MJ", "GJ", "cal", "kcal", "hp", "Ah", "mAh", "mA",
	"Hz", "kHz", "MHz", "GHz", "Pa", "hPa", "kPa", "MPa", "mbar", "psi", "dB", "lux", "ppm", "ppb", "K", "degC", "degF",
	"mph", "kmh", "kph", "knots", "kn", "kt", "rpm", "mpg", "bpm", "kB", "MB", "GB", "TB", "pct"}

// IsKnownUnit reports whether a unit cannot be another word. It is a currency, it has a
// symbol, or its part before a stroke is in knownUnits.
func IsKnownUnit(unit string) bool {
	before, _, _ := strings.Cut(unit, "/")
	return IsCurrency(unit) || strings.ContainsAny(unit, "%°µ²³‰") || slices.Contains(knownUnits[:], before)
}

// IsWordUnit reports whether a unit is clearly one, and neither a typing error nor a scale
// as in 5k. It is a currency, or two letters that are no scale.
func IsWordUnit(unit string) bool {
	if IsCurrency(unit) || unit == "°" {
		return true
	}
	switch Lower(unit) {
	case "bn", "mn", "mm", "mio", "mrd", "mln", "tsd", "th", "st", "nd", "rd":
		return false
	}
	return utf8.RuneCountInString(unit) > 1 && !strings.Contains(unit, "%")
}

// Number returns the number for a decimal mark. It reports false if the marks do not fit.
func (a *Amount) Number(point byte) (float64, bool) {
	plain := a.Body
	v, ok := ParseNumber(plain, point)
	if !ok {
		if plain, ok = ungroup(plain, point); !ok {
			return 0, false
		}
		v, ok = ParseNumber(plain, point)
	}
	if a.power > 0 {
		v, ok = ParseNumber(plain+"e"+strconv.Itoa(a.power), point)
	}
	if a.minus || a.Brackets {
		v = -v
	}
	return v, ok
}
