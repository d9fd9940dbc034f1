package main

import (
	"io"
	"regexp"
	"strconv"
	"strings"

	"ifmlab/core/roles"
	"ifmlab/core/table"
	"ifmlab/core/title"
)

// sheet collects rows of cells as text in the dialect of a file, so that what opens the file
// opens them.
type sheet struct {
	separator, point string
	like             *table.Table
	text             strings.Builder
}

func sheetLike(t *table.Table) *sheet {
	s := &sheet{",", string(t.WrittenMark()), t, strings.Builder{}}
	if strings.ContainsRune(";\t|", t.Separator) {
		s.separator = string(t.Separator)
	}
	return s
}

// add adds a row of texts, numbers and lines. NaN is an empty cell.
func (s *sheet) add(cells ...any) {
	for i, c := range cells {
		if i > 0 {
			s.text.WriteString(s.separator)
		}
		switch v := c.(type) {
		case string:
			s.text.WriteString(quoted(v))
		case real:
			number := strings.Replace(digits(float64(v)), ".", s.point, 1)
			if s.separator == s.point && strings.Contains(number, s.point) {
				number = `"` + number + `"`
			}
			s.text.WriteString(number)
		case int:
			s.text.WriteString(strconv.Itoa(v))
		}
	}
	s.text.WriteByte('\n')
}

// fileCells are the cells of some rows of a file.
type fileCells struct {
	names   []string
	numbers [][]float64
	texts   [][]string // of cells that are no numbers
}

// cellsOf returns the cells of the rows on these lines, without the parts of dates unless one
// is the target, whose column comes last.
func cellsOf(t *table.Table, lines []float64, target string) (all fileCells) {
	for _, isLast := range []bool{false, true} {
		for i, c := range t.Columns {
			if is := c.Name == target; is == isLast && (c.PartOf == "" || is) {
				numbers, texts, _ := roles.CellsOf(t, i, lines)
				all.names, all.numbers, all.texts = append(all.names, c.Name), append(all.numbers, numbers), append(all.texts, texts)
			}
		}
	}
	return all
}

// head names the columns: the line, the cells, and what is added to them. A name that the file has
// is numbered.
func (c *fileCells) head(added ...string) (head []any) {
	taken := title.UniqueNames{}
	for _, name := range c.names {
		taken.Unique(name)
	}
	head = append(head, taken.Unique("line"))
	for _, name := range c.names {
		head = append(head, name)
	}
	for _, name := range added {
		head = append(head, taken.Unique(name))
	}
	return head
}

func (c *fileCells) row(i int) (row []any) {
	for column, texts := range c.texts {
		if v := c.numbers[column][i]; v == v {
			row = append(row, real(v))
		} else {
			row = append(row, texts[i])
		}
	}
	return row
}

// write writes the rows, in UTF-8 if the charset lacks one of their characters.
func (s *sheet) write(out io.Writer) error {
	_, err := out.Write(table.EncodeLike(s.like, s.text.String()))
	return err
}

// quoted returns a text as the page writes it: quoted if needed, and with an apostrophe
// before what a spreadsheet would take for a formula, unless it is a number.
func quoted(text string) string {
	if !number.MatchString(text) {
		text = formula.ReplaceAllString(text, "$1'$2$4")
	}
	if special.MatchString(text) {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

var (
	number  = regexp.MustCompile(`^[-+]\d[\d.,]*$`)
	formula = regexp.MustCompile(`(^|[,;|\t\r\n])(?:(\s*[=+\-@\x{ff1d}\x{ff0b}\x{ff0d}\x{ff20}]))|^()([\t\r])`)
	special = regexp.MustCompile(`[",;|\t\r\n]|^\s|\s$`)
)
