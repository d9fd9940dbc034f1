package cell

import (
	"math"
	"strconv"
	"strings"
)

// Day returns the days from 1 January 1970 to a date of the Gregorian calendar, and whether
// there is such a date. Years run from 1 to 9999.
func Day(year, month, date int) (days int, ok bool) {
	y, m := year, month-3 // a year from March on ends with its leap day
	if m < 0 {
		y, m = y-1, m+12
	}
	days = 365*y + y/4 - y/100 + y/400 + (153*m+2)/5 + date - 1 - march0
	if year < 1 || year > 9999 || month < 1 || month > 12 {
		return 0, false
	}
	_, sameMonth, sameDate := Civil(days)
	return days, sameMonth == month && sameDate == date
}

// march0 is 1 March of the year 0 in days before 1 January 1970.
const march0 = 719468

// Civil returns the date that is days after 1 January 1970, the inverse of [Day].
func Civil(days int) (year, month, date int) {
	n := days + march0
	year, n = 400*(n/146097), n%146097 // days of 400 years
	y := (n - n/1460 + n/36524 - n/146096) / 365
	n -= 365*y + y/4 - y/100
	m := (5*n + 2) / 153
	if year, month = year+y, m+3; m > 9 {
		year, month = year+1, m-9
	}
	return year, month, n - (153*m+2)/5 + 1
}

var (
	weekdayNames = []string{"Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday"} // from march0 on
	monthNames   = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
)

// Weekday returns the name of the weekday of a date, in days as from [Day].
func Weekday(days int) string { return weekdayNames[(days+march0)%7] }

// Month returns the English name of a month, from 1.
func Month(month int) string { return monthNames[month-1] }

// Instant is a date with a time of day, midnight if it has none, in local time.
type Instant struct {
	Seconds int // since 1 January 1970 in local time
	Nanos   int // within that second
	Ahead   int // seconds of local time ahead of UTC; 0 if no offset is written
	Timed   bool
	Dayless bool // only the year and the month are known
}

func (at Instant) Days() int { return (at.Seconds+86400*march0)/86400 - march0 }
func (at Instant) Hour() int { return (at.Seconds - 86400*at.Days()) / 3600 }

// Date writes the day as databases and Python do: 2024-03-31.
func (at Instant) Date() string {
	year, month, day := Civil(at.Days())
	digits := strconv.Itoa(1e8 + year*10000 + month*100 + day)
	return digits[1:5] + "-" + digits[5:7] + "-" + digits[7:]
}

// DayText writes a day since 1 January 1970 as [Instant.Date] does; "" stands for NaN.
func DayText(days float64) string {
	if days != days {
		return ""
	}
	return Instant{Seconds: 86400 * int(math.Floor(days))}.Date()
}

// Layout is the order of the fields of a date: y, m and d for year, month and day.
type Layout string

// The orders of dates.
const (
	YMD = "ymd"
	DMY = "dmy"
	MDY = "mdy"
)

var Layouts = [...]Layout{YMD, DMY, MDY, "ym", "my"}

// Order returns the layout's order of three fields, as the settings name it.
func (l Layout) Order() string {
	return map[byte]string{'y': YMD, 'd': DMY, 'm': MDY}[l[0]]
}

// Read reads a date of this layout:
//
//	[weekday] date [time [AM | PM] [Z | UTC | GMT] [offset]]
//
// A month is a number or an English name of at least three letters.
// Numbers are separated by "-", "/" or ".", but no "." if the month comes first, or by ","
// if the year does. A year of
// two digits (69 is 1969, 68 is 2068) comes last and not after "-". A time is
// h:m, h:m:s, h:m:s.f with up to nine digits, or h AM. An offset is +hh, +hhmm or
// +hh:mm. Optional parts may differ between cells. O(len(text)).
func (l Layout) Read(text string) (at Instant, ok bool) {
	at, _, ok = l.read(text)
	return at, ok
}

// ReadAny reads a date of this layout, or one of another layout whose form alone shows its
// order: the year comes first, a name stands for the month, or points separate the numbers.
func (l Layout) ReadAny(text string) (at Instant, own, ok bool) {
	if at, own = l.Read(text); own {
		return at, true, true
	}
	for _, other := range Layouts[:3] {
		if at, clear, ok := other.read(text); ok && clear && other != l && len(l) == len(other) {
			return at, false, true
		}
	}
	return Instant{}, false, false
}

// read is Read, and reports whether the form of the date alone shows its order.
func (l Layout) read(text string) (at Instant, clear, ok bool) {
	if _, n := nameAt(text, weekdayNames); n > 0 {
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
			month, n = nameAt(text, monthNames)
			named = true
		case l[i] == 'm' && n <= 2:
			month = v
		case l[i] == 'd' && n <= 2:
			date = v
		default:
			return at, false, false
		}
		if n == 0 {
			return at, false, false
		}
		text = text[n:]
	}
	switch mark := marks[0]; {
	case named:
		ok = len(marks[0]) <= 2 && len(marks[1]) <= 2
	case l == "ym":
		ok = mark == "-"
	default:
		ok = l != "my" && mark == marks[1] && (mark == "/" || mark == "-" && !short || mark == "." && l != MDY || mark == "," && l == YMD)
	}
	days, is := Day(year, month, date)
	if !ok || !is {
		return at, false, false
	}
	at.Seconds, at.Dayless = 86400*days, len(l) < 3
	return at, named || l[0] == 'y' || marks[0] == ".", text == "" || at.clock(text)
}

// clock parses the time after a date and adds it to at.
func (at *Instant) clock(text string) bool {
	rest := strings.TrimLeft(text, "Tt:, ")
	if skipped := len(text) - len(rest); skipped == 0 || skipped > 2 {
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
		at.Nanos, text = v*int(Pow10[9-size]), text[1+size:]
	}
	hour, text, halved := halfDay(fields[0], text)
	if hour < 0 || !halved && n == 1 {
		return false
	}
	fields[0] = hour
	for _, zone := range [...]string{"z", "utc", "gmt"} {
		text = strings.TrimPrefix(strings.TrimLeft(text, " "), zone)
	}
	if text = strings.TrimLeft(text, " "); text != "" {
		offset := strings.Replace(text[1:], ":", "", 1)
		v, size := digitsOf(offset, 2, 4)
		if size == 2 {
			v *= 100
		}
		if at.Ahead = 3600*(v/100) + 60*(v%100); text[0] == '-' {
			at.Ahead = -at.Ahead
		}
		if size%2 > 0 || v > 1400 || v%100 > 59 || text[0] != '+' && text[0] != '-' || len(offset) != size {
			return false
		}
	}
	at.Timed = true
	at.Seconds += 3600*fields[0] + 60*fields[1] + min(fields[2], 59) // of a leap second
	return fields[0] < 24 && fields[1] < 60 && fields[2] < 62
}

// halfDay reads AM or PM at the start of a text, if it is there. It returns the hour of 24, -1
// if the day has no such hour, and the rest in lower case without points.
func halfDay(hour int, text string) (of24 int, rest string, found bool) {
	text = Lower(strings.ReplaceAll(strings.TrimLeft(strings.TrimPrefix(text, "\u202f"), " "), ".", "")) // browsers write it before PM
	text, morning := strings.CutPrefix(text, "am")
	text, evening := strings.CutPrefix(text, "pm")
	switch {
	case !morning && !evening:
		return hour, text, false
	case hour > 12:
		return -1, text, true
	case evening:
		return hour%12 + 12, text, true
	}
	return hour % 12, text, true
}

// digitsOf returns the number that text begins with and its length. It reads at most most
// digits, and returns 0 for fewer than fewest.
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

// nameAt returns which of names text begins with, from 1, and the length. The first three
// letters of a name are enough.
func nameAt(text string, names []string) (which, n int) {
	for n < len(text) && text[n]|0x20-'a' < 26 {
		n++
	}
	for i, name := range names {
		if n >= 3 && n <= len(name) && EqualFold(text[:n], name[:n]) {
			return i + 1, n
		}
	}
	return 0, 0
}
