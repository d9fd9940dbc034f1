package sky

import (
	"math"

	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/order"
)

// The level of a line-of-sight TEC has an unknown bias of the receiver. It jumps if the
// receiver loses count of a signal's cycles. So only changes within an arc are used.
const (
	arcGap      = 300 // seconds: a longer gap ends an arc, unless epochs are further apart
	shortestArc = 600 // seconds from its first epoch to its last
	leastSlip   = 1.  // TECU; a cycle at both frequencies is .5, at one 1.8 or 2.3
	mostSamples = 20000
)

// arcs are the statistics of the arcs in a table of line-of-sight TEC.
type arcs struct {
	count         int // long enough
	shortCount    int
	slips         int
	links         int     // pairs of a station and a satellite
	slippingLinks int     // links with slips
	gap           float64 // seconds that end an arc
	limit         float64 // TECU beyond which a step is a slip
}

// link has the epochs of one station and one satellite, in the order of time, each once.
type link struct {
	row  []int32   // of signals
	time []float64 // seconds
	tec  []float64
}

// findArcs assigns the signals to arcs and drops those of short arcs. An arc is a series of
// epochs of one link without a gap, of five minutes or 2½ usual steps, and without a slip.
// A slip is a step that differs from the rates of the two steps before and after it by more
// than one TECU and by more than ten times the median. Such a step at the end of an arc
// belongs to none.
//
// It returns a [*fault.FileError] if no arc lasts ten minutes. It costs O(rows) if rows are
// in the order of time, else O(rows·log² rows).
func (b *recordingBuilder) findArcs() error {
	links, unsorted := b.links()
	if unsorted {
		b.notice("rows do not stand in the order of time; they were sorted")
	}
	a := &arcs{links: len(links), gap: arcGap, limit: leastSlip}
	var steps, off []float64
	stride := max(1, len(b.signals)/mostSamples)
	every := func(i int) bool { return int(uint32(i)*0x9e3779b9>>8)%stride == 0 }
	for _, l := range links {
		for i := 1; i < len(l.time); i++ {
			if every(int(l.row[i])) {
				steps = append(steps, l.time[i]-l.time[i-1])
			}
		}
	}
	a.gap = max(a.gap, 2.5*median(steps))
	runs := func(visit func(l *link, from, to int)) {
		for k := range links {
			l, from := &links[k], 0
			for i := 1; i <= len(l.time); i++ {
				if i == len(l.time) || l.time[i]-l.time[i-1] > a.gap {
					visit(l, from, i)
					from = i
				}
			}
		}
	}
	runs(func(l *link, from, to int) {
		for i := from; i+1 < to; i++ {
			if every(int(l.row[i])) {
				off = append(off, math.Abs(l.jump(i, from, to)))
			}
		}
	})
	a.limit = max(a.limit, 10*median(off))
	of := make([]int32, len(b.signals)) // the arc of each, counted from 1
	longest, whole, name := 0., false, [2]uint16{}
	runs(func(l *link, from, to int) {
		slips := a.slips
		whole = whole || l.time[to-1]-l.time[from] >= shortestArc
		begin := from
		for i := from; i < to; i++ {
			if i+1 < to && math.Abs(l.jump(i, from, to)) <= a.limit {
				continue
			}
			if i > from && i+2 < to {
				a.slips++
			}
			if i > begin {
				length := l.time[i] - l.time[begin]
				if length > longest {
					s := &b.signals[l.row[i]]
					longest, name = length, [2]uint16{s.satellite, s.station}
				}
				if length < shortestArc {
					a.shortCount++
				} else {
					a.count++
					for _, row := range l.row[begin : i+1] {
						of[row] = int32(a.count)
					}
				}
			}
			begin = i + 1
		}
		if a.slips > slips {
			a.slippingLinks++
		}
	})
	if a.count == 0 && len(links) > 0 {
		field := b.Names()[b.at[columnTEC]]
		if whole {
			return b.fail(fault.Damaged, field, message.Sprintf("%d", a.slips), "slips, jumps beyond %.3g TECU that the rate before and after does not explain: %d in %d of %d pairs of a station and a satellite, and between them no arc of %d minutes, the longest of %.1f; open a file whose phases were repaired, or one of closer epochs", a.limit, a.slips, a.slippingLinks, a.links, shortestArc/60, longest/60)
		}
		return b.fail(fault.Damaged, field, message.Sprintf("%.1f", longest/60), "the longest arc without a gap above %.3g minutes lasts %.1f minutes (%s at %s), expected at least %d, because only the change within an arc is known. Open a file that covers a longer time, or one without such gaps", a.gap/60, longest/60, shorten(b.satellites[name[0]]), shorten(b.stations[name[1]]), shortestArc/60)
	}
	kept := b.signals[:0]
	for i, s := range b.signals {
		if s.arc = of[i]; s.arc > 0 {
			kept = append(kept, s)
		}
	}
	b.signals, b.arcs = kept, a
	return nil
}

// jump returns the difference of the step from epoch i to the next from its prediction by
// the four nearest steps in from … to−1, or 0 if there are fewer than two. Each pair of
// these gives a line through their rates. Of the six predictions, jump takes the nearer of
// the middle two. So neither a rate that changes evenly nor one slip among the four makes a
// jump.
func (l *link) jump(i, from, to int) float64 {
	var at, rates [4]float64
	n := 0
	rate := func(k int) (middle, rate float64) {
		return (l.time[k] + l.time[k+1]) / 2, (l.tec[k+1] - l.tec[k]) / (l.time[k+1] - l.time[k])
	}
	for k := max(from, min(i-2, to-6)); k+1 < to && n < 4; k++ {
		if k != i {
			at[n], rates[n] = rate(k)
			n++
		}
	}
	if n < 2 {
		return 0
	}
	middle, own := rate(i)
	var off [6]float64 // of the lines, in order
	lines := 0
	for b := range n {
		for a := range b {
			slope := (rates[b] - rates[a]) / (at[b] - at[a])
			v := own - rates[a] - float64(slope*(middle-at[a]))
			k := lines
			for ; k > 0 && off[k-1] > v; k-- {
				off[k] = off[k-1]
			}
			off[k] = v
			lines++
		}
	}
	least, other := off[(lines-1)/2], off[lines/2]
	if math.Abs(other) < math.Abs(least) {
		least = other
	}
	return least * (l.time[i+1] - l.time[i])
}

// median returns the median of x, which it sorts; 0 for fewer than two numbers.
func median(x []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	order.Sort(x, compare)
	return order.Quantile(x, .5)
}

// links groups the signals by station and satellite.
func (b *recordingBuilder) links() (all []link, unsorted bool) {
	counts := make([]int, len(b.stations)*len(b.satellites)+1)
	number := func(s *signal) int { return int(s.station)*len(b.satellites) + int(s.satellite) }
	for i := range b.signals {
		counts[number(&b.signals[i])+1]++
	}
	for i := 1; i < len(counts); i++ {
		counts[i] += counts[i-1]
	}
	members, next := make([]int32, len(b.signals)), append([]int(nil), counts...)
	for i := range b.signals {
		n := number(&b.signals[i])
		members[next[n]] = int32(i)
		next[n]++
	}
	for n := range len(counts) - 1 {
		rows := members[counts[n]:counts[n+1]]
		if len(rows) == 0 {
			continue
		}
		for i := 1; i < len(rows); i++ {
			if b.signals[rows[i]].time < b.signals[rows[i-1]].time {
				order.Sort(rows, func(p, q int32) int { return int(b.signals[p].time - b.signals[q].time) })
				unsorted = true
				break
			}
		}
		l := link{row: make([]int32, 0, len(rows)), time: make([]float64, 0, len(rows)), tec: make([]float64, 0, len(rows))}
		for i, row := range rows {
			s := &b.signals[row]
			if i > 0 && s.time == b.signals[rows[i-1]].time {
				b.refuseRepeated(&b.signals[rows[i-1]], s)
				continue
			}
			l.row = append(l.row, row)
			l.time = append(l.time, float64(s.time)/1e3)
			l.tec = append(l.tec, b.slant(int(s.row)))
		}
		all = append(all, l)
	}
	return all, unsorted
}

// slant returns the TEC of a row along the signal.
func (b *recordingBuilder) slant(row int) float64 {
	v := b.Number(b.at[columnTEC], row)
	if b.los.vertical {
		v /= math.Cos(groundAngle(b.Number(b.at[columnElevation], row)*radian, b.los.height))
	}
	return v
}
