package script

import (
	"strconv"
	"strings"
)

// A date is kept as one number, the digits of year, month, day and hour: 2024013109
// is 9 o'clock on 31 January 2024.

// partOf returns a part of the date d: a number, of the weekday a name. It returns ""
// for what is no part.
func partOf(d, part string) string {
	switch part {
	case "year":
		return whole(d, "1000000")
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
		var b strings.Builder
		b.WriteString("CASE ((n + 3) % 7 + 7) % 7")
		for i, name := range []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"} {
			b.WriteString(" WHEN " + strconv.Itoa(i) + " THEN '" + name + "'")
		}
		return inSteps([]step{{"w", partOf(d, "days") + " AS n"}}, b.String()+" END", " ")
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
	var b strings.Builder
	b.WriteString("CASE")
	add := func(layout string) {
		field := func(c string) string {
			return "CAST(SUBSTR(t, " + strconv.Itoa(strings.Index(layout, c)+1) + ", " + strconv.Itoa(strings.Count(layout, c)) + ") AS DECIMAL(10))"
		}
		shape := strings.NewReplacer("Y", "0", "M", "0", "D", "0").Replace(layout)
		year, day, at := field("Y"), "1", len(layout)+1
		if strings.Count(layout, "Y") == 2 {
			year = "(" + year + " + CASE WHEN " + year + " < 69 THEN 2000 ELSE 1900 END)"
		}
		if strings.Contains(layout, "D") {
			day = field("D")
		}
		hour := "CASE WHEN p LIKE '" + shape + "_00:00%' THEN CAST(SUBSTR(t, " + strconv.Itoa(at+1) + ", 2) AS DECIMAL(10)) WHEN p LIKE '" + shape + "_0:00%' THEN CAST(SUBSTR(t, " + strconv.Itoa(at+1) + ", 1) AS DECIMAL(10)) ELSE 0 END"
		b.WriteString(" WHEN p = '" + shape + "' OR p LIKE '" + shape + " 0%:00%' OR p LIKE '" + shape + "t0%:00%' THEN ((" + year + " * 100 + " + field("M") + ") * 100 + " + day + ") * 100 + " + hour + "\n")
	}
	for _, separator := range []string{"-", "/", "."} {
		for _, month := range []string{"MM", "M"} {
			for _, day := range []string{"DD", "D"} {
				add("YYYY" + separator + month + separator + day)
				for _, year := range []string{"YYYY", "YY"} {
					if order == "dmy" {
						add(day + separator + month + separator + year)
					} else if order == "mdy" {
						add(month + separator + day + separator + year)
					}
				}
			}
		}
	}
	for _, layout := range []string{"YYYYMMDD", "YYYYMMDD.0", "YYYY-MM", "YYYY-M"} { // .0 in a column of fractions
		add(layout)
	}
	missing := ""
	for _, other := range q.said(q.enc.Written.MissingAs, column) {
		missing += " AND t <> " + literal(other)
	}
	const days = "CASE WHEN m IN (4, 6, 9, 11) THEN 30 WHEN m <> 2 THEN 31 WHEN y % 4 = 0 AND (y % 100 <> 0 OR y % 400 = 0) THEN 29 ELSE 28 END"
	return inSteps([]step{
		{"t", "REPLACE(TRIM(CAST(" + cell + " AS CHAR(255))), ', ', ' ') AS t"},
		{"k", "t, CASE WHEN LOWER(t) LIKE '%:%am' THEN 0 WHEN LOWER(t) LIKE '%:%pm' THEN 12 END AS k"}, // of twelve hours
		{"h", "t, k, " + shape("REPLACE(REPLACE(REPLACE(LOWER(t), ' utc', ''), ' gmt', ''), CASE k WHEN 0 THEN 'am' WHEN 12 THEN 'pm' ELSE ' ' END, CASE WHEN k IS NULL THEN ' ' ELSE '' END)", "1234") + " AS p"},
		{"p", "t, k, " + shape("p", "56789") + " AS p"},
		{"d", "t, k, CASE WHEN UPPER(REPLACE(REPLACE(p, 't', ''), 'z', '')) = REPLACE(REPLACE(p, 't', ''), 'z', '') THEN " + b.String() + " END END AS d"},
		{"a", "t, CASE WHEN k IS NULL THEN d WHEN d % 100 <= 12 THEN d - d % 100 + d % 100 % 12 + k END AS d"},
		{"y", "t, d, " + whole("d", "1000000") + " AS y, " + whole("(d % 1000000)", "10000") + " AS m, " + whole("(d % 10000)", "100") + " AS n"},
	}, "CASE WHEN y > 0 AND m BETWEEN 1 AND 12 AND d % 100 < 24 AND n BETWEEN 1 AND "+days+missing+" THEN d END", " ")
}

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
