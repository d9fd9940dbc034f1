package pair

import (
	"cmp"
	"math"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
	"ifmlab/core/order"
	"ifmlab/core/study"
)

// Limits of a search.
const (
	maxFeatures = 1500  // of the main effects, whose factor takes 9 MB
	maxProducts = 1000  // of a pair, whose moments take 8 MB
	maxEntries  = 2e9   // rows × products that are not 0, over all pairs
	maxWork     = 5e9   // multiply-adds of testing all pairs once
	maxRetested = 200   // pairs that are tested again after one was named
	maxCache    = 64e6  // bytes of purified products
	maxNamed    = 20    // pairs
	leastNoise  = 1e-12 // share of the target's variance below which noise is rounding
)

// Search tests the pairs of a table's columns. Next tests a column or a pair.
type Search struct {
	*study.Study
	alpha   float64
	raw     []design.Raw
	rows    Rows
	columns []*column
	fine    []*block  // a column each: its finer main effect; nil if it has none yet
	root    []float64 // √ of the weights of rows; nil for 1 each
	basis   *basis    // of the main effects and the named pairs
	main    *basis    // of the main effects

	yield   func() bool
	stage   Stage
	step    int
	steps   int     // of the stage
	work    float64 // multiply-adds of testing all pairs once
	pairs   []*candidate
	named   []*candidate
	cache   float64 // bytes
	scratch entryTable
	result  Result
}

// Stage names a stage of a search.
type Stage string

// The stages, in their order. Testing comes again after every pair that is named.
const (
	Reading   Stage = "columns" // the features of columns and, if they are too many, which explain most
	Fitting   Stage = "main"    // the main effects
	Listing   Stage = "pairs"   // the products of pairs
	Testing   Stage = "tests"
	Measuring Stage = "strengths"
	Ended     Stage = "done"
)

// SkipReason says why a pair was not tested.
type SkipReason string

// The reasons.
const (
	TooMany   SkipReason = "many"    // it has more products than a tenth of the rows, or 1000
	TooRare   SkipReason = "rare"    // no product is in [MinRows] rows
	Alias     SkipReason = "alias"   // main effects and named pairs explain all products
	NearlyOne SkipReason = "one"     // one column nearly follows from the other; only found before a pair is named
	Dependent SkipReason = "depends" // too few rows are independent of each other; only found before a pair is named
	Weak      SkipReason = "weak"    // testing all pairs would take too long, and others scored higher
)

// Skip is a pair that was not tested.
type Skip struct {
	P, Q     int // columns
	Reason   SkipReason
	Products int
}

// Result is what a search has found so far.
type Result struct {
	Alpha     float64
	Rows      int
	Columns   []string
	Excluded  []int // columns beyond the limits, without a pair that was listed
	Pairs     int   // of all columns
	Listed    int   // pairs whose products were listed, which share α
	Tested    int   // pairs, in the first round
	Skipped   []Skip
	Dependent int     // skipped pairs that were tested, but for which too few rows are independent of each other
	Named     []Named // in the order of naming, the smallest p value first
	Full      bool    // 20 pairs were named, and others were not tested beside them
}

// Named is a pair that interacts.
type Named struct {
	P, Q   int     // columns, P < Q
	PValue float64 // at naming, beside the pairs before; 0 below 1e-308
	LogP   float64 // its natural logarithm

	// The other numbers are beside main effects and the pairs before, with the noise that
	// all pairs leave.
	F           float64
	DF, NoiseDF int     // degrees of freedom
	Share       float64 // of the target's variance
	Low, High   float64 // interval of Share
}

// Progress is the state of a search.
type Progress struct {
	Stage    Stage
	Done, Of int     // steps of the stage
	Named    int     // pairs so far
	Work     float64 // estimated multiply-adds of testing all pairs once; a fast machine does about 10⁹ a second
}

// Rows says what is known of the rows of a table.
type Rows struct {
	Weight []float64 // all above 0; nil is 1 each
	Group  []int32   // rows with the same number belong together; nil if each is by itself
	Place  []int32   // in the file or in time; nil if that means nothing
}

// New prepares a search among columns for pairs that explain y, at family-wise level alpha.
// The rows must be in random order, as those of a [roles.Split] are. Rows with equal features
// count as one, with the mean of their targets, unless that is likely by chance. If the
// columns have more features than 1500 or half of the rows, or too many pairs, the search
// excludes the columns that explain the least of y alone. O(rows·columns).
func New(columns []design.Raw, y []float64, rows Rows, alpha float64) *Search {
	columns, y, rows = once(columns, y, rows)
	n := len(y)
	s := &Search{
		alpha: alpha, raw: columns, rows: rows, fine: make([]*block, len(columns)), stage: Reading, steps: len(columns),
		result: Result{Alpha: alpha, Rows: n, Pairs: len(columns) * (len(columns) - 1) / 2},
	}
	for _, raw := range columns {
		s.result.Columns = append(s.result.Columns, raw.Name)
	}
	effective, mean := float64(n), kernel.Sum(y)/float64(max(n, 1))
	weight := rows.Weight
	if weight != nil {
		all := kernel.Sum(weight)
		effective, mean = math.Round(float64(all*all)/kernel.Dot(weight, weight)), kernel.Dot(weight, y)/all
		s.root = make([]float64, n)
		for i, c := range weight {
			s.root[i] = math.Sqrt(c * effective / all)
		}
	}
	centred := make([]float64, n)
	for i, v := range y {
		centred[i] = v - mean
	}
	if weight != nil {
		kernel.RowScale(centred, s.root, centred, 1)
	}
	sd := math.Sqrt(kernel.Dot(centred, centred) / max(effective, 1))
	if sd > 0 {
		for i := range centred {
			centred[i] /= sd
		}
	}
	s.basis = &basis{residual: centred, rows: effective}
	s.basis.extend(&block{width: 1, root: s.root}, &s.scratch)
	s.Study = study.New(s.search)
	return s
}

// Progress returns the state of the search.
func (s *Search) Progress() Progress {
	return Progress{Stage: s.stage, Done: s.step, Of: s.steps, Named: len(s.named), Work: min(s.work, maxWork)}
}

// Result returns what the search has found so far.
func (s *Search) Result() *Result { return &s.result }

// search is the whole search. At its end it frees all but the result.
func (s *Search) search(yield func() bool) error {
	s.yield = yield
	if !(s.readColumns() && s.fitMain() && s.listPairs() && s.nameAll() && s.measure()) {
		return study.ErrStopped
	}
	*s = Search{Study: s.Study, stage: Ended, work: s.work, result: s.result}
	return nil
}

// each does the steps of a stage. It returns false if the search is stopped.
func (s *Search) each(stage Stage, steps int, do func(at int)) bool {
	s.stage, s.steps = stage, steps
	for s.step = 0; s.step < steps; s.step++ {
		if len(s.columns) > 0 && !s.yield() { // there are none before the first step
			return false
		}
		do(s.step)
	}
	return true
}

// mainEffect returns the features of a column.
func (s *Search) mainEffect(c *column) *block {
	return &block{width: c.width(), first: c, root: s.root}
}

// readColumns makes the features of columns, and lists the pairs of those within limits.
func (s *Search) readColumns() bool {
	if !s.each(Reading, len(s.raw), func(at int) { s.columns = append(s.columns, newColumn(s.raw[at])) }) {
		return false
	}
	taken := make([]bool, len(s.columns))
	for i := range taken {
		taken[i] = true
	}
	if !s.affordable(taken) {
		explained := make([]float64, len(s.columns))
		if !s.each(Reading, len(s.columns), func(at int) { explained[at] = s.explained(at) }) {
			return false
		}
		clear(taken)
		for _, k := range order.Of(len(taken), func(i, j int) int { return cmp.Compare(explained[j], explained[i]) }) {
			taken[k] = true
			taken[k] = s.affordable(taken)
		}
	}
	for p, is := range taken {
		if !is {
			s.result.Excluded = append(s.result.Excluded, p)
			continue
		}
		for q := p + 1; q < len(taken); q++ {
			if taken[q] {
				s.pairs = append(s.pairs, &candidate{p: p, q: q})
				s.work += s.cost(p, q, s.columns[p].features*s.columns[q].features)
			}
		}
	}
	s.result.Listed = len(s.pairs)
	return true
}

// affordable reports whether the taken columns and their pairs are within the limits.
func (s *Search) affordable(taken []bool) bool {
	features, columns := 0, 0
	for i, c := range s.columns {
		if taken[i] {
			features += c.width()
			columns++
		}
	}
	return features <= min(maxFeatures, int(s.basis.rows)/2) && float64(columns)*float64(columns-1)/2*4*float64(s.result.Rows) <= maxEntries
}

// explained returns how much of the targets column k explains alone, less what it would
// explain of noise.
func (s *Search) explained(k int) float64 {
	b := s.basis.clone()
	b.extend(s.mainEffect(s.columns[k]), &s.scratch)
	b.fit()
	n, df := b.rows, float64(b.rank()-1)
	left := kernel.Dot(b.residual, b.residual)
	return n - left - float64(df*left)/max(n-df-1, 1)
}

// cost returns about the multiply-adds of testing a pair with so many products.
func (s *Search) cost(p, q, products int) float64 {
	per := func(k int) float64 {
		if s.columns[k].right == nil {
			return 1
		}
		return 2
	}
	entries, rank := 1.0, 1.0
	for k, c := range s.columns {
		entries += 1.5 * per(k)
		rank += float64(c.width() - 1)
	}
	w := float64(min(products, maxProducts))
	return float64(s.result.Rows)*per(p)*per(q)*(entries+per(p)*per(q)) + w*rank*(rank/2+w) + w*w*w/3
}

// fitMain fits the main effects.
func (s *Search) fitMain() bool {
	var taken []*column
	for k, c := range s.columns {
		if _, excluded := slices.BinarySearch(s.result.Excluded, k); !excluded {
			taken = append(taken, c)
		}
	}
	if !s.each(Fitting, len(taken), func(at int) { s.basis.extend(s.mainEffect(taken[at]), &s.scratch) }) {
		return false
	}
	s.basis.fit()
	s.main = s.basis.clone()
	return true
}

// listPairs lists the products of pairs and keeps the pairs that can be tested: all, or
// those with the highest scores if all would take too long.
func (s *Search) listPairs() bool {
	listed := s.each(Listing, len(s.pairs), func(at int) {
		c := s.newCandidate(s.pairs[at].p, s.pairs[at].q)
		if c.block.width > min(int(s.basis.rows)/10, maxProducts) || c.block.width == 0 { // frees its lists
			c = &candidate{p: c.p, q: c.q, block: &block{width: c.block.width}}
		}
		s.pairs[at] = c
	})
	if !listed {
		return false
	}
	var testable []*candidate
	s.work = 0
	for _, c := range s.pairs {
		switch {
		case c.block.width == 0:
			s.skip(c, TooRare)
		case c.block.first == nil:
			s.skip(c, TooMany)
		default:
			testable = append(testable, c)
			s.work += s.cost(c.p, c.q, c.block.width)
		}
	}
	if s.work > maxWork {
		order.Sort(testable, func(a, b *candidate) int { return cmp.Compare(b.score, a.score) })
		s.work = 0
		for i, c := range testable {
			if s.work += s.cost(c.p, c.q, c.block.width); s.work > maxWork {
				for _, weak := range testable[i:] {
					s.skip(weak, Weak)
				}
				testable = testable[:i]
				break
			}
		}
	}
	s.pairs = testable
	return true
}

// skip leaves a pair out of the tests.
func (s *Search) skip(c *candidate, reason SkipReason) {
	s.result.Skipped = append(s.result.Skipped, Skip{P: c.p, Q: c.q, Reason: reason, Products: c.block.width})
}
