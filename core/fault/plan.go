package fault

import (
	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/message"
)

// TargetError says why a column cannot be the target.
type TargetError struct {
	File    string
	Field   string // the column's name, or "" when there is none to choose
	Found   string // what the column holds
	Message string // what was found, what is wanted, what to do
}

func (e *TargetError) Error() string { return place(e.File, 0, 0) + e.Message }

// ColumnError says why a feature cannot be scaled.
type ColumnError struct {
	File    string
	Field   string
	Found   string
	Message string // what was found, what is wanted, what to do
}

func (e *ColumnError) Error() string { return place(e.File, 0, 0) + e.Message }

// MissingColumnsError says that a table lacks columns that a model needs.
type MissingColumnsError struct {
	File    string
	Missing []string // in the order of the model's
	Have    []string // the table's
}

func (e *MissingColumnsError) Error() string {
	more := ""
	if n := len(e.Missing) - 1; n > 0 {
		more = message.Sprintf(" and %d more", n)
	}
	return place(e.File, 0, 0) + message.Sprintf("the model needs the column %s%s, and this file has %s; give its columns the names that the model knows, or choose another file", cell.Quote(e.Missing[0]), more, cell.List(e.Have))
}

// TooFewRowsError says that the rows left do not make three splits.
type TooFewRowsError struct {
	File    string
	Rows    int // usable
	Want    int
	Dropped int // by the plan
}

func (e *TooFewRowsError) Error() string {
	s := message.Sprintf("%s%d rows can be used, want at least %d for training, validation and test; ", place(e.File, 0, 0), e.Rows, e.Want)
	if e.Dropped > 0 {
		return s + message.Sprintf("%d were left out: see why, or open a longer table", e.Dropped)
	}
	return s + "open a longer table"
}

// NoFeaturesError says that nothing is left to predict the target from.
type NoFeaturesError struct {
	File   string
	Target string
}

func (e *NoFeaturesError) Error() string {
	return message.Sprintf("%sno column is left to predict %s from; make one that varies a feature", place(e.File, 0, 0), e.Target)
}

// SizeError says that the design would not fit in a browser's memory.
type SizeError struct {
	File     string
	Rows     int
	Features int
	Bytes    int64  // of the design
	Widest   string // the column that became most features
	Levels   int    // and how many
}

// check returns e if the design is larger than [design.MaxBytes].
func (e *SizeError) Check() error {
	if e.Bytes <= design.MaxBytes {
		return nil
	}
	return e
}

func (e *SizeError) Error() string {
	s := message.Sprintf("%s%d rows of %d features are %.1f GB, want at most %.1f; ",
		place(e.File, 0, 0), e.Rows, e.Features, 1e-9*float64(e.Bytes), 1e-9*float64(design.MaxBytes))
	if e.Levels > 1 {
		return s + message.Sprintf("ignore %s, which alone makes %d features, or open fewer rows", e.Widest, e.Levels)
	}
	return s + "ignore columns or open fewer rows"
}

// SplitError says why rows cannot be split as they should be.
type SplitError struct {
	File    string
	Field   string // the column's name, or "" where none is named
	Found   string // what it holds
	Message string // what was found, what is wanted, what to do
}

func (e *SplitError) Error() string { return place(e.File, 0, 0) + e.Message }

func (*SplitError) Kind() string { return "SplitError" }

// WeightError says why a column cannot weigh rows.
type WeightError struct {
	File, Field string
	Found       string
	Message     string // what was found, what is wanted, what to do
}

func (e *WeightError) Error() string { return place(e.File, 0, 0) + e.Message }

func (*WeightError) Kind() string { return "WeightError" }
