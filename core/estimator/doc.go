// Package estimator trains factorization machines on gonum's matrices and on tables,
// for Go programs and for the command ifm. It is the page's own training, package
// core, behind three words: Fit, Predict, Explain.
//
//	f, err := estimator.Fit(ctx, x, y, nil)        // x mat.Matrix, n×d; y []float64
//	predicted, err := f.Predict(more)
//	m, err := f.Interactions()                     // *mat.SymDense
//
//	table, err := estimator.ReadTable("cars.csv", file, nil)
//	f, err := estimator.FitTable(ctx, table, &options)
//	e, err := f.ExplainTable(table, 17, 8)         // line 17, its 8 largest terms
//
// # Formula
//
//	f(x) = b + xᵀw + xᵀMx
//	FM    M = UUᵀ − diag(UUᵀ)        U is d×k
//	gFM   M = UVᵀ                    U and V are d×k, the diagonal kept
//	iFM   M = UVᵀ − diag(UVᵀ)
//
// minimises ½Σ(f(xᵢ) − yᵢ)² with L2 penalties on w, U and V, over columns that are
// scaled to variance 1. Validation rows choose the rank, the penalties and whether
// numbers are taken as they are or as piecewise-linear bases. Ridge regression is one
// of the candidates that als, the default solver, starts from.
//
// [Fitted.Calibrate] adds intervals to the predictions, by conformal prediction.
//
// # Shapes and units
//
// A row of x is an instance, a column a feature. Predictions are in units of y. Bias,
// Weights and Interactions are in units of y per units of the features, so that the
// formula holds as it stands for a row of [Model.Design], which for numbers taken as
// they are is the row of x without the columns that are constant. Set Encoding to
// "linear" to have them of the columns themselves.
//
// # Rows
//
// Three fifths of the rows train, a fifth chooses, a fifth tests and is looked at once:
// [Fitted.Test] has it, and baselines are judged by it. ValidShare and TestShare change
// that. Whoever has test rows of their own sets TestShare to 0.
//
// # Errors
//
// Everything that a caller can cause is a typed error, and says where, what was found
// and what to do: [*ShapeError], [*NotFiniteError] with its row and column,
// [*SettingError], [*NoValidationError], [*QuestionsError] for a file that can be read
// in two ways, those of package data for rows that cannot be trained on
// ([*data.TooFewRowsError], [*data.TargetError] for a constant target), those of package
// solve for a solver that does not take the rows, and [*fm.FileError] for a model file.
//
// # Numbers
//
// The same options, rows and seed give the same bits in every browser and under
// js/wasm on every machine; natively they are within 1e-9 of these, because some
// processors fuse a multiplication and an addition
// (TestNumbersAreThePagesNativelyToo). A model file is the page's: it can be opened there, and
// the page's here.
//
// # Cost
//
// An iteration of als or of a descent is a pass over the rows, O(n·d·k) of dense columns and
// O(ones·k) of levels; Gauss–Newton adds O(d²k²·n). Candidates of the default settings
// are 14 of each encoding, of at most 150 iterations each. A design takes 8 bytes a
// number, and at most [design.MaxBytes].
package estimator
