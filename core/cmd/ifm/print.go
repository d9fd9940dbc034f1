package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"ifmlab/core/fault"
	"ifmlab/core/measure"
)

// show prints a result as text, or as JSON with -json.
func (c *call) show(out io.Writer, r interface{ print(io.Writer) error }) error {
	if c.json {
		return writeJSON(out, r)
	}
	return r.print(out)
}

func writeJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// oneLine takes line breaks out of names of columns.
var oneLine = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

// printList prints lines below a title, or nothing if there are no lines.
func printList(out io.Writer, title string, lines []string) {
	if len(lines) > 0 && title != "" {
		fmt.Fprintln(out, title)
	}
	for _, line := range lines {
		fmt.Fprintf(out, "  %s\n", oneLine.Replace(line))
	}
}

// listed is the most rows that are listed.
const listed = 10

// places lists the first rows and the number of the others.
func places(rows []fault.RowError, count int) []string {
	all := []string{}
	for i := range rows[:min(len(rows), listed)] {
		all = append(all, rows[i].Error())
	}
	if more := count - len(all); more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	return all
}

// measureName returns the measure of errors with its unit.
func measureName(of, target string) string {
	if of == measure.LogLoss {
		return "log-loss, in nats"
	}
	return "RMSE, in units of " + target
}

func encodingName(encoding string) string {
	if encoding == "hats" {
		return "numbers as piecewise-linear bases"
	}
	return "numbers as they are"
}

func shortName(kind string) string {
	return map[string]string{"fm": "FM", "gfm": "gFM", "ifm": "iFM"}[kind]
}

// real is a number. In JSON, NaN and infinities are null, or are left out by omitzero.
type real float64

// IsZero reports whether r is NaN or infinite.
func (r real) IsZero() bool { return math.IsNaN(float64(r)) || math.IsInf(float64(r), 0) }

func (r real) MarshalJSON() ([]byte, error) {
	if r.IsZero() {
		return []byte("null"), nil
	}
	return []byte(strconv.FormatFloat(float64(r), 'g', -1, 64)), nil
}

// figures returns a number with n significant digits, without an exponent for usual sizes.
func figures(v float64, n int) string {
	text := strconv.FormatFloat(v, 'g', n, 64)
	if size := math.Abs(v); size < 1e-4 || size >= 1e9 {
		return text
	}
	if short, err := strconv.ParseFloat(text, 64); err == nil {
		return strconv.FormatFloat(short, 'f', -1, 64)
	}
	return text
}

// percent returns a share in percent, and 100 % only of all, as 0 % only of none.
func percent(share real) string { return inside(100*share, 100, 1) + " %" }

// inside returns a number from 0 to whole with some decimals, and with more if it would read
// as one of these and is not.
func inside(v, whole real, decimals int) string {
	if math.Abs(float64(v-whole)) < 1e-9*float64(whole) { // rounding
		v = whole
	}
	for ; ; decimals++ {
		text := strconv.FormatFloat(float64(v), 'f', decimals, 64)
		if read, _ := strconv.ParseFloat(text, 64); decimals > 9 || (real(read) == 0) == (v == 0) && (real(read) == whole) == (v == whole) {
			return text
		}
	}
}

// signed returns figures with a sign.
func signed(v real, n int) string {
	sign := ""
	if v > 0 {
		sign = "+"
	}
	return sign + figures(float64(v), n)
}

// digits returns a number as JavaScript writes it, "" for NaN.
func digits(v float64) string {
	size := math.Abs(v)
	switch {
	case math.IsNaN(v):
		return ""
	case size == 0 || size >= 1e-6 && size < 1e21:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
