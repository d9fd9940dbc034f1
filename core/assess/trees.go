package assess

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/measure"
	"ifmlab/core/message"
	"ifmlab/core/trees"
	"ifmlab/core/trial"
)

// Trees is the baseline of gradient boosted trees on the rows of a run. Next grows them.
// Until Done nothing is predicted.
type Trees struct {
	Grown int // trees so far, at most [trees.MaxTrees]
	Done  bool

	// Of the trees that predict validation rows best.
	Count     int           // trees; without one, all is predicted as the training mean
	Leaves    int           // of a tree, at most
	Error     float64       // of the test rows, in the measure that [measure.Of] names
	Predicted []float64     // the test rows, in the order of [train.Run.Predictions], target units; of classes the probability of class 1
	Metrics   *ClassMetrics // of classes; else nil

	booster *trees.Booster // nil once done
	again   *trees.Booster // the same trees on training and validation rows; nil until validation rows have chosen
	all     trees.Rows     // these, with what the trees learn
	weights []float64      // of all; nil for 1 each
	test    trees.Rows     // targets in units of the table
	weight  []float64      // of the test rows; nil for 1 each
	target  *design.Target // whose logarithm or log-odds they learn; nil where they learn the target itself

	// Of classes, until done.
	valid  trees.Rows
	counts []float64 // weights of these; nil for 1 each
}

// Trees returns boosted trees on the training and validation rows of r: at first
// none has grown; later calls, and runs that share their rows with r, get the same
// ones as far as they are. It may come before the first record. The columns are
// those of the table, not the features that models see; a target whose logarithm the
// models learn is learnt so by trees, too, and judged as it is, and of classes they
// learn the log-odds. Validation rows say when to stop, also where the settings ask for
// folds. As many trees of the same size are then grown anew on the training and the
// validation rows, and these are compared. Trees costs O(rows·columns) and holds a byte for each of them until all have grown.
//
// It returns a [NoValidationError] for drawn rows, a [trial.NoTableError] if the run is
// closed and its table gone with it, a [*SparseColumnsError], and a
// [*trees.SizeError] for more columns than histograms can be held of.
func (a *Assessment) Trees() (*Trees, error) {
	if a.shared.trees != nil {
		return a.shared.trees, nil
	}
	if a.run.Spec().Source != "table" {
		return nil, NoValidationError{}
	}
	if a.task == nil {
		return nil, trial.NoTableError{}
	}
	plan, err := a.task.Plan()
	if err != nil {
		return nil, err
	}
	split := a.task.ValidationSplit(plan) // as open draws it
	part := func(rows []int32) trees.Rows { return trees.Rows{Columns: plan.Raw(rows), Y: plan.Targets(rows)} }
	rows, valid, test := part(split.Train), part(split.Valid), part(split.Test)
	if len(rows.Columns) == 0 {
		return nil, &SparseColumnsError{Features: len(a.run.Rows().Encoding.Features)}
	}
	both := split.MergeValidation().Train
	t := &Trees{Error: math.NaN(), test: test, weight: plan.Weights(split.Test), counts: plan.Weights(split.Valid), all: part(both), weights: plan.Weights(both)}
	raw, target := valid.Y, a.run.Rows().Encoding.Target
	switch {
	case target.Logistic:
		t.target, t.valid = &target, valid
	case target.Log != design.LogNone:
		t.target = &target
		rows.Y, valid.Y, t.all.Y = scaled(t.target, rows.Y), scaled(t.target, valid.Y), scaled(t.target, t.all.Y)
	}
	if t.booster, err = trees.New(rows, valid, trees.Options{Classes: target.Logistic, Train: plan.Weights(split.Train), Valid: t.counts}); err != nil {
		return nil, err
	}
	if target.Log != design.LogNone {
		t.booster.ValidateOn(raw, t.target.Raw)
	}
	a.shared.trees = t
	return t, nil
}

// SparseColumnsError says that all features of a table are of a column that stands
// for many, which trees have no histograms of.
type SparseColumnsError struct{ Features int }

func (e *SparseColumnsError) Error() string {
	return message.Sprintf("assess: boosted trees need full columns, but the %d features of this table are sparse", e.Features)
}

func (*SparseColumnsError) Kind() string { return "SparseColumnsError" }

// Next grows one tree, a matter of milliseconds, as [trees.Booster.Next] says. After
// the last one it predicts the test rows, and further calls do nothing.
func (t *Trees) Next() error {
	if t.Done {
		return nil
	}
	if t.again == nil {
		done := t.booster.Next()
		if t.Grown = t.booster.Grown(); !done {
			return nil
		}
		var err error
		t.again, err = t.booster.Again(t.all, t.weights)
		return err
	}
	done := t.again.Next()
	if t.Grown = t.booster.Grown() + t.again.Grown(); !done {
		return nil
	}
	predicted, err := t.again.Predict(t.test.Columns)
	if err != nil {
		return err
	}
	t.Count, t.Leaves = t.again.Best()
	classes := t.target != nil && t.target.Logistic
	if classes {
		valid, err := t.booster.Predict(t.valid.Columns)
		if err != nil {
			return err
		}
		metrics := Metrics(predicted, t.test.Y, t.weight, measure.Platt(valid, t.valid.Y, t.counts))
		t.Metrics, t.Error = &metrics, metrics.LogLoss
		if metrics.Calibration.Used {
			predicted = metrics.Calibration.Apply(predicted)
		}
	}
	if t.target != nil {
		for i, y := range predicted {
			predicted[i] = t.target.Raw(y)
		}
	}
	if !classes {
		t.Error = measure.RootMeanSquare(append([]float64(nil), predicted...), t.test.Y, t.weight)
	}
	t.Predicted, t.Done = predicted, true
	t.booster, t.again, t.test, t.valid, t.all, t.counts, t.weights = nil, nil, trees.Rows{}, trees.Rows{}, trees.Rows{}, nil, nil
	return nil
}

// scaled returns what is learnt of targets in units of the table.
func scaled(target *design.Target, raw []float64) []float64 {
	y := make([]float64, len(raw))
	for i, v := range raw {
		y[i] = target.Scaled(v)
	}
	return y
}

// NoValidationError says that rows are drawn, which all train or test.
type NoValidationError struct{}

func (NoValidationError) Error() string {
	return "assess: drawn rows have no validation rows, which would say how many trees to grow; grow them on a table"
}

func (NoValidationError) Kind() string { return "NoValidationError" }
