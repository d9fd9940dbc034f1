package pair

import (
	"cmp"
	"math"
	"slices"

	"ifmlab/core/kernel"
	"ifmlab/core/order"
)

// Limits of the robust test.
const (
	leastSupport   = 30   // rows that make up a direction of Q
	leastClusters  = 10   // clusters that do
	fewestClusters = 20   // of a test
	blockLengths   = 4    // the length of a block over that within which rows are alike
	notByChance    = 1.0  // standard deviations by which rows are more alike than independent ones
	leastAlike     = .25  // correlation of rows with those before them that makes stretches of them
	leastFree      = 1e-6 // share of a row, or of a cluster, that the fit leaves free
)

// robustTest tests a pair for noise whose size differs between rows, as that of counts and
// prices does, and for rows that depend on each other. The rows are divided into clusters
// c: single rows, groups, or blocks of neighbours. U is an orthonormal basis of all
// features, main effects and named pairs first, Q its last columns, those of the pair, and e
// the residual. The covariance of Qᵀr is estimated by
//
//	B = Σ s_c·s_cᵀ,  s_c = Q_cᵀ(I − U_c·U_cᵀ)⁻¹e_c
//
// For single rows that is HC3, s = q·e/(1 − h) with h the row's leverage (MacKinnon and
// White, "Some heteroskedasticity-consistent covariance matrix estimators with improved
// finite sample properties", 1985). For clusters it is the sum over clusters of Liang and
// Zeger ("Longitudinal data analysis using generalized linear models", 1986), with the same
// correction, CR3 (Cameron and Miller, "A practitioner's guide to cluster-robust inference",
// 2015). ‖Qᵀr‖²/tr B is about F distributed with (tr B)²/tr B² degrees of freedom (Box, "Some
// theorems on quadratic forms applied in the study of analysis of variance problems I",
// 1954) and those of the noise, or the number of clusters less 1 if that is smaller.
//
// HC3 is large for a direction of Q that few rows make up, and would drown the others.
// Directions with 1/Σq⁴ < 30 are left out. The products come in the order of their rows, so
// that these directions are the last ones. In the others, B of single rows is divided by
// what it would be for noise of one size, Σq²/(1 − h) for Σq². Together this keeps the level
// and finds about as much as HC2, which does not keep it.
type robustTest struct {
	basis    *basis    // extended by the pair
	before   []float64 // r
	noiseDF  int
	rank     int         // before the pair
	from     int         // the first column of U that is taken
	inverse  [][]float64 // column a of L⁻¹ from row max(a, from) on
	u, e     []float64   // of the last cluster
	scores   []float64   // s_c
	count    int         // of clusters
	largest  int         // rows of a cluster
	whole    []float64   // B
	along    []float64   // Qᵀr
	fourth   []float64   // Σ(q_cᵀq_c)² for each direction
	plain    []float64   // what B would be for noise of one size
	memories []memory    // of the lengths 1, 2, 4, …
}

// memory compares each row with those before it, of which the k-th counts (1 − 1/(length +
// 1))ᵏ, in the features of the pair and in their residual.
type memory struct {
	before       []float64
	sum, squares [2]float64 // of the products with the rows before
}

// robustTest begins the test of a pair. O(rank³ + n·entries).
func (s *Search) robustTest(c *candidate) *robustTest {
	block := *c.block
	place := make([]int32, block.width)
	for at, j := range order.Of(block.width, func(i, j int) int { return cmp.Compare(c.support[j], c.support[i]) }) {
		place[j] = int32(at)
	}
	block.product = slices.Clone(block.product)
	for i, at := range block.product {
		if at >= 0 {
			block.product[i] = place[at]
		}
	}
	b := s.basis.clone()
	b.extend(&block, &s.scratch)
	b.fit()
	rank, df := b.rank(), b.rank()-s.basis.rank()
	t := &robustTest{
		basis: b, before: s.basis.residual, noiseDF: int(b.rows) - rank, rank: rank - df,
		scores: make([]float64, df), whole: make([]float64, df*df),
		along: make([]float64, rank), fourth: make([]float64, df), plain: make([]float64, df),
	}
	g := make([]float64, block.width) // Pᵀr, and Qᵀr is the end of L⁻¹ times 0 and that
	s.scratch.times(g, t.before)
	for j, at := range b.at[len(b.at)-1] {
		if at >= 0 {
			t.along[at] = g[j]
		}
	}
	forward(b.l, t.along)
	t.along = t.along[t.rank:]
	if float64(len(b.residual))*float64(rank)*float64(rank) > maxWork { // without main effects in the leverage
		t.from = t.rank
	}
	for a := range rank {
		column := make([]float64, rank)
		column[a] = 1
		forward(b.l, column)
		t.inverse = append(t.inverse, column[max(a, t.from):])
	}
	return t
}

// row sets u to row i of U.
func (t *robustTest) row(i int32, u []float64) {
	clear(u)
	var e entries
	for k, block := range t.basis.blocks {
		for j := range block.row(int(i), &e) {
			if a := int(t.basis.at[k][e.index[j]]); a >= 0 {
				kernel.Axpy(e.value[j], t.inverse[a], u[max(a, t.from)-t.from:])
			}
		}
	}
}

// add adds a cluster. With m rows and rank r it costs m·r·(entries + min(m, r)) + df².
func (t *robustTest) add(rows []int32) {
	m, r, df := len(rows), t.basis.rank()-t.from, len(t.scores)
	if len(t.e) < m {
		t.u, t.e = make([]float64, m*r), make([]float64, m)
	}
	u, e := t.u[:m*r], t.e[:m]
	squares := make([]float64, df)
	for i, row := range rows {
		t.row(row, u[i*r:][:r])
		e[i] = t.basis.residual[row]
		for j, q := range u[(i+1)*r-df : (i+1)*r] {
			squares[j] += float64(q * q)
		}
	}
	inflation := 1.0
	clear(t.scores)
	switch {
	case m == 1:
		inflation = 0 // a row that the fit follows tells nothing of the noise
		if free := 1 - kernel.Dot(u, u); free > leastFree {
			inflation = 1 / free
		}
		kernel.Axpy(e[0]*inflation, u[r-df:], t.scores)
	case m <= r:
		for i, v := range freed(m, u, r, 1, e) {
			kernel.Axpy(v, u[(i+1)*r-df:(i+1)*r], t.scores)
		}
	default:
		along := make([]float64, r)
		for i, v := range e {
			kernel.Axpy(v, u[i*r:][:r], along)
		}
		copy(t.scores, freed(r, u, 1, r, along)[r-df:])
	}
	t.count++
	t.largest = max(t.largest, m)
	for j, v := range t.scores {
		t.fourth[j] += float64(squares[j] * squares[j])
		t.plain[j] += squares[j] * inflation
		kernel.Axpy(v, t.scores, t.whole[j*df:][:df])
	}
}

// freed returns the solution x of (I − AAᵀ)x = e. A has size rows, whose numbers are across
// apart, and down is from one row to the next.
func freed(size int, a []float64, down, across int, e []float64) []float64 {
	gram := make([]float64, size*size)
	inner := len(a) / size
	transposed := make([]float64, len(a))
	for i := range size {
		gram[i*size+i] = 1
		for j := range inner {
			transposed[j*size+i] = a[i*down+j*across]
		}
	}
	kernel.Gemm(size, size, inner, -1, a, down, across, transposed, size, 1, gram, size)
	l, free := factor(size, leastFree, func(i, j int) float64 { return gram[i*size+j] }, func(int) float64 { return 1 })
	x, part := make([]float64, size), make([]float64, len(free))
	for i, k := range free {
		part[i] = e[k]
	}
	forward(l, part)
	backward(l, part)
	for i, k := range free {
		x[k] = part[i]
	}
	return x
}

// follow compares the last row with those before it. The residual is the one beside main
// effects: if features differ between stretches of rows, the pair may explain all that
// these have in common.
func (t *robustTest) follow(row int32) {
	df := len(t.scores)
	now := append(slices.Clone(t.u[t.rank-t.from:][:df]), t.before[row])
	if t.memories == nil {
		for length := 1; length <= len(t.before)/blockLengths; length *= 2 {
			t.memories = append(t.memories, memory{before: make([]float64, df+1)})
		}
	}
	for k := range t.memories {
		m := &t.memories[k]
		for part, v := range [2]float64{kernel.Dot(m.before[:df], now[:df]), float64(m.before[df] * now[df])} {
			m.sum[part] += v
			m.squares[part] += float64(v * v)
		}
		length := float64(int(1) << k)
		for j, v := range now {
			m.before[j] = (m.before[j] + v) * length / (length + 1)
		}
	}
}

// reach returns the longest length over which rows are about as alike as over any, in the
// features of the pair and in their residuals; 0 if they are no more alike than by chance.
func (t *robustTest) reach() (rows int) {
	z, most := make([]float64, len(t.memories)), 2*notByChance
	for k, m := range t.memories {
		z[k] = min(m.sum[0]/math.Sqrt(m.squares[0]), m.sum[1]/math.Sqrt(m.squares[1]))
		most = max(most, z[k])
	}
	for k, v := range z {
		if v > most/2 {
			rows = 1 << k
		}
	}
	return rows
}

// logP returns the logarithm of the p value. If no direction is left, it returns 0.
func (t *robustTest) logP() float64 {
	df, least := len(t.scores), float64(leastSupport)
	if t.largest > 1 {
		least = leastClusters
	}
	var sum, trace, whole, plain, kept float64
	for i := range df {
		if t.fourth[i]*least > 1 {
			continue
		}
		kept++
		sum += float64(t.along[i] * t.along[i])
		trace += t.whole[i*df+i]
		plain += t.plain[i]
		for j, v := range t.whole[i*df:][:df] {
			if t.fourth[j]*least <= 1 {
				whole += float64(v * v)
			}
		}
	}
	if !(trace > 0) {
		return 0
	}
	return logTail(sum/trace*plain/kept, trace*trace/whole, float64(min(t.noiseDF, t.count-1)))
}

// clusters returns the rows that belong together: those of a group or, without groups, so
// many that follow each other. O(rows·log² rows).
func (s *Search) clusters(length int) (all [][]int32) {
	group, key := s.rows.Group, s.rows.Place
	if group != nil {
		key = group
	} else if key == nil {
		key = make([]int32, s.result.Rows)
	}
	turn := make([]int32, len(key))
	for k, i := range order.Of(len(key), func(i, j int) int { return cmp.Compare(key[i], key[j]) }) {
		turn[k] = int32(i)
	}
	start := 0
	for i := range turn {
		if group == nil && i-start == length || group != nil && group[turn[i]] != group[turn[start]] {
			all = append(all, turn[start:i])
			start = i
		}
	}
	return append(all, turn[start:])
}
