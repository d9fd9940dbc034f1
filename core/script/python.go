package script

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/jsontext"
	"ifmlab/core/message"
	"ifmlab/core/order"
)

// Python returns a script that needs only Python 3.8. It predicts the rows of a CSV
// file, or the rows of a program that imports it. Its predictions are those of
// [fm.Model.Predict] up to the order of additions.
//
// The script holds the model file as a raw text. Apostrophes, which would end the text,
// and invisible characters, which could reorder the script, are escaped as in JSON.
// Python returns a [*SparseError], and a [*fm.FileError] as [fm.Model.Write] does.
func Python(m *fm.Model, enc design.Encoding) (string, error) {
	for _, f := range enc.Features {
		if f.Kind == design.FeatureEntry {
			return "", &SparseError{Form: "Python", Column: f.Column}
		}
	}
	var file bytes.Buffer
	if err := m.Write(&file, enc); err != nil {
		return "", err
	}
	before, rest, _ := strings.Cut(program, "{head}")
	code, rest, _ := strings.Cut(rest, "{model}")
	middle, last, _ := strings.Cut(rest, "{facts}")
	return before + head(m, enc) + code + escaped(strings.TrimSpace(file.String())) + middle + escaped(facts(enc)) + last, nil
}

// facts returns what the engine knows of cells as JSON. An entry of units is a column, a unit,
// and the factors that convert it to the column's. A triple of typed is a column, a
// text that Python writes for a truth, number, time or date, and the level that it is.
func facts(enc design.Encoding) string {
	weekdays, months := make([]string, 7), make([]string, 12)
	for i := range weekdays {
		weekdays[i] = cell.Weekday(4 + i) // 5 January 1970 was a Monday
	}
	for i := range months {
		months[i] = cell.Month(1 + i)
	}
	var typed []string
	for _, g := range enc.Groups() {
		features := enc.Features[g.Lo:g.Hi]
		types := typesOf(&enc, features)
		for _, f := range features {
			if f.Kind != design.FeatureLevel {
				continue
			}
			for _, text := range types.spellings(f.Level)[1:] {
				if text != f.Level && !strings.HasSuffix(text, ".0") { // 5.0 is 5 in the script
					typed = append(typed, array(quotedJSON([]string{f.Column, text, f.Level})))
				}
			}
		}
	}
	var units, money, scales []string
	for _, pair := range enc.FileStyle.Units {
		at := strings.LastIndexByte(pair, ':')
		column, unit := pair[:at], pair[at+1:]
		if cell.IsCurrency(unit) {
			money = append(money, column)
		}
		others, factors := cell.ConvertibleTo(unit)
		for i, other := range others {
			units = append(units, array(append(quotedJSON([]string{column, other}), cell.FormatNumber(factors[i][0]), cell.FormatNumber(factors[i][1]))))
		}
	}
	words := slices.Collect(maps.Keys(cell.Scales))
	order.Sort(words, strings.Compare)
	for _, word := range words {
		scales = append(scales, message.Sprintf("%q: %d", word, cell.Scales[word]))
	}
	return `{"units": ` + array(units) + `, "money": ` + array(quotedJSON(money)) + `, "scales": {` + strings.Join(scales, ", ") + `}, "missing": ` + array(quotedJSON(append([]string{""}, cell.MissingTokens()...))) + `, "weekdays": ` + array(quotedJSON(weekdays)) +
		`, "months": ` + array(quotedJSON(months)) + `, "typed": ` + array(typed) + "}"
}

func quotedJSON(texts []string) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = string(jsontext.AppendText(nil, text))
	}
	return all
}

func array(values []string) string { return "[" + strings.Join(values, ", ") + "]" }

// head returns the documentation of the script.
func head(m *fm.Model, enc design.Encoding) string {
	target := &enc.Target
	what, gives, classes, share, ends := quiet(target.Name), "prediction", "", "", ""
	if target.Scores() > 1 {
		what = "the class of " + what
		gives = "class and the probabilities of all"
		classes = "\n    are the probabilities of all classes; classify(...) is the likeliest"
	} else if target.Logistic {
		what = message.Sprintf("the probability that %s is %s", what, quiet(target.Levels[1]))
		gives = "class and its probability"
		classes = "\n    is a probability; classify(...) is the class that is the likelier"
	}
	if i := m.Interval; i != nil {
		share = message.Sprintf(", with\n%sthe range that holds %s %% of rows like the training table's", strings.Repeat(" ", 36), strconv.FormatFloat(100*i.Level, 'g', 6, 64))
		ends = "\n    interval({...})                 the lower and the upper end of its range"
	}
	kind := [...]string{fm.FM: "FM", fm.GFM: "gFM", fm.IFM: "iFM"}[m.Kind]
	return `#!/usr/bin/env python3
"""Predicts ` + what + ": " + kind + " of rank " + strconv.Itoa(m.Rank) + `, trained in iFM Lab.

    python3 predict.py FILE.csv     prints the line and the ` + gives + " of every row" + share + `

    from predict import predict     for a row of your own, a dict of its cells:
    predict({"name of a column": "its cell", ...})` + classes + ends + `
    explain({...})                  the parts that a prediction is the sum of

Python 3.8 or newer, nothing to install.
"""
`
}

// quiet makes a text safe between three quotes.
func quiet(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(tame(text), `"`, "'"), `\`, "'")
}

// escaped returns JSON with escapes for apostrophes and invisible characters, line ends
// apart.
func escaped(json string) string {
	const hex = "0123456789abcdef"
	var b strings.Builder
	for _, r := range json {
		if r == '\n' || r != '\'' && strconv.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			b.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte(hex[unit>>shift&15])
			}
		}
	}
	return b.String()
}
