package train

import (
	"math/rand/v2"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/linear"
	"ifmlab/core/measure"
	"ifmlab/core/solve"
	"ifmlab/core/study"
	"ifmlab/core/trial"
)

// Leg is one candidate on the path to a model. ALS begins each candidate where the one
// before ended, so its path has all candidates of the encoding and rank up to the model.
type Leg struct {
	Candidate  int // of the search
	Lambda     float64
	Iterations int
	Work       float64 // multiply-adds
}

// record notes what the candidate of a record has taken so far.
func (r *Run) record(record Record) {
	if len(r.taken) == r.now {
		r.taken = append(r.taken, Leg{Candidate: r.now, Lambda: record.Lambda})
	}
	n, d := r.state.on(r).Train.Z.Dims()
	width := 1 + 2*record.Rank
	if r.cell.Model == fm.FM {
		width = 1 + record.Rank
	}
	l := &r.taken[r.now]
	l.Iterations = record.Iteration
	l.Work = float64(record.Passes * float64(2*width) * float64(n) * float64(d))
}

// Path returns the path to the model that leads. Its last leg ends with the best record.
func (r *Run) Path() []Leg {
	path := append([]Leg(nil), r.taken[PathTo(r.candidates, r.lead.candidate):r.lead.candidate+1]...)
	last := &path[len(path)-1]
	if best := r.lead.record.Iteration; best < last.Iterations {
		last.Work *= float64(best) / float64(last.Iterations)
		last.Iterations = best
	}
	return path
}

// Along trains the model that leads anew on other rows of its features, along a path.
// The weights start from ridge with this total penalty, and rng draws the factors. It
// yields after each iteration, and returns [study.ErrStopped] when that reports false.
func (r *Run) Along(part design.Part, penalty float64, path []Leg, rng *rand.Rand, yield func() bool) (*fm.Model, error) {
	fit, err := trial.FitLinear(&r.Leading().Encoding.Target, part, penalty)
	if err != nil {
		return nil, err
	}
	return r.along(part, fit, penalty, path, rng, yield)
}

// along is [Run.Along] from a fit of ridge.
func (r *Run) along(part design.Part, fit linear.Fit, penalty float64, path []Leg, rng *rand.Rand, yield func() bool) (*fm.Model, error) {
	_, d := part.Z.Dims()
	model := r.newModel(d, r.lead.model.Rank)
	trial.Start(model, fit)
	if model.Rank == 0 {
		return model, nil
	}
	als := &solve.ALS{Weights: penalty}
	var solver solve.Solver = als
	perRow := 1.0
	if !Searches(r.spec) {
		solver, path, perRow = r.newSolver(part), path[:1], measure.Total(part)
	}
	problem := solve.Problem{Source: solve.Weighted(part.Z, part.Y, part.Weight), Loss: lossOf(&r.Leading().Encoding.Target)}
	for i, leg := range path {
		problem.Penalty, als.Warm = solve.L2(leg.Lambda*perRow), i > 0
		progress, err := solver.Start(problem, model, rng)
		for done := 0; ; done++ {
			if err != nil {
				return nil, err
			}
			if !yield() {
				return nil, study.ErrStopped
			}
			if done >= leg.Iterations || progress.Stop != "" {
				break
			}
			progress, err = solver.Step()
		}
	}
	return model, nil
}

// start returns the random numbers that a candidate's factors start from.
func (r *Run) start() *rand.Rand {
	return trial.Stream(r.spec.Seed, r.cell.Trial, trial.StreamStart+trial.Purpose(r.cell.Model))
}

// penalty returns ridge's total penalty on other rows: ALS counts pseudo-rows, others a share
// of the rows.
func (r *Run) penalty(base *trial.Ridge, part design.Part) float64 {
	if Searches(r.spec) {
		return base.Total
	}
	return base.Lambda * measure.Total(part)
}

// Work returns the multiply-adds of the candidates so far, and those of the path to the
// model that leads. It returns [ErrNoModel] before the first record. O(candidates).
func (r *Run) Work() (all, path float64, err error) {
	if r.lead.model == nil {
		return 0, 0, ErrNoModel
	}
	for _, leg := range r.taken {
		all += leg.Work
	}
	for _, leg := range r.Path() {
		path += leg.Work
	}
	return all, path, nil
}
