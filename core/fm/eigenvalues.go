package fm

import (
	"cmp"
	"math"
	"slices"

	"ifmlab/core/eigen"
	"ifmlab/core/kernel"
	"ifmlab/core/order"
)

// Eigenvalues returns eigenvalues, largest first, of the symmetric matrix whose diagonal FM
// and iFM leave out,
//
//	D·UUᵀ·D for FM,    D·sym(UVᵀ)·D for gFM and iFM,    D = diag(weights)
//
// It leaves out those that are 0 for any factors. A factor adds two eigenvalues, or one if
// its columns of U and V are equal, as for FM, or negatives of each other. There are at most
// D. If every factor is a square, as for FM, the matrix has no negative eigenvalue; rounding
// of about 1e-16 of the largest is set to 0. The same holds for positive eigenvalues if every
// factor is the negative of a square.
//
// weights has D numbers; nil is 1 each. The unit is that of weightsᵢ·weightsⱼ times the
// scaled target. The values of a model with −V are the negatives, bit for bit. With
// QR = D·[U V] they are those of the small R·[0 I; I 0]·Rᵀ/2, so that no D×D matrix is
// formed. O(D·Rank² + Rank³).
func (m *Model) Eigenvalues(weights []float64) []float64 {
	d, k := m.D, m.Rank
	u, v := weighted(m.U, d, k, weights), weighted(m.Right(), d, k, weights)
	columns := slices.Clone(u)
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

// ratio returns 1 if v = u, −1 if v = −u, and 0 otherwise.
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

// triangularize replaces columns of length d by R of their QR decomposition, by Householder
// reflections, which work for any rank. O(d·columns²).
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
