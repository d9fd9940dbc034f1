package protocol

import "ifmlab/core/note"

// Models are the calls about model files. The bytes are those that the call model gives.
type Models interface {
	// Describe returns what a model file holds.
	Describe(OfModel) (Described, error)
	// Predict predicts every row of a table.
	Predict(Predict) (Predicted, error)
	// Explain returns what the prediction for one row is the sum of.
	Explain(Explain) (Explained, error)
	// Export returns a model as other programs take it.
	Export(Export) (Exported, error)
}

// OfModel is a model file.
type OfModel struct{ Model []byte }

// Predict says what to predict.
type Predict struct {
	Table int // the handle
	Model []byte
}

// Explain says which prediction to explain.
type Explain struct {
	Table int // the handle
	Model []byte
	Line  int // of the row
}

// Export says what to write a model as.
type Export struct {
	Model []byte
	Form  Form
}

// Form is a form of a model that another program takes.
type Form string

// The forms.
const (
	Python Form = "python"
	SQL    Form = "sql"
	LibFM  Form = "libfm"
)

// Described is what a model file holds.
type Described struct {
	Model       ModelKind
	Rank        int
	Target      string
	Learnt      string   // as in Started
	Levels      []string // of a target of two values: what 0 and 1 stand for; else none
	Level       float64  // of its prediction intervals; 0 if it has none
	Measure     Measure  // as in Started
	Classes     *Pair    // as in Started
	Columns     []string // that a table must have to be predicted
	Features    []string // that they are encoded as
	Interaction *Matrix  // in units of what is learnt per standard deviation of both features; null beyond 1000 features
	Bytes       int      // of the file
	Separator   string   // of the table that it was trained on
	Header      bool     // of that table
	Places      bool     // it knows its columns by their place alone
	Decimal     []string // this and the next three are settings, for reading another table alike
	MissingAs   []string
	Present     []string
	Dates       []string
}

// Predicted is what a model says of every row of a table, in target units.
type Predicted struct {
	Line         []int32   // in the file
	Predicted    []float64 // NaN if it is no finite number, which skipped lists
	Actual       []float64 // NaN if the table does not say
	Error        float64   // of the rows with both, in the measure of the model; NaN without one
	Low          []float64 // end of the interval, NaN where predicted is; none if the model has no intervals
	High         []float64
	Compared     int // rows with both
	Covered      int // of them, within their intervals
	Rows         int
	Notes        note.Notes // those that count missing, unseen and odd cells of a column may have no text
	Skipped      []Place    // cells that count as missing because they are not what their column holds, the first 100
	SkippedCount int
}

// Explained is what the prediction for one row is the sum of, in units of what is learnt:
// predicted = mean + all values + rest. The mean row has every number at its mean over the
// training rows, no cell missing, and of levels their mean.
type Explained struct {
	Columns   []string // of the table
	Cells     []string // of the row, one a column, as written; "" for a missing one
	Mean      float64  // predicted for the mean row
	First     []int    // of each term, the one farthest from 0 first: an index into columns
	Second    []int    // of a pair; −1 for what a column adds by itself
	Values    []float64
	Rest      float64 // the sum of the other terms
	Others    int     // how many these are
	Predicted float64
	Raw       float64 // predicted in units of the table
	Learnt    string  // as in Started
}

// Exported is a model in another form.
type Exported struct {
	Files   []ModelFile // the model itself first
	Notices []string    // what the form lacks
}
