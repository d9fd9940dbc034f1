package roles

import (
	"cmp"
	"slices"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/order"
	"ifmlab/core/table"
)

// operators are those of rules, and how sentences write them.
var operators = [...]struct{ written, sign string }{{"=", "="}, {"!=", "≠"}, {"<", "<"}, {"<=", "≤"}, {">", ">"}, {">=", "≥"}}

// rule is a condition on a column. Rows that do not meet it are left out.
type rule struct {
	text     string // "column:operator:value", as the settings have it
	column   *table.Column
	operator string
	value    string // "": a missing cell
	sentence string // such as "price > 0"
}

// setRules finds the rows that the rules of the settings leave out, and notes how many each
// one does, beside those of the rules before it, if it does any. It returns a [*fault.PlanError] for a rule
// that cannot be used, and for rules that leave fewer than [MinRows] rows. O(rows·rules).
func (p *Plan) setRules() error {
	t, left, sentences := p.Table, p.Table.Rows, []string(nil)
	for _, text := range p.Settings.Rows {
		r, err := p.parseRule(text)
		if err != nil {
			return err
		}
		compare, err := r.comparison(t.Name)
		if err != nil {
			return err
		}
		if p.leftOut == nil {
			p.leftOut = make([]bool, t.Rows)
		}
		out := 0
		for row := range p.leftOut {
			if !p.leftOut[row] && !r.holds(compare(row)) {
				p.leftOut[row] = true
				out++
			}
		}
		left -= out
		sentences = append(sentences, r.sentence)
		if out == 0 {
			continue
		}
		p.Notes = append(p.Notes, note.Note{Topic: note.TopicSplit, Columns: []string{r.column.Name}, Cells: out, Text: message.Sprintf("%s left out by the rule %s", rowsAre(out), r.sentence)})
	}
	if left >= min(MinRows, t.Rows) {
		return nil
	}
	return ruleError(t.Name, strings.Join(p.Settings.Rows, ";"), message.Sprintf("%d of %d rows meet the rule %s, but training, validation and test need at least %d; change or remove a rule", left, t.Rows, strings.Join(sentences, " and "), MinRows))
}

// parseRule parses a rule. Names and values may hold colons: the column is the longest name
// of one that an operator follows.
func (p *Plan) parseRule(text string) (*rule, error) {
	r, name := &rule{text: text}, ""
	for at := range text {
		for _, o := range operators {
			value, is := strings.CutPrefix(text[at:], ":"+o.written+":")
			i := slices.IndexFunc(p.Table.Columns, func(c *table.Column) bool { return c.Name == text[:at] })
			if !is || i < 0 && r.operator != "" {
				continue
			}
			name, r.operator, r.value = text[:at], o.written, strings.TrimSpace(value)
			if r.sentence = name + " " + o.sign + " " + cell.Clip(r.value); r.value == "" {
				r.sentence = name + message.Either(o.written == "=", " is missing", " is not missing")
			}
			if i >= 0 {
				r.column = p.Table.Columns[i]
			}
		}
	}
	switch quoted := cell.Quote(text); {
	case r.operator == "":
		return nil, ruleError(p.Table.Name, text, message.Sprintf("the rule %s has none of the operators = != < <= > >= between two colons; write it as in price:>:0", quoted))
	case r.column == nil:
		return nil, ruleError(p.Table.Name, text, message.Sprintf("the rule %s names a column %s, which is not in the table; its columns are %s; correct the name or remove the rule", quoted, cell.Quote(name), cell.List(byPrefix(name, p.Table.Names()))))
	case r.column.Block != nil:
		return nil, ruleError(p.Table.Name, text, message.Sprintf("the rule %s names %s, which stands for many features; name another column or remove the rule", quoted, name))
	}
	return r, nil
}

// byPrefix returns names by the length of the beginning that they share with a name.
func byPrefix(name string, names []string) []string {
	shared := func(other string) (n int) {
		for n < min(len(name), len(other)) && name[n]|0x20 == other[n]|0x20 {
			n++
		}
		return n
	}
	order.Sort(names, func(a, b string) int { return cmp.Compare(shared(b), shared(a)) })
	return names
}

// incomparable is the result for a cell that is neither below, nor equal to, nor above a value.
const incomparable = 2

// comparison returns a function that compares the cell of a row with the value: as numbers or
// dates if the column holds them, else as texts. Codes such as 01234 are equal as texts.
func (r *rule) comparison(file string) (func(row int) int, error) {
	c := r.column
	isEquality := r.operator == "=" || r.operator == "!="
	equal := func(is bool) int {
		if is {
			return 0
		}
		return incomparable
	}
	if r.value == "" && isEquality {
		return func(row int) int { return equal(c.IsMissing(row)) }, nil
	}
	v, nanos := c.MomentOf(r.value)
	isOrdered := c.Layout != "" || c.NumberCount > 0 && cell.Mostly(c.NumberCount, c.NumberCount+c.TextCount)
	switch {
	case isOrdered && v == v && !(isEquality && c.IsCode):
		return func(row int) int {
			at, n := c.Moment(row)
			if at != at {
				return incomparable
			}
			return cmp.Or(cmp.Compare(at, v), cmp.Compare(n, nanos))
		}, nil
	case isEquality:
		return func(row int) int { return equal(c.Text(row) == r.value) }, nil
	case isOrdered:
		return nil, ruleError(file, r.text, message.Sprintf("the rule %s compares %s with %s, expected %s; correct the value", cell.Quote(r.text), c.Name, cell.Quote(r.value), message.Either(c.Layout != "", "a date such as 2024-03-31", "a number")))
	}
	return nil, ruleError(file, r.text, message.Sprintf("the rule %s compares %s by %s, but it holds texts such as %s; use = or !=", cell.Quote(r.text), c.Name, r.operator, cell.Quote(c.FirstText())))
}

// holds reports whether a row meets the rule if its cell compares so with the value.
func (r *rule) holds(compared int) bool {
	switch r.operator {
	case "=":
		return compared == 0
	case "!=":
		return compared != 0
	case "<":
		return compared == -1
	case "<=":
		return compared == -1 || compared == 0
	case ">":
		return compared == 1
	}
	return compared == 0 || compared == 1
}

func ruleError(file, found, text string) *fault.PlanError {
	return &fault.PlanError{Problem: fault.Rule, File: file, Found: found, Message: text}
}

// EntryOrder returns the entries of a dictionary in the order in which they first stand in
// rows that no rule leaves out. Sums over them are then those of a file without the others,
// bit for bit.
func (p *Plan) EntryOrder(c *table.Column) []int32 {
	codes := make([]int32, 0, len(c.Entries))
	if p.leftOut == nil {
		for code := range c.Entries {
			codes = append(codes, int32(code))
		}
		return codes
	}
	seen := make([]bool, len(c.Entries))
	for row, out := range p.leftOut {
		if code := c.Codes.At(row); !out && code != table.MissingCode && !seen[code] {
			seen[code] = true
			codes = append(codes, code)
		}
	}
	return codes
}
