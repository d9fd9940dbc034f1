package order

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSortSortsAsTheLibraryDoesAndKeepsEqualsInTheirOrder(t *testing.T) {
	type row struct{ line, seen int }
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 19, 20, 21, 500} {
		rows := make([]row, n)
		for i := range rows {
			rows[i] = row{line: rng.IntN(n/2 + 1), seen: i}
		}
		byLine := func(a, b row) int { return cmp.Compare(a.line, b.line) }
		want := slices.Clone(rows)
		slices.SortStableFunc(want, byLine)
		Sort(rows, byLine)
		assert.Equal(t, want, rows, "%d rows", n)
	}
}

func TestOfTellsWhereEachCameFrom(t *testing.T) {
	names := []string{"c", "a", "b", "a"}
	assert.Equal(t, []int{1, 3, 2, 0}, Of(len(names), func(i, j int) int { return strings.Compare(names[i], names[j]) }))
}

// The middle of two is their mean, and of n numbers 0 … n−1 the p-quantile is p·(n−1).
func TestQuantileIsStraightBetweenTwoNumbers(t *testing.T) {
	assert.Equal(t, []float64{2, 3, 4}, []float64{Quantile([]float64{2, 4}, 0), Quantile([]float64{2, 4}, .5), Quantile([]float64{2, 4}, 1)})
	sorted := make([]float64, 20)
	for i := range sorted {
		sorted[i] = float64(i)
	}
	for _, p := range []float64{0, .05, .5, .95, 1} {
		assert.InDelta(t, 19*p, Quantile(sorted, p), 1e-12)
	}
}

func TestNumberingNumbersKeysByFirstAppearance(t *testing.T) {
	keys := map[string]func(i int) uint64{
		"small":             func(i int) uint64 { return uint64(i % 700) },
		"differ high alone": func(i int) uint64 { return uint64(i%700) << 54 },
		"differ in halves":  func(i int) uint64 { return uint64(i%700)<<32 | uint64(i%700) }, // which key ^ key>>32 makes equal in the low half
		"numbers":           func(i int) uint64 { return math.Float64bits(float64(i%700) / 8) },
	}
	for name, key := range keys {
		t.Run(name, func(t *testing.T) {
			var got Numbering
			want := map[uint64]int{}
			for i := range 2000 {
				k := key(i)
				if _, ok := want[k]; !ok {
					want[k] = len(want)
				}
				assert.Equal(t, want[k], got.Of(k))
			}
			assert.Len(t, got.Keys, len(want))
		})
	}
}
