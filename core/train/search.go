package train

import (
	"math"
	"slices"

	"ifmlab/core/measure"
	"ifmlab/core/solve"
	"ifmlab/core/spec"
	"ifmlab/core/trial"
)

// Candidate is one model that a run tries.
type Candidate struct {
	Encoding string // of numbers
	Rank     int    // 0: ridge
	Lambda   float64
	Fresh    bool // als draws its factors, and does not go on from the candidate before
}

// The encodings of numbers.
const (
	Linear = "linear" // as they are
	Hats   = "hats"   // as piecewise-linear bases
)

// Candidates returns the candidates of s in the order in which they are tried. ALS begins
// each encoding with ridge. It then goes through the penalties of each rank, each fit from
// the one before. If linearOnly is set, numbers stay as they are.
//
// Where two columns have many levels, as users and items do, penalties between the default
// ones are tried, too, and the last of each rank once more with fresh factors. Such levels have few rows each, so a strong
// penalty keeps their factors near 0. An hour or a weekday has many. The path from strong
// to weak penalties may fit noise in these before it reaches users and items.
func Candidates(s spec.Spec, linearOnly, manyLevels bool) (all []Candidate) {
	if s.Source == "synthetic" {
		return []Candidate{{Encoding: Linear, Rank: rank(s), Fresh: true}}
	}
	encodings, penalties := []string{Linear}, s.Lambdas
	if Searches(s) {
		penalties = s.LambdaF
		if manyLevels && slices.Equal(penalties, spec.Default().LambdaF) {
			penalties = Between(penalties)
		}
		switch {
		case linearOnly:
		case s.Encoding == "auto":
			encodings = []string{Linear, Hats}
		case s.Encoding == Hats:
			encodings = []string{Hats}
		}
	}
	for _, encoding := range encodings {
		if Searches(s) {
			all = append(all, Candidate{Encoding: encoding})
		}
		for _, rank := range s.Ranks {
			for i, lambda := range penalties {
				all = append(all, Candidate{encoding, rank, lambda, i == 0 || !Searches(s)})
			}
			if n := len(penalties); manyLevels && Searches(s) && n > 1 {
				all = append(all, Candidate{encoding, rank, penalties[n-1], true})
			}
		}
	}
	return all
}

// Between returns penalties with the geometric mean of each two neighbours from 1 to 30 put
// between them. Ratings have their best penalties there. The error between two that are 3 times
// apart is up to 2 % lower, and the smaller steps converge sooner.
func Between(penalties []float64) (all []float64) {
	for i, p := range penalties {
		if i > 0 && min(p, penalties[i-1]) >= 1 && max(p, penalties[i-1]) <= 30 {
			all = append(all, math.Sqrt(float64(p*penalties[i-1])))
		}
		all = append(all, p)
	}
	return all
}

// PathTo returns the first candidate of the path to one: ALS goes on from each to the next.
func PathTo(all []Candidate, to int) (from int) {
	for from = to; all[from].Rank > 0 && !all[from].Fresh; {
		from--
	}
	return from
}

// on returns the rows that a candidate trains on, which it encodes when they are first
// needed.
func (r *Run) on(c Candidate) (*trial.Trial, error) {
	if c.Encoding == Hats {
		return r.rows.WithHats(r.source)
	}
	return r.rows, nil
}

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
func (r *Run) search(c Candidate) (solve.Progress, error) {
	on, err := r.on(c)
	if err != nil {
		return solve.Progress{}, err
	}
	base, err := on.Ridge()
	if err != nil {
		return solve.Progress{}, err
	}
	_, d := on.Train.Z.Dims()
	r.state.fit = &fitting{
		on: on, weights: base.Total,
		model: r.newModel(d, c.Rank),
		stop: solve.Stop{
			Iterations: r.spec.Iterations, Patience: patience(r.spec),
			Tolerance: tolerance(r.spec), Little: littleLoss * on.LossOfMean(),
		},
	}
	warm := c.Rank > 0 && !c.Fresh && r.state.from != nil
	if warm {
		r.state.fit.model.Set(r.state.from)
	} else {
		trial.Start(r.state.fit.model, base.Fit)
	}
	r.state.from = r.state.fit.model
	if c.Rank == 0 {
		f := make([]float64, len(on.Train.Y)*on.Encoding.Target.Scores())
		base.Fit.Predict(f, on.Train.Z)
		ridge := solve.Progress{Stop: "ridge regression, where the others start"}
		if on.Encoding.Target.Logistic {
			ridge.LogLoss = measure.MeanLogLoss(f, on.Train.Y, on.Train.Weight, 1)
		} else {
			ridge.RMSE = measure.RootMeanSquare(f, on.Train.Y, on.Train.Weight)
		}
		return ridge, nil
	}
	if r.state.als == nil {
		r.state.als = solve.NewALS()
	}
	r.state.als.Weights, r.state.als.Warm = base.Total, warm
	r.state.fit.solver = r.state.als
	r.state.fit.drawn = !warm
	problem := solve.Problem{Source: solve.Weighted(on.Train.Z, on.Train.Y, on.Train.Weight), Loss: lossOf(&on.Encoding.Target), Penalty: solve.L2(c.Lambda)}
	return r.state.als.Start(problem, r.state.fit.model, r.start())
}

// Choices returns the number of fits among which validation rows choose one model of s on
// a table, counting the penalties of the weights. If it is 1, none are needed.
func Choices(s spec.Spec) int {
	n := len(Candidates(s, false, false))
	if !Searches(s) {
		return n
	}
	if s.Encoding == "auto" {
		n--
	}
	return (n - 1) * len(s.LambdaW) // ridge is where they start from
}
