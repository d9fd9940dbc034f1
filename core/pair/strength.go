package pair

import "ifmlab/core/kernel"

// Strengths measures the interactions of models over one design: how much of what a
// model says of two columns of the table is no main effect of either.
type Strengths struct {
	n, d    int
	groups  []group
	gram    []float64 // (d+1)²: moments of [1 Z]
	factors []leastSquares
	kept    int // bytes of them
}

// Group is the features lo ≤ j < hi that one column of the table became.
type Group struct{ Lo, Hi int }

// group is the features of one column with what is not 0 of them: of row i
// index[start[i]:start[i+1]] and the values beside.
type group struct {
	Group
	start, index []int32 // an index counts from Lo
	value        []float64
}

// leastSquares is the factor of [1 Zp Zq], and which of its columns count.
type leastSquares struct {
	l    [][]float64
	kept []int
}

// Rows is a design that can write out a row of its n×d numbers, as [data.Dense] and
// [data.Mixed] can.
type Rows interface {
	Dims() (n, d int)
	Row(i int) []float64
}

// NewStrengths prepares to measure models over the features of Z, n×d, which columns
// of the table became as groups say, all of them and in order. O(n·d + n·entries²),
// and 8·d² bytes.
func NewStrengths(z Rows, groups []Group) *Strengths {
	n, d := z.Dims()
	s := &Strengths{n: n, d: d, gram: make([]float64, (d+1)*(d+1)), factors: make([]leastSquares, len(groups)*len(groups))}
	for _, g := range groups {
		s.groups = append(s.groups, group{Group: g, start: make([]int32, 1, n+1)})
	}
	var at []int
	for i := range n {
		row := z.Row(i)
		at = at[:0]
		for k := range s.groups {
			g := &s.groups[k]
			for j, v := range row[g.Lo:g.Hi] {
				if v != 0 {
					g.index, g.value = append(g.index, int32(j)), append(g.value, v)
					at = append(at, g.Lo+j)
				}
			}
			g.start = append(g.start, int32(len(g.index)))
		}
		s.gram[0]++
		for _, j := range at {
			to := s.gram[(j+1)*(d+1):][:d+1]
			to[0] += row[j]
			for _, k := range at {
				to[k+1] += float64(row[j] * row[k])
			}
		}
	}
	for j := range d {
		s.gram[j+1] = s.gram[(j+1)*(d+1)]
	}
	return s
}

// Of returns, for a model with the interactions M, d×d and row-major, and a pair of
// columns the variance over the rows of
//
//	g_pq(z) = z_pᵀ(M + Mᵀ)_pq z_q
//
// less its least-squares fit on [1, z_p, z_q], in units of the targets squared; 0 of
// a column with itself. Divided by the targets' variance it is a share. It does not
// depend on how levels are coded, nor on centring or scaling, nor on which of the
// two comes first but for rounding. O(n·entries²), and once for every pair the cube
// of its features.
func (s *Strengths) Of(m []float64, p, q int) float64 {
	if p == q {
		return 0
	}
	a, b := &s.groups[p], &s.groups[q]
	fit := s.leastSquares(p, q)
	together := make([]float64, s.n)
	for i := range together {
		for k := a.start[i]; k < a.start[i+1]; k++ {
			j := a.Lo + int(a.index[k])
			sum := 0.0
			for h := b.start[i]; h < b.start[i+1]; h++ {
				o := b.Lo + int(b.index[h])
				sum += float64((m[j*s.d+o] + m[o*s.d+j]) * b.value[h])
			}
			together[i] += float64(sum * a.value[k])
		}
	}
	whole := kernel.Dot(together, together)
	s.take(together, fit, a, b)
	s.take(together, fit, a, b) // mends the rounding of the first
	if left := kernel.Dot(together, together); left > 1e-12*whole {
		return left / float64(s.n)
	}
	return 0 // rounding
}

// take takes from x its fit on [1 Zp Zq]. O(n·entries + features²).
func (s *Strengths) take(x []float64, fit *leastSquares, a, b *group) {
	width := a.Hi - a.Lo
	sums := make([]float64, 1+width+b.Hi-b.Lo)
	each := func(f func(i, at int, v float64)) {
		for i := range x {
			f(i, 0, 1)
			for k := a.start[i]; k < a.start[i+1]; k++ {
				f(i, 1+int(a.index[k]), a.value[k])
			}
			for k := b.start[i]; k < b.start[i+1]; k++ {
				f(i, 1+width+int(b.index[k]), b.value[k])
			}
		}
	}
	each(func(i, at int, v float64) { sums[at] += float64(v * x[i]) })
	weights := make([]float64, len(fit.kept))
	for i, k := range fit.kept {
		weights[i] = sums[k]
	}
	forward(fit.l, weights)
	backward(fit.l, weights)
	clear(sums)
	for i, k := range fit.kept {
		sums[k] = weights[i]
	}
	each(func(i, at int, v float64) { x[i] -= float64(v * sums[at]) })
}

// leastSquares returns the factor of a pair, which it keeps while there is room.
func (s *Strengths) leastSquares(p, q int) *leastSquares {
	kept := &s.factors[p*len(s.groups)+q]
	if kept.l != nil {
		return kept
	}
	a, b := s.groups[p].Group, s.groups[q].Group
	width := a.Hi - a.Lo
	size := 1 + width + b.Hi - b.Lo
	column := func(i int) int {
		switch {
		case i == 0:
			return 0
		case i <= width:
			return a.Lo + i
		}
		return b.Lo + i - width
	}
	moments := func(i, j int) float64 { return s.gram[column(i)*(s.d+1)+column(j)] }
	fit := &leastSquares{}
	fit.l, fit.kept = factor(size, aliasOfMain, moments, func(j int) float64 { return moments(j, j) })
	if bytes := 4 * size * size; s.kept+bytes <= mostKept {
		s.kept += bytes
		*kept = *fit
	}
	return fit
}
