// Package train trains one model on the rows of one trial. It knows nothing of what is asked
// of a model afterwards.
package train

import (
	"errors"
	"io"
	"math"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/measure"
	"ifmlab/core/message"
	"ifmlab/core/moment"
	"ifmlab/core/note"
	"ifmlab/core/solve"
	"ifmlab/core/spec"
	"ifmlab/core/study"
	"ifmlab/core/trial"
)

// Version names the curves: it changes when the same Spec and seed no longer
// give the same bits, in the commit that writes testdata/golden.txt anew.
const Version = "0.8.0"

// Record is the result of one iteration. Train, Valid and Test are errors in the measure of
// [measure.Of]. They are in units of the target even if its logarithm is learnt. The loss
// is then that of logarithms, and Train need not fall with it. Valid is NaN without
// validation rows, and for factors that ALS has only drawn, which are never chosen.
type Record struct {
	Candidate int     // from 0, in the order in which they are tried
	Encoding  string  // of numbers, "linear" or "hats"
	Rank      int     // k; 0 for ridge, from which ALS starts
	Lambda    float64 // λ a row; the penalty is ½·n·λ·(‖w‖² + ‖U‖² + ‖V‖²), or what [solve.GaussNewton] makes of n·λ. For ALS on a table, the penalty on the factors, in pseudo-rows
	Weights   float64 // for ALS on a table, the penalty on the weights, in pseudo-rows; else 0
	Iteration int     // 0 is the start
	Train     float64 // error on training rows
	Valid     float64 // error on validation rows; in a cross-validated run, the mean over the folds
	Test      float64 // error on test rows; nothing is ever chosen by it
	Passes    float64 // over the training rows so far, as [solve.Progress] counts them
	W, M      float64 // relative recovery error ‖w − w*‖/‖w*‖ and ‖M − M*‖/‖M*‖ (Frobenius); NaN for a table
	Lead      int     // the candidate that leads on validation rows so far
	Stop      string  // why the candidate ends with this record; "" while it goes on
	Rose      int     // the iteration since which the loss has risen, if that is why; else 0
	Last      bool    // of the last fit, to training and validation rows; Valid is then the error by which it was chosen
}

// Run is the training of one cell. It tries its candidates in turn: the encodings, ranks
// and penalties that the settings list. ALS starts each where the one before ended, other
// solvers start each anew. The candidate with the lowest validation error at any of its
// iterations leads. For ALS that may be ridge. On a table the choice is then fitted once more,
// to the training and validation rows: encoding, rank, penalties and iterations stay. That
// fit is what test rows measure and what is saved, and the baselines see the same rows.
// Drawn rows have one candidate, their rank without penalty, and no validation rows.
//
// A Run is not safe for concurrent use, nor are runs that share their rows.
type Run struct {
	spec   spec.Spec
	cell   trial.Cell
	source trial.Source
	rows   *trial.Trial // shared by the runs of the trial

	candidates []Candidate
	followed   *followed // nil for a run that searches
	taken      []Leg     // of the candidates so far
	state      training  // zero once the run is done
	now        int       // index into candidates
	failed     error     // the error of the first candidate that could not be trained
	done       bool
	validates  bool

	lead          lead
	additive      *trial.Additive          // once the run is over; nil where there is none
	platt         *measure.Calibration     // of the lead, of classes; nil until the run is over
	interval      *fm.Interval             // of the lead; nil until somebody sets it
	storeMatrices *solve.IterationMatrices // of Algorithm 1; nil until asked for
	eval          evaluation               // scratch
}

// training is what a run holds only while it trains.
type training struct {
	fit    *fitting   // of the candidate now; nil before its first record
	als    *solve.ALS // of the last candidate, whose model the next one starts from
	from   *fm.Model
	shown  *fm.Model           // the model of fit, its levels centred
	copied *fm.Model           // the same where there are levels, used again by each record
	folds  *study.Study        // predicts each fold without it; nil before it begins
	unseen measure.OutOfSample // these predictions
	refit  *study.Study        // the last fit; nil before it begins
}

// fitting is the state of the candidate that is being trained.
type fitting struct {
	on      *trial.Trial
	weights float64 // of als on a table: the penalty on the weights
	model   *fm.Model
	solver  solve.Solver
	stop    solve.Stop
	drawn   bool // als began with factors drawn at random, which are no fit
}

// on returns the rows of the candidate that is being trained.
func (t *training) on(r *Run) *trial.Trial {
	if t.fit != nil {
		return t.fit.on
	}
	return r.rows
}

// lead is the model that leads, at its best iteration; zero before the first record.
type lead struct {
	candidate int // index into candidates
	model     *fm.Model
	record    Record
	on        *trial.Trial // that it was trained on
	again     bool         // fitted once more
	loss      float64      // on training and validation rows, once these were fitted
	centre    *fm.Centre   // of the model; nil until asked for
}

// Search prepares to try all candidates of a cell of s on the rows of a source, by which
// validation rows choose. It trains nothing yet. A run among others with a source of the
// same key shares its rows and baselines. Errors are a [*trial.CellError], a [*LossError]
// and those of the source.
func Search(s spec.Spec, cell int, source trial.Source, others ...*Run) (*Run, error) {
	c, err := trial.CellAt(s, cell)
	if err != nil {
		return nil, err
	}
	r := &Run{spec: trial.PointAt(s, c.Point).Spec, cell: c, source: source}
	for _, other := range others {
		if !other.done && other.source.Key == source.Key {
			r.rows = other.rows
		}
	}
	if r.rows == nil {
		if r.rows, err = source.Open(false); err != nil {
			return nil, err
		}
	}
	s = r.spec
	if s.Numbers == "equal" && c.Model == fm.FM {
		s.Rank = 2 * rank(s)
	}
	r.candidates, r.validates = Candidates(s, r.rows.LinearOnly, r.rows.ManyLevels), len(r.rows.Valid.Y) > 0
	if err := r.checkLoss(); err != nil {
		return nil, err
	}
	r.rows.Enter()
	return r, nil
}

// followed is the path of a run that does not search.
type followed struct {
	path  []Leg
	valid func(candidate, iteration int) float64 // the error that a record is judged by
}

// Follow makes a run that has not begun train one path, which choose finds among all
// candidates. The validation errors of its records are those that valid returns. An error
// of choose closes the run.
func (r *Run) Follow(choose func(all []Candidate) ([]Leg, error), valid func(candidate, iteration int) float64) error {
	path, err := choose(r.candidates)
	if err != nil {
		r.Close()
		return err
	}
	all := r.candidates
	r.followed, r.candidates = &followed{path, valid}, nil
	for _, leg := range path {
		r.candidates = append(r.candidates, all[leg.Candidate])
	}
	return nil
}

// Next trains one iteration and returns its record, io.EOF after the last one. The record
// of a candidate that diverges says so. If no candidate could be trained, Next returns the
// error of the first one. The records of the last fit say that they are Last. Only the very
// last one has the errors of that fit and a Stop.
func (r *Run) Next() (Record, error) {
	if r.done {
		return Record{}, io.EOF
	}
	if r.now == len(r.candidates) {
		return r.refit()
	}
	c := r.candidates[r.now]
	record := Record{Candidate: r.now, Encoding: c.Encoding, Rank: c.Rank, Lambda: c.Lambda, Train: math.NaN(), Valid: math.NaN(), Test: math.NaN(), W: math.NaN(), M: math.NaN()}
	progress, err := r.step(c)
	record.Iteration, record.Passes = progress.Iteration, progress.Passes
	if err != nil {
		r.fail(&record, err)
	} else {
		r.judge(&record, progress)
	}
	record.Lead = r.lead.candidate
	r.record(record)
	r.stepFolds()
	if record.Stop != "" {
		if Searches(r.spec) && c.Rank == 0 && record.Valid < exactShare*r.rows.TargetSD() {
			r.candidates = r.candidates[:r.now+1]
			record.Stop = "ridge regression predicts validation rows almost exactly, so nothing is left for factors"
		}
		r.state.fit = nil
		r.now++
	}
	if r.now == len(r.candidates) {
		if r.calibrate(); !r.refits() {
			r.end()
		}
		if r.lead.model == nil {
			return Record{}, r.failed
		}
	}
	return record, nil
}

// end ends a run that has trained all.
func (r *Run) end() {
	if Searches(r.spec) && r.spec.Encoding != Linear {
		r.additive, _ = r.rows.Additive(r.source, r.spec.Encoding == Hats) // a candidate has its error
	}
	if r.refits() {
		r.rows.Baseline(r.source, false) // while its rows are there
	}
	if r.source.Key.Fold == trial.NoFold {
		r.Centre()
	}
	r.state, r.done = training{}, true
	r.rows.Leave()
}

// judge measures the model after an iteration.
func (r *Run) judge(record *Record, progress solve.Progress) {
	on := r.state.fit.on
	target := &on.Encoding.Target
	r.show(on)
	record.Weights = r.state.fit.weights
	switch {
	case target.Logistic:
		record.Train = progress.LogLoss
	case target.Log == design.LogNone:
		record.Train = progress.RMSE * target.Scale
	default: // the loss is of logarithms
		record.Train = r.eval.errorOn(r.state.shown, on.Train, target)
	}
	record.Valid = r.eval.errorOn(r.state.shown, on.Valid, target)
	if f := r.followed; f != nil {
		record.Valid = f.valid(f.path[r.now].Candidate, record.Iteration)
	}
	record.Test = r.eval.errorOn(r.state.shown, on.Test, target)
	if on.Recovery != nil {
		record.W, record.M = on.Recovery.Of(r.state.shown.Raw(on.Encoding))
	}
	if r.followed == nil {
		record.Stop = r.state.fit.stop.Reason(progress, record.Valid)
	} else {
		record.Stop = r.stopOfLeg(progress)
	}
	switch {
	case r.Validates() && !measure.Finite(record.Valid):
		r.fail(record, &NotFiniteError{Target: r.Target(), Candidate: *record, Found: record.Valid})
	case r.state.fit.drawn && record.Iteration == 0 && r.followed == nil:
		record.Valid = math.NaN()
	default:
		r.consider(*record, on)
	}
}

// stopOfLeg returns why a run that follows a path stops a candidate here, "" to go on.
func (r *Run) stopOfLeg(p solve.Progress) string {
	path := r.followed.path
	switch {
	case p.Stop != "":
		return p.Stop
	case p.Iteration < path[r.now].Iterations:
		return ""
	case r.now < len(path)-1:
		return "as many iterations as on half of the folds"
	}
	return "the iteration that is best over the folds"
}

// show sets what is shown of the model: itself or, where the rows have levels, a copy with
// these centred.
func (r *Run) show(on *trial.Trial) {
	if r.state.shown = r.state.fit.model; on.HasLevels() {
		r.state.copied = on.Centred(r.state.fit.model, r.state.copied)
		r.state.shown = r.state.copied
	}
}

// fail ends the candidate of a record. Next returns the error if every candidate fails.
func (r *Run) fail(record *Record, err error) {
	r.name(err)
	if r.failed == nil { // the first is the one to mend first
		r.failed = err
	}
	record.Stop = message.Sentence(err.Error())
	if diverged, ok := errors.AsType[*solve.DivergedError](err); ok && diverged.Iteration > 0 {
		record.Stop, record.Rose = diverged.Sentence(), diverged.Began
	}
}

// name sets the column name of errors that carry only an index.
func (r *Run) name(err error) {
	features := r.state.on(r).Encoding.Features
	for ; err != nil; err = errors.Unwrap(err) {
		switch e := err.(type) {
		case *moment.SingularMomentError:
			e.Name = features[e.Feature].Name
		case *solve.UnstandardizedError:
			e.Name = features[e.Column].Name
		case *solve.DependentColumnsError:
			e.Names = [2]string{features[e.First].Name, features[e.Second].Name}
		}
	}
}

// NotFiniteError says that the validation error of a candidate is not finite. Features are
// clipped, so the target of a validation row is too far from those of the training rows.
type NotFiniteError struct {
	Target    string
	Candidate Record
	Found     float64
}

func (e *NotFiniteError) Error() string {
	return message.Sprintf("train: validation RMSE is %g at iteration %d of rank %d and λ = %g; look for a row whose %s is far from the others", e.Found, e.Candidate.Iteration, e.Candidate.Rank, e.Candidate.Lambda, e.Target)
}

func (*NotFiniteError) Kind() string { return "NotFiniteError" }

// Validates reports whether validation rows judge candidates. Without them the last one
// leads.
func (r *Run) Validates() bool { return r.validates }

// step starts candidate c or takes it one iteration further.
func (r *Run) step(c Candidate) (solve.Progress, error) {
	if r.state.fit != nil {
		return r.state.fit.solver.Step()
	}
	if Searches(r.spec) {
		return r.search(c)
	}
	train := r.rows.Train
	_, d := train.Z.Dims()
	r.state.fit = &fitting{
		on:     r.rows,
		model:  r.newModel(d, c.Rank),
		solver: r.newSolver(train),
		stop:   solve.Stop{Iterations: r.spec.Iterations, Tolerance: tolerance(r.spec), Patience: patience(r.spec)},
	}
	if isAlgorithm1(r.spec) { // its loss may rise before it falls, and does where it is as printed
		r.state.fit.stop.Tolerance = 0
	}
	if r.spec.Source == "table" { // a table's linear part is mostly known: start from it
		base, err := r.rows.Ridge()
		if err != nil {
			return solve.Progress{}, err
		}
		trial.Start(r.state.fit.model, base.Fit)
	}
	source, err := r.batches()
	if err != nil {
		return solve.Progress{}, err
	}
	problem := solve.Problem{
		Source:  source,
		Loss:    lossOf(&r.rows.Encoding.Target),
		Penalty: solve.L2(measure.Total(train) * c.Lambda),
	}
	return r.state.fit.solver.Start(problem, r.state.fit.model, r.start())
}

// newModel returns a zero model of the cell's kind and the target's classes.
func (r *Run) newModel(d, rank int) *fm.Model {
	return fm.NewClasses(r.cell.Model, d, rank, r.rows.Encoding.Target.Scores())
}

// consider lets the model lead if its validation error is the lowest so far. Without
// validation rows, and on a path, the newest model leads.
func (r *Run) consider(record Record, on *trial.Trial) {
	if r.lead.model != nil && r.followed == nil && record.Valid >= r.lead.record.Valid {
		return
	}
	r.lead.candidate, r.lead.record, r.lead.on, r.lead.centre = r.now, record, on, nil
	if r.lead.model == nil || r.lead.model.Rank != record.Rank || r.lead.model.D != r.state.shown.D {
		r.lead.model = r.newModel(r.state.shown.D, record.Rank)
	}
	r.lead.model.Set(r.state.shown)
}

// Close ends a run that is not done: Next then returns io.EOF. It frees the rows, unless
// other runs share them, and the table. The model can still be asked for.
func (r *Run) Close() {
	if !r.done {
		r.done = true
		if r.state.folds != nil {
			r.state.folds.Close()
		}
		if r.state.refit != nil {
			r.state.refit.Close()
		}
		r.state = training{}
		r.Centre()
		r.rows.Leave()
	}
	if r.spec.Source == "table" {
		r.source = trial.Source{}
	}
}

// Done reports whether Next has returned its last record or the run is closed.
func (r *Run) Done() bool { return r.done }

// Cell returns the model and trial of r.
func (r *Run) Cell() trial.Cell { return r.cell }

// Candidates returns the number of candidates. It falls once ridge turns out to be exact.
func (r *Run) Candidates() int { return len(r.candidates) }

// Best returns the record of the model that leads, or [ErrNoModel] before the first.
func (r *Run) Best() (Record, error) {
	if r.lead.model == nil {
		return Record{}, ErrNoModel
	}
	return r.lead.record, nil
}

// Notes returns what a reader should know about the rows: dropped columns, merged
// levels, more features than rows, what is not tried. They do not change.
func (r *Run) Notes() note.Notes { return r.rows.Notes }

// ErrNoModel is returned by the answers that need a trained model.
var ErrNoModel = errors.New("train: this run has no model yet; call Next first")
