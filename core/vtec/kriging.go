package vtec

import (
	"math"

	"ifmlab/core/kernel"
	"ifmlab/core/linear"
)

// The least parameters of kriging. The length, km, keeps points apart. The noise keeps the
// covariance of differences positive definite.
const (
	leastLength = 1
	leastNoise  = 1e-3
)

// shell is the distance of the pierce points from the centre of the Earth, km.
const shell = 6371 + 400

// trends is the number of functions of the place in the trend of kriging.
const trends = 5

// kriging predicts the test differences by universal kriging, which is not in the paper.
// The vertical delays of all satellites are one field over the shell,
//
//	v(x) = β₀ + β₁x₁ + β₂x₂ + β₃x₁² + β₄x₁x₂ + β₅x₂² + f(x) + e(x)
//	cov(f(x), f(x′)) = (1 + √3·r/L)·exp(−√3·r/L)        Matérn, ν = 3/2
//	var(e(x)) = Noise²·cos²θ/sin²ε
//
// with x₁ and x₂ to the east and the north of the middle of the training points, r the
// straight distance between two points, L the length, θ and ε the signal's zenith angle at
// the shell and elevation. Noise is the standard deviation of a slant delay's noise at the
// zenith, in units of f's; only the ratio matters. e is independent from point to point.
// So double differences that share a point share its noise, test with training ones too.
// Let S be the covariance of the training differences y and F their trends, and let c and
// f be the covariance and trends of a test difference. Then
//
//	ŷ = fᵀβ + cᵀS⁻¹(y − Fβ)    β = (FᵀS⁻¹F)⁻¹FᵀS⁻¹y
//
// β₀ cancels. For delays along the signals it does not quite, but changes errors only by a
// hundredth and is left out too. Differences around a triangle add up to 0, so y are those
// of a spanning forest of the edges: r for each satellite except the reference. Delays
// along the signals are the field divided by cos θ.
//
// It returns a [*TuningError], or an [*invalid.NotFiniteError] if S is not positive
// definite. With p points and n = r·(M−1) it costs O(p²) exponentials, O(n·p + n³/3), and
// (n + p)² numbers. The last bits of exponentials depend on the machine, as for kernel
// ridge.
func (w *Window) kriging(dst []float64, length, noise float64) error {
	if !(length >= leastLength) || math.IsInf(length, 1) {
		return &TuningError{Kriging, "length", length}
	}
	if !(noise >= leastNoise) || math.IsInf(noise, 1) {
		return &TuningError{Kriging, "noise", noise}
	}
	covariance, trend := w.field(length, noise)
	points := len(w.points)
	rows := w.spanningDifferences()
	n := len(rows)
	// Of the training differences with the points, then with each other.
	with := make([]float64, n*points)
	s, scale := make([]float64, n*n), make([]float64, n)
	for i, d := range rows {
		to := with[i*points:][:points]
		for j, p := range d.Points {
			kernel.Axpy(signs[j], covariance[int(p)*points:][:points], to)
		}
		for j := range i + 1 {
			s[i*n+j] = rows[j].of(to)
		}
		scale[i] = 1 / math.Sqrt(s[i*n+i])
	}
	for i := range n {
		for j := range i + 1 {
			s[i*n+j] *= scale[i] * scale[j]
		}
	}
	l, ok := linear.NewCholesky(s, n)
	if !ok {
		return notFinite(Kriging)
	}
	// L⁻¹ of the trends, then of y.
	white := make([]float64, (trends+1)*n)
	for i, d := range rows {
		for t := range trends {
			white[t*n+i] = scale[i] * d.of(trend[t*points:][:points])
		}
		white[trends*n+i] = scale[i] * d.of(w.observedDelays())
	}
	l.Forward(white, trends+1)
	y := white[trends*n:]
	beta, ok := leastSquares(white[:trends*n], y)
	if !ok {
		return notFinite(Kriging)
	}
	for t, b := range beta {
		kernel.Axpy(-b, white[t*n:][:n], y)
	}
	l.Backward(y)
	// The prediction at every point.
	at := make([]float64, points)
	for i := range rows {
		kernel.Axpy(scale[i]*y[i], with[i*points:][:points], at)
	}
	for t, b := range beta {
		kernel.Axpy(b, trend[t*points:][:points], at)
	}
	for i, d := range w.Test {
		dst[i] = d.of(at)
		if dst[i]-dst[i] != 0 {
			return notFinite(Kriging)
		}
	}
	return nil
}

// of returns the double difference of values at the points.
func (d *Difference) of(values []float64) (sum float64) {
	for k, p := range d.Points {
		sum += float64(signs[k] * values[p])
	}
	return sum
}

// observedDelays returns the delays at the points.
func (w *Window) observedDelays() []float64 {
	if w.delayValues == nil {
		w.delayValues = make([]float64, len(w.points))
		for p := range w.points {
			w.delayValues[p] = w.points[p].Delay
		}
	}
	return w.delayValues
}

// field returns the covariance of the points' delays, points×points, in units of the
// field's variance. It also returns the trends, trends×points, each of mean square 1 over
// the training points.
func (w *Window) field(length, noise float64) (covariance, trend []float64) {
	n := len(w.points)
	at, x, y := w.local()
	covariance, trend = make([]float64, n*n), make([]float64, trends*n)
	for p := range n {
		q := &w.points[p]
		for i := range p + 1 {
			square := 0.0
			for c, v := range at[p] {
				square += float64((v - at[i][c]) * (v - at[i][c]))
			}
			r := math.Sqrt(3*square) / length
			v := (1 + r) * math.Exp(-r)
			if i == p {
				sd := noise * math.Cos(q.Zenith) / math.Sin(q.Elevation)
				v += float64(sd * sd)
			}
			v *= w.slantFactor(p) * w.slantFactor(i)
			covariance[p*n+i], covariance[i*n+p] = v, v
		}
		for t, v := range [trends]float64{x[p], y[p], x[p] * x[p], x[p] * y[p], y[p] * y[p]} {
			trend[t*n+p] = v * w.slantFactor(p)
		}
	}
	for t := range trends {
		w.scale(trend[t*n:][:n])
	}
	return covariance, trend
}

// scale divides values at the points by their root mean square over the training points,
// unless that is 0.
func (w *Window) scale(values []float64) {
	squares, count := 0.0, 0
	for p, v := range values {
		if p%w.stations != w.test {
			squares += float64(v * v)
			count++
		}
	}
	if squares > 0 {
		by := 1 / math.Sqrt(squares/float64(count))
		for p := range values {
			values[p] *= by
		}
	}
}

// slantFactor returns the ratio of a point's delay to a vertical one.
func (w *Window) slantFactor(point int) float64 {
	if w.slant {
		return 1 / math.Cos(w.points[point].Zenith)
	}
	return 1
}

// local returns the places of the points, km: from the centre of the Earth, and to the east
// and the north of the middle of the training points.
func (w *Window) local() (at [][3]float64, x, y []float64) {
	const radian = math.Pi / 180
	var middle [3]float64
	for p := range w.points {
		sinP, cosP := math.Sincos(w.points[p].Lat * radian)
		sinL, cosL := math.Sincos(w.points[p].Lon * radian)
		at = append(at, [3]float64{shell * cosP * cosL, shell * cosP * sinL, shell * sinP})
		if p%w.stations != w.test {
			for c, v := range at[p] {
				middle[c] += v
			}
		}
	}
	lat, lon := math.Atan2(middle[2], math.Hypot(middle[0], middle[1])), math.Atan2(middle[1], middle[0])
	sinP, cosP := math.Sincos(lat)
	sinL, cosL := math.Sincos(lon)
	for _, p := range at {
		out := float64(p[0]*cosL) + float64(p[1]*sinL)
		x = append(x, float64(p[1]*cosL)-float64(p[0]*sinL))
		y = append(y, float64(p[2]*cosP)-float64(out*sinP))
	}
	return at, x, y
}

// spanningDifferences returns the training differences on a spanning forest of the edges
// between training stations. All others are sums of them.
func (w *Window) spanningDifferences() (rows []Difference) {
	root := make([]int, w.stations)
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			i = root[i]
		}
		return i
	}
	on := make([]bool, len(w.edges))
	for i, e := range w.edges {
		if a, b := find(e[0]), find(e[1]); a != b && e[0] != w.test && e[1] != w.test {
			root[b], on[i] = a, true
		}
	}
	for _, d := range w.Train {
		if on[d.Edge] {
			rows = append(rows, d)
		}
	}
	return rows
}

// leastSquares returns the β of min ‖y − Σ βᵢ·columnᵢ‖², for columns one after the other. A
// penalty of 1e-9 of their mean square makes β unique.
func leastSquares(columns, y []float64) (beta []float64, ok bool) {
	n := len(y)
	k := len(columns) / n
	gram, right := make([]float64, k*k), make([]float64, k)
	total := 0.0
	for i := range k {
		a := columns[i*n:][:n]
		for j := range i + 1 {
			gram[i*k+j] = kernel.Dot(a, columns[j*n:][:n])
		}
		right[i] = kernel.Dot(a, y)
		total += gram[i*k+i]
	}
	if total == 0 {
		return right, true
	}
	by := float64(k) / total
	for i := range k {
		for j := range i + 1 {
			gram[i*k+j] *= by
		}
		gram[i*k+i] += 1e-9
		right[i] *= by
	}
	l, ok := linear.NewCholesky(gram, k)
	if ok {
		l.Forward(right, 1)
		l.Backward(right)
	}
	return right, ok
}
