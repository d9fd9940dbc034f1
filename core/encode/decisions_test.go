package encode_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/leaks"
	"ifmlab/core/note"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

// decisions returns what is decided about a file, to be read by people, and the
// counts of rows and columns.
func decisions(file []byte, name string) (text string, rows, columns int) {
	var b strings.Builder
	table, err := read.Read(bytes.NewReader(file), read.Options{Name: name})
	if err != nil {
		return err.Error(), 0, 0
	}
	fmt.Fprintf(&b, "%s %s separator %q header %v, %d rows, %d bad, %d questions\n", table.Format, table.Charset, table.Separator, table.Header, table.Rows, table.BadCount, table.Questions())
	for _, bad := range table.Bad {
		fmt.Fprintln(&b, "bad:", bad.Problem, bad.Error())
	}
	writeNotes(&b, table.Notes)
	for i, p := range roles.Profiles(table) {
		fmt.Fprintf(&b, "column %q: %s %s sure=%v (%s) %q missing=%d unreadable=%d distinct=%d %v mean=%.6g sd=%.6g min=%.6g max=%.6g unit=%q levels=%q parts=%q\n",
			p.Name, p.Kind, p.Guess, p.Sure, p.Reason, p.Alternatives, p.Missing, p.Unreadable, p.Distinct, p.DistinctExact, p.Mean, p.SD, p.Min, p.Max, p.Unit, p.Levels, p.Parts)
		writeNotes(&b, p.Notes)
		cells := sha256.New()
		for row := range table.Rows {
			if p.Kind != design.Sparse {
				fmt.Fprintf(cells, "%q %v,", table.Text(i, row), table.IsMissing(i, row))
				binary.Write(cells, binary.LittleEndian, math.Float64bits(table.Number(i, row)+0))
			}
		}
		fmt.Fprintf(&b, "\tcells %x\n", cells.Sum(nil)[:6])
	}
	plan, err := roles.NewPlan(table, roles.Settings{Rare: 2, PiecewiseLinear: true})
	if err != nil {
		fmt.Fprintln(&b, "plan:", err)
		return b.String(), table.Rows, len(table.Names())
	}
	leaks.Find(plan)
	var suggested []string
	for _, s := range plan.Suggested {
		suggested = append(suggested, fmt.Sprintf("{%s %s %s}", s.Topic, s.Columns[0], s.Text))
	}
	fmt.Fprintf(&b, "target %q, roles %v, kinds %v, %d rows used, suggested %v\n", plan.Target, plan.Roles, plan.Kinds, len(plan.Rows), suggested)
	writeNotes(&b, plan.Notes)
	set, err := encode.Dataset(plan, tabletest.Stream(1))
	if err != nil {
		fmt.Fprintln(&b, "design:", err)
		return b.String(), table.Rows, len(table.Names())
	}
	writeNotes(&b, set.Notes)
	for _, f := range set.Encoding.Features {
		fmt.Fprintf(&b, "feature %q of %q: %s %q mean=%.6g scale=%.6g knot=%.6g ends %.6g to %.6g\n", f.Name, f.Column, f.Kind, f.Level, f.Mean, f.Scale, f.Knot, f.Least, f.Most)
	}
	return b.String(), table.Rows, len(table.Names())
}

func writeNotes(b *strings.Builder, notes note.Notes) {
	for _, n := range notes {
		fmt.Fprintf(b, "\t%s %q %d cells, ask=%v: %s %+v\n", n.Topic, n.Columns, n.Cells, n.Ask, n.Text, n.Answers)
	}
}

// What the reader decides about a file is written down, a line a file. A change that
// is meant is taken over with UPDATE=1.
func TestReaderDecidesAsBefore(t *testing.T) {
	const golden = "testdata/decisions/golden.txt"
	want := map[string]string{}
	old, err := os.ReadFile(golden)
	require.True(t, err == nil || os.Getenv("UPDATE") == "1", err)
	for line := range strings.Lines(string(old)) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		want[name] = rest
	}
	folders := map[string]string{"samples": "../../web/samples"}
	if root := os.Getenv("IFMLAB_DATA"); root != "" {
		folders["data"] = root
	} else {
		t.Log("IFMLAB_DATA is not set: only the samples are read")
	}
	for prefix, root := range folders {
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "reports" {
				return filepath.SkipDir
			}
			if err != nil || d.IsDir() || strings.HasSuffix(path, ".mjs") || strings.HasSuffix(path, ".md") {
				return err
			}
			file, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			inside, _ := filepath.Rel(root, path)
			name := prefix + "/" + filepath.ToSlash(inside)
			text, rows, columns := decisions(file, name)
			digest := sha256.Sum256([]byte(text))
			got := fmt.Sprintf("%d rows\t%d columns\t%x", rows, columns, digest[:6])
			if os.Getenv("UPDATE") == "1" {
				want[name] = got
			} else if !assert.Equal(t, want[name], got, "%s is not read as before", name) {
				t.Log(text)
			}
			return nil
		}))
	}
	if os.Getenv("UPDATE") == "1" {
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(want)) {
			fmt.Fprintf(&b, "%s\t%s\n", name, want[name])
		}
		require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o644))
	}
}
