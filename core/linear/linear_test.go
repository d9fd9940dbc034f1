package linear

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/design"
)

func gaussian(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// reference is a file of testdata: what scikit-learn makes of a table.
type reference struct {
	Dataset string
	Train   int `json:"n_train"`
	Ridge   []struct {
		Alpha, Intercept float64
		Coef             []float64
		TestPred         []float64 `json:"test_pred"`
		TrainRMSE        float64   `json:"train_rmse"`
		TestRMSE         float64   `json:"test_rmse"`
	}
	ElasticNet []struct {
		Alpha, Intercept, Objective float64
		Ratio                       float64 `json:"l1_ratio"`
		Coef                        []float64
	}
	KernelRidge []struct {
		Alpha, Gamma float64
		TestPred     []float64 `json:"test_pred"`
		TrainRMSE    float64   `json:"train_rmse"`
		TestRMSE     float64   `json:"test_rmse"`
	}
}

// load returns a reference with its rows: the targets are the last column.
func load(t *testing.T, name string) (ref reference, x [][]float64, y []float64) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &ref))
	file, err := os.Open("testdata/" + ref.Dataset)
	require.NoError(t, err)
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	for _, record := range records[1:] {
		row := make([]float64, len(record))
		for j, cell := range record {
			row[j], err = strconv.ParseFloat(cell, 64)
			require.NoError(t, err)
		}
		last := len(row) - 1
		x, y = append(x, row[:last]), append(y, row[last])
	}
	return ref, x, y
}

func denseOf(rows [][]float64) *design.Dense {
	var x []float64
	for _, row := range rows {
		x = append(x, row...)
	}
	return design.NewDense(len(rows), len(rows[0]), x)
}

func rmse(f Fit, z design.Design, y []float64) float64 {
	p, sum := make([]float64, len(y)), 0.0
	f.Predict(p, z)
	for i := range y {
		sum += (p[i] - y[i]) * (p[i] - y[i])
	}
	return math.Sqrt(sum / float64(len(y)))
}

func largest(x []float64) (size float64) {
	for _, v := range x {
		size = max(size, math.Abs(v))
	}
	return size
}

func TestRidgeMatchesScikitLearn(t *testing.T) {
	for _, name := range []string{"diabetes", "diabetes_raw", "synth"} {
		ref, x, y := load(t, name)
		train, test := denseOf(x[:ref.Train]), denseOf(x[ref.Train:])
		for _, factored := range []bool{true, false} {
			r, err := NewRidge(train, y[:ref.Train])
			require.NoError(t, err)
			if !factored {
				r.gram = nil // as where the columns are too many
			}
			require.Len(t, ref.Ridge, 13)
			for _, want := range ref.Ridge {
				got, err := r.Fit(want.Alpha)
				require.NoError(t, err)
				// scikit-learn's own gradients are 1e-8 to 1e-12 where the columns'
				// sums of squares are 1 to 1e5, so its coefficients are good to 1e-10.
				tolerance := 1e-9 * largest(want.Coef)
				for j := range want.Coef {
					require.InDelta(t, want.Coef[j], got.W[j], tolerance, "%s, factored %v, alpha %g, coefficient %d", name, factored, want.Alpha, j)
				}
				require.InDelta(t, want.Intercept, got.B, 1e-9*largest(y), "%s, factored %v, alpha %g", name, factored, want.Alpha)
				p := make([]float64, len(want.TestPred))
				got.Predict(p, test)
				for i := range p {
					require.InDelta(t, want.TestPred[i], p[i], 1e-9*largest(y), "%s, factored %v, alpha %g, row %d", name, factored, want.Alpha, i)
				}
				assert.InEpsilon(t, want.TrainRMSE, rmse(got, train, y[:ref.Train]), 1e-9)
				assert.InEpsilon(t, want.TestRMSE, rmse(got, test, y[ref.Train:]), 1e-9)
			}
		}
	}
}

// normal solves the normal equations of centred columns with gonum: the slow,
// obvious way.
func normal(z *design.Dense, y []float64, lambda float64) Fit {
	n, d := z.Dims()
	mean, bias := make([]float64, d), 0.0
	for i := range n {
		for j, v := range z.Row(i) {
			mean[j] += v / float64(n)
		}
		bias += y[i] / float64(n)
	}
	a, b := mat.NewSymDense(d, nil), mat.NewVecDense(d, nil)
	for i := range n {
		for j, v := range z.Row(i) {
			for k := range j + 1 {
				a.SetSym(j, k, a.At(j, k)+(v-mean[j])*(z.Row(i)[k]-mean[k]))
			}
			b.SetVec(j, b.AtVec(j)+(v-mean[j])*(y[i]-bias))
		}
	}
	for j := range d {
		a.SetSym(j, j, a.At(j, j)+lambda)
	}
	w := mat.NewVecDense(d, nil)
	if err := w.SolveVec(a, b); err != nil {
		panic(err)
	}
	f := Fit{W: w.RawVector().Data, B: bias}
	for j, m := range mean {
		f.B -= m * f.W[j]
	}
	return f
}

func TestRidgeSolvesTheNormalEquations(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 40))
	// More columns than a stripe of the Gram matrix, rows that do not fill blocks.
	const n, d = 400, 150
	x := gaussian(rng, n*d)
	for i := range x {
		x[i] = x[i]*math.Exp(float64(i%d%5)) + float64(i%d%7)
	}
	z, y := design.NewDense(n, d, x), gaussian(rng, n)
	r, err := NewRidge(z, y)
	require.NoError(t, err)
	for _, lambda := range []float64{0, .1, 100, 1e6} {
		got, err := r.Fit(lambda)
		require.NoError(t, err)
		want := normal(z, y, lambda)
		for j := range want.W {
			require.InDelta(t, want.W[j], got.W[j], 1e-10*largest(want.W), "λ = %g, %d", lambda, j)
		}
		require.InDelta(t, want.B, got.B, 1e-9, "λ = %g", lambda)
	}
}

func TestFitsDoNotDependOnEachOther(t *testing.T) {
	_, x, y := load(t, "synth")
	r, err := NewRidge(denseOf(x), y)
	require.NoError(t, err)
	first, err := r.Fit(3)
	require.NoError(t, err)
	_, err = r.Fit(0)
	require.NoError(t, err)
	again, err := r.Fit(3)
	require.NoError(t, err)
	assert.Equal(t, first, again)
}

func TestCollinearColumnsWithoutPenaltyAreFitted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 41))
	const n = 200
	var alone, doubled [][]float64
	y := gaussian(rng, n)
	for i := range n {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		level := rng.IntN(3)
		row := []float64{a, b, 0, 0}
		if level > 0 {
			row[1+level] = 1
		}
		y[i] += 3*a - b + float64(level)
		alone = append(alone, row)
		first := 0.0
		if level == 0 {
			first = 1
		}
		// a twice, a + b, and every level of a category: three ways to be
		// collinear.
		doubled = append(doubled, append(append([]float64{}, row...), a, a+b, first))
	}
	for _, factored := range []bool{true, false} {
		want := normal(denseOf(alone), y, 0)
		r, err := NewRidge(denseOf(doubled), y)
		require.NoError(t, err)
		if !factored {
			r.gram = nil
		}
		got, err := r.Fit(0)
		require.NoError(t, err)
		assert.InEpsilon(t, rmse(want, denseOf(alone), y), rmse(got, denseOf(doubled), y), 1e-9)
		assert.Less(t, largest(got.W), 100.0)
	}
}

func TestMoreColumnsThanRowsAreFittedExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 42))
	z, y := design.NewDense(10, 30, gaussian(rng, 300)), gaussian(rng, 10)
	r, err := NewRidge(z, y)
	require.NoError(t, err)
	got, err := r.Fit(0)
	require.NoError(t, err)
	assert.Less(t, rmse(got, z, y), 1e-7)
	assert.Less(t, largest(got.W), 10.0)
}

func TestAConstantColumnHasNoWeight(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 43))
	x := gaussian(rng, 60)
	for i := 1; i < len(x); i += 3 {
		x[i] = .1 // not exact in binary: its sums are rounded
	}
	for _, lambda := range []float64{0, 5} {
		r, err := NewRidge(design.NewDense(20, 3, x), gaussian(rng, 20))
		require.NoError(t, err)
		got, err := r.Fit(lambda)
		require.NoError(t, err)
		assert.Zero(t, got.W[1])
		assert.NotZero(t, got.W[0])
	}
}

func TestAnEndlessPenaltyLeavesTheMean(t *testing.T) {
	_, x, y := load(t, "synth")
	r, err := NewRidge(denseOf(x), y)
	require.NoError(t, err)
	got, err := r.Fit(1e300)
	require.NoError(t, err)
	assert.InEpsilon(t, Mean(y), got.B, 1e-12)
	assert.Less(t, largest(got.W), 1e-200)
}

func TestTargetsWithoutVariationHaveNoWeights(t *testing.T) {
	_, x, y := load(t, "synth")
	for i := range y {
		y[i] = 4
	}
	r, err := NewRidge(denseOf(x), y)
	require.NoError(t, err)
	got, err := r.Fit(0)
	require.NoError(t, err)
	assert.Equal(t, Fit{W: make([]float64, 20), B: 4}, got)
}

func TestMeanIsTheMean(t *testing.T) {
	assert.Equal(t, 2.5, Mean([]float64{1, 2, 3, 4}))
	assert.True(t, math.IsNaN(Mean(nil)))
}

func TestRidgeRejectsWhatItCannotFit(t *testing.T) {
	z := design.NewDense(2, 1, []float64{1, 2})
	for want, try := range map[string]func() error{
		"linear: there are no rows, expected at least 1. Give the fit training rows": func() error {
			_, err := NewRidge(design.NewDense(0, 1, nil), nil)
			return err
		},
		"linear: there are 3 targets, expected 2 as in the design": func() error {
			_, err := NewRidge(z, make([]float64, 3))
			return err
		},
		"linear: target of row 1 is NaN, expected a finite number. Correct it or leave the row out": func() error {
			_, err := NewRidge(z, []float64{1, math.NaN()})
			return err
		},
		"linear: column 0 has a sum of squares of +Inf, expected a finite number. Correct the column or leave it out": func() error {
			_, err := NewRidge(design.NewDense(2, 1, []float64{1, 1e200}), []float64{1, 2})
			return err
		},
		"linear: the penalty is -1, expected a finite number of at least 0": func() error {
			r, err := NewRidge(z, []float64{1, 2})
			require.NoError(t, err)
			_, err = r.Fit(-1)
			return err
		},
	} {
		assert.EqualError(t, try(), want)
	}
}

func BenchmarkRidge(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 44))
	const n, d = 15000, 100
	z, y := design.NewDense(n, d, gaussian(rng, n*d)), gaussian(rng, n)
	for b.Loop() {
		r, err := NewRidge(z, y)
		require.NoError(b, err)
		for _, lambda := range []float64{0, .01, .03, .1, .3} {
			_, err = r.Fit(n * lambda)
			require.NoError(b, err)
		}
	}
}
