// Package message formats the sentences that a reader sees. It supports the few
// verbs that these need, so that the engine does not link package fmt, which
// would add an eighth to the page.
package message

import (
	"strconv"
	"strings"
)

// write returns the format with each verb replaced by its argument, as
// fmt.Sprintf does:
//
//	%d   int, int64
//	%g   float64, in the fewest digits that tell it apart; %.2g, %.1f and so on
//	%s   string, error, or what has a String method
//	%q   string, quoted as in Go
//	%v   any of these, as %d, %g or %s
//	%%   a percent sign
//
// Any other pair of verb and argument shows as %!d(?), a verb without an
// argument as %!d(MISSING). go vet finds most of these, but not integers of
// other sizes.
func write(format string, args []any) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(format, "%")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		digits := -1
		if strings.HasPrefix(rest, ".") {
			end := 1
			for end < len(rest) && '0' <= rest[end] && rest[end] <= '9' {
				end++
			}
			digits, _ = strconv.Atoi(rest[1:end])
			rest = rest[end:]
		}
		if rest == "" {
			b.WriteString("%!(NOVERB)")
			return b.String()
		}
		verb := rest[0]
		format = rest[1:]
		switch {
		case verb == '%':
			b.WriteByte('%')
		case len(args) == 0:
			b.WriteString("%!" + string(verb) + "(MISSING)")
		default:
			b.WriteString(one(verb, digits, args[0]))
			args = args[1:]
		}
	}
}

// one formats one argument.
func one(verb byte, digits int, arg any) string {
	switch v := arg.(type) {
	case int:
		if verb == 'd' || verb == 'v' {
			return strconv.Itoa(v)
		}
	case int64:
		if verb == 'd' || verb == 'v' {
			return strconv.FormatInt(v, 10)
		}
	case float64:
		switch verb {
		case 'g', 'v':
			return strconv.FormatFloat(v, 'g', digits, 64)
		case 'f':
			if digits < 0 {
				digits = 6
			}
			return strconv.FormatFloat(v, 'f', digits, 64)
		}
	case string:
		switch verb {
		case 's', 'v':
			return v
		case 'q':
			return strconv.Quote(v)
		}
	case error:
		if verb == 's' || verb == 'v' {
			return v.Error()
		}
	case interface{ String() string }:
		if verb == 's' || verb == 'v' {
			return v.String()
		}
	}
	return "%!" + string(verb) + "(?)"
}
