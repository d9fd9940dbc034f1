package fm

import (
	"cmp"
	"math"

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
	d, k := m.D, m.Rank
	u, v := weighted(m.U, d, k, weights), weighted(m.Right(), d, k, weights)
	columns := append(make([][]float64, 0, 2*k), u...)
	signs := make([]float64, k) // 1 or −1 where V is so many times U
	positive, negative := 0, 0
	for f := range k {
		switch signs[f] = ratio(u[f], v[f]); signs[f] {
		case 1:
			v[f] = u[f]
			positive++
		case -1:
			v[f] = u[f]
			negative++
		default:
			signs[f] = 1
			columns = append(columns, v[f])
		}
	}
	triangularize(columns)
	size := min(d, len(columns))
	small := New(GFM, size, k)
	for i := range size {
		for f := range k {
			small.U[i*k+f], small.V[i*k+f] = u[f][i], signs[f]*v[f][i]
		}
	}
	e := eigen.New(size)
	e.ValuesOf(small.Interaction(), size)
	for i, v := range e.Values {
		if positive == k && v < 0 || negative == k && v > 0 || v == 0 { // the last: −0
			e.Values[i] = 0
		}
	}
	order.Sort(e.Values, func(a, b float64) int { return cmp.Compare(b, a) })
	return e.Values
}

// weighted returns the k columns of a d×k matrix, each row times its weight.
func weighted(x []float64, d, k int, weights []float64) [][]float64 {
	columns := make([][]float64, k)
	for f := range columns {
		column := make([]float64, d)
		for i := range column {
			column[i] = x[i*k+f]
			if weights != nil {
				column[i] *= weights[i]
			}
		}
		columns[f] = column
	}
	return columns
}

// ratio returns 1 where v is u, −1 where it is −u, and 0 elsewhere.
func ratio(u, v []float64) float64 {
	same, opposite := true, true
	for i, x := range u {
		same, opposite = same && v[i] == x, opposite && v[i] == -x
	}
	switch {
	case same:
		return 1
	case opposite:
		return -1
	}
	return 0
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
