package cell

import "strings"

// markAt returns the length of the mark that text begins with, or 0.
func markAt(text string) int {
	switch {
	case text[0] == '.' || text[0] == ',' || text[0] == '\'' || text[0] == ' ':
		return 1
	case strings.HasPrefix(text, "\u00a0"):
		return 2
	case strings.HasPrefix(text, "\u202f"), strings.HasPrefix(text, "’"):
		return 3
	}
	return 0
}

// ungroup removes the marks between thousands from a body such as 1,234,567.8. Where the
// last group has three digits, those before it may have two, as in India: 12,34,567.8. It
// reports false if the groups are wrong.
func ungroup(body string, point byte) (plain string, ok bool) {
	digits := func(text string) int {
		n := 0
		for n < len(text) && text[n]-'0' <= 9 {
			n++
		}
		return n
	}
	lead := digits(body)
	if lead == 0 || lead > 3 || lead == len(body) || body[0] == '0' {
		return "", false
	}
	size := markAt(body[lead:])
	if size == 0 || body[lead] == point {
		return "", false
	}
	mark := body[lead : lead+size]
	all, rest := append(make([]byte, 0, len(body)), body[:lead]...), body[lead:]
	last, inner := 0, 0 // the digits of the last group and of those before it
	for strings.HasPrefix(rest, mark) {
		if last > 0 && inner > 0 && inner != last {
			return "", false
		}
		inner = last
		rest = rest[size:]
		last = digits(rest)
		all, rest = append(all, rest[:last]...), rest[last:]
	}
	return string(append(all, rest...)), last == 3 && (inner == 0 || inner == 3 || inner == 2 && lead < 3)
}
