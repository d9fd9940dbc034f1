package cell

import "strings"

// The units of columns of times and durations. Amounts in a unit of these names are not
// read, as the names are longer than longestUnit.
const (
	ClockMinutes = "minutes" // all cells have two fields, as 3:25
	ClockSeconds = "seconds" // some have three, as 3:25:48
)

// ParseClock reads a time of day or a duration: 3:25, 3:25:48.5, 3:25 PM or 2 days 03:25:48. It
// returns how often the last field counts, and how many fields there are.
func ParseClock(text string) (v float64, fields int, ok bool) {
	text, minus := strings.CutPrefix(text, "-")
	hours, inHour, whole := 0, 1., !minus // of the first field
	if days, rest, found := strings.Cut(text, " day"); found {
		if v, ok = ParseNumber(days, '.'); !ok {
			return 0, 0, false
		}
		v *= 24
		text, whole = strings.TrimLeft(rest, "s, +"), false
	}
	for {
		if fields++; fields > 3 {
			return 0, 0, false
		}
		n, size := digitsOf(text, 1, 4)
		if size == 0 || fields > 1 && (size != 2 || n > 59) {
			return 0, 0, false
		}
		if fields == 1 {
			hours = n
		}
		v = v + float64(n)
		text = text[size:]
		rest, more := strings.CutPrefix(text, ":")
		if !more {
			break
		}
		v *= 60
		inHour *= 60
		text = rest
	}
	if text != "" && text[0] == '.' {
		size := len(text) - len(strings.TrimLeft(text[1:], "0123456789"))
		fraction, is := ParseNumber(text[:size], '.')
		if !is {
			return 0, 0, false
		}
		v += fraction
		text = text[size:]
	}
	if text != "" {
		of24, rest, found := halfDay(hours, text)
		if !found || of24 < 0 || rest != "" || !whole {
			return 0, 0, false
		}
		v += float64(of24-hours) * inHour
	}
	if minus {
		v = -v
	}
	return v, fields, fields > 1
}
