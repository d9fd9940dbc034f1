package protocol

import (
	"ifmlab/core/assess"
	"ifmlab/core/csv"
	"ifmlab/core/design"
	"ifmlab/core/note"
	"ifmlab/core/pair"
	"ifmlab/core/roles"
	"ifmlab/core/saved"
	"ifmlab/core/table"
)

// Tables are the calls of an engine that opens tables.
type Tables interface {
	// Plan returns the plan of training under these settings, and trains nothing.
	Plan(OnTable) (Plan, error)
	// Cells returns the cells of a column in some rows.
	Cells(OfCells) (Cells, error)
	// Weigh fits ridge to all folds of a trial but one, and validates it on that one.
	Weigh(Weigh) (FoldRidge, error)
	// Effort returns the work of calibrating prediction intervals for a run with a model.
	Effort(OnRun) (Effort, error)
	// Quadratic fits ridge with squares and products at the first call, in up to ten
	// seconds. The run must be open.
	Quadratic(OnRun) (Quadratic, error)
	// Log compares ridge on the target with ridge on its logarithm, on validation rows. It
	// fits the one that the run does not use.
	Log(OnRun) (Logged, error)
	// Classes returns how well a run with a model tells the classes of its target.
	Classes(OnRun) (Classes, error)
	// Importance returns by how much the test error of a run with a model rises if the cells of
	// a column are permuted.
	Importance(OnRun) (Importance, error)
	// ErrorsBy splits the errors of predicted test rows by the levels of a column, which need not
	// be a feature.
	ErrorsBy(Scored) (ErrorsBy, error)
	// Trees grows boosted trees until the time is over, and at least one. Runs that share
	// their rows share the trees.
	Trees(Slice) (Trees, error)
	// Pairs tests which columns interact until the time is over. Runs of a trial share the
	// result.
	Pairs(Slice) (Pairs, error)
	// EveryRow fits the model that leads a run to all rows, test rows included, until the time
	// is over. If the run is not done, it is trained first.
	EveryRow(EverySlice) (EveryRow, error)
	// Intervals calibrates prediction intervals for the model that leads a run, until the
	// time is over. If the run is not done, it is trained first.
	Intervals(Slice) (Intervals, error)
}

// OfCells names cells of a column.
type OfCells struct {
	Table  int // the handle
	Column int
	Lines  []float64 // of the rows
}

// Cells are cells of a column: numbers in units of the column and texts as written.
type Cells struct {
	Numbers []float64 // NaN if the cell has none, or the column is one of categories
	Texts   []string  // of the other cells; "" for a number or a missing cell
	Days    []float64 // since 1970, of a cell that is a date, else NaN; none unless the column has dates, all without times
}

// EverySlice is a slice of a fit to all rows.
type EverySlice struct {
	Run       int     // the handle
	MS        float64 // after which it returns
	Intervals bool    // the model has prediction intervals, if it can have some
}

// EveryRow is a fit to all rows.
type EveryRow struct {
	Done  bool
	Model ModelKind
	Step  int        // iterations of the fit
	Steps int        // of at most how many; 0 before it begins
	File  *ModelFile // once it is done
}

// OnTable is a table and settings for it.
type OnTable struct {
	Table int // the handle
	Query string
}

// Weigh names the fold that validates ridge.
type Weigh struct {
	Query string
	Trial int
	Fold  int // the validation fold
	Table int // the handle
}

// Table is a table that was read.
type Table struct {
	Table     int // the handle
	Name      string
	Rows      int   // readable ones
	Bytes     int64 // of the file
	Format    table.Format
	Charset   csv.Charset
	Separator string
	Point     string // the decimal mark to write numbers with
	Header    bool
	Columns   []Column
	Preview   [][]string // the first rows, as written
	Bad       []Place    // the first 100 unreadable rows
	BadCount  int
	Notes     note.Notes
	Asks      int // questions about columns; training should wait for the answers
}

// Column describes a column. Its numbers summarise the readable cells, in units of the
// column; they are NaN for a column of texts.
type Column = roles.Profile

// Use is the role and kind of a column, and the reason. The settings target, ignore,
// categorical and numeric override it.
type Use struct {
	Column       string
	Role         roles.Role
	Kind         design.Kind
	Reason       string     // the text behind "because"
	Sure         bool       // false for a target that may be one of the alternatives; ask
	Alternatives []string   // to the target, the likeliest first
	Chosen       ChosenKind // by validation rows; the settings may override it
	Judged       string     // why it was chosen, as Reason
}

// ChosenKind is the kind that validation rows chose, "" if they did not choose.
type ChosenKind string

// The kinds.
const (
	NotChosen         ChosenKind = ""
	ChosenNumeric     ChosenKind = "numeric"
	ChosenCategorical ChosenKind = "categorical"
)

// Plan is the plan of training under some settings.
type Plan struct {
	Target       string
	Quantity     string        // as in Started
	Measure      Measure       // as in Started
	Classes      *Names        // as in Started
	Roles        []roles.Role  // one per column
	Kinds        []design.Kind // one per column
	Uses         []Use         // one per column
	Split        roles.SplitKind
	By           string     // the column that splits the rows; "" for a random split
	HasTests     bool       // the test rows are those of a second file
	Suggested    note.Notes // other splits, by time or group: the column, and the text behind "because"
	Features     int        // columns of the design
	Train        int
	Valid        int
	Test         int
	Folds        int     // of the rows that train or validate; 0 for none
	Codes        int     // different whole numbers of a target that is learned as an amount, if so few may be codes of classes; else 0
	Bytes        int64   // of the design
	Steps        int     // iterations of one model at most, over all candidates and folds
	Trees        float64 // additions to histograms of all boosted trees, at most
	TreesQuick   bool    // the trees take about six seconds at most, so the page grows them unasked
	Dropped      []Place // the first 100 rows that are left out
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

// Logged compares ridge on the target with ridge on its logarithm. Errors are on validation
// rows, in target units.
type Logged = assess.Logged

// Classes has the class metrics of models on the test rows, for a target of classes.
type Classes struct {
	Names   Names
	Counts  []float64      // the total weight of the test rows of each class; without weights their number
	Metrics []ClassMetrics // of the model that leads, of ridge, and of boosted trees once they are grown
}

// ClassMetrics are the metrics of one model's probabilities, after calibration if that is
// used. Test rows count by their weights; intervals use the number of rows.
type ClassMetrics struct {
	Whose       Teller
	LogLoss     float64
	Brier       float64   // mean squared error of the probability; for more than two classes the mean of the sum over classes
	AUC         float64   // the share of pairs of one row per class that are in order, ties half; for more than two classes the mean over classes, each against the rest; NaN without both
	Accuracy    float64   // the share of rows whose likeliest class is theirs
	Confusion   []float64 // for more than two classes: the weight of the rows of a class (row) by their likeliest class (column), row-major; else none
	Calibration Calibration
	ROC         ROC       // of two classes, as the next two
	OnesFrom    []float64 // the weight of rows of class 1 with a probability of at least k/200, k = 0 … 200
	ZerosFrom   []float64 // the same for class 0
	Reliability Reliability
}

// Importance is the rise of the test error if the cells of a column are permuted among the test
// rows, or what a pair of columns adds beyond both, in the measure of the run: the most important
// first.
type Importance struct {
	Columns []string // the parts of a date together, unless in a pair
	With    []string // of a pair the second column, else ""
	By      []float64
	Low     []float64 // lower end of the 95 % interval
	High    []float64 // Infinity if too few test rows differ
	Pairs   []Surface // of the pairs in turn, of more than two classes one for each
}

// Surface is what two columns add together beyond what each adds, in units of Quantity.
type Surface struct {
	Rows    []Cell    // of the first column
	Columns []Cell    // of the second
	Effect  []float64 // rows × columns, row-major
	Near    []float64 // test rows near both cells
}

// Cell is a cell of a column.
type Cell = saved.Cell

// Scored are predicted test rows, of a model or a baseline.
type Scored struct {
	Table     int // the handle
	Column    string
	Weight    string    // the column that weighs the rows, or ""
	Line      []float64 // as in Predictions
	Actual    []float64
	Predicted []float64
	Hit       []float64 // 1 for a row within its interval, or whose likeliest class is its own; else 0; none if that is not known
	Classes   int       // 0 for a number
}

// ErrorsBy has the errors of all test rows, then those of each level.
type ErrorsBy struct{ Levels []assess.LevelErrors }

// Teller is the model that class metrics belong to.
type Teller string

// The models of class metrics.
const (
	ByModel Teller = "model"
	ByRidge Teller = "ridge"
	ByTrees Teller = "trees"
)

// Calibration is Platt's: slope·f + offset in place of the log-odds f. For more than two
// classes it multiplies all scores by slope, without an offset. It is fitted to rows
// that have not trained the model, and used if they show at the 5 % level that f is
// miscalibrated.
type Calibration struct {
	Used   bool
	Slope  float64 // as fitted, used or not
	Offset float64
	Rows   int     // of the fit; 0 if there are none, or all are of one class
	Plain  float64 // log-loss of the test rows without calibration
	Fitted float64 // log-loss of the test rows with it
}

// ROC has the false and true positive rates if rows with a probability of at least
// threshold count as class 1. It goes from (0, 0) at Infinity to (1, 1), in at most 200
// points.
type ROC struct {
	FalsePositive []float64
	TruePositive  []float64
	Threshold     []float64
}

// Reliability is the reliability diagram: the test rows by rising probability of class 1,
// in at most ten bins of about the same size. For more than two classes the probability is
// that of the likeliest class, and Share is how often it is right.
type Reliability struct {
	Rows  []int
	Mean  []float64 // probability
	Share []float64 // of rows of class 1
	Low   []float64 // lower end of Wilson's 95 % interval of the share
	High  []float64
}

// Trees are gradient boosted regression trees. They add up to target units, or for classes
// to log-odds. The next call goes on where the last one stopped.
type Trees struct {
	Grown     int // so far, over all settings that are tried
	Most      int // the limit of Grown
	Done      bool
	Trees     int           // once done: the number that validation rows choose; 0 for the training mean
	Leaves    int           // once done: of a tree, at most
	Error     float64       // of the test rows, in the measure of the run; NaN until done
	Predicted []float64     // for the test rows, in the order of Predictions; none until done
	Metrics   *ClassMetrics // for classes, once done
}

// Pairs are the pairs of columns that interact, by an F test of their products on training
// rows, after flexible main effects. The test uses no trained model. Classes count as the
// numbers 0 and 1, which is a linear model of the probability.
type Pairs struct {
	Done       bool
	Stage      pair.Stage
	Step       int // of the stage, from 0
	Steps      int
	NamedCount int      // pairs named so far
	Work       float64  // estimated multiply-adds of testing all pairs once; 1e9 take one to three seconds
	Alpha      float64  // family-wise error rate: the share of tables without interactions in which a pair is named
	Trained    int      // rows
	Names      []string // of the columns; all indices below are into it
	Out        []int    // columns beyond the limit, which explain least by themselves
	Pairs      int      // of all columns
	Tested     int
	Skipped    []SkippedPair
	Named      []NamedPair // all of them once done
	Full       bool        // the search ended at its limit of 20 pairs
}

// SkippedPair is a pair that was not tested.
type SkippedPair struct {
	First    int
	Second   int
	Why      pair.SkipReason
	Products int
}

// NamedPair is a pair of columns that interact.
type NamedPair struct {
	First  int
	Second int
	P      float64 // the p value, given the pairs before; 0 below 1e-308
	Share  float64 // of the target's variance that the pair adds to main effects and the pairs before
	Low    float64 // lower end of an interval of Share; about 93 % of such intervals cover
	High   float64
}

// Intervals are prediction intervals of the model that leads a run, by conformal
// prediction with the residuals of folds. Model and level are known at once, the rest once
// it is done.
type Intervals struct {
	Done    bool
	Stage   assess.IntervalStage
	Step    int // of the stage, from 0
	Steps   int
	Model   ModelKind
	Level   float64   // nominal coverage
	Folds   int       // of the residuals; 0 if the rows are split by time and validation rows give them
	Rows    int       // with a residual
	Low     []float64 // for the test rows, in the order of Predictions, in target units
	High    []float64
	Covered int        // test rows within their intervals
	Share   float64    // coverage: the weighted share of test rows within their intervals
	From    float64    // lower end of the 95 % interval of the coverage
	To      float64    // upper end of the 95 % interval of the coverage
	Width   float64    // mean of High − Low
	File    *ModelFile // the model with its intervals
}
