// Package trial has the rows of one trial, drawn or from a table, with their truth, their
// baselines and their random streams.
package trial

import (
	"slices"
	"strconv"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/measure"
	"ifmlab/core/note"
	"ifmlab/core/spec"
	"ifmlab/core/synth"
)

// Trial is the scaled design of one trial, its splits, and the baselines fitted to them.
// A model trains on drawn rows as on read ones. Only what speaks of the truth asks whether
// there is one.
type Trial struct {
	*design.Dataset
	Penalties    []float64 // total ones that ridge chooses from
	EveryPenalty bool      // ridge tries all of them, and records the validation errors in Tried
	Tried        []float64
	OverFolds    float64 // ridge's error by the one penalty, the mean over the folds that have chosen it
	LinearOnly   bool    // nothing is to be tried with numbers as piecewise-linear bases
	ManyLevels   bool    // two columns have many levels, so that the weakest penalty is tried from fresh factors too
	Folds        []Fold  // of a cross-validated run of classes, whose rows calibrate; nil where validation rows do

	// Of drawn rows, else 0 and nil.
	Truth           *fm.Model
	Recovery        *Recovery
	SD, SecondOrder float64 // synth.Sample's

	// Nil until asked for.
	hats   *Trial // of a table, the same with numbers as piecewise-linear bases
	refit  *Trial // the same with validation rows among the training rows
	levels []levels
	looked bool // for levels
	ridge  *Ridge
	curves *Additive
	theory *Theory

	calibration *measure.Calibration // of ridge, where other rows have told it

	runs int // that train on these rows
}

// Fold makes the rows that train without one fold, and those of the fold.
type Fold func() (train, held design.Part)

// Source makes the rows of a trial.
type Source struct {
	Key  Key
	Open func(hats bool) (*Trial, error) // hats: numbers as piecewise-linear bases
	// Refit makes the same with the validation rows among the training rows. It is nil unless
	// validation rows of a table choose: drawn rows have none, and folds already train on them.
	Refit func(hats bool) (*Trial, error)
}

// Key tells sources apart: those with the same key make the same rows.
type Key struct {
	Settings    string // encoded
	Trial, Fold int
	Table       any // a pointer; nil for drawn rows
}

// open makes the rows. A closed source, which has no Open, has a [NoTableError].
func (s Source) open(hats bool) (*Trial, error) {
	if s.Open == nil {
		return nil, NoTableError{}
	}
	return s.Open(hats)
}

// NoFold is the fold of rows without one: all that do not test train or, if the settings
// ask for no cross-validation, all that do not validate either.
const NoFold = -1

// NoTableError says that settings ask for a table and none was given.
type NoTableError struct{}

func (NoTableError) Error() string {
	return "trial: the settings ask for a table and no file is open; drop a CSV file or choose a sample"
}

func (NoTableError) Kind() string { return "NoTableError" }

// Drawn returns the source of drawn rows. Settings that ask for a table have a
// [NoTableError].
func Drawn(s spec.Spec, trial int) Source {
	return Source{Key: Key{Settings: s.Encode(), Trial: trial, Fold: NoFold}, Open: func(hats bool) (*Trial, error) {
		if hats || s.Source == "table" {
			return nil, NoTableError{}
		}
		return draw(s, trial)
	}}
}

// draw draws rows. They have no validation part: the rank is given and there is nothing
// to choose.
func draw(s spec.Spec, trial int) (*Trial, error) {
	c := drawing(s)
	sample, err := synth.Generate(
		c,
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
	if unseen, pairs := unseenPairs(sample.Train.X, c); unseen > 0 {
		set.Notes.Add(note.TopicFeatures, nil, "these rows alone cannot tell %d of %d interactions: the two features are never both away from their most common values", unseen, pairs)
	}
	return &Trial{
		Dataset: set, Penalties: []float64{0},
		Truth: sample.Truth, Recovery: newRecovery(sample.Truth, s), SD: sample.SD, SecondOrder: sample.SecondOrderSD,
	}, nil
}

// drawing returns the settings of drawn rows in synth's own words.
func drawing(s spec.Spec) synth.Config {
	return synth.Config{
		Scenario: synth.Scenario(s.Scenario), Truth: synth.Factors(s.Truth), Pairs: s.Pairs, KeepDiagonal: s.Diagonal == "kept",
		Features: synth.Distribution(s.Features), Tau: s.Tau, Share: s.Share, Rho: s.Rho,
		Levels: s.Levels, D: s.D, K: s.K, N: s.N, Test: s.Test, Noise: s.Noise,
	}
}

// Moments returns κ and φ of the distribution of drawn columns.
func Moments(s spec.Spec) (kappa, phi float64) { return drawing(s).Moments() }

// Again returns the rows with their training part, which it makes again if the last run
// has let go of it.
func (t *Trial) Again(from Source, hats bool) (*Trial, error) {
	if t.Train.Z != nil {
		return t, nil
	}
	again, err := from.open(hats)
	if err == nil {
		again.ridge, again.refit = t.ridge, t.refit
	}
	return again, err
}

// Refit returns the rows that what was chosen is fitted to once more, with their training
// part: validation rows train, too, and ridge has the penalty that they chose. It makes them
// once while runs train. They are t itself if a source has none.
func (t *Trial) Refit(from Source, hats bool) (*Trial, error) {
	if t.refit == nil && (from.Refit == nil || len(t.Valid.Y) == 0) {
		return t.Again(from, hats)
	}
	if t.refit != nil && (t.refit.Train.Z != nil || from.Refit == nil) {
		return t.refit, nil
	}
	base, err := t.Ridge()
	if err != nil {
		return nil, err
	}
	on, err := from.Refit(hats)
	if err != nil {
		return nil, err
	}
	at := slices.Index(t.Penalties, base.Total)
	on.Penalties, on.calibration = on.Penalties[at:at+1], &base.Calibration
	if t.refit != nil {
		on.ridge = t.refit.ridge
		return on, nil
	}
	t.refit = on
	return on, nil
}

// WithHats returns the rows with numbers as piecewise-linear bases and with their training
// part. While runs train, it makes them once.
func (t *Trial) WithHats(from Source) (*Trial, error) {
	if t.hats != nil {
		return t.hats.Again(from, true)
	}
	hats, err := from.open(true)
	if err == nil && t.runs > 0 {
		t.hats = hats
	}
	return hats, err
}

// Enter says that one more run trains on the rows.
func (t *Trial) Enter() { t.runs++ }

// Leave says that one run trains no more. After the last one, the training and validation
// rows are let go of if ridge is known. They are most of the memory of a run.
func (t *Trial) Leave() {
	if t.runs--; t.runs == 0 && t.ridge != nil {
		for _, t := range [...]*Trial{t, t.hats} {
			for ; t != nil; t = t.refit {
				t.HasLevels()
				t.Train, t.Valid, t.Folds = design.Part{}, design.Part{}, nil
			}
		}
	}
}
