package core

import (
	"ifmlab/core/fm"
	"ifmlab/core/linear"
	"ifmlab/core/measure"
	"ifmlab/core/solve"
	"ifmlab/core/spec"
)

// candidate is one model that a run tries.
type candidate struct {
	encoding string // of numbers
	rank     int    // 0: ridge
	lambda   float64
	fresh    bool // als draws its factors, and does not go on from the candidate before
}

const (
	linearly = "linear" // numbers as they are
	inHats   = "hats"   // numbers as piecewise-linear bases
)

// candidates returns what s tries, in this order. als begins each encoding with
// ridge, and goes through each rank's penalties, each fit from the one before. Numbers
// stay as they are if straight says so.
//
// Where two columns have many levels, as users and items do, the last penalty of each
// rank is tried once more with fresh factors. Such levels have few rows each, so a strong
// penalty keeps their factors near 0. An hour or a weekday has many. The path from strong
// to weak penalties may fit noise in these before it reaches users and items.
func candidates(s spec.Spec, straight, crossed bool) (all []candidate) {
	if s.Source == "synthetic" {
		return []candidate{{encoding: linearly, rank: rank(s), fresh: true}}
	}
	encodings, penalties := []string{linearly}, s.Lambdas
	if searches(s) {
		penalties = s.LambdaF
		switch {
		case straight:
		case s.Encoding == "auto":
			encodings = []string{linearly, inHats}
		case s.Encoding == inHats:
			encodings = []string{inHats}
		}
	}
	for _, encoding := range encodings {
		if searches(s) {
			all = append(all, candidate{encoding: encoding})
		}
		for _, rank := range s.Ranks {
			for i, lambda := range penalties {
				all = append(all, candidate{encoding, rank, lambda, i == 0 || !searches(s)})
			}
			if n := len(penalties); crossed && searches(s) && n > 1 {
				all = append(all, candidate{encoding, rank, penalties[n-1], true})
			}
		}
	}
	return all
}

// pathTo returns the first of the candidates that lead to one: als goes on from each to
// the next.
func pathTo(all []candidate, to int) (from int) {
	for from = to; all[from].rank > 0 && !all[from].fresh; {
		from--
	}
	return from
}

// on returns what a candidate trains on, once prepare has been there.
func (r *Run) on(c candidate) *rows {
	if c.encoding == inHats && r.rows.hats != nil {
		return r.rows.hats
	}
	return r.rows
}

// prepare encodes what a candidate trains on when it is first needed.
func (r *Run) prepare(c candidate) (err error) {
	if c.encoding == inHats && r.rows.hats == nil {
		r.rows.hats, err = r.encoded(true)
	}
	return err
}

// encoded encodes the rows of this run.
func (r *Run) encoded(hats bool) (*rows, error) {
	on, err := r.origin.encoded(r.spec, r.cell.Trial, r.fold, r.table, hats)
	if err != nil || r.found == nil {
		return on, err
	}
	weights, _, err := r.found.weights(r.spec)
	if err == nil && hats {
		on.weigh(weights[1])
	} else if err == nil {
		on.weigh(weights[0])
	}
	return on, err
}

// weigh leaves the weights one penalty of those that there are.
func (r *rows) weigh(place int) { r.penalties = r.penalties[place : place+1] }

// exactShare is the share of the target's standard deviation below which an error of
// ridge ends the search: a column, or a sum of some, is the target.
const exactShare = .01

// leastFall is the share of the objective that a sweep of als has to win, for the
// search to go on with a candidate, unless a tolerance is asked for: less moves no
// third digit of an error.
const leastFall = 1e-4

// littleLoss is the share of the loss of the mean below which falls are measured
// against it: a column that is part of the target leaves so little, and a search for
// what is left of it would take minutes to change nothing.
const littleLoss = 1e-4

// search starts candidate c of als: ridge itself, or factors beside its weights,
// from where the candidate before ended if it has the same rank.
func (r *Run) search(c candidate) (solve.Progress, error) {
	if err := r.prepare(c); err != nil {
		return solve.Progress{}, err
	}
	on := r.on(c)
	base, err := on.baselines()
	if err != nil {
		return solve.Progress{}, err
	}
	_, d := on.Train.Z.Dims()
	r.fit = &fitting{
		model: fm.New(r.cell.Model, d, c.rank),
		stop: solve.Stop{
			Iterations: r.spec.Iterations, Patience: patience(r.spec),
			Tolerance: tolerance(r.spec), Little: littleLoss * on.spread(),
		},
	}
	warm := c.rank > 0 && !c.fresh && r.from != nil
	if warm {
		r.fit.model.Set(r.from)
	} else {
		start(r.fit.model, base.fit)
	}
	r.from = r.fit.model
	if c.rank == 0 {
		f := make([]float64, len(on.Train.Y))
		base.fit.Predict(f, on.Train.Z)
		ridge := solve.Progress{Stop: "ridge, which the others start from"}
		if on.Encoding.Target.Logistic {
			ridge.LogLoss = measure.MeanLogLoss(f, on.Train.Y, on.Train.Weight, 1)
		} else {
			ridge.RMSE = measure.RootMeanSquare(f, on.Train.Y, on.Train.Weight)
		}
		return ridge, nil
	}
	if r.als == nil {
		r.als = solve.NewALS()
	}
	r.als.Weights, r.als.Warm = base.total, warm
	r.fit.solver = r.als
	r.fit.drawn = !warm
	problem := solve.Problem{Source: solve.Weighted(on.Train.Z, on.Train.Y, on.Train.Weight), Loss: lossOf(&on.Encoding.Target), Penalty: solve.L2(c.lambda)}
	return r.als.Start(problem, r.fit.model, Stream(r.spec.Seed, r.cell.Trial, StreamStart+Purpose(r.cell.Model)))
}

// start sets the linear part of a model.
func start(m *fm.Model, fit linear.Fit) {
	copy(m.W, fit.W)
	m.B = fit.B
}

// Choices returns among how many fits validation rows have to choose for one model of
// s, a table's: penalties of the weights apart. Where it is 1, none are needed.
func Choices(s spec.Spec) int {
	n := len(candidates(s, false, false))
	if !searches(s) {
		return n
	}
	if s.Encoding == "auto" {
		n--
	}
	return (n - 1) * len(s.LambdaW) // ridge is where they start from
}
