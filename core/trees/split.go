package trees

// minGain is the smallest gain, as a share of the leaf's own score: a hundred times the
// rounding of scores.
const minGain = 1e-13

// search finds the best split of a leaf: the one of highest gain
//
//	G_left²/(n_left + λ) + G_right²/(n_right + λ) − G²/(n + λ)
//
// over all columns, all bins and both sides for missing cells. G is a sum of residuals and
// n a number of rows; with newton they are sums of gradients and second derivatives. The
// first of several equal gains counts. O(bins of all columns).
func (g *grower) search(l *leaf) {
	parent := g.score(l.total)
	best := parent * (1 + minGain)
	for j := range g.bins {
		missing := l.bins[g.start[j]]
		for _, missingLeft := range [...]bool{false, true} {
			if missingLeft && missing == 0 {
				continue
			}
			bin, left, score := g.scan(l, j, missingLeft, best)
			if bin == 0 {
				continue
			}
			best = score
			if missing == 0 { // missing cells of other rows go with the majority
				missingLeft = 2*g.count(left.packed) > g.count(l.total.packed)
			}
			l.best = split{column: int32(j), bin: bin, left: left, missingLeft: missingLeft}
		}
	}
	if l.best.bin > 0 {
		l.best.gain = best - parent
	}
}

// scan finds the bin of column j up to which values go left for the highest score above
// best. It returns bin 0 if there is none.
func (g *grower) scan(l *leaf, j int, missingLeft bool, best float64) (bin uint8, left sums, score float64) {
	lo, hi, width := g.start[j], g.start[j+1], g.width()
	h := l.bins[lo:hi]
	if g.newton == nil {
		first := h[0]
		if !missingLeft {
			first = 0
		}
		bin, left.packed, score = g.scanCounts(h, first, l.total.packed, best)
		return bin, left, score
	}
	hessians := l.bins[width+lo : width+hi]
	var weights []int64
	if g.weighted() {
		weights = l.bins[2*width+lo : 2*width+hi]
	}
	var goes sums
	for b, packed := range h {
		if packed == 0 || b == 0 && !missingLeft {
			continue
		}
		goes.packed += packed
		goes.hessian += hessians[b]
		if weights != nil {
			goes.weight += weights[b]
		}
		if b == 0 || !g.enough(goes) {
			continue
		}
		stays := l.total.minus(goes)
		if !g.enough(stays) {
			break
		}
		if s := g.score(goes) + g.score(stays); s > best {
			best, bin, left = s, uint8(b), goes
		}
	}
	return bin, left, best
}

// scanCounts is scan for squares without weights, with first on the left. One loop for
// both would make these trees take 1.4 times as long.
func (g *grower) scanCounts(h []int64, first, total int64, best float64) (bin uint8, left int64, score float64) {
	low, mask, most := g.low&63, g.mask(), total&g.mask()-g.minRows
	goes := first
	for b := 1; b < len(h); b++ {
		if h[b] == 0 { // no rows: as the bin before
			continue
		}
		goes += h[b]
		n := goes & mask
		if n < g.minRows {
			continue
		}
		if n > most {
			break
		}
		stays := total - goes
		sum, rest := float64(goes>>low), float64(stays>>low)
		if s := sum*sum/float64(n+penalty) + rest*rest/float64(stays&mask+penalty); s > best {
			best, bin, left = s, uint8(b), goes
		}
	}
	return bin, left, best
}
