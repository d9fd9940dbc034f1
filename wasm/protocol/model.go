package protocol

import (
	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/note"
	"ifmlab/core/saved"
)

// Models are the calls about model files, whose bytes the call model returns.
type Models interface {
	// Describe returns a summary of a model file.
	Describe(OfModel) (Described, error)
	// Predict predicts every row of a table.
	Predict(Predict) (Predicted, error)
	// Explain returns the terms that sum to the prediction for one row, as it is and with
	// changed cells.
	Explain(Explain) (Explained, error)
	// Shapes returns what each column adds to the prediction, by its cell.
	Shapes(OfModel) (Shapes, error)
	// Export returns a model in a form that other programs read.
	Export(Export) (Exported, error)
}

// OfModel is a model file.
type OfModel struct {
	Model []byte
	Class int // of more than two, whose score the matrix and the shapes are of; else 0
}

// Predict names a table and the model to predict it with.
type Predict struct {
	Table int // the handle
	Model []byte
}

// Explain names the prediction to explain.
type Explain struct {
	Table int // the handle
	Model []byte
	Line  int // of the row; 0 for the average row, which needs no table
	// Changes are columns and the texts of their cells in turn.
	Changes []string
}

// Export names a model and the form to write it in.
type Export struct {
	Model []byte
	Form  Form
}

// Form is a form of a model that another program reads.
type Form string

// The forms.
const (
	Python Form = "python"
	SQL    Form = "sql"
	LibFM  Form = "libfm"
)

// Described is the summary of a model file.
type Described struct {
	Model       ModelKind
	Rank        int
	Target      string
	Quantity    string    // as in Started
	Levels      []string  // the target values that 0 and 1 stand for; none unless there are two
	Level       float64   // of its prediction intervals; 0 if it has none
	Measure     Measure   // as in Started
	Fitted      fm.Fitted // the rows that it was fitted to
	Classes     *Names    // as in Started
	Columns     []string  // that a table needs for a prediction
	Features    []string  // of the columns, encoded
	Interaction *Matrix   // in units of Quantity per standard deviation of both features; null beyond 1000 features
	Bytes       int       // of the file
	Separator   string    // of the training table
	Header      bool      // the training table has one
	Places      bool      // columns are known by their position alone
	Decimal     []string  // this and the next three are settings that read another table alike
	MissingAs   []string
	Present     []string
	Dates       []string
}

// Predicted are the predictions for every row of a table, in target units.
type Predicted struct {
	Line          []int32   // in the file
	Predicted     []float64 // of two classes the probability of class 1, of more that of the likeliest; NaN if the prediction is not finite; skipped lists such rows
	Probabilities []float64 // of more than two classes, those of a row next to each other; else none
	Actual        []float64 // NaN if the table has none; of classes 0, 1, …
	Error         float64   // of the rows with both, in the measure of the model; NaN if there are none
	Low           []float64 // lower end of the interval, NaN where Predicted is; none if the model has no intervals
	High          []float64
	Far           []int32 // 1 for a prediction far beyond the values that the model has learned from, else 0; none if it does not know them
	Compared      int     // rows with both
	Covered       int     // rows with both whose actual value is within the interval
	Rows          int
	Notes         note.Notes // counts of missing, unseen and odd cells of a column may have no text
	Skipped       []Place    // the first 100 cells that count as missing because they do not fit their column
	SkippedCount  int
}

// Explained has the prediction for one row, as it is and with changed cells, in terms:
// predicted = base + all values + rest.
type Explained = saved.WhatIf

// Shapes are what columns add to the prediction, in units of Quantity.
type Shapes struct {
	Average  bool   // each averages 0 over the training rows: an older model file has no averages
	Quantity string // as in Started
	Shapes   []Shape
}

// Shape is what a column adds to the prediction, by its cell.
type Shape struct {
	Column string
	Source string // the column of the file: that of dates for their parts, else the same
	Days   bool   // its numbers are days since 1970
	Points []ShapePoint
}

// ShapePoint is a cell of a column and its effect.
type ShapePoint struct {
	Kind   design.FeatureKind
	Number float64 // NaN for a level and for a missing cell
	Level  string
	Effect float64
	Low    float64 // the lowest effect of the model and of its fits without a quarter of the rows; NaN if the file has none
	High   float64 // the highest
	Share  float64 // of the training rows: with the level, or near the number; NaN between such numbers
}

// Exported is a model in another form.
type Exported struct {
	Files   []ModelFile // the model first
	Notices []string    // what the form cannot express
}
