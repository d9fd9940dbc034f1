package assess

import (
	"cmp"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/measure"
	"ifmlab/core/order"
	"ifmlab/core/saved"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

// permutations is how often the cells of each column are permuted.
const permutations = 5

const (
	mostPairs  = 3   // pairs of columns in the list
	leastRise  = .01 // share of the largest rise, below which a pair is left out
	rankedRows = 200 // approximate number of test rows that rank the pairs
)

// Importance is the rise of the test error if a column's cells are permuted among the test rows.
// For a pair of columns, what it adds beyond both is permuted. The rise is the Lead of the model
// over the same model on permuted rows.
type Importance struct {
	// Column is a column of the file, and the parts of a date are permuted together. For a pair,
	// Column and With are columns of the model, and the parts of a date are columns of their own.
	// For a column by itself, With is "".
	Column, With string
	measure.Lead
	Surfaces []saved.Surface // for a pair, one a score, with the test rows near its cells; else nil
}

// Importance returns the permutation importance of every column of the leading model and of its
// strongest pairs of columns, the most important first (Breiman, "Random Forests", 2001;
// scikit-learn's permutation_importance). All columns have the same permutations, which depend
// on the seed. The permuted error is taken over all permutations together; for numbers it is the
// root mean squared error. In the interval each row counts once, with the mean of its permuted
// losses, so that the interval shows what other test rows would change. A column that the model
// does not use has exactly 0.
//
// For a pair, the term that [saved.Model.Explain] gives it is permuted, and what each column adds
// stays. The candidates are the three pairs whose terms have the largest variance over the test
// rows, by weight. A pair is left out if its rise is less than a hundredth of the largest. There
// are no pairs if the model has no averages, and none with a column that stands for many features.
//
// Columns with the same information share their importance. It measures how much the model
// relies on a column, not how well another model would do without it.
//
// It returns [train.ErrNoModel] before the first record.
// O(permutations·rows·columns·rank + columns²·rank).
func (a *Assessment) Importance() ([]Importance, error) {
	p, err := a.run.Predictions()
	if err != nil {
		return nil, err
	}
	rng, turns := trial.Stream(a.run.Spec().Seed, a.run.Cell().Trial, trial.StreamImportance), make([][]int, permutations)
	for t := range turns {
		turns[t] = rng.Perm(len(p.Actual))
	}
	return a.importance(p, turns), nil
}

// importance returns the importance of every column on these permutations: the row that each
// test row takes its cell from.
func (a *Assessment) importance(p train.Predictions, turns [][]int) []Importance {
	model, encoding := a.run.Calibrated()
	test, target := a.run.Leading().Test, &encoding.Target
	n, scores, classes := len(p.Actual), target.Scores(), len(a.run.ClassNames())
	all := make([]int, model.D)
	for j := range all {
		all[j] = j
	}
	columns := design.Columns(test.Z)
	var whole []*rowSums
	for _, of := range model.Scores() {
		whole = append(whole, sumsOf(of, columns, all, n))
	}
	f := make([]float64, n*scores)
	// losses returns those of rows whose sums of one column are those of other rows.
	losses := func(own []*rowSums, turn []int) []float64 {
		for s, sums := range whole {
			for i := range n {
				f[i*scores+s] = sums.predict(i, own[s], turn[i])
			}
		}
		return measure.Losses(measure.Predicted(f, test.Y, target), p.Actual, classes)
	}
	same := make([]int, n)
	for i := range same {
		same[i] = i
	}
	unpermuted := losses(whole, same)
	var found []Importance
	for _, name := range encoding.Needs() {
		var features []int
		for j, feature := range encoding.Features {
			if feature.Column == name || encoding.DatesOf(feature.Column) == name {
				features = append(features, j)
			}
		}
		own := make([]*rowSums, scores)
		for s, of := range model.Scores() {
			own[s] = sumsOf(of, columns, features, n)
		}
		permuted := make([]float64, n)
		for _, turn := range turns {
			kernel.Axpy(1/float64(len(turns)), losses(own, turn), permuted)
		}
		found = append(found, Importance{Column: name, Lead: measure.LeadOf(unpermuted, permuted, p.Actual, p.Weight, classes)})
	}
	if centre := a.run.Centre(); centre != nil && model.Rank > 0 {
		copied := *model
		copied.Centre = centre
		largest := 0.0
		for _, one := range found {
			largest = max(largest, one.By)
		}
		found = append(found, pairsOf(&saved.Model{Model: &copied, Encoding: encoding}, test, p, turns, classes, leastRise*largest)...)
	}
	order.Sort(found, func(a, b Importance) int { return cmp.Compare(b.By, a.By) })
	return found
}

// pairsOf returns the importance of the strongest pairs of columns, of those above the least.
func pairsOf(m *saved.Model, test design.Part, p train.Predictions, turns [][]int, classes int, least float64) (found []Importance) {
	n, names, scores := len(p.Actual), m.Encoding.Columns(), []*saved.Model{m}
	for s := range m.Model.Classes {
		scores = append(scores[:s], m.Score(s))
	}
	var columns []int
	for at, g := range m.Encoding.Groups() {
		if m.Encoding.Features[g.Lo].Kind != design.FeatureEntry {
			columns = append(columns, at)
		}
	}
	type pair struct {
		p, q   int
		spread float64 // variance of the term, by weight
	}
	var pairs []pair
	var weight []float64
	step := 1 + n/rankedRows
	for i := 0; i < len(p.Weight); i += step {
		weight = append(weight, p.Weight[i])
	}
	for s, of := range scores {
		terms, at := of.Terms(test.Z, step, columns...), 0
		for i, p := range columns {
			for _, q := range columns[i+1:] {
				if s == 0 {
					pairs = append(pairs, pair{p: p, q: q})
				}
				x := terms(p, q)
				mean := measure.Mean(x, weight)
				for i, v := range x {
					x[i] = float64((v - mean) * (v - mean))
				}
				pairs[at].spread += measure.Mean(x, weight)
				at++
			}
		}
	}
	order.Sort(pairs, func(a, b pair) int { return cmp.Compare(b.spread, a.spread) })
	whole, k := make([]float64, n*len(scores)), len(scores)
	m.Model.Predict(whole, test.Z, nil)
	losses := func(f []float64) []float64 {
		return measure.Losses(measure.Predicted(f, test.Y, &m.Encoding.Target), p.Actual, classes)
	}
	unpermuted := losses(slices.Clone(whole))
	for _, pair := range pairs[:min(mostPairs, len(pairs))] {
		one := Importance{Column: names[pair.p], With: names[pair.q]}
		term := make([]float64, len(whole))
		for s, of := range scores {
			for i, v := range of.Terms(test.Z, 1, pair.p, pair.q)(pair.p, pair.q) {
				term[i*k+s] = v
			}
			one.Surfaces = append(one.Surfaces, of.Surface(pair.p, pair.q, test.Z))
		}
		permuted, f := make([]float64, n), make([]float64, len(whole))
		for _, turn := range turns {
			for i, v := range whole {
				f[i] = v - term[i] + term[turn[i/k]*k+i%k]
			}
			kernel.Axpy(1/float64(len(turns)), losses(f), permuted)
		}
		if one.Lead = measure.LeadOf(unpermuted, permuted, p.Actual, p.Weight, classes); one.By > least {
			found = append(found, one)
		}
	}
	return found
}

// rowSums has, for each row, the sums over some features that a prediction is made of:
// Σzw − Σz²·uᵀv, Σzu and Σzv.
type rowSums struct {
	m     *fm.Model
	width int
	x     []float64
}

// sumsOf returns those of some features. O(nnz·rank).
func sumsOf(m *fm.Model, columns []design.Column, features []int, n int) *rowSums {
	k, right := m.Rank, m.Right()
	s := &rowSums{m: m, width: 1 + 2*k}
	s.x = make([]float64, n*s.width)
	for _, j := range features {
		u, v, square := m.U[j*k:][:k], right[j*k:][:k], 0.0
		if m.Kind != fm.GFM {
			square = kernel.Dot(u, v)
		}
		c := &columns[j]
		for e := range c.Len(n) {
			i, z := e, 1.0
			if c.Rows != nil {
				i = int(c.Rows[e])
			}
			if c.Values != nil {
				z = c.Values[e]
			}
			row := s.x[i*s.width:][:s.width]
			row[0] += float64(z*m.W[j]) - float64(z*z*square)
			kernel.Axpy(z, u, row[1:][:k])
			kernel.Axpy(z, v, row[1+k:])
		}
	}
	return s
}

// predict returns the prediction for row i whose sums of one column are those of row j.
func (s *rowSums) predict(i int, own *rowSums, j int) float64 {
	k := s.m.Rank
	row, from, to := s.x[i*s.width:][:s.width], own.x[i*s.width:][:s.width], own.x[j*s.width:][:s.width]
	f := s.m.B + (row[0] - from[0] + to[0])
	for e := 1; e <= k; e++ {
		f += float64((row[e] - from[e] + to[e]) * (row[e+k] - from[e+k] + to[e+k]))
	}
	return f
}
