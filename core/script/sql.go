package script

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ifmlab/core/data"
	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/message"
)

// NameError says that no database can hold a name.
type NameError struct{ Name string }

func (e *NameError) Error() string {
	return message.Sprintf("SQL: the name %q holds a character that no database takes; rename the column and train again", e.Name)
}

// SparseError says that a model's features are entries of a file in LIBSVM's or
// libFFM's format, for which no table has columns.
type SparseError struct{ Form, Column string }

func (e *SparseError) Error() string {
	return message.Sprintf("%s: %s stands for many features of a file in LIBSVM's format, and no table has a column for each; predict here or with ifm predict", e.Form, e.Column)
}

// farthest is the largest number that can be squared: what is larger counts as
// missing.
const farthest = "1e150"

// SQL returns one SELECT over a table of the reader's that has the columns of the
// model: all its columns, and with them what the model predicts for every row, as
// "prediction"; of two classes "probability", that of the second, and "class".
//
// It is standard SQL, for SQLite, PostgreSQL and DuckDB, and for MySQL in the modes
// ANSI_QUOTES and NO_BACKSLASH_ESCAPES, and needs no function but EXP beside those of
// texts. A column may hold numbers or the texts of a file; what is NULL or a text for
// no value is missing. It is nested from the inside out: cells, then features, then
// the sums of
//
//	f(z) = b + Σ wⱼzⱼ + Σ_e (Σ uⱼₑzⱼ)(Σ vⱼₑzⱼ) − Σ ⟨uⱼ, vⱼ⟩ zⱼ²        (the last not for gFM)
//
// so that its length is O(d·k). LIMIT 1 keeps a database from writing an inner part
// into each place of the outer that names it. Sums are balanced trees, since SQLite
// nests no deeper than 1000. SQL returns a [*NameError] for a name with a NUL, a
// [*SparseError], and a [*fm.FileError] as [fm.Model.Write] does.
func SQL(m *fm.Model, enc design.Encoding, table string) (string, error) {
	if err := m.Fits(enc); err != nil {
		return "", err
	}
	for _, name := range slices.Concat(enc.Columns(), enc.Needs(), []string{table}) {
		if strings.ContainsRune(name, 0) {
			return "", &NameError{name}
		}
	}
	// What is not a column's number is 0 or 1, or between: it needs no scale.
	features := slices.Clone(enc.Features)
	if i := slices.IndexFunc(features, func(f design.Feature) bool { return f.Kind == design.FeatureEntry }); i >= 0 {
		return "", &SparseError{"SQL", features[i].Column}
	}
	for j := range features {
		if features[j].Kind == design.FeatureValue {
			features[j].Mean, features[j].Scale = 0, 1
		}
	}
	q := &query{m: m.Unscaled(features), enc: &enc, dates: map[string]int{}}
	q.columns()

	var steps []step
	if q.dated != nil {
		steps = append(steps, step{"dates", strings.Join(q.dated, ",\n")})
	}
	steps = append(steps, step{"z", strings.Join(q.cells, ",\n")}, step{"s", strings.Join(q.sums(), ",\n")}, step{"f", q.total() + " AS y"})
	prediction := "y"
	t := enc.Target
	if t.Logistic {
		steps = append(steps, step{"e", "y, EXP(CASE WHEN ABS(y) > 7e2 THEN -7e2 ELSE -ABS(y) END) AS e"})
		prediction = "CASE WHEN y < 0 THEN e ELSE 1e0 END / (1e0 + e)"
	} else if t.Log != design.LogNone {
		e := "EXP(" + clamped("y", "7e2") + ")"
		if t.Log == design.LogShifted { // EXP(y) − 1 has few digits near 0
			e = "CASE WHEN ABS(y) < 1e-5 THEN y + y * y / 2e0 + y * y * y / 6e0 ELSE " + e + " - 1e0 END"
		}
		steps = append(steps, step{"e", e + " AS e"})
		prediction = "CASE WHEN e < " + numeral(t.Least) + " THEN " + numeral(t.Least) + " WHEN e > " + numeral(t.Most) + " THEN " + numeral(t.Most) + " ELSE e END"
	}
	var b strings.Builder
	b.WriteString("-- Predicts " + tame(enc.Target.Name) + " for every row of a table.\n")
	b.WriteString("-- Name your table in the last line; it must have the columns " + tame(strings.Join(enc.Needs(), ", ")) + ".\n")
	b.WriteString("-- For SQLite, PostgreSQL, DuckDB, and MySQL with SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'.\n")
	if q.dated != nil {
		b.WriteString("-- Dates are DATE, TIMESTAMP or texts as 2024-05-31 13:45:00.5+02:00 and 5/31/2024 1:45 PM. A date with a month's name counts as missing.\n")
	}
	if m.Interval != nil {
		b.WriteString("-- The model's prediction intervals are not part of it.\n")
	}
	rows := inSteps(steps, prediction, "\n") + " AS "
	if t.Logistic {
		p := quoted(q.free("probability"))
		rows = "SELECT predicted.*, CASE WHEN " + p + " >= 5e-1 THEN " + literal(t.Levels[1]) + " ELSE " + literal(t.Levels[0]) + " END AS " + quoted(q.free("class")) +
			"\nFROM (SELECT source.*, " + rows + p + "\nFROM " + quoted(table) + " AS source) AS predicted"
	} else {
		rows = "SELECT source.*, " + rows + quoted(q.free("prediction")) + "\nFROM " + quoted(table) + " AS source"
	}
	b.WriteString(rows + ";\n")
	return b.String(), nil
}

// step is one row of a query that is built up: its name, and what it holds of the
// one before.
type step struct{ name, holds string }

// inSteps returns the last expression of a query of one row, as a scalar subquery.
func inSteps(steps []step, last, between string) string {
	var b strings.Builder
	from := ""
	for i, s := range steps {
		b.WriteString(map[bool]string{true: "(WITH ", false: "," + between}[i == 0])
		b.WriteString(s.name + " AS (SELECT " + s.holds + from + " LIMIT 1)")
		from = " FROM " + s.name
	}
	return b.String() + between + "SELECT " + last + from + ")"
}

// tame returns a text as it may stand in a comment.
func tame(text string) string {
	text = strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) { // control characters, ends of lines, and what turns the order of letters
			return ' '
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > 500 {
		text = string(runes[:500]) + "…"
	}
	return text
}

// query is a SELECT as it is being written.
type query struct {
	m      *fm.Model
	enc    *design.Encoding
	cells  []string // of columns: z1 is its number, the place between its knots or its level, m1 whether it is missing
	dated  []string // dates of which parts are columns
	dates  map[string]int
	groups []group
}

// group is what the features of one column of the table are in the query.
type group struct {
	lo, hi int // features
	z, m   string
}

func (q *query) columns() {
	features := q.enc.Features
	for lo := 0; lo < len(features); {
		hi := lo + 1
		for hi < len(features) && features[hi].Column == features[lo].Column {
			hi++
		}
		g := group{lo: lo, hi: hi}
		n := strconv.Itoa(len(q.groups) + 1)
		cell, of := q.cell(features[lo].Column)
		flag := slices.ContainsFunc(features[lo:hi], func(f design.Feature) bool { return f.Kind == design.FeatureMissing })
		levels := slices.ContainsFunc(features[lo:hi], func(f design.Feature) bool {
			return f.Kind == design.FeatureLevel || f.Kind == design.FeatureOther
		})
		switch first := features[lo]; {
		case levels:
			g.z = "z" + n
			q.cells = append(q.cells, q.level(features[lo:hi], cell, of)+" AS "+g.z)
		case first.Kind == design.FeatureValue:
			g.z = "z" + n
			q.cells = append(q.cells, q.value(first, q.number(first.Column, cell, of))+" AS "+g.z)
		case first.Kind == design.FeatureKnot:
			g.z = "z" + n
			var knots []float64
			for _, f := range features[lo:hi] {
				if f.Kind == design.FeatureKnot {
					knots = append(knots, f.Knot)
				}
			}
			q.cells = append(q.cells, place(knots, first.Fill, q.number(first.Column, cell, of))+" AS "+g.z)
		}
		if flag && !levels {
			g.m = "m" + n
			q.cells = append(q.cells, "CASE WHEN "+q.number(features[lo].Column, cell, of)+" IS NULL THEN 1 ELSE 0 END AS "+g.m)
		}
		q.groups = append(q.groups, g)
		lo = hi
	}
}

// holds says what a cell is in the query.
type holds int

const (
	texts   holds = iota // or numbers: whatever the table has
	numbers              // or NULL
	names                // of weekdays, or NULL
)

// cell returns what a column holds: of a part of a date what that is, else what the
// table has.
func (q *query) cell(column string) (cell string, of holds) {
	for _, pair := range q.enc.Written.Dates {
		at := strings.LastIndexByte(pair, ':')
		if at < 0 {
			continue
		}
		name, order := pair[:at], pair[at+1:]
		part, is := strings.CutPrefix(strings.TrimSuffix(column, ")"), name+" (")
		if !is || partOf("", part) == "" {
			continue
		}
		i, seen := q.dates[name]
		if !seen {
			i = len(q.dates) + 1
			q.dates[name] = i
			q.dated = append(q.dated, q.date(name, order)+" AS d"+strconv.Itoa(i))
		}
		cell, of = partOf("dates.d"+strconv.Itoa(i), part), numbers
		if part == "weekday" {
			of = names
		}
		return cell, of
	}
	return "source." + quoted(column), texts
}

// said returns what of a list of "column:answer" is of a column. Where names hold
// colons, the longest that fits is meant.
func (q *query) said(pairs []string, column string) (answers []string) {
	names := append(q.enc.Columns(), q.enc.Needs()...)
	for _, pair := range pairs {
		longest := ""
		for _, name := range names {
			if len(name) > len(longest) && strings.HasPrefix(pair, name+":") {
				longest = name
			}
		}
		if longest == column && longest != "" {
			answers = append(answers, pair[len(column)+1:])
		}
	}
	return answers
}

// number returns the number that a cell holds, NULL where it holds none, as a scalar
// subquery: a text is one that writes a number, with a unit of the column's, with
// marks between its thousands or brackets for a minus.
func (q *query) number(column, cell string, of holds) string {
	switch of {
	case numbers:
		return "CAST(" + cell + " AS FLOAT(53))"
	case names:
		return "NULL"
	}
	w := &q.enc.Written
	point := w.Point == ','
	if slices.Contains(w.Other, column) {
		point = !point
	}
	u := "t"
	for _, unit := range q.said(w.Units, column) {
		u = "REPLACE(REPLACE(TRIM(REPLACE(" + u + ", " + literal(unit) + ", '')), '- ', '-'), '+ ', '+')"
	}
	if point {
		u = "REPLACE(CASE WHEN " + u + " LIKE '%.%,%' THEN REPLACE(" + u + ", '.', ' ') ELSE " + u + " END, ',', '.')"
	}
	for _, mark := range []string{" ", "'", "\u00a0", "\u202f"} {
		u = "REPLACE(" + u + ", " + literal(mark) + ", ',')"
	}
	u = "REPLACE(REPLACE(" + u + ", '(', '-'), ')', '')"
	var less []string // what stands for no value here
	var others []string
	for _, other := range q.said(w.MissingAs, column) {
		if v, err := strconv.ParseFloat(other, 64); err == nil {
			less = append(less, "x <> "+numeral(v))
		}
		others = append(others, literal(other))
	}
	missing := ""
	if others != nil {
		missing = " AND t NOT IN (" + strings.Join(others, ", ") + ")"
	}
	const passed = "t, u, "
	return inSteps([]step{
		{"t", "TRIM(CAST(" + cell + " AS CHAR(255))) AS t"},
		{"u", "t, " + u + " AS u"},
		{"h", passed + shape("LOWER(u)", "1234") + " AS p"},
		{"p", passed + shape("p", "56789") + " AS p"},
		{"g", passed + "p, REPLACE(p, ',000', '') AS g"},
		{"r", passed + "p, g, REPLACE(g, '0', '') AS r"},
		{"x", "CASE WHEN " + grammar + missing + " THEN CASE WHEN u = t AND p = g THEN CAST(" + cell + " AS FLOAT(53)) ELSE CAST(REPLACE(u, ',', '') AS FLOAT(53)) END END AS x"},
	}, "CASE WHEN "+strings.Join(append([]string{"ABS(x) <= " + farthest}, less...), " AND ")+" THEN x END", " ")
}

// shape returns an expression of the shape of a text: these digits are 0.
func shape(text, digits string) string {
	for _, digit := range digits {
		text = "REPLACE(" + text + ", '" + string(digit) + "', '0')"
	}
	return text
}

// grammar holds for a text u that writes a number. p is its shape, g that without
// marks between thousands, which are commas, and r what of it is no digit.
var grammar = func() string {
	var rests []string
	for _, sign := range []string{"", "-", "+"} {
		for _, point := range []string{"", "."} {
			for _, exponent := range []string{"", "e", "e-", "e+"} {
				rests = append(rests, "'"+sign+point+exponent+"'")
			}
		}
	}
	return "g <> r AND r IN (" + strings.Join(rests, ", ") + ")" +
		" AND (r NOT LIKE '-%' OR g LIKE '-%') AND (r NOT LIKE '+%' OR g LIKE '+%')" + // a sign stands first,
		" AND (g NOT LIKE '%e%' OR g LIKE '%0%e%0' AND g NOT LIKE '%e%0%-%' AND g NOT LIKE '%e%0%+%')" + // or behind the e
		" AND (p = g OR p NOT LIKE '%,0000%' AND p NOT LIKE '%.%,%' AND p NOT LIKE '%0000%,%' AND p NOT LIKE '%e%,%'" + // groups are of three
		" AND u NOT LIKE '0%' AND u NOT LIKE '-0%' AND u NOT LIKE '+0%')"
}()

// value returns the scaled number of a feature: 0, its mean, where x is NULL, and
// held.
func (q *query) value(f design.Feature, x string) string {
	held := "x"
	if f.Least < f.Most {
		held = "CASE WHEN x < " + numeral(f.Least) + " THEN " + numeral(f.Least) + " WHEN x > " + numeral(f.Most) + " THEN " + numeral(f.Most) + " ELSE x END"
	}
	return inSteps([]step{{"v", x + " AS x"}}, "CASE WHEN x IS NULL THEN 0e0 ELSE ("+held+" - "+numeral(f.Mean)+") / "+numeral(f.Scale)+" END", " ")
}

// place returns where x lies between knots: i + t where it is t of the way from knot
// i, from 0, to the next.
func place(knots []float64, fill float64, x string) string {
	var b strings.Builder
	b.WriteString("CASE WHEN x <= " + numeral(knots[0]) + " THEN 0e0")
	for i, knot := range knots[1:] {
		b.WriteString(" WHEN x < " + numeral(knot) + " THEN " + numeral(float64(i)) + " + (x - " + numeral(knots[i]) + ") / " + numeral(knot-knots[i]))
	}
	b.WriteString(" ELSE " + numeral(float64(len(knots)-1)) + " END")
	return inSteps([]step{{"v", "COALESCE(" + x + ", " + numeral(fill) + ") AS x"}}, b.String(), " ")
}

// level returns the number of the level that a cell is, from 1 in the order of
// features; 0 where it is missing, −1 where it is another.
func (q *query) level(features []design.Feature, cell string, of holds) string {
	column, w := features[0].Column, &q.enc.Written
	var b strings.Builder
	t := "t"
	if of != texts {
		t = cell
	}
	b.WriteString("CASE " + t)
	levels := map[string]bool{}
	for _, f := range features {
		levels[f.Level] = levels[f.Level] || f.Kind == design.FeatureLevel
	}
	byNumbers := of == texts && slices.Contains(w.Numbers, column)
	var byNumber strings.Builder
	for i, f := range features {
		if f.Kind != design.FeatureLevel || strings.ContainsRune(f.Level, 0) { // of which no database has a cell
			continue
		}
		place := " THEN " + strconv.Itoa(i+1)
		if of == numbers {
			if _, err := strconv.Atoi(f.Level); err == nil {
				b.WriteString(" WHEN " + f.Level + place)
			}
			continue
		}
		b.WriteString(" WHEN " + literal(f.Level) + place)
		if v, err := strconv.ParseFloat(f.Level, 64); err == nil && !math.IsInf(v, 0) && !math.IsNaN(v) {
			if whole := f.Level + ".0"; v == math.Trunc(v) && !levels[whole] && !strings.ContainsAny(f.Level, ".eExX_") {
				b.WriteString(" WHEN " + literal(whole) + place) // 1 in a column of fractions
			}
			byNumber.WriteString(" WHEN x = " + numeral(v) + place)
		}
	}
	if strings.HasSuffix(b.String(), "CASE "+t) {
		b.WriteString(" WHEN NULL THEN 0") // there is one that is never taken
	}
	if of != texts {
		return b.String() + " ELSE CASE WHEN " + cell + " IS NULL THEN 0 ELSE -1 END END"
	}
	present := q.said(w.Present, column)
	var tokens, others []string
	for _, token := range append([]string{""}, data.MissingTokens()...) {
		if !slices.ContainsFunc(present, func(p string) bool { return strings.EqualFold(p, token) }) {
			tokens = append(tokens, literal(token))
		}
	}
	missing := "t IS NULL OR LOWER(t) IN (" + strings.Join(tokens, ", ") + ")"
	x := ""
	for _, other := range q.said(w.MissingAs, column) {
		others = append(others, literal(other))
		if v, err := strconv.ParseFloat(other, 64); err == nil {
			missing += " OR x = " + numeral(v)
			x = "x"
		}
	}
	if others != nil {
		missing += " OR t IN (" + strings.Join(others, ", ") + ")"
	}
	rest := "CASE WHEN " + missing + " THEN 0"
	if byNumbers {
		rest += byNumber.String()
		x = "x"
	}
	holds := "TRIM(CAST(" + cell + " AS CHAR(" + strconv.Itoa(q.width(features)) + "))) AS t"
	if x != "" {
		plain := *q // without what stands for no value: that is asked for here
		encoding := *q.enc
		encoding.Written.MissingAs = nil
		plain.enc = &encoding
		holds += ", " + plain.number(column, cell, of) + " AS x"
	}
	return inSteps([]step{{"l", holds}}, b.String()+" ELSE "+rest+" ELSE -1 END END", " ")
}

// width returns how many characters of a text tell the levels apart.
func (q *query) width(features []design.Feature) int {
	longest := 255
	for _, f := range features {
		longest = max(longest, len(f.Level)+2)
	}
	return longest
}

// sums returns what the features come to: lin, s1 and r1 for a column of U and V and
// so on, and d.
func (q *query) sums() []string {
	m, k := q.m, q.m.Rank
	right := m.Right()
	at := func(x []float64, e int) []float64 {
		column := make([]float64, m.D)
		for j := range column {
			column[j] = x[j*k+e]
		}
		return column
	}
	sums := []string{q.sum(m.W) + " AS lin"}
	for e := range k {
		n := strconv.Itoa(e + 1)
		sums = append(sums, q.sum(at(m.U, e))+" AS s"+n)
		if m.Kind != fm.FM {
			sums = append(sums, q.sum(at(m.V, e))+" AS r"+n)
		}
	}
	if m.Kind != fm.GFM && k > 0 {
		diagonal := make([]float64, m.D)
		for j := range diagonal {
			for e := range k {
				diagonal[j] += float64(m.U[j*k+e] * right[j*k+e])
			}
		}
		sums = append(sums, q.squares(diagonal)+" AS d")
	}
	return sums
}

// sum returns Σ cⱼzⱼ.
func (q *query) sum(c []float64) string {
	return q.add(c, func(z string, c float64) string { return numeral(c) + " * " + z }, func(z string, i, at float64, left, right float64) string {
		return numeral(left) + " + " + numeral(right-left) + " * (" + z + " - " + numeral(at) + ")"
	})
}

// squares returns Σ cⱼzⱼ².
func (q *query) squares(c []float64) string {
	return q.add(c, func(z string, c float64) string { return numeral(c) + " * " + z + " * " + z }, func(z string, i, at float64, left, right float64) string {
		to, from := "("+numeral(at+1)+" - "+z+")", "("+z+" - "+numeral(at)+")"
		return numeral(left) + " * " + to + " * " + to + " + " + numeral(right) + " * " + from + " * " + from
	})
}

// add returns the sum over all columns of what their features come to with the
// coefficients c. value is that of a number, between that of two hats.
func (q *query) add(c []float64, value func(z string, c float64) string, between func(z string, i, at, left, right float64) string) string {
	var terms []string
	for _, g := range q.groups {
		features := q.enc.Features[g.lo:g.hi]
		z := "z." + g.z
		switch first := features[0]; {
		case first.Kind == design.FeatureValue:
			terms = append(terms, value(z, c[g.lo]))
		case first.Kind == design.FeatureKnot:
			var b strings.Builder
			last := 0
			for last+1 < len(features) && features[last+1].Kind == design.FeatureKnot {
				last++
			}
			b.WriteString("CASE")
			for i := range last {
				if i+1 < last {
					b.WriteString(" WHEN " + z + " < " + numeral(float64(i+1)) + " THEN ")
				} else if i > 0 {
					b.WriteString(" ELSE ")
				} else {
					b.WriteString(" WHEN 1 = 1 THEN ")
				}
				b.WriteString(between(z, 0, float64(i), c[g.lo+i], c[g.lo+i+1]))
			}
			terms = append(terms, b.String()+" END")
		case g.z != "":
			var b strings.Builder
			b.WriteString("CASE " + z)
			for i, f := range features {
				at := strconv.Itoa(i + 1)
				switch f.Kind {
				case design.FeatureOther:
					at = "-1"
				case design.FeatureMissing:
					at = "0"
				}
				b.WriteString(" WHEN " + at + " THEN " + numeral(c[g.lo+i]))
			}
			terms = append(terms, b.String()+" ELSE 0e0 END")
		}
		if g.m != "" {
			flag := slices.IndexFunc(features, func(f design.Feature) bool { return f.Kind == design.FeatureMissing })
			terms = append(terms, "CASE z."+g.m+" WHEN 1 THEN "+numeral(c[g.lo+flag])+" ELSE 0e0 END")
		}
	}
	return balanced(terms)
}

// total returns the prediction, of what is learnt, from the sums.
func (q *query) total() string {
	terms := []string{numeral(q.m.B), "s.lin"}
	for e := range q.m.Rank {
		n := strconv.Itoa(e + 1)
		terms = append(terms, "s.s"+n+map[bool]string{true: " * s.s", false: " * s.r"}[q.m.Kind == fm.FM]+n)
	}
	if q.m.Kind != fm.GFM && q.m.Rank > 0 {
		terms = append(terms, "(-1e0) * s.d")
	}
	return "CAST(" + numeral(q.enc.Target.Scale) + " * " + balanced(terms) + " AS FLOAT(53))"
}

// balanced returns the sum of terms, with brackets no deeper than it must have.
func balanced(terms []string) string {
	if len(terms) == 1 {
		return terms[0]
	}
	half := len(terms) / 2
	return "(" + balanced(terms[:half]) + " + " + balanced(terms[half:]) + ")"
}

// clamped returns x, held to the ends −end and end.
func clamped(x, end string) string {
	return "CASE WHEN " + x + " > " + end + " THEN " + end + " WHEN " + x + " < -" + end + " THEN -" + end + " ELSE " + x + " END"
}

// free returns a name that is none of the columns'.
func (q *query) free(name string) string {
	taken := append(q.enc.Needs(), q.enc.Target.Name)
	out := name
	for n := 2; slices.ContainsFunc(taken, func(t string) bool { return strings.EqualFold(t, out) }); n++ {
		out = name + "_" + strconv.Itoa(n)
	}
	return out
}

// quoted returns a name as an identifier.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// literal returns a text.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// numeral returns a number that reads back bit for bit, with an exponent: without one
// some databases take it for a decimal of so many places. A minus is in brackets, as
// two of them begin a comment.
func numeral(v float64) string {
	text := strconv.FormatFloat(v, 'e', -1, 64)
	if v < 0 || math.Signbit(v) {
		return "(" + text + ")"
	}
	return text
}
