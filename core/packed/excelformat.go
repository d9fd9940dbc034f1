package packed

import (
	"encoding/xml"
	"math"
	"regexp"
	"strings"
)

// numberFormat is what the number in a cell stands for.
type numberFormat int

const (
	formatNumber numberFormat = iota
	formatDate
	formatDateTime
	formatTime
)

// builtInFormats holds the formats of dates and times that a workbook uses without
// defining them: ECMA-376 18.8.30.
var builtInFormats = func() map[string]numberFormat {
	formats := map[string]numberFormat{"22": formatDateTime}
	for _, id := range strings.Fields("14 15 16 17 27 28 29 30 31 36 50 51 52 53 54 57 58") {
		formats[id] = formatDate
	}
	for _, id := range strings.Fields("18 19 20 21 32 33 34 35 45 47 55 56") {
		formats[id] = formatTime
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
)

// formatOf classifies a format code. Only its first section counts, without quoted
// text. Elapsed time such as [h] counts on beyond a day, so it is a number.
func formatOf(code string) numberFormat {
	code = quotedPart.ReplaceAllString(code, "")
	code = elapsedTime.ReplaceAllString(code, "#")
	code = bracketedPart.ReplaceAllString(code, "")
	code, _, _ = strings.Cut(code, ";")
	code = strings.ToLower(code)
	time := strings.ContainsAny(code, "hs")
	date := strings.ContainsAny(code, "yd") || strings.Contains(code, "m") && !time
	switch {
	case strings.Contains(code, "#") || strings.Contains(code, "general"):
		return formatNumber
	case date && time:
		return formatDateTime
	case date:
		return formatDate
	case time:
		return formatTime
	}
	return formatNumber
}

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
	case f == formatNumber || value < 0 || value >= 2958466: // 1 January 10000
	case f == formatTime:
		if days == 0 {
			return clock(int64(ms), 3)
		}
	case since1904 || days != 0 && days != 60:
		day := date(int64(days - epoch))
		if day != "" && (f == formatDateTime || ms > 0) {
			day += "T" + clock(int64(ms), 3)
		}
		if day != "" {
			return day
		}
	}
	return numeral(value)
}
