package packed

import (
	"encoding/xml"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// formatKind is what the number in a cell stands for.
type formatKind int

const (
	formatNumber formatKind = iota
	formatDate
	formatDateTime
	formatTime
)

// numberFormat is the kind of a number and the unit that its format shows.
type numberFormat struct {
	formatKind
	unit string // as behind a number: "%", " €"; or ""
}

// builtInFormats holds the formats of dates, times and percentages that a workbook uses
// without defining them: ECMA-376 18.8.30.
var builtInFormats = func() map[string]numberFormat {
	formats := map[string]numberFormat{"22": {formatDateTime, ""}, "9": {formatNumber, "%"}, "10": {formatNumber, "%"}}
	for _, id := range strings.Fields("14 15 16 17 27 28 29 30 31 36 50 51 52 53 54 57 58") {
		formats[id] = numberFormat{formatDate, ""}
	}
	for _, id := range strings.Fields("18 19 20 21 32 33 34 35 45 46 47 55 56") {
		formats[id] = numberFormat{formatTime, ""}
	}
	return formats
}()

// numberFormats returns the format of each cell style, in the order of the styles.
func (b *workbook) numberFormats() (styles []numberFormat, err error) {
	if b.styles == nil {
		return nil, nil
	}
	defined := map[string]numberFormat{}
	inCells := false
	err = b.walk(b.styles, b.held, func(_ *xml.Decoder, start xml.StartElement) error {
		id := attribute(start, "numFmtId")
		switch start.Name.Local {
		case "numFmt":
			defined[id] = formatOf(attribute(start, "formatCode"))
		case "cellXfs": // the last list of formats
			inCells = true
		case "xf":
			format, ok := defined[id]
			if !ok {
				format = builtInFormats[id]
			}
			if inCells {
				styles = append(styles, format)
			}
		}
		return nil
	})
	return styles, err
}

var (
	quotedPart    = regexp.MustCompile(`(?s)"[^"]*"|\\.|_.|\*.`)
	bracketedPart = regexp.MustCompile(`\[[^\]]*\]`)
	elapsedTime   = regexp.MustCompile(`(?i)\[(h+|m+|s+)\]`)
	currencyPart  = regexp.MustCompile(`\[\$([^\]-]+)[^\]]*\]|"([^"]*)"`)
	scaledPart    = regexp.MustCompile(`[0#?],+([^0#?,]|$)`)
)

// formatOf classifies a format code. Only its first section counts, without quoted text.
func formatOf(code string) numberFormat {
	first, _, _ := strings.Cut(code, ";")
	code = quotedPart.ReplaceAllString(code, "")
	code = elapsedTime.ReplaceAllString(code, "$1")
	code = bracketedPart.ReplaceAllString(code, "")
	code, _, _ = strings.Cut(code, ";")
	code = strings.ToLower(code)
	time := strings.ContainsAny(code, "hs")
	date := strings.ContainsAny(code, "yd") || strings.Contains(code, "m") && !time
	switch {
	case strings.Contains(code, "#"):
	case date && time:
		return numberFormat{formatDateTime, ""}
	case date:
		return numberFormat{formatDate, ""}
	case time:
		return numberFormat{formatTime, ""}
	}
	return numberFormat{formatNumber, unitOf(first, code)}
}

// unitOf returns the unit that a section of a format shows with its numbers. plain is the
// section without quoted text. A format that shows thousands for units shows none.
func unitOf(section, plain string) string {
	if strings.Contains(plain, "%") {
		return "%"
	}
	if scaledPart.MatchString(plain) {
		return ""
	}
	for _, part := range currencyPart.FindAllStringSubmatch(section, -1) {
		if unit := strings.TrimSpace(part[1] + part[2]); shownUnit.MatchString(unit) {
			return " " + unit
		}
	}
	if symbol := strings.IndexAny(plain, "$€£¥"); symbol >= 0 {
		return " " + string([]rune(plain[symbol:])[0])
	}
	return ""
}

// shownUnit is a unit that a reader of text takes off a number.
var shownUnit = regexp.MustCompile(`^([A-Z]{0,2}[$€£¥₹₽₩₺₪₫฿₴]|[A-Za-z°µ²³/]{1,6})$`)

// longestDuration is the most days of a number that is formatted as a time.
const longestDuration = 366

// text writes the number of a cell as a date or time if its format says so.
// It writes the number itself for what is no date: days before 1900 or after 9999,
// and 29 February 1900, which Excel has and the calendar has not.
func (f numberFormat) text(value float64, since1904 bool) string {
	const milliseconds = 86400000
	days := math.Floor(value)
	ms := math.Round((value - days) * milliseconds)
	if ms == milliseconds {
		days, ms = days+1, 0
	}
	epoch := 25569. // 1 January 1970
	switch {
	case since1904:
		epoch = 24107
	case days < 60:
		epoch = 25568
	}
	switch {
	case f.unit == "%":
		return hundredfold(value) + f.unit
	case f.formatKind == formatNumber || value < 0 || value >= 2958466: // 1 January 10000
	case f.formatKind == formatTime && days > longestDuration: // an instant of which the format hides the date
	case f.formatKind == formatTime:
		return clock(int64(days)*milliseconds+int64(ms), 3)
	case since1904 || days != 0 && days != 60:
		day := date(int64(days - epoch))
		if day != "" && (f.formatKind == formatDateTime || ms > 0) {
			day += "T" + clock(int64(ms), 3)
		}
		if day != "" {
			return day
		}
	}
	return numeral(value) + f.unit
}

// hundredfold writes a number times 100, without rounding.
func hundredfold(value float64) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(value, 'e', -1, 64), "e")
	power, _ := strconv.Atoi(exponent)
	shifted, _ := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(power+2), 64)
	return numeral(shifted)
}
