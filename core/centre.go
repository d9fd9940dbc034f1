package core

import (
	"ifmlab/core/data"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/linear"
)

// levels are the features of a column of levels, with the share of the training
// rows that each has. Every training row has one of them, so that the shares sum to
// 1, and the bias could stand in for all together.
type levels struct {
	lo     int
	shares []float64
}

// levelsOf returns those of the training rows. O(nnz).
func levelsOf(set *data.Dataset) (all []levels) {
	features := set.Encoding.Features
	var shares []float64
	for lo := 0; lo < len(features); {
		hi, ones := lo, true
		for ; hi < len(features) && features[hi].Column == features[lo].Column; hi++ {
			kind := features[hi].Kind
			ones = ones && kind != data.FeatureValue && kind != data.FeatureKnot
		}
		if ones && hi-lo > 1 {
			if shares == nil {
				shares = means(set.Train.Z)
			}
			all = append(all, levels{lo, shares[lo:hi]})
		}
		lo = hi
	}
	return all
}

// means returns those of the columns of a design. O(nnz).
func means(z data.Design) []float64 {
	n, d := z.Dims()
	sums, ones := make([]float64, d), make([]float64, data.BlockRows)
	for i := range ones {
		ones[i] = 1
	}
	z.Each(data.BlockRows, func(lo, hi int, b data.Block) { b.Adjoint(sums, ones[:hi-lo], 1) })
	for j := range sums {
		sums[j] /= float64(n)
	}
	return sums
}

// centre makes the weighted means of the weights and of the factors of each
// column's levels 0, which moves no prediction for a row that has one of them: with
// shares p and m = Σ pₗwₗ, ū = Σ pₗuₗ, v̄ = Σ pₗvₗ,
//
//	uₗ ← uₗ − ū    vₗ ← vₗ − v̄    wⱼ ← wⱼ + ū·vⱼ + v̄·uⱼ  of all other columns' features j
//	wₗ ← wₗ − m    b ← b + m
//
// A row without any of the levels, as of a blank cell that training rows do not
// have, is then predicted as at the mean level, where it would be what rounding and
// the penalty have left between the levels and b. gFM keeps its diagonal, and its
// levels' squares ū·v̄ move to b, too. O(d·k) a column.
func centre(m *fm.Model, all []levels) {
	for _, l := range all {
		centreFactors(m, l)
	}
	for _, l := range all {
		w := m.W[l.lo:][:len(l.shares)]
		mean := kernel.Dot(l.shares, w)
		for j := range w {
			w[j] -= mean
		}
		m.B += mean
	}
}

// centredFit returns a copy of a linear model with its levels centred.
func centredFit(fit linear.Fit, all []levels) linear.Fit {
	m := fm.New(fm.FM, len(fit.W), 0)
	start(m, fit)
	centre(m, all)
	return linear.Fit{W: m.W, B: m.B}
}

func centreFactors(m *fm.Model, l levels) {
	k, hi := m.Rank, l.lo+len(l.shares)
	mean := func(factors []float64) []float64 {
		out := make([]float64, k)
		for e, p := range l.shares {
			kernel.Axpy(p, factors[(l.lo+e)*k:][:k], out)
		}
		return out
	}
	take := func(from []float64, factors []float64) {
		for j := l.lo; j < hi; j++ {
			kernel.Axpy(-1, from, factors[j*k:][:k])
		}
	}
	u := mean(m.U)
	v := u
	if m.Kind != fm.FM {
		v = mean(m.V)
		take(v, m.V)
	}
	take(u, m.U)
	right := m.Right()
	for j := range m.D {
		if own := l.lo <= j && j < hi; !own || m.Kind == fm.GFM {
			m.W[j] += kernel.Dot(u, right[j*k:][:k]) + kernel.Dot(v, m.U[j*k:][:k])
		}
	}
	if m.Kind == fm.GFM {
		m.B += kernel.Dot(u, v)
	}
}
