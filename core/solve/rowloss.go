package solve

import (
	"math"

	"ifmlab/core/kernel"
)

// rowLoss is the loss of the rows of a fit, with their weights c. For the logistic loss
// it holds the derivatives of each row, which a Newton step needs.
type rowLoss struct {
	kind      Loss
	sign      float64   // 1 if residuals are y − f, −1 if they are f − y
	y, weight []float64 // weight is nil for 1 each
	total     float64   // of the weights
	offset    []float64 // n: log-odds less those of the model; nil for 0

	hessian  []float64 // n: c, or c·p(1 − p); nil if all are 1
	gradient []float64 // n: c·(y − p), the downward slope; nil for the squared loss
	loss     []float64 // n: c·loss; nil for the squared loss

	scratch   []float64    // n: of dot
	candidate [3][]float64 // n: loss, gradient and hessian after a trial step
}

const (
	// longestStep is the most that a step may move the log-odds of a row. Beyond it the
	// quadratic model of the loss is no guide.
	longestStep = 8
	// lossRounding is a share of the loss. The gain of a smaller step is lost in the
	// rounding of the loss. Such a step is taken if it moves no row by more than 1.
	lossRounding = 1e-12
	// leastWin is the least gain of a step, as a share of what its slope promises.
	leastWin = 1e-4
)

// begin sets the rows of a problem and their residuals, sign·(y − f).
func (w *rowLoss) begin(loss Loss, b Batch, r []float64, sign float64) {
	n := len(b.Y)
	w.sign = sign
	w.kind, w.y, w.weight, w.total = loss, b.Y, b.Weight, float64(n)
	w.hessian, w.gradient, w.loss = nil, nil, nil
	if b.Weight != nil {
		w.hessian, w.total, w.scratch = b.Weight, kernel.Sum(b.Weight), resized(w.scratch, n)
	}
	if loss == Logistic {
		w.hessian, w.gradient, w.loss = make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range w.candidate {
			w.candidate[i] = resized(w.candidate[i], n)
		}
		w.update(r)
	}
}

// at returns loss, downward slope and second derivative of row i at the log-odds f.
func (w *rowLoss) at(i int, f float64) (cost, slope, bend float64) {
	cost, slope, bend = kernel.LogLossSlopes(f, w.y[i])
	if w.weight != nil {
		c := w.weight[i]
		return c * cost, -c * slope, c * bend
	}
	return cost, -slope, bend
}

// update sets loss, gradient and hessian from the residuals.
func (w *rowLoss) update(r []float64) {
	if w.kind != Logistic {
		return
	}
	for i := range w.y {
		w.loss[i], w.gradient[i], w.hessian[i] = w.at(i, w.logOdds(r, i))
	}
}

// logOdds returns f of row i.
func (w *rowLoss) logOdds(r []float64, i int) float64 {
	f := w.y[i] - float64(w.sign*r[i])
	if w.offset != nil {
		f += w.offset[i]
	}
	return f
}

// progress replaces the squared loss in p by the logistic loss of a logistic fit.
func (w *rowLoss) progress(p Progress, loss, penalty float64) Progress {
	if w.kind == Logistic {
		p.Loss, p.LogLoss = loss+penalty/2, loss/w.total
	}
	return p
}

// dot returns Σ c·x·y.
func (w *rowLoss) dot(x, y []float64) float64 {
	if w.weight == nil {
		return kernel.Dot(x, y)
	}
	kernel.RowScale(w.scratch, w.weight, x, 1)
	return kernel.Dot(w.scratch, y)
}

// mean returns Σ c·x/Σ c.
func (w *rowLoss) mean(x []float64) float64 {
	if w.weight == nil {
		return kernel.Sum(x) / w.total
	}
	return kernel.Dot(w.weight, x) / w.total
}

// sums returns Σ c·loss, 0 for the squared loss, and Σ c·r², with r = y − p for the
// logistic loss.
func (w *rowLoss) sums(r []float64) (loss, squares float64) {
	if w.kind != Logistic {
		return 0, w.dot(r, r)
	}
	for i, s := range w.gradient {
		if w.weight == nil {
			squares += float64(s * s)
		} else if c := w.weight[i]; c > 0 {
			squares += s / c * s
		}
	}
	return kernel.Sum(w.loss), squares
}

// stepIntercept moves the log-odds of all rows by one Newton step and returns it.
func (w *rowLoss) stepIntercept(r []float64) float64 {
	slope, bend := kernel.Sum(w.gradient), kernel.Sum(w.hessian)
	if !(bend > 0) {
		return 0
	}
	by := make([]float64, len(r))
	for i := range by {
		by[i] = slope / bend
	}
	t := w.backtrack(r, nil, by, -slope*slope/bend, 0, 0) * by[0]
	for i := range r {
		r[i] -= float64(w.sign * t)
	}
	return t
}

// backtrack returns the first t of 1, ½, ¼, ... that lowers the objective enough, 0 if
// none does. A step moves the log-odds of the rows, nil for all, by t·by. The objective
// has the slope along at t = 0, and the penalty grows by t·linear + ½t²·square.
// backtrack updates loss, gradient and hessian, but not r.
func (w *rowLoss) backtrack(r []float64, rows []int32, by []float64, along, linear, square float64) float64 {
	most, size := 0.0, 0.0
	for e, v := range by {
		most = max(most, math.Abs(v))
		size += w.loss[rowOf(rows, e)]
	}
	if !(most > 0) { // only the penalty changes
		return 1
	}
	t := 1.0
	for most*t > longestStep && !math.IsInf(most, 1) {
		t /= 2
	}
	for ; t > 1e-30; t /= 2 {
		change := float64(t*linear) + float64(t*t*square)/2
		for e, v := range by {
			i := rowOf(rows, e)
			cost, slope, bend := w.at(i, w.logOdds(r, i)+float64(t*v))
			w.candidate[0][e], w.candidate[1][e], w.candidate[2][e] = cost, slope, bend
			change += cost - w.loss[i]
		}
		if change <= leastWin*t*along || most <= 1 && math.Abs(along) <= lossRounding*size {
			for e := range by {
				i := rowOf(rows, e)
				w.loss[i], w.gradient[i], w.hessian[i] = w.candidate[0][e], w.candidate[1][e], w.candidate[2][e]
			}
			return t
		}
	}
	return 0
}

// rowOf returns the row of element e of a column with values in rows, nil for all.
func rowOf(rows []int32, e int) int {
	if rows == nil {
		return e
	}
	return int(rows[e])
}

// lineModel returns the quadratic model of the loss where log-odds move by t·p + t²·q. A
// nil q is 0.
func (w *rowLoss) lineModel(p, q []float64) quartic {
	line := quartic{a: -kernel.Dot(w.gradient, p)}
	if q != nil {
		line.b = -kernel.Dot(w.gradient, q)
	}
	for i, h := range w.hessian {
		line.b += float64(float64(h*p[i])*p[i]) / 2
	}
	return line
}

// lineSearch returns a t > 0 with a lower objective than t = 0, or 0. Log-odds move by
// t·p + t²·q, the penalty by t·slope + ½t²·bend; a nil q is 0. The search doubles t from
// begin as long as the objective falls, or else quarters it.
func (w *rowLoss) lineSearch(r, p, q []float64, begin, slope, bend float64) float64 {
	if !(begin > 0) || math.IsInf(begin, 1) {
		begin = 1
	}
	most := 0.0
	for _, v := range p {
		most = max(most, math.Abs(v))
	}
	for begin*most > longestStep && !math.IsInf(most, 1) {
		begin /= 2
	}
	best, lowest := 0.0, 0.0
	for t, tried := begin, 0; tried < 6; tried++ {
		change := float64(t*slope) + float64(t*t*bend)/2
		for i, y := range w.y {
			f := w.logOdds(r, i) + float64(t*p[i])
			if q != nil {
				f += float64(t * t * q[i])
			}
			cost := kernel.LogLoss(f, y)
			if w.weight != nil {
				cost *= w.weight[i]
			}
			change += cost - w.loss[i]
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
