package protocol

import (
	"ifmlab/core/assess"
	"ifmlab/core/note"
	"ifmlab/core/train"
)

// Runs are the calls of an engine that trains.
type Runs interface {
	// Start opens a run. Nothing is trained yet.
	Start(Start) (Started, error)
	// Next trains until the time is over, and at least one iteration.
	Next(Slice) (Records, error)
	// Interaction returns the interaction matrix of the model that leads.
	Interaction(OnRun) (Matrix, error)
	// Predictions returns the test rows as the model that leads predicts them.
	Predictions(OnRun) (Predictions, error)
	// Model returns the model that leads as a file.
	Model(OnRun) (ModelFile, error)
}

// OnRun names a run.
type OnRun struct{ Run int }

// Slice is a slice of work on a run.
type Slice struct {
	Run int
	MS  float64 // milliseconds; 0 for one step
}

// Start names the run to open.
type Start struct {
	Query           string
	Cell            int              // of the query, from 0
	Table           int              // the handle; 0 for drawn rows
	Fold            int              // the fold that validates, from 0; −1 if all rows train. It counts only beside CrossValidation
	CrossValidation *CrossValidation // null if the settings ask for no folds, or the engine trains them in this call
}

// CrossValidation is the result of a cross-validation. A run on one of the folds needs
// only its ridge.
type CrossValidation = assess.CrossValidation

// FoldRidge is the validation error of ridge on one fold for every penalty of the
// weights, in the order in which they are tried.
type FoldRidge = assess.FoldRidge

// ModelKind names a kind of model.
type ModelKind string

// The kinds of models.
const (
	FM  ModelKind = "fm"
	GFM ModelKind = "gfm"
	IFM ModelKind = "ifm"
)

// Measure is the measure of errors: RMSE in units of the target, or log-loss for a target
// with two classes. Log-loss is the mean of −log p(class of the row), in nats.
type Measure string

// The measures.
const (
	RMSE    Measure = "rmse"
	LogLoss Measure = "log-loss"
)

// Names are the classes of a target, class 0 first.
type Names = []string

// Started describes a run.
type Started struct {
	Run         int // the handle
	Model       ModelKind
	Trial       int
	Point       int // of the sweep, from 0
	Candidates  int
	Measure     Measure // of all errors of the run
	Classes     *Names  // null if the target is learnt as a number
	Mean        float64 // test error of the training mean; for classes of the training rows' shares, as constant probabilities
	Ridge       float64 // test error of ridge; for classes of logistic ridge
	RidgeLambda float64 // per row
	Target      string
	Quantity    string // what models learn: the target, or as in "log(price)" or "log-odds of churned = yes"; interactions are in its units
	Features    []string
	Notes       note.Notes
}

// Records has an entry per iteration, in columns. Errors are in the measure of the run.
type Records struct {
	Candidate []int     // from 0
	Rank      []int     // 0 for ridge, from which ALS starts
	Lambda    []float64 // per row; for ALS on a table the penalty on the factors, in pseudo-rows
	Weights   []float64 // for ALS on a table the penalty on the weights, in pseudo-rows; else 0
	Hats      []int     // 1 if numbers are piecewise-linear bases
	Iteration []int     // 0 is the start
	Train     []float64
	Valid     []float64 // the mean over the folds in a cross-validated run; NaN without validation rows, and for what is never chosen
	Test      []float64
	Passes    []float64 // over the training rows so far
	ErrorW    []float64 // ‖w − w*‖/‖w*‖ for drawn rows; NaN for a table
	ErrorM    []float64 // ‖M − M*‖/‖M*‖, Frobenius, for drawn rows; NaN for a table
	Lead      []int     // the candidate that leads on validation rows after this record
	Done      bool
	Final     float64 // once done, the test error of the model that leads, of classes calibrated where that is used; NaN before
	Additive  float64 // once done, the test error of the additive baseline; NaN before, and where there is none
	Stop      string  // why the last finished candidate stopped, as a sentence; "" before
	Rose      int     // the iteration since which its loss had risen, if that was why; else 0
}

// Matrix is a symmetric d×d matrix, row-major, in the units of the features.
type Matrix struct {
	D      int
	Values []float64
	// Eigenvalues are those of the matrix before its diagonal is left out, largest first,
	// without those that are 0 by its form: rank for FM, none negative; 2·rank for gFM and
	// iFM; for a truth as many as it was drawn with. At most d. For a table they are in
	// target units for one standard deviation of both features, whatever the units of values.
	Eigenvalues []float64
	Names       []string
	Rank        int
	Lambda      float64
	Iteration   int
}

// Predictions are the test rows of the model that leads. For classes they are 0 and 1,
// and the probabilities of class 1.
type Predictions = train.Predictions

// ModelFile is a file to save.
type ModelFile struct {
	Name  string
	Bytes []byte
}
