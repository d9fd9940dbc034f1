package pair

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/design"
)

// written out densely: the hats, levels, flags and parabolas of a column, found
// otherwise than column.go finds them.
func denseFeatures(raw design.Raw) (features [][]float64, products int) {
	n := len(raw.Numbers) + len(raw.Codes)
	feature := func(of func(i int) float64) {
		x := make([]float64, n)
		for i := range x {
			x[i] = of(i)
		}
		features = append(features, x)
	}
	if raw.Codes != nil {
		seen := map[int32]int{}
		for _, c := range raw.Codes {
			seen[c]++
		}
		rare := false
		for at := range len(raw.Levels) + 1 { // missing cells come last
			l := int32(at)
			if at == len(raw.Levels) {
				l = -1
			}
			if seen[l] >= MinRows || l < 0 && seen[l] > 0 {
				feature(func(i int) float64 { return of(raw.Codes[i] == l) })
			} else {
				rare = rare || seen[l] > 0
			}
		}
		if rare {
			feature(func(i int) float64 { return of(raw.Codes[i] >= 0 && seen[raw.Codes[i]] < MinRows) })
		}
		return features, len(features)
	}
	var values []float64
	for _, v := range raw.Numbers {
		if !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	at := slices.Compact(slices.Clone(values))
	few := len(at) <= 5
	if !few {
		at = nil
		for q := range 5 {
			h := float64(q) / 4 * float64(len(values)-1)
			lo := int(math.Floor(h))
			at = append(at, values[lo]+(h-float64(lo))*(values[min(lo+1, len(values)-1)]-values[lo]))
		}
		at = slices.Compact(at)
	}
	hat := func(k int, v float64) float64 {
		left, right := 1.0, 1.0
		if k > 0 {
			left = (v - at[k-1]) / (at[k] - at[k-1])
		}
		if k+1 < len(at) {
			right = (at[k+1] - v) / (at[k+1] - at[k])
		}
		return max(0, min(left, right, 1))
	}
	for k := range at {
		feature(func(i int) float64 {
			if math.IsNaN(raw.Numbers[i]) {
				return 0
			}
			return hat(k, raw.Numbers[i])
		})
	}
	if len(values) < n {
		feature(func(i int) float64 { return of(math.IsNaN(raw.Numbers[i])) })
	}
	products = len(features)
	if !few {
		for k := range len(at) - 1 {
			feature(func(i int) float64 {
				if math.IsNaN(raw.Numbers[i]) {
					return 0
				}
				return hat(k, raw.Numbers[i]) * hat(k+1, raw.Numbers[i])
			})
		}
	}
	return features, products
}

func of(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// span returns an orthonormal basis of columns, without directions shorter than a
// share of the longest.
func span(columns [][]float64, least float64) *mat.Dense {
	n := len(columns[0])
	x := mat.NewDense(n, len(columns), nil)
	for j, c := range columns {
		x.SetCol(j, c)
	}
	var svd mat.SVD
	if !svd.Factorize(x, mat.SVDThin) {
		panic("no decomposition")
	}
	var u mat.Dense
	svd.UTo(&u)
	rank := 0
	for _, v := range svd.Values(nil) {
		if v > least*svd.Values(nil)[0] {
			rank++
		}
	}
	return mat.DenseCopyOf(u.Slice(0, n, 0, rank))
}

// without returns x less its projection.
func without(x []float64, q *mat.Dense) []float64 {
	var share, back mat.VecDense
	v := mat.NewVecDense(len(x), slices.Clone(x))
	share.MulVec(q.T(), v)
	back.MulVec(q, &share)
	v.SubVec(v, &back)
	return v.RawVector().Data
}

func square(x []float64) (sum float64) {
	for _, v := range x {
		sum += v * v
	}
	return sum
}

// mixedTable has all kinds of columns that a table may have.
func mixedTable(rng *rand.Rand, n int) (columns []design.Raw, y []float64) {
	numbers := func(of func(i int) float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = of(i)
		}
		return x
	}
	codes := func(levels int, of func() int32) design.Raw {
		raw := design.Raw{Kind: design.Categorical, Codes: make([]int32, n), Levels: make([]string, levels)}
		for i := range raw.Codes {
			raw.Codes[i] = of()
		}
		return raw
	}
	x := numbers(func(int) float64 { return 1e3 + 1e-3*rng.NormFloat64() })
	holes := numbers(func(int) float64 {
		if rng.IntN(9) == 0 {
			return math.NaN()
		}
		return math.Exp(rng.NormFloat64())
	})
	columns = []design.Raw{
		{Numbers: x}, {Numbers: holes},
		{Numbers: numbers(func(int) float64 { return float64(rng.IntN(4)) })},
		codes(7, func() int32 { return min(6, int32(rng.ExpFloat64()*2)) }),
		codes(40, func() int32 { return int32(rng.IntN(41)*rng.IntN(41)/41) - 1 }),
		{Numbers: numbers(func(i int) float64 { return 2 - 5*x[i] })}, // the first column once more
	}
	y = numbers(func(i int) float64 {
		return rng.NormFloat64() + 500*(x[i]-1e3)*columns[2].Numbers[i] + float64(columns[3].Codes[i]*columns[4].Codes[i])/20
	})
	return columns, y
}

func TestTheTestIsTheOneOfDenseLeastSquares(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 7))
	columns, y := mixedTable(rng, 600)
	weight := make([]float64, len(y))
	for i := range weight {
		weight[i] = 40 * rng.ExpFloat64()
	}
	t.Run("rows of equal weight", func(t *testing.T) { denseTest(t, columns, y, nil) })
	t.Run("rows with weights", func(t *testing.T) { denseTest(t, columns, y, weight) })
}

// denseTest compares a search with least squares on features written out densely. Weights
// are scaled to sum up to the number of rows of equal weight that tell as much.
func denseTest(t *testing.T, columns []design.Raw, y, weight []float64) {
	s := New(columns, y, Rows{Weight: weight}, .01)
	for s.stage != Testing {
		s.Next()
	}
	for at := range s.pairs {
		s.test(at)
	}
	n := len(y)
	c, rows := make([]float64, n), n
	for i := range c {
		c[i] = 1
	}
	if weight != nil {
		rows = int(math.Round(floats.Sum(weight) * floats.Sum(weight) / square(weight)))
		require.Less(t, rows, 400, "which is other than the number of rows")
		floats.ScaleTo(c, float64(rows)/floats.Sum(weight), weight)
	}
	scaled := func(x []float64) []float64 {
		out := make([]float64, n)
		for i, v := range x {
			out[i] = math.Sqrt(c[i]) * v
		}
		return out
	}
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	all, features, products := [][]float64{ones}, [][][]float64{}, []int{}
	for _, raw := range columns {
		f, p := denseFeatures(raw)
		all, features, products = append(all, f...), append(features, f), append(products, p)
	}
	for i, f := range all {
		all[i] = scaled(f)
	}
	main := span(all, 1e-6)
	_, rank := main.Dims()
	require.Equal(t, rank, s.main.rank())
	variance := square(without(scaled(y), span([][]float64{scaled(ones)}, 0))) / float64(rows)
	r := without(scaled(y), main)
	assert.InEpsilon(t, square(r)/variance, square(s.main.residual), 1e-9)

	var left []int
	for _, pair := range s.pairs {
		var free [][]float64
		for _, f := range features[pair.p][:products[pair.p]] {
			for _, g := range features[pair.q][:products[pair.q]] {
				sum, squares, product := 0.0, 0.0, make([]float64, n)
				for i := range product {
					product[i] = f[i] * g[i]
					sum += c[i] * product[i]
					squares += c[i] * c[i] * product[i] * product[i]
				}
				if sum > 0 && sum*sum >= MinRows*squares {
					free = append(free, without(scaled(product), main))
				}
			}
		}
		require.Len(t, free, pair.block.width, "%d × %d", pair.p, pair.q)
		whole := 0.0
		for _, f := range free {
			whole = max(whole, square(f))
		}
		if whole < 1e-9*float64(n) { // nothing that main effects do not explain
			assert.Zero(t, pair.tested.df, "%d × %d", pair.p, pair.q)
			left = append(left, pair.p, pair.q)
			continue
		}
		u := span(free, 1e-5)
		_, df := u.Dims()
		require.Equal(t, df, pair.tested.df, "%d × %d", pair.p, pair.q)
		rest := square(without(r, u))
		sum := square(r) - rest
		noise := rest / float64(rows-rank-df)
		f := sum / float64(df) / noise
		assert.InEpsilon(t, f, pair.tested.f, 1e-7, "%d × %d", pair.p, pair.q)
		assert.InEpsilon(t, noise/variance, pair.tested.noise, 1e-8)
		assert.InEpsilon(t, sum/variance, pair.tested.sum, 1e-7)
		assert.InDelta(t, logTail(f, float64(df), float64(rows-rank-df)), pair.tested.logP, 1e-5)

		again := s.robustTest(pair)
		for i := range n {
			again.add([]int32{int32(i)})
		}
		assert.InDelta(t, denseRobust(r, main, without(r, u), free, pair.support, rows), again.logP(), 1e-5, "%d × %d", pair.p, pair.q)
	}
	assert.Equal(t, []int{0, 5}, left, "a column and the same in other units")
}

// denseRobust is the test for noise of any size on products written out densely, less main
// effects: Gram and Schmidt, the products of most rows first.
func denseRobust(r []float64, main *mat.Dense, e []float64, products [][]float64, support []float64, rows int) float64 {
	n, rank := main.Dims()
	turn := make([]int, len(products))
	for j := range turn {
		turn[j] = j
	}
	slices.SortStableFunc(turn, func(i, j int) int { return cmp.Compare(support[j], support[i]) })
	var q [][]float64
	for _, j := range turn {
		v := slices.Clone(products[j])
		for range 2 {
			for _, u := range q {
				floats.AddScaled(v, -floats.Dot(u, v), u)
			}
		}
		if square(v) > 1e-7 {
			floats.Scale(1/math.Sqrt(square(v)), v)
			q = append(q, v)
		}
	}
	var of []int
	for j, u := range q {
		fourth := 0.0
		for _, v := range u {
			fourth += v * v * v * v
		}
		if leastSupport*fourth <= 1 {
			of = append(of, j)
		}
	}
	b, sum, plain := mat.NewSymDense(len(of), nil), 0.0, 0.0
	for i := range n {
		h, row := mat.Dot(main.RowView(i), main.RowView(i)), mat.NewVecDense(len(of), nil)
		for _, u := range q {
			h += u[i] * u[i]
		}
		for k, j := range of {
			row.SetVec(k, q[j][i])
		}
		b.SymRankOne(b, e[i]*e[i]/(1-h)/(1-h), row)
		plain += mat.Dot(row, row) / (1 - h) / float64(len(of))
	}
	for _, j := range of {
		sum += floats.Dot(q[j], r) * floats.Dot(q[j], r)
	}
	trace, norm := mat.Trace(b), mat.Norm(b, 2)
	return logTail(sum/trace*plain, trace*trace/norm/norm, float64(min(n-1, rows-rank-len(q))))
}

func TestAPairIsPurifiedOfNamedOnesInTurnAsAtOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 7))
	columns, y := mixedTable(rng, 600)
	s := New(columns, y, Rows{}, .01)
	for len(s.named) < 1 || s.stage != Testing || s.step < s.steps-1 {
		require.False(t, s.Done(), "a pair must be named")
		s.Next()
	}
	for _, c := range s.pairs[:s.step] {
		fresh := s.newCandidate(c.p, c.q)
		fresh.advance(s.basis, &s.scratch)
		again := fresh.solve(s.basis, &s.scratch)
		assert.Equal(t, again.df, c.tested.df)
		if again.df > 0 {
			assert.InEpsilon(t, again.f, c.tested.f, 1e-6, "%d × %d", c.p, c.q)
		}
	}
}
