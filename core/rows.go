package core

import (
	"math"
	"strconv"

	"ifmlab/core/data"
	"ifmlab/core/fm"
	"ifmlab/core/linear"
	"ifmlab/core/message"
	"ifmlab/core/pair"
	"ifmlab/core/spec"
	"ifmlab/core/synth"
)

// rows is what a trial trains on: the scaled design and its splits, where they
// came from, and the baselines fitted to them. A run trains on drawn rows as on
// read ones; only what speaks of the truth asks whether there is one.
type rows struct {
	*data.Dataset
	lambdas   []float64    // penalties a row that the baselines choose from
	ridge     *ridge       // nil until asked for
	quadratic *Quadratic   // the same
	pairs     *pair.Search // the same

	// Of drawn rows, else 0 and nil.
	truth           *fm.Model
	recovery        *recovery
	theory          *Theory // nil until asked for
	sd, secondOrder float64 // synth.Sample's

	runs int // that train on them
}

// ridge is the linear baseline.
type ridge struct {
	fit    linear.Fit
	lambda float64 // a row
	test   float64 // RMSE on test rows, target units
	mean   float64 // the same of the training mean
}

// NoTableError says that a Spec trains on a table and none was given.
type NoTableError struct{}

func (NoTableError) Error() string {
	return "core: the settings ask for a table and none is open; drop a CSV file or choose a sample"
}

// open draws or encodes the rows of one trial.
func open(s spec.Spec, trial int, table *data.Table) (*rows, error) {
	if s.Source == "table" {
		if table == nil {
			return nil, NoTableError{}
		}
		plan, err := table.Plan(settings(s))
		if err != nil {
			return nil, err
		}
		set, err := plan.Dataset(Stream(s.Seed, trial, StreamSplit))
		if err != nil {
			return nil, err
		}
		set.Notices = append(plan.Notices, set.Notices...)
		return &rows{Dataset: set, lambdas: s.Lambdas}, nil
	}
	return drawn(s, trial)
}

// drawn draws synthetic rows. They have no validation part: the rank is given
// and there is nothing to choose.
func drawn(s spec.Spec, trial int) (*rows, error) {
	sample, err := synth.Generate(
		drawing(s),
		synth.Streams{
			Truth: Stream(s.Seed, trial, StreamTruth),
			Train: Stream(s.Seed, trial, StreamTrain),
			Test:  Stream(s.Seed, trial, StreamTest),
		})
	if err != nil {
		return nil, err
	}
	names := make([]string, s.D)
	for j := range names {
		names[j] = "x" + strconv.Itoa(j+1)
	}
	set, err := data.FromMatrix(names, "y", data.Matrix(sample.Train), data.Matrix(sample.Test))
	if err != nil {
		return nil, err
	}
	return &rows{
		Dataset: set, lambdas: []float64{0},
		truth: sample.Truth, recovery: newRecovery(sample.Truth), sd: sample.SD, secondOrder: sample.SecondOrderSD,
	}, nil
}

// baselines fits ridge the first time it is asked for: one fit a penalty, the
// one with the lowest validation RMSE is kept. Without validation rows there
// is one penalty. O(n·d²).
func (r *rows) baselines() (*ridge, error) {
	if r.ridge != nil {
		return r.ridge, nil
	}
	scale := r.Encoding.Target.Scale
	fits, err := linear.NewRidge(r.Train.Z, r.Train.Y)
	if err != nil {
		return nil, err
	}
	chosen, lambda, err := r.choose(func(total float64) (predictor, error) { return fits.Fit(total) })
	if err != nil {
		return nil, err
	}
	fit := chosen.(linear.Fit)
	best := &ridge{fit: fit, lambda: lambda, test: predictedRMSE(fit, r.Test, scale)}
	constant := linear.Fit{W: make([]float64, len(fit.W)), B: linear.Mean(r.Train.Y)}
	best.mean = predictedRMSE(constant, r.Test, scale)
	if best.test < .01*best.mean && r.truth == nil {
		r.Notices = append(r.Notices, message.Sprintf("a linear model predicts %s almost exactly; if columns are parts of it, as %s may be, ignore them", r.Encoding.Target.Name, r.heaviest(fit.W)))
	}
	r.ridge = best
	return best, nil
}

// heaviest names the columns that weigh most in a linear model over scaled
// features: one, or two where the second weighs half as much or more.
func (r *rows) heaviest(w []float64) string {
	first, second := -1, -1
	for j := range w {
		switch {
		case first < 0 || math.Abs(w[j]) > math.Abs(w[first]):
			first, second = j, first
		case second < 0 || math.Abs(w[j]) > math.Abs(w[second]):
			second = j
		}
	}
	name := r.Encoding.Features[first].Column
	if second >= 0 && math.Abs(w[second]) >= .5*math.Abs(w[first]) && r.Encoding.Features[second].Column != name {
		name += " and " + r.Encoding.Features[second].Column
	}
	return name
}

// leave says that one run trains no more. After the last one, the rows that only
// training needs, which are most of a run's memory, are let go of, if the
// baselines are known.
func (r *rows) leave() {
	if r.runs--; r.runs == 0 && r.ridge != nil {
		r.Train, r.Valid = data.Part{}, data.Part{}
	}
}
