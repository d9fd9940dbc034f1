package assess

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
	"ifmlab/core/measure"
	"ifmlab/core/message"
	"ifmlab/core/trees"
	"ifmlab/core/trial"
)

// Trees is the baseline of gradient boosted trees on the rows of a run. Next grows them.
// Until Done nothing is predicted.
type Trees struct {
	Grown int // trees so far
	Most  int // of Grown: [trees.MaxTrees], or so many for each of more than two classes
	Done  bool

	// Of the trees that predict validation rows best.
	Count     int           // trees; without one, all is predicted as the training mean
	Leaves    int           // of a tree, at most
	Error     float64       // of the test rows, in the measure that [measure.Of] names
	Predicted []float64     // the test rows, as those of [train.Run.Predictions]
	Metrics   *ClassMetrics // of classes; else nil

	boosters []*trees.Booster // one, or of more than two classes one each, against the rest, nil for one without training rows; nil once done
	again    []*trees.Booster // the same trees on training and validation rows, of those that validation rows have chosen
	all      trees.Rows       // these, with what the trees learn
	weights  []float64        // of all; nil for 1 each
	test     trees.Rows       // targets in units of the table
	weight   []float64        // of the test rows; nil for 1 each
	target   *design.Target   // whose logarithm or log-odds they learn; nil where they learn the target itself

	// Of classes, until done.
	valid  trees.Rows
	counts []float64 // weights of these; nil for 1 each
}

// Trees returns boosted trees on the training and validation rows of r: at first
// none has grown; later calls, and runs that share their rows with r, get the same
// ones as far as they are. It may come before the first record. The columns are
// those of the table, not the features that models see; a target whose logarithm the
// models learn is learnt so by trees, too, and judged as it is, and of classes they
// learn the log-odds: of more than two classes those of each against the rest, whose
// probabilities are divided by their sum. Validation rows say when to stop, also where the settings ask for
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
	t.Most = trees.MaxTrees * target.Scores()
	for c := range target.Scores() {
		if target.Shares != nil && target.Shares[c] == 0 {
			t.boosters = append(t.boosters, nil)
			continue
		}
		b, err := trees.New(t.against(rows, c), t.against(valid, c), trees.Options{Classes: target.Logistic, Train: plan.Weights(split.Train), Valid: t.counts})
		if err != nil {
			return nil, err
		}
		if target.Log != design.LogNone {
			b.ValidateOn(raw, t.target.Raw)
		}
		t.boosters = append(t.boosters, b)
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

// against returns rows whose target is 1 for a class of more than two and 0 for the others, or
// as they are.
func (t *Trees) against(rows trees.Rows, class int) trees.Rows {
	if t.target != nil && t.target.Scores() > 1 {
		y := make([]float64, len(rows.Y))
		for i, v := range rows.Y {
			if int(v) == class {
				y[i] = 1
			}
		}
		rows.Y = y
	}
	return rows
}

// Next grows one tree, a matter of milliseconds, as [trees.Booster.Next] says. After
// the last one it predicts the test rows, and further calls do nothing.
func (t *Trees) Next() error {
	if t.Done {
		return nil
	}
	c := len(t.again)
	if last := c - 1; last >= 0 && t.again[last] != nil && !t.again[last].Next() {
		t.count()
		return nil
	}
	if c < len(t.boosters) {
		b := t.boosters[c]
		if b != nil && !b.Next() {
			t.count()
			return nil
		}
		var err error
		if b != nil {
			b, err = b.Again(t.against(t.all, c), t.weights)
		}
		t.again = append(t.again, b)
		t.count()
		return err
	}
	t.count()
	predicted, err := t.scores(t.again, t.test)
	if err != nil {
		return err
	}
	for _, b := range t.again {
		if b != nil {
			count, leaves := b.Best()
			t.Count, t.Leaves = t.Count+count, max(t.Leaves, leaves)
		}
	}
	classes := t.target != nil && t.target.Logistic
	if classes {
		valid, err := t.scores(t.boosters, t.valid)
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
		predicted = measure.Predicted(predicted, t.test.Y, t.target)
	}
	if !classes {
		t.Error = measure.RootMeanSquare(append([]float64(nil), predicted...), t.test.Y, t.weight)
	}
	t.Predicted, t.Done = predicted, true
	t.boosters, t.again, t.test, t.valid, t.all, t.counts, t.weights = nil, nil, trees.Rows{}, trees.Rows{}, trees.Rows{}, nil, nil
	return nil
}

// count sets Grown.
func (t *Trees) count() {
	t.Grown = 0
	for _, b := range append(t.boosters[:len(t.boosters):len(t.boosters)], t.again...) {
		if b != nil {
			t.Grown += b.Grown()
		}
	}
}

// scores returns what boosters predict of rows: of more than two classes the logarithms of the
// probabilities, those of a row next to each other.
func (t *Trees) scores(boosters []*trees.Booster, rows trees.Rows) ([]float64, error) {
	k := len(boosters)
	all := make([]float64, len(rows.Y)*k)
	for c, b := range boosters {
		if b == nil { // no row says more of a class than that it is rare
			for i := range rows.Y {
				all[i*k+c] = -math.Log(float64(2 * len(t.all.Y)))
			}
			continue
		}
		f, err := b.Predict(rows.Columns)
		if err != nil || k == 1 {
			return f, err
		}
		for i, v := range f {
			all[i*k+c] = -kernel.LogLoss(v, 1)
		}
	}
	return all, nil
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
