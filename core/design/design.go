package design

// BlockRows is the number of rows of a block when nothing else is asked for:
// 128 rows of 100 columns are 100 kB, which a second-level cache holds. The
// sums over rows are grouped by block, so it is part of what makes a curve the
// same bits everywhere.
const BlockRows = 128

// Design is the n×d matrix Z of scaled features, read in blocks of rows. The
// solvers see nothing else of a table, so dense and sparse columns, and one
// day rows that are not in memory, look the same to them.
type Design interface {
	// Dims returns the number of rows and of columns.
	Dims() (n, d int)
	// Each calls f for consecutive blocks of at most rows rows: block b holds
	// rows lo ≤ i < hi. The block is valid during the call only.
	Each(rows int, f func(lo, hi int, b Block))
	// Back is Each from the last block to the first. What does not sum over rows
	// may go either way, and what goes back where another pass ended finds the
	// blocks there still in the cache.
	Back(rows int, f func(lo, hi int, b Block))
}

// Block is m consecutive rows of a Design. All matrices are row-major without
// gaps; k is their number of columns.
type Block interface {
	// Forward sets dst = Z·P: dst is m×k, P is d×k. O(m·d·k), or O(nnz·k).
	Forward(dst, p []float64, k int)
	// Adjoint adds Zᵀ·R to acc: acc is d×k, R is m×k. O(m·d·k), or O(nnz·k).
	Adjoint(acc, r []float64, k int)
	// SquaresForward sets dst = Z²·c, squares taken element by element: dst has
	// m elements, c has d. O(m·d), or O(nnz).
	SquaresForward(dst, c []float64)
	// SquaresAdjoint adds (Z²)ᵀ·r to acc: acc has d elements, r has m.
	// O(m·d), or O(nnz).
	SquaresAdjoint(acc, r []float64)
}
