package solve

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/fm"
	"ifmlab/core/read"
	"ifmlab/core/roles"
)

func TestALSReachesFastFMsMinimum(t *testing.T) {
	text, err := os.ReadFile("testdata/als.json")
	require.NoError(t, err)
	var file struct {
		X    [][]float64
		Y    []float64
		K    int
		Runs []struct {
			LambdaW   float64 `json:"lambda_w"`
			LambdaV   float64 `json:"lambda_v"`
			Init      [][]float64
			Objective float64
			W0        float64
			W         []float64
			V         [][]float64
		}
	}
	require.NoError(t, json.Unmarshal(text, &file))
	n, d, k := len(file.X), len(file.X[0]), file.K
	z := design.NewDense(n, d, flattened(file.X))
	for _, of := range file.Runs {
		m, s := fm.New(fm.FM, d, k), &ALS{Weights: of.LambdaW, Warm: true}
		for f, row := range of.Init {
			for j, v := range row {
				m.U[j*k+f] = v / math.Sqrt2
			}
		}
		// λ‖V‖² is 2λ‖U‖², and the objective there has no ½.
		progress := run(t, s, Problem{Source: Whole(z, file.Y), Penalty: L2(2 * of.LambdaV)}, m, 1, 2000)
		assert.InEpsilon(t, of.Objective, 2*progress.Loss, 1e-8, "λ %g, %g", of.LambdaW, of.LambdaV)
		// The minimum is the same up to a rotation of V, so what is compared is VVᵀ.
		for i := range d {
			for j := range i {
				want, got := 0.0, 0.0
				for f := range k {
					want += of.V[f][i] * of.V[f][j]
					got += 2 * m.U[i*k+f] * m.U[j*k+f]
				}
				assert.InDelta(t, want, got, 1e-5)
			}
			assert.InDelta(t, of.W[i], m.W[i], 1e-5)
		}
		assert.InDelta(t, of.W0, m.B, 1e-5)
	}
}

func flattened(rows [][]float64) (x []float64) {
	for _, row := range rows {
		x = append(x, row...)
	}
	return x
}

// tableRows reads a table with levels, gaps and, with hats, piecewise-linear bases,
// so that its design has all three forms of a feature.
func tableRows(t *testing.T, hats bool) design.Part {
	t.Helper()
	rng := random(8)
	var b strings.Builder
	b.WriteString("a,b,colour,shape,y\n")
	for range 400 {
		x, u := rng.NormFloat64(), rng.Float64()
		c, s := rng.IntN(6), rng.IntN(2)
		y := x*u*float64(c-2) + float64(s) + .1*rng.NormFloat64()
		cell := number(u)
		if rng.IntN(10) == 0 {
			cell = ""
		}
		b.WriteString(number(x) + "," + cell + "," + string(rune('p'+c)) + "," + string(rune('u'+s)) + "," + number(y) + "\n")
	}
	table, err := read.Read(strings.NewReader(b.String()), read.Options{Name: "t.csv"})
	require.NoError(t, err)
	plan, err := roles.NewPlan(table, roles.Settings{Target: "y", PiecewiseLinear: hats})
	require.NoError(t, err)
	set, err := encode.Dataset(plan, random(9))
	require.NoError(t, err)
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
