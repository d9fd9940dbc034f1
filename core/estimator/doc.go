// Package estimator trains factorization machines on gonum matrices and on tables, for
// Go programs and for the command ifm. The training is that of the page, package core.
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
// scaled to variance 1. Validation rows choose the rank, the penalties and the encoding of
// numbers, linear or piecewise linear. ALS, the default solver, starts from ridge
// regression, which is one of the candidates.
//
// [Fitted.Calibrate] adds intervals to the predictions, by conformal prediction.
//
// # Shapes and units
//
// A row of x is an instance, a column a feature. Predictions are in units of y. Bias,
// Weights and Interactions are in units of y per units of the features, and the formula
// holds for the rows of [Model.Design]. With Encoding "linear" these are the rows of x
// without constant columns.
//
// # Rows
//
// Three fifths of the rows train, a fifth validates, and a fifth tests the model and the
// baselines: [Fitted.Test]. What validation rows choose is fitted once more to the training
// and the validation rows, and [Fitted.FitAll] fits it to all rows. ValidShare and TestShare change that. If you have separate
// test rows, set TestShare to 0.
//
// # Errors
//
// Every error that a caller can cause is typed, and says where it is, what was found and
// what to do: [*ShapeError], [*NotFiniteError] with its row and column, [*SettingError],
// [*NoValidationError], [*QuestionsError] for an ambiguous file, [*fault.PlanError] for rows
// that cannot be trained on (too few, or a constant target), errors of package solve for
// rows that the solver does not take, and [*fm.FileError] for a model file.
//
// # Numbers
//
// The same options, rows and seed give the same bits in every browser and under js/wasm.
// Native numbers agree to 1e-9, because some processors fuse a multiplication and an
// addition (package core has a table of it). Model files are exchangeable with the page.
//
// # Cost
//
// An iteration of ALS or of a descent is a pass over the rows, O(n·d·k) for dense columns
// and O(ones·k) for levels. Gauss–Newton adds O(d²k²·n). The default settings try 14
// candidates of each encoding, with at most 150 iterations each. A design takes 8 bytes a
// number, and at most [design.MaxBytes].
package estimator
