package encode_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/roles"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
)

// hatTable has a column of many numbers with gaps, one of whole numbers, one of two
// values, and levels.
func hatTable(t *testing.T, rows int) (*table.Table, [][]string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 1))
	cells := [][]string{}
	text := tabletest.File("x,count,two,colour,y", rows, func(i int) string {
		x := strconv.FormatFloat(math.Exp(rng.NormFloat64()), 'g', 6, 64)
		if rng.IntN(8) == 0 {
			x = ""
		}
		row := []string{x, strconv.Itoa(rng.IntN(11)), strconv.Itoa(rng.IntN(2)), []string{"red", "green", "blue"}[rng.IntN(3)], strconv.Itoa(i * i % 97)}
		cells = append(cells, row)
		return strings.Join(row, ",")
	})
	table := tabletest.Read(t, text)
	return table, cells
}

// hat is the value at x of the piecewise-linear function that is 1 at knot i and 0
// at the others, held beyond the ends.
func hat(knots []float64, i int, x float64) float64 {
	x = math.Min(math.Max(x, knots[0]), knots[len(knots)-1])
	switch {
	case x == knots[i]:
		return 1
	case i > 0 && knots[i-1] < x && x < knots[i]:
		return (x - knots[i-1]) / (knots[i] - knots[i-1])
	case i+1 < len(knots) && knots[i] < x && x < knots[i+1]:
		return (knots[i+1] - x) / (knots[i+1] - knots[i])
	}
	return 0
}

func rowsOf(z design.Design) [][]float64 {
	n, d := z.Dims()
	identity := make([]float64, d*d)
	for j := range d {
		identity[j*d+j] = 1
	}
	out := make([][]float64, n)
	z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		block := make([]float64, (hi-lo)*d)
		b.Forward(block, identity, d)
		for i := range hi - lo {
			out[lo+i] = block[i*d:][:d]
		}
	})
	return out
}

func TestNumbersBecomePiecewiseLinearBasesThatSumToOne(t *testing.T) {
	table, cells := hatTable(t, 500)
	plan := tabletest.PlanOf(t, table, roles.Settings{Target: "y", PiecewiseLinear: true})
	set := tabletest.Must(encode.Dataset(plan, rand.New(rand.NewPCG(1, 2))))
	features := set.Encoding.Features
	knots := map[string][]float64{}
	fill := map[string]float64{}
	for _, f := range features {
		if f.Kind == design.FeatureKnot {
			knots[f.Column] = append(knots[f.Column], f.Knot)
			fill[f.Column] = f.Fill
		}
	}
	assert.Len(t, knots["x"], 8)
	assert.IsIncreasing(t, knots["x"])
	assert.Equal(t, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, knots["count"], "a knot at each of a few whole numbers")
	assert.NotContains(t, knots, "two", "a line fits two values")
	assert.NotContains(t, knots, "colour")

	for _, part := range []design.Part{set.Train, set.Valid, set.Test} {
		for i, row := range rowsOf(part.Z) {
			cell := cells[part.Line[i]-2]
			at := map[string]int{}
			for j, f := range features {
				switch f.Kind {
				case design.FeatureKnot:
					x, err := strconv.ParseFloat(cell[map[string]int{"x": 0, "count": 1}[f.Column]], 64)
					if err != nil {
						x = fill[f.Column]
					}
					require.InDelta(t, hat(knots[f.Column], at[f.Column], x), row[j], 1e-12, "%s of line %d", f.Name, part.Line[i])
					at[f.Column]++
				case design.FeatureMissing:
					require.Equal(t, cell[0] == "", row[j] == 1)
				}
			}
		}
	}
}

func TestColumnsOfADesignAreItsFeatures(t *testing.T) {
	table, _ := hatTable(t, 300)
	for _, hats := range []bool{false, true} {
		plan := tabletest.PlanOf(t, table, roles.Settings{Target: "y", PiecewiseLinear: hats})
		set := tabletest.Must(encode.Dataset(plan, rand.New(rand.NewPCG(1, 2))))
		want := rowsOf(set.Train.Z)
		for j, c := range design.Columns(set.Train.Z) {
			got := make([]float64, len(want))
			for e := range c.Len(len(want)) {
				row, v := e, 1.0
				if c.Rows != nil {
					row = int(c.Rows[e])
				}
				if c.Values != nil {
					v = c.Values[e]
				}
				got[row] = v
			}
			for i := range got {
				require.Equal(t, want[i][j], got[i], "feature %d of row %d", j, i)
			}
			if set.Encoding.Features[j].Kind == design.FeatureLevel {
				assert.Nil(t, c.Values, "zeros and ones are listed")
			}
		}
	}
}

func TestANumberBeyondTheKnotsCountsAsTheLastAndAMissingOneAsTheMean(t *testing.T) {
	table, _ := hatTable(t, 500)
	plan := tabletest.PlanOf(t, table, roles.Settings{Target: "y", Ignore: []string{"x", "colour"}, PiecewiseLinear: true})
	set := tabletest.Must(encode.Dataset(plan, rand.New(rand.NewPCG(1, 2))))
	other := tabletest.Read(t, "count,two\n-5,0\n1000,1\n,1\n2.25,0\n")
	applied := tabletest.Apply(t, other, &set.Encoding)
	rows := rowsOf(applied.Rows(0, 4))
	assert.Equal(t, 1.0, rows[0][0])
	assert.Equal(t, 1.0, rows[1][10])
	mean := 0.0
	for j := range 11 {
		mean += rows[2][j] * float64(j)
	}
	assert.InDelta(t, set.Encoding.Features[0].Fill, mean, 1e-12)
	assert.Equal(t, []float64{.75, .25}, rows[3][2:4])
	notices := strings.Join(applied.Notes.Texts(), "\n")
	assert.Contains(t, notices, "count runs from 0 to 10 in training rows and is outside in 2 of 4")
	assert.Contains(t, notices, "count is missing in 1 of 4 rows")
}

// Sevenths of many equal numbers stood one bit apart, as two knots with nothing
// between them.
func TestNumbersThatRepeatHaveOneKnot(t *testing.T) {
	for rows := 100; rows < 160; rows += 3 {
		set := tabletest.Dataset(t, tabletest.Column(tabletest.Numbers(rows), 0, "a", func(i int) string {
			if i%3 > 0 {
				return "7.05"
			}
			return strconv.FormatFloat(float64(i*7%rows)/20, 'f', 3, 64)
		}), roles.Settings{Target: "y", Ignore: []string{"b"}, PiecewiseLinear: true})
		last, knots := math.Inf(-1), 0
		for _, f := range set.Encoding.Features {
			assert.Greater(t, f.Knot, last+1e-9, "%d rows: %v", rows, f.Name)
			last, knots = f.Knot, knots+1
		}
		assert.Greater(t, knots, 2)
	}
	for rows, want := range map[int]int{500: 15, 497: design.DefaultKnots} { // three fifths train, 20 rows for each of 15 numbers or not
		set := tabletest.Dataset(t, tabletest.Column(tabletest.Numbers(rows), 0, "a", func(i int) string { return strconv.Itoa(i % 15) }), roles.Settings{Target: "y", Ignore: []string{"b"}, PiecewiseLinear: true})
		assert.Len(t, set.Encoding.Features, want, "%d rows", rows)
	}
}

// A basis goes from the least number of the training rows to the largest, and says what
// lies between: in the mean row, the mean.
func TestABasisHoldsTheEndsOfItsColumnAndItsMean(t *testing.T) {
	table, cells := hatTable(t, 300)
	p := tabletest.PlanOf(t, table, roles.Settings{PiecewiseLinear: true})
	split := p.Split(tabletest.Stream(3))
	e, _, err := encode.Encoding(p, split)
	require.NoError(t, err)
	least, most := math.Inf(1), math.Inf(-1)
	for _, row := range split.Train {
		if x, err := strconv.ParseFloat(cells[row][0], 64); err == nil {
			least, most = math.Min(least, x), math.Max(most, x)
		}
	}
	var knots []float64
	sums, means := map[string]float64{}, map[string]float64{}
	for j, z := range e.MeanRow() {
		f := e.Features[j]
		if f.Kind != design.FeatureKnot {
			assert.Zero(t, z, f.Name)
			continue
		}
		if sums[f.Column] += f.Knot * z; f.Column == "x" {
			knots = append(knots, f.Knot)
		}
		means[f.Column] = f.Fill
	}
	require.Len(t, knots, 8)
	assert.Equal(t, []float64{least, most}, []float64{knots[0], knots[7]})
	require.Len(t, means, 2)
	for column, mean := range means {
		assert.InEpsilon(t, mean, sums[column], 1e-12, column)
	}
}

// The first 30 of 50 rows train. With 2.5 half at 2 and half at 3, and a sixth missing, these
// are shares that can be counted.
func TestANumberWithoutKnotsKnowsWhereItsTrainingRowsAre(t *testing.T) {
	file := tabletest.Read(t, tabletest.File("a,w,day,y", 50, func(i int) string {
		a, w := []string{"0", "7", "1", "2.5", "", "7"}[i%6], 1
		if a == "2.5" {
			w = 2
		}
		if i >= 30 {
			a = "5"
		}
		return fmt.Sprintf("%s,%d,%d,%d", a, w, i, i*i%97)
	}))
	for weight, want := range map[string][]float64{
		"":  {5. / 30, 5. / 30, 2.5 / 30, 2.5 / 30, 0, 0, 0, 10. / 30},
		"w": {5. / 35, 5. / 35, 5. / 35, 5. / 35, 0, 0, 0, 10. / 35},
	} {
		plan := tabletest.PlanOf(t, file, roles.Settings{Target: "y", Numeric: []string{"a"}, Ignore: []string{"day"}, Weight: weight, Split: roles.SplitTime, By: "day"})
		features := tabletest.Must(encode.Dataset(plan, rand.New(rand.NewPCG(1, 2)))).Encoding.Features
		require.Equal(t, "a", features[0].Name)
		assert.InDeltaSlice(t, want, features[0].Shares, 1e-12, weight)
		require.Equal(t, design.FeatureMissing, features[1].Kind)
		assert.Nil(t, features[1].Shares)
	}
}
