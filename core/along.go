package core

import (
	"math/rand/v2"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/linear"
	"ifmlab/core/measure"
	"ifmlab/core/solve"
	"ifmlab/core/study"
)

// leg is one candidate on the path to a model. ALS begins each candidate where the one
// before ended, so its path has all candidates of the encoding and rank up to the model.
type leg struct {
	candidate  int // of the search
	lambda     float64
	iterations int
	work       float64 // multiply-adds
}

// record notes what the candidate of a record has taken so far.
func (r *Run) record(record Record) {
	if len(r.taken) == r.now {
		r.taken = append(r.taken, leg{candidate: r.now, lambda: record.Lambda})
	}
	n, d := r.on(r.candidates[r.now]).Train.Z.Dims()
	width := 1 + 2*record.Rank
	if r.cell.Model == fm.FM {
		width = 1 + record.Rank
	}
	l := &r.taken[r.now]
	l.iterations = record.Iteration
	l.work = float64(record.Passes * float64(2*width) * float64(n) * float64(d))
}

// path returns the path to the model that leads. Its last leg ends with the best record.
func (r *Run) path() []leg {
	path := append([]leg(nil), r.taken[pathTo(r.candidates, r.lead):r.lead+1]...)
	last := &path[len(path)-1]
	if best := r.bestAt.Iteration; best < last.iterations {
		last.work *= float64(best) / float64(last.iterations)
		last.iterations = best
	}
	return path
}

// along trains the model that leads anew on other rows of its features, along a path.
// The weights start from ridge with this total penalty, and rng draws the factors. It
// yields after each iteration, and returns [study.ErrStopped] when that reports false.
func (r *Run) along(part design.Part, penalty float64, path []leg, rng *rand.Rand, yield func() bool) (*fm.Model, error) {
	target := &r.leading().Encoding.Target
	fit, err := fitLinear(target, part, penalty)
	if err != nil {
		return nil, err
	}
	model := fm.New(r.cell.Model, len(fit.W), r.best.Rank)
	start(model, fit)
	if model.Rank == 0 {
		return model, nil
	}
	als := &solve.ALS{Weights: penalty}
	var solver solve.Solver = als
	perRow := 1.0
	if !searches(r.spec) {
		solver, path, perRow = r.newSolver(part.Z), path[:1], measure.Total(part)
	}
	problem := solve.Problem{Source: solve.Weighted(part.Z, part.Y, part.Weight), Loss: lossOf(target)}
	for i, leg := range path {
		problem.Penalty, als.Warm = solve.L2(leg.lambda*perRow), i > 0
		progress, err := solver.Start(problem, model, rng)
		for done := 0; ; done++ {
			if err != nil {
				return nil, err
			}
			if !yield() {
				return nil, study.ErrStopped
			}
			if done >= leg.iterations || progress.Stop != "" {
				break
			}
			progress, err = solver.Step()
		}
	}
	return model, nil
}

// fitLinear fits ridge by one penalty, logistic where the rows are of two classes.
func fitLinear(t *design.Target, p design.Part, penalty float64) (linear.Fit, error) {
	ridge, err := newLinear(t, p.Z, p.Y, p.Weight)
	if err != nil {
		return linear.Fit{}, err
	}
	return ridge.Fit(penalty)
}
