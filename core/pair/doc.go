// Package pair tells which pairs of a table's columns interact, by a test, and
// how strong the interactions are.
//
// # The test
//
// Every column has features: a number piecewise-linear hats at 5 quantiles, levels
// a 0/1 feature each. The main effects H are all features of all columns, with a
// piece of a parabola between the knots of a number, so that a curve of one column
// does not pass for an interaction of two. T holds the products of the features of
// columns p and q, less what main effects and the pairs that were named before
// explain of them:
//
//	T = (I − H(HᵀH)⁺Hᵀ)·(products of p and q)
//	F = (‖Tᵀr‖²_S/df)/σ̂²,  ‖Tᵀr‖²_S = rᵀT(TᵀT)⁺Tᵀr,  df = rank T
//
// with r the residual of the main effects and σ̂² what is left of it a degree of
// freedom. The pair with the smallest p value is named and enters H, while p is
// below α over the number of pairs that are left; then all are tested anew. Before
// it is named, a pair is tested once more for noise that differs from row to row, as
// that of counts and prices does, and the larger p value counts.
//
// # The strength
//
// Of the target's variance a named pair explains this share, with an interval from
// the noncentral F distribution:
//
//	Ŝ = (‖Tᵀr‖²_S − df·σ̂²)/(n − rank H)/var(y)
//
// (Even where an interaction has nothing to do with main effects, as many of them as
// a tenth of the rows explain a tenth of it, by chance.) It is what the pair adds to main effects and to the pairs that were named before
// it, so that the shares of all can be added; σ̂² is what all of them leave. (Beside
// the later ones, too, the strongest pair could seem to explain nothing: hour and
// working day of a bicycle table, once hour and weekday are there.)
//
// The interval is nominally 95 %; it covers in about 93 % of tables, because it is
// given for pairs that were chosen.
//
// The interval takes the noise to be of one size.
//
// # Weights
//
// Least squares weighs the rows. Weights say how much a row counts and not how noisy it
// is, so (Σc)²/Σc² rows of equal weight tell as much (Kish), and the weights are scaled to
// sum up to that number. Then ‖Tᵀr‖²_S of noise is df·σ², and σ̂² has that number less the
// rank of H and T as its degrees of freedom. Quantiles and rare levels count each row once.
//
// # Cost
//
// A row has at most three features of a column that are not 0, and four products of
// a pair. All sums over rows use that, and T itself is never written out.
package pair
