package sky

import "strconv"

// secondsPerDay is the length of a day of UT, leap seconds left out.
const secondsPerDay = 86400

// dayNumber returns the days from 1970-01-01 to a date of the Gregorian calendar,
// of the years 1 to 9999.
func dayNumber(year, month, day int) int {
	if month <= 2 { // years begin with March, so that leap days end them
		year--
		month += 12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*month-457)/5 + day - 719469
}

// date is the inverse of dayNumber.
func date(number int) (year, month, day int) {
	number += 719468 // since 0000-03-01
	era := number / 146097
	of := number - era*146097
	y := (of - of/1460 + of/36524 - of/146096) / 365
	of -= 365*y + y/4 - y/100
	m := (5*of + 2) / 153
	day = of - (153*m+2)/5 + 1
	year, month = y+400*era, m+3
	if month > 12 {
		year++
		month -= 12
	}
	return year, month, day
}

// isDate reports whether there is such a day in the years 1 to 9999.
func isDate(year, month, day int) bool {
	if year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31 {
		return false
	}
	_, m, _ := date(dayNumber(year, month, day))
	return m == month
}

// dateName writes a day as "2010-12-04".
func dateName(number int) string {
	y, m, d := date(number)
	return padded(y, 4) + "-" + padded(m, 2) + "-" + padded(d, 2)
}

// parseDate reads what dateName writes.
func parseDate(s string) (number int, ok bool) {
	if len(s) != 10 || s[4] != '-' && s[4] != '/' || s[7] != s[4] {
		return 0, false
	}
	y, one := digits(s[:4])
	m, two := digits(s[5:7])
	d, three := digits(s[8:])
	if !one || !two || !three || !isDate(y, m, d) {
		return 0, false
	}
	return dayNumber(y, m, d), true
}

// digits reads a text of nothing but digits.
func digits(s string) (n int, ok bool) {
	for i := range len(s) {
		if s[i]-'0' > 9 || i > 8 {
			return 0, false
		}
		n = 10*n + int(s[i]-'0')
	}
	return n, s != ""
}

// padded writes n ≥ 0 with zeros before it.
func padded(n, width int) string {
	s := strconv.Itoa(n)
	for len(s) < width {
		s = "0" + s
	}
	return s
}
