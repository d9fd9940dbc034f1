// Package runtest has what the tests of runs share.
package runtest

import (
	encodingcsv "encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/assess"
	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/pair"
	"ifmlab/core/saved"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/task"
	"ifmlab/core/train"
)

// Brief are settings of a short run on a table.
const Brief = "source=table&ranks=2&lambdas=0.03&iterations=20"

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

// Train runs a cell to its end.
func Train(t *testing.T, query string, cell int, table *table.Table) (*core.Run, []train.Record) {
	t.Helper()
	s, notices := spec.Parse(query)
	require.Empty(t, notices)
	run, err := core.Open(s, cell, table)
	require.NoError(t, err)
	var records []train.Record
	for !run.Done() {
		r, err := run.Next()
		require.NoError(t, err)
		records = append(records, r)
	}
	_, err = run.Next()
	require.ErrorIs(t, err, io.EOF)
	return run, records
}

// Attempt trains a cell as far as it goes.
func Attempt(t *testing.T, query string, cell int, table *table.Table) ([]train.Record, error) {
	t.Helper()
	run, err := core.Open(Parse(t, query), cell, table)
	require.NoError(t, err, query)
	var records []train.Record
	for !run.Done() {
		r, err := run.Next()
		if err != nil {
			return records, err
		}
		records = append(records, r)
	}
	return records, nil
}

// Finish steps a run to its end.
func Finish(t *testing.T, run *core.Run) []train.Record {
	t.Helper()
	var records []train.Record
	for !run.Done() {
		r, err := run.Next()
		require.NoError(t, err)
		records = append(records, r)
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

// RequireSamePredictions holds what a kept model says of a table, which has the rows that it
// was trained on in their order, to the run's own predictions of its test rows,
// bit for bit: where each row is encoded as it was, the same sums follow.
func RequireSamePredictions(t *testing.T, run *core.Run, kept *saved.Model, table *table.Table) *saved.Predicted {
	t.Helper()
	want, err := run.Predictions()
	require.NoError(t, err)
	require.NotEmpty(t, want.Line)
	got, err := kept.Predict(table)
	require.NoError(t, err)
	require.Len(t, got.Predicted, table.Rows)
	row := map[int]int{}
	for i, line := range got.Line {
		row[int(line)] = i
	}
	for i, line := range want.Line {
		at, ok := row[line]
		require.True(t, ok, "line %d is predicted", line)
		require.Equal(t, want.Predicted[i], got.Predicted[at], "line %d", line)
		require.InDelta(t, want.Actual[i], got.Actual[at], 1e-15*math.Abs(got.Actual[at]), "line %d: divided by its scale and multiplied again", line)
	}
	return got
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

// Evaluate returns f(x) of a model written out.
func Evaluate(c fm.Coefficients, x []float64) float64 {
	f := c.B
	for i, v := range x {
		f += v * c.W[i]
		for j, w := range x {
			f += v * c.M[i*len(x)+j] * w
		}
	}
	return f
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

// Visits is a table of patients who come again: what tells a patient from others,
// and says nothing of new ones, is in each visit.
func Visits(n int) string {
	rng := rand.New(rand.NewPCG(41, 42))
	var b strings.Builder
	b.WriteString("patient,day,level,dose,y\n")
	level, effect := make([]string, 30), make([]float64, 30)
	for i := range level {
		level[i] = "l" + strconv.Itoa(i)
		effect[i] = rng.NormFloat64()
	}
	for day := range n {
		i, dose := rng.IntN(30), rng.NormFloat64()
		y := effect[i] + .3*dose + .1*rng.NormFloat64()
		b.WriteString("p" + strconv.Itoa(i) + "," + strconv.Itoa(day*day) + "," + level[i] + "," + strconv.FormatFloat(dose, 'g', 5, 64) + "," + strconv.FormatFloat(y, 'g', 5, 64) + "\n")
	}
	return b.String()
}

// Rewrite reads a table of commas and writes it anew: the cells of each row as
// change leaves them, between separators.
func Rewrite(t *testing.T, content, separator string, change func(header bool, cells []string) []string) string {
	t.Helper()
	rows, err := encodingcsv.NewReader(strings.NewReader(content)).ReadAll()
	require.NoError(t, err)
	var b strings.Builder
	for i, cells := range rows {
		b.WriteString(strings.Join(change(i == 0, cells), separator) + "\n")
	}
	return b.String()
}

// HatRows returns the rows with numbers as piecewise-linear bases.
func HatRows(r *core.Run) *design.Dataset {
	rows, err := r.Rows().WithHats(r.Source())
	if err != nil {
		panic(err)
	}
	return rows.Dataset
}
