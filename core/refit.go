package core

import (
	"math/rand/v2"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/solve"
)

// spent is what a candidate of a run took.
type spent struct {
	lambda     float64
	iterations int
	work       float64 // multiply-adds
}

// spend notes what the candidate of a record has taken so far.
func (r *Run) spend(record Record) {
	if len(r.spent) == r.now {
		r.spent = append(r.spent, spent{lambda: record.Lambda})
	}
	n, d := r.on(r.candidates[r.now]).Train.Z.Dims()
	width := 1 + 2*record.Rank
	if r.cell.Model == fm.FM {
		width = 1 + record.Rank
	}
	s := &r.spent[r.now]
	s.iterations = record.Iteration
	s.work = float64(record.Passes * float64(2*width) * float64(n) * float64(d))
}

// path returns the way to the model that leads: of als, whose fits begin where the
// one before ended, the candidates of its encoding and rank up to it; else itself.
// The last one is as long as the record that was kept.
func (r *Run) path() []spent {
	first := pathTo(r.candidates, r.lead)
	path := append([]spent(nil), r.spent[first:r.lead+1]...)
	last := &path[len(path)-1]
	if kept := r.bestAt.Iteration; kept < last.iterations {
		last.work *= float64(kept) / float64(last.iterations)
		last.iterations = kept
	}
	return path
}

// refit is a model that is fitted again to other rows, the way that it was.
type refit struct {
	model   *fm.Model
	solver  solve.Solver
	als     *solve.ALS // the solver, where it searches
	problem solve.Problem
	path    []spent
	at      int // of the path
	done    int // iterations there
	begun   bool
	rng     *rand.Rand
}

// newRefit prepares to fit the model that leads to other rows of its features, with
// their weights. The
// weights start from ridge with this total penalty, and the factors from what rng
// draws.
func (r *Run) newRefit(z design.Design, y, weight []float64, penalty float64, path []spent, rng *rand.Rand) (*refit, error) {
	target := &r.leading().Encoding.Target
	ridge, err := newLinear(target, z, y, weight)
	if err != nil {
		return nil, err
	}
	fit, err := ridge.Fit(penalty)
	if err != nil {
		return nil, err
	}
	_, d := z.Dims()
	f := &refit{model: fm.New(r.cell.Model, d, r.best.Rank), path: path, rng: rng}
	start(f.model, fit)
	f.problem = solve.Problem{Source: solve.Weighted(z, y, weight), Loss: lossOf(target)}
	if searches(r.spec) {
		f.als = &solve.ALS{Weights: penalty}
		f.solver = f.als
		return f, nil
	}
	f.solver = r.newSolver(z)
	scaled := []spent{path[0]}
	scaled[0].lambda *= total(design.Part{Y: y, Weight: weight})
	f.path = scaled
	return f, nil
}

// next does an iteration, and reports whether it was the last one.
func (f *refit) next() (done bool, err error) {
	leg := f.path[f.at]
	var progress solve.Progress
	if f.begun {
		f.done++
		progress, err = f.solver.Step()
	} else {
		f.begun = true
		f.problem.Penalty = solve.L2(leg.lambda)
		if f.als != nil {
			f.als.Warm = f.at > 0
		}
		progress, err = f.solver.Start(f.problem, f.model, f.rng)
	}
	if err != nil {
		return false, err
	}
	if f.done >= leg.iterations || progress.Stop != "" {
		f.at, f.done, f.begun = f.at+1, 0, false
	}
	return f.at == len(f.path), nil
}
