// Package cell parses the text of one cell: a number, an amount with its
// unit, a date, or a missing value. It knows neither columns nor files.
//
//	ParseNumber, ScanNumber   a plain decimal number, correctly rounded
//	ParseAmount               a number with a sign, a unit and marks between thousands
//	MarkEvidence              whether the comma or the point is decimal
//	Layout                    a date, with a time and an offset if it has them
//	IsMissing                 "NA", "null", "-" and the like
//	Quote, Clip               a cell as shown in messages
//
// ScanNumber reads eight bytes at a time ([Load8]) and leaves rare forms to
// ParseNumber. Tests compare both with strconv, and dates with package time.
package cell
