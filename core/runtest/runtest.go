// Package runtest has what the tests of runs share.
package runtest

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/assess"
	"ifmlab/core/pair"
	"ifmlab/core/saved"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/task"
	"ifmlab/core/train"
)

func Parse(t *testing.T, query string) spec.Spec {
	t.Helper()
	s, notices := spec.Parse(query)
	require.Empty(t, notices, query)
	return s
}

func ReadTable(t *testing.T, query, content string) *table.Table {
	t.Helper()
	s, _ := spec.Parse(query)
	table, err := task.Read(s, "table.csv", strings.NewReader(content))
	require.NoError(t, err)
	return table
}

// ReadReal opens a table of $IFMLAB_DATA, or skips.
func ReadReal(t *testing.T, file string) *table.Table {
	t.Helper()
	root := os.Getenv("IFMLAB_DATA")
	if root == "" {
		t.Skip("IFMLAB_DATA is not set: the larger tables are not here")
	}
	f, err := os.Open(filepath.Join(root, "csv", file))
	require.NoError(t, err)
	defer f.Close()
	table, err := task.Read(spec.Default(), file, f)
	require.NoError(t, err)
	return table
}

// Open opens a cell that need not be the first.
func Open(t *testing.T, query string, cell int, table *table.Table) *core.Run {
	t.Helper()
	run, err := core.Open(Parse(t, query), cell, table)
	require.NoError(t, err)
	return run
}

// Result returns the result of a call that has no arguments and succeeds.
func Result[T any](t *testing.T, call func() (T, error)) T {
	t.Helper()
	result, err := call()
	require.NoError(t, err)
	return result
}

// Must returns what a call that succeeds returns.
func Must[T any](result T, err error) T {
	if err != nil {
		panic(err)
	}
	return result
}

// Finish trains a run to its end.
func Finish(t *testing.T, run *core.Run) (records []train.Record) {
	t.Helper()
	for !run.Done() {
		records = append(records, Result(t, run.Next))
	}
	return records
}

// Train opens a cell and trains it to its end.
func Train(t *testing.T, query string, cell int, table *table.Table) (*core.Run, []train.Record) {
	t.Helper()
	run := Open(t, query, cell, table)
	records := Finish(t, run)
	_, err := run.Next()
	require.ErrorIs(t, err, io.EOF)
	return run, records
}

// Choice returns the records up to the choice, without those of the last fit.
func Choice(records []train.Record) []train.Record {
	for i, r := range records {
		if r.Last {
			return records[:i]
		}
	}
	return records
}

// RequireSame compares records bit for bit, NaN included.
func RequireSame(t *testing.T, want, got []train.Record) {
	t.Helper()
	require.Equal(t, fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got))
	for i := range want {
		for _, v := range [][2]float64{{want[i].Train, got[i].Train}, {want[i].Valid, got[i].Valid}, {want[i].Test, got[i].Test}} {
			require.Equal(t, math.Float64bits(v[0]), math.Float64bits(v[1]), "record %d", i)
		}
	}
}

// Save trains the first cell of a query and returns it with its model, taken
// through its file.
func Save(t *testing.T, query string, table *table.Table) (*core.Run, *saved.Model) {
	t.Helper()
	run, _ := Train(t, query, 0, table)
	file, err := run.Model()
	require.NoError(t, err)
	kept, err := saved.Read(file)
	require.NoError(t, err)
	return run, kept
}

// Grow grows all trees of a run.
func Grow(t *testing.T, run *core.Run) assess.Trees {
	t.Helper()
	grown, err := run.Trees()
	require.NoError(t, err)
	for !grown.Done {
		assert.Nil(t, grown.Predicted)
		require.NoError(t, grown.Next())
	}
	return *grown
}

// Calibrate runs the search of a run to its end.
func Calibrate(t *testing.T, run *core.Run) *assess.IntervalReport {
	t.Helper()
	s, err := run.Intervals()
	require.NoError(t, err)
	for !s.Done() {
		require.NoError(t, s.Next())
	}
	return s.Result()
}

// Pairs runs the search of a run to its end.
func Pairs(t *testing.T, run *core.Run) *pair.Result {
	t.Helper()
	s, err := run.Pairs()
	require.NoError(t, err)
	require.NoError(t, s.Finish())
	return s.Result()
}

// Interacting is a table whose target needs both signs: y = x1·x2 − x3·x4 + x1
// and a little noise.
func Interacting(n int, edit func(row int, cells []string)) string {
	rng := rand.New(rand.NewPCG(5, 6))
	var b strings.Builder
	b.WriteString("x1,x2,x3,x4,colour,y\n")
	for i := range n {
		x := [4]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		y := x[0]*x[1] - x[2]*x[3] + x[0] + .1*rng.NormFloat64()
		cells := make([]string, 0, 6)
		for _, v := range append(x[:], y) {
			cells = append(cells, strconv.FormatFloat(v, 'g', 6, 64))
		}
		cells = append(cells[:4], []string{"red", "blue"}[rng.IntN(2)], cells[4])
		if edit != nil {
			edit(i, cells)
		}
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	return b.String()
}

// Spoilt is [Interacting], but targets are above 1000 in the test rows of a run on it. No
// two are the same: a number that repeats far from the others may stand for none.
func Spoilt(t *testing.T, n int, run *core.Run) string {
	lines := Result(t, run.Predictions).Line
	return Interacting(n, func(row int, cells []string) {
		if slices.Contains(lines, row+2) {
			cells[5] = strconv.Itoa(1000 + row)
		}
	})
}
