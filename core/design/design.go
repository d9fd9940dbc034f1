package design

// BlockRows is the default number of rows of a block: 128 rows of 100 columns are 100 kB,
// which fit a second-level cache. Sums over rows are grouped by block, so that curves are
// the same bits on every machine.
const BlockRows = 128

// Design is the n×d matrix Z of scaled features, read in blocks of rows. Solvers see
// nothing else of a table, so they need not distinguish dense and sparse columns.
type Design interface {
	// Dims returns the number of rows and of columns.
	Dims() (n, d int)
	// Each calls f for consecutive blocks of at most rows rows: block b holds
	// rows lo ≤ i < hi. The block is valid during the call only.
	Each(rows int, f func(lo, hi int, b Block))
	// Back is Each from the last block to the first. A pass that does not sum over rows
	// may run in either direction. If it starts where the last pass ended, it finds
	// blocks in the cache.
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
