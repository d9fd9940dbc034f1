// Package design holds the design matrix that models are trained on, and the meaning of
// its columns. It knows neither files nor tables: package encode encodes those, and
// simulated rows enter through [FromMatrix].
//
// The solvers see a [Design] in blocks of rows. It has two forms:
//
//	Dense   all numbers, row by row
//	Mixed   dense runs of columns, ones for levels, hats of piecewise-linear bases,
//	        and the entries of wide sparse columns
//
// A [Dataset] has three parts of rows, each a design Z and a target Y. Its
// [Encoding] names the features and takes coefficients back to the reader's units.
//
// # Scaling
//
// Z is the n×d design matrix, a row per instance, of features
//
//	z = (x − Mean)/Scale
//
// Numeric columns take mean and standard deviation from training rows alone; 0/1
// columns are not scaled. The target is divided by its standard deviation
// over training rows and is not centred.
//
// # Dense and sparse at once
//
// A column of numbers is rarely 0, so it is dense. A column of 500 levels has a
// single 1 in each row, and 4 bytes say where. One form for the whole table would
// waste memory on one kind of column. Sparse is faster from three levels on
// (BenchmarkElement), so only a column that makes one or two features of levels is
// dense.
package design
