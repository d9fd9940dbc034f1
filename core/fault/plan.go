package fault

import (
	"errors"

	"ifmlab/core/cell"
	"ifmlab/core/message"
)

// PlanProblem says why a table cannot be trained on. The page shows errors by it.
type PlanProblem string

// The problems of a plan.
const (
	Target     PlanProblem = "TargetError"     // the target cannot be predicted
	Column     PlanProblem = "ColumnError"     // a feature that cannot be scaled
	Split      PlanProblem = "SplitError"      // the rows cannot be split as asked
	Weight     PlanProblem = "WeightError"     // the column of weights cannot be used
	TooFewRows PlanProblem = "TooFewRowsError" // for training, validation and test
	Rule       PlanProblem = "RuleError"       // a rule that leaves rows out cannot be used, or leaves too few
	NoFeatures PlanProblem = "NoFeaturesError" // no feature is left
	TooWide    PlanProblem = "SizeError"       // the design does not fit in a browser's memory
)

// PlanError says why a table cannot be planned, split or encoded as the settings ask.
type PlanError struct {
	Problem PlanProblem
	File    string
	Field   string // the column's name, or ""
	Found   string // what it holds
	Message string // what was found, what is wanted, what to do
}

func (e *PlanError) Error() string { return place(e.File, 0, 0) + e.Message }

// Kind returns the problem, which the page tells errors apart by.
func (e *PlanError) Kind() string { return string(e.Problem) }

// IsPlan reports whether err is a [*PlanError] with this problem.
func IsPlan(err error, p PlanProblem) bool {
	e, is := errors.AsType[*PlanError](err)
	return is && e.Problem == p
}

// NothingLeft returns the error of a plan without features. why says why columns are ignored.
func NothingLeft(file, target, why string) *PlanError {
	return &PlanError{Problem: NoFeatures, File: file, Message: message.Sprintf("no column is left to predict %s from%s; use at least one column that varies", target, why)}
}

// MissingColumnsError says that a table lacks columns that a model or another table has.
type MissingColumnsError struct {
	File    string
	Of      string   // the other table; "" for a model
	Missing []string // columns of the model or the other table, in its order
	Have    []string // columns of the table
}

func (e *MissingColumnsError) Error() string {
	if e.Of != "" {
		return place(e.File, 0, 0) + message.Sprintf("this file lacks %s of %s; it has %s; rename its columns, or choose another file", cell.List(e.Missing), e.Of, cell.List(e.Have))
	}
	more := ""
	if n := len(e.Missing) - 1; n > 0 {
		more = message.Sprintf(" and %d more", n)
	}
	return place(e.File, 0, 0) + message.Sprintf("the model needs the column %s%s, but this file has %s; rename its columns, or choose another file", cell.Quote(e.Missing[0]), more, cell.List(e.Have))
}

// Kind returns what the page tells errors apart by.
func (*MissingColumnsError) Kind() string { return "MissingColumnsError" }
