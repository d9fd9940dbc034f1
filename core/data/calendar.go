package data

import "strings"

// day returns how many days after 1 January 1970 a date of the Gregorian calendar
// is, and whether there is such a date. Years run from 1 to 9999.
func day(year, month, date int) (days int, ok bool) {
	if year < 1 || year > 9999 || month < 1 || month > 12 || date < 1 || date > daysOf(year, month) {
		return 0, false
	}
	return newYear(year) + beforeMonth(year, month) + date - 1, true
}

// newYear returns day of the first of January, of any year.
func newYear(year int) int {
	y := year - 1
	return 365*y + floor(y, 4) - floor(y, 100) + floor(y, 400) - 719162
}

// beforeMonth returns how many days of the year precede a month.
func beforeMonth(year, month int) (days int) {
	for m := 1; m < month; m++ {
		days += daysOf(year, m)
	}
	return days
}

// daysOf returns the length of a month.
func daysOf(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// civil returns the year, the month and the date of a day after 1 January 1970, or
// before.
func civil(days int) (year, month, date int) {
	year = 1970 + min(floor(days, 366), floor(days, 365)) // or some years before
	for newYear(year+1) <= days {
		year++
	}
	days -= newYear(year)
	for month = 1; days >= daysOf(year, month); month++ {
		days -= daysOf(year, month)
	}
	return year, month, days + 1
}

// floor returns the largest whole number that is at most a/b, with b > 0.
func floor(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// weekday returns the name of a day after 1 January 1970, a Thursday, or before.
func weekday(days int) string {
	names := [...]string{"Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"}
	return names[days-7*floor(days, 7)]
}

// instant is a date, and an hour of it where one is known.
type instant struct {
	days int // after 1 January 1970
	hour int // 0 to 23
}

// layout is a form of dates: Y is a year of four digits, y one of two (69 is 1969,
// 68 is 2068), M a month and D a day of one digit or two, b a month's English name,
// whole or its first three letters; h, m and s are a time and f a fraction of a
// second. In YMD month and day have two digits. All else stands for itself.
type layout string

// layouts are the forms that are known. Where the order of day and month cannot be
// told, the earlier one is used.
var layouts = [...]layout{
	"Y-M-D", "Y/M/D", "Y.M.D", "YMD", "D.M.Y", "D.M.y", "M/D/Y", "D/M/Y", "M/D/y", "D/M/y", "D-M-Y", "M-D-Y",
	"b D Y", "b D, Y", "D b Y", "b Y", "Y-M",
	"Y-M-DTh:m:s", "Y-M-D h:m:s", "Y-M-D h:m", "Y/M/D h:m", "M/D/Y h:m", "D/M/Y h:m", "M/D/y h:m", "D/M/y h:m", "D.M.Y h:m",
	"Y-M-DTh:m:sZ", "Y-M-DTh:m:s.fZ", "b D Y h:m:s",
}

// The orders of dates.
const (
	orderYMD = "ymd"
	orderDMY = "dmy"
	orderMDY = "mdy"
)

// order returns which of year, month and day comes first.
func (l layout) order() string {
	switch l[0] {
	case 'Y':
		return orderYMD
	case 'D':
		return orderDMY
	}
	return orderMDY
}

// hasTime reports whether the layout has an hour.
func (l layout) hasTime() bool { return strings.IndexByte(string(l), 'h') >= 0 }

// hasDay reports whether it has a day of the month.
func (l layout) hasDay() bool { return strings.IndexByte(string(l), 'D') >= 0 }

// read reads a text of this form. O(len(text)).
func (l layout) read(text string) (at instant, ok bool) {
	year, month, date := 0, 0, 1
	for i := 0; i < len(l); i++ {
		v, n := 0, 0
		switch l[i] {
		case 'Y':
			v, n = digitsOf(text, 4, 4)
			year = v
		case 'y':
			v, n = digitsOf(text, 2, 2)
			if year = 1900 + v; v < 69 {
				year += 100
			}
		case 'M', 'D':
			fewest := 1
			if l == "YMD" {
				fewest = 2
			}
			if v, n = digitsOf(text, fewest, 2); l[i] == 'M' {
				month = v
			} else {
				date = v
			}
		case 'b':
			month, n = monthOf(text)
		case 'h':
			v, n = digitsOf(text, 1, 2)
			at.hour = v
			ok = v < 24
		case 'm', 's':
			if v, n = digitsOf(text, 1, 2); v > 59 && (l[i] == 'm' || v > 61) { // leap seconds
				return at, false
			}
		case 'f':
			_, n = digitsOf(text, 1, 9)
		default:
			if text != "" && text[0] == l[i] {
				n = 1
			}
		}
		if n == 0 {
			return at, false
		}
		text = text[n:]
	}
	if text != "" || l.hasTime() && !ok {
		return at, false
	}
	at.days, ok = day(year, month, date)
	return at, ok
}

// digitsOf returns the number that the first digits of text write, at most most,
// and how many they are; 0 if fewer than fewest.
func digitsOf(text string, fewest, most int) (v, n int) {
	for n < len(text) && n < most && text[n]-'0' <= 9 {
		v = 10*v + int(text[n]-'0')
		n++
	}
	if n < fewest {
		return 0, 0
	}
	return v, n
}

// monthOf returns the month with whose English name text begins, whole or cut to
// three letters, and how long that is.
func monthOf(text string) (month, n int) {
	names := [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	for i, name := range names {
		for _, n := range [...]int{len(name), 3} {
			if len(text) >= n && alike(text[:n], name[:n]) {
				return i + 1, n
			}
		}
	}
	return 0, 0
}
