package solve

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"ifmlab/core/design"
	"ifmlab/core/fm"
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

// ALS follows from a start that is flipped too, see its own test. Gauss–Newton follows to
// rounding, and FM cannot.
func TestFlippingTheTargetsFlipsThePredictions(t *testing.T) {
	const d, k = 9, 3
	eachSolver(func(name string, begin func() Solver, kind fm.Kind) {
		if _, ok := begin().(*ALS); ok {
			return
		}
		rng := random(5)
		b := newSecondOrder(kind, d, k, true, rng).rows(exponentialColumns, 3000, rng)
		floats.Add(b.Y, gaussian(rng, 3000))
		var losses, predictions [2][]float64
		for i, sign := range []float64{1, -1} {
			m, s, y := fm.New(kind, d, k), begin(), slices.Clone(b.Y)
			floats.Scale(sign, y)
			run(t, s, Problem{Source: Whole(b.Z, y)}, m, 6, 0)
			for range 8 {
				losses[i] = append(losses[i], advance(t, s, 1).Loss)
			}
			predictions[i] = make([]float64, len(y))
			m.Predict(predictions[i], b.Z, nil)
			floats.Scale(sign, predictions[i])
		}
		if _, ok := begin().(*GaussNewton); ok && kind != fm.FM {
			assert.InEpsilonSlice(t, losses[0], losses[1], 1e-12, name)
			assert.InDeltaSlice(t, predictions[0], predictions[1], 1e-9, name)
			return
		}
		assert.Equal(t, kind != fm.FM, slices.Equal(losses[0], losses[1]), name)
		assert.Equal(t, kind != fm.FM, slices.Equal(predictions[0], predictions[1]), name)
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
			assert.False(t, math.IsNaN(run(t, s, Problem{Source: Whole(z, y)}, m, 6, 20).Loss), "%T, %v", s, kind)
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
		_, err := (&Algorithm1{Kappa: kappa, Phi: repeat(3, 3)}).Start(Problem{Source: Whole(b.Z, b.Y)}, fm.New(fm.GFM, 3, 1), nil)
		assert.EqualError(t, err, fmt.Sprintf("moment: there are %d κ and 3 φ for 3 columns, expected one of each for every column", len(kappa)))
	}
}
