// Package tabletest has what the tests of reading, roles and encoding share.
package tabletest

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/fault"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/table"
)

// Size estimates the memory that the cells of a table take, in bytes.
func Size(t *table.Table) int64 {
	n := int64(16 * len(t.Lines))
	for _, c := range t.Columns {
		if c.Block != nil {
			n += int64(float64(t.Rows) * (4 + 12*c.Block.PerRow()))
		}
		for _, e := range c.Entries {
			n += int64(len(e.Text)) + 80 // the entry, and its share of the map
		}
		for _, b := range c.Codes {
			n += int64(4 * cap(b))
		}
		for _, b := range c.Values {
			n += int64(8 * cap(b))
		}
	}
	return n
}

// NumericFile returns a CSV file of about size bytes: Gaussian columns written
// with so many digits, −1 for as many as are needed.
func NumericFile(columns, digits, size int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var b []byte
	for j := range columns {
		b = fmt.Appendf(b, "x%d,", j)
	}
	b[len(b)-1] = '\n'
	for len(b) < size {
		for range columns {
			b = append(strconv.AppendFloat(b, rng.NormFloat64(), 'g', digits, 64), ',')
		}
		b[len(b)-1] = '\n'
	}
	return b
}

// CheckTable holds a table to what must be true of every table.
func CheckTable(t *testing.T, table *table.Table) {
	t.Helper()
	columns := len(table.Names())
	require.Positive(t, columns)
	require.LessOrEqual(t, len(table.Bad), table.BadCount)
	require.True(t, table.BadCount <= 1 || 10*table.BadCount <= table.Rows+table.BadCount)
	require.Positive(t, table.Rows)
	require.Len(t, table.Preview, min(10, table.Rows))
	for _, row := range table.Preview {
		require.Len(t, row, columns)
	}
	for _, bad := range table.Bad {
		require.Positive(t, bad.Line)
		require.Positive(t, bad.Column)
		require.NotEmpty(t, bad.Message)
	}
	for row := 1; row < table.Rows; row++ {
		require.Greater(t, table.Line(row), table.Line(row-1))
	}
	for _, p := range roles.Profiles(table) {
		require.LessOrEqual(t, p.Missing, table.Rows)
		require.LessOrEqual(t, p.Distinct, table.Rows)
	}
	plan, err := roles.NewPlan(table, roles.Settings{Rare: 2})
	if err != nil {
		return
	}
	require.Equal(t, table.Rows, len(plan.Rows)+plan.DroppedCount)
	set, err := encode.Dataset(plan, Stream(1))
	if err != nil {
		return
	}
	rows := 0
	for _, part := range Parts(set) {
		n, d := part.Z.Dims()
		require.Equal(t, len(set.Encoding.Features), d)
		require.Len(t, part.Y, n)
		require.Len(t, part.Line, n)
		rows += n
		for i := range n {
			for _, v := range append(part.Z.(interface{ Row(int) []float64 }).Row(i), part.Y[i]) {
				require.False(t, math.IsNaN(v) || math.IsInf(v, 0))
			}
		}
	}
	require.Equal(t, len(plan.Rows), rows)
}

// File returns a file of a header and n rows.
func File(header string, n int, row func(i int) string) string {
	lines := []string{header}
	for i := range n {
		lines = append(lines, row(i))
	}
	return Join(lines)
}

// As returns an error as one of its type.
func As[E error](t testing.TB, err error) E {
	t.Helper()
	e, is := errors.AsType[E](err)
	require.True(t, is, "%v", err)
	return e
}

// Must returns the result of a call that succeeds.
func Must[T any](result T, err error) T {
	if err != nil {
		panic(err)
	}
	return result
}

func Stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func Dataset(t *testing.T, lines []string, s roles.Settings) *design.Dataset {
	t.Helper()
	return DatasetOf(t, Plan(t, lines, s))
}

func DatasetOf(t *testing.T, p *roles.Plan) *design.Dataset {
	t.Helper()
	set, err := encode.Dataset(p, Stream(1))
	require.NoError(t, err)
	return set
}

func Apply(t *testing.T, table *table.Table, e *design.Encoding) *encode.Applied {
	t.Helper()
	a, err := encode.Apply(table, e)
	require.NoError(t, err)
	return a
}

func Parts(s *design.Dataset) []design.Part { return []design.Part{s.Train, s.Valid, s.Test} }

func Names(s *design.Dataset) []string {
	var names []string
	for _, f := range s.Encoding.Features {
		names = append(names, f.Name)
	}
	return names
}

// Drawn returns a file of n rows: the columns that f makes of four standard normal
// numbers.
func Drawn(n int, header string, f func(row int, x [4]float64) []any) []string {
	rng := rand.New(rand.NewPCG(21, 22))
	lines := []string{header}
	for row := range n {
		x := [4]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		lines = append(lines, strings.TrimSuffix(fmt.Sprintln(f(row, x)...), "\n"))
		lines[row+1] = strings.ReplaceAll(lines[row+1], " ", ",")
	}
	return lines
}

// ReadsAlike reads a file twice, all of it and a byte at a time, and holds both to the
// same sound table, or nil for the same error of a type.
func ReadsAlike(t *testing.T, file []byte) *table.Table {
	t.Helper()
	table, err := read.Read(bytes.NewReader(file), read.Options{Name: "fuzz"})
	again, errAgain := read.Read(iotest.OneByteReader(bytes.NewReader(file)), read.Options{Name: "fuzz"})
	if err != nil {
		var problem *fault.FileError
		var many *fault.TooManyBadRowsError
		if !errors.As(err, &problem) && !errors.As(err, &many) {
			t.Fatalf("an error of no type: %v", err)
		}
		require.EqualError(t, errAgain, err.Error())
		return nil
	}
	require.NoError(t, errAgain)
	require.Equal(t, Dump(table), Dump(again))
	CheckTable(t, table)
	return table
}

// Column replaces one column of a file made by numbers: f gets the row, from 0.
func Column(lines []string, i int, name string, f func(row int) string) []string {
	out := make([]string, len(lines))
	for l, line := range lines {
		cells := strings.Split(line, ",")
		if cells[i] = name; l > 0 {
			cells[i] = f(l - 1)
		}
		out[l] = strings.Join(cells, ",")
	}
	return out
}

func Plan(t *testing.T, lines []string, s roles.Settings) *roles.Plan {
	t.Helper()
	return PlanOf(t, Read(t, Join(lines)), s)
}

func PlanOf(t *testing.T, table *table.Table, s roles.Settings) *roles.Plan {
	t.Helper()
	p, err := roles.NewPlan(table, s)
	require.NoError(t, err)
	return p
}

func Read(t *testing.T, text string) *table.Table {
	t.Helper()
	return ReadAs(t, text, read.Options{Name: "tec.csv"})
}

func ReadAs(t *testing.T, text string, o read.Options) *table.Table {
	t.Helper()
	table, err := read.Read(strings.NewReader(text), o)
	require.NoError(t, err)
	return table
}

// Numbers returns a file of n rows and three columns that can be trained on:
// a, b and the target y.
func Numbers(n int) []string {
	rng := rand.New(rand.NewPCG(5, uint64(n)))
	lines := []string{"a,b,y"}
	for range n {
		lines = append(lines, fmt.Sprintf("%.4f,%.4f,%.4f", rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()))
	}
	return lines
}

func Join(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// Dump writes out what can be seen of a table, NaN included.
func Dump(t *table.Table) string {
	var lines []int
	for row := range t.Rows {
		lines = append(lines, t.Line(row))
	}
	return fmt.Sprintf("%q %v %v %v %q %v %q %v %+v", t.Name, t.Separator, t.Bytes, t.Bad, t.Notes.Texts(), t.Header, t.Preview, lines, roles.Profiles(t))
}
