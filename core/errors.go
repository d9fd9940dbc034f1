package core

import (
	"errors"
	"strings"

	"ifmlab/core/data"
	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/invalid"
	"ifmlab/core/linear"
	"ifmlab/core/moment"
	"ifmlab/core/population"
	"ifmlab/core/script"
	"ifmlab/core/solve"
	"ifmlab/core/synth"
	"ifmlab/core/trees"
	"ifmlab/core/vtec"
	"ifmlab/core/vtec/position"
	"ifmlab/core/vtec/sky"
)

// ErrorKind returns the name of the first type of ours in an error's chain,
// without its package: "FileError" for a [*data.FileError]. It returns "Error"
// where there is none. (To ask fmt for the name would cost an eighth of the
// page.)
func ErrorKind(err error) string {
	for ; err != nil; err = errors.Unwrap(err) {
		switch err.(type) {
		case NoTableError:
			return "NoTableError"
		case *TooWideError:
			return "TooWideError"
		case *NotFiniteError, *linear.NotFiniteError, *trees.NotFiniteError, *invalid.NotFiniteError:
			return "NotFiniteError"
		case *LossError:
			return "LossError"
		case *NoClassesError:
			return "NoClassesError"
		case *TestRowError:
			return "TestRowError"
		case *NoRowError:
			return "NoRowError"
		case *NoIntervalError:
			return "NoIntervalError"
		case NoValidationError:
			return "NoValidationError"
		case *CellError:
			return "CellError"
		case *FoldError:
			return "FoldError"
		case *UnchosenError:
			return "UnchosenError"
		case *DrawnFileError:
			return "DrawnFileError"
		case *WidthError:
			return "WidthError"
		case *FormError:
			return "FormError"
		case *fm.LibFMError:
			return "LibFMError"
		case *script.NameError:
			return "NameError"
		case *script.SparseError:
			return "SparseError"
		case *NotHeldError:
			return "NotHeldError"
		case *UnknownColumnError:
			return "UnknownColumnError"
		case *SkyError:
			return "SkyError"
		case *data.RowError:
			return "RowError"
		case *data.WeightError, *linear.WeightError, *invalid.WeightError, *trees.WeightError:
			return "WeightError"
		case *data.FileError, *fm.FileError:
			return "FileError"
		case *data.ReaderError:
			return "ReaderError"
		case *data.TooManyBadRowsError:
			return "TooManyBadRowsError"
		case *data.TargetError:
			return "TargetError"
		case *data.ColumnError:
			return "ColumnError"
		case *data.MissingColumnsError:
			return "MissingColumnsError"
		case *data.TooFewRowsError:
			return "TooFewRowsError"
		case *data.NoFeaturesError:
			return "NoFeaturesError"
		case *data.SizeError, *trees.SizeError:
			return "SizeError"
		case *SparseColumnsError:
			return "SparseColumnsError"
		case *data.SplitError:
			return "SplitError"
		case *design.ShapeError, *linear.ShapeError, *invalid.ShapeError, *trees.ShapeError:
			return "ShapeError"
		case *fm.KindError:
			return "KindError"
		case *linear.PenaltyError:
			return "PenaltyError"
		case *linear.TooManyProductsError:
			return "TooManyProductsError"
		case *synth.ConfigError:
			return "ConfigError"
		case *solve.DivergedError:
			return "DivergedError"
		case *solve.DependentColumnsError:
			return "DependentColumnsError"
		case *solve.UnstandardizedError:
			return "UnstandardizedError"
		case *moment.SingularMomentError:
			return "SingularMomentError"
		case *solve.PrecisionError:
			return "PrecisionError"
		case *solve.UnsupportedError:
			return "UnsupportedError"
		case *population.RankError:
			return "RankError"
		case *linear.ClassError, *invalid.ClassError, *trees.ClassError:
			return "ClassError"
		case *linear.OneClassError, *trees.OneClassError:
			return "OneClassError"
		case *linear.RatioError:
			return "RatioError"
		case *linear.UnsettledError:
			return "UnsettledError"
		case *linear.GammaError:
			return "GammaError"
		case *linear.SingularKernelError:
			return "SingularKernelError"
		case *vtec.TuningError:
			return "TuningError"
		case *vtec.SettingError:
			return "SettingError"
		case *sky.UnusableError:
			return "UnusableError"
		case *sky.CoverageError:
			return "CoverageError"
		case *sky.EdgeError:
			return "EdgeError"
		case *sky.GridError:
			return "GridError"
		case *position.CovarianceError:
			return "CovarianceError"
		}
	}
	return "Error"
}

// Sentence returns an error's message as a reader is told it: without the package
// that it comes from, which only its authors look for, and with a capital.
func Sentence(message string) string {
	for _, from := range [...]string{"core", "data", "eigen", "engine", "fm", "kernel", "linear", "moment", "solve", "spec", "synth", "trees", "vtec"} {
		said, is := strings.CutPrefix(message, from+": ")
		if !is {
			continue
		}
		small := func(i int) bool { return i < len(said) && 'a' <= said[i] && said[i] <= 'z' }
		if small(0) && small(1) { // a word, and not a name such as λ or n
			said = string(said[0]-'a'+'A') + said[1:]
		}
		return said
	}
	return message
}
