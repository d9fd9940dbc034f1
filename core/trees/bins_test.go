package trees

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/design"
)

func TestAscendingSortsAsTheLibraryDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 1000} {
		values := []float64{}
		for range n {
			values = append(values, math.Float64frombits(rng.Uint64())) // NaN and infinities among them
		}
		values = append(values, math.NaN(), 0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), 1, -1, math.MaxFloat64, math.SmallestNonzeroFloat64)
		want := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
		slices.Sort(want)
		assert.Equal(t, want, ascending(values), "−0 equals 0")
	}
}

func TestUpTo255ValuesHaveABinEach(t *testing.T) {
	values := []float64{math.NaN()}
	for i := range 255 {
		for range 1 + i%3 {
			values = append(values, float64(255-i))
		}
	}
	c := column{edges: edges(values)}
	assert.Equal(t, 256, c.bins())
	assert.Zero(t, c.bin(math.NaN()))
	for v := 1; v <= 255; v++ {
		assert.EqualValues(t, v, c.bin(float64(v)))
		assert.EqualValues(t, min(v+1, 255), c.bin(float64(v)+.51), "an edge is halfway")
	}
	assert.EqualValues(t, 1, c.bin(math.Inf(-1)))
	assert.EqualValues(t, 255, c.bin(math.Inf(1)))
}

func TestMoreValuesShareBinsOfAsManyRowsAsTiesAllow(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	values := make([]float64, 10_000)
	for i := range values {
		if values[i] = math.Exp(3 * rng.NormFloat64()); i%2 == 0 {
			values[i] = 0 // half of the rows tie
		}
	}
	c := column{edges: edges(values)}
	assert.Equal(t, 256, c.bins(), "no bin is lost to the tie")
	assert.True(t, slices.IsSorted(c.edges))
	rows := make([]int, 256)
	for _, b := range c.binned(values) {
		rows[b]++
	}
	assert.Zero(t, rows[0])
	assert.Equal(t, 5000, rows[1])
	for b, n := range rows[2:] {
		assert.InDelta(t, 5000./254, n, 2, "bin %d", b+2)
	}
}

func TestAnEdgePartsTwoNeighboursHoweverNear(t *testing.T) {
	for _, pair := range [][2]float64{
		{1, math.Nextafter(1, 2)}, {-math.MaxFloat64, math.MaxFloat64}, {0, math.SmallestNonzeroFloat64},
		{math.Inf(-1), 3}, {3, math.Inf(1)}, {math.Inf(-1), math.Inf(1)}, {-1e150, 1e150},
	} {
		c := column{edges: edges([]float64{pair[1], pair[0]})}
		assert.EqualValues(t, 1, c.bin(pair[0]), "%g", pair)
		assert.EqualValues(t, 2, c.bin(pair[1]), "%g", pair)
	}
	assert.Equal(t, 1.5, between(1, 2))
	assert.Empty(t, edges([]float64{math.NaN(), 7, 7}), "one value has no edge")
}

func TestLevelsAreOrderedByTheirShrunkMean(t *testing.T) {
	raw := design.Raw{Kind: design.Categorical, Levels: []string{"low", "high", "rare", "unseen"}}
	var y []float64
	add := func(code int32, count int, target float64) {
		for range count {
			raw.Codes, y = append(raw.Codes, code), append(y, target)
		}
	}
	add(0, 15, -2)
	add(1, 5, 4)
	add(2, 4, 100)
	add(-1, 2, 0)
	var c column
	c.kind = design.Categorical
	got := c.order(&raw, y, nil)
	assert.Equal(t, map[string]float64{"low": -1.5, "high": 2, "rare": 400. / 9}, c.levels)
	assert.Equal(t, -1.5, got[0])
	assert.Equal(t, 2.0, got[15])
	for _, v := range got[20:] {
		assert.True(t, math.IsNaN(v), "a level of four rows counts as missing in training")
	}
	other := design.Raw{Kind: design.Categorical, Levels: []string{"unseen", "rare", "high"}, Codes: []int32{2, 1, 0, -1}}
	values := c.values(&other)
	assert.Equal(t, []float64{2, 400. / 9}, values[:2], "levels are known by their texts")
	assert.True(t, math.IsNaN(values[2]) && math.IsNaN(values[3]))
}

// A level a row foretells the target of its row and of no other.
func TestAHundredThousandLevelsOfOneRowAreNoFeature(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 100_000
	raw := design.Raw{Name: "id", Kind: design.Categorical}
	y := make([]float64, n)
	for i := range n {
		raw.Levels = append(raw.Levels, "id"+strconv.Itoa(i))
		raw.Codes = append(raw.Codes, int32(i))
		y[i] = rng.NormFloat64()
	}
	b := must(New(Rows{[]design.Raw{raw}, y}, Rows{[]design.Raw{raw}, y}, Options{}))
	assert.Equal(t, 2, b.columns[0].bins(), "of missing cells and of all others")
	for !b.Next() {
	}
	trees, _ := b.Best()
	assert.Zero(t, trees)
}
