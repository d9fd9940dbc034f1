package trial

import (
	"ifmlab/core/design"
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

// HasLevels reports whether the coefficients of some levels are centred. It looks for
// levels once, O(nnz). Drawn rows have none.
func (t *Trial) HasLevels() bool {
	if !t.looked && t.Truth == nil {
		t.levels = levelsOf(t.Dataset)
	}
	t.looked = true
	return len(t.levels) > 0
}

// levelsOf returns those of the training rows. O(nnz).
func levelsOf(set *design.Dataset) (all []levels) {
	features := set.Encoding.Features
	var shares []float64
	for lo := 0; lo < len(features); {
		hi, ones := lo, true
		for ; hi < len(features) && features[hi].Column == features[lo].Column; hi++ {
			kind := features[hi].Kind
			ones = ones && kind != design.FeatureValue && kind != design.FeatureKnot && kind != design.FeatureEntry
		}
		if ones && hi-lo > 1 {
			if shares == nil {
				shares = means(set.Train.Z, set.Train.Weight)
			}
			all = append(all, levels{lo, shares[lo:hi]})
		}
		lo = hi
	}
	return all
}

// means returns those of the columns of a design, in which each row counts its weight;
// nil for 1 each. O(nnz).
func means(z design.Design, weight []float64) []float64 {
	n, d := z.Dims()
	sums, ones := make([]float64, d), make([]float64, design.BlockRows)
	for i := range ones {
		ones[i] = 1
	}
	counts := float64(n)
	if weight != nil {
		counts = kernel.Sum(weight)
	}
	z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		if weight != nil {
			b.Adjoint(sums, weight[lo:hi], 1)
			return
		}
		b.Adjoint(sums, ones[:hi-lo], 1)
	})
	for j := range sums {
		sums[j] /= counts
	}
	return sums
}

// centre makes the weighted means of the weights and of the factors of each
// column's levels 0, which moves no prediction for a row that has one of them: with
// shares p of column c and m = Σ pₗwₗ, ūc = Σ pₗuₗ, v̄c = Σ pₗvₗ,
//
//	uₗ ← uₗ − ūc    vₗ ← vₗ − v̄c    of its levels l, then
//	wⱼ ← wⱼ + (Σ ū)·vⱼ + (Σ v̄)·uⱼ  of all features j, where sums leave out j's own column
//	b ← b + Σ ūc·v̄e                of all columns c ≠ e
//	wₗ ← wₗ − m    b ← b + m
//
// A row without any of the levels, as of a blank cell that training rows do not
// have, is then predicted as at the mean level, where it would be what rounding and
// the penalty have left between the levels and b. gFM keeps its diagonal, so that its
// sums leave out no column. O(d·k).
func centre(m *fm.Model, all []levels) {
	if m.Rank > 0 {
		centreFactors(m, all)
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

// Centred returns a copy of m with its levels centred, in old where that has the same
// kind and shape: a copy for each record of a run would be most of what it allocates.
func (t *Trial) Centred(m, old *fm.Model) *fm.Model {
	if old == nil || old.Kind != m.Kind || old.D != m.D || old.Rank != m.Rank {
		old = fm.NewClasses(m.Kind, m.D, m.Rank, len(m.Scores()))
	}
	old.Set(m)
	if t.HasLevels() {
		for _, of := range old.Scores() {
			centre(of, t.levels)
		}
	}
	return old
}

// CentredFit returns a copy of a linear model with its levels centred.
func (t *Trial) CentredFit(fit linear.Fit) linear.Fit {
	if fit.Classes != nil {
		var centred linear.Fit
		for _, of := range fit.Classes {
			centred.Classes = append(centred.Classes, t.CentredFit(of))
		}
		return centred
	}
	m := fm.New(fm.FM, len(fit.W), 0)
	Start(m, fit)
	if t.HasLevels() {
		centre(m, t.levels)
	}
	return linear.Fit{W: m.W, B: m.B}
}

// Start sets the linear part of a model.
func Start(m *fm.Model, fit linear.Fit) {
	for c, of := range fit.Classes {
		Start(m.Classes[c], of)
	}
	copy(m.W, fit.W)
	m.B = fit.B
}

func centreFactors(m *fm.Model, all []levels) {
	k, right := m.Rank, m.Right()
	means := func(factors []float64) (each, sum []float64) {
		each, sum = make([]float64, len(all)*k), make([]float64, k)
		for c, l := range all {
			mean, own := each[c*k:][:k], factors[l.lo*k:]
			for e, p := range l.shares {
				kernel.Axpy(p, own[e*k:][:k], mean)
			}
			for e := range l.shares {
				kernel.Axpy(-1, mean, own[e*k:][:k])
			}
			kernel.Axpy(1, mean, sum)
		}
		return each, sum
	}
	us, u := means(m.U)
	vs, v := us, u
	if m.Kind != fm.FM {
		vs, v = means(m.V)
	}
	move := func(lo, hi int, u, v []float64) {
		for j := lo; j < hi; j++ {
			m.W[j] += kernel.Dot(u, right[j*k:][:k]) + kernel.Dot(v, m.U[j*k:][:k])
		}
	}
	at, othersU, othersV := 0, make([]float64, k), make([]float64, k)
	for c, l := range all {
		hi := l.lo + len(l.shares)
		copy(othersU, u)
		copy(othersV, v)
		if m.Kind != fm.GFM {
			kernel.Axpy(-1, us[c*k:][:k], othersU)
			kernel.Axpy(-1, vs[c*k:][:k], othersV)
		}
		move(at, l.lo, u, v)
		move(l.lo, hi, othersU, othersV)
		m.B += kernel.Dot(othersU, vs[c*k:][:k])
		at = hi
	}
	move(at, m.D, u, v)
}
