package sky

import "ifmlab/core/message"

// UnusableError says why a window cannot be used; the others can.
type UnusableError struct {
	Day    string // its name; "" where it is not known
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

// clock writes seconds of a day as "22:05", and with ":30" where they are not
// whole minutes.
func clock(second float64) string {
	s := int(second)
	text := padded(s/3600, 2) + ":" + padded(s/60%60, 2)
	if s%60 != 0 {
		text += ":" + padded(s%60, 2)
	}
	return text
}
