package main

import (
	"math"

	"ifmlab/core"
	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/solve"
	"ifmlab/core/spec"
	"ifmlab/core/trial"
)

// iteration returns the milliseconds of one record: a step, the RMSE of 1000 test rows
// and the distance from the truth.
func iteration(model string) (float64, error) {
	s, _ := spec.Parse("scenario=mixed&d=100&k=8&test=1000&models=" + model)
	s.N = much.rows
	run, err := core.Open(s, 0, nil)
	if err != nil {
		return 0, err
	}
	if _, err := run.Next(); err != nil { // the start
		return 0, err
	}
	return fastest(much.steps, func() error { _, err := run.Next(); return err })
}

// step returns the milliseconds of a step of AGD, iFM of 15000×100, k = 8.
func step() (float64, error) {
	z, _, y := drawn(much.rows, 100)
	solver, _, err := start(z, y, 8)
	if err != nil {
		return 0, err
	}
	return fastest(much.steps, func() error { _, err := solver.Step(); return err })
}

// start begins AGD of iFM on standardized rows.
func start(z design.Design, y []float64, k int) (solve.Solver, *fm.Model, error) {
	_, d := z.Dims()
	solver, model := solve.NewAGD(), fm.New(fm.IFM, d, k)
	_, err := solver.Start(solve.Problem{Source: solve.Whole(z, y)}, model, trial.Stream(1, 0, trial.StreamStart))
	return solver, model, err
}

// drawn returns a Gaussian design, its elements row by row, and targets that no model
// explains, so that no fit ends.
func drawn(n, d int) (z *design.Dense, x, y []float64) {
	rng := trial.Stream(1, 0, trial.StreamTrain)
	x, y = make([]float64, n*d), make([]float64, n)
	for _, values := range [][]float64{x, y} {
		for i := range values {
			values[i] = rng.NormFloat64()
		}
	}
	return design.NewDense(n, d, x), x, y
}

// fastest returns the milliseconds of processor time of the fastest call, since a busy
// machine can only lengthen a call.
func fastest(calls int, f func() error) (float64, error) {
	best := math.Inf(1)
	for range calls {
		began := processorTime()
		if err := f(); err != nil {
			return 0, err
		}
		best = min(best, 1e3*(processorTime()-began).Seconds())
	}
	return best, nil
}

// growth is a dimension that the time of a step should be proportional to.
type growth struct {
	name         string
	small, large struct{ n, d, k int }
}

// growths has sizes at which the parts that do not grow take little time. A dense design
// of 0.8 to 5 MB stays in the cache that cores share. Ranks are multiples of the 16
// columns that a product computes at once.
var growths = []growth{
	{"n (d = 100, k = 8)", struct{ n, d, k int }{1500, 100, 8}, struct{ n, d, k int }{6000, 100, 8}},
	{"d (n = 1000, k = 8)", struct{ n, d, k int }{1000, 150, 8}, struct{ n, d, k int }{1000, 600, 8}},
	{"k (n = 1000, d = 100)", struct{ n, d, k int }{1000, 100, 32}, struct{ n, d, k int }{1000, 100, 64}},
}

// exponent returns the slope of log time over log size. The two sizes take turns.
func (g growth) exponent() (float64, error) {
	best := [2]float64{math.Inf(1), math.Inf(1)}
	var solvers [2]solve.Solver
	for i, size := range []struct{ n, d, k int }{g.small, g.large} {
		z, _, y := drawn(size.n, size.d)
		var err error
		if solvers[i], _, err = start(z, y, size.k); err != nil {
			return 0, err
		}
	}
	for range much.turns {
		for i, solver := range solvers {
			ms, err := fastest(much.repeats, func() error { _, err := solver.Step(); return err })
			if err != nil {
				return 0, err
			}
			best[i] = min(best[i], ms)
		}
	}
	ratio := float64(g.large.n*g.large.d*g.large.k) / float64(g.small.n*g.small.d*g.small.k)
	return math.Log(best[1]/best[0]) / math.Log(ratio), nil
}
