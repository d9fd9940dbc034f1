package core

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
	"ifmlab/core/table"
)

// Record is what one iteration left behind. Train, Valid and Test are RMSE in units of
// the target, where its
// logarithm is learnt, too: the loss that is minimised is then that of logarithms,
// and Train need not fall with it. Of a target of two classes they are the mean
// log-loss in nats, as [Run.Measure] says. Valid is
// NaN where there are no validation rows, and of factors that als has only drawn,
// which are never chosen.
type Record struct {
	Candidate int     // which encoding, rank and λ, counting from 0 in the order they are tried
	Encoding  string  // of numbers, "linear" or "hats"
	Rank      int     // k; 0 of ridge, where als starts from
	Lambda    float64 // λ a row; the penalty is ½·n·λ·(‖w‖² + ‖U‖² + ‖V‖²), or what [solve.GaussNewton] makes of n·λ. Of als on a table λ of the factors, in pseudo-rows
	Weights   float64 // of als on a table: λ of the weights, in pseudo-rows; else 0
	Iteration int     // 0 is the start
	Train     float64 // error on training rows
	Valid     float64 // error on validation rows; of a run that folds have chosen, the mean over the folds
	Test      float64 // error on test rows; nothing is ever chosen by it
	Passes    float64 // over the training rows so far, as [solve.Progress] counts them
	W, M      float64 // relative recovery error ‖w − w*‖/‖w*‖ and ‖M − M*‖/‖M*‖ (Frobenius); NaN for a table
	Lead      int     // the candidate that leads on validation rows so far
	Stop      string  // why this candidate stops with this record; "" while it goes on
	Rose      int     // the iteration since which the loss has risen, where that is why; else 0
}

// Run is one cell being trained. Its candidates, the ranks and penalties a
// table's Spec lists, are tried in turn, by als each from where the one before
// ended, else from the same start; the one with the lowest validation error at any of
// its iterations leads, which of als may be ridge. Synthetic rows have one
// candidate, their rank without penalty, and no validation rows.
//
// A Run is not safe for concurrent use, nor are runs that share their rows.
type Run struct {
	spec   spec.Spec
	cell   Cell
	origin origin // of its rows
	table  *table.Table
	rows   *rows // those of other runs too, if they are of the same trial

	fold       int    // whose rows validate; whole otherwise
	found      *Found // of folds, as far as they have come; nil without
	legs       []leg  // of a run that folds have chosen, a candidate each; nil of others
	candidates []candidate
	now        int        // index into candidates
	fit        *fitting   // of candidates[now]; nil before its first record
	als        *solve.ALS // of the last candidate, whose model the next one starts from
	from       *fm.Model
	shown      *fm.Model            // the model of fit, its levels centred
	copied     *fm.Model            // what shown is where there are levels, used again by each record
	lead       int                  // index into candidates
	best       *fm.Model            // of the lead, at its best iteration
	bestAt     Record               // that iteration
	bestOn     *rows                // what it was trained on
	taken      []leg                // of the candidates so far
	intervals  *Intervals           // nil until asked for
	hold       *solve.IterationMatrices          // the same
	unseen     unseen               // rows of classes, until the run is over
	folds      *study.Study         // of a run of classes that folds have chosen; nil before it begins
	platt      *measure.Calibration // of best, of classes; nil until the run is over
	failed     error                // what ended the first candidate that could not be trained
	done       bool
	validates  bool
	eval       evaluation // scratch
}

// fitting is a candidate on its way.
type fitting struct {
	model  *fm.Model
	solver solve.Solver
	stop   solve.Stop
	drawn  bool // als began with factors drawn at random, which are no fit
}

// Open prepares cell number cell of s: it draws or encodes the rows, fits the
// baselines where the start needs them, and trains nothing yet. table is nil
// for synthetic rows. One of the others that has the same settings, table and
// trial shares its rows and baselines with the new run, which then costs next to
// nothing. Errors are [*CellError], [NoTableError], [*LossError] and those of
// [roles.NewPlan] and [encode.Dataset].
//
// Of settings that ask for folds it does all their work first, one after the other: who
// has more than one processor to give calls [Find] and [OpenFound].
func Open(s spec.Spec, cell int, table *table.Table, others ...*Run) (*Run, error) {
	if s.Source != "table" {
		return OpenDrawn(s, cell, others...)
	}
	if !folded(s) {
		return openOn(s, cell, whole, fromTable{}, table, nil, others)
	}
	found, err := Find(s, cell, table, InTurn, nil)
	if err != nil {
		return nil, err
	}
	return OpenFound(s, cell, table, found, others...)
}

// OpenDrawn is [Open] of settings whose rows are drawn. A program that opens runs with it
// alone holds nothing of what reads, plans and encodes tables, which is a third of all
// that there is here. Of settings that ask for a table the error is a [NoTableError].
func OpenDrawn(s spec.Spec, cell int, others ...*Run) (*Run, error) {
	if s.Source == "table" {
		return nil, NoTableError{}
	}
	return openOn(s, cell, whole, fromDraws{}, nil, nil, others)
}

// openOn prepares a run on the rows of a fold, or on the whole; found is what is known
// of the folds.
func openOn(s spec.Spec, cell, fold int, from origin, table *table.Table, found *Found, others []*Run) (*Run, error) {
	c, err := CellAt(s, cell)
	if err != nil {
		return nil, err
	}
	s = pointAt(s, c.Point).Spec
	r := &Run{spec: s, cell: c, origin: from, table: table, fold: fold, found: found}
	var weights [2]int
	straight := false
	if found != nil {
		if weights, straight, err = found.weights(s); err != nil {
			return nil, err
		}
	}
	for _, other := range others {
		if !other.done && other.cell.Trial == c.Trial && other.fold == fold && other.table == table && other.spec.Encode() == s.Encode() {
			r.rows = other.rows
		}
	}
	if r.rows == nil {
		if r.rows, err = from.open(s, c.Trial, fold, table); err != nil {
			return nil, err
		}
		if found != nil {
			r.rows.straight = straight
			r.rows.weigh(weights[0])
		}
	}
	if s.Numbers == "equal" && c.Model == fm.FM {
		s.Rank = 2 * rank(s)
	}
	r.candidates, r.validates = candidates(s, r.rows.straight, r.rows.crossed), len(r.rows.Valid.Y) > 0
	if err := r.checkLoss(); err != nil {
		return nil, err
	}
	r.rows.runs++
	return r, nil
}

// Next trains one iteration and returns its record, io.EOF after the last one.
// A candidate that diverges is stopped and says so in its record; when no
// candidate could be trained, Next returns the error of the first one.
func (r *Run) Next() (Record, error) {
	if r.done {
		return Record{}, io.EOF
	}
	c := r.candidates[r.now]
	record := Record{Candidate: r.now, Encoding: c.encoding, Rank: c.rank, Lambda: c.lambda, Train: math.NaN(), Valid: math.NaN(), Test: math.NaN(), W: math.NaN(), M: math.NaN()}
	progress, err := r.step(c)
	record.Iteration, record.Passes = progress.Iteration, progress.Passes
	if err != nil {
		r.fail(&record, err)
	} else {
		r.judge(c, &record, progress)
	}
	record.Lead = r.lead
	r.record(record)
	r.stepFolds()
	if record.Stop != "" {
		if searches(r.spec) && c.rank == 0 && record.Valid < exactShare*r.rows.targetSD() {
			r.candidates = r.candidates[:r.now+1]
			record.Stop = "Ridge predicts validation rows all but exactly, so that nothing is left for factors"
		}
		r.fit = nil
		r.now++
		r.done = r.now == len(r.candidates)
	}
	if r.done {
		r.calibrate()
		r.als, r.from, r.shown, r.copied = nil, nil, nil, nil
		r.rows.leave()
	}
	if r.done && r.best == nil {
		return Record{}, r.failed
	}
	return record, nil
}

// judge looks at what an iteration has made of the model.
func (r *Run) judge(c candidate, record *Record, progress solve.Progress) {
	on := r.on(c)
	target := &on.Encoding.Target
	r.show(on)
	if searches(r.spec) {
		record.Weights = on.ridge.total
	}
	switch {
	case target.Logistic:
		record.Train = progress.LogLoss
	case target.Log == design.LogNone:
		record.Train = progress.RMSE * target.Scale
	default: // the loss is of logarithms
		record.Train = r.eval.errorOn(r.shown, on.Train, target)
	}
	record.Valid = r.validOf(record.Iteration, r.eval.errorOn(r.shown, on.Valid, target))
	record.Test = r.eval.errorOn(r.shown, on.Test, target)
	if on.recovery != nil {
		record.W, record.M = on.recovery.of(r.shown.Raw(on.Encoding))
	}
	if r.legs == nil {
		record.Stop = r.fit.stop.Reason(progress, record.Valid)
	} else {
		record.Stop = r.legReason(progress.Iteration, progress.Stop)
	}
	switch {
	case r.Validates() && !measure.Finite(record.Valid):
		r.fail(record, &NotFiniteError{Target: r.Target(), Candidate: *record, Found: record.Valid})
	case r.fit.drawn && record.Iteration == 0 && r.legs == nil:
		record.Valid = math.NaN()
	default:
		r.consider(*record, on)
	}
}

// show sets what is shown of the model: itself, or, where the rows have levels, a
// copy with these centred.
func (r *Run) show(on *rows) {
	if r.shown = r.fit.model; len(on.levels()) > 0 {
		r.copied = centred(r.fit.model, r.copied, on.levels())
		r.shown = r.copied
	}
}

// fail stops the candidate of a record for an error that is told if no other
// candidate can be trained.
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

// name tells an error that knows a column's number what the column is called.
func (r *Run) name(err error) {
	features := r.on(r.candidates[min(r.now, len(r.candidates)-1)]).Encoding.Features
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

// NotFiniteError says that a candidate has no validation RMSE that is a number:
// features are held, so that it is the target of a validation row that lies too far
// from those of the training rows.
type NotFiniteError struct {
	Target    string
	Candidate Record
	Found     float64
}

func (e *NotFiniteError) Error() string {
	return message.Sprintf("core: validation RMSE is %g at iteration %d of rank %d and λ = %g; look for a row whose %s is far beyond that of the others", e.Found, e.Candidate.Iteration, e.Candidate.Rank, e.Candidate.Lambda, e.Target)
}

func (*NotFiniteError) Kind() string { return "NotFiniteError" }

// Validates reports whether candidates are judged on validation rows; without them the
// last one leads.
func (r *Run) Validates() bool { return r.validates }

// step starts candidate c or takes it one iteration further.
func (r *Run) step(c candidate) (solve.Progress, error) {
	if r.fit != nil {
		return r.fit.solver.Step()
	}
	if searches(r.spec) {
		return r.search(c)
	}
	train := r.rows.Train
	_, d := train.Z.Dims()
	r.fit = &fitting{
		model:  fm.New(r.cell.Model, d, c.rank),
		solver: r.newSolver(train.Z),
		stop:   solve.Stop{Iterations: r.spec.Iterations, Tolerance: tolerance(r.spec), Patience: patience(r.spec)},
	}
	if isAlgorithm1(r.spec) { // its loss may rise before it falls, and does where it is as printed
		r.fit.stop.Tolerance = 0
	}
	if r.spec.Source == "table" { // a table's linear part is mostly known: start from it
		base, err := r.rows.baselines()
		if err != nil {
			return solve.Progress{}, err
		}
		start(r.fit.model, base.fit)
	}
	source, err := r.batches()
	if err != nil {
		return solve.Progress{}, err
	}
	problem := solve.Problem{
		Source:  source,
		Loss:    lossOf(&r.rows.Encoding.Target),
		Penalty: solve.L2(measure.Total(train) * c.lambda),
	}
	return r.fit.solver.Start(problem, r.fit.model, Stream(r.spec.Seed, r.cell.Trial, StreamStart+Purpose(r.cell.Model)))
}

// consider keeps the model when its record is the best so far: by validation
// error, or, without validation rows or where folds have chosen, when it is the newest.
func (r *Run) consider(record Record, on *rows) {
	if r.best != nil && r.legs == nil && record.Valid >= r.bestAt.Valid {
		return
	}
	r.lead, r.bestAt, r.bestOn = r.now, record, on
	if r.best == nil || r.best.Rank != record.Rank || r.best.D != r.shown.D {
		r.best = fm.New(r.cell.Model, r.shown.D, record.Rank)
	}
	r.best.Set(r.shown)
}

// Close ends a run that is not done: its rows are given up, unless others
// share them, and Next returns io.EOF. It lets go of the table, too. What has been
// learnt can still be asked for.
func (r *Run) Close() {
	if !r.done {
		r.done, r.fit, r.als, r.from, r.shown, r.copied = true, nil, nil, nil, nil, nil
		if r.folds != nil {
			r.folds.Close()
		}
		r.rows.leave()
	}
	if r.intervals != nil {
		r.intervals.study.Close()
	}
	if pairs := r.rows.pairs; pairs != nil && !pairs.Done() { // another run of the trial begins anew
		pairs.Close()
		r.rows.pairs = nil
	}
	r.table = nil
}

// Done reports whether Next has returned its last record or the run is closed.
func (r *Run) Done() bool { return r.done }

// Cell returns the model and trial of r.
func (r *Run) Cell() Cell { return r.cell }

// Candidates returns how many encodings, ranks and penalties r tries: fewer than it
// set out to once ridge turns out exact.
func (r *Run) Candidates() int { return len(r.candidates) }

// Best returns the record of the model that leads, or [ErrNoModel] before the first.
func (r *Run) Best() (Record, error) {
	if r.best == nil {
		return Record{}, ErrNoModel
	}
	return r.bestAt, nil
}

// Notices returns what a reader should know about the rows: dropped columns,
// merged levels, more features than rows, what is not tried. They are the same from
// the start to the end.
func (r *Run) Notices() []string { return r.Notes().Texts() }

// Notes returns the same with what each is about.
func (r *Run) Notes() note.Notes { return r.rows.Notes }

// ErrNoModel is returned by the answers that need a trained model.
var ErrNoModel = errors.New("core: this run has no model yet; call Next first")
