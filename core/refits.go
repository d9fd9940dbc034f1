package core

import (
	"cmp"
	"math"
	"math/rand/v2"

	"ifmlab/core/data"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/order"
	"ifmlab/core/pair"
)

const (
	resamples    = 40  // refits on resampled rows
	permutations = 20  // refits on permuted ones
	reached      = .95 // quantile of what permuted rows reach that a pair has to be above
	outside      = .05 // share of the refits below their range, and above it
	mostListed   = 20  // pairs whose refits are measured
	leastShare   = 1e-6
)

// Refits is the search for how far the interactions of the model that leads a run
// can be trusted. Next does a slice of the work.
//
// The strength S of a pair of columns is what [pair.Strengths] measures, over the
// target's variance. The model is fitted anew, at its rank and penalties, to 40
// resamples of the training rows, with replacement; and to 20 tables without
// interactions: ridge's fit plus ridge's residuals, permuted over the rows. What the
// strongest pair of each of these reaches has the 95 % quantile T: a pair with S > T
// is more than chance makes of one. T is 1e-6 at least, below which no table shows
// anything.
//
// Of two classes the tables without interactions have classes that are drawn with the
// probabilities of ridge, and S is over the variance of the latent variable whose sign
// is the class: that of the model's log-odds, and π²/3 of the logistic distribution.
//
// All strengths are measured on the training rows as they are, never on a resample:
// S, its refits and T are then the same function of the models alone, and a row that
// was drawn three times has taught the refit but does not weigh its answer.
//
// A refit starts from ridge on its rows and factors of its own, and takes the way
// that the model took: of als the same penalties in turn, from strong to weak, with
// as many sweeps each as the candidates of the same rank and encoding took, and in
// the last one as many as the record that was kept; of other solvers as many
// iterations as that record. A refit knows no validation rows, and so is stopped as
// early as the model was and no other way.
//
// The refits shrink as the model does: their range says how steady S is, and is no
// confidence interval. (Of 42 planted pairs, what held 95 % of the refits covered 30.)
type Refits struct {
	searching
	stage  RefitStage
	result Refitted

	*refitting // from the end of the training to that of the search
}

// refitting is what a search holds while it refits.
type refitting struct {
	train     data.Part
	target    float64 // variance of Y, or of the latent variable
	fitted    []float64
	residual  []float64 // of ridge, whose total penalty is penalty; nil of classes
	penalty   float64
	path      []spent
	rng       *rand.Rand
	strengths *pair.Strengths
	pairs     [][2]int32

	m      []float64   // interactions that are measured; nil until they are fitted
	at     int         // of the pairs that are measured
	most   float64     // of them
	shares []float64   // of the model, all pairs
	listed []int       // places in pairs, the strongest first
	ranges [][]float64 // of the listed pairs: a number each refit
	maxima []float64   // of the permuted rows
}

// RefitStage names what a search is at.
type RefitStage string

// The stages, in their order.
const (
	RefitTraining  RefitStage = "training" // the run itself, where it is not done
	RefitMeasuring RefitStage = "model"    // the model that leads
	Resampling     RefitStage = "resampled"
	Permuting      RefitStage = "permuted"
	RefitEnded     RefitStage = "done"
)

// Refitted is what a search found; before the end, what is known.
type Refitted struct {
	Model        fm.Kind
	Rank         int // 0: ridge leads, which has no interactions
	Rows         int
	Columns      []string
	Pairs        int        // of the columns
	Resamples    int        // refits
	Permutations int        // the same, on permuted rows, or on drawn classes
	Threshold    float64    // T, a share of the target's variance, or of its latent variable's
	Above        int        // of all pairs
	Strongest    []Strength // at most 20, the strongest first, without those of strength 0
}

// Strength is what the model makes of a pair of columns.
type Strength struct {
	P, Q      int     // columns, P < Q
	Share     float64 // S: of the target's variance, or of its latent variable's, without main effects
	Low, High float64 // 5 % and 95 % quantiles of the refits: their range
	Reach     float64 // share of the refits above T
	Above     bool    // S > T
}

// Refits returns the search for how far the strengths of the run's model can be
// trusted. A run that is not done is trained to its end first, and its records are
// nobody's then. Later calls get the same search, as far as it is.
//
// It returns [ErrNoModel] if the run was closed before its first record, and a
// [NoTableError] if it is closed and both its rows and its table are gone. What the
// model itself forbids comes of Next.
func (r *Run) Refits() (*Refits, error) {
	switch {
	case r.refits != nil:
		return r.refits, nil
	case r.done && r.best == nil:
		return nil, ErrNoModel
	case r.done && r.leading().Train.Z == nil && r.spec.Source == "table" && r.table == nil:
		return nil, NoTableError{}
	}
	r.refits = &Refits{searching: searching{run: r}, stage: RefitTraining, result: Refitted{Model: r.cell.Model}}
	return r.refits, nil
}

// Next does a slice of the work: an iteration or a pair of columns. It does nothing
// once the search is done. It returns what [Run.Next] and the solver return, a
// [*TooWideError] beyond [MaxMatrix] features, and that error again after it.
func (s *Refits) Next() error {
	return s.next(s.step, func(m *fm.Model) { s.m = m.Interaction() })
}

// Done reports whether the result is whole.
func (s *Refits) Done() bool { return s.stage == RefitEnded }

// Result returns what was found.
func (s *Refits) Result() *Refitted { return &s.result }

// Progress returns the stage, and how many steps of it are done: candidates, pairs or
// refits.
func (s *Refits) Progress() (stage RefitStage, done, of int) {
	switch s.stage {
	case RefitTraining:
		return s.stage, s.run.now, len(s.run.candidates)
	case RefitMeasuring:
		return s.stage, s.at, len(s.pairs)
	case Resampling:
		return s.stage, s.result.Resamples, resamples
	case Permuting:
		return s.stage, len(s.maxima), permutations
	}
	return s.stage, 1, 1
}

func (s *Refits) step() error {
	switch {
	case s.stage == RefitEnded:
	case s.stage == RefitTraining:
		return s.begin()
	case len(s.maxima) == permutations:
		s.judge()
		s.end()
	case s.m == nil:
		return s.open()
	default:
		s.measure()
	}
	return nil
}

// begin prepares to measure the model that leads.
func (s *Refits) begin() error {
	r := s.run
	switch {
	case r.best == nil:
		return ErrNoModel
	case r.best.Rank == 0:
		s.end()
		return nil
	case r.best.D > MaxMatrix:
		return &TooWideError{Features: r.best.D}
	}
	on, err := r.trainingRows(r.leading())
	if err != nil {
		return err
	}
	base, err := on.baselines()
	if err != nil {
		return err
	}
	s.refitting = &refitting{}
	s.train, s.penalty, s.path = on.Train, base.total, r.path()
	n := len(s.train.Y)
	s.fitted = make([]float64, n)
	base.fit.Predict(s.fitted, s.train.Z)
	if on.Encoding.Target.Logistic {
		f := make([]float64, n)
		r.best.Predict(f, s.train.Z, &r.eval.scratch)
		s.target = variance(f) + float64(math.Pi*math.Pi)/3
	} else {
		s.residual = append([]float64(nil), s.train.Y...)
		kernel.Axpy(-1, s.fitted, s.residual)
		s.target = variance(s.train.Y)
	}
	s.rng = Stream(r.spec.Seed, r.cell.Trial, StreamRefits)

	var groups []pair.Group
	columns := s.result.Columns
	for j, f := range on.Encoding.Features {
		if j == 0 || f.Column != columns[len(columns)-1] {
			columns, groups = append(columns, f.Column), append(groups, pair.Group{Lo: j})
		}
		groups[len(groups)-1].Hi = j + 1
	}
	for p := range groups {
		for q := p + 1; q < len(groups); q++ {
			s.pairs = append(s.pairs, [2]int32{int32(p), int32(q)})
		}
	}
	s.result.Rank, s.result.Rows, s.result.Columns, s.result.Pairs = r.best.Rank, n, columns, len(s.pairs)
	if len(s.pairs) == 0 || s.target == 0 {
		s.end()
		return nil
	}
	s.strengths = pair.NewStrengths(s.train.Z.(pair.Rows), groups)
	s.shares, s.m, s.stage = make([]float64, 0, len(s.pairs)), r.best.Interaction(), RefitMeasuring
	return nil
}

// open begins the next refit.
func (s *Refits) open() error {
	z, y, n := s.train.Z, make([]float64, len(s.train.Y)), len(s.train.Y)
	weight := s.train.Weight
	classes := s.residual == nil
	switch {
	case s.stage == Resampling:
		rows := make([]int32, n)
		for again := true; again; again = classes && oneClass(y) {
			for i := range rows {
				rows[i] = int32(s.rng.IntN(n))
				y[i] = s.train.Y[rows[i]]
			}
		}
		z = data.Take(z, rows)
		if weight != nil {
			weight = make([]float64, n)
			for i, row := range rows {
				weight[i] = s.train.Weight[row]
			}
		}
	case classes:
		for again := true; again; again = oneClass(y) {
			for i, f := range s.fitted {
				y[i] = 0
				if s.rng.Float64() < kernel.Logistic(f) {
					y[i] = 1
				}
			}
		}
	default:
		for i, from := range s.rng.Perm(n) {
			y[i] = s.fitted[i] + s.residual[from]
		}
	}
	var err error
	s.refit, err = s.run.newRefit(z, y, weight, s.penalty, s.path, s.rng)
	return err
}

// oneClass reports whether all rows are of one class, of which nothing is learnt. The
// bias of ridge makes its probabilities add up to the rows of class 1, so that few
// draws in a row are.
func oneClass(y []float64) bool {
	ones := kernel.Sum(y)
	return ones == 0 || ones == float64(len(y))
}

// variance returns that of y, over n.
func variance(y []float64) (sum float64) {
	n := float64(len(y))
	mean := kernel.Sum(y) / n
	for _, v := range y {
		sum += float64((v-mean)*(v-mean)) / n
	}
	return sum
}

// measure measures the next pair of what has been fitted, and goes on where that was
// the last one. Of resampled rows only the listed pairs are.
func (s *Refits) measure() {
	many := len(s.pairs)
	if s.stage == Resampling {
		many = len(s.listed)
	}
	if s.at < many {
		at := s.at
		if s.stage == Resampling {
			at = s.listed[s.at]
		}
		share := s.strengths.Of(s.m, int(s.pairs[at][0]), int(s.pairs[at][1])) / s.target
		switch s.most = max(s.most, share); s.stage {
		case RefitMeasuring:
			s.shares = append(s.shares, share)
		case Resampling:
			s.ranges[s.at] = append(s.ranges[s.at], share)
		}
		s.at++
	}
	if s.at < many {
		return
	}
	switch s.stage {
	case RefitMeasuring:
		s.list()
		if len(s.listed) == 0 { // the penalty has left nothing of the factors
			s.end()
			return
		}
		s.stage = Resampling
	case Resampling:
		if s.result.Resamples++; s.result.Resamples == resamples {
			s.stage = Permuting
		}
	case Permuting:
		s.maxima = append(s.maxima, s.most)
		s.result.Permutations++
	}
	s.m, s.at, s.most = nil, 0, 0
}

// list chooses the strongest pairs.
func (s *Refits) list() {
	for _, at := range order.Of(len(s.shares), func(i, j int) int { return cmp.Compare(s.shares[j], s.shares[i]) }) {
		if len(s.listed) < mostListed && s.shares[at] > 0 {
			s.listed = append(s.listed, at)
		}
	}
	s.ranges = make([][]float64, len(s.listed))
}

// judge makes the result of what was measured.
func (s *Refits) judge() {
	order.Sort(s.maxima, cmp.Compare[float64])
	threshold := max(order.Quantile(s.maxima, reached), leastShare)
	s.result.Threshold = threshold
	s.result.Above = countAbove(s.shares, threshold)
	for i, at := range s.listed {
		all := s.ranges[i]
		order.Sort(all, cmp.Compare[float64])
		s.result.Strongest = append(s.result.Strongest, Strength{
			P: int(s.pairs[at][0]), Q: int(s.pairs[at][1]), Share: s.shares[at],
			Low: order.Quantile(all, outside), High: order.Quantile(all, 1-outside),
			Reach: float64(countAbove(all, threshold)) / resamples, Above: s.shares[at] > threshold,
		})
	}
}

// countAbove returns how many numbers are above a threshold.
func countAbove(all []float64, threshold float64) (n int) {
	for _, v := range all {
		if v > threshold {
			n++
		}
	}
	return n
}

// end lets go of all but the result.
func (s *Refits) end() { s.stage, s.refitting = RefitEnded, nil }
