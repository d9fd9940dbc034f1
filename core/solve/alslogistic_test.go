package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"ifmlab/core/design"
	"ifmlab/core/fm"
)

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

func TestALSTakesASparseDesignOfClassesAsTheDenseOneOfTheSameRows(t *testing.T) {
	for _, loss := range []Loss{Squared, Logistic} {
		part, j := classified(t, fm.IFM, loss, true)
		a, _ := fittedALS(t, part.Z, j, part.Weight, 5)
		b, _ := fittedALS(t, written(part.Z), j, part.Weight, 5)
		assert.InDeltaSlice(t, j.of(a), j.of(b), 1e-8)
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
