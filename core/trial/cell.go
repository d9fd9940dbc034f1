package trial

import (
	"math/rand/v2"

	"ifmlab/core/fm"
	"ifmlab/core/message"
	"ifmlab/core/spec"
)

// Cell is one unit of work: one model trained on one trial at one point of a
// sweep.
type Cell struct {
	Point int // of [Points]; 0 without a sweep
	Trial int
	Model fm.Kind
}

// Cells returns the number of cells of s, one per point, trial and model. O(1).
func Cells(s spec.Spec) int { return points(s) * s.Trials * len(s.Models) }

// CellAt returns cell i of s, with 0 ≤ i < Cells(s): the models of the first
// point's trial 0 in the order of s.Models, then those of its trial 1, and so
// on, then the next point. It returns a [*CellError] for any other i. O(1).
func CellAt(s spec.Spec, i int) (Cell, error) {
	if i < 0 || i >= Cells(s) {
		return Cell{}, &CellError{Cell: i, Cells: Cells(s)}
	}
	models := len(s.Models)
	kind, err := fm.ParseKind(s.Models[i%models])
	i /= models
	return Cell{Point: i / s.Trials, Trial: i % s.Trials, Model: kind}, err
}

// CellError says that a Spec has no such cell.
type CellError struct{ Cell, Cells int }

func (e *CellError) Error() string {
	return message.Sprintf("trial: cell %d of %d; ask for 0 to %d", e.Cell, e.Cells, e.Cells-1)
}

func (*CellError) Kind() string { return "CellError" }

// Purpose names what a random stream is drawn for.
type Purpose uint64

// The streams of a trial. StreamStart leaves room for one stream a model
// behind it.
const (
	StreamTruth Purpose = iota
	StreamTrain
	StreamTest
	StreamSplit
	StreamStart

	StreamBatches     Purpose = 128 // rows that a solver sees once, after the training rows
	StreamPairs       Purpose = 130 // of the search for pairs
	StreamFolds       Purpose = 131 // rows that validate in turn
	StreamIntervals   Purpose = 132 // of prediction intervals
	StreamCalibration Purpose = 133 // of models without a fold, of classes
	StreamImportance  Purpose = 134 // of permuted columns
)

// Stream returns the random numbers of one purpose in one trial:
// PCG(seed, trial·256 + purpose). Streams of different purposes are
// independent, so that, for instance, asking for more training rows leaves the
// truth and the test rows as they were. The points of a sweep share them: what
// differs between two points is what was asked for, and as little else as can be.
func Stream(seed uint64, trial int, purpose Purpose) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(trial)<<8|uint64(purpose)))
}
