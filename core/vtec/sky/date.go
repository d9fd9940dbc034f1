package sky

import (
	"strconv"
	"strings"

	"ifmlab/core/cell"
)

// secondsPerDay is the length of a day of UT, leap seconds left out.
const secondsPerDay = 86400

// dateName writes a day, counted from 1970-01-01, as "2010-12-04".
func dateName(number int) string {
	y, m, d := cell.Civil(number)
	return padded(y, 4) + "-" + padded(m, 2) + "-" + padded(d, 2)
}

// parseDate reads what dateName writes.
func parseDate(s string) (number int, ok bool) {
	at, ok := cell.Layout(cell.YMD).Read(s)
	return at.Days(), ok && !at.Timed
}

// parseMoment reads a date of ISO 8601 with or without a time, as
// 2010-12-04T22:05:30.5Z. It returns milliseconds since 1970, UT. Without a zone, zoned
// is false and the time is taken as UT.
func parseMoment(s string) (milliseconds int64, zoned, ok bool) {
	at, ok := cell.Layout(cell.YMD).Read(s)
	_, clock, _ := strings.Cut(s, ":")
	return int64(at.Seconds-at.Ahead)*1000 + int64(at.Nanos+5e5)/1e6, strings.ContainsAny(clock, "ZzTt+-"), ok
}

// padded writes n ≥ 0 with zeros before it.
func padded(n, width int) string {
	s := strconv.Itoa(n)
	for len(s) < width {
		s = "0" + s
	}
	return s
}
