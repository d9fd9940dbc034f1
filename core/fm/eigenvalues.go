package fm

import (
	"cmp"
	"math"
	"slices"

	"ifmlab/core/eigen"
	"ifmlab/core/kernel"
	"ifmlab/core/order"
)

// Eigenvalues returns, largest first, those of the symmetric matrix whose
// diagonal FM and iFM leave out,
//
//	D·UUᵀ·D for FM,    D·sym(UVᵀ)·D for gFM and iFM,    D = diag(weights)
//
// which are not 0 by its form alone. A factor adds two of them, but only one
// where its columns of U and V are equal, as FM's are, or negatives of each
// other; there are D at most. Where every factor is a square, as FM's are, the
// matrix has no negative eigenvalue and none is returned: what rounding, which is
// of 1e-16 of the largest, makes of one is 0. Where every factor is the negative
// of a square, the same holds of positive ones.
//
// weights has D numbers; nil stands for ones. The unit is that of weightsᵢ·weightsⱼ
// times the scaled target. The values of a model with −V are the negatives, bit
// for bit. With QR = D·[U V], they are those of the small R·[0 I; I 0]·Rᵀ/2, so
// that no D×D matrix is formed: O(D·Rank² + Rank³).
func (m *Model) Eigenvalues(weights []float64) []float64 {
	d, k, right := m.D, m.Rank, m.Right()
	signs := make([]float64, k) // 1 or −1 where V is so many times U
	columns := make([][]float64, 0, 2*k)
	positive, negative := true, true
	for f := range k {
		u := column(m.U, k, f, weights)
		v := column(right, k, f, weights)
		columns = append(columns, u)
		if slices.Equal(u, v) {
			signs[f] = 1
		} else if scale(v, -1); slices.Equal(u, v) {
			signs[f] = -1
		}
		positive, negative = positive && signs[f] > 0, negative && signs[f] < 0
	}
	for f, sign := range signs {
		if sign == 0 {
			columns = append(columns, column(right, k, f, weights))
		}
	}
	triangularize(columns)
	size := min(d, len(columns))
	small := New(GFM, size, k)
	at := k
	for f, sign := range signs {
		v := columns[f]
		if sign == 0 {
			v = columns[at]
			at++
			sign = 1
		}
		for i := range size {
			small.U[i*k+f] = columns[f][i]
			small.V[i*k+f] = sign * v[i]
		}
	}
	e := eigen.New(size)
	e.ValuesOf(small.Interaction(), size)
	for i, v := range e.Values {
		if positive && v < 0 || negative && v > 0 || v == 0 { // the last: −0
			e.Values[i] = 0
		}
	}
	order.Sort(e.Values, func(a, b float64) int { return cmp.Compare(b, a) })
	return e.Values
}

// column returns a copy of column f of a matrix with k of them, its numbers
// times the weights.
func column(x []float64, k, f int, weights []float64) []float64 {
	out := make([]float64, len(x)/k)
	for i := range out {
		out[i] = x[i*k+f]
		if weights != nil {
			out[i] *= weights[i]
		}
	}
	return out
}

func scale(x []float64, by float64) {
	for i := range x {
		x[i] *= by
	}
}

// triangularize replaces columns, all of length d, by R of their QR
// decomposition: Householder's reflections, which need no rank. O(d·columns²).
func triangularize(columns [][]float64) {
	for j, c := range columns {
		if j+1 >= len(c) {
			break
		}
		v := c[j:]
		if tail := kernel.Dot(v[1:], v[1:]); tail == 0 || tail < 1e-290 { // whose reciprocal may overflow
			clear(v[1:])
			continue
		}
		end := -math.Copysign(math.Sqrt(kernel.Dot(v, v)), v[0])
		v[0] -= end
		beta := 2 / kernel.Dot(v, v)
		for _, other := range columns[j+1:] {
			kernel.Axpy(-beta*kernel.Dot(v, other[j:]), v, other[j:])
		}
		clear(v)
		v[0] = end
	}
}
