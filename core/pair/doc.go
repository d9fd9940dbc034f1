// Package pair tests which pairs of a table's columns interact, and measures how strongly.
//
// # The test
//
// Every column has features: a number has piecewise-linear hats at 5 quantiles, and each
// level is a 0/1 feature. The main effects H are all features of all columns. For a number
// they include a parabola between knots, so that a curve of one column does not pass for an
// interaction of two. T holds the products of the features of columns p and q, less what
// main effects and the pairs named before explain of them:
//
//	T = (I − H(HᵀH)⁺Hᵀ)·(products of p and q)
//	F = (‖Tᵀr‖²_S/df)/σ̂²,  ‖Tᵀr‖²_S = rᵀT(TᵀT)⁺Tᵀr,  df = rank T
//
// r is the residual of the main effects, and σ̂² the variance that T leaves of it. The pair
// with the smallest p value is named and enters H if p is below α over the number of pairs
// left. Then all pairs are tested again. Before a pair is named, it is tested for noise
// that differs from row to row, as that of counts and prices does, and the larger p value
// counts.
//
// # Rows that depend on each other
//
// Rows with equal features count as one. Rows of a group form a cluster, of which the same
// test takes the sum. Rows in order of time, or of the file, are compared with those before
// them: if both the pair's features and the residuals of neighbours are alike, blocks of
// neighbours are the clusters. If main effects outnumber the stretches of rows that are alike
// in both columns, they explain all that the rows of a stretch have in common. Then blocks
// are the clusters whatever the residuals are. If fewer than 20 clusters remain, or none of the pair's products
// is spread over 10 of them, the pair is skipped as [Dependent].
//
// # The strength
//
// A named pair explains this share of the target's variance, with an interval from the
// noncentral F distribution:
//
//	Ŝ = (‖Tᵀr‖²_S − df·σ̂²)/(n − rank H)/var(y)
//
// The divisor is n − rank H because as many main effects as a tenth of the rows explain, by
// chance, a tenth of an interaction. Ŝ is what a pair adds to main effects and to the pairs
// named before it, so that shares can be added. σ̂² is the noise that all pairs leave. Beside
// later pairs, too, the strongest pair could seem to explain nothing: hour × working day of
// a bicycle table, once hour × weekday is there.
//
// The interval assumes noise of one size. Its nominal level is 95 %. It covers in about 93 %
// of tables, because it is given for pairs that were chosen.
//
// # Weights
//
// Least squares weighs the rows. Weights say how much a row counts and not how noisy it is,
// so only (Σc)²/Σc² rows of equal weight tell as much (Kish). Weights are scaled to sum up
// to that number. Then ‖Tᵀr‖²_S of noise is df·σ² on average, and σ̂² has that number, less
// the ranks of H and T, as its degrees of freedom. Quantiles and rare levels count each row
// once.
//
// # Cost
//
// A row has at most three features of a column that are not 0, and four products of a pair.
// All sums over rows use that, and T itself is never formed.
package pair
