package trial

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/eigen"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/moment"
	"ifmlab/core/triangular"
)

// Theory is what the analysis of Algorithm 1 has to say about a trial of drawn
// rows.
type Theory struct {
	// Floor is what an iteration of iFM's Algorithm 1 multiplies its error by in
	// the long run, however many rows there are:
	//
	//	λmax(2·diag(P) − P∘P)        P the projector on the range of L*
	//
	// where M* is L* without its diagonal. The paper's rate would go to 0. The
	// matrix takes the error that the step leaves in the diagonal of L to that of
	// the next. Eigenvalues of 1 are left out: their error is a diagonal matrix
	// in the tangent space of L*, which the step never sees and M* does not have.
	// They come with ranks near d; where there are no others the floor is 0.
	Floor float64
	SD    float64 // standard deviation of the true targets without noise
	// SecondOrder is the same of their part that is not linear: the test RMSE
	// that no linear model can get below.
	SecondOrder float64
	Tau         []float64 // of every column, over training rows; NaN once they are let go of
}

// Theory returns what is known about drawn rows; ok is false for a table. The first call
// costs O(n·d + d³).
func (t *Trial) Theory() (theory Theory, ok bool) {
	if t.Truth == nil {
		return Theory{}, false
	}
	if t.theory == nil {
		t.theory = &Theory{Floor: floor(t.Truth), SD: t.SD, SecondOrder: t.SecondOrder, Tau: t.tau()}
	}
	return *t.theory, true
}

// floor returns the largest eigenvalue below 1 of 2·diag(P) − P∘P for the range of
// a model's factors, 0 if there is none. O(d³).
func floor(m *fm.Model) float64 {
	d := m.D
	p := projector(m)
	for i := range p {
		p[i] *= -p[i]
	}
	for j := range d {
		p[j*d+j] += 2 * math.Sqrt(-p[j*d+j])
	}
	e := eigen.New(d)
	e.ValuesOf(p, d)
	largest := 0.0
	for _, v := range e.Values {
		if v < 1-1e-9 { // rounding of d·1e-16, and more of a range that is nearly dependent
			largest = max(largest, v)
		}
	}
	return largest
}

// projector returns the d×d orthogonal projector on the range of [U V]: BBᵀ for
// an orthonormal basis B, by Gram–Schmidt with every projection done twice. A
// column that is within 1e-10 of the ones before adds nothing.
func projector(m *fm.Model) []float64 {
	d, k := m.D, m.Rank
	var basis []float64
	for f := range 2 * k {
		c, from := make([]float64, d), m.U
		if f >= k {
			from = m.Right()
		}
		for j := range d {
			c[j] = from[j*k+f%k]
		}
		size := math.Sqrt(kernel.Dot(c, c))
		triangular.Project(c, basis)
		left := triangular.Project(c, basis)
		if !(left > 1e-10*size) || len(basis) == d*d {
			continue
		}
		for j := range c {
			c[j] /= left
		}
		basis = append(basis, c...)
	}
	p := make([]float64, d*d)
	for ; len(basis) > 0; basis = basis[d:] {
		for i, v := range basis[:d] {
			kernel.Axpy(v, basis[:d], p[i*d:][:d])
		}
	}
	return p
}

// tau returns the moment invertibility of every column of the training rows, NaN
// where they are let go of. O(n·d).
func (t *Trial) tau() []float64 {
	tau := make([]float64, len(t.Encoding.Features))
	columns := make([]moment.Accumulator, len(tau))
	if z, ok := t.Train.Z.(*design.Dense); ok {
		n, _ := z.Dims()
		column := make([]float64, 0, design.BlockRows)
		for lo := 0; lo < n; lo += design.BlockRows {
			for j := range columns {
				column = column[:0]
				for i := lo; i < min(lo+design.BlockRows, n); i++ {
					column = append(column, z.Row(i)[j])
				}
				columns[j].AddAll(column)
			}
		}
	}
	for j := range tau {
		tau[j] = columns[j].Tau()
	}
	return tau
}
