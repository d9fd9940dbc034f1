package solve

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

// eachSolver calls f with a function that makes a solver, for every solver and every kind
// that it takes.
func eachSolver(f func(name string, begin func() Solver, kind fm.Kind)) {
	for _, begin := range []func() Solver{
		func() Solver { return NewAGD() },
		func() Solver { return NewScaledGD() },
		func() Solver { return NewGaussNewton() },
		func() Solver { return NewALS() },
		func() Solver { return NewAlgorithm1() },
	} {
		for _, kind := range kinds {
			if _, ok := begin().(*Algorithm1); !ok || kind != fm.FM {
				f(fmt.Sprintf("%T, %v", begin(), kind), begin, kind)
			}
		}
	}
}

func TestFiveStepsAndFiveAreTenAfterAnyOtherFit(t *testing.T) {
	const d, k = 10, 2
	eachSolver(func(name string, begin func() Solver, kind fm.Kind) {
		rng := random(5)
		b := newSecondOrder(kind, d, k, true, rng).rows(uniformColumns, 1500, rng)
		problem := Problem{Source: Whole(b.Z, b.Y)}
		ten, five, s := fm.New(kind, d, k), fm.New(kind, d, k), begin()
		want := run(t, begin(), problem, ten, 6, 10)
		run(t, s, problem, fm.New(kind, d, k), 7, 3)
		run(t, s, problem, five, 6, 5)
		assert.Equal(t, want, advance(t, s, 5), name)
		assert.Equal(t, ten, five, name)
	})
}

// A model of rank 0 is a linear one, whatever fits it.
func TestWithoutFactorsEverySolverFitsTheLinearPart(t *testing.T) {
	const n, d = 4000, 4
	rng := random(3)
	z, w, y := design.NewDense(n, d, gaussian(rng, n*d)), gaussian(rng, d), make([]float64, n)
	for i := range y {
		y[i] = floats.Dot(z.Row(i), w)
	}
	eachSolver(func(name string, begin func() Solver, kind fm.Kind) {
		m, s := fm.New(kind, d, 0), begin()
		run(t, s, Problem{Source: Whole(z, y)}, m, 1, 60)
		assert.InDeltaSlice(t, w, m.W, 1e-6, name)
	})
}

func TestStepsOfDescentsDoNotAllocate(t *testing.T) {
	for _, kind := range kinds {
		for _, s := range []Solver{NewAGD(), NewScaledGD()} {
			z, y := table(3, 6)
			run(t, s, Problem{Source: Whole(z, y), Penalty: L2(1)}, fm.New(kind, 6, 3), 4, 0)
			assert.Zero(t, testing.AllocsPerRun(5, func() { advance(t, s, 1) }), "%T, %v", s, kind)
		}
	}
}

func TestStepsOfGaussNewtonTakeNoSpaceOfTheSizeOfTheRows(t *testing.T) {
	for _, kind := range kinds {
		z, y, _ := exponential(20000, 6, 2, 1)
		g := NewGaussNewton()
		p := run(t, g, Problem{Source: Whole(z, disturbed(y, .05, 2))}, fm.New(kind, 6, 1), 1, 0)
		allocated := func(steps func()) uint64 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			steps()
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		assert.Less(t, allocated(func() { p = advance(t, g, 3) }), uint64(20000), "%v: bytes, for 20000 rows", kind)
		for p.Stop == "" && g.escape.count == 0 && p.Iteration < 200 { // grow's own space is taken
			p = advance(t, g, 1)
		}
		require.Equal(t, 1, g.escape.count, "%v", kind)
		assert.Less(t, allocated(func() {
			for g.escape.active {
				advance(t, g, 1)
			}
		}), uint64(20000), "%v: bytes of an escape", kind)
	}
}

func TestNumbersThatAreNotFiniteAreADivergence(t *testing.T) {
	eachSolver(func(name string, begin func() Solver, kind fm.Kind) {
		for _, bad := range []float64{math.NaN(), math.Inf(1), 1e200} {
			for _, inColumn := range []bool{false, true} {
				z, y := table(2, 3)
				if y[5] = bad; inColumn {
					y[5], z.Row(5)[1] = 0, bad
				}
				s := begin()
				_, err := s.Start(Problem{Source: Whole(z, y)}, fm.New(kind, 3, 2), random(6))
				if err == nil && inColumn && bad == 1e200 { // V may be 0 there
					_, err = s.Step()
				}
				var diverged *DivergedError
				require.ErrorAs(t, err, &diverged, "%s, %g", name, bad)
				assert.LessOrEqual(t, diverged.Iteration, 1)
				_, again := s.Step()
				assert.Equal(t, err, again, "a step after an error returns it again")
			}
		}
	})
}

// V is 0, and so is its Gram matrix.
func TestAPerfectStartIsNoDivergence(t *testing.T) {
	z, y := table(2, 3)
	for i := range y {
		y[i] = 1 + .1*z.Row(i)[1]
	}
	for _, kind := range kinds {
		for _, s := range []Solver{NewAGD(), NewScaledGD()} {
			m := fm.New(kind, 3, 2)
			m.B, m.W[1] = 1, .1
			start := run(t, s, Problem{Source: Whole(z, y)}, m, 6, 0)
			assert.Equal(t, []float64{0, .1, 0}, m.W)
			if kind != fm.FM { // whose U is not 0
				assert.Less(t, start.Loss, 1e-25, "V is 0 and the linear part stays as it is given")
			}
			assert.False(t, math.IsNaN(advance(t, s, 20).Loss), "%T, %v", s, kind)
		}
	}
	gradient := []float64{1, 2, 3, 4, 5, 6}
	assert.Equal(t, 91.0, new(scaledGD).apply(gradient, make([]float64, 6), 2, 0), "where H is 0 the direction is the gradient")
	assert.Equal(t, []float64{1, 2, 3, 4, 5, 6}, gradient)
}

func TestPassesCountTheProductsOfAllRows(t *testing.T) {
	const d, k = 10, 2
	const pass, fmPass = 2 * (1 + 2*k), 2 * (1 + k) // in products of all rows with one column
	rng := random(5)
	truth := newSecondOrder(fm.GFM, d, k, true, rng)
	draw := func() Batch { return truth.rows(gaussianColumns, 2000, rng) }
	b := draw()
	reused := Whole(b.Z, b.Y)
	for _, c := range []struct {
		solver      Solver
		kind        fm.Kind
		source      Batches
		start, step float64
	}{
		{NewAGD(), fm.FM, reused, .5 + k/float64(fmPass), 1}, // half a pass for f, and ZU
		{NewAGD(), fm.GFM, reused, .5 + k/float64(pass), 1},
		{NewAGD(), fm.IFM, reused, .5 + k/float64(pass), 1},
		{NewAlgorithm1(), fm.GFM, reused, (d + 1. + k) / pass, 1}, // two lower triangles, ZU
		{NewAlgorithm1(), fm.GFM, fresh(draw), (d + 1.) / pass, 1.5},
	} {
		p, err := c.solver.Start(Problem{Source: c.source}, fm.New(c.kind, d, k), random(4))
		for i := range 4 {
			require.NoError(t, err)
			assert.InDelta(t, c.start+float64(i)*c.step, p.Passes, 1e-12, "%T, %v", c.solver, c.kind)
			p, err = c.solver.Step()
		}
	}
}

// hidden is a design without a Row method, so that all it gives is blocks.
type hidden struct{ design.Design }

func TestSparseRowsAreFittedAsDenseOnes(t *testing.T) {
	part := tableRows(t, false)
	dense := written(part.Z)
	n, d := dense.Dims()
	assert.Equal(t, dense, design.NewDense(n, d, denseCopy(part.Z)))
	for _, kind := range kinds {
		var descents, newton [3]Progress
		for i, z := range []design.Design{dense, part.Z, hidden{part.Z}} {
			descents[i] = run(t, NewScaledGD(), Problem{Source: Whole(z, part.Y), Penalty: L2(1)}, fm.New(kind, d, 2), 6, 20)
			_, _, newton[i] = converge(t, kind, 2, z, part.Y, 8)
			assert.InEpsilon(t, descents[0].Loss, descents[i].Loss, 1e-9, "%v: two orders of summation, 20 steps apart", kind)
			assert.Equal(t, newton[0], newton[i], "%v", kind)
		}
	}
	sparse, want := describeColumns(part.Z, part.Y), describeColumns(dense, part.Y)
	assert.InDeltaSlice(t, want.gram, sparse.gram, 1e-13) // means of squares of about 1, rounded
	assert.InDeltaSlice(t, want.h, sparse.h, 1e-13)
	assert.Equal(t, want.moments, sparse.moments)
}

func TestARowOfWeightTwoCountsAsTwo(t *testing.T) {
	for _, loss := range []Loss{Squared, Logistic} {
		for _, kind := range kinds {
			part, j := classified(t, kind, loss, true)
			var rows []int32
			var y []float64
			for i, c := range part.Weight {
				for range int(2 * c) { // weights are halves
					rows, y = append(rows, int32(i)), append(y, part.Y[i])
				}
			}
			for _, begin := range []func(by float64) Solver{
				func(float64) Solver { return NewScaledGD() },
				func(by float64) Solver { return &ALS{Weights: by * j.weights} },
			} {
				fit := func(source Batches, by float64) []float64 {
					m := fm.New(kind, j.d, j.k)
					run(t, begin(by), Problem{Source: source, Loss: loss, Penalty: L2(by * j.lambda)}, m, 3, 8)
					return j.of(m)
				}
				once := fit(Weighted(part.Z, part.Y, part.Weight), 1)
				twice := fit(Whole(design.Take(part.Z, rows), y), 2)
				assert.InDeltaSlice(t, once, twice, 1e-6, "%T, %v, loss %d: rounding of eight steps", begin(1), kind, loss)
			}
		}
	}
}

type changing struct{ Batches }

func (changing) Fixed() bool { return false }

type broken struct{ Batches }

func (broken) Next() (Batch, error) { return Batch{}, errors.New("no rows today") }

// vast is a design that says it is larger than it is.
type vast struct {
	design.Design
	n, d int
}

func (v vast) Dims() (n, d int) { return v.n, v.d }

func TestSolversRefuseWhatTheyCannotTake(t *testing.T) {
	z, y := table(2, 3)
	whole := Whole(z, y)
	classes, weight := make([]float64, len(y)), slices.Repeat([]float64{1}, len(y))
	classes[7], weight[2] = 2, -1
	empty, one := design.NewDense(0, 3, nil), design.NewDense(1, 3, make([]float64, 3))
	agd, scaledGD, gaussNewton, als, algorithm1 := NewAGD(), NewScaledGD(), NewGaussNewton(), NewALS(), NewAlgorithm1()
	for _, c := range []struct {
		solvers []Solver
		p       Problem
		m       *fm.Model // nil for an iFM of three columns
		want    string
	}{
		{[]Solver{agd, scaledGD, gaussNewton, als}, Problem{Source: Whole(empty, nil)}, nil,
			"there are 0 rows, expected at least 1. Give the solver more training rows"},
		{[]Solver{algorithm1}, Problem{Source: Whole(one, y[:1])}, nil, "there are 1 rows, expected at least 2. Give the solver more training rows"},
		{[]Solver{agd, scaledGD, gaussNewton, als, algorithm1}, Problem{Source: Whole(z, y[:5])}, nil,
			"there are 5 targets, expected 293 as in the design"},
		{[]Solver{agd, als}, Problem{Source: Weighted(z, y, weight[:4])}, nil, "there are 4 weights, expected 293 as in the design"},
		{[]Solver{agd, scaledGD, gaussNewton, als, algorithm1}, Problem{Source: whole}, fm.New(fm.IFM, 4, 2),
			"there are 4 columns of the model, expected 3 as in the design"},
		{[]Solver{agd}, Problem{Source: whole, Loss: Softmax}, nil, "AGD does not take this loss; use the squared one"},
		{[]Solver{scaledGD}, Problem{Source: whole, Loss: Softmax}, nil, "ScaledGD does not take this loss; use the squared one"},
		{[]Solver{als}, Problem{Source: whole, Loss: Softmax + 1}, nil, "ALS does not take this loss; use the squared one"},
		{[]Solver{gaussNewton}, Problem{Source: whole, Loss: Softmax}, nil, "Gauss-Newton does not take this loss; use the squared one"},
		{[]Solver{algorithm1}, Problem{Source: whole, Loss: Softmax}, nil, "Algorithm 1 does not take this loss; use the squared one"},
		{[]Solver{scaledGD}, Problem{Source: changing{whole}}, nil,
			"ScaledGD does not take rows that change from one iteration to the next; give it all rows at once"},
		{[]Solver{gaussNewton}, Problem{Source: changing{whole}}, nil,
			"Gauss-Newton does not take rows that change from one iteration to the next; give it all rows at once"},
		{[]Solver{gaussNewton}, Problem{Source: Whole(z, make([]float64, len(y))), Loss: Logistic}, nil, "Gauss-Newton does not take classes; use the solver als"},
		{[]Solver{algorithm1}, Problem{Source: whole, Loss: Logistic}, nil, "Algorithm 1 does not take classes; use the solver als"},
		{[]Solver{gaussNewton}, Problem{Source: Weighted(z, y, slices.Repeat([]float64{1}, len(y)))}, nil,
			"Gauss-Newton does not take weights of rows; use the solver als"},
		{[]Solver{algorithm1}, Problem{Source: Weighted(z, y, weight)}, nil, "Algorithm 1 does not take weights of rows; use the solver als"},
		{[]Solver{als, agd}, Problem{Source: Weighted(z, y, weight)}, nil,
			"the weight of row 2 is -1, expected a finite number of at least 0. Correct it or leave the row out"},
		{[]Solver{als, agd}, Problem{Source: Weighted(z, y, make([]float64, len(y)))}, nil,
			"the weights of all rows sum to 0, expected a finite number above 0. Give the rows weights"},
		{[]Solver{als, agd}, Problem{Source: Whole(z, classes), Loss: Logistic}, nil,
			"target of row 7 is 2, expected a class, 0 or 1. Correct it or leave the row out"},
		{[]Solver{gaussNewton}, Problem{Source: Whole(vast{z, len(y), 1001}, y)}, fm.New(fm.IFM, 1001, 2),
			"Gauss-Newton does not take 1001 columns; use ScaledGD or AGD"},
		{[]Solver{gaussNewton}, Problem{Source: Whole(vast{z, 50000, 1000}, make([]float64, 50000))}, fm.New(fm.IFM, 1000, 2),
			"Gauss-Newton does not take a sparse design of 50000000 elements; use ScaledGD or AGD"},
		{[]Solver{algorithm1}, Problem{Source: whole}, fm.New(fm.FM, 3, 1), "Algorithm 1 does not take FM; fit gFM or iFM, or use the solver gauss-newton"},
		{[]Solver{algorithm1}, Problem{Source: whole, Penalty: L2(1)}, nil,
			"Algorithm 1 does not take a penalty; set it to 0, or use the solver gauss-newton"},
		{[]Solver{algorithm1}, Problem{Source: whole}, fm.New(fm.IFM, 2049, 1), "Algorithm 1 does not take 2049 columns, only up to 2048; use the solver scaled"},
	} {
		if c.m == nil {
			c.m = fm.New(fm.IFM, 3, 2)
		}
		for _, s := range c.solvers {
			_, err := s.Start(c.p, c.m, random(1))
			assert.EqualError(t, err, "solve: "+c.want, "%T", s)
			_, again := s.Step()
			assert.Equal(t, err, again, "a step after an error returns it again")
		}
	}
	eachSolver(func(name string, begin func() Solver, kind fm.Kind) {
		_, err := begin().Start(Problem{Source: broken{whole}}, fm.New(kind, 3, 2), random(1))
		assert.EqualError(t, err, "no rows today", name)
	})
	b := newSecondOrder(fm.IFM, 3, 1, true, random(1)).rows(gaussianColumns, 293, random(2))
	for _, kappa := range [][]float64{nil, make([]float64, 2)} {
		_, err := (&Algorithm1{Kappa: kappa, Phi: slices.Repeat([]float64{3}, 3)}).Start(Problem{Source: Whole(b.Z, b.Y)}, fm.New(fm.GFM, 3, 1), nil)
		assert.EqualError(t, err, fmt.Sprintf("moment: there are %d κ and 3 φ for 3 columns, expected one of each for every column", len(kappa)))
	}
}

func TestStopGivesItsReason(t *testing.T) {
	type moment struct{ loss, valid float64 }
	nan := math.NaN()
	for _, c := range []struct {
		name string
		stop Stop
		path []moment
		want string // at the last moment; every earlier one goes on
	}{
		{"after the iterations asked for", Stop{Iterations: 2}, []moment{{9, nan}, {5, nan}, {4, nan}}, "2 iterations done"},
		{"when the loss hardly falls", Stop{Tolerance: .1}, []moment{{9, nan}, {5, nan}, {4.6, nan}}, "the training loss fell by less than a share of 0.1"},
		{"when a little loss hardly falls", Stop{Tolerance: .1, Little: 10}, []moment{{9, nan}, {4, nan}, {3.2, nan}},
			"the training loss fell by less than a share of 0.1"},
		{"when the loss is 0", Stop{Tolerance: .1}, []moment{{9, nan}, {0, nan}}, "the training loss is 0"},
		{"when validation rows gain nothing", Stop{Patience: 2}, []moment{{9, 3}, {5, 2}, {4, 2}, {3, 2.5}}, "no better on validation rows for 2 iterations"},
		{"patience starts again at each gain", Stop{Patience: 2}, []moment{{9, 3}, {8, 4}, {7, 2}, {6, 3}, {5, 1}}, ""},
		{"patience needs validation rows", Stop{Patience: 1}, []moment{{9, nan}, {8, nan}, {7, nan}}, ""},
		{"without rules never", Stop{}, []moment{{9, 1}, {9, 2}, {0, 2}, {0, 2}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, m := range c.path {
				got := c.stop.Reason(Progress{Iteration: i, Loss: m.loss}, m.valid)
				if i < len(c.path)-1 {
					assert.Empty(t, got, "iteration %d", i)
				} else {
					assert.Equal(t, c.want, got)
				}
			}
		})
	}
}

func TestAnIterationThatHeldIsNotCountedAgainstTheFit(t *testing.T) {
	stop := Stop{Tolerance: .1, Patience: 2}
	for i, held := range []bool{false, true, true, true} {
		assert.Empty(t, stop.Reason(Progress{Iteration: i, Loss: 9, Rejected: held}, 3), "iteration %d", i)
	}
	assert.Empty(t, stop.Reason(Progress{Iteration: 4, Loss: 8}, 4))
	assert.Equal(t, "no better on validation rows for 2 iterations", stop.Reason(Progress{Iteration: 5, Loss: 7}, 4))
	assert.Equal(t, "the training loss fell by less than a share of 0.1", stop.Reason(Progress{Iteration: 6, Loss: 7}, 4))
	assert.Equal(t, "enough", stop.Reason(Progress{Iteration: 7, Loss: 7, Rejected: true, Stop: "enough"}, 4))
}

// run starts a fit and takes so many steps.
func run(t testing.TB, s Solver, p Problem, m *fm.Model, seed uint64, steps int) Progress {
	t.Helper()
	progress, err := s.Start(p, m, random(seed))
	require.NoError(t, err)
	if steps == 0 {
		return progress
	}
	return advance(t, s, steps)
}

// advance takes so many steps more.
func advance(t testing.TB, s Solver, steps int) (progress Progress) {
	t.Helper()
	for range steps {
		var err error
		progress, err = s.Step()
		require.NoError(t, err)
	}
	return progress
}

// awkward are designs of the kinds that tables lead to. In the first three no
// two columns are ever nonzero together, so M is 0 whatever the factors and the
// gradients of the factors are nothing but rounding.
var awkward = []struct {
	name string
	d, k int
	row  func(x []float64, rng *rand.Rand)
}{
	{"one column", 1, 2, func(x []float64, rng *rand.Rand) { x[0] = rng.NormFloat64() }},
	{"a column with gaps and the flag that marks them", 2, 2, func(x []float64, rng *rand.Rand) {
		if rng.IntN(4) == 0 {
			x[1] = 1
		} else {
			x[0] = rng.NormFloat64()
		}
	}},
	{"the levels of one category", 4, 2, func(x []float64, rng *rand.Rand) { x[rng.IntN(4)] = 1 }},
	{"two categories, one of them rare", 6, 2, func(x []float64, rng *rand.Rand) {
		x[rng.IntN(4)] = 1
		if rng.IntN(20) == 0 {
			x[4] = 1
		} else {
			x[5] = 1
		}
	}},
	{"collinear columns", 4, 2, func(x []float64, rng *rand.Rand) {
		x[0], x[1] = rng.NormFloat64(), rng.NormFloat64()
		x[2], x[3] = x[0], -2*x[1]
	}},
	{"one huge element in a column", 3, 2, func(x []float64, rng *rand.Rand) {
		x[0], x[1], x[2] = rng.NormFloat64(), rng.NormFloat64(), .01*rng.NormFloat64()
		if rng.IntN(150) == 0 {
			x[2] = 14
		}
	}},
	{"a rank above the columns", 2, 5, func(x []float64, rng *rand.Rand) { x[0], x[1] = rng.NormFloat64(), rng.NormFloat64() }},
}

// awkwardRows are n rows of a design of the list.
func awkwardRows(at int, n int, seed uint64) (*design.Dense, []float64) {
	c := awkward[at]
	rng := random(seed)
	x, y := make([]float64, n*c.d), gaussian(rng, n)
	for i := range n {
		row := x[i*c.d:][:c.d]
		c.row(row, rng)
		y[i] += 3 + .5*row[0]*row[c.d-1] + kernel.Sum(row)
	}
	return design.NewDense(n, c.d, x), y
}

func TestAwkwardTablesAreFittedAndNotTheirRounding(t *testing.T) {
	for at, c := range awkward {
		for seed := range uint64(4) {
			for _, n := range []int{1, 2, 3, 200} {
				z, y := awkwardRows(at, n, seed)
				for _, kind := range kinds {
					for _, lambda := range []float64{0, 2} {
						for _, s := range []Solver{NewAGD(), NewScaledGD(), NewGaussNewton()} {
							_, isNewton := s.(*GaussNewton)
							if !isNewton && 1 < n && n < 200 {
								continue
							}
							m, name := fm.New(kind, c.d, c.k), fmt.Sprintf("%T, %s: %v, n = %d, λ = %g, seed %d", s, c.name, kind, n, lambda, seed)
							p := run(t, s, Problem{Source: Whole(z, y), Penalty: L2(lambda)}, m, seed+100, 0)
							for p.Stop == "" && p.Iteration < 300 {
								last := p
								p = advance(t, s, 1)
								// Where nothing moves any more, rounding does.
								require.LessOrEqual(t, p.Loss, last.Loss*(1+1e-13)+1e-300, name)
							}
							want := objective(m, z, y, lambda)
							if isNewton {
								want = slowLoss(m, z, y, lambda)
							}
							// What is reported is what the model does, rounded once more: the targets
							// are about 3 and their squares are summed.
							require.InDelta(t, want, p.Loss, 1e-10*(1+p.Loss), name)
							require.InDelta(t, math.Sqrt(2*objective(m, z, y, 0)/float64(n)), p.RMSE, 1e-8, name)
							require.Less(t, floats.Norm(m.U, math.Inf(1)), 1e3, name)
						}
					}
				}
			}
		}
	}
}

// everything is the loss as a function of all parameters, [b w U V] or [b w U], a
// reference that shares nothing with the solvers: M is written out, and with
// N = Zᵀdiag(r)Z, its diagonal removed where M's is, the gradients are
//
//	g_U = NV    g_V = NU    FM: g_U = 2NU
type everything struct {
	kind fm.Kind
	d, k int
	x    *mat.Dense
	y    []float64
}

func (e everything) size() int {
	if e.kind == fm.FM {
		return 1 + e.d*(1+e.k)
	}
	return 1 + e.d*(1+2*e.k)
}

// parts returns b, w, U and V of p; they share its memory.
func (e everything) parts(p []float64) (b *float64, w []float64, u, v *mat.Dense) {
	b, w, p = &p[0], p[1:1+e.d], p[1+e.d:]
	u = mat.NewDense(e.d, e.k, p[:e.d*e.k])
	if e.kind == fm.FM {
		return b, w, u, u
	}
	return b, w, u, mat.NewDense(e.d, e.k, p[e.d*e.k:])
}

func (e everything) residual(p []float64) []float64 {
	b, w, u, v := e.parts(p)
	var m, xm mat.Dense
	m.Mul(u, v.T())
	e.removeDiagonal(&m)
	xm.Mul(e.x, &m)
	r := make([]float64, len(e.y))
	for i := range r {
		r[i] = *b + mat.Dot(e.x.RowView(i), mat.NewVecDense(e.d, w)) + mat.Dot(e.x.RowView(i), xm.RowView(i)) - e.y[i]
	}
	return r
}

func (e everything) removeDiagonal(m *mat.Dense) {
	for j := range e.d {
		if e.kind != fm.GFM {
			m.Set(j, j, 0)
		}
	}
}

func (e everything) gradient(g, p []float64) {
	r := mat.NewVecDense(len(e.y), e.residual(p))
	_, _, u, v := e.parts(p)
	b, w, gu, gv := e.parts(g)
	*b = mat.Sum(r)
	mat.NewVecDense(e.d, w).MulVec(e.x.T(), r)
	var scaled, n mat.Dense
	scaled.Apply(func(i, _ int, x float64) float64 { return r.AtVec(i) * x }, e.x)
	n.Mul(e.x.T(), &scaled)
	e.removeDiagonal(&n)
	if e.kind == fm.FM {
		gu.Mul(&n, u)
		gu.Scale(2, gu)
	} else {
		gu.Mul(&n, v)
		gv.Mul(&n, u)
	}
}

// minimum returns the lowest loss that L-BFGS reaches from some starts.
func (j judged) minimum(t *testing.T, starts ...[]float64) float64 {
	t.Helper()
	lowest := math.Inf(1)
	for _, start := range starts {
		result, err := optimize.Minimize(optimize.Problem{Func: j.value, Grad: j.slope}, start, &optimize.Settings{
			GradientThreshold: 1e-7, MajorIterations: 3000, Converger: optimize.NeverTerminate{},
		}, &optimize.LBFGS{Store: 30})
		if err != nil { // its line search ends where rounding leaves no descent
			require.NotNil(t, result)
		}
		lowest = min(lowest, result.F)
	}
	return lowest
}

func TestWithWeightsAndClassesSolversNeverRaiseTheirLossAndEndWhereLBFGSDoes(t *testing.T) {
	for _, kind := range kinds {
		for _, loss := range []Loss{Squared, Logistic} {
			part, j := classified(t, kind, loss, kind == fm.IFM)
			j.weights, j.lambda = 5, 5 // descents have one penalty
			for _, c := range []struct {
				Solver
				steps       int
				near, slope float64
			}{
				// Steps of descent on collinear columns, some of them rare, end near the minimum.
				{NewAGD(), 400, 1e-3, .1}, {NewScaledGD(), 400, 1e-3, .1}, {&ALS{Weights: 5}, 300, 1e-9, 1e-3},
			} {
				m, name := fm.New(kind, j.d, j.k), fmt.Sprintf("%T, %v, loss %d", c.Solver, kind, loss)
				p := run(t, c.Solver, Problem{Source: Weighted(part.Z, part.Y, part.Weight), Loss: loss, Penalty: L2(5)}, m, 3, 0)
				want := j.minimum(t, j.of(m))
				for range c.steps {
					last := p
					p = advance(t, c.Solver, 1)
					require.LessOrEqual(t, p.Loss, last.Loss*(1+1e-12), name)
				}
				assert.InEpsilon(t, j.value(j.of(m)), p.Loss, 1e-9, name)
				assert.Equal(t, loss == Logistic, p.LogLoss > 0)
				assert.Less(t, p.Loss, want*(1+c.near), name)
				g := make([]float64, j.size())
				j.slope(g, j.of(m))
				assert.Less(t, floats.Norm(g, math.Inf(1)), c.slope, name)
			}
		}
	}
}

// fromVectors is the quartic of a line along which the residual is r + tp + t²s,
// with p turned so that the loss falls at first.
func fromVectors(r, p, s []float64) quartic {
	var q quartic
	for i := range r {
		q.a += r[i] * p[i]
		q.b += p[i]*p[i]/2 + r[i]*s[i]
		q.c += p[i] * s[i]
		q.d += s[i] * s[i] / 2
	}
	return q
}

func TestTheLineSearchFindsTheLowestPoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for trial := range 2000 {
		scaleP, scaleS := math.Pow(10, 6*rng.Float64()-3), math.Pow(10, 12*rng.Float64()-6)
		n := 1 + rng.IntN(4)
		r, p, s := gaussian(rng, n), gaussian(rng, n), gaussian(rng, n)
		for i := range p {
			p[i] *= scaleP
			s[i] *= scaleS
		}
		q := fromVectors(r, p, s)
		if q.a > 0 {
			for i := range p {
				p[i] = -p[i]
			}
			q = fromVectors(r, p, s)
		}
		best := q.minimum()
		require.Positive(t, best)
		require.Less(t, q.value(best), 0.0)
		turns := q.turningPoints()
		for _, at := range turns[:2] {
			if bend := []float64{q.b, 3 * q.c * at, 6 * q.d * at * at}; at > 0 {
				require.InDelta(t, 0, floats.Sum(bend), 1e-9*floats.Norm(bend, 1), "the slope turns")
			}
		}
		// A slow walk over t finds nothing lower.
		for at := 1e-12; at <= 1e12; at *= 1.03 {
			if q.value(at) < q.value(best)*(1+1e-9) {
				t.Fatalf("trial %d: %+v is lower at %g than at %g", trial, q, at, best)
			}
		}
	}
}

func TestTheLineSearchStaysWhereNothingIsLower(t *testing.T) {
	for _, q := range []quartic{
		{},
		{a: 1, b: 1},
		{a: math.NaN(), b: 1},
		{a: -1, b: math.NaN(), c: math.NaN(), d: math.NaN()},
		{a: -1, b: math.Inf(1), c: math.Inf(-1), d: math.Inf(1)},
		{a: -1}, // falls for ever: not a loss
	} {
		assert.Zero(t, q.minimum(), "%+v", q)
	}
}
