package pair_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
	"ifmlab/core/pair"
)

// planted is a generated table of four numbers and three columns of 4, 6 and 20
// levels with Zipf frequencies, with noise as large as the signal, and what two
// columns together add to its targets.
type planted struct {
	columns []design.Raw
	y       []float64
	pairs   map[[2]int][]float64 // a row each
}

// plant draws a table. kind "null" has no pairs; "plain" has three of 21, two of
// them of numbers; "rare" has them on the rarest levels; "correlated" is plain with
// columns that depend on each other. shape transforms the numbers: nil leaves them
// Gaussian. All have a square that no column shows.
func plant(rng *rand.Rand, kind string, n int, shape func(float64) float64) planted {
	normal := func(m int) []float64 { return gaussian(rng, m) }
	x := make([][]float64, 4)
	for j := range x {
		x[j] = normal(n)
	}
	if kind == "correlated" {
		for i := range n {
			x[1][i] = .7*x[0][i] + math.Sqrt(.51)*x[1][i]
			x[3][i] = .7*x[2][i] + math.Sqrt(.51)*x[3][i]
		}
	}
	if shape != nil {
		for _, column := range x {
			for i, v := range column {
				column[i] = shape(v)
			}
		}
	}
	var zipf [20]float64
	sum := 0.0
	for l := range zipf {
		sum += math.Pow(float64(l+1), -1.2)
		zipf[l] = sum
	}
	codes := [3][]int32{make([]int32, n), make([]int32, n), make([]int32, n)}
	for i := range n {
		codes[0][i], codes[1][i] = rng.Int32N(4), rng.Int32N(6)
		at, _ := slices.BinarySearch(zipf[:], rng.Float64()*sum)
		codes[2][i] = int32(min(at, 19))
		if kind == "correlated" && rng.Float64() < .6 {
			codes[1][i] = codes[0][i]
		}
	}
	main := make([]float64, n)
	weights := []float64{.6, .4, -.5, 0}
	levels := [3][]float64{normal(4), normal(6), normal(20)}
	for i := range main {
		for j, w := range weights {
			main[i] += w * x[j][i]
		}
		main[i] += .4 * x[2][i] * x[2][i]
		for j := range codes {
			main[i] += .5 * levels[j][codes[j][i]]
		}
	}
	standardize(main, 1.3)
	// side is a column as numbers: its own, or one drawn for each level.
	side := func(j int) []float64 {
		if j < 4 {
			return slices.Clone(x[j])
		}
		of, v := normal(20), make([]float64, n)
		for i, c := range codes[j-4] {
			v[i] = of[c]
		}
		return v
	}
	p := planted{pairs: map[[2]int][]float64{}}
	chosen := [][2]int{{0, 2}, {1, 4}, {4, 6}}
	if kind == "rare" {
		chosen = [][2]int{{0, 6}, {5, 6}, {1, 2}}
	} else if kind == "null" {
		chosen = nil
	}
	p.y = slices.Clone(main)
	for _, at := range chosen {
		u, v := side(at[0]), side(at[1])
		standardize(u, 1)
		standardize(v, 1)
		for i := range u {
			u[i] *= v[i]
		}
		standardize(u, .35)
		p.pairs[at] = u
		for i := range u {
			p.y[i] += u[i]
		}
	}
	noise := stat.PopStdDev(p.y, nil)
	for i := range p.y {
		p.y[i] += noise * rng.NormFloat64()
	}
	for j := range x {
		p.columns = append(p.columns, design.Raw{Name: "x" + strconv.Itoa(j+1), Kind: design.Numeric, Numbers: x[j]})
	}
	for j, many := range []int{4, 6, 20} {
		raw := design.Raw{Name: string(rune('a' + j)), Kind: design.Categorical, Codes: codes[j]}
		for l := range many {
			raw.Levels = append(raw.Levels, raw.Name+strconv.Itoa(l))
		}
		p.columns = append(p.columns, raw)
	}
	return p
}

// standardize centres x and gives it this standard deviation.
func standardize(x []float64, sd float64) {
	mean, scale := stat.Mean(x, nil), sd/stat.PopStdDev(x, nil)
	for i := range x {
		x[i] = (x[i] - mean) * scale
	}
}

// search runs a search to its end.
func search(columns []design.Raw, y []float64) *pair.Result { return weighted(columns, y, nil) }

// weighted is search with weights of the rows.
func weighted(columns []design.Raw, y, weight []float64) *pair.Result {
	s := pair.New(columns, y, pair.Rows{Weight: weight}, .01)
	s.Finish()
	return s.Result()
}

func square(x []float64) (sum float64) {
	for _, v := range x {
		sum += v * v
	}
	return sum
}

func centred(x []float64) []float64 {
	mean, out := stat.Mean(x, nil), slices.Clone(x)
	for i := range out {
		out[i] -= mean
	}
	return out
}

// purifier returns what takes from a column what hats of the numbers and the levels
// explain of it, by Gram and Schmidt.
func purifier(p planted) (purified func(x []float64) []float64) {
	var basis [][]float64
	take := func(v []float64) []float64 {
		for range 2 {
			for _, b := range basis {
				kernel.Axpy(-kernel.Dot(b, v), b, v)
			}
		}
		return v
	}
	add := func(of func(i int) float64) {
		v := make([]float64, len(p.y))
		for i := range v {
			v[i] = of(i)
		}
		before := square(v)
		if after := square(take(v)); after > 1e-8*before {
			for i := range v {
				v[i] /= math.Sqrt(after)
			}
			basis = append(basis, v)
		}
	}
	add(func(int) float64 { return 1 })
	for _, raw := range p.columns {
		if raw.Codes != nil {
			for l := range raw.Levels {
				add(func(i int) float64 {
					if raw.Codes[i] == int32(l) {
						return 1
					}
					return 0
				})
			}
			continue
		}
		sorted := slices.Sorted(slices.Values(raw.Numbers))
		add(func(i int) float64 { return raw.Numbers[i] })
		add(func(i int) float64 { return raw.Numbers[i] * raw.Numbers[i] })
		for _, q := range []int{1, 2, 3} {
			knot := sorted[q*len(sorted)/4]
			add(func(i int) float64 { return max(0, raw.Numbers[i]-knot) })
		}
	}
	return func(x []float64) []float64 { return take(slices.Clone(x)) }
}
