package saved

import (
	"cmp"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
	"ifmlab/core/order"
)

// Surface is what two columns add together beyond what each adds, by their cells, in units of
// [Model.Quantity]: the term that [Model.Explain] gives for such cells. Effect and Near have the
// cells of the second column in turn for each of the first.
type Surface struct {
	Rows, Columns []Cell // of the first and of the second column
	Effect        []float64
	// Near is the number of rows near both cells; nil if no rows are given. A row counts for the
	// two numbers beside its own, in shares that add up to 1, and for no number if its cell is
	// missing.
	Near []float64
}

// mostCells is how many cells of a column of levels a surface has: the commonest.
const mostCells = 8

// Surface returns that of two columns, p < q, counted as [design.Encoding.Columns] does. A number
// has its knots, or five cells from the least to the greatest of the training rows. It is empty if
// one of the columns stands for many features. O(features·rank + rows·features).
func (m *Model) Surface(p, q int, rows design.Design) (s Surface) {
	c, groups := m.centred(), m.Encoding.Groups()
	var first, second []int
	s.Rows, first = m.grid(c, groups[p])
	s.Columns, second = m.grid(c, groups[q])
	average := 0.0
	if c.pairs != nil {
		average = c.pairs[p*(2*len(groups)-p-1)/2+q-p-1]
	}
	others := m.sums(c, groups[q], s.Columns)
	for _, own := range m.sums(c, groups[p], s.Rows) {
		for _, other := range others {
			s.Effect = append(s.Effect, m.Encoding.Target.Scale*(own.with(other)-average))
		}
	}
	if rows == nil {
		return s
	}
	s.Near = make([]float64, len(s.Effect))
	m.each(rows, func(_ int, z []float64) {
		others := m.near(z, groups[q], s.Columns, second)
		for i, share := range m.near(z, groups[p], s.Rows, first) {
			kernel.Axpy(share, others, s.Near[i*len(others):])
		}
	})
	return s
}

// each calls f for the features of every row, which it may not keep.
func (m *Model) each(rows design.Design, f func(i int, z []float64)) {
	z, one := make([]float64, m.Model.D), []float64{1}
	rows.Each(1, func(i, _ int, b design.Block) {
		clear(z)
		b.Adjoint(z, one, 1)
		f(i, z)
	})
}

// Terms returns, for every step-th row, what each two of some columns add together: the terms of
// [Model.Explain] before their averages are taken off. O(rows·features·rank).
func (m *Model) Terms(rows design.Design, step int, columns ...int) func(p, q int) []float64 {
	c, groups := m.centred(), m.Encoding.Groups()
	var all [][]*sums
	m.each(rows, func(i int, z []float64) {
		if i%step > 0 {
			return
		}
		own := make([]*sums, len(groups))
		for _, p := range columns {
			own[p] = c.effect(groups[p], z[groups[p].Lo:groups[p].Hi])
		}
		all = append(all, own)
	})
	return func(p, q int) []float64 {
		terms := make([]float64, len(all))
		for i, own := range all {
			terms[i] = own[p].with(own[q])
		}
		return terms
	}
}

// grid returns the cells of a column in a surface, and of each the feature that is 1 there, or −1.
func (m *Model) grid(c *centred, g design.Group) (some []Cell, of []int) {
	features := m.Encoding.Features[g.Lo:g.Hi]
	all, each := cells(features)
	var common []int // levels and missing cells
	for i, cell := range all {
		if cell.Kind != design.FeatureValue {
			common = append(common, i)
		}
	}
	share := func(i int) float64 { return written(c.mean[g.Lo+each[i]], &features[each[i]]) }
	order.Sort(common, func(a, b int) int { return cmp.Compare(share(b), share(a)) })
	common = common[:min(mostCells, len(common))]
	for i, cell := range all {
		if cell.Kind == design.FeatureValue && (each[i] >= 0 || features[0].Kind == design.FeatureValue && i%(steps/4) == 0) || slices.Contains(common, i) {
			some, of = append(some, cell), append(of, each[i])
		}
	}
	return some, of
}

// near returns the share of a row that counts for each cell of a column.
func (m *Model) near(z []float64, g design.Group, cells []Cell, of []int) []float64 {
	shares := make([]float64, len(cells))
	var numbers []float64
	for at, j := range of {
		if j < 0 {
			numbers = append(numbers, cells[at].Number)
		} else {
			shares[at] = written(z[g.Lo+j], &m.Encoding.Features[g.Lo+j])
		}
	}
	if last := len(cells) - 1; last >= 0 && cells[last].Kind == design.FeatureMissing && shares[last] > .5 {
		clear(shares[:last]) // the number that fills the cell is not the row's
	} else if numbers != nil {
		left, t := design.Between(numbers, written(z[g.Lo], &m.Encoding.Features[g.Lo]))
		shares[left], shares[left+1] = 1-t, t
	}
	return shares
}

// written returns a value of a feature before it was scaled.
func written(z float64, f *design.Feature) float64 { return float64(z*f.Scale) + f.Mean }
