package script

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/message"
)

// NameError reports a name that no database can hold.
type NameError struct{ Name string }

func (e *NameError) Error() string {
	return message.Sprintf("SQL: the name %q has a character that databases reject; rename the column and train again", e.Name)
}

func (*NameError) Kind() string { return "NameError" }

// SparseError reports a model of a sparse file, whose features are no columns of a table.
type SparseError struct{ Form, Column string }

func (e *SparseError) Error() string {
	return message.Sprintf("%s: %s has many features of a LIBSVM file, and a table has no column for each; predict here or with ifm predict", e.Form, e.Column)
}

func (*SparseError) Kind() string { return "SparseError" }

// largest is the largest number that can be squared. Larger ones count as missing.
const largest = "1e150"

// SQL returns one SELECT over a table with the columns that the model needs. It gives
// all columns of the table and "prediction", or for two classes "probability", that of
// the second, and "class". For more classes it gives the score of each, its probability as
// "P(name)", and "class".
//
// The table has types: a number is of a numeric type, a date is a DATE or TIMESTAMP, in
// SQLite a text such as 2024-05-31 13:45:00. A level may be a text, a number, a BOOLEAN,
// a date or a time. NULL is missing. The comment above the query lists the columns by
// their types. A text where a number or a date is wanted is refused by databases with
// types; where it is not, as in SQLite, its row is predicted to be NULL.
//
// It is standard SQL for SQLite, PostgreSQL and DuckDB, and for MySQL in the modes
// ANSI_QUOTES and NO_BACKSLASH_ESCAPES. EXP is the only function besides those of texts.
// The query is built in steps, dates, then cells, then features z, then the sums of
//
//	f(z) = b + Σ wⱼzⱼ + Σ_e (Σ uⱼₑzⱼ)(Σ vⱼₑzⱼ) − Σ ⟨uⱼ, vⱼ⟩ zⱼ²        (the last not for gFM)
//
// so that its length is O(d·k). LIMIT 1 keeps a database from copying a step into each
// place that names it. Sums are balanced trees, because SQLite nests no deeper than 1000.
// SQL returns a [*NameError] for a name with a NUL, a [*SparseError], and a
// [*fm.FileError] as [fm.Model.Write] does.
func SQL(m *fm.Model, enc design.Encoding, table string) (string, error) {
	if err := m.Fits(enc); err != nil {
		return "", err
	}
	for _, name := range slices.Concat(enc.Columns(), enc.Needs(), []string{table}) {
		if strings.ContainsRune(name, 0) {
			return "", &NameError{name}
		}
	}
	// Only the numbers of columns are scaled in the query: the others are in [0, 1].
	features := slices.Clone(enc.Features)
	if i := slices.IndexFunc(features, func(f design.Feature) bool { return f.Kind == design.FeatureEntry }); i >= 0 {
		return "", &SparseError{"SQL", features[i].Column}
	}
	for j := range features {
		if features[j].Kind == design.FeatureValue {
			features[j].Mean, features[j].Scale = 0, 1
		}
	}
	var q *query
	var steps []step
	var scores []string // of more than two classes
	for _, of := range m.Scores() {
		q, steps = &query{m: of.Unscaled(features), enc: &enc}, nil
		q.columns()
		if q.dated != nil {
			steps = append(steps, step{"dates", strings.Join(q.dated, ",\n")})
		}
		steps = append(steps, step{"x", strings.Join(q.cells, ",\n")}, step{"z", strings.Join(q.places, ",\n")}, step{"s", strings.Join(q.sums(), ",\n")}, step{"f", q.total() + " AS y"})
		scores = append(scores, inSteps(steps, "y", "\n"))
	}
	prediction := "y"
	t := enc.Target
	if t.Scores() > 1 {
		prediction = ""
	} else if t.Logistic {
		steps = append(steps, step{"e", "y, EXP(CASE WHEN ABS(y) > 7e2 THEN -7e2 ELSE -ABS(y) END) AS e"})
		prediction = "CASE WHEN y < 0 THEN e ELSE 1e0 END / (1e0 + e)"
	} else if t.Log != design.LogNone {
		e := "EXP(" + clamped("y", "(-7e2)", "7e2") + ")"
		if t.Log == design.LogShifted { // EXP(y) − 1 has few digits near 0
			e = "CASE WHEN ABS(y) < 1e-5 THEN y + y * y / 2e0 + y * y * y / 6e0 ELSE " + e + " - 1e0 END"
		}
		steps = append(steps, step{"e", e + " AS e"})
		prediction = clamped("e", numeral(t.Least), numeral(t.Most))
	}
	var b strings.Builder
	b.WriteString("-- Predicts " + tame(enc.Target.Name) + " for every row of a table.\n")
	b.WriteString("-- Name your table in the last line. It needs these columns, with NULL for a missing cell.\n")
	for _, c := range []struct{ types, columns string }{
		{"Numeric type", strings.Join(q.numeric, ", ")},
		{"DATE or TIMESTAMP, in SQLite texts as 2024-05-31 13:45:00", strings.Join(q.dates, ", ")},
		{"Any type, with the values of the training table", strings.Join(q.named, ", ")},
	} {
		if c.columns != "" {
			b.WriteString("-- " + c.types + ": " + tame(c.columns) + ".\n")
		}
	}
	b.WriteString("-- For SQLite, PostgreSQL, DuckDB, and MySQL with SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'.\n")
	b.WriteString("-- A row with a text in place of a number or a date has no prediction: in SQLite, declare the column NUMERIC before you import.\n")
	if m.Interval != nil {
		b.WriteString("-- The model's prediction intervals are not part of it.\n")
	}
	if t.Span != nil {
		low, high := t.Beyond()
		b.WriteString("-- The model has learned from values of " + cell.FormatNumber(t.Span[0]) + " to " + cell.FormatNumber(t.Span[1]) + ". Do not rely on a prediction below " + cell.FormatNumber(low) + " or above " + cell.FormatNumber(high) + ", which is far beyond them.\n")
	}
	rows := inSteps(steps, prediction, "\n") + " AS "
	if t.Scores() > 1 {
		rows = q.softmax(scores, table)
	} else if t.Logistic {
		p := quoted(q.free("probability"))
		rows = "SELECT predicted.*, CASE WHEN " + p + " >= 5e-1 THEN " + literal(t.Levels[1]) + " WHEN " + p + " < 5e-1 THEN " + literal(t.Levels[0]) + " END AS " + quoted(q.free("class")) +
			"\nFROM (SELECT source.*, " + rows + p + "\nFROM " + quoted(table) + " AS source) AS predicted"
	} else {
		rows = "SELECT source.*, " + rows + quoted(q.free("prediction")) + "\nFROM " + quoted(table) + " AS source"
	}
	b.WriteString(rows + ";\n")
	return b.String(), nil
}

// softmax returns a SELECT of the probabilities of classes and of the likeliest, the first of
// equal ones, from subqueries of their scores.
func (q *query) softmax(scores []string, table string) string {
	levels, names, inner := q.enc.Target.Levels, make([]string, len(scores)), make([]string, len(scores))
	for c, score := range scores {
		names[c] = quoted(q.free("score of " + levels[c]))
		inner[c] = score + " AS " + names[c]
	}
	outer, class := make([]string, len(scores)), ""
	terms, wins := make([]string, len(scores)), make([]string, len(scores))
	for c, own := range names {
		for e, other := range names {
			terms[e] = "EXP(" + clamped("("+other+" - "+own+")", "(-7e2)", "7e2") + ")"
			wins[e] = own + " >= " + other
		}
		outer[c] = message.Sprintf("1e0 / %s AS %s", balanced(terms), quoted(q.free("P("+levels[c]+")")))
		class += message.Sprintf(" WHEN %s THEN %s", strings.Join(wins, " AND "), literal(levels[c]))
	}
	return message.Sprintf("SELECT scored.*, %s, CASE%s END AS %s\nFROM (SELECT source.*, %s\nFROM %s AS source) AS scored",
		strings.Join(outer, ",\n"), class, quoted(q.free("class")), strings.Join(inner, ",\n"), quoted(table))
}

// step is a step of a query: a name, and expressions over the step before.
type step struct{ name, expressions string }

// inSteps returns a scalar subquery: the expression last over the last step.
func inSteps(steps []step, last, between string) string {
	var b strings.Builder
	from := ""
	for i, s := range steps {
		b.WriteString(map[bool]string{true: "(WITH ", false: "," + between}[i == 0])
		b.WriteString(s.name + " AS (SELECT " + s.expressions + from + " LIMIT 1)")
		from = " FROM " + s.name
	}
	return b.String() + between + "SELECT " + last + from + ")"
}

// tame makes a text safe in a comment.
func tame(text string) string {
	text = strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) { // control characters, line ends, and marks that reorder letters
			return ' '
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > 500 {
		text = string(runes[:500]) + "…"
	}
	return text
}

// query is a SELECT that is being written.
type query struct {
	m      *fm.Model
	enc    *design.Encoding
	dated  []string // step dates: d1 is the first date column
	cells  []string // step x: x1 is the cell of the first column, m1 whether it is missing
	places []string // step z: z1 is a scaled number, the place between knots or the number of a level
	texts  []string // terms that count the texts in place of numbers and dates
	groups []group

	dateColumns           []string
	numeric, dates, named []string // columns of the table, by their types
}

// group is the features of one column of the table.
type group struct {
	lo, hi int // features
	z, m   string
}

func (q *query) columns() {
	for _, g := range q.enc.Groups() {
		q.column(g.Lo, g.Hi)
	}
	if q.texts != nil {
		q.cells = append(q.cells, "CASE WHEN "+balanced(q.texts)+" = 0 THEN 0e0 END AS zero")
		q.places = append(q.places, "x.zero AS zero")
	}
}

// refuse leaves rows without a prediction where a condition holds for a cell of a column
// that is not missing.
func (q *query) refuse(column, condition string, types columnTypes) {
	text := "TRIM(CAST(source." + quoted(column) + " AS CHAR(255)))"
	q.texts = append(q.texts, "CASE WHEN "+condition+" AND NOT ("+text+" IS NULL"+q.missing(column, text, types)+") THEN 1 ELSE 0 END")
}

// refuseTexts leaves rows without a prediction that have a text in a column of numbers. In
// SQLite every text is above every number.
func (q *query) refuseTexts(column string) {
	q.refuse(column, "+source."+quoted(column)+" > 1e308", columnTypes{point: '.'})
}

// column adds the features of a column to the query.
func (q *query) column(lo, hi int) {
	g, n := group{lo: lo, hi: hi}, strconv.Itoa(len(q.groups)+1)
	features := q.enc.Features[lo:hi]
	first := features[0]
	cell, part := q.part(first.Column)
	number := "CAST(" + cell + " AS FLOAT(53))"
	switch part {
	case "":
		cell = "source." + quoted(first.Column)
		number = q.number(first.Column, cell)
	case "weekday":
		number = "NULL"
	}
	flag, named := false, false
	var knots []float64
	for _, f := range features {
		flag = flag || f.Kind == design.FeatureMissing
		named = named || f.Kind == design.FeatureLevel || f.Kind == design.FeatureOther
		if f.Kind == design.FeatureKnot {
			knots = append(knots, f.Knot)
		}
	}
	x := "x.x" + n
	place := ""
	types := &q.numeric
	switch {
	case named && (part != "" && part != "weekday" || q.hasNumbers(features)):
		cell = number
		place = level(features, x, "", func(level string) []string {
			v, _ := strconv.ParseFloat(level, 64)
			return []string{numeral(v)}
		})
	case named:
		types = &q.named
		of := typesOf(q.enc, features)
		cell = "TRIM(CAST(" + cell + " AS CHAR(" + strconv.Itoa(width(features)) + ")))"
		place = level(features, x, q.missing(first.Column, x, of), func(level string) []string { return literals(of.spellings(level)) })
	case first.Kind == design.FeatureValue:
		cell = "COALESCE(" + number + ", " + numeral(first.Mean) + ")"
		place = value(first, x)
	case knots != nil:
		cell = "COALESCE(" + number + ", " + numeral(first.Fill) + ")"
		place = hat(knots, x)
	}
	if place != "" {
		g.z = "z" + n
		q.cells = append(q.cells, cell+" AS x"+n)
		q.places = append(q.places, place+" AS "+g.z)
	}
	if flag && !named {
		g.m = "m" + n
		q.cells = append(q.cells, "CASE WHEN "+number+" IS NULL THEN 1 ELSE 0 END AS "+g.m)
		q.places = append(q.places, "x."+g.m+" AS "+g.m)
	}
	if part == "" {
		*types = append(*types, first.Column)
		if types == &q.numeric {
			q.refuseTexts(first.Column)
		}
	}
	q.groups = append(q.groups, g)
}

// part returns the part of a date that a column is, and its name, "" for another column.
func (q *query) part(column string) (value, part string) {
	for _, answer := range q.enc.FileStyle.Dates {
		at := strings.LastIndexByte(answer, ':')
		if at < 0 {
			continue
		}
		name, order := answer[:at], answer[at+1:]
		part, is := strings.CutPrefix(strings.TrimSuffix(column, ")"), name+" (")
		if !is || datePart("", part) == "" {
			continue
		}
		at = slices.Index(q.dateColumns, name)
		if at < 0 {
			at = len(q.dateColumns)
			q.dateColumns = append(q.dateColumns, name)
			q.dated = append(q.dated, q.dateColumn(name, order)+" AS d"+strconv.Itoa(at+1))
			if order == "epoch" {
				q.numeric = append(q.numeric, name)
				q.refuseTexts(name)
			} else {
				q.dates = append(q.dates, name)
				q.refuse(name, dateStep(at)+" IS NULL", columnTypes{'.', cell.Layout(order)})
			}
		}
		return datePart(dateStep(at), part), part
	}
	return "", ""
}

// dateStep names a date of the step dates, counted from 0.
func dateStep(at int) string { return "dates.d" + strconv.Itoa(at+1) }

// answers returns the answers about a column in a list of "column:answer". Where names
// hold colons, the longest that fits counts.
func (q *query) answers(pairs []string, column string) (answers []string) {
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

// number returns the number in a cell, NULL for none. The plus makes a database with
// types refuse a column of texts, and keeps SQLite from comparing texts.
func (q *query) number(column, cell string) string {
	is := "+" + cell + " BETWEEN (-" + largest + ") AND " + largest
	for _, missing := range q.answers(q.enc.FileStyle.MissingAs, column) {
		if v, err := strconv.ParseFloat(missing, 64); err == nil {
			is += " AND +" + cell + " <> " + numeral(v)
		}
	}
	return "CASE WHEN " + is + " THEN CAST(" + cell + " AS FLOAT(53)) END"
}

// missing returns a condition, after OR, for texts that stand for a missing cell.
func (q *query) missing(column, x string, types columnTypes) string {
	present := q.answers(q.enc.FileStyle.Present, column)
	tokens := slices.DeleteFunc(append([]string{""}, cell.MissingTokens()...), func(token string) bool {
		return slices.ContainsFunc(present, func(p string) bool { return strings.EqualFold(p, token) })
	})
	condition := " OR LOWER(" + x + ") IN (" + list(tokens) + ")"
	for _, text := range q.answers(q.enc.FileStyle.MissingAs, column) {
		condition += " OR " + x + " IN (" + list(types.spellings(text)) + ")"
	}
	return condition
}

// hasNumbers reports whether the levels of a column are numbers, so that 1.50 is 1.5.
func (q *query) hasNumbers(features []design.Feature) bool {
	return slices.Contains(q.enc.FileStyle.Numbers, features[0].Column) && !slices.ContainsFunc(features, func(f design.Feature) bool {
		_, err := strconv.ParseFloat(f.Level, 64)
		return f.Kind == design.FeatureLevel && err != nil
	})
}

// value returns the scaled number of a feature.
func value(f design.Feature, x string) string {
	held := x
	if f.Least < f.Most {
		held = clamped(x, numeral(f.Least), numeral(f.Most))
	}
	return "(" + held + " - " + numeral(f.Mean) + ") / " + numeral(f.Scale)
}

// hat returns where x lies between knots: i + t if it is t of the way from knot i, from
// 0, to the next.
func hat(knots []float64, x string) string {
	var b strings.Builder
	b.WriteString("CASE WHEN " + x + " <= " + numeral(knots[0]) + " THEN 0e0")
	for i, knot := range knots[1:] {
		b.WriteString(" WHEN " + x + " < " + numeral(knot) + " THEN " + numeral(float64(i)) + " + (" + x + " - " + numeral(knots[i]) + ") / " + numeral(knot-knots[i]))
	}
	return b.String() + " ELSE " + numeral(float64(len(knots)-1)) + " END"
}

// level returns the number of the level x, from 1 in the order of features: 0 for a
// missing one, −1 for another. write returns what x may be for a level.
func level(features []design.Feature, x, missing string, write func(level string) []string) string {
	taken := map[string]bool{}
	for _, f := range features {
		if f.Kind == design.FeatureLevel {
			taken[write(f.Level)[0]] = true
		}
	}
	whens := " WHEN NULL THEN 0" // CASE needs one
	for i, f := range features {
		if f.Kind != design.FeatureLevel || strings.ContainsRune(f.Level, 0) { // which no database can hold
			continue
		}
		for j, text := range write(f.Level) {
			if j == 0 || !taken[text] {
				taken[text] = true
				whens += " WHEN " + text + " THEN " + strconv.Itoa(i+1)
			}
		}
	}
	return "CASE " + x + whens + " ELSE CASE WHEN " + x + " IS NULL" + missing + " THEN 0 ELSE -1 END END"
}

// width returns how many characters tell the levels of a column apart.
func width(features []design.Feature) int {
	longest := 255
	for _, f := range features {
		longest = max(longest, len(f.Level)+2)
	}
	return longest
}

// sums returns the sums of the step s: lin = Σ wⱼzⱼ, s1 and r1 for the first columns of
// U and V, and d for the diagonal.
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
	if q.texts != nil {
		sums[0] = q.sum(m.W) + " + z.zero AS lin"
	}
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
	return q.add(c, func(z string, c float64) string {
		return numeral(c) + " * " + z
	}, func(z string, i int, left, right float64) string {
		return numeral(left) + " + " + numeral(right-left) + " * (" + z + " - " + numeral(float64(i)) + ")"
	})
}

// squares returns Σ cⱼzⱼ².
func (q *query) squares(c []float64) string {
	return q.add(c, func(z string, c float64) string {
		return numeral(c) + " * " + z + " * " + z
	}, func(z string, i int, left, right float64) string {
		to, from := "("+numeral(float64(i+1))+" - "+z+")", "("+z+" - "+numeral(float64(i))+")"
		return numeral(left) + " * " + to + " * " + to + " + " + numeral(right) + " * " + from + " * " + from
	})
}

// add returns a sum over all columns with the coefficients c of their features. value
// writes the term of a number, between that of a number between the knots i and i + 1.
func (q *query) add(c []float64, value func(z string, c float64) string, between func(z string, i int, left, right float64) string) string {
	var terms []string
	for _, g := range q.groups {
		z, base, term := "z."+g.z, "", ""
		for j := g.lo; j < g.hi; j++ {
			switch f := q.enc.Features[j]; {
			case f.Kind == design.FeatureValue:
				terms = append(terms, value(z, c[j]))
			case f.Kind == design.FeatureKnot && j+1 < g.hi && q.enc.Features[j+1].Kind == design.FeatureKnot:
				term += " WHEN " + z + " <= " + numeral(float64(j+1-g.lo)) + " THEN " + between(z, j-g.lo, c[j], c[j+1])
			case f.Kind == design.FeatureMissing && g.m != "":
				terms = append(terms, numeral(c[j])+" * z."+g.m)
			case f.Kind == design.FeatureMissing:
				base = " " + z
				term += " WHEN 0 THEN " + numeral(c[j])
			case f.Kind == design.FeatureOther:
				base = " " + z
				term += " WHEN -1 THEN " + numeral(c[j])
			case f.Kind == design.FeatureLevel:
				base = " " + z
				term += " WHEN " + strconv.Itoa(j+1-g.lo) + " THEN " + numeral(c[j])
			}
		}
		if term != "" {
			terms = append(terms, "CASE"+base+term+" ELSE 0e0 END")
		}
	}
	return balanced(terms)
}

// total returns the prediction of the model from the sums.
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

// balanced returns the sum of terms, with brackets as shallow as possible.
func balanced(terms []string) string {
	if len(terms) == 1 {
		return terms[0]
	}
	half := len(terms) / 2
	return "(" + balanced(terms[:half]) + " + " + balanced(terms[half:]) + ")"
}

// clamped returns x, held between two numbers.
func clamped(x, least, most string) string {
	return "CASE WHEN " + x + " < " + least + " THEN " + least + " WHEN " + x + " > " + most + " THEN " + most + " ELSE " + x + " END"
}

// free returns a name that no column has.
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

// literals returns texts as a database writes them.
func literals(texts []string) (all []string) {
	for _, text := range texts {
		all = append(all, literal(text))
	}
	return all
}

// list returns texts with commas between them.
func list(texts []string) string { return strings.Join(literals(texts), ", ") }

// numeral writes a number that reads back bit for bit. It has an exponent, because some
// databases take 0.1 for a decimal. A minus is in brackets, because -- begins a comment.
func numeral(v float64) string {
	text := strconv.FormatFloat(v, 'e', -1, 64)
	if math.Signbit(v) {
		return "(" + text + ")"
	}
	return text
}
