package vtec

import (
	"math"
	"math/rand/v2"
	"slices"

	"ifmlab/core/vtec/position"
	"ifmlab/core/vtec/sky"
)

// fixAttempts is the number of draws of noise for each neighbour in a window. After so many,
// windows differ by several times more than chance explains.
const fixAttempts = 20

// commonError is the standard deviation that positions assume for a predicted delay of any
// method, metres.
const commonError = .015

// ownErrors has the standard deviation of each method: the root mean square error of its
// delays along the signals, with both systems of satellites, on the five days before the
// test days of the simulator's seeds 1 to 4.
var ownErrors = [Methods]float64{Ridge: .0220, LASSO: .0222, ElasticNet: .0224, Kernel: .0228, FM: .0179, IFM: .0184, GFM: .0220, Kriging: .0106}

// believed returns the standard deviation that positions assume for a method.
func (s *Settings) believed(m Method) float64 {
	if s.OwnErrors {
		return ownErrors[m]
	}
	return commonError
}

// Fix has the results of the attempts to fix the test station's position in one window.
type Fix struct {
	Satellites int
	Tried      int     // attempts, with the same noise for every method
	Fixed      []int32 // positions fixed to within 1 cm, for each method
	None       int32   // without a correction
	Perfect    int32   // with the true delays
	Unfinished int     // incomplete searches for integers; they count as not fixed
	Unusable   string  // why the window is of no use, as a sentence; or ""
}

// forFixes returns the source for positions: a simulator with both systems of satellites, any
// other source unchanged.
func forFixes(source sky.Source) sky.Source {
	if s, ok := source.(*sky.Simulator); ok {
		return s.Both()
	}
	return source
}

// slant returns the snapshot with delays along the signals instead of vertical ones.
func slant(s sky.Snapshot) sky.Snapshot {
	points := make([]sky.Point, len(s.Points))
	for i, p := range s.Points {
		p.Delay /= math.Cos(p.Zenith)
		p.Clean /= math.Cos(p.Zenith)
		points[i] = p
	}
	return sky.Snapshot{Satellites: s.Satellites, Points: points}
}

// truth returns the j-th double difference of Test without noise, or the observed one if the
// noise is unknown.
func (w *Window) truth(j int) float64 {
	sum := 0.0
	for k, p := range w.Test[j].Points {
		sum += float64(signs[k] * w.points[p].Clean)
	}
	if math.IsNaN(sum) {
		return w.YTest[j]
	}
	return sum
}

// fix tries to fix the position of the test station from each of its neighbours in turn, by
// the model of [position.Baseline]. The window has delays along the signals. The errors of
// a method's predicted differences disturb the position, and so does the noise of code and
// phase, which is the same for every method. A position assumes the standard deviation
// that believed returns for the method, and commonError without a correction and for the
// true delays.
//
// Its errors are those of predict, and a [*sky.UnusableError] if the satellites' directions
// do not determine the position. Besides the predictions it costs 20 searches of about
// 5 µs for each neighbour and method, and two more for each neighbour.
func (w *Window) fix(net *sky.Network, methods []Method, believed func(m Method) float64, predict func(dst []float64, m Method) error, noise *rand.Rand) (Fix, error) {
	var satellites []position.Direction
	reference := 0
	for i := range w.M {
		if !w.seenByTest(i) {
			continue
		}
		if i == w.Reference {
			reference = len(satellites)
		}
		p := &w.points[i*w.stations+net.Test]
		satellites = append(satellites, position.Direction{Azimuth: p.Azimuth, Elevation: p.Elevation})
	}
	if n := len(satellites); n < sky.FewestSatellites {
		return Fix{}, unusable("satellites in view of the test station: %d, expected at least %d", n, sky.FewestSatellites)
	}
	var baselines []*position.Baseline
	var beliefs []float64 // of baselines
	of := make([]int, len(methods)+1)
	for k := range of {
		sd := commonError // the last is for None and Perfect
		if k < len(methods) {
			sd = believed(methods[k])
		}
		if of[k] = slices.Index(beliefs, sd); of[k] >= 0 {
			continue
		}
		b, err := position.NewBaseline(satellites, reference, sd)
		if err != nil {
			return Fix{}, unusable("the directions of %d satellites do not determine a position, expected satellites spread over the sky", len(satellites))
		}
		of[k] = len(baselines)
		baselines, beliefs = append(baselines, b), append(beliefs, sd)
	}
	b := baselines[of[len(methods)]]
	// Test is in the order of the satellites, and of each in that of the edges.
	others := len(satellites) - 1
	edges := len(w.Test) / others
	parts := make([]position.Part, 0, len(methods)*edges)
	predicted, delay := make([]float64, len(w.Test)), make([]float64, others)
	for k, method := range methods {
		if err := predict(predicted, method); err != nil {
			return Fix{}, err
		}
		for e := range edges {
			for i := range delay {
				j := i*edges + e
				delay[i] = predicted[j] - w.truth(j)
				if net.Edges[w.Test[j].Edge][0] != net.Test {
					delay[i] = -delay[i] // the test station less its neighbour
				}
			}
			parts = append(parts, baselines[of[k]].Delays(delay))
		}
	}
	// With no correction, and with the true one.
	for e := range edges {
		for i := range delay {
			j := i*edges + e
			delay[i] = -w.truth(j)
			if net.Edges[w.Test[j].Edge][0] != net.Test {
				delay[i] = -delay[i]
			}
		}
		parts = append(parts, b.Delays(delay))
	}
	clear(delay)
	perfect := b.Delays(delay)
	noises := make([]position.Part, len(baselines))
	f := Fix{Satellites: w.M, Tried: fixAttempts * edges, Fixed: make([]int32, len(methods))}
	for try := range f.Tried {
		drawn := b.Draw(noise)
		for i, baseline := range baselines {
			noises[i] = baseline.Noise(drawn)
		}
		random := noises[of[len(methods)]]
		for k := range methods {
			success, ok := baselines[of[k]].Try(noises[of[k]], parts[k*edges+try%edges])
			if success {
				f.Fixed[k]++
			}
			if !ok {
				f.Unfinished++
			}
		}
		if success, _ := b.Try(random, parts[len(methods)*edges+try%edges]); success {
			f.None++
		}
		if success, _ := b.Try(random, perfect); success {
			f.Perfect++
		}
	}
	return f, nil
}

// Fixed is the table's row about positions, over all usable windows.
type Fixed struct {
	Windows, Tried int       // attempts in all of them
	Percent        []float64 // of successful attempts, for each method
	None, Perfect  float64   // without a correction, and with the true delays
	// Standard errors, in points, of Percent, and of Percent less that of the first method.
	// The latter are smaller because methods share windows and noise. They follow from the
	// differences between windows, assumed independent.
	Error, Lead []float64
}

// TabulateFixes sums up the fixes of windows. NaN stands for a number that takes more
// windows. It adds in the order of fixes. web/src/lesson/vtec/tally.ts does the same, to
// the bit.
func TabulateFixes(methods int, fixes []Fix) Fixed {
	row := Fixed{Percent: make([]float64, methods), Error: make([]float64, methods), Lead: make([]float64, methods)}
	none, perfect := 0, 0
	for _, f := range fixes {
		if f.Unusable == "" {
			row.Windows++
			row.Tried += f.Tried
			none += int(f.None)
			perfect += int(f.Perfect)
		}
	}
	row.None, row.Perfect = 100*(float64(none)/float64(row.Tried)), 100*(float64(perfect)/float64(row.Tried))
	nothing := func(Fix) int32 { return 0 }
	for k := range methods {
		own := func(f Fix) int32 { return f.Fixed[k] }
		share, e := row.share(fixes, own, nothing)
		row.Percent[k], row.Error[k] = 100*share, 100*e
		_, e = row.share(fixes, own, func(f Fix) int32 { return f.Fixed[0] })
		row.Lead[k] = 100 * e
	}
	return row
}

// share returns by what share of the attempts one method has more successes than another,
// and its standard error. With dᵢ more in nᵢ attempts of the i-th of N windows, and n in
// all,
//
//	s = Σdᵢ/n   √(Σ((dᵢ − s·nᵢ)·N/n)²/(N·(N−1)))
//
// so windows count by their attempts.
func (f *Fixed) share(fixes []Fix, one, other func(Fix) int32) (share, e float64) {
	more := 0
	for _, w := range fixes {
		if w.Unusable == "" {
			more += int(one(w) - other(w))
		}
	}
	share = float64(more) / float64(f.Tried)
	squares := 0.0
	for _, w := range fixes {
		if w.Unusable == "" {
			off := (float64(one(w)-other(w)) - float64(share*float64(w.Tried))) * (float64(f.Windows) / float64(f.Tried))
			squares += float64(off * off)
		}
	}
	return share, math.Sqrt(squares / (float64(f.Windows) * float64(f.Windows-1)))
}
