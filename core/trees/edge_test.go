package trees

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/invalid"
)

// drawn draws n values.
func drawn(n int, seed uint64, f func(rng *rand.Rand) float64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	values := make([]float64, n)
	for i := range values {
		values[i] = f(rng)
	}
	return values
}

func normal(rng *rand.Rand) float64 { return rng.NormFloat64() }

// cauchy has tails up to 1e150.
func cauchy(rng *rand.Rand) float64 { return math.Exp(345*2*(rng.Float64()-.5)) * rng.NormFloat64() }

func always(v float64) func(*rand.Rand) float64 { return func(*rand.Rand) float64 { return v } }

func TestWhateverTheRowsAreTheresANumberForEach(t *testing.T) {
	codes := func(n, levels int) design.Raw {
		c := design.Raw{Name: "level", Kind: design.Categorical}
		for i := range levels {
			c.Levels = append(c.Levels, strconv.Itoa(i))
		}
		for i := range n {
			c.Codes = append(c.Codes, int32(i*7%(levels+1))-1)
		}
		return c
	}
	nan := math.NaN()
	for name, r := range map[string]Rows{
		"one row":               {[]design.Raw{numbers("x", []float64{1})}, []float64{3}},
		"six rows":              {[]design.Raw{numbers("x", drawn(6, 1, normal))}, drawn(6, 2, normal)},
		"ten rows":              {[]design.Raw{numbers("x", drawn(10, 1, normal))}, drawn(10, 2, normal)},
		"a constant column":     {[]design.Raw{numbers("x", drawn(200, 1, always(4)))}, drawn(200, 2, normal)},
		"nothing but missing":   {[]design.Raw{numbers("x", drawn(200, 1, always(nan))), codes(200, 0)}, drawn(200, 2, normal)},
		"a constant target":     {[]design.Raw{numbers("x", drawn(200, 1, normal))}, drawn(200, 2, always(.1))},
		"a target of 0":         {[]design.Raw{numbers("x", drawn(200, 1, normal))}, drawn(200, 2, always(0))},
		"a target of 1e150":     {[]design.Raw{numbers("x", drawn(200, 1, normal))}, drawn(200, 2, always(1e150))},
		"one target of 1e150":   {[]design.Raw{numbers("x", drawn(200, 1, normal))}, append(drawn(199, 2, normal), 1e150)},
		"heavy tails":           {[]design.Raw{numbers("x", drawn(500, 1, cauchy)), numbers("z", drawn(500, 3, cauchy))}, drawn(500, 2, cauchy)},
		"infinite cells":        {[]design.Raw{numbers("x", drawn(200, 1, func(rng *rand.Rand) float64 { return math.Inf(rng.IntN(2)*2 - 1) }))}, drawn(200, 2, normal)},
		"the largest targets":   {[]design.Raw{numbers("x", drawn(200, 1, normal))}, drawn(200, 2, func(rng *rand.Rand) float64 { return math.MaxFloat64 * (rng.Float64() - .5) })},
		"the smallest targets":  {[]design.Raw{numbers("x", drawn(200, 1, normal))}, drawn(200, 2, func(rng *rand.Rand) float64 { return math.SmallestNonzeroFloat64 * float64(rng.IntN(9)) })},
		"levels of every count": {[]design.Raw{codes(600, 200)}, drawn(600, 2, normal)},
		"the same row again":    {[]design.Raw{numbers("x", drawn(300, 1, always(1)))}, append(drawn(150, 2, always(-1)), drawn(150, 2, always(1))...)},
	} {
		t.Run(name, func(t *testing.T) {
			b := grow(t, r, r)
			least, most := math.Inf(1), math.Inf(-1)
			for _, y := range r.Y {
				least, most = min(least, y), max(most, y)
			}
			slack := (most/2-least/2)/2 + 1e-9*math.Abs(most) // trees may add up to a little beyond the targets
			for _, f := range predict(t, b, r.Columns) {
				assert.GreaterOrEqual(t, f, least-slack)
				assert.LessOrEqual(t, f, most+slack)
			}
		})
	}
}

func TestWithoutASplitThereIsNoTree(t *testing.T) {
	for name, r := range map[string]Rows{
		"nine rows":         {[]design.Raw{numbers("x", drawn(9, 1, normal))}, drawn(9, 2, normal)},
		"a constant column": {[]design.Raw{numbers("x", drawn(200, 1, always(4)))}, drawn(200, 2, normal)},
		"a constant target": {[]design.Raw{numbers("x", drawn(200, 1, normal))}, drawn(200, 2, always(.1))},
	} {
		b := grow(t, r, r)
		trees, leaves := b.Best()
		assert.Equal(t, []int{0, settings[0].leaves}, []int{trees, leaves}, "%s: of equal losses the first counts", name)
		assert.Equal(t, 2, b.Grown(), "each setting tries once")
		mean := 0.0
		for _, y := range r.Y {
			mean += y / float64(len(r.Y))
		}
		assert.InDelta(t, mean, predict(t, b, r.Columns)[0], 1e-12, name)
	}
	r := Rows{[]design.Raw{numbers("x", drawn(200, 1, always(4)))}, slices.Repeat([]float64{0, 1, 0, 0, 1}, 40)}
	assert.InDelta(t, math.Log(2./3), predict(t, whole(t, r, r, Options{Classes: true}), r.Columns)[0], 1e-12, "log-odds of classes")
}

func TestValidationRowsBeyondAllNumbersChooseTheMean(t *testing.T) {
	train, valid := city(1, 100), city(2, 50)
	for i := range train.Y {
		train.Y[i] = math.Ldexp(train.Y[i], -900)
	}
	valid.Y[3] = math.MaxFloat64
	b := grow(t, train, valid)
	trees, _ := b.Best()
	assert.Zero(t, trees)
	assert.Equal(t, 2*patience, b.Grown())
	for _, f := range predict(t, b, valid.Columns) {
		assert.Equal(t, b.mean*b.scale, f)
	}
}

func TestEveryLeafHasTheRowsThatItMust(t *testing.T) {
	for rows, want := range map[int]int{60: 5, 249: 5, 500: 10, 999: 19, 1000: 20, 5000: 20} {
		assert.Equal(t, want, minRows(rows))
		train := city(1, rows)
		b := must(New(train, city(2, 100), Options{}))
		for range 10 {
			b.Next()
		}
		for _, tree := range b.ensembles[0].trees {
			leaves := 0
			for _, n := range rowsOf(tree, b.train.bins, rows) {
				assert.GreaterOrEqual(t, n, want)
			}
			for _, n := range tree {
				if n.left == 0 {
					leaves++
				}
			}
			assert.LessOrEqual(t, leaves, 31)
		}
	}
}

// rowsOf returns the number of rows in each node of a tree.
func rowsOf(grown tree, bins [][]uint8, rows int) []int {
	in := make([]int, len(grown))
	for row := range rows {
		at := int32(0)
		for {
			in[at]++
			n := grown[at]
			if n.left == 0 {
				break
			}
			if at = n.right; n.goesLeft(bins[n.column][row]) {
				at = n.left
			}
		}
	}
	return in
}

// Work counts what growing takes at most; on real rows it is not far from that.
func TestWorkIsABoundThatIsNearlyReached(t *testing.T) {
	const rows = 3000
	train := city(1, rows)
	b := must(New(train, city(2, 100), Options{}))
	for range 10 {
		b.Next()
	}
	counted := 0
	for _, tree := range b.ensembles[0].trees {
		in := rowsOf(tree, b.train.bins, rows)
		counted += rows
		for _, n := range tree {
			if n.left != 0 {
				counted += min(in[n.left], in[n.right])
			}
		}
	}
	columns := len(train.Columns)
	share := float64(counted) / 10 / rows // of the rows, columns times a tree
	assert.Less(t, share, 1+5./2)
	assert.Greater(t, share, 1.5)
	without := Work(rows, columns) - 500*rows*float64(columns+6)*(1+5./2) - 800*(rows+rows+rows/3)*float64(columns+6)*(1+4./2)
	assert.Equal(t, float64(columns*256*8*(500*31+2*800*15)), without, "and a look at every bin for every leaf")
	assert.Less(t, Work(100, 5), Work(200, 5))
	assert.Less(t, Work(200, 5), Work(200, 6))
	assert.Less(t, Work(1000, 10), Quick)
	assert.Greater(t, Work(100_000, 10), Quick)
}

func TestMisuseIsATypedErrorThatSaysWhatIsWanted(t *testing.T) {
	good := func() Rows { return city(1, 50) }
	edit := func(f func(r *Rows)) Rows {
		r := good()
		f(&r)
		return r
	}
	for want, parts := range map[string][2]Rows{
		"trees: there are no training rows, expected at least 1":                                                  {{}, good()},
		"trees: there are no validation rows, expected at least 1":                                                {good(), {}},
		"trees: there are no columns, expected at least 1":                                                        {{Y: []float64{1}}, good()},
		"trees: z has 49 cells in training rows, expected 50":                                                     {edit(func(r *Rows) { r.Columns[1].Numbers = r.Columns[1].Numbers[1:] }), good()},
		"trees: place has 0 cells in validation rows, expected 50":                                                {good(), edit(func(r *Rows) { r.Columns[2].Codes = nil })},
		"trees: place has level 9 in validation row 3 and a list of 4 levels":                                     {good(), edit(func(r *Rows) { r.Columns[2].Codes[3] = 9 })},
		"trees: validation rows have 2 columns, expected 3 as in the training rows":                               {good(), edit(func(r *Rows) { r.Columns = r.Columns[:2] })},
		"trees: column 0 of validation rows is u (numeric), expected x (numeric) as in the training rows":         {good(), edit(func(r *Rows) { r.Columns[0].Name = "u" })},
		"trees: column 0 of validation rows is place (categorical), expected x (numeric) as in the training rows": {good(), edit(func(r *Rows) { r.Columns[0], r.Columns[2] = r.Columns[2], r.Columns[0] })},
	} {
		_, err := New(parts[0], parts[1], Options{})
		require.ErrorAs(t, err, new(*invalid.ShapeError), want)
		assert.Equal(t, want, err.Error())
	}
	nan, inf := edit(func(r *Rows) { r.Y[7] = math.NaN() }), edit(func(r *Rows) { r.Y[7] = math.Inf(1) })
	for part, rows := range map[string][2]Rows{"training": {nan, good()}, "validation": {good(), inf}} {
		_, err := New(rows[0], rows[1], Options{})
		require.ErrorAs(t, err, new(*invalid.NotFiniteError))
		assert.Contains(t, err.Error(), "target of "+part+" row 7 is")
		assert.Contains(t, err.Error(), "Correct it or leave the row out")
	}
	b := grow(t, good(), good())
	_, err := b.Predict(nil)
	require.ErrorAs(t, err, new(*invalid.ShapeError))
	_, err = b.Predict(edit(func(r *Rows) { r.Columns[1].Numbers = nil }).Columns)
	require.ErrorAs(t, err, new(*invalid.ShapeError))
	assert.Empty(t, predict(t, b, []design.Raw{numbers("x", nil), numbers("z", nil), {Name: "place", Kind: design.Categorical}}))
}

func TestHistogramsThatWouldNotFitAreATypedError(t *testing.T) {
	values := drawn(300, 1, normal) // leaves of 6 rows at least: 26 histograms of 256 bins of 8 bytes a column
	var columns []design.Raw
	for range 5300 {
		columns = append(columns, numbers("x", values))
	}
	r := Rows{columns[:5000], drawn(300, 2, normal)}
	_, err := New(r, r, Options{})
	require.NoError(t, err)
	r.Columns = columns
	_, err = New(r, r, Options{})
	require.ErrorAs(t, err, new(*SizeError))
	assert.Equal(t, "trees: the histograms of 5300 columns take 282 MB, expected at most 268. Ignore some columns", err.Error())
}
