package script

import (
	"strconv"

	"ifmlab/core/cell"
)

// In a query a date is one number, the digits of year, month, day and hour: 2024013109
// is 9 o'clock on 31 January 2024.

// datePart returns a part of the date d: a number, or the name of the weekday. It
// returns "" for an unknown part.
func datePart(d, part string) string {
	switch part {
	case "year":
		return quotient(d, "1000000")
	case "month":
		return quotient("("+d+" % 1000000)", "10000")
	case "hour":
		return "(" + d + " % 100)"
	case "days": // since 1970, by years that begin in March
		month := datePart(d, "month")
		return inSteps([]step{
			{"a", datePart(d, "year") + " - CASE WHEN " + month + " < 3 THEN 1 ELSE 0 END AS y, (" + month + " + 9) % 12 AS m, " + quotient("("+d+" % 10000)", "100") + " AS n"},
		}, "365 * y + "+quotient("y", "4")+" - "+quotient("y", "100")+" + "+quotient("y", "400")+" + "+quotient("(153 * m + 2)", "5")+" + n - 719469", " ")
	case "weekday":
		names := "CASE (n % 7 + 7) % 7"
		for i := range 7 {
			names += " WHEN " + strconv.Itoa(i) + " THEN " + literal(cell.Weekday(i))
		}
		return inSteps([]step{{"w", datePart(d, "days") + " AS n"}}, names+" END", " ")
	}
	return ""
}

// quotient returns a/b, rounded down, for a ≥ 0. Databases disagree on what / does to
// whole numbers.
func quotient(a, b string) string { return "((" + a + " - " + a + " % " + b + ") / " + b + ")" }

// dateColumn returns the date in a column, NULL for a missing one. A database writes a DATE
// or TIMESTAMP as 2024-05-31 13:45:00, and SQLite stores it so. In the order ymd, the
// numbers 20240531, 2024053113 and 202405 are dates too.
func (q *query) dateColumn(column, order string) string {
	of := "source." + quoted(column)
	if order == "epoch" {
		return epoch(q.number(column, of))
	}
	digits := func(from, count string) string {
		return "CAST(SUBSTR(t, " + from + ", " + count + ") AS DECIMAL(10))"
	}
	d := "CASE WHEN t LIKE '____-__-__%' THEN ((" + digits("1", "4") + " * 100 + " + digits("6", "2") + ") * 100 + " + digits("9", "2") + ") * 100" +
		" + CASE WHEN t LIKE '___________%:%' THEN " + digits("12", "2") + " ELSE 0 END"
	if order == "ymd" {
		d += " WHEN t LIKE '______' AND t BETWEEN '190001' AND '210012' THEN " + digits("1", "6") + " * 10000 + 100"
		d += " WHEN t BETWEEN '19000101' AND '21010000' THEN " + digits("1", "8") + " * 100" +
			" + CASE WHEN t LIKE '__________%' AND SUBSTR(t, 9, 1) BETWEEN '0' AND '9' THEN " + digits("9", "2") + " ELSE 0 END"
	}
	missing := ""
	for _, text := range q.answers(q.enc.FileStyle.MissingAs, column) {
		missing += " AND t NOT IN (" + list(columnTypes{'.', cell.Layout(order)}.spellings(text)) + ")"
	}
	return inSteps([]step{
		{"t", "TRIM(CAST(" + of + " AS CHAR(32))) AS t"},
		{"d", "t, " + d + " END AS d"},
	}, "CASE WHEN "+datePart("d", "month")+" BETWEEN 1 AND 12 AND d % 10000 BETWEEN 100 AND 3123"+missing+" THEN d END", " ")
}

// epoch returns the date that x seconds or milliseconds after 1970 are.
func epoch(x string) string {
	return inSteps([]step{
		{"v", x + " AS x"},
		{"c", "CASE WHEN x >= 0 AND x < 1e13 THEN CAST(x AS DECIMAL(20)) END AS x"},
		{"s", "CASE WHEN x < 6e10 THEN x ELSE " + quotient("x", "1000") + " END AS s"},
		{"n", quotient("s", "86400") + " + 719468 AS n, " + quotient("(s % 86400)", "3600") + " AS h"}, // days since 1 March of the year 0
		{"e", "h, " + quotient("n", "146097") + " AS e, n % 146097 AS n"},                              // 400 years, and days in them
		{"y", "h, e, n, " + quotient("(n - "+quotient("n", "1460")+" + "+quotient("n", "36524")+" - "+quotient("n", "146096")+")", "365") + " AS y"},
		{"o", "h, y + e * 400 AS y, n - (365 * y + " + quotient("y", "4") + " - " + quotient("y", "100") + ") AS n"}, // days since 1 March
		{"m", "h, y, n, " + quotient("(5 * n + 2)", "153") + " AS m"},                                                // months since March
		{"a", "h, y, n - " + quotient("(153 * m + 2)", "5") + " + 1 AS n, CASE WHEN m < 10 THEN m + 3 ELSE m - 9 END AS m"},
	}, "(((y + CASE WHEN m < 3 THEN 1 ELSE 0 END) * 100 + m) * 100 + n) * 100 + h", " ")
}
