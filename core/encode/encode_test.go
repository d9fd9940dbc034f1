package encode_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
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

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
)

func TestTextsAreReadAsRecorded(t *testing.T) { tabletest.Readings(t) }

func TestZIsScaledByTrainingRowsAlone(t *testing.T) {
	lines := tabletest.Numbers(500)
	set := tabletest.Dataset(t, lines, roles.Settings{})
	cell := func(line, column int) float64 {
		return tabletest.Must(strconv.ParseFloat(strings.Split(lines[line-1], ",")[column], 64))
	}
	// The oracle: mean and standard deviation of the training rows' cells.
	moments := func(column int) (mean, sd float64) {
		n := float64(len(set.Train.Line))
		for _, line := range set.Train.Line {
			mean += cell(line, column) / n
		}
		for _, line := range set.Train.Line {
			sd += (cell(line, column) - mean) * (cell(line, column) - mean) / n
		}
		return mean, math.Sqrt(sd)
	}
	for j, f := range set.Encoding.Features {
		mean, sd := moments(j)
		assert.InDelta(t, mean, f.Mean, 1e-14)
		assert.InDelta(t, sd, f.Scale, 1e-14)
		for _, part := range tabletest.Parts(set) {
			for i, line := range part.Line {
				z := part.Z.(interface{ Row(int) []float64 }).Row(i)[j]
				assert.InDelta(t, cell(line, j), f.Mean+f.Scale*z, 1e-13, "back in the reader's units")
			}
		}
	}
	mean, sd := moments(2)
	assert.Equal(t, "y", set.Encoding.Target.Name)
	assert.InDelta(t, mean, set.Encoding.Target.Mean, 1e-14)
	assert.InDelta(t, sd, set.Encoding.Target.Scale, 1e-14)
	var seen []float64
	for _, line := range set.Train.Line {
		seen = append(seen, cell(line, 2))
	}
	assert.Equal(t, []float64{slices.Min(seen), slices.Max(seen)}, set.Encoding.Target.Span, "of the training rows alone")
	assert.Nil(t, set.Encoding.Target.Levels)
	for _, part := range tabletest.Parts(set) {
		for i, line := range part.Line {
			assert.InDelta(t, cell(line, 2), part.Y[i]*set.Encoding.Target.Scale, 1e-13, "divided, not centred")
		}
	}
}

func TestMissingNumbersBecomeTheMeanAndAFlag(t *testing.T) {
	missing := func(row int) bool { return row%3 == 0 }
	for _, n := range []int{300, 9000} { // kept as a dictionary, kept as numbers
		lines := tabletest.Column(tabletest.Numbers(n), 0, "a", func(row int) string {
			if missing(row) {
				return []string{"", " NA ", "NaN"}[row%9/3]
			}
			return fmt.Sprint(math.Sqrt(float64(row)))
		})
		set := tabletest.Dataset(t, lines, roles.Settings{})
		require.Equal(t, []string{"a", "a is missing", "b"}, tabletest.Names(set))
		assert.Equal(t, design.Feature{Name: "a is missing", Column: "a", Kind: design.FeatureMissing, Scale: 1}, set.Encoding.Features[1])
		sum := 0.0
		for i, line := range set.Train.Line {
			row := set.Train.Z.(interface{ Row(int) []float64 }).Row(i)
			assert.Equal(t, missing(line-2), row[1] == 1 && row[0] == 0)
			sum += row[0]
		}
		assert.InDelta(t, 0, sum, 1e-9, "the mean is that of the cells there are")
	}
}

func TestLevelsBecomeZeroOneColumns(t *testing.T) {
	towns := []string{"Rome", "Oslo", "Rome", "Lima", "Oslo", "Rome", "", "Rome", "Oslo", "Rome"}
	town := func(row int) string {
		switch row {
		case 17, 43:
			return "Bonn" // rare
		case 60:
			return "Kiel" // rarer
		}
		return towns[row%10]
	}
	lines := tabletest.Column(tabletest.Numbers(300), 0, "town", town)
	set := tabletest.Dataset(t, lines, roles.Settings{Rare: 5})
	require.Equal(t, []string{"town=Lima", "town=Oslo", "town=Rome", "town=other", "town is missing", "b"}, tabletest.Names(set))
	assert.Equal(t, design.Feature{Name: "town=Oslo", Column: "town", Kind: design.FeatureLevel, Level: "Oslo", Scale: 1}, set.Encoding.Features[1])
	assert.Equal(t, design.FeatureOther, set.Encoding.Features[3].Kind)
	for _, part := range tabletest.Parts(set) {
		for i, line := range part.Line {
			at := map[string]int{"Lima": 0, "Oslo": 1, "Rome": 2, "Bonn": 3, "Kiel": 3, "": 4}[town(line-2)]
			want := make([]float64, 5)
			want[at] = 1
			assert.Equal(t, want, part.Z.(interface{ Row(int) []float64 }).Row(i)[:5])
		}
	}
}

func TestAStrayNumberIsToldWhetherItIsInAValidationOrATestRow(t *testing.T) {
	lines := tabletest.Numbers(30)
	cells := strings.Split(lines[5], ",")
	cells[0] = "1e6"
	lines[5] = strings.Join(cells, ",") // row 4
	p := tabletest.Plan(t, lines, roles.Settings{})
	var train []int32
	for row := range int32(30) {
		if row != 4 && row != 7 {
			train = append(train, row)
		}
	}
	for _, s := range []*roles.Split{{Train: train, Valid: []int32{4}, Test: []int32{7}}, {Train: train, Valid: []int32{7}, Test: []int32{4}}} {
		_, notices, err := encode.Encoding(p, s)
		require.NoError(t, err)
		require.Len(t, notices, 1)
		assert.Contains(t, notices[0].Text, "1e+06 on line 6")
		assert.Contains(t, notices[0].Text, "in 1 of 2 rows")
	}
}

func TestALevelThatOnlyOtherRowsHaveIsToldThoughTrainingHasOne(t *testing.T) {
	lines := tabletest.Column(tabletest.Numbers(30), 0, "kind", func(row int) string { return []string{"a", "", "b"}[min(2, row/28*2+row%2)] })
	p := tabletest.Plan(t, lines, roles.Settings{Target: "y", Rare: 5})
	e, notices, err := encode.Encoding(p, &roles.Split{Train: p.Rows[:26], Valid: p.Rows[26:28], Test: p.Rows[28:]})
	require.NoError(t, err)
	assert.Equal(t, "kind=a", e.Features[0].Name)
	assert.Contains(t, strings.Join(notices.Texts(), "\n"), "kind has levels that no training row has in 2 of 4")

	lines = tabletest.Column(tabletest.Numbers(30), 0, "kind", func(row int) string {
		return map[int]string{3: "", 5: "rare", 28: "", 29: "b"}[row] + map[bool]string{true: "a"}[row != 3 && row != 5 && row < 28]
	})
	p = tabletest.Plan(t, lines, roles.Settings{Target: "y", Rare: 5})
	_, notices, err = encode.Encoding(p, &roles.Split{Train: p.Rows[:26], Valid: p.Rows[26:28], Test: p.Rows[28:]})
	require.NoError(t, err)
	assert.Empty(t, notices.Texts(), "one training row is missing, and one has a rare level")
}

func TestScalesCountRowsByTheirWeights(t *testing.T) {
	lines := tabletest.Numbers(60)
	lines[0] += ",w"
	for i := range lines[1:] {
		lines[i+1] += "," + strconv.Itoa(i%4)
	}
	p := tabletest.Plan(t, lines, roles.Settings{Weight: "w"})
	split := p.Split(tabletest.Stream(2))
	e, _, err := encode.Encoding(p, split)
	require.NoError(t, err)
	var x []float64 // each row as often as it counts
	for _, row := range split.Train {
		v := tabletest.Must(strconv.ParseFloat(strings.Split(lines[row+1], ",")[0], 64))
		for range row % 4 {
			x = append(x, v)
		}
	}
	mean, square := 0., 0.
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		square += (v - mean) * (v - mean) / float64(len(x))
	}
	assert.InEpsilon(t, mean, e.Features[0].Mean, 1e-12)
	assert.InEpsilon(t, math.Sqrt(square), e.Features[0].Scale, 1e-12)
}

// FuzzRead holds every input to the same: no panic, a table whose counts agree
// or a typed error, and the same from one byte at a time.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		tabletest.Join(tabletest.Numbers(30)), "a,b\n1,2\n", "a;b\n1,5;x\n", "\uFEFFa\tb\r\n1\t2\r\n", "a,b\r1,2\r3,4", "a b\n 1  2\n",
		"a,b\n\"1\n2\",3\n", "a,b\n\"1,2\n3,4\n", "a,b\n1\"2,3\n\"4\"5,6\n", "a,b\n\xff,1\n", "a,b\n\x00,1\n",
		"a,a,\n1,2,3\n\n\n4,5,6,7\n", "{\"a\":1}", "\"", "\"\"", "\"a\r", "a,b\n5\" x,\"y", "1,2\n3,4", ",\n,\n",
		"a,b\n" + string(bytes.Repeat([]byte("1,yes\n2,no\nNA,\n"), 9)),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if table := tabletest.ReadsAlike(t, file); table != nil {
			require.EqualValues(t, len(file), table.Bytes)
		}
	})
}

// More rows than a block and more numbers than a dictionary, beside columns of few.
func TestNumbersOfAProgramAreEncodedAsThoseOfAFile(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n = 9000
	x := make([][4]float64, n)
	var file strings.Builder
	file.WriteString("a,b,c,y\n")
	for i := range x {
		x[i] = [4]float64{rng.NormFloat64(), float64(rng.IntN(5)), float64(rng.IntN(300)) / 8, rng.Float64()}
		for j, v := range x[i] {
			file.WriteString(strconv.FormatFloat(v, 'g', -1, 64) + []string{",", ",", ",", "\n"}[j])
		}
	}
	given := tabletest.Must(table.FromNumbers(table.Numbers{Name: "rows", Columns: []string{"a", "b", "c", "y"}, Rows: n, Valid: table.Fifth, Test: table.Fifth, At: func(i, j int) float64 { return x[i][j] }}))
	read := tabletest.Read(t, file.String())
	for _, s := range []roles.Settings{{Target: "y"}, {Target: "y", PiecewiseLinear: true}, {Target: "y", Categorical: []string{"b"}, Split: roles.SplitGroup, By: "c"}} {
		s.Numeric = []string{"a", "c"}
		var sets [2]*design.Dataset
		for k, table := range []*table.Table{given, read} {
			plan := tabletest.PlanOf(t, table, s)
			sets[k] = tabletest.Must(encode.Dataset(plan, rand.New(rand.NewPCG(2, 2))))
		}
		assert.Equal(t, sets[1].Encoding, sets[0].Encoding)
		assert.Equal(t, sets[1].Train.Y, sets[0].Train.Y)
		assert.Equal(t, sets[1].Train.Z, sets[0].Train.Z)
		assert.Equal(t, sets[1].Test.Z, sets[0].Test.Z)
	}
	assert.Equal(t, 17, given.Line(16), "lines are rows")
}

// decisions returns what is decided about a file, to be read by people, and the
// counts of rows and columns.
func decisions(file []byte, name string) (text string, rows, columns int) {
	var b strings.Builder
	table, err := read.Read(bytes.NewReader(file), read.Options{Name: name})
	if err != nil {
		return err.Error(), 0, 0
	}
	tabletest.WriteTable(&b, table)
	plan, err := roles.NewPlan(table, roles.Settings{Rare: 2, PiecewiseLinear: true})
	if err != nil {
		fmt.Fprintln(&b, "plan:", err)
	} else {
		tabletest.WriteDesign(&b, plan)
	}
	return b.String(), table.Rows, len(table.Names())
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
