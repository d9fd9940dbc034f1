package data

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ratings is a table of users, items, a number with gaps and a rating.
func ratings(rows int) string {
	rng := rand.New(rand.NewPCG(7, 8))
	var b strings.Builder
	b.WriteString("user,item,age,rating\n")
	for range rows {
		age := fmt.Sprint(18 + rng.IntN(60))
		if rng.IntN(9) == 0 {
			age = ""
		}
		user := fmt.Sprintf("u%d", rng.IntN(40))
		if rng.IntN(30) == 0 {
			user = ""
		}
		fmt.Fprintf(&b, "%s,i%d,%s,%d\n", user, rng.IntN(25), age, 1+rng.IntN(5))
	}
	return b.String()
}

func TestOneHotColumnsNeverBecomeDense(t *testing.T) {
	table, err := Read(strings.NewReader(ratings(900)), Options{Name: "ratings.csv"})
	require.NoError(t, err)
	plan, err := table.Plan(Settings{Target: "rating", Rare: 12})
	require.NoError(t, err)
	set, err := plan.Dataset(rand.New(rand.NewPCG(1, 2)))
	require.NoError(t, err)
	z, sparse := set.Train.Z.(*CSR)
	require.True(t, sparse, "%d features of 3 columns", len(set.Encoding.Features))
	n, d := z.Dims()
	assert.Equal(t, len(set.Encoding.Features), d)
	assert.Equal(t, 540, n)
	assert.LessOrEqual(t, len(z.z.Value), 3*n)
	assert.LessOrEqual(t, int64(12*len(z.z.Value)+8*n), set.Encoding.Bytes(n))
	assert.Less(t, set.Encoding.Bytes(n), int64(8*n*d/4))

	// Written out, it is the design that a dense one would hold.
	s := plan.Split(rand.New(rand.NewPCG(1, 2)))
	x := make([]float64, n*d)
	plan.fill(&set.Encoding, s.Train, func(i, j int, v float64) { x[i*d+j] = v })
	for i := range n {
		require.Equal(t, x[i*d:][:d], z.Row(i))
	}
	want, k := NewDense(n, d, x), 3
	rng := rand.New(rand.NewPCG(3, 4))
	draw := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		return v
	}
	p, r, c := draw(d*k), draw(n*k), draw(d)
	products := func(design Design, rows int) (forward, adjoint, squares, columns []float64) {
		forward, adjoint, squares, columns = make([]float64, n*k), make([]float64, d*k), make([]float64, n), make([]float64, d)
		design.Each(rows, func(lo, hi int, b Block) {
			b.Forward(forward[lo*k:hi*k], p, k)
			b.Adjoint(adjoint, r[lo*k:hi*k], k)
			b.SquaresForward(squares[lo:hi], c)
			b.SquaresAdjoint(columns, r[lo:hi])
		})
		return
	}
	for _, rows := range []int{BlockRows, 1, 100, 1000} {
		f, a, s, q := products(z, rows)
		wf, wa, ws, wq := products(want, BlockRows)
		// The order of summation differs: sums of up to 540 products of size 1.
		assert.InDeltaSlice(t, wf, f, 1e-12)
		assert.InDeltaSlice(t, wa, a, 1e-12)
		assert.InDeltaSlice(t, ws, s, 1e-12)
		assert.InDeltaSlice(t, wq, q, 1e-12)
	}
}

func TestADesignTooLargeForABrowserIsRefused(t *testing.T) {
	e := &SizeError{File: "t.csv", Rows: 60_000, Features: 25_001, Bytes: MaxBytes, Widest: "k", Levels: 25_000}
	require.NoError(t, e.check())
	e.Bytes = 60_000 * 25_001 * 8
	require.EqualError(t, e.check(), "t.csv: 60000 rows of 25001 features are 12.0 GB, want at most 0.3; ignore k, which alone makes 25000 features, or open fewer rows")
	e.Levels = 1
	require.ErrorContains(t, e.check(), "ignore columns or open fewer rows")
}
