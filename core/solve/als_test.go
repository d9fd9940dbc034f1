package solve

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/fm"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

// tableRows reads a table with levels, gaps and, with hats, piecewise-linear bases,
// so that its design has all three forms of a feature.
func tableRows(t *testing.T, hats bool) design.Part {
	t.Helper()
	rng := random(8)
	text := tabletest.File("a,b,colour,shape,y", 400, func(int) string {
		x, u := rng.NormFloat64(), rng.Float64()
		c, s := rng.IntN(6), rng.IntN(2)
		y := x*u*float64(c-2) + float64(s) + .1*rng.NormFloat64()
		cell := number(u)
		if rng.IntN(10) == 0 {
			cell = ""
		}
		return number(x) + "," + cell + "," + string(rune('p'+c)) + "," + string(rune('u'+s)) + "," + number(y)
	})
	table := tabletest.Must(read.Read(strings.NewReader(text), read.Options{Name: "t.csv"}))
	plan := tabletest.Must(roles.NewPlan(table, roles.Settings{Target: "y", PiecewiseLinear: hats}))
	set := tabletest.Must(encode.Dataset(plan, random(9)))
	require.IsType(t, &design.Mixed{}, set.Train.Z)
	return set.Train
}

func number(v float64) string {
	text, _ := json.Marshal(math.Round(v*1e6) / 1e6)
	return string(text)
}

// written returns a design as a dense one.
func written(z design.Design) *design.Dense {
	n, d := z.Dims()
	identity := make([]float64, d*d)
	for j := range d {
		identity[j*d+j] = 1
	}
	x := make([]float64, n*d)
	z.Each(design.BlockRows, func(lo, hi int, b design.Block) { b.Forward(x[lo*d:hi*d], identity, d) })
	return design.NewDense(n, d, x)
}

// alsObjective is what ALS minimises, from its definition.
func alsObjective(m *fm.Model, z *design.Dense, y []float64, weights, lambda float64) float64 {
	half := objective(m, z, y, lambda)
	for _, w := range m.W {
		half += (weights - lambda) * w * w / 2
	}
	return half
}

func TestALSGoesOnToTheLowestPointOfTheLineThatASweepTook(t *testing.T) {
	for _, hats := range []bool{false, true} {
		part := tableRows(t, hats)
		dense := written(part.Z)
		_, d := part.Z.Dims()
		for _, kind := range []fm.Kind{fm.FM, fm.GFM, fm.IFM} {
			const k, weights, lambda = 2, 3, .7
			m, s := fm.New(kind, d, k), &ALS{Weights: weights}
			run(t, s, Problem{Source: Whole(part.Z, part.Y), Penalty: L2(lambda)}, m, 2, 0)
			for range 3 {
				before := clone(m)
				s.saveState()
				s.sweep()
				swept := clone(m)
				s.extrapolate()
				found := alsObjective(m, dense, part.Y, weights, lambda)
				assert.LessOrEqual(t, found, alsObjective(swept, dense, part.Y, weights, lambda)*(1+1e-12))
				for _, step := range []float64{.01, .1, .3, 1, 2, 3, 5, 10, 30} {
					at := clone(swept)
					at.B += step * (swept.B - before.B)
					for _, of := range [][3][]float64{{at.W, swept.W, before.W}, {at.U, swept.U, before.U}, {at.V, swept.V, before.V}} {
						for i := range of[0] {
							of[0][i] += step * (of[1][i] - of[2][i])
						}
					}
					assert.GreaterOrEqual(t, alsObjective(at, dense, part.Y, weights, lambda), found*(1-1e-12), "%v, step %g", kind, step)
				}
				assert.InEpsilon(t, found, s.progress().Loss, 1e-9, "what it keeps is what the model says")
			}
		}
	}
}

func TestAWarmALSGoesOnWhereAnotherEndedUnlessThatHadDied(t *testing.T) {
	part := tableRows(t, false)
	_, d := part.Z.Dims()
	problem := func(lambda float64) Problem {
		return Problem{Source: Whole(part.Z, part.Y), Penalty: L2(lambda)}
	}
	m, s := fm.New(fm.IFM, d, 2), &ALS{Weights: 1}
	run(t, s, problem(10), m, 5, 0)
	var progress Progress
	progress = advance(t, s, 30)
	s.Warm = true
	again := run(t, s, problem(10), m, 6, 0)
	assert.InEpsilon(t, progress.RMSE, again.RMSE, 1e-12)

	clear(m.U)
	clear(m.V)
	run(t, s, problem(10), m, 6, 0)
	assert.NotZero(t, m.U[0], "at 0 the gradient of the factors is 0, and stays so")
	again = advance(t, s, 60)
	assert.InEpsilon(t, progress.Loss, again.Loss, .02, "another start ends as well")
}

// classesOf returns rows of classes that a product of two columns tells.
func classesOf(n, classes int) (*design.Dense, []float64, []float64) {
	rng := rand.New(rand.NewPCG(5, 9))
	x, y, weight := make([]float64, 0, 3*n), make([]float64, n), make([]float64, n)
	for i := range n {
		a, b, c := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		x = append(x, a, b, c)
		y[i] = math.Mod(math.Abs(math.Floor(2*a*b+c+.3*rng.NormFloat64())), float64(classes))
		weight[i] = float64(1 + i%3)
	}
	return design.NewDense(n, 3, x), y, weight
}

// softmaxObjective is the softmax loss and the penalty, slow and obvious.
func softmaxObjective(m *fm.Model, z *design.Dense, y, weight []float64, w, l float64) (sum float64) {
	k := len(m.Classes)
	f := make([]float64, len(y)*k)
	m.Predict(f, z, nil)
	for i, class := range y {
		all := 0.0
		for _, v := range f[i*k:][:k] {
			all += math.Exp(v)
		}
		sum += weight[i] * (math.Log(all) - f[i*k+int(class)])
	}
	for _, of := range m.Classes {
		for _, v := range of.W {
			sum += w / 2 * v * v
		}
		for _, v := range append(append([]float64(nil), of.U...), of.V...) {
			sum += l / 2 * v * v
		}
	}
	return sum
}

// parameters lists pointers to all numbers of a model.
func parameters(m *fm.Model) (all []*float64) {
	for _, of := range m.Classes {
		all = append(all, &of.B)
		for _, block := range [][]float64{of.W, of.U, of.V} {
			for i := range block {
				all = append(all, &block[i])
			}
		}
	}
	return all
}

// The sweeps never raise the objective, end where all its derivatives vanish, and report it.
func TestSweepsOverClassesDescendToAStationaryPointOfTheSoftmaxLoss(t *testing.T) {
	z, y, weight := classesOf(90, 3)
	for _, kind := range []fm.Kind{fm.FM, fm.GFM, fm.IFM} {
		m, s := fm.NewClasses(kind, 3, 1, 3), &ALS{Weights: 2}
		p := tabletest.Must(s.Start(Problem{Source: Weighted(z, y, weight), Loss: Softmax, Penalty: L2(3)}, m, rand.New(rand.NewPCG(1, 2))))
		for range 600 {
			next := advance(t, s, 1)
			require.LessOrEqual(t, next.Loss, p.Loss*(1+1e-12))
			require.Greater(t, next.Passes, p.Passes)
			p = next
		}
		assert.InEpsilon(t, softmaxObjective(m, z, y, weight, 2, 3), p.Loss, 1e-10)
		assert.InEpsilon(t, softmaxObjective(m, z, y, weight, 0, 0)/floats.Sum(weight), p.LogLoss, 1e-10)
		all := parameters(m)
		at := make([]float64, len(all))
		for i, v := range all {
			at[i] = *v
		}
		gradient := fd.Gradient(nil, func(x []float64) float64 {
			for i, v := range x {
				*all[i] = v
			}
			return softmaxObjective(m, z, y, weight, 2, 3)
		}, at, &fd.Settings{Formula: fd.Central})
		for _, g := range gradient {
			assert.InDelta(t, 0, g, 1e-3*p.Loss, "%v", kind) // sweeps converge linearly
		}
	}
}

// judged is what ALS minimises with weights or the logistic loss, as a function of all
// parameters [b w U V], or [b w U] of FM: losses from their definitions, over the
// predictions and derivatives of everything, which knows squares alone.
type judged struct {
	everything
	loss            Loss
	weight          []float64
	weights, lambda float64 // penalties of w and of the factors
}

// prediction returns f of all rows.
func (j judged) prediction(p []float64) []float64 {
	e := j.everything
	e.y = make([]float64, len(j.y))
	return e.residual(p)
}

func (j judged) value(p []float64) float64 {
	sum := (j.weights*floats.Dot(p[1:1+j.d], p[1:1+j.d]) + j.lambda*floats.Dot(p[1+j.d:], p[1+j.d:])) / 2
	for i, f := range j.prediction(p) {
		switch {
		case j.loss == Squared:
			sum += j.weight[i] * (f - j.y[i]) * (f - j.y[i]) / 2
		default:
			s := f * (1 - 2*j.y[i]) // the loss is log(1 + e^s)
			sum += j.weight[i] * (max(s, 0) + math.Log1p(math.Exp(-math.Abs(s))))
		}
	}
	return sum
}

// slope sets g to the gradient: that of squares whose residuals are the derivatives of
// the loss.
func (j judged) slope(g, p []float64) {
	e := j.everything
	f := j.prediction(p)
	e.y = make([]float64, len(f))
	for i, v := range f {
		r := v - j.y[i]
		if j.loss == Logistic {
			r = 1/(1+math.Exp(-v)) - j.y[i]
		}
		e.y[i] = v - j.weight[i]*r
	}
	e.gradient(g, p)
	for i := range g {
		switch {
		case i > j.d:
			g[i] += j.lambda * p[i]
		case i > 0:
			g[i] += j.weights * p[i]
		}
	}
}

// of returns the parameters of a model.
func (j judged) of(m *fm.Model) []float64 {
	p := append(append([]float64{m.B}, m.W...), m.U...)
	if j.kind != fm.FM {
		p = append(p, m.V...)
	}
	return p
}

// classified returns a table's training rows, their classes and weights, some of
// which are 0, and the objective of a kind over them.
func classified(t *testing.T, kind fm.Kind, loss Loss, hats bool) (design.Part, judged) {
	part := tableRows(t, hats)
	rng := random(5)
	n, d := part.Z.Dims()
	for i, y := range part.Y {
		part.Weight = append(part.Weight, float64(rng.IntN(4))/2)
		if loss == Logistic {
			if part.Y[i] = 0; rng.Float64() < 1/(1+math.Exp(-2*y)) {
				part.Y[i] = 1
			}
		}
	}
	z := written(part.Z)
	j := judged{everything: everything{kind: kind, d: d, k: 2, x: dense(z), y: part.Y}, loss: loss, weight: part.Weight, weights: .5, lambda: 3}
	require.Len(t, part.Weight, n)
	return part, j
}

// fittedALS runs sweeps from a start of its own and returns where the last one ended.
func fittedALS(t *testing.T, z design.Design, j judged, weight []float64, sweeps int) (*fm.Model, Progress) {
	t.Helper()
	m, s := fm.New(j.kind, j.d, j.k), &ALS{Weights: j.weights}
	progress := run(t, s, Problem{Source: Weighted(z, j.y, weight), Loss: j.loss, Penalty: L2(j.lambda)}, m, 3, 0)
	for range sweeps {
		last := progress
		progress = advance(t, s, 1)
		require.LessOrEqual(t, progress.Loss, last.Loss*(1+1e-12))
	}
	return m, progress
}

func TestALSOfSeparableRowsStaysFinite(t *testing.T) {
	for _, kind := range kinds {
		part, j := classified(t, kind, Logistic, false)
		for i, f := range j.prediction(gaussian(random(4), j.size())) {
			if part.Y[i] = 0; f > 0 {
				part.Y[i] = 1
			}
		}
		for _, penalty := range []float64{0, 1e-9, .01} {
			j.weights, j.lambda = penalty, penalty
			m, progress := fittedALS(t, part.Z, j, nil, 60)
			assert.Less(t, floats.Norm(j.of(m), math.Inf(1)), 1e6)
			assert.Less(t, progress.LogLoss, .3)
			assert.False(t, math.IsNaN(progress.LogLoss))
		}
	}
}

// Where classes are level and all log-odds are just beyond where a step of Newton's
// throws them further to the other side, the step is halved and lowers the loss.
func TestTheLevelOfClassesNeverRaisesTheLoss(t *testing.T) {
	for _, odds := range []float64{1, 2.17, 2.1774, 2.178, 2.2, 5, 30} {
		y := []float64{0, 1, 0, 1}
		r := make([]float64, len(y))
		for i := range r {
			r[i] = y[i] - odds
		}
		var w rowLoss
		w.begin(Logistic, Batch{Y: y}, r, 1)
		before, _ := w.sums(r)
		w.stepIntercept(r)
		after, _ := w.sums(r)
		assert.Less(t, after, before, "log-odds of %g", odds)
	}
}

func TestALSCountsItsObjectiveRightAndNeverRaisesIt(t *testing.T) {
	for _, kind := range kinds {
		for _, loss := range []Loss{Squared, Logistic} {
			for _, hats := range []bool{false, true} {
				for _, penalty := range [][2]float64{{0, 0}, {.1, 3}, {30, 300}} {
					for _, weighted := range []bool{false, true} {
						part, j := classified(t, kind, loss, hats)
						j.weights, j.lambda = penalty[0], penalty[1]
						if !weighted {
							part.Weight, j.weight = nil, slices.Repeat([]float64{1}, len(j.y))
						}
						m, progress := fittedALS(t, part.Z, j, part.Weight, 25)
						name := fmt.Sprintf("%v, loss %d, hats %v, penalties %g, weighted %v", kind, loss, hats, penalty, weighted)
						// Rounding, which long extrapolations enlarge.
						assert.InEpsilon(t, j.value(j.of(m)), progress.Loss, 1e-8, name)
						var squares, cost, total float64
						for i, f := range j.prediction(j.of(m)) {
							p, c := f, j.weight[i]
							if loss == Logistic {
								p = 1 / (1 + math.Exp(-f))
								if c > 0 { // else the logarithm may be infinite
									cost -= c * math.Log(1-math.Abs(p-j.y[i]))
								}
							}
							squares += c * (p - j.y[i]) * (p - j.y[i])
							total += c
						}
						assert.InEpsilon(t, math.Sqrt(squares/total), progress.RMSE, 1e-8, name)
						assert.InDelta(t, cost/total, progress.LogLoss, 1e-8, name)
						assert.Less(t, floats.Norm(m.W, math.Inf(1)), 1e4, "%s: collinear features and separable rows do not walk away", name)
					}
				}
			}
		}
	}
}

// A start with U turned round has the interactions of the other sign.
func TestClassesSwappedMirrorWhatIFMAndGFMLearnAndNotFM(t *testing.T) {
	for _, kind := range kinds {
		part, j := classified(t, kind, Logistic, true)
		fit := func(y []float64, sign float64) []float64 {
			m, s := fm.New(kind, j.d, j.k), &ALS{Weights: j.weights, Warm: true}
			rng := rand.New(rand.NewPCG(3, 4))
			for i := range m.U {
				m.U[i] = sign * .2 * rng.NormFloat64()
			}
			for i := range m.V {
				m.V[i] = .2 * rng.NormFloat64()
			}
			run(t, s, Problem{Source: Weighted(part.Z, y, part.Weight), Loss: Logistic, Penalty: L2(j.lambda)}, m, 1, 20)
			return j.prediction(j.of(m))
		}
		swapped := make([]float64, len(part.Y))
		for i, y := range part.Y {
			swapped[i] = 1 - y
		}
		a, b := fit(part.Y, 1), fit(swapped, -1)
		floats.Scale(-1, b)
		if kind == fm.FM {
			assert.Greater(t, floats.Distance(a, b, math.Inf(1)), .1, "its interactions have a sign of their own")
		} else {
			assert.InDeltaSlice(t, a, b, 1e-8, "%v", kind)
		}
	}
}

func TestALineSearchTriesSixLengths(t *testing.T) {
	for bend, want := range map[float64]float64{0: 32, .9 * 2048: 1. / 1024, 1.1 * 2048: 0} { // −t + ½·bend·t² is below 0 up to 2/bend
		assert.Equal(t, want, new(rowLoss).lineSearch(nil, nil, nil, 1, -1, bend))
	}
}
