package task

import (
	"io"
	"slices"

	"ifmlab/core/csv"
	"ifmlab/core/read"
	"ifmlab/core/spec"
	"ifmlab/core/table"
)

// ReadSecond reads a file as s and the table first say, and joins the two. If test is set, its
// rows are the test rows. Errors are those of [read.Read] and [table.Join].
func ReadSecond(s spec.Spec, first *table.Table, test bool, name string, r io.Reader) (*table.Table, error) {
	answers, header := read.AnswersLike(first), csv.HeaderNo
	answers.DataRows = slices.Concat(answers.DataRows, s.Keep)
	if first.Header {
		header = csv.HeaderYes
	}
	second, err := read.Read(r, read.Options{Name: name, Separator: separators[s.Separator], Header: header, Charset: charsets[s.Charset], Answers: answers})
	if err != nil {
		return nil, err
	}
	return table.Join(first, second, test)
}
