package estimator

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"ifmlab/core/fault"
	"ifmlab/core/note"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/task"
)

func compareSize(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) }

// ReadTable reads a file with the separator, the header and the meaning of cells that o
// gives. A nil o guesses everything. The guesses are in the table's notices and in
// [table.Table.Profile]. Errors are those of [read.Read].
func ReadTable(name string, r io.Reader, o *Options) (*table.Table, error) {
	return task.Read(orDefault(o).Spec, name, r)
}

// ReadTest reads a file of test rows in the same way as the table of the other rows, and returns
// both as one table. [FitTable] then trains and validates on the rows of first, and tests on all
// others. Everything about columns is decided on first. Errors are those of [read.Read], and a
// [*fault.MissingColumnsError] if the file lacks columns of first.
func ReadTest(first *table.Table, name string, r io.Reader, o *Options) (*table.Table, error) {
	return task.ReadSecond(orDefault(o).Spec, first, true, name, r)
}

// ReadTable reads another file in the same way as the training file. The separator is
// guessed; if that does not find rows with the model's columns, it is that of the training
// file. Errors are those of [read.Read]. It keeps the file's bytes while it reads.
func (m *Model) ReadTable(name string, r io.Reader) (*table.Table, error) {
	file, err := io.ReadAll(r)
	if err != nil {
		return nil, &fault.ReaderError{File: name, Bytes: int64(len(file)), Err: err}
	}
	format, answers := m.saved.Encoding.FileStyle, read.AnswersOf(&m.saved.Encoding)
	s := spec.Default()
	s.Decimal, s.MissingAs, s.NotMissing, s.Dates = answers.Decimal, answers.MissingAs, answers.Present, answers.Dates
	s.Keep, s.Header = answers.DataRows, "no"
	switch {
	case format.Header:
		s.Header = "yes"
	case m.saved.ByPlace():
		s.Header = "auto"
	}
	table, err := task.Read(s, name, bytes.NewReader(file))
	if err == nil {
		_, err = m.saved.Apply(table)
	}
	var lacks *fault.MissingColumnsError
	var bad *fault.TooManyBadRowsError
	own := map[rune]string{',': "comma", ';': "semicolon", '\t': "tab", '|': "pipe", ' ': "space"}[format.Separator]
	if !errors.As(err, &lacks) && !errors.As(err, &bad) || own == "" || table != nil && table.Separator == format.Separator {
		return table, err
	}
	s.Separator = own
	second, failed := task.Read(s, name, bytes.NewReader(file))
	if failed == nil {
		_, failed = m.saved.Apply(second)
	}
	if failed != nil {
		return nil, err // its message is clearer
	}
	return second, nil
}

// Questions returns the ambiguities of a table that o leaves open: two ways to read a
// column, or several possible targets, which come last and are about no column. The key
// and the value of an answer are those of a link, as "decimal" and "price:comma", or
// "target" and the name of a column. Errors are those of [roles.NewPlan]. O(rows·columns).
func Questions(table *table.Table, o *Options) (open note.Notes, err error) {
	open = table.Notes.Questions()
	for _, p := range roles.Profiles(table) {
		open = append(open, p.Notes.Questions()...)
	}
	if own := orDefault(o); own.Target == "" {
		plan, err := task.NewPlan(own.Spec, table)
		if err != nil {
			return open, err
		}
		for _, use := range plan.Uses {
			if use.Role != roles.RoleTarget || use.Sure {
				continue
			}
			q := note.Note{Topic: note.TopicTarget, Ask: true, Text: fmt.Sprintf("which column is the target? perhaps %s, because %s", use.Column, use.Reason)}
			for i, name := range append([]string{use.Column}, use.Alternatives...) {
				q.Answers = append(q.Answers, note.Answer{Label: name, Key: "target", Value: name, Now: i == 0})
			}
			open = append(open, q)
		}
	}
	return open, nil
}

// QuestionsError says that open questions need answers before training.
type QuestionsError struct {
	File      string
	Questions note.Notes
}

func (e *QuestionsError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d questions are open", e.File, len(e.Questions))
	if len(e.Questions) == 1 {
		b.Reset()
		b.WriteString(e.File + ": a question is open")
	}
	for _, q := range e.Questions {
		b.WriteString("; ")
		for _, column := range q.Columns {
			b.WriteString(column + ": ")
		}
		b.WriteString(q.Text + ": set")
		for i, a := range q.Answers {
			if i > 0 {
				b.WriteString(" or")
			}
			fmt.Fprintf(&b, " %s=%s", a.Key, a.Value)
		}
	}
	return b.String()
}
