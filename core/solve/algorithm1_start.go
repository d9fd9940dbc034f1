package solve

import (
	"math"
	"strconv"

	"ifmlab/core/design"
	"ifmlab/core/eigen"
	"ifmlab/core/fm"
	"ifmlab/core/invalid"
	"ifmlab/core/kernel"
	"ifmlab/core/message"
	"ifmlab/core/moment"
	"ifmlab/core/order"
)

// algorithm1Columns has the statistics of the first rows for Algorithm 1.
type algorithm1Columns struct {
	n, d    int
	moments []moment.Accumulator // d
	gram    []float64            // d×d, lower triangle: ZᵀZ/n
	h       []float64            // d×d, lower triangle: Zᵀdiag(y)Z/(2n)
}

// describeColumns reads all rows of Z once. O(n·d²).
func describeColumns(z design.Design, y []float64) *algorithm1Columns {
	const stripe = 64 // columns at a time, so that half of the products are left out
	n, d := z.Dims()
	c := &algorithm1Columns{n: n, d: d, moments: make([]moment.Accumulator, d), gram: make([]float64, d*d), h: make([]float64, d*d)}
	block := make([]float64, 2*min(n, design.BlockRows)*d)
	column := make([]float64, min(n, design.BlockRows))
	write := denseRows(z)
	z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		m := hi - lo
		rows, scaled := block[:m*d], block[m*d:2*m*d]
		write(rows, lo, hi, b)
		for j := range d {
			for i := range m {
				column[i] = rows[i*d+j]
			}
			c.moments[j].AddAll(column[:m])
		}
		kernel.RowScale(scaled, y[lo:hi], rows, d)
		for j := 0; j < d; j += stripe {
			right := min(stripe, d-j)
			kernel.Gemm(d-j, right, m, 1/float64(n), rows[j:], 1, d, rows[j:], d, 1, c.gram[j*d+j:], d)
			kernel.Gemm(d-j, right, m, .5/float64(n), rows[j:], 1, d, scaled[j:], d, 1, c.h[j*d+j:], d)
		}
	})
	return c
}

// finite reports whether every sum over rows is finite.
func (c *algorithm1Columns) finite() bool {
	for i := range c.d {
		for j := range i + 1 {
			if v := c.gram[i*c.d+j] + c.h[i*c.d+j]; math.IsNaN(v) || math.IsInf(v, 0) {
				return false
			}
		}
	}
	return true
}

// The largest mean of n rows of mean 0 and variance 1: five standard errors, which one
// Gaussian mean in two million exceeds, and .05, which a step that contracts by a tenth or
// more bears.
const (
	algorithm1StandardErrors = 5
	algorithm1Slack          = .05
)

// check returns an *UnstandardizedError for the first column that is constant, or whose mean
// or mean square is not that of rows of mean 0 and variance 1. Else it returns a
// *DependentColumnsError for the most correlated columns, if independent ones would not be
// as correlated. The standard error of a mean square is √((φ − 1)/n), that of a correlation
// 1/√n. If large values are rare, a correlation is not nearly Gaussian: one row with large
// values in both columns moves it by max|zᵢ|·max|zⱼ|/n for standardized columns z. Two such
// rows are allowed.
func (c *algorithm1Columns) check() error {
	far := algorithm1StandardErrors / math.Sqrt(float64(c.n))
	reach := make([]float64, c.d) // max|z|
	for j := range c.moments {
		m, square := &c.moments[j], c.gram[j*c.d+j]
		spread := math.Sqrt(max(m.Phi()-1, 0))
		constant := m.Min() == m.Max()
		if constant || math.Abs(m.Mean()) > algorithm1Slack+far || !(math.Abs(square-1) <= algorithm1Slack+float64(spread*far)) {
			return &UnstandardizedError{Column: j, Mean: m.Mean(), Square: square, Constant: constant}
		}
		reach[j] = max(m.Max()-m.Mean(), m.Mean()-m.Min()) / m.SD()
	}
	var worst DependentColumnsError
	for i := range c.d {
		for j := range i {
			a, b := &c.moments[i], &c.moments[j]
			r := (c.gram[i*c.d+j] - float64(a.Mean()*b.Mean())) / (a.SD() * b.SD())
			rare := float64(2*reach[i]*reach[j]) / float64(c.n)
			if math.Abs(r) > max(algorithm1Slack+far+rare, math.Abs(worst.Correlation)) {
				worst = DependentColumnsError{First: j, Second: i, Correlation: r}
			}
		}
	}
	if worst.Second > 0 {
		return &worst
	}
	return nil
}

// UnstandardizedError says that a column does not have the mean 0 and mean square 1 that
// Algorithm 1 needs.
type UnstandardizedError struct {
	Column       int    // from 0
	Name         string // of the column; "" where only its number is known
	Mean, Square float64
	Constant     bool // it takes one value only
}

func (e *UnstandardizedError) Error() string {
	if e.Constant {
		return message.Sprintf("solve: column %s is constant, %.3g in all rows; Algorithm 1 needs columns that vary, so drop it or ask for more rows", nameOf(e.Name, e.Column), e.Mean)
	}
	return message.Sprintf("solve: column %s has mean %.3g and mean square %.3g; Algorithm 1 needs independent columns of mean 0 and mean square 1, so standardize them or use the solver gauss-newton", nameOf(e.Name, e.Column), e.Mean, e.Square)
}

func (*UnstandardizedError) Kind() string { return "UnstandardizedError" }

// DependentColumnsError says that two columns are correlated. Algorithm 1 needs independent
// ones.
type DependentColumnsError struct {
	First, Second int       // from 0
	Names         [2]string // of the two; "" where only their numbers are known
	Correlation   float64
}

func (e *DependentColumnsError) Error() string {
	return message.Sprintf("solve: columns %s and %s have correlation %.2g; Algorithm 1 needs independent columns, so use the solver gauss-newton", nameOf(e.Names[0], e.First), nameOf(e.Names[1], e.Second), e.Correlation)
}

func (*DependentColumnsError) Kind() string { return "DependentColumnsError" }

func nameOf(name string, column int) string {
	if name != "" {
		return name
	}
	return strconv.Itoa(column)
}

// algorithm1Eigenvectors sets u, d×k with k ≤ d, to the eigenvectors of a
// symmetric matrix with the largest |eigenvalues|, in falling order. Of a, d×d
// and finite, it reads the lower triangle and overwrites all. O(d³).
func algorithm1Eigenvectors(u, a []float64, d, k int) {
	if k == 0 {
		return
	}
	size := 0.0
	for i := range d {
		for j := range i + 1 {
			size = max(size, math.Abs(a[i*d+j]))
		}
	}
	if size == 0 {
		size = 1
	}
	for i := range d {
		for j := range i + 1 {
			a[i*d+j] /= size // so that squares neither overflow nor vanish
			a[j*d+i] = a[i*d+j]
		}
	}
	e := eigen.New(d)
	e.Of(a, d)
	places := order.Of(d, func(i, j int) int {
		switch x, y := math.Abs(e.Values[i]), math.Abs(e.Values[j]); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	for f, from := range places[:k] {
		for i := range d {
			u[i*k+f] = e.Vectors[from*d+i]
		}
	}
}

// eliminate returns the weights of 𝓜 and 𝓦.
func (a *Algorithm1) eliminate(columns *algorithm1Columns) (algorithm1Weights, error) {
	weights := algorithm1Weights{kind: a.model.Kind, printed: a.Printed, centred: a.Centred && !a.Printed && a.model.Kind == fm.GFM}
	if weights.kind == fm.IFM {
		return weights, nil
	}
	kappa, phi, floor := a.Kappa, a.Phi, moment.TauFloor
	if kappa == nil && phi == nil {
		if !a.Unguarded {
			floor = moment.EstimatedTauFloor(columns.n)
		}
		for j := range columns.moments {
			kappa = append(kappa, columns.moments[j].Kappa())
			phi = append(phi, columns.moments[j].Phi())
		}
	}
	if len(kappa) != a.model.D || len(phi) != a.model.D {
		return weights, invalid.Shape("moment", "there are %d κ and %d φ for %d columns, expected one of each for every column", len(kappa), len(phi), a.model.D)
	}
	var err error
	if a.Pseudo {
		weights.g, weights.h, err = moment.PseudoEliminationWeights(kappa, phi, moment.PseudoCut)
	} else {
		weights.g, weights.h, err = moment.EliminationWeights(kappa, phi, floor)
	}
	return weights, err
}

// firstFactors sets Ū to the top eigenvectors of 𝓜(y). The columns' h has the lower triangle
// of H(y), and is overwritten.
func (a *Algorithm1) firstFactors(columns *algorithm1Columns) {
	d := a.model.D
	a.z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		b.Adjoint(a.p1, a.y[lo:hi], 1)
		b.SquaresAdjoint(a.p2, a.y[lo:hi])
	})
	sum := kernel.Sum(a.y)
	a.weights.set(a.c, a.omega, sum, a.p1, a.p2, a.n)
	if mean := a.weights.mean(sum, a.n); mean != 0 {
		kernel.Axpy(-mean/2, columns.gram, columns.h)
	}
	for j, c := range a.c {
		columns.h[j*d+j] -= c
	}
	algorithm1Eigenvectors(a.u, columns.h, d, a.k)
}

// algorithm1Weights are the weights of the moments of a residual in 𝓜 and 𝓦.
type algorithm1Weights struct {
	kind    fm.Kind
	printed bool      // ½P0 stays in the diagonal
	centred bool      // H is that of r − P0, which has no ½P0 in its diagonal
	g, h    []float64 // d×2; nil for iFM
}

// set sets c and omega, d each, so that 𝓜 = H(r) − diag(c) and 𝓦 = omega, from
// the sums Σr, Zᵀr and (Z²)ᵀr over n rows.
//
//	gFM   c = ½(P0 + G₁∘P1 + G₂∘P2)      omega = H₁∘P1 + H₂∘P2
//	iFM   c = (Z²)ᵀr/(2n)                omega = P1
//
// As printed, and for 𝓜 = H(r − P0) − diag(c), c has no P0.
func (w algorithm1Weights) set(c, omega []float64, sum float64, linear, squares []float64, n int) {
	p0 := sum / float64(n)
	for j := range c {
		p1, square := linear[j]/float64(n), squares[j]/float64(n)
		if w.kind == fm.IFM {
			c[j], omega[j] = square/2, p1
			continue
		}
		p2 := square - p0
		c[j] = (float64(w.g[2*j]*p1) + float64(w.g[2*j+1]*p2)) / 2
		if !w.printed && !w.centred {
			c[j] += p0 / 2
		}
		omega[j] = float64(w.h[2*j]*p1) + float64(w.h[2*j+1]*p2)
	}
}

// mean returns the number that is subtracted from a residual of this sum before H.
func (w algorithm1Weights) mean(sum float64, n int) float64 {
	if w.centred {
		return sum / float64(n)
	}
	return 0
}
