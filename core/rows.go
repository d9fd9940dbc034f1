package core

import (
	"cmp"
	"slices"
	"strconv"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/fm"
	"ifmlab/core/linear"
	"ifmlab/core/measure"
	"ifmlab/core/note"
	"ifmlab/core/order"
	"ifmlab/core/pair"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
	"ifmlab/core/synth"
	"ifmlab/core/table"
)

// rows is what a trial trains on: the scaled design and its splits, where they
// came from, and the baselines fitted to them. A run trains on drawn rows as on
// read ones; only what speaks of the truth asks whether there is one.
type rows struct {
	*design.Dataset
	penalties []float64    // total ones that the baselines choose from
	ridge     *ridge       // nil until asked for
	straight  bool         // nothing is to be tried with numbers as piecewise-linear bases
	crossed   bool         // two columns have many levels, so that the weakest penalty is tried from fresh factors too
	hats      *rows        // of a table, the same with numbers as such bases; nil until asked for
	centred   []levels     // see levels; nil until asked for
	looked    bool         // for them
	quadratic *Quadratic   // the same
	trees     *Trees       // the same
	pairs     *pair.Search // the same
	logged    *Logged      // the same
	every     bool         // ridge tries every penalty, and tried tells what each reached on validation rows
	tried     []float64
	held      []*roles.Split // the folds that have chosen, whose rows calibrate; nil where validation rows do

	// part is [encode.Part] of the plan of held. Runs on drawn rows, which have none,
	// would reach the plan by its name, and not by this.
	part func(e *design.Encoding, rows []int32) design.Part

	// Of drawn rows, else 0 and nil.
	truth           *fm.Model
	recovery        *recovery
	theory          *Theory // nil until asked for
	sd, secondOrder float64 // synth.Sample's

	runs int // that train on them
}

// ridge is the linear baseline.
type ridge struct {
	fit    linear.Fit // where a model starts from
	shown  linear.Fit // the same, its levels centred
	lambda float64    // a row
	total  float64    // the same for all rows
	test   float64    // RMSE on test rows, target units; of classes the mean log-loss
	mean   float64    // the same of the training mean

	calibration measure.Calibration // of classes
}

// NoTableError says that a Spec trains on a table and none was given.
type NoTableError struct{}

func (NoTableError) Error() string {
	return "core: the settings ask for a table and none is open; drop a CSV file or choose a sample"
}

func (NoTableError) Kind() string { return "NoTableError" }

// origin is where the rows of a run come from. Runs reach what opens tables through it
// alone, so that a program whose runs all draw their rows is linked without.
type origin interface {
	// open returns the rows of one trial. Of a fold, it is known whether bases are tried.
	open(s spec.Spec, trial, fold int, table *table.Table) (*rows, error)
	// encoded returns the rows of a table, with numbers as such bases if hats says so.
	encoded(s spec.Spec, trial, fold int, table *table.Table, hats bool) (*rows, error)
}

// fromDraws draws rows.
type fromDraws struct{}

func (fromDraws) open(s spec.Spec, trial, _ int, _ *table.Table) (*rows, error) {
	return drawn(s, trial)
}

func (fromDraws) encoded(spec.Spec, int, int, *table.Table, bool) (*rows, error) {
	return nil, NoTableError{}
}

// fromTable encodes those of a table.
type fromTable struct{}

func (fromTable) encoded(s spec.Spec, trial, fold int, table *table.Table, hats bool) (*rows, error) {
	return encoded(s, trial, fold, table, hats)
}

func (fromTable) open(s spec.Spec, trial, fold int, table *table.Table) (*rows, error) {
	r, err := encoded(s, trial, fold, table, false)
	if err == nil && searches(s) && s.Encoding != linearly && fold == whole {
		err = r.straighten(s, trial, table, len(r.Train.Y)+len(r.Valid.Y)+len(r.Test.Y))
	}
	return r, err
}

// straighten finds out whether numbers can be tried as piecewise-linear bases: not
// where no column has more than two of them, nor, with a notice, where their design
// would be too large. O(features) where that is plain, else O(rows·columns).
func (r *rows) straighten(s spec.Spec, trial int, table *table.Table, n int) error {
	if r.bends(n) {
		return nil
	}
	plan, err := plan(s, table, true, true)
	if err != nil {
		return err
	}
	split, err := taken(s, trial, whole, plan)
	if err != nil {
		return err
	}
	encoding, _, err := encode.Encoding(plan, split)
	switch {
	case err != nil:
		r.straight = true
		r.Notes = append(r.Notes, note.Note{Topic: note.TopicFeatures, Text: "numbers are not tried as piecewise-linear bases: " + err.Error()})
	case len(encoding.Features) == len(r.Encoding.Features):
		r.straight = true
	}
	return nil
}

// encoded encodes the rows of a table.
func encoded(s spec.Spec, trial, fold int, table *table.Table, hats bool) (*rows, error) {
	if table == nil {
		return nil, NoTableError{}
	}
	plan, err := plan(s, table, hats, fold == whole)
	if err != nil {
		return nil, err
	}
	split, err := taken(s, trial, fold, plan)
	if err != nil {
		return nil, err
	}
	r, err := rowsOf(s, plan, split)
	if err != nil {
		return nil, err
	}
	if folded(s) && fold == whole && r.Encoding.Target.Logistic {
		r.part = func(e *design.Encoding, rows []int32) design.Part { return encode.Part(plan, e, rows) }
		if r.held, err = crossed(s, trial, plan); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// rowsOf encodes the rows of a split of a table.
func rowsOf(s spec.Spec, plan *roles.Plan, split *roles.Split) (*rows, error) {
	set, err := encode.DatasetOf(plan, split)
	if err != nil {
		return nil, err
	}
	set.Notes = append(plan.Notes, set.Notes...)
	r := &rows{Dataset: set, crossed: plan.ManyLevels() > 1}
	if searches(s) { // the largest first: of two that predict alike it is taken
		r.penalties = append(r.penalties, s.LambdaW...)
		order.Sort(r.penalties, func(a, b float64) int { return cmp.Compare(b, a) })
		return r, nil
	}
	for _, lambda := range s.Lambdas {
		r.penalties = append(r.penalties, measure.Total(set.Train)*lambda)
	}
	return r, nil
}

// bends reports whether some column has more than two numbers for certain, and a
// design of bases room: a number takes 8 bytes of a row, and 12 as a basis, beside what
// says where the row starts.
//
// Numbers x from a to b with mean μ and variance σ² have (μ−a)(b−μ) − σ² as the mean of
// (x−a)(b−x), which is 0 for a and b and at most (b−a)²/4 between them. Where it is over
// a thousandth of (b−a)², .4 % of the rows lie between, and some of those are among the
// thousands that corners are looked for in.
func (r *rows) bends(rows int) bool {
	if 2*r.Encoding.Bytes(rows)+8*int64(rows) > design.MaxBytes {
		return false
	}
	return slices.ContainsFunc(r.Encoding.Features, func(f design.Feature) bool {
		span := (f.Most - f.Least) / 3 // a feature is held to one more on either side
		a, b := f.Least+span, f.Most-span
		return f.Kind == design.FeatureValue && float64((f.Mean-a)*(b-f.Mean))-float64(f.Scale*f.Scale) > .001*float64(span*span)
	})
}

// levels returns the levels whose coefficients are centred: none of drawn rows.
func (r *rows) levels() []levels {
	if !r.looked && r.truth == nil {
		r.centred = levelsOf(r.Dataset)
	}
	r.looked = true
	return r.centred
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
	set, err := design.FromMatrix(names, "y", design.Matrix(sample.Train), design.Matrix(sample.Test))
	if err != nil {
		return nil, err
	}
	return &rows{
		Dataset: set, penalties: []float64{0},
		truth: sample.Truth, recovery: newRecovery(sample.Truth), sd: sample.SD, secondOrder: sample.SecondOrderSD,
	}, nil
}

// baselines fits ridge the first time it is asked for: one fit a penalty, the
// one with the lowest validation error is kept. Without validation rows there
// is one penalty. O(n·d²).
func (r *rows) baselines() (*ridge, error) {
	if r.ridge != nil {
		return r.ridge, nil
	}
	target := &r.Encoding.Target
	fits, err := newLinear(target, r.Train.Z, r.Train.Y, r.Train.Weight)
	if err != nil {
		return nil, err
	}
	chosen, lambda, err := r.choose(func(total float64) (predictor, error) { return fits.Fit(total) })
	if err != nil {
		return nil, err
	}
	fit := chosen.(linear.Fit)
	shown := centredFit(fit, r.levels())
	best := &ridge{fit: fit, shown: shown, lambda: lambda / measure.Total(r.Train), total: lambda, test: predictedError(shown, r.Test, target)}
	best.mean = predictedError(linear.Fit{W: make([]float64, len(fit.W)), B: constant(target, r.Train.Y, r.Train.Weight)}, r.Test, target)
	if target.Logistic {
		if !best.fit.Separable && r.nearlyApart(&best.fit) { // the penalty may keep the last rows on the wrong side
			if free, err := fits.Fit(0); err == nil { // without one, nothing is told
				best.fit.Separable = free.Separable
			}
		}
		if err := r.judge(best); err != nil {
			return nil, err
		}
	}
	if target.Log != design.LogNone { // the mean stays that of the target itself
		best.mean = measure.RootMeanSquare(filled(len(r.Test.Y), measure.Mean(r.Train.Raw, r.Train.Weight)), r.Test.Raw, r.Test.Weight)
	}
	r.ridge = best
	return best, nil
}

// filled returns n times v.
func filled(n int, v float64) []float64 {
	f := make([]float64, n)
	for i := range f {
		f[i] = v
	}
	return f
}

// targetSD returns the standard deviation of the training targets in units of the
// table; of classes the log-loss of their shares, which is to the log-loss what the
// former is to the RMSE.
func (r *rows) targetSD() float64 {
	if r.Encoding.Target.Logistic {
		return r.spread() / measure.Total(r.Train)
	}
	if r.Encoding.Target.Log == design.LogNone {
		return r.Encoding.Target.Scale
	}
	return measure.RootMeanSquare(filled(len(r.Train.Raw), measure.Mean(r.Train.Raw, r.Train.Weight)), r.Train.Raw, r.Train.Weight)
}

// leave says that one run trains no more. After the last one, the rows that only
// training needs, which are most of a run's memory, are let go of, if the
// baselines are known.
func (r *rows) leave() {
	if r.runs--; r.runs == 0 && r.ridge != nil {
		r.levels()
		for _, r := range [...]*rows{r, r.hats} {
			if r != nil {
				r.Train, r.Valid, r.part, r.held = design.Part{}, design.Part{}, nil, nil
			}
		}
	}
}
