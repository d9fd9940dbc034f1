package pair

import (
	"cmp"
	"math"

	"ifmlab/core/kernel"
	"ifmlab/core/order"
)

// fits reports whether the pairs of the columns that are taken can be looked at.
func (s *Search) fits(taken []bool) bool {
	features, columns := 0, 0
	for i, c := range s.columns {
		if taken[i] {
			features += c.features()
			columns++
		}
	}
	return features <= min(mostFeatures, int(s.basis.rows)/2) && float64(columns)*float64(columns-1)/2*4*float64(s.result.Rows) <= mostSeen
}

// weigh sets what column k explains of the targets by itself, less what it would
// of noise.
func (s *Search) weigh(k int) {
	b := s.basis.clone()
	b.extend(s.mainEffect(s.columns[k]), &s.scratch)
	b.fit()
	n, df := b.rows, float64(b.rank()-1)
	left := kernel.Dot(b.residual, b.residual)
	s.weights[k] = n - left - float64(df*left)/max(n-df-1, 1)
}

// choose takes the columns that weigh most, as many as fit.
func (s *Search) choose() {
	taken := make([]bool, len(s.columns))
	for _, k := range order.Of(len(taken), func(i, j int) int { return cmp.Compare(s.weights[j], s.weights[i]) }) {
		taken[k] = true
		taken[k] = s.fits(taken)
	}
	s.keep(taken)
}

// keep begins to fit the main effects of the columns that are taken.
func (s *Search) keep(taken []bool) {
	var list []int
	for k, is := range taken {
		if is {
			list = append(list, k)
		} else {
			s.result.Out = append(s.result.Out, k)
		}
	}
	for i, p := range list {
		for _, q := range list[i+1:] {
			s.pairs = append(s.pairs, &candidate{p: p, q: q})
			s.work += s.cost(p, q, len(s.columns[p].places)*len(s.columns[q].places))
		}
	}
	s.result.Looked = len(s.pairs)
	s.begin(Fitting, len(list), func(at int) {
		s.basis.extend(s.mainEffect(s.columns[list[at]]), &s.scratch)
	}, func() {
		s.basis.fit()
		s.main = s.basis.clone()
		s.begin(Looking, len(s.pairs), s.look, s.decide)
	})
}

// cost returns about how many multiply-adds a test of so many products takes.
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
		rank += float64(c.features() - 1)
	}
	w := float64(min(products, mostProducts))
	return float64(s.result.Rows)*per(p)*per(q)*(entries+per(p)*per(q)) + w*rank*(rank/2+w) + w*w*w/3
}

// look lists the products of a pair.
func (s *Search) look(at int) {
	c := s.newCandidate(s.pairs[at].p, s.pairs[at].q)
	if c.block.width > min(int(s.basis.rows)/10, mostProducts) || c.block.width == 0 { // let go of its lists
		c = &candidate{p: c.p, q: c.q, block: &block{width: c.block.width}}
	}
	s.pairs[at] = c
}

// skip leaves a pair out of the tests.
func (s *Search) skip(c *candidate, why Why) {
	s.result.Skipped = append(s.result.Skipped, Skip{P: c.p, Q: c.q, Why: why, Products: c.block.width})
}

// decide chooses the pairs that are tested: all that can be, and where these are
// too many, those of the highest score.
func (s *Search) decide() {
	var can []*candidate
	s.work = 0
	for _, c := range s.pairs {
		switch {
		case c.block.width == 0:
			s.skip(c, TooRare)
		case c.block.first == nil:
			s.skip(c, TooMany)
		default:
			can = append(can, c)
			s.work += s.cost(c.p, c.q, c.block.width)
		}
	}
	if s.work > mostWork {
		order.Sort(can, func(a, b *candidate) int { return cmp.Compare(b.score, a.score) })
		s.work = 0
		for i, c := range can {
			if s.work += s.cost(c.p, c.q, c.block.width); s.work > mostWork {
				for _, weak := range can[i:] {
					s.skip(weak, Weak)
				}
				can = can[:i]
				break
			}
		}
	}
	s.pairs = can
	s.round()
}

// round tests all pairs beside those that have been named.
func (s *Search) round() { s.begin(Testing, len(s.pairs), s.test, s.enter) }

// test tests a pair.
func (s *Search) test(at int) {
	c := s.pairs[at]
	s.keeping(c, func() {
		c.advance(s.basis, &s.scratch)
		c.tested, c.beside = c.solve(s.basis, &s.scratch).test, len(s.basis.blocks)
	})
}

// confirm tests a pair for noise of any size, a block of the basis at a time. The
// larger of the two p values counts.
func (s *Search) confirm(c *candidate) {
	blocks := len(s.basis.blocks)
	s.begin(Testing, blocks+2, func(at int) {
		switch {
		case at == 0:
			s.keeping(c, func() { s.again = c.retest(s.basis, &s.scratch) })
		case at <= blocks:
			s.again.block(at - 1)
		default:
			c.tested.logP, c.tested.sure, s.again = max(c.tested.logP, s.again.logP()), true, nil
		}
	}, s.enter)
}

// keeping does what may keep more of a pair, for the next round, while there is room.
func (s *Search) keeping(c *candidate, do func()) {
	had := len(c.w) + len(c.moments)
	do()
	if s.kept += 8 * float64(len(c.w)+len(c.moments)-had); s.kept > mostKept {
		s.drop(c)
	}
}

// drop lets go of what is purified of a pair.
func (s *Search) drop(c *candidate) {
	s.kept -= 8 * float64(len(c.w)+len(c.moments))
	c.purity = purity{}
}

// enter names the pair of the smallest p value if that is below α over the number
// of pairs that are left, and begins another round. Before that the main effects
// of its columns become finer, and it is tested again beside them: a curve of one
// column, if the other depends on it, must not pass for an interaction.
func (s *Search) enter() {
	if len(s.named) == 0 && s.result.Tested == 0 {
		s.settle()
	}
	order.Sort(s.pairs, func(a, b *candidate) int { return cmp.Compare(a.tested.logP, b.tested.logP) })
	r := s.basis.residual
	if len(s.pairs) == 0 || s.pairs[0].tested.logP >= math.Log(s.alpha/float64(s.result.Looked-len(s.named))) || kernel.Dot(r, r) <= 100*leastNoise*s.basis.rows {
		s.measure()
		return
	}
	c := s.pairs[0]
	if !c.tested.sure {
		s.confirm(c)
		return
	}
	if len(s.named) == mostNamed || s.basis.rank()+2*finest(len(r))+c.tested.df > int(s.basis.rows)*3/4 {
		s.result.Full = true
		s.measure()
		return
	}
	if nearlyOneOf(s.raw[c.p], s.raw[c.q]) {
		s.skip(c, NearlyOne)
		s.drop(c)
		s.pairs = s.pairs[1:]
		s.enter()
		return
	}
	if s.refine(c); c.beside < len(s.basis.blocks) {
		s.begin(Testing, 1, s.test, s.enter)
		return
	}
	s.drop(c)
	s.named = append(s.named, c)
	s.pairs = s.pairs[1:min(len(s.pairs), mostAgain+1)]
	s.basis.extend(c.block, &s.scratch)
	s.basis.fit()
	s.round()
}

// refine gives the main effects of a pair's numbers their fine hats.
func (s *Search) refine(c *candidate) {
	for _, k := range [...]int{c.p, c.q} {
		if s.fine[k] != nil || s.columns[k].right == nil {
			continue
		}
		s.fine[k] = s.mainEffect(newFine(s.raw[k].Numbers))
		s.basis.extend(s.fine[k], &s.scratch)
		s.basis.fit()
	}
}

// settle counts the pairs that could be tested at all.
func (s *Search) settle() {
	var free []*candidate
	for _, c := range s.pairs {
		if c.tested.df == 0 || c.tested.left <= 0 {
			s.skip(c, Alias)
		} else {
			free = append(free, c)
		}
	}
	s.pairs, s.result.Tested = free, len(free)
}

// measure begins to measure the pairs that were named: each beside the fine main
// effects and the pairs that were named before it, with the noise that all of them
// leave.
func (s *Search) measure() {
	r := s.basis.residual
	left := int(s.basis.rows) - s.basis.rank()
	noise := max(kernel.Dot(r, r), leastNoise*s.basis.rows) / float64(max(left, 1))
	for _, fine := range s.fine {
		if fine != nil && len(s.named) > 0 {
			s.main.extend(fine, &s.scratch)
		}
	}
	s.main.fit()
	s.begin(Measuring, len(s.named), func(at int) {
		c := s.named[at]
		c.advance(s.main, &s.scratch)
		found := c.solve(s.main, &s.scratch)
		s.result.Named = append(s.result.Named, s.found(c, found, noise, left, s.main.rank()))
		c.purity = purity{}
		s.main.extend(c.block, &s.scratch)
		s.main.fit()
	}, s.end)
}
