package solve

import (
	"math"

	"ifmlab/core/kernel"
)

// weighing is how the rows of a fit count: their weights c, and of the logistic loss
// what a step of Newton's needs of each, which follows the residuals y − f.
type weighing struct {
	loss      Loss
	sign      float64   // of the residuals: 1 where they are y − f, −1 where f − y
	y, weight []float64 // weight is nil for 1 each
	total     float64   // of the weights

	bends  []float64 // n: c, or c·p(1 − p); nil where they are 1
	slopes []float64 // n: c·(y − p); nil of the squared loss
	costs  []float64 // n: c·loss; nil of the squared loss

	scratch []float64    // n: what dot weighs
	trial   [3][]float64 // n: costs, slopes and bends of a step that is tried
}

const (
	// farthest is what one step may move the log-odds of a row by: the quadratic model
	// of the loss is no guide there.
	farthest = 8
	// sure is the share of the loss below which what a step is to win is hidden by the
	// rounding of the loss: such a step is taken, if it moves no row by more than 1.
	sure = 1e-12
	// wins is the least share of what its slope promises that a step has to win.
	wins = 1e-4
)

// begin takes the rows of a problem and their residuals, sign·(y − f).
func (w *weighing) begin(loss Loss, b Batch, r []float64, sign float64) {
	n := len(b.Y)
	w.sign = sign
	w.loss, w.y, w.weight, w.total = loss, b.Y, b.Weight, float64(n)
	w.bends, w.slopes, w.costs = nil, nil, nil
	if b.Weight != nil {
		w.bends, w.total, w.scratch = b.Weight, kernel.Sum(b.Weight), grown(w.scratch, n)
	}
	if loss == Logistic {
		w.bends, w.slopes, w.costs = make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range w.trial {
			w.trial[i] = grown(w.trial[i], n)
		}
		w.settle(r)
	}
}

// row returns the cost, the slope downwards and the bend of row i at the log-odds f.
func (w *weighing) row(i int, f float64) (cost, slope, bend float64) {
	cost, slope, bend = kernel.LogLossSlopes(f, w.y[i])
	if w.weight != nil {
		c := w.weight[i]
		return c * cost, -c * slope, c * bend
	}
	return cost, -slope, bend
}

// settle brings costs, slopes and bends up to the residuals.
func (w *weighing) settle(r []float64) {
	if w.loss != Logistic {
		return
	}
	for i := range w.y {
		w.costs[i], w.slopes[i], w.bends[i] = w.row(i, w.odds(r, i))
	}
}

// odds returns f of row i.
func (w *weighing) odds(r []float64, i int) float64 { return w.y[i] - float64(w.sign*r[i]) }

// progress adds to what is so of squares what the logistic loss has in its place.
func (w *weighing) progress(p Progress, loss, penalty float64) Progress {
	if w.loss == Logistic {
		p.Loss, p.LogLoss = loss+penalty/2, loss/w.total
	}
	return p
}

// dot returns Σ c·x·y.
func (w *weighing) dot(x, y []float64) float64 {
	if w.weight == nil {
		return kernel.Dot(x, y)
	}
	kernel.RowScale(w.scratch, w.weight, x, 1)
	return kernel.Dot(w.scratch, y)
}

// mean returns Σ c·x/Σ c.
func (w *weighing) mean(x []float64) float64 {
	if w.weight == nil {
		return kernel.Sum(x) / w.total
	}
	return kernel.Dot(w.weight, x) / w.total
}

// losses returns the sum of costs, 0 of the squared loss, and Σ c·r², of the logistic
// loss that of y − p.
func (w *weighing) losses(r []float64) (loss, squares float64) {
	if w.loss != Logistic {
		return 0, w.dot(r, r)
	}
	for i, s := range w.slopes {
		if w.weight == nil {
			squares += float64(s * s)
		} else if c := w.weight[i]; c > 0 {
			squares += s / c * s
		}
	}
	return kernel.Sum(w.costs), squares
}

// level moves the log-odds of all rows by a step of Newton's and returns it.
func (w *weighing) level(r []float64) float64 {
	slope, bend := kernel.Sum(w.slopes), kernel.Sum(w.bends)
	if !(bend > 0) {
		return 0
	}
	by := make([]float64, len(r))
	for i := range by {
		by[i] = slope / bend
	}
	t := w.shorten(r, nil, by, -slope*slope/bend, 0, 0) * by[0]
	for i := range r {
		r[i] -= float64(w.sign * t)
	}
	return t
}

// shorten returns the largest of 1, ½, ¼, ... by which a step that moves the log-odds
// of some rows, nil for all, by so much lowers the objective enough, and brings
// costs, slopes and bends up to that, not r. The objective has the slope along at the
// start of the step, and with t of it the penalty grows by t·linear + ½t²·square.
func (w *weighing) shorten(r []float64, rows []int32, by []float64, along, linear, square float64) float64 {
	most, size := 0.0, 0.0
	for e, v := range by {
		most = max(most, math.Abs(v))
		size += w.costs[place(rows, e)]
	}
	if !(most > 0) { // the penalty may win still
		return 1
	}
	t := 1.0
	for most*t > farthest && !math.IsInf(most, 1) {
		t /= 2
	}
	for ; t > 1e-30; t /= 2 {
		change := float64(t*linear) + float64(t*t*square)/2
		for e, v := range by {
			i := place(rows, e)
			cost, slope, bend := w.row(i, w.odds(r, i)+float64(t*v))
			w.trial[0][e], w.trial[1][e], w.trial[2][e] = cost, slope, bend
			change += cost - w.costs[i]
		}
		if change <= wins*t*along || most <= 1 && math.Abs(along) <= sure*size {
			for e := range by {
				i := place(rows, e)
				w.costs[i], w.slopes[i], w.bends[i] = w.trial[0][e], w.trial[1][e], w.trial[2][e]
			}
			return t
		}
	}
	return 0
}

// place returns the row of an element of a column that is other than 0 in rows, nil
// for all.
func place(rows []int32, e int) int {
	if rows == nil {
		return e
	}
	return int(rows[e])
}

// along returns the quadratic model of the loss where log-odds move by t·p + t²·q, q
// being nil for 0.
func (w *weighing) along(p, q []float64) quartic {
	line := quartic{a: -kernel.Dot(w.slopes, p)}
	if q != nil {
		line.b = -kernel.Dot(w.slopes, q)
	}
	for i, h := range w.bends {
		line.b += float64(float64(h*p[i])*p[i]) / 2
	}
	return line
}

// search returns a t > 0 at which the objective is lower than at 0, where log-odds
// move by t·p + t²·q, q being nil for 0, and the penalty by t·slope + ½t²·bend, or 0: from where it is told
// to begin it goes on as long as it goes down, doubling t, or back.
func (w *weighing) search(r, p, q []float64, begin, slope, bend float64) float64 {
	if !(begin > 0) || math.IsInf(begin, 1) {
		begin = 1
	}
	most := 0.0
	for _, v := range p {
		most = max(most, math.Abs(v))
	}
	for begin*most > farthest && !math.IsInf(most, 1) {
		begin /= 2
	}
	best, lowest := 0.0, 0.0
	for t, tried := begin, 0; tried < 6; tried++ {
		change := float64(t*slope) + float64(t*t*bend)/2
		for i, y := range w.y {
			f := w.odds(r, i) + float64(t*p[i])
			if q != nil {
				f += float64(t * t * q[i])
			}
			cost := kernel.LogLoss(f, y)
			if w.weight != nil {
				cost *= w.weight[i]
			}
			change += cost - w.costs[i]
		}
		switch {
		case change < lowest:
			best, lowest = t, change
			t *= 2
		case best > 0:
			return best
		default:
			t /= 4
		}
	}
	return best
}
