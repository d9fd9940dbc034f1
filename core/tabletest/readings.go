package tabletest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/fault"
	"ifmlab/core/leaks"
	"ifmlab/core/note"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/table"
)

// Readings reads the texts of testdata/readings.txt and holds what is decided about each to
// what stands below it, where UPDATE=1 writes it. A text is read in one piece and byte by byte.
//
// A case begins with "=== " and its name. Lines of the text begin with "> ", the last with ">> "
// if it has no end, n equal ones with ">n "; they are quoted as in Go. ">numbers n" stands for
// [Numbers], and ">column" below it for one of its columns with these cells in turn.
// Each "--- read" holds what the reader answers, as JSON, and "--- plan" below it the settings of a
// plan.
func Readings(t *testing.T) {
	const name = "testdata/readings.txt"
	old := string(Must(os.ReadFile(name)))
	var all strings.Builder
	for _, want := range strings.Split(old, "=== ")[1:] {
		title, _, _ := strings.Cut(want, "\n")
		got := title + "\n" + reading(t, want)
		all.WriteString("=== " + got)
		if os.Getenv("UPDATE") == "" {
			assert.Equal(t, want, got)
		}
	}
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile(name, []byte(all.String()), 0o644))
	}
}

// reading returns a case without its title, with what is decided now.
func reading(t *testing.T, recorded string) string {
	var b strings.Builder
	var text []byte
	var o read.Options
	var tab *table.Table
	for line := range strings.Lines(recorded) {
		head, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case head == ">numbers":
			b.WriteString(line)
			text = []byte(Join(Numbers(Must(strconv.Atoi(rest)))))
		case head == ">column":
			b.WriteString(line)
			var column struct {
				At    int
				Name  string
				Cells []string
			}
			require.NoError(t, json.Unmarshal([]byte(rest), &column))
			lines := strings.Split(strings.TrimSpace(string(text)), "\n")
			text = []byte(Join(Column(lines, column.At, column.Name, func(row int) string { return column.Cells[row%len(column.Cells)] })))
		case strings.HasPrefix(head, ">"):
			b.WriteString(line)
			piece := Must(strconv.Unquote(`"` + strings.ReplaceAll(rest, `"`, `\"`) + `"`))
			if head == ">>" {
				text = append(text, piece...)
				continue
			}
			n := 1
			if head != ">" {
				n = Must(strconv.Atoi(head[1:]))
			}
			text = append(text, strings.Repeat(piece+"\n", n)...)
		case strings.HasPrefix(line, "--- read"):
			b.WriteString(line)
			o = read.Options{Name: "tec.csv"}
			if answers := strings.TrimPrefix(rest, "read"); answers != "" {
				require.NoError(t, json.Unmarshal([]byte(answers), &o))
			}
			one, errOfOne := read.Read(iotest.OneByteReader(bytes.NewReader(text)), o)
			var err error
			if tab, err = read.Read(bytes.NewReader(text), o); err != nil {
				require.EqualError(t, errOfOne, err.Error())
				writeFailure(&b, err)
				continue
			}
			require.Equal(t, Dump(tab), Dump(one))
			WriteTable(&b, tab)
			writeRows(&b, tab)
		case strings.HasPrefix(line, "--- plan"):
			b.WriteString(line)
			var s roles.Settings
			require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(rest, "plan")), &s))
			plan, err := roles.NewPlan(tab, s)
			if err != nil {
				writeFailure(&b, err)
				continue
			}
			writeUses(&b, plan)
			WriteDesign(&b, plan)
		}
	}
	return b.String()
}

// WriteTable writes what the reader decides about a table.
func WriteTable(b *strings.Builder, t *table.Table) {
	fmt.Fprintf(b, "%s %s separator %q header %v, %d rows, %d bad, %d questions\n", t.Format, t.Charset, t.Separator, t.Header, t.Rows, t.BadCount, t.Questions())
	for _, bad := range t.Bad {
		fmt.Fprintln(b, "bad:", bad.Problem, bad.Error())
	}
	writeNotes(b, t.Notes)
	for i, p := range roles.Profiles(t) {
		fmt.Fprintf(b, "column %q: %s %s sure=%v (%s) %q missing=%d unreadable=%d distinct=%d %v mean=%.6g sd=%.6g min=%.6g max=%.6g unit=%q levels=%q parts=%q\n",
			p.Name, p.Kind, p.Guess, p.Sure, p.Reason, p.Alternatives, p.Missing, p.Unreadable, p.Distinct, p.DistinctExact, p.Mean, p.SD, p.Min, p.Max, p.Unit, p.Levels, p.Parts)
		writeNotes(b, p.Notes)
		cells := sha256.New()
		for row := range t.Rows {
			if p.Kind != design.Sparse {
				fmt.Fprintf(cells, "%q %v,", t.Text(i, row), t.IsMissing(i, row))
				binary.Write(cells, binary.LittleEndian, math.Float64bits(t.Number(i, row)+0))
			}
		}
		fmt.Fprintf(b, "\tcells %x\n", cells.Sum(nil)[:6])
	}
}

// WriteDesign writes what a plan decides and the features that come of it.
func WriteDesign(b *strings.Builder, plan *roles.Plan) {
	leaks.Find(plan)
	var suggested []string
	for _, s := range plan.Suggested {
		suggested = append(suggested, fmt.Sprintf("{%s %s %s}", s.Topic, s.Columns[0], s.Text))
	}
	fmt.Fprintf(b, "target %q, roles %v, kinds %v, %d rows used, suggested %v\n", plan.Target, plan.Roles, plan.Kinds, len(plan.Rows), suggested)
	writeNotes(b, plan.Notes)
	set, err := encode.Dataset(plan, Stream(1))
	if err != nil {
		fmt.Fprintln(b, "design:", err)
		return
	}
	writeNotes(b, set.Notes)
	for _, f := range set.Encoding.Features {
		fmt.Fprintf(b, "feature %q of %q: %s %q mean=%.6g scale=%.6g knot=%.6g ends %.6g to %.6g\n", f.Name, f.Column, f.Kind, f.Level, f.Mean, f.Scale, f.Knot, f.Least, f.Most)
	}
}

func writeNotes(b *strings.Builder, notes note.Notes) {
	for _, n := range notes {
		fmt.Fprintf(b, "\t%s %q %d cells, ask=%v: %s %+v\n", n.Topic, n.Columns, n.Cells, n.Ask, n.Text, n.Answers)
	}
}

// writeRows writes the lines and cells of a short table.
func writeRows(b *strings.Builder, t *table.Table) {
	for _, n := range t.UnusedSettings {
		fmt.Fprintf(b, "unused setting: %s\n", n.Text)
	}
	for row := range t.Rows {
		if t.Rows > 12 && row > 0 && row < t.Rows-1 {
			continue
		}
		fmt.Fprintf(b, "line %d:", t.Line(row))
		for i, c := range t.Columns {
			if c.Block == nil {
				fmt.Fprintf(b, " %q=%v", t.Text(i, row), t.Number(i, row))
			}
		}
		b.WriteByte('\n')
	}
}

// writeUses writes why a plan uses a column and leaves out a row, its classes and its split.
func writeUses(b *strings.Builder, p *roles.Plan) {
	for _, use := range p.Uses {
		fmt.Fprintf(b, "use %q: %s %s sure=%v (%s) %q\n", use.Column, use.Role, use.Kind, use.Sure, use.Reason, use.Alternatives)
	}
	for _, d := range p.Dropped {
		fmt.Fprintln(b, "dropped:", d.Problem, d.Error())
	}
	if set, err := encode.Dataset(p, Stream(1)); err == nil {
		e := &set.Encoding.Target
		fmt.Fprintf(b, "target of %s: logistic=%v mean=%.6g scale=%.6g levels=%q\n", e.Quantity(), e.Logistic, e.Mean, e.Scale, e.Levels)
	}
	s := p.Split(Stream(1))
	parts := sha256.Sum256(fmt.Append(nil, s.Train, s.Valid, s.Test, p.Targets(s.Train)))
	fmt.Fprintf(b, "classes %q, %d of many levels, split %v: %d %d %d rows %x\n", p.Classes(), p.ManyLevels(), p.SplitRule, len(s.Train), len(s.Valid), len(s.Test),
		parts[:6])
}

// writeFailure writes an error and what tells it apart.
func writeFailure(b *strings.Builder, err error) {
	if e, is := errors.AsType[*fault.FileError](err); is {
		fmt.Fprintf(b, "%s at %d:%d, field %q, found %q: ", e.Problem, e.Line, e.Column, e.Field, e.Found)
	} else if e, is := errors.AsType[*fault.PlanError](err); is {
		fmt.Fprintf(b, "%s, field %q, found %q: ", e.Problem, e.Field, e.Found)
	}
	fmt.Fprintf(b, "%T %v\n", err, err)
}

// Edits holds what is said of edits of a text to testdata/name, where UPDATE=1 writes it. A case
// begins with "=== " and its name. A line "- " has a part of the text, quoted as in Go, and "+ "
// below it what stands there instead, if anything; without "- " it is all of the text.
func Edits(t *testing.T, name, text string, says func(t *testing.T, text string) string) {
	name = "testdata/" + name
	var all strings.Builder
	for _, want := range strings.Split(string(Must(os.ReadFile(name))), "=== ")[1:] {
		var got strings.Builder
		edited, old := text, text
		title, rest, _ := strings.Cut(want, "\n")
		got.WriteString(title + "\n")
		for line := range strings.Lines(rest) {
			head, quoted, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if head != "-" && head != "+" {
				continue
			}
			got.WriteString(line)
			part := Must(strconv.Unquote(quoted))
			if head == "-" {
				require.Contains(t, edited, part, title)
				old = part
				continue
			}
			edited = strings.Replace(edited, old, part, 1)
		}
		for line := range strings.Lines(says(t, edited)) {
			got.WriteString("\t" + strings.TrimSuffix(line, "\n") + "\n")
		}
		all.WriteString("=== " + got.String())
		if os.Getenv("UPDATE") == "" {
			assert.Equal(t, want, got.String())
		}
	}
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile(name, []byte(all.String()), 0o644))
	}
}
