package solve

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/fm"
	"ifmlab/core/read"
	"ifmlab/core/roles"
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
				_, err := solver.Start(Problem{Source: Whole(design.NewDense(n, d, x), y)}, fm.New(kind, d, k), rng)
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

// BenchmarkStepOfRatings times one iteration on a million training rows of 6000
// users and 4000 items.
func BenchmarkStepOfRatings(b *testing.B) {
	const rows, k = 1_666_666, 8 // of which three fifths train
	rng := rand.New(rand.NewPCG(1, 2))
	file := []byte("user,item,rating\n")
	for range rows {
		file = strconv.AppendInt(append(file, 'u'), int64(rng.IntN(6000)), 10)
		file = strconv.AppendInt(append(file, ",i"...), int64(rng.IntN(4000)), 10)
		file = strconv.AppendFloat(append(file, ','), 3.6+rng.NormFloat64(), 'f', 4, 64)
		file = append(file, '\n')
	}
	table, err := read.Read(bytes.NewReader(file), read.Options{})
	require.NoError(b, err)
	plan, err := roles.NewPlan(table, roles.Settings{Target: "rating"})
	require.NoError(b, err)
	set, err := encode.Dataset(plan, rng)
	require.NoError(b, err)
	n, d := set.Train.Z.Dims()
	for _, kind := range []fm.Kind{fm.FM, fm.IFM} {
		b.Run(fmt.Sprintf("%v/%d×%d", kind, n, d), func(b *testing.B) {
			solver := NewAGD()
			_, err := solver.Start(Problem{Source: Whole(set.Train.Z, set.Train.Y)}, fm.New(kind, d, k), rng)
			require.NoError(b, err)
			best := math.Inf(1)
			for b.Loop() {
				began := time.Now()
				_, err := solver.Step()
				require.NoError(b, err)
				best = min(best, time.Since(began).Seconds())
			}
			b.ReportMetric(1e3*best, "ms-at-best")
		})
	}
}
