package pair

import (
	"cmp"
	"math"

	"ifmlab/core/kernel"
	"ifmlab/core/order"
)

// nameAll tests all pairs and names the strongest, until none is left below α.
func (s *Search) nameAll() bool {
	for {
		if !s.each(Testing, len(s.pairs), s.test) {
			return false
		}
		if len(s.named) == 0 {
			s.skipAliases()
		}
		c, ok := s.strongest()
		if c == nil {
			return ok
		}
		s.uncache(c)
		s.named = append(s.named, c)
		s.pairs = s.pairs[1:min(len(s.pairs), maxRetested+1)]
		s.basis.extend(c.block, &s.scratch)
		s.basis.fit()
	}
}

// test tests the pair at a place in the list.
func (s *Search) test(at int) {
	c := s.pairs[at]
	s.cached(c, func() {
		c.advance(s.basis, &s.scratch)
		c.tested, c.beside = c.solve(s.basis, &s.scratch).test, len(s.basis.blocks)
	})
}

// cached does work that may store more of a pair for the next round, and frees that if the
// cache is full.
func (s *Search) cached(c *candidate, do func()) {
	before := len(c.w) + len(c.moments)
	do()
	if s.cache += 8 * float64(len(c.w)+len(c.moments)-before); s.cache > maxCache {
		s.uncache(c)
	}
}

// uncache frees the purified products of a pair.
func (s *Search) uncache(c *candidate) {
	s.cache -= 8 * float64(len(c.w)+len(c.moments))
	c.purified = purified{}
}

// skipAliases skips the pairs that cannot be tested at all, and counts the others.
func (s *Search) skipAliases() {
	var free []*candidate
	for _, c := range s.pairs {
		if c.tested.df == 0 || c.tested.noiseDF <= 0 {
			s.skip(c, Alias)
		} else {
			free = append(free, c)
		}
	}
	s.pairs, s.result.Tested = free, len(free)
}

// strongest returns the pair with the smallest p value, first in the list, if that is below
// α over the number of pairs left (Holm's rule). It returns nil if there is none, or if the
// search is stopped, and then false.
//
// The pair has to pass for noise of any size, too. The main effects of its columns become
// finer, and it is tested again beside them. Otherwise a curve of one column could pass for
// an interaction if the other column depends on it.
func (s *Search) strongest() (c *candidate, ok bool) {
	for {
		order.Sort(s.pairs, func(a, b *candidate) int { return cmp.Compare(a.tested.logP, b.tested.logP) })
		r := s.basis.residual
		if len(s.pairs) == 0 || s.pairs[0].tested.logP >= math.Log(s.alpha/float64(s.result.Listed-len(s.named))) || kernel.Dot(r, r) <= 100*leastNoise*s.basis.rows {
			return nil, true
		}
		c := s.pairs[0]
		if !c.tested.robust {
			if nearlyOne(s.raw[c.p], s.raw[c.q]) {
				s.drop(NearlyOne)
			} else if !s.confirm(c) {
				return nil, false
			}
			continue
		}
		if len(s.named) == maxNamed || s.basis.rank()+2*maxKnots(len(r))+c.tested.df > int(s.basis.rows)*3/4 {
			s.result.Full = true
			return nil, true
		}
		s.refine(c)
		if c.beside == len(s.basis.blocks) {
			return c, true
		}
		if !s.each(Testing, 1, s.test) {
			return nil, false
		}
	}
}

// drop skips the first pair of the list.
func (s *Search) drop(reason SkipReason) {
	s.skip(s.pairs[0], reason)
	s.uncache(s.pairs[0])
	s.pairs = s.pairs[1:]
}

// confirm tests a pair for noise of any size, and for rows that depend on each other. The
// larger of the two p values counts. Without groups, the rows are tested one by one and, if
// rows that follow each other are alike, in blocks that are longer than that lasts. If too
// few rows are independent for a test, the pair is skipped.
func (s *Search) confirm(c *candidate) bool {
	length := 1
	for {
		clusters := s.clusters(length)
		t := s.robustTest(c)
		done := s.each(Testing, len(clusters), func(at int) {
			t.add(clusters[at])
			if s.rows.Group == nil && s.rows.Place != nil && length == 1 {
				t.follow(clusters[at][0])
			}
		})
		if !done {
			return false
		}
		logP := t.logP()
		if t.largest > 1 && (t.count < fewestClusters || logP == 0) {
			s.drop(Dependent)
			s.result.Dependent++
			return true
		}
		c.tested.logP, c.tested.robust = max(c.tested.logP, logP), true
		reach := t.reach()
		if length == 1 {
			reach = max(reach, s.stretch(c))
		}
		if reach == 0 {
			return true
		}
		length = blockLengths * reach
	}
}

// refine adds fine hats to the main effects of a pair's numbers.
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

// measure measures each named pair beside the fine main effects and the pairs before it,
// with the noise that all pairs leave.
func (s *Search) measure() bool {
	r := s.basis.residual
	noiseDF := int(s.basis.rows) - s.basis.rank()
	noise := max(kernel.Dot(r, r), leastNoise*s.basis.rows) / float64(max(noiseDF, 1))
	for _, fine := range s.fine {
		if fine != nil && len(s.named) > 0 {
			s.main.extend(fine, &s.scratch)
		}
	}
	s.main.fit()
	return s.each(Measuring, len(s.named), func(at int) {
		c := s.named[at]
		c.advance(s.main, &s.scratch)
		last := c.solve(s.main, &s.scratch)
		s.result.Named = append(s.result.Named, s.measured(c, last, noise, noiseDF, s.main.rank()))
		c.purified = purified{}
		s.main.extend(c.block, &s.scratch)
		s.main.fit()
	})
}

// measured returns a named pair from its last test and the noise that all pairs leave. After
// purification by rank features, products keep by chance only the share (rows − rank)/rows
// of their variance.
func (s *Search) measured(c *candidate, last solution, noise float64, noiseDF, rank int) Named {
	rows, df := s.basis.rows-float64(rank), float64(last.df)
	f := 0.0
	if last.df > 0 {
		f = last.sum / df / noise
	}
	share := func(sum float64) float64 { return min(max(sum/rows, 0), 1) }
	low, high := noncentrality(f, df, float64(noiseDF))
	return Named{
		P: c.p, Q: c.q, PValue: math.Exp(c.tested.logP), LogP: c.tested.logP,
		F: f, DF: last.df, NoiseDF: noiseDF,
		Share: share(last.sum - float64(df*noise)), Low: share(low * noise), High: share(high * noise),
	}
}
