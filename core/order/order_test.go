package order

import (
	"cmp"
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
