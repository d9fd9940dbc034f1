package linear

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/kernel"
	"ifmlab/core/read"
	"ifmlab/core/roles"
)

// classes draws rows of two classes that no plane parts, columns of other means and
// scales, of which the last is a copy of the first and some noise, and weights.
func classes(n, d int, seed uint64) (rows [][]float64, y, weight []float64) {
	rng := rand.New(rand.NewPCG(seed, 7))
	truth := gaussian(rng, d)
	for range n {
		row := gaussian(rng, d)
		row[d-1] = row[0] + .1*rng.NormFloat64()
		f := .5 + 1.5*floats.Dot(row, truth)/math.Sqrt(float64(d))
		for j := range row {
			row[j] = 3*float64(j) + row[j]*math.Pow(3, float64(j%5-2))
		}
		rows = append(rows, row)
		class := 0.0
		if rng.Float64() < kernel.Logistic(f) {
			class = 1
		}
		y, weight = append(y, class), append(weight, float64(rng.IntN(4))/2)
	}
	return rows, y, weight
}

// logisticLoss is the objective of Logistic and its gradient, of [w b], from its
// definition.
type logisticLoss struct {
	rows      [][]float64
	y, weight []float64
	lambda    float64
}

func (l logisticLoss) value(p []float64) float64 {
	d := len(p) - 1
	sum := l.lambda * floats.Dot(p[:d], p[:d]) / 2
	for i, row := range l.rows {
		f := floats.Dot(row, p[:d]) + p[d]
		// log(1 + e^f) − yf is log(1 + e^s), s = f or −f, which is max(s, 0) and a rest
		s := f * (1 - 2*l.y[i])
		sum += l.weight[i] * (max(s, 0) + math.Log1p(math.Exp(-math.Abs(s))))
	}
	return sum
}

func (l logisticLoss) gradient(g, p []float64) {
	d := len(p) - 1
	for j := range d {
		g[j] = l.lambda * p[j]
	}
	g[d] = 0
	for i, row := range l.rows {
		r := l.weight[i] * (1/(1+math.Exp(-floats.Dot(row, p[:d])-p[d])) - l.y[i])
		floats.AddScaled(g[:d], r, row)
		g[d] += r
	}
}

func TestLogisticTakesASparseDesignAsTheDenseOneOfTheSameRows(t *testing.T) {
	part, y := levels(t)
	var x []float64
	eachDense(part.Z, func(_, _ int, rows []float64) { x = append(x, rows...) })
	_, d := part.Z.Dims()
	for _, lambda := range []float64{0, 1} {
		a, b := fitted(t, part.Z, y, nil, lambda), fitted(t, design.NewDense(len(y), d, x), y, nil, lambda)
		near := 1e-10
		if lambda == 0 { // levels are collinear with the bias, and one is all of one class
			near = 1e-5
		}
		assert.InDeltaSlice(t, a.W, b.W, near)
		assert.InDelta(t, a.B, b.B, near)
	}
}

func TestSeparableRowsGetFiniteWeightsAndAreSaidToBe(t *testing.T) {
	rows, y, _ := classes(80, 4, 9)
	for i := range y {
		if y[i] = 0; rows[i][1]-rows[i][2] > -3 {
			y[i] = 1
		}
	}
	before := math.Inf(1)
	for _, lambda := range []float64{0, 1e-300, 1e-6, .01} {
		fit := fitted(t, denseOf(rows), y, nil, lambda)
		assert.True(t, fit.Separable)
		size := floats.Norm(fit.W, 2)
		assert.Less(t, size, 1e3)
		assert.LessOrEqual(t, size, before, "a higher penalty makes weights smaller")
		before = size
	}
	y[0], y[1] = 1-y[0], 1-y[1]
	assert.False(t, fitted(t, denseOf(rows), y, nil, 0).Separable)
}

func TestALevelOfOneClassHasAFiniteWeight(t *testing.T) {
	part, y := levels(t)
	fit := fitted(t, part.Z, y, nil, 0)
	assert.False(t, fit.Separable, "the other levels have both")
	assert.Less(t, largest(fit.W), 100.0)
	p := make([]float64, len(y))
	fit.Predict(p, part.Z)
	seen := 0
	for i, f := range p {
		if (part.Line[i]-2)%5 == 4 {
			assert.Greater(t, f, 5.0, "it is as good as certain all the same")
			seen++
		}
	}
	assert.Greater(t, seen, 30)
}

// levels reads rows of three columns of levels, one of which, every fifth row's, has
// ones only, as a sparse design, and returns its training rows and their classes.
func levels(t *testing.T) (design.Part, []float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, 7))
	text := "a,b,c,y\n"
	for i := range 400 {
		a, b, c, y := i%5, rng.IntN(3), rng.IntN(5), "0"
		if a == 4 || rng.Float64() < kernel.Logistic(float64(b-1)+float64(c-2)/2) {
			y = "1"
		}
		text += "k" + strconv.Itoa(a) + ",l" + strconv.Itoa(b) + ",m" + strconv.Itoa(c) + "," + y + "\n"
	}
	table := must(read.Read(strings.NewReader(text), read.Options{Name: "t.csv"}))
	plan := must(roles.NewPlan(table, roles.Settings{Target: "y"}))
	set := must(encode.Dataset(plan, rand.New(rand.NewPCG(11, 8))))
	require.IsType(t, &design.Mixed{}, set.Train.Z)
	y := slices.Clone(set.Train.Y)
	high := slices.Max(y)
	for i, v := range y {
		if y[i] = 0; v == high {
			y[i] = 1
		}
	}
	return set.Train, y
}

func TestRowsThatNothingTellsApartAreNotSeparable(t *testing.T) {
	rows, y := [][]float64{{-1}, {-1}, {1}, {1}}, []float64{0, 1, 0, 1}
	fit := fitted(t, denseOf(rows), y, nil, 0)
	assert.Zero(t, fit.W[0])
	assert.Zero(t, fit.B)
	assert.False(t, fit.Separable, "log-odds of 0 are on neither side")
}

// The objective is convex, so where its gradient is 0 there is its minimum.
func TestLogisticEndsWhereTheGradientVanishes(t *testing.T) {
	for _, c := range []struct {
		n, d   int
		lambda float64
	}{
		{200, 5, 0}, {200, 5, .1}, {200, 5, 30}, {300, 12, 1}, {300, 12, 1e4},
		{40, 60, 1}, // more columns than rows: conjugate gradients
	} {
		rows, y, weight := classes(c.n, c.d, 3)
		for _, weight := range [][]float64{nil, weight} {
			l := logisticLoss{rows, y, weight, c.lambda}
			if weight == nil {
				l.weight = slices.Repeat([]float64{1}, c.n)
			}
			got := fitted(t, denseOf(rows), y, weight, c.lambda)
			g := make([]float64, c.d+1)
			l.gradient(g, append(slices.Clone(got.W), got.B))
			size := 1.0
			for _, row := range rows {
				size = max(size, largest(row))
			}
			near := 1e-12 // the rounding of sums of n numbers of the columns' size
			if c.lambda == 0 {
				near = 1e-8 // the floor of the penalty, 1e-10 a row, is part of the slope
			}
			assert.LessOrEqual(t, largest(g), near*float64(c.n)*size, "n %d, d %d, λ %g", c.n, c.d, c.lambda)
		}
	}
}

func TestTheLogisticReferencesGradientMeetsFiniteDifferences(t *testing.T) {
	rows, y, weight := classes(60, 4, 1)
	l := logisticLoss{rows, y, weight, 3}
	at, got := []float64{.3, -.2, .1, .05, -.4}, make([]float64, 5)
	l.gradient(got, at)
	want := fd.Gradient(nil, l.value, at, &fd.Settings{Formula: fd.Central})
	// Central differences with steps of 6e-6 are good to eps·loss/6e-6.
	assert.InDeltaSlice(t, want, got, 1e-9*l.value(at))
}

// testdata/softmax.py made the numbers with scikit-learn, whose own tolerance leaves some 1e-8.
func TestSoftmaxEqualsScikitLearnsMultinomialLogisticRegression(t *testing.T) {
	text := must(os.ReadFile("testdata/softmax.json"))
	var want struct {
		X         [][]float64
		Y, Weight []float64
		Fits      []struct {
			Penalty     float64
			Weighted    bool
			Coef, Proba [][]float64
			Intercept   []float64
		}
	}
	require.NoError(t, json.Unmarshal(text, &want))
	z := design.NewDense(len(want.X), len(want.X[0]), slices.Concat(want.X...))
	for _, of := range want.Fits {
		weight := want.Weight
		if !of.Weighted {
			weight = nil
		}
		s := must(NewSoftmax(z, want.Y, weight, 4))
		fit := must(s.Fit(of.Penalty))
		f := make([]float64, len(want.Y)*4)
		fit.Predict(f, z)
		for c, own := range fit.Classes {
			assert.InDeltaSlice(t, of.Coef[c], own.W, 1e-6, "λ = %g, class %d", of.Penalty, c)
			assert.InDelta(t, of.Intercept[c], own.B, 1e-6)
		}
		for i, p := range of.Proba {
			kernel.Softmax(f[:4], f[4*i:][:4])
			assert.InDeltaSlice(t, p, f[:4], 1e-7)
		}
	}
}

// drawn returns rows of classes that columns tell in part.
func drawn(n, d, classes int) (*design.Dense, []float64) {
	rng := rand.New(rand.NewPCG(3, 5))
	x, y := make([]float64, n*d), make([]float64, n)
	for i := range y {
		y[i] = float64(i % classes)
		for j := range d {
			x[i*d+j] = rng.NormFloat64() + math.Sin(y[i]*float64(j+1))
		}
	}
	return design.NewDense(n, d, x), y
}

func TestSoftmaxOfTwoClassesIsLogisticAtHalfThePenalty(t *testing.T) {
	z, y := drawn(300, 3, 2)                                    // three blocks
	two, one := softmax(t, z, y, 2, 2), fitted(t, z, y, nil, 1) // ½·2·(‖w/2‖² + ‖−w/2‖²) = ½·1·‖w‖²
	for j, w := range one.W {
		assert.InDelta(t, w, two.Classes[1].W[j]-two.Classes[0].W[j], 1e-7) // both stop at a share of 1e-12 of the loss
	}
	assert.InDelta(t, one.B, two.Classes[1].B-two.Classes[0].B, 1e-7)
}

func TestSoftmaxOfSeparableRowsSaysSo(t *testing.T) {
	z, y := design.NewDense(9, 1, []float64{1, 2, 3, 11, 12, 13, 21, 22, 23}), []float64{0, 0, 0, 1, 1, 1, 2, 2, 2}
	assert.True(t, softmax(t, z, y, 3, 1e-3).Separable)
	large := design.NewDense(9, 1, []float64{1e3, 2e3, 3e3, 11e3, 12e3, 13e3, 21e3, 22e3, 23e3})
	assert.InEpsilon(t, softmax(t, z, y, 3, 0).Classes[2].W[0], 1e3*softmax(t, large, y, 3, 0).Classes[2].W[0], 1e-3, "without a penalty the unit of a column is nothing")
	y[0] = 2
	assert.False(t, softmax(t, z, y, 3, 1e-3).Separable)
}
