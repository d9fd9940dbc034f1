package read_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/fault"
	"ifmlab/core/leaks"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

func TestALongLineOfLIBSVMEndsNothing(t *testing.T) {
	long := tabletest.Read(t, "1 1:2\n0 1:"+strings.Repeat("3", 5<<20)+"\n0 1:4\n")
	assert.Equal(t, 2, long.Rows, "a line that is too long ends nothing")
	require.Equal(t, 1, long.BadCount)
	assert.Equal(t, fault.RowError{Problem: fault.LongLine, File: "tec.csv", Line: 2, Column: 1, Message: "the line is longer than 4 MB; delete it"}, long.Bad[0])
}

// wide returns a file of n rows in LIBSVM's format with so many entries of d
// features, and the values.
func wide(n, d, entries int, ones bool) (text string, values []map[int]float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range n {
		row := map[int]float64{}
		for len(row) < entries {
			v := 1.0
			if !ones {
				v = rng.NormFloat64()
			}
			row[1+rng.IntN(d)] = v
		}
		fmt.Fprintf(&b, "%.3f", rng.NormFloat64())
		for _, j := range slices.Sorted(maps.Keys(row)) {
			fmt.Fprintf(&b, " %d:%v", j, row[j])
		}
		b.WriteByte('\n')
		values = append(values, row)
	}
	return b.String(), values
}

// rower is a design that writes out its rows.
type rower interface{ Row(i int) []float64 }

func TestManyFeaturesOfLIBSVMStaySparse(t *testing.T) {
	for _, ones := range []bool{true, false} {
		text, values := wide(3000, 20_000, 10, ones)
		table := tabletest.Read(t, text)
		require.Equal(t, []string{"y", "x"}, table.Names())
		assert.Less(t, tabletest.Size(table), int64(2<<20), "60 million cells are not held")
		assert.Equal(t, design.Sparse, roles.Profiles(table)[1].Kind)
		plan := tabletest.PlanOf(t, table, roles.Settings{Categorical: []string{"x"}})
		assert.Equal(t, "y", plan.Target)
		leaks.Find(plan)
		set := tabletest.DatasetOf(t, plan)
		assert.LessOrEqual(t, set.Encoding.Bytes(3000), int64(3000*11*13))
		for _, part := range tabletest.Parts(set) {
			n, _ := part.Z.Dims()
			for i := 0; i < n; i += 97 {
				want := values[part.Line[i]-1]
				for j, v := range part.Z.(rower).Row(i) {
					f := set.Encoding.Features[j]
					number := tabletest.Must(strconv.Atoi(strings.TrimPrefix(f.Name, "x")))
					require.InDelta(t, want[number], v*f.Scale, 1e-12*(1+want[number]*want[number])) // one rounding there and one back
				}
			}
		}
		again := tabletest.Apply(t, tabletest.Read(t, text), &set.Encoding)
		z := again.Rows(0, 3000).(rower)
		for i := range set.Train.Line[:20] {
			assert.Equal(t, set.Train.Z.(rower).Row(i), z.Row(set.Train.Line[i]-1))
		}
		few := tabletest.Apply(t, tabletest.Read(t, strings.Join(strings.SplitAfter(text, "\n")[:2], "")), &set.Encoding)
		assert.Equal(t, z.Row(0), few.Rows(0, 1).(rower).Row(0))
	}
}

func TestAModelOfFewFeaturesReadsFilesThatLackThem(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	text := ""
	for range 50 {
		text += fmt.Sprintf("%.2f 1:%.2f 2:%.2f 3:%.2f\n", rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
	}
	plan := tabletest.PlanOf(t, tabletest.Read(t, text), roles.Settings{})
	set := tabletest.DatasetOf(t, plan)
	applied := tabletest.Apply(t, tabletest.Read(t, "0 1:0.5\n1 1:2 9:1\n"), &set.Encoding)
	dense := tabletest.Apply(t, tabletest.Read(t, "x1,x2,x3\n0.5,0,0\n2,0,0\n"), &set.Encoding)
	rows := func(a *encode.Applied) []float64 { return a.Rows(0, 2).(rower).Row(1) }
	assert.Equal(t, rows(dense), rows(applied))
	block, _ := wide(3, 20_000, 200, false)
	applied = tabletest.Apply(t, tabletest.Read(t, "0.5 1:2\n"+block), &set.Encoding)
	assert.Equal(t, rows(dense), applied.Rows(0, 1).(rower).Row(0))
	_, err := encode.Apply(tabletest.Read(t, "x,y\n1,2\n3,4\n"), &set.Encoding)
	assert.ErrorContains(t, err, `the model needs the column "x1"`)
}

func FuzzLIBSVM(f *testing.F) {
	for _, s := range []string{"1 1:2 3:4\n0 2:1\n", "1 0:1:1 1:2:1\n0 0:1:1\n", "+1 qid:1 5:1 # x\n-1 qid:2 4:0\n", "1\n2 1:1\n", "1 1:1 1:2\n1 1:1\n1 2:2\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, file []byte) { tabletest.ReadsAlike(t, file) })
}

// The entries of a feature, which are not centred, have a mean square of 1 in the rows
// that have them.
func TestAFeatureOfManyIsDividedByTheSizeOfItsEntries(t *testing.T) {
	text, _ := wide(400, 3000, 4, false)
	set := tabletest.DatasetOf(t, tabletest.PlanOf(t, tabletest.Read(t, text), roles.Settings{}))
	entries := 0
	n, _ := set.Train.Z.Dims()
	for j, c := range design.Columns(set.Train.Z) {
		if set.Encoding.Features[j].Kind == design.FeatureEntry {
			sum := 0.
			for _, v := range c.Values {
				sum += v * v
			}
			require.InDelta(t, c.Len(n), sum, 1e-9, set.Encoding.Features[j].Name)
			entries++
		}
	}
	assert.Greater(t, entries, 100)
}
