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

var (
	weekdayNames = []string{"Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"} // 1 January 1970 was a Thursday
	monthNames   = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	zoneNames    = []string{"Z", "UTC", "GMT"}
)

// weekday returns the name of a day after 1 January 1970, or before.
func weekday(days int) string { return weekdayNames[days-7*floor(days, 7)] }

// instant is a date with a time of day, midnight if it has none. Its parts are those
// of the local time, as it is written.
type instant struct {
	seconds int // after 1 January 1970, in local time
	nanos   int // after that second
	ahead   int // seconds by which local time is ahead of UTC; 0 if no offset is written
	timed   bool
}

func (at instant) days() int { return floor(at.seconds, 86400) }
func (at instant) hour() int { return (at.seconds - 86400*at.days()) / 3600 }

// layout is the order of a date's fields: y, m and d are a year, a month and a day.
type layout string

// The orders of dates.
const (
	orderYMD = "ymd"
	orderDMY = "dmy"
	orderMDY = "mdy"
)

var layouts = [...]layout{orderYMD, orderDMY, orderMDY, "ym", "my"}

// order returns what the settings call the layout.
func (l layout) order() string {
	switch l {
	case "ym":
		return orderYMD
	case "my":
		return orderMDY
	}
	return string(l)
}

// read reads a date of this layout:
//
//	[weekday] date [time [AM | PM] [Z | UTC | GMT] [offset]]
//
// A month is a number or an English name, whole or cut to three letters or more.
// Between numbers stands "-", "/" or "." (not where the month comes first); a year of
// two digits (69 is 1969, 68 is 2068) comes last and not behind "-". A time is
// h:m, h:m:s, h:m:s.f with up to nine digits, or h AM; an offset is +hh, +hhmm or
// +hh:mm. What is optional may differ from cell to cell. O(len(text)).
func (l layout) read(text string) (at instant, ok bool) {
	if _, n := nameAt(text, weekdayNames, 3); n > 0 {
		text = strings.TrimLeft(text[n:], ", .")
	}
	year, month, date, named, short := 0, 0, 1, false, false
	var marks [2]string // between the fields
	for i := range len(l) {
		if i > 0 {
			rest := strings.TrimLeft(text, "-/., ")
			marks[i-1], text = text[:len(text)-len(rest)], rest
		}
		v, n := digitsOf(text, 1, 4)
		switch {
		case l[i] == 'y' && n == 4:
			year = v
		case l[i] == 'y' && n == 2 && i == 2:
			if year, short = 1900+v, true; v < 69 {
				year += 100
			}
		case l[i] == 'm' && n == 0:
			month, n = nameAt(text, monthNames, 3)
			named = true
		case l[i] == 'm' && n <= 2:
			month = v
		case l[i] == 'd' && n <= 2:
			date = v
		default:
			return at, false
		}
		if n == 0 {
			return at, false
		}
		text = text[n:]
	}
	switch mark := marks[0]; {
	case named:
		ok = len(marks[0]) <= 2 && len(marks[1]) <= 2
	case l == "ym":
		ok = mark == "-"
	default:
		ok = l != "my" && mark == marks[1] && (mark == "/" || mark == "-" && !short || mark == "." && l != orderMDY)
	}
	days, is := day(year, month, date)
	if !ok || !is {
		return at, false
	}
	at.seconds = 86400 * days
	return at, text == "" || at.clock(text)
}

// clock adds the time that a text begins with, and ends with, behind a date.
func (at *instant) clock(text string) bool {
	rest := strings.TrimLeft(text, " ,")
	if rest == text && (text[0]|0x20 == 't' || text[0] == ':') {
		rest = text[1:]
	}
	if rest == text {
		return false
	}
	text = rest
	var fields [3]int // hour, minute, second
	n := 0
	for n < 3 && (n == 0 || strings.HasPrefix(text, ":")) {
		text = text[min(n, 1):]
		v, size := digitsOf(text, 1, 2)
		if size == 0 {
			return false
		}
		fields[n], text = v, text[size:]
		n++
	}
	if n == 3 && text != "" && (text[0] == '.' || text[0] == ',') {
		v, size := digitsOf(text[1:], 1, 9)
		if size == 0 {
			return false
		}
		at.nanos, text = v*int(pow10[9-size]), text[1+size:]
	}
	text = strings.TrimLeft(strings.TrimPrefix(text, "\u202f"), " ") // before PM, as browsers write it
	if text != "" && (text[0]|0x20 == 'a' || text[0]|0x20 == 'p') {
		rest := strings.TrimPrefix(text[1:], ".")
		if rest == "" || rest[0]|0x20 != 'm' || fields[0] > 12 {
			return false
		}
		if fields[0] %= 12; text[0]|0x20 == 'p' {
			fields[0] += 12
		}
		text = strings.TrimLeft(strings.TrimPrefix(rest[1:], "."), " ")
	} else if n == 1 {
		return false // an hour alone
	}
	_, zone := nameAt(text, zoneNames, 1)
	text = strings.TrimLeft(text[zone:], " ")
	if text != "" && (text[0] == '+' || text[0] == '-') {
		hours, size := digitsOf(text[1:], 2, 2)
		rest := text[1+size:]
		minutes, more := digitsOf(strings.TrimPrefix(rest, ":"), 2, 2)
		if at.ahead = 3600*hours + 60*minutes; text[0] == '-' {
			at.ahead = -at.ahead
		}
		if size == 0 || hours > 14 || minutes > 59 {
			return false
		}
		if more > 0 {
			rest = strings.TrimPrefix(rest, ":")[more:]
		}
		text = rest
	}
	at.timed = true
	at.seconds += 3600*fields[0] + 60*fields[1] + min(fields[2], 59) // of a leap second
	return text == "" && fields[0] < 24 && fields[1] < 60 && fields[2] < 62
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

// nameAt returns which of names the letters are that text begins with, from 1, and
// how many these are: all of the name, or the first of it and at least fewest.
func nameAt(text string, names []string, fewest int) (which, n int) {
	for n < len(text) && text[n]|0x20-'a' < 26 {
		n++
	}
	for i, name := range names {
		if n >= fewest && n <= len(name) && alike(text[:n], name[:n]) {
			return i + 1, n
		}
	}
	return 0, 0
}
