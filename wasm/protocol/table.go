package protocol

import (
	"ifmlab/core/assess"
	"ifmlab/core/csv"
	"ifmlab/core/design"
	"ifmlab/core/note"
	"ifmlab/core/pair"
	"ifmlab/core/roles"
	"ifmlab/core/table"
)

// Tables are the calls of an engine that opens tables.
type Tables interface {
	// Plan returns what training on these settings would use. It trains nothing.
	Plan(OnTable) (Plan, error)
	// Weigh fits ridge to all folds of a trial but one, which validates it.
	Weigh(Weigh) (FoldRidge, error)
	// Effort returns what calibrating prediction intervals for a run with a model takes.
	Effort(OnRun) (Effort, error)
	// Quadratic fits ridge with squares and products when it is first asked for, in up to
	// ten seconds. A run that is closed has no rows for it; one that was just started has.
	Quadratic(OnRun) (Quadratic, error)
	// Log returns whether ridge predicts the validation rows better if it learns the
	// logarithm of the target. It fits ridge once more, whichever of the two the run learns.
	Log(OnRun) (Logged, error)
	// Classes returns how well a run with a model tells the two classes of its target.
	Classes(OnRun) (Classes, error)
	// Trees grows boosted trees until the time is over, at least one. Runs that share their
	// rows share them.
	Trees(Slice) (Trees, error)
	// Pairs tests which columns interact until the time is over. Runs of a trial share it.
	Pairs(Slice) (Pairs, error)
	// Intervals calibrates prediction intervals of the model that leads a run until the
	// time is over. It trains a run that is not done first.
	Intervals(Slice) (Intervals, error)
}

// OnTable is a table under some settings.
type OnTable struct {
	Table int // the handle
	Query string
}

// Weigh says which fold ridge is fitted for.
type Weigh struct {
	Query string
	Trial int
	Fold  int // that validates
	Table int // the handle
}

// Table is a table that was read.
type Table struct {
	Table     int // the handle
	Name      string
	Rows      int   // that could be read
	Bytes     int64 // of the file
	Format    table.Format
	Charset   csv.Charset
	Separator string
	Header    bool
	Columns   []Column
	Preview   [][]string // the first rows, as written
	Bad       []Place    // rows that could not be read, the first 100
	BadCount  int
	Notes     note.Notes
	Asks      int // questions about columns: training should wait for their answers
}

// Column describes a column. Its numbers are those of the readable cells, in the units of
// the column; they are NaN for a column of texts.
type Column = roles.Profile

// Use is what a column is taken for, and why. The settings target, ignore, categorical
// and numeric overrule it.
type Use struct {
	Column       string
	Role         roles.Role
	Kind         design.Kind
	Reason       string     // to put behind "because"
	Sure         bool       // false for a target that may well be one of the alternatives: ask
	Alternatives []string   // to the target, the likeliest first
	Chosen       ChosenKind // by validation rows; the settings may overrule it
	Judged       string     // why, as reason
}

// ChosenKind is a kind that validation rows have chosen, "" if they were not asked.
type ChosenKind string

// The kinds.
const (
	NotChosen         ChosenKind = ""
	ChosenNumeric     ChosenKind = "numeric"
	ChosenCategorical ChosenKind = "categorical"
)

// Plan is what training would use.
type Plan struct {
	Target       string
	Learnt       string        // as in Started
	Measure      Measure       // as in Started
	Classes      *Pair         // as in Started
	Roles        []roles.Role  // one a column
	Kinds        []design.Kind // one a column
	Uses         []Use         // one a column
	Split        roles.SplitKind
	By           string     // the column that rows are split by; "" for a random split
	Suggested    note.Notes // splits that are not the plan's: by time or group, the column, and the reason to put behind "because"
	Features     int        // columns of the design
	Train        int
	Valid        int
	Test         int
	Folds        int     // that all rows that train are cut into; 0 for none
	Bytes        int64   // of the design
	Steps        int     // iterations at most, all candidates and folds of one model together
	Trees        float64 // additions to histograms that growing all boosted trees takes at most
	TreesQuick   bool    // they take some six seconds at most, so that they can be grown unasked
	Dropped      []Place // rows that are left out, the first 100
	DroppedCount int
	Notes        note.Notes
}

// Effort is an amount of work.
type Effort struct {
	Work float64 // multiply-adds
}

// Quadratic is ridge on the features, their squares and their products, in target units;
// for classes logistic ridge.
type Quadratic = assess.Quadratic

// Logged compares ridge on the target with ridge on its logarithm, on validation rows, in
// target units.
type Logged = assess.Logged

// Classes is how well models tell the two classes of a target, on the test rows.
type Classes struct {
	Names Pair
	Zeros float64 // what the test rows of class 0 count together: their number, unless they have weights
	Ones  float64 // the same of class 1
	Share float64 // of class 1 in the training rows
	Told  []Told  // by the model that leads, by ridge, and by boosted trees once they are grown
}

// Told is how well one model tells the classes by the probabilities that it shows, which
// are calibrated where that is used. Each test row counts its weight; intervals go by the
// number of rows.
type Told struct {
	Whose       Teller
	LogLoss     float64
	Brier       float64 // mean squared error of the probability
	AUC         float64 // the share of pairs of rows of both classes that are in order, ties half; NaN without both
	Calibration Calibration
	ROC         ROC
	OnesFrom    []float64 // what rows of class 1 count with a probability of at least k/200, k = 0 … 200
	ZerosFrom   []float64 // the same of class 0
	Reliability Reliability
}

// Teller is who tells classes.
type Teller string

// The tellers.
const (
	ByModel Teller = "model"
	ByRidge Teller = "ridge"
	ByTrees Teller = "trees"
)

// Calibration is Platt's: log-odds f are shown as slope·f + offset. It is fitted to rows
// that have not trained the model, and used if these show by more than chance (5 %) that
// f is off.
type Calibration struct {
	Used   bool
	Slope  float64 // as fitted, whether it is used or not
	Offset float64
	Rows   int     // that it is fitted to; 0 for none, or all of one class
	Plain  float64 // log-loss of the test rows without it
	Fitted float64 // and with it
}

// ROC is, for the rows with a probability of at least threshold, the shares of all rows of
// class 0 and of class 1. It goes from (0, 0) at Infinity to (1, 1), in at most 200 points.
type ROC struct {
	FalsePositive []float64
	TruePositive  []float64
	Threshold     []float64
}

// Reliability cuts the test rows into at most ten parts of about the same size, by rising
// probability, in columns.
type Reliability struct {
	Rows  []int
	Mean  []float64 // probability
	Share []float64 // of class 1
	Low   []float64 // end of Wilson's 95 % interval of the share
	High  []float64
}

// Trees are gradient boosted regression trees, in target units; for classes they add up to
// log-odds. To stop asking is to stop; they go on where they are.
type Trees struct {
	Grown     int // so far, over all settings that are tried
	Most      int // that are grown at most
	Done      bool
	Trees     int       // once done: how many predict, as validation rows choose; 0 if the training mean does
	Leaves    int       // once done: of a tree, at most
	Error     float64   // of the test rows, in the measure of the run; NaN before it is done
	Predicted []float64 // the test rows, in the order of Predictions; none before it is done
	Told      *Told     // for classes, once done
}

// Pairs are the columns that interact, by an F test of their products on training rows,
// purified of flexible main effects. No model has a part in it. Classes count as the
// numbers 0 and 1: a linear model of the probability.
type Pairs struct {
	Done    bool
	Stage   pair.Stage
	Step    int // of the stage, from 0
	Steps   int
	Found   int      // pairs so far
	Work    float64  // an estimate of the multiply-adds of testing all pairs once: 1e9 are one to three seconds
	Alpha   float64  // family-wise: the share of tables without interactions in which a pair is named
	Trained int      // rows
	Unit    string   // of the effects, in words: what is learnt, or for classes as in "probability of churned = yes"
	Names   []string // of the columns; all indices below are into it
	Out     []int    // columns that were not looked at, because they are too many and explain less by themselves
	Pairs   int      // of all columns
	Looked  int      // pairs that alpha is shared among
	Tested  int
	Few     int // rows below which a cell of an effect says little: mark it
	Skipped []SkippedPair
	Named   []NamedPair // all of them once it is done
	Full    bool        // the search ended before it found no more
}

// SkippedPair is a pair that was not tested.
type SkippedPair struct {
	First    int
	Second   int
	Why      pair.SkipReason
	Products int
}

// NamedPair is a pair that interacts.
type NamedPair struct {
	First   int
	Second  int
	P       float64 // the p value, beside the pairs before; 0 below 1e-308
	LogP    float64 // its natural logarithm
	F       float64
	DF      int     // degrees of freedom
	Left    int     // degrees of freedom of the noise
	Share   float64 // of the target's variance: what the pair adds to main effects and the pairs before
	Low     float64 // about 93 % of such intervals cover
	High    float64
	Rows    []EffectPlace // of the effect: features of the first column
	Columns []EffectPlace // of the effect: features of the second column
	Effect  []float64     // rows × columns, row-major, without main effects; NaN where the two do not meet often enough
	Seen    []float64     // rows of the table behind each cell; not whole numbers for columns of numbers
}

// EffectPlace is a knot of a number, a level, levels that were merged, or missing cells.
type EffectPlace struct {
	Knot    *float64
	Level   string
	Merged  int // levels; else 0
	Missing bool
}

// Intervals are prediction intervals of the model that leads a run, by conformal
// prediction with the residuals of folds. All but model and level is known once it is done.
type Intervals struct {
	Done    bool
	Stage   assess.IntervalStage
	Step    int // of the stage, from 0
	Steps   int
	Model   ModelKind
	Level   float64   // nominal: the share of rows that should lie within
	Folds   int       // 0 for the validation rows, where rows are split by time
	Rows    int       // with a residual
	Low     []float64 // the test rows, in the order of Predictions, target units
	High    []float64
	Covered int        // test rows within
	Share   float64    // of them, in which each counts its weight
	From    float64    // end of the 95 % interval of the share of such rows that are within
	To      float64    // its other end
	Width   float64    // mean of high − low
	File    *ModelFile // the model with its intervals
}
