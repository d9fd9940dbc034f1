package estimator

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/task"
	"ifmlab/core/train"
)

// Options are the settings of training. The zero value is not useful; start from
// [Default] or [Parse]. Functions take nil for Default.
//
// The settings are those of the page, declared in package spec with their bounds. A fit
// reads only these:
//
//	Models                      "fm", "gfm", "ifm": all are trained, validation rows choose one
//	Ranks                       k, candidates
//	LambdaW, LambdaF            penalties that als tries, in pseudo-rows
//	Lambdas                     penalties a row that the other solvers try
//	Solver                      "default" (als), "als", "agd", "auto", "gauss-newton", "scaled",
//	                            "algorithm1", "centred", "printed"
//	Encoding                    of numbers: "linear", "hats" or "auto", which tries both
//	Iterations, Tolerance,
//	Patience, Start, Inverse    when a candidate stops, and from where it starts
//	Seed                        of every random draw
//	Target, Log                 the column to predict, and whether its logarithm is learnt
//	Loss, Positive              of a target of two values; name one of whole numbers Categorical to learn classes
//	Ignore, Categorical,
//	Numeric, Missing, Rare      what columns are for
//	Rows                        rules for the rows that are used
//	Split, By                   how rows are split
//	Folds                       that choose in place of validation rows, or 0
//	Level                       of prediction intervals
//	Separator, Header, Decimal,
//	MissingAs, NotMissing,
//	Dates, Keep                 how a file is read
type Options struct {
	spec.Spec

	// Columns are the names of the columns of a matrix; nil: x1, x2 and so on. Target is
	// the name of its targets; "": y.
	Columns []string
	// ValidShare and TestShare are the shares of validation and test rows of a matrix,
	// rounded down. For a table, and in Default, they are a fifth each.
	ValidShare, TestShare float64

	// Progress, if not nil, is called after every iteration. Calls do not overlap.
	Progress func(Progress)
}

// Progress is the state of training.
type Progress struct {
	Model      string // in training: "fm", "gfm" or "ifm"
	Fold       int    // that validates, from 1; 0 without cross-validation
	Candidates int    // encodings, ranks and penalties of the search; 0 in a fold
	train.Record
}

// Default returns the page's settings for a table, with iFM as the only model.
func Default() Options {
	s := spec.Default()
	s.Source, s.Models = "table", []string{"ifm"}
	return Options{Spec: s, ValidShare: table.Fifth, TestShare: table.Fifth}
}

// Parse returns the options of a link's query, such as "ranks=2,4&solver=als&seed=7". Other
// settings are those of [Default]. A query with source=table, such as every link of the
// page and [spec.Spec.Encode] of options, means what it means there: without models in it,
// FM and iFM are trained. Parse returns a [*SettingError] for the first setting that is
// unknown, malformed or out of bounds.
func Parse(query string) (Options, error) {
	o := Default()
	s, notices := spec.Parse(query)
	for _, n := range notices {
		return o, settingError(n.Key, n.Found)
	}
	if given := keys(query); !slices.Contains(given, "models") && !slices.Contains(given, "source") {
		s.Models = o.Models
	}
	s.Source = "table"
	o.Spec = s
	return o, o.check()
}

func keys(query string) (all []string) {
	for key := range spec.Pairs(query) {
		all = append(all, key)
	}
	return all
}

// SettingError says that a setting is unknown or has an invalid value.
type SettingError struct {
	Key   string // as a link names it
	Found string
	Want  string
}

func (e *SettingError) Error() string {
	if e.Want == "" {
		return fmt.Sprintf("estimator: there is no setting %q; ifm help settings lists them all", e.Key)
	}
	return fmt.Sprintf("estimator: %s is %q, expected %s", e.Key, e.Found, e.Want)
}

// settingError returns the error for a value of a setting.
func settingError(key, found string) *SettingError {
	e := &SettingError{Key: key, Found: found}
	i := slices.IndexFunc(spec.Fields, func(f spec.Of[spec.Spec]) bool { return f.Key == key })
	if i < 0 {
		return e
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	switch f := spec.Fields[i]; f.Kind {
	case spec.Choice:
		e.Want = "one of " + strings.Join(f.Options, ", ")
	case spec.Set:
		e.Want = "some of " + strings.Join(f.Options, ", ")
	case spec.Int:
		e.Want = "a whole number from " + number(f.Min) + " to " + number(f.Max)
	case spec.Float:
		e.Want = "a number from " + number(f.Min) + " to " + number(f.Max)
	case spec.Ints, spec.Floats:
		e.Want = fmt.Sprintf("1 to %d numbers from %s to %s, with commas between them", spec.MaxList, number(f.Min), number(f.Max))
	default:
		e.Want = fmt.Sprintf("texts of at most %d bytes", spec.MaxText)
	}
	return e
}

// check returns a *SettingError for the first invalid setting.
func (o *Options) check() error {
	if _, notices := spec.Parse(o.Spec.Encode()); len(notices) > 0 {
		return settingError(notices[0].Key, notices[0].Found)
	}
	switch {
	case o.Source != "table":
		return &SettingError{"source", o.Source, "table; ifm curve trains on drawn rows"}
	case o.Trials != 1:
		return &SettingError{"trials", strconv.Itoa(o.Trials), "1; fit once a seed, or run ifm compare"}
	}
	for _, share := range []struct {
		name  string
		value float64
	}{{"ValidShare", o.ValidShare}, {"TestShare", o.TestShare}} {
		if !(share.value >= 0 && share.value < 1) {
			return &SettingError{share.name, strconv.FormatFloat(share.value, 'g', -1, 64), "a number from 0 to 1, below 1"}
		}
	}
	if sum := o.ValidShare + o.TestShare; sum >= 1 {
		return &SettingError{"ValidShare + TestShare", strconv.FormatFloat(sum, 'g', -1, 64), "less than 1, for rows that train"}
	}
	return nil
}

// shares reports whether the shares differ from those of a table.
func (o *Options) shares() bool { return o.ValidShare != table.Fifth || o.TestShare != table.Fifth }

// checkShares returns an error if a search has no validation rows.
func (o *Options) checkShares(rows int) error {
	if o.shares() && o.Split != "random" {
		return &SettingError{"split", o.Split, "random, where ValidShare or TestShare are not a fifth"}
	}
	if valid := int(math.Floor(o.ValidShare * float64(rows))); valid == 0 && task.Folds(o.Spec) == 0 && (len(o.Models) > 1 || train.Choices(o.Spec) > 1) {
		return &NoValidationError{Choices: len(o.Models) * train.Choices(o.Spec)}
	}
	return nil
}

// NoValidationError says that there is something to choose and no rows to choose by.
type NoValidationError struct{ Choices int }

func (e *NoValidationError) Error() string {
	return fmt.Sprintf("estimator: %d models are to choose from, and no validation rows to choose by; raise ValidShare, or give one model, one rank, one penalty of each kind and an encoding", e.Choices)
}
