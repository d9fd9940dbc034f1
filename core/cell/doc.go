// Package cell says what the text of one cell means: a number, an amount with its
// unit, a date, or no value at all. It knows no columns and no files.
//
//	ParseNumber, ScanNumber   a plain decimal number, correctly rounded
//	ParseAmount               a number with a sign, a unit and marks between thousands
//	MarkEvidence              whether the comma or the point is decimal
//	Layout                    a date, with a time and an offset if it has them
//	IsMissing                 "NA", "null", "-" and the like
//	Quote, Clip               a cell as messages show it
//
// ScanNumber reads eight bytes at a time ([Load8]) and leaves what is rare to
// ParseNumber. The tests hold both to strconv, and dates to package time.
package cell
