package trees

// least is the share of the scores of a leaf's children that their parent's must
// be below to count as a gain: a hundred times what rounding makes of them.
const least = 1e-13

// search finds the best split of a leaf: the one of highest gain
//
//	G_left²/(n_left + λ) + G_right²/(n_right + λ) − G²/(n + λ)
//
// or with the sums of bends in place of n,
//
// over all columns, all bins and both ways for missing cells, the first of those
// that gain alike. O(bins of all columns).
func (g *grower) search(l *leaf) {
	parent := g.score(l.total)
	best := parent * (1 + least)
	for j := range g.bins {
		h := l.bins[g.start[j]:g.start[j+1]]
		if g.curves != nil {
			for _, missingLeft := range [...]bool{false, true} {
				if missingLeft && h[0] == 0 {
					continue
				}
				if bin, left, score := g.scanCurves(l, j, missingLeft, best); bin > 0 {
					best = score
					missingLeft = missingLeft || h[0] == 0 && 2*g.count(left.packed) > g.count(l.total.packed)
					l.best = split{column: int32(j), bin: bin, left: left, missingLeft: missingLeft}
				}
			}
			continue
		}
		if bin, left, score := g.scan(h, 0, l.total.packed, best); bin > 0 {
			best = score
			l.best = split{column: int32(j), bin: bin, left: totals{packed: left}, missingLeft: h[0] == 0 && 2*g.count(left) > g.count(l.total.packed)}
		}
		if h[0] == 0 {
			continue
		}
		if bin, left, score := g.scan(h, h[0], l.total.packed, best); bin > 0 {
			best = score
			l.best = split{column: int32(j), bin: bin, left: totals{packed: left}, missingLeft: true}
		}
	}
	if l.best.bin > 0 {
		l.best.gain = best - parent
	}
}

// scan finds the bin up to which a column's values go left, together with first,
// for the highest score above best. It returns bin 0 if there is none.
func (g *grower) scan(h []int64, first, total int64, best float64) (bin uint8, left int64, score float64) {
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
		// g.score, written out: this is the innermost loop.
		sum, rest := float64(goes>>low), float64(stays>>low)
		if s := sum*sum/float64(n+penalty) + rest*rest/float64(stays&mask+penalty); s > best {
			best, bin, left = s, uint8(b), goes
		}
	}
	return bin, left, best
}
