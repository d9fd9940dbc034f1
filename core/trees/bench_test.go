package trees

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"ifmlab/core/design"
)

// BenchmarkGrow measures what an addition that [Work] counts takes, all else
// included, on rows of the shapes of California housing and of hourly bikes: numbers
// with more values than bins and waves in the target that trees follow to the end.
func BenchmarkGrow(b *testing.B) {
	for _, shape := range []struct{ rows, columns int }{{12384, 9}, {10429, 12}} {
		b.Run(strconv.Itoa(shape.rows)+"x"+strconv.Itoa(shape.columns), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			drawn := func(rows int) Rows {
				of := Rows{Y: make([]float64, rows)}
				for j := range shape.columns {
					x := make([]float64, rows)
					for i := range x {
						x[i] = rng.Float64()
						of.Y[i] += math.Sin(10 * x[i] * (1 + of.Y[i]/10) / float64(1+j))
					}
					of.Columns = append(of.Columns, design.Raw{Name: "x" + strconv.Itoa(j), Kind: design.Numeric, Numbers: x})
				}
				return of
			}
			train, valid := drawn(shape.rows), drawn(shape.rows/3)
			grown := 0
			for b.Loop() {
				booster := must(New(train, valid, Options{}))
				for !booster.Next() {
				}
				grown = booster.Grown()
			}
			b.ReportMetric(float64(grown), "trees")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/Work(shape.rows, shape.columns), "ns/addition")
		})
	}
}
