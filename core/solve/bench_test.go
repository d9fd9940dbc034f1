package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ifmlab/core/data"
	"ifmlab/core/fm"
)

// BenchmarkStep times one iteration on 15000 rows of 100 columns.
func BenchmarkStep(b *testing.B) {
	const n, d = 15000, 100
	rng := rand.New(rand.NewPCG(1, 1))
	x, y := make([]float64, n*d), make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	for i := range y {
		y[i] = rng.NormFloat64()
	}
	for _, kind := range []fm.Kind{fm.FM, fm.IFM} {
		for _, k := range []int{3, 5, 8} {
			b.Run(fmt.Sprintf("%v/k=%d", kind, k), func(b *testing.B) {
				solver := NewAGD()
				_, err := solver.Start(Problem{Source: Whole(data.NewDense(n, d, x), y)}, fm.New(kind, d, k), rng)
				require.NoError(b, err)
				best := math.Inf(1)
				for b.Loop() {
					began := time.Now()
					_, err := solver.Step()
					require.NoError(b, err)
					best = min(best, time.Since(began).Seconds())
				}
				b.ReportMetric(1e3*best, "ms-at-best") // what a busy machine disturbs least
			})
		}
	}
}
