package script

import (
	"slices"
	"strconv"
	"strings"
)

// A date is kept as one number, the digits of year, month, day and hour: 2024013109
// is 9 o'clock on 31 January 2024. A month whose day is not known is its first day, of a
// year that is 10000 more.

// partOf returns a part of the date d: a number, of the weekday a name. It returns ""
// for what is no part.
func partOf(d, part string) string {
	switch part {
	case "year":
		return "(" + whole(d, "1000000") + " % 10000)"
	case "month":
		return whole("("+d+" % 1000000)", "10000")
	case "hour":
		return "(" + d + " % 100)"
	case "days":
		return inSteps([]step{{"a", partOf(d, "year") + " - 1 AS y, " + partOf(d, "month") + " AS m"}}, "365 * y + "+whole("y", "4")+" - "+whole("y", "100")+" + "+whole("y", "400")+" - 719162"+
			" + CASE m WHEN 1 THEN 0 WHEN 2 THEN 31 WHEN 3 THEN 59 WHEN 4 THEN 90 WHEN 5 THEN 120 WHEN 6 THEN 151 WHEN 7 THEN 181 WHEN 8 THEN 212 WHEN 9 THEN 243 WHEN 10 THEN 273 WHEN 11 THEN 304 ELSE 334 END"+
			" + CASE WHEN m > 2 AND (y + 1) % 4 = 0 AND ((y + 1) % 100 <> 0 OR (y + 1) % 400 = 0) THEN 1 ELSE 0 END"+
			" + "+whole("("+d+" % 10000)", "100")+" - 1", " ")
	case "weekday":
		return "CASE WHEN " + d + " < 10000000000 THEN " + inSteps([]step{{"w", partOf(d, "days") + " AS n"}}, "CASE ((n + 3) % 7 + 7) % 7"+
			" WHEN 0 THEN 'Monday' WHEN 1 THEN 'Tuesday' WHEN 2 THEN 'Wednesday' WHEN 3 THEN 'Thursday' WHEN 4 THEN 'Friday' WHEN 5 THEN 'Saturday' ELSE 'Sunday' END", " ") + " END"
	}
	return ""
}

// whole returns a/b, rounded down, of a ≥ 0. Databases do not agree on what / does to
// whole numbers.
func whole(a, b string) string { return "((" + a + " - " + a + " % " + b + ") / " + b + ")" }

// date returns the date that a cell is, NULL where it is none: a date as databases
// write it, or a text of digits in the order of the column, with a time or without.
// Names of months and weekdays are not read.
func (q *query) date(column, order string) string {
	cell := "source." + quoted(column)
	if order == "epoch" {
		return epoch(q.number(column, cell, texts))
	}
	layouts := "Y-M-D Y/M/D Y.M.D " + map[string]string{"dmy": "D/M/Y D-M-Y D.M.Y D/M/y D.M.y", "mdy": "M/D/Y M-D-Y M/D/y"}[order] + " Y-M"
	var dates, times strings.Builder
	add := func(layout, behind string) {
		field := func(c string) string {
			return "CAST(SUBSTR(t, " + strconv.Itoa(strings.Index(layout, c)+1) + ", " + strconv.Itoa(strings.Count(layout, c)) + ") AS DECIMAL(10))"
		}
		year, day := field("Y"), field("D")
		if strings.Count(layout, "Y") == 2 {
			year = "(" + year + " + CASE WHEN " + year + " < 69 THEN 2000 ELSE 1900 END)"
		} else if !strings.Contains(layout, "D") {
			year, day = "("+year+" + 10000)", "1"
		}
		when := " WHEN p LIKE '" + strings.NewReplacer("Y", "0", "M", "0", "D", "0").Replace(layout) + behind + " THEN "
		dates.WriteString(when + "((" + year + " * 100 + " + field("M") + ") * 100 + " + day + ") * 100\n")
		times.WriteString(when + "SUBSTR(t, " + strconv.Itoa(len(layout)+1) + ")")
	}
	for _, layout := range strings.Fields(layouts) {
		for i := range 4 {
			add(strings.NewReplacer("Y", "YYYY", "y", "YY", "M", "MM"[i/2:], "D", "DD"[i%2:]).Replace(layout), "%'")
		}
	}
	if order == "ymd" {
		add("YYYYMMDD", "' AND t BETWEEN '19000101' AND '21001231'")
		add("YYYYMMDD.0", "' AND t BETWEEN '19000101' AND '21010000'") // in a column of fractions
	}
	missing := ""
	for _, other := range q.said(q.enc.Written.MissingAs, column) {
		missing += " AND t <> " + literal(other)
	}
	const days = "CASE WHEN m IN (4, 6, 9, 11) THEN 30 WHEN m <> 2 THEN 31 WHEN y % 4 = 0 AND (y % 100 <> 0 OR y % 400 = 0) THEN 29 ELSE 28 END"
	const cut = "CASE WHEN w <> '' AND SUBSTR(w, 1, 1) IN (' ', 't', ':', ',') THEN SUBSTR(w, 2) "
	steps := []step{
		{"t", "TRIM(CAST(" + cell + " AS CHAR(255))) AS t"},
		{"h", "t, " + shape("t", "1234") + " AS p"},
		{"p", "t, " + shape("p", "56789") + " AS p"},
		{"d", "t, CASE" + dates.String() + " END AS d, LOWER(CASE" + times.String() + " END) AS w"},
		{"b", "t, d, " + cut + "WHEN w = '' THEN '0:00' ELSE '-' END AS w"}, // midnight, or no time
		{"c", "t, d, " + cut + "ELSE w END AS w"},
	}
	s := "w"
	for pairs := range slices.Chunk(clock, 10) {
		for pair := range slices.Chunk(pairs, 2) {
			s = "REPLACE(" + s + ", '" + pair[0] + "', '" + pair[1] + "')"
		}
		steps = append(steps, step{"s" + strconv.Itoa(len(steps)), "t, d, w, " + s + " AS s"})
		s = "s"
	}
	return inSteps(append(steps,
		step{"k", "t, d + CASE s WHEN '05' THEN CAST(SUBSTR(w, 1, 1) AS DECIMAL(10)) WHEN '005' THEN CAST(SUBSTR(w, 1, 2) AS DECIMAL(10)) END AS d, CASE WHEN w LIKE '%p%' THEN 12 WHEN w LIKE '%a%' THEN 0 END AS k"}, // of twelve hours
		step{"a", "t, CASE WHEN k IS NULL THEN d WHEN d % 100 <= 12 THEN d - d % 100 + d % 100 % 12 + k END AS d"},
		step{"y", "t, d, " + partOf("d", "year") + " AS y, " + partOf("d", "month") + " AS m, " + whole("(d % 10000)", "100") + " AS n"},
	), "CASE WHEN y > 0 AND m BETWEEN 1 AND 12 AND d % 100 < 24 AND n BETWEEN 1 AND "+days+missing+" THEN d END", " ")
}

// clock holds pairs of a text and its replacement. In their order they turn a time into
// "05" or "005", by the digits of its hour, and any other text into something else. 0
// is a digit up to 5, and 6 one from 6 on. The other digits are parts of a valid time:
// 1 is UTC, 2 is AM or PM, 3 the 60 or 61 of a leap second, 4 a fraction, 5 minutes and
// seconds, 7 the beginning of an offset and 8 an offset.
var clock = strings.Split("utc|z|gmt|z|p.m.|am|a.m.|am|pm|am| am|am|\u202fam|am| z|z|,|.|-|+| +|+"+
	"|3|2|:60|:3|:61|:3|7|6|8|6|9|6|+14:00|+00:00|+1400|+0000|+10|+00|+11|+00|+12|+00|+0|7|1|0|2|0|4|0|5|0|am|2|z|1"+
	"|76|70|70:0|700|7000|8|7006|8|70|8|:06|:00|:00|5|:0|5|:6|5|5:3|55|6|0|.0000|.0|.0000|.0|.000|4|.00|4|.0|4|554|5|55|5|02|05|52|5|51|5|58|5", "|")

// epoch returns the date so many seconds or milliseconds after 1970.
func epoch(x string) string {
	return inSteps([]step{
		{"v", x + " AS x"},
		{"c", "CASE WHEN x >= 0 AND x < 1e13 THEN CAST(x AS DECIMAL(20)) END AS x"},
		{"s", "CASE WHEN x < 6e10 THEN x ELSE " + whole("x", "1000") + " END AS s"},
		{"n", whole("s", "86400") + " + 719468 AS n, " + whole("(s % 86400)", "3600") + " AS h"}, // days since 1 March of the year 0
		{"e", "h, " + whole("n", "146097") + " AS e, n % 146097 AS n"},                           // 400 years, and days in them
		{"y", "h, e, n, " + whole("(n - "+whole("n", "1460")+" + "+whole("n", "36524")+" - "+whole("n", "146096")+")", "365") + " AS y"},
		{"o", "h, y + e * 400 AS y, n - (365 * y + " + whole("y", "4") + " - " + whole("y", "100") + ") AS n"}, // days since 1 March
		{"m", "h, y, n, " + whole("(5 * n + 2)", "153") + " AS m"},                                             // months since March
		{"a", "h, y, n - " + whole("(153 * m + 2)", "5") + " + 1 AS n, CASE WHEN m < 10 THEN m + 3 ELSE m - 9 END AS m"},
	}, "(((y + CASE WHEN m < 3 THEN 1 ELSE 0 END) * 100 + m) * 100 + n) * 100 + h", " ")
}
