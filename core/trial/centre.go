//go:build !figure && !ionosphere

package trial

import (
	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

// mostCentred is the largest number of columns whose pairs are averaged: 19,900 numbers in a
// model file.
const mostCentred = 200

// CentreOf returns the averages that explanations of m need, over the training rows by weight.
// It returns nil for a model with factors of more than mostCentred columns. With the features
// z of a row, its centred features δ, and Up, Vp the factors of column p,
//
//	E δpᵀUpVqᵀδq = Σ over j of column q of vⱼᵀ·Cov(zⱼ, Upᵀzp)
//
// so that each column takes one pass over the rows. O(nnz·columns·rank).
func (t *Trial) CentreOf(m *fm.Model) *fm.Centre {
	z, weight := t.Train.Z, t.Train.Weight
	groups := t.Encoding.Groups()
	if weight == nil {
		weight = make([]float64, len(t.Train.Y))
		for i := range weight {
			weight[i] = 1
		}
	}
	c := &fm.Centre{Means: means(z, weight)}
	switch {
	case m.Rank == 0:
		return c
	case len(groups) > mostCentred:
		return nil
	}
	k, total := m.Rank, kernel.Sum(weight)
	variances := make([]float64, m.D)
	z.Each(design.BlockRows, func(lo, hi int, b design.Block) { b.SquaresAdjoint(variances, weight[lo:hi]) })
	for j, mean := range c.Means {
		variances[j] = variances[j]/total - float64(mean*mean)
	}
	factors, sums := make([]float64, m.D*2*k), make([]float64, m.D*2*k)
	products := make([]float64, design.BlockRows*2*k)
	for _, of := range m.Scores() {
		right := of.Right()
		var columns, pairs []float64
		for p, own := range groups {
			clear(factors)
			clear(sums)
			mean := make([]float64, 2*k) // of Upᵀzp and of Vpᵀzp
			for j := own.Lo; j < own.Hi; j++ {
				row := factors[j*2*k:][:2*k]
				copy(row, of.U[j*k:][:k])
				copy(row[k:], right[j*k:][:k])
				kernel.Axpy(c.Means[j], row, mean)
			}
			z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
				part := products[:(hi-lo)*2*k]
				b.Forward(part, factors, 2*k)
				kernel.RowScale(part, weight[lo:hi], part, 2*k)
				b.Adjoint(sums, part, 2*k)
			})
			// covariance returns that of zⱼ with Upᵀzp or Vpᵀzp, times a factor.
			covariance := func(j, at int, factor []float64) float64 {
				return kernel.Dot(sums[j*2*k+at:][:k], factor)/total - float64(c.Means[j]*kernel.Dot(mean[at:][:k], factor))
			}
			average := 0.0
			for j := own.Lo; j < own.Hi; j++ {
				u, v := of.U[j*k:][:k], right[j*k:][:k]
				average += covariance(j, 0, v)
				if m.Kind != fm.GFM {
					average -= float64(variances[j] * kernel.Dot(u, v))
				}
			}
			columns = append(columns, average)
			for _, other := range groups[p+1:] {
				average := 0.0
				for j := other.Lo; j < other.Hi; j++ {
					average += covariance(j, 0, right[j*k:][:k]) + covariance(j, k, of.U[j*k:][:k])
				}
				pairs = append(pairs, average)
			}
		}
		c.Columns, c.Pairs = append(c.Columns, columns), append(c.Pairs, pairs)
	}
	return c
}
