package pair

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
)

// What a search takes on.
const (
	mostFeatures = 1500  // of the main effects: their factor takes 9 MB
	mostProducts = 1000  // of a pair: their moments take 8 MB
	mostSeen     = 2e9   // rows × entries of all pairs that are looked at
	mostWork     = 5e9   // multiply-adds of testing all pairs once
	mostAgain    = 200   // pairs that are tested anew after one was named
	mostKept     = 64e6  // bytes of purified products that are kept from test to test
	mostNamed    = 20    // pairs
	leastNoise   = 1e-12 // as a share of the target's variance: below it is rounding
)

// Search tests the pairs of a table's columns, a slice of the work at a time.
type Search struct {
	alpha   float64
	raw     []design.Raw
	columns []*column
	fine    []*block  // a column each: its finer main effect, once it has one
	sd      float64   // of the targets
	root    []float64 // √ of the weights of rows; nil for 1 each
	basis   *basis    // of the main effects and the pairs that have been named
	main    *basis    // of the main effects alone

	stage     Stage
	at, steps int          // of the stage
	step      func(at int) // does one
	after     func()       // begins the next stage
	work      float64      // multiply-adds of testing all pairs once
	pairs     []*candidate // that are tested, each round
	named     []*candidate
	kept      float64 // bytes
	scratch   written
	again     *retest   // of the pair that would be named
	weights   []float64 // of the columns, where they are weighed
	result    Result
}

// Stage names what a search is at.
type Stage string

// The stages, in their order. Testing comes again after every pair that is named.
const (
	Reading   Stage = "columns" // their features, and where there are too many, which weigh most
	Fitting   Stage = "main"    // the main effects
	Looking   Stage = "pairs"   // which products there are
	Testing   Stage = "tests"
	Measuring Stage = "strengths"
	Ended     Stage = "done"
)

// Why says why a pair was not tested.
type Why string

// The reasons.
const (
	TooMany   Why = "many"  // more products than a tenth of the rows, or 1000
	TooRare   Why = "rare"  // no product is seen in [Few] rows
	Alias     Why = "alias" // main effects and named pairs explain all products
	NearlyOne Why = "one"   // one column nearly follows from the other; found only of pairs that would be named
	Weak      Why = "weak"  // testing all would take too long, and others scored higher
)

// Skip is a pair that was not tested.
type Skip struct {
	P, Q     int // columns
	Why      Why
	Products int
}

// Result is what a search found.
type Result struct {
	Alpha   float64
	Rows    int
	Columns []string
	Out     []int // columns that are too many: they and their pairs were not looked at
	Pairs   int   // of all columns
	Looked  int   // pairs whose products were looked at: what α is shared among
	Tested  int   // pairs, in the first round
	Skipped []Skip
	Named   []Named // in the order in which they were named, the smallest p value first
	Full    bool    // 20 pairs were named, and others were not tested beside them
}

// Named is a pair that interacts.
type Named struct {
	P, Q      int     // columns, P < Q
	PValue    float64 // p value at which it was named, beside those before; 0 below 1e-308
	LogP      float64 // its natural logarithm
	F         float64 // beside main effects and the pairs before, with the noise that all pairs leave; as all below
	DF, Left  int     // degrees of freedom, and those of the noise
	Share     float64 // of the target's variance
	Low, High float64 // its interval
	Effect    Effect
}

// New prepares a search among columns for what pairs of them explain of y, at
// family-wise level alpha. weight has the weights of rows, all above 0; nil is 1 each. The
// rows must be in no particular order, as those of a
// [roles.Split] are. Where the features of all columns are more than 1500 or half of
// the rows, or their pairs more than can be looked at, those columns are left out
// that explain least of y by themselves. O(rows).
func New(columns []design.Raw, y, weight []float64, alpha float64) *Search {
	n := len(y)
	s := &Search{alpha: alpha, raw: columns, fine: make([]*block, len(columns)), result: Result{Alpha: alpha, Rows: n, Pairs: len(columns) * (len(columns) - 1) / 2}}
	for _, raw := range columns {
		s.result.Columns = append(s.result.Columns, raw.Name)
	}
	rows, mean := float64(n), kernel.Sum(y)/float64(max(n, 1))
	if weight != nil {
		all := kernel.Sum(weight)
		rows, mean = math.Round(float64(all*all)/kernel.Dot(weight, weight)), kernel.Dot(weight, y)/all
		s.root = make([]float64, n)
		for i, c := range weight {
			s.root[i] = math.Sqrt(c * rows / all)
		}
	}
	centred := make([]float64, n)
	for i, v := range y {
		centred[i] = v - mean
	}
	if weight != nil {
		kernel.RowScale(centred, s.root, centred, 1)
	}
	s.sd = math.Sqrt(kernel.Dot(centred, centred) / max(rows, 1))
	if s.sd > 0 {
		for i := range centred {
			centred[i] /= s.sd
		}
	}
	s.basis = &basis{residual: centred, rows: rows}
	s.basis.extend(&block{width: 1, root: s.root}, &s.scratch)
	s.begin(Reading, len(columns), func(at int) { s.columns = append(s.columns, newColumn(columns[at])) }, func() {
		all := make([]bool, len(columns))
		for i := range all {
			all[i] = true
		}
		if s.fits(all) {
			s.keep(all)
			return
		}
		s.weights = make([]float64, len(columns))
		s.begin(Reading, len(columns), s.weigh, s.choose)
	})
	return s
}

// mainEffect returns the features of a column.
func (s *Search) mainEffect(c *column) *block {
	return &block{width: c.features(), first: c, root: s.root}
}

// begin enters a stage, and the one after it if it has no steps.
func (s *Search) begin(stage Stage, steps int, step func(at int), after func()) {
	s.stage, s.at, s.steps, s.step, s.after = stage, 0, steps, step, after
	if steps == 0 {
		after()
	}
}

// Next does a slice of the work: one column or one pair. It does nothing once the
// search is done.
func (s *Search) Next() {
	if s.Done() {
		return
	}
	s.step(s.at)
	if s.at++; s.at == s.steps {
		s.after()
	}
}

// end lets go of all but the result.
func (s *Search) end() {
	*s = Search{stage: Ended, work: s.work, result: s.result}
}

// Done reports whether the result is whole.
func (s *Search) Done() bool { return s.stage == Ended }

// Progress is how far a search has come.
type Progress struct {
	Stage    Stage
	Done, Of int     // steps of the stage
	Named    int     // pairs so far
	Work     float64 // multiply-adds of testing once all pairs that are tested, an estimate; a second of a fast machine is about 10⁹
}

// Progress returns how far the search has come.
func (s *Search) Progress() Progress {
	return Progress{Stage: s.stage, Done: s.at, Of: s.steps, Named: len(s.named), Work: min(s.work, mostWork)}
}

// Result returns what was found; before the end, what is known.
func (s *Search) Result() *Result { return &s.result }
