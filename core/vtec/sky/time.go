package sky

import (
	"strconv"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/message"
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

// UnusableError says why a window is of no use. Other windows may be of use.
type UnusableError struct {
	Day    string // its name; "" if unknown
	Minute int    // of the day, UT
	Reason string // in a sentence: what was found, and what is wanted
}

func (e *UnusableError) Error() string {
	if e.Day == "" {
		return e.Reason
	}
	return message.Sprintf("%s, %s: %s", e.Day, clock(60*float64(e.Minute)), e.Reason)
}

func (*UnusableError) Kind() string { return "UnusableError" }

// clock writes seconds of a day as "22:05", with ":30" unless they are whole minutes.
func clock(second float64) string {
	s := int(second)
	text := padded(s/3600, 2) + ":" + padded(s/60%60, 2)
	if s%60 != 0 {
		text += ":" + padded(s%60, 2)
	}
	return text
}
