package sky

import "strconv"

// parseMoment reads a date and a time of ISO 8601, as 2010-12-04T22:05:30.5Z, and
// returns milliseconds since 1970, UT. The T may be a space, the date may have
// slashes, seconds and time may be missing, and so may the zone: it is then UT.
// Others are +08:00, +0800 and +08.
func parseMoment(s string) (milliseconds int64, ok bool) {
	if len(s) < 10 {
		return 0, false
	}
	day, ok := parseDate(s[:10])
	if !ok {
		return 0, false
	}
	milliseconds = int64(day) * secondsPerDay * 1000
	if s = s[10:]; s == "" {
		return milliseconds, true
	}
	if s[0] != 'T' && s[0] != 't' && s[0] != ' ' {
		return 0, false
	}
	s = s[1:]
	end := len(s) // of the time
	zone := 0
	for i := range len(s) {
		if c := s[i]; c-'0' > 9 && c != ':' && c != '.' {
			end = i
			break
		}
	}
	switch z := s[end:]; {
	case z == "" || z == "Z" || z == "z":
	case z[0] == '+' || z[0] == '-':
		if len(z) == 6 && z[3] == ':' {
			z = z[:3] + z[4:]
		}
		if len(z) == 3 {
			z += "00"
		}
		n, fits := digits(z[1:])
		if !fits || len(z) != 5 || n > 1400 || n%100 > 59 {
			return 0, false
		}
		zone = n/100*60 + n%100
		if z[0] == '-' {
			zone = -zone
		}
	default:
		return 0, false
	}
	s = s[:end]
	if len(s) < 5 || s[2] != ':' {
		return 0, false
	}
	hour, one := digits(s[:2])
	minute, two := digits(s[3:5])
	if !one || !two || hour > 23 || minute > 59 {
		return 0, false
	}
	milliseconds += int64(hour*60+minute-zone) * 60000
	if s = s[5:]; s == "" {
		return milliseconds, true
	}
	if s[0] != ':' || len(s) < 3 || s[1]-'0' > 9 || s[2]-'0' > 9 {
		return 0, false
	}
	second, err := strconv.ParseFloat(s[1:], 64)
	if err != nil || second > 60 { // a leap second is the next minute's first
		return 0, false
	}
	return milliseconds + int64(1000*second+.5), true
}
