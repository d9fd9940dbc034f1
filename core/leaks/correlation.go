package leaks

import (
	"math"

	"ifmlab/core/kernel"
	"ifmlab/core/moment"
	"ifmlab/core/table"
)

// fewestPairs is the smallest number of rows for a correlation.
const fewestPairs = 10

// sampleColumn is a column of numbers in the rows of the sample.
type sampleColumn struct {
	name string
	x, z []float64 // numbers, NaN if missing; standardized, nil for a constant column
	far  int       // the row where |z| is largest
}

func (l *sampleColumn) standardize() {
	var m moment.Accumulator
	m.AddAll(table.DropNaN(l.x, make([]float64, len(l.x))))
	if m.Count() < fewestPairs || !(m.SD() > 0) || math.IsInf(m.SD(), 0) {
		return
	}
	l.z = make([]float64, len(l.x))
	most := 0.0
	for i, v := range l.x {
		l.z[i] = (v - m.Mean()) / m.SD()
		if a := math.Abs(l.z[i]); a > most {
			l.far, most = i, a
		}
	}
}

// copies reports whether two columns miss the same cells and have a correlation r with
// |r| > 1 − copyDistance. 1 − |r| is half the mean of (z ∓ z′)², so that no row of copies
// differs by more than √(2n·copyDistance). The first row that does ends the comparison.
// O(rows) for copies.
func (l sampleColumn) copies(other sampleColumn) bool {
	sign := 1.0
	if l.z[l.far]*other.z[l.far] < 0 {
		sign = -1
	}
	most, n, sum := 2*copyDistance*float64(len(l.z)), 0, 0.0
	for i := range l.z {
		i = (l.far + i) % len(l.z)
		d := l.z[i] - sign*other.z[i]
		switch {
		case l.x[i] != l.x[i] && other.x[i] != other.x[i]:
			continue
		case !(float64(d*d) <= most):
			return false
		}
		sum += float64(d * d)
		n++
	}
	return sum < 2*copyDistance*float64(n)
}

// correlation returns the correlation over the rows that have both numbers. It is NaN for
// fewer than fewestPairs rows, and if a column is constant there. O(rows).
func correlation(a, b []float64) float64 {
	n, meanA, meanB := 0.0, 0.0, 0.0
	for i, v := range a {
		if w := b[i]; v == v && w == w {
			n++
			meanA += (v - meanA) / n
			meanB += (w - meanB) / n
		}
	}
	if n < fewestPairs {
		return math.NaN()
	}
	aa, ab, bb := 0.0, 0.0, 0.0
	for i, v := range a {
		if w := b[i]; v == v && w == w {
			v, w = v-meanA, w-meanB
			aa += float64(v * v)
			ab += float64(v * w)
			bb += float64(w * w)
		}
	}
	return ab / math.Sqrt(aa) / math.Sqrt(bb)
}

// parts fits y by all columns with least squares. If less than partsShare of y's standard
// deviation is left, it returns the two columns with the largest standardized weights,
// else nil. It leaves out columns that miss more than a tenth of their cells, then rows
// that miss any, and needs more than three rows a column. O(rows·columns²).
func parts(columns []sampleColumn, y []float64) []string {
	var used []sampleColumn
	for _, c := range columns {
		if missing := missingIn(c.x); 10*missing <= len(y) {
			used = append(used, c)
		}
	}
	var rows []int
	for i := range y {
		known := true
		for _, c := range used {
			known = known && c.x[i] == c.x[i]
		}
		if known {
			rows = append(rows, i)
		}
	}
	if len(used) < 2 || len(rows) <= 3*len(used) || len(rows) < fewestPairs {
		return nil
	}
	z := make([][]float64, len(used))
	for j, c := range used {
		z[j], _ = unitLength(c.x, rows)
	}
	target, _ := unitLength(y, rows)
	if kernel.Dot(target, target) == 0 {
		return nil
	}
	w := leastSquares(z, target)
	for j := range z {
		kernel.Axpy(-w[j], z[j], target)
	}
	if left := kernel.Dot(target, target); !(left < partsShare*partsShare) { // its squares added up to 1
		return nil
	}
	first, second := 0, 1
	for j := range w {
		switch {
		case math.Abs(w[j]) > math.Abs(w[first]):
			first, second = j, first
		case j != first && (second == first || math.Abs(w[j]) > math.Abs(w[second])):
			second = j
		}
	}
	return []string{used[first].name, used[second].name}
}

func missingIn(x []float64) (n int) {
	for _, v := range x {
		if v != v {
			n++
		}
	}
	return n
}

// unitLength returns the rows of x, centred and scaled to a sum of squares of 1, and their length
// before; all 0 for a constant column.
func unitLength(x []float64, rows []int) ([]float64, float64) {
	z := make([]float64, len(rows))
	mean := 0.0
	for i, row := range rows {
		mean += (x[row] - mean) / float64(i+1)
	}
	sum := 0.0
	for i, row := range rows {
		z[i] = x[row] - mean
		sum += float64(z[i] * z[i])
	}
	norm := math.Sqrt(sum)
	for i := range z {
		if z[i] /= norm; norm == 0 || norm <= 1e-14*math.Abs(mean)*math.Sqrt(float64(len(rows))) {
			z[i] = 0
		}
	}
	return z, norm
}

// leastSquares returns w that minimizes ‖y − Σ w_j·z_j‖ for columns of length 1. It uses a
// Cholesky factorization and gives the weight 0 to columns of which less than 1e-10 is
// independent of those before. O(rows·columns² + columns³).
func leastSquares(z [][]float64, y []float64) []float64 {
	d := len(z)
	l, b := make([]float64, d*d), make([]float64, d)
	for i := range d {
		b[i] = kernel.Dot(z[i], y)
		for j := range i + 1 {
			g := kernel.Dot(z[i], z[j])
			for k := range j {
				g -= float64(l[i*d+k] * l[j*d+k])
			}
			switch pivot := l[j*d+j]; {
			case i == j && g > 1e-10:
				l[i*d+i] = math.Sqrt(g)
			case i != j && pivot > 0:
				l[i*d+j] = g / pivot
			}
		}
		for k := range i {
			b[i] -= float64(l[i*d+k] * b[k])
		}
		if b[i] /= l[i*d+i]; l[i*d+i] == 0 {
			b[i] = 0
		}
	}
	for i := d - 1; i >= 0; i-- {
		for k := i + 1; k < d; k++ {
			b[i] -= float64(l[k*d+i] * b[k])
		}
		if b[i] /= l[i*d+i]; l[i*d+i] == 0 {
			b[i] = 0
		}
	}
	return b
}
