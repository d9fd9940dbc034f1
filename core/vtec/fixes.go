package vtec

import (
	"math"
	"math/rand/v2"
	"slices"

	"ifmlab/core/vtec/position"
	"ifmlab/core/vtec/sky"
)

// attempts is how many times noise is drawn for each neighbour in a window. What
// windows differ by is several times of what chance in one leaves after so many.
const attempts = 20

// alike is the standard deviation that positions believe a predicted delay to be off
// by, where all methods are believed alike, metres.
const alike = .015

// own is that of each method: the root mean square error of its delays along the
// signals, with both systems of satellites, on the five days before the test days of
// the simulator's seeds 1 to 4.
var own = [Methods]float64{Ridge: .0220, LASSO: .0222, ElasticNet: .0224, Kernel: .0228, FM: .0179, IFM: .0184, GFM: .0220, Cubic: .0121, Kriging: .0106}

// believed returns how far a position believes a method to be off.
func (s *Settings) believed(m Method) float64 {
	if s.OwnErrors {
		return own[m]
	}
	return alike
}

// Fix is what became of the attempts to fix the test station's position in one
// window.
type Fix struct {
	Satellites int
	Tried      int     // attempts, with the same noise for every method
	Fixed      []int32 // positions fixed and within 1 cm, a method each
	None       int32   // the same with no correction at all
	Perfect    int32   // and with the true delays
	Unfinished int     // searches for integers given up; they count as not fixed
	Unusable   string  // why the window cannot be used, as a sentence; "" where it can
}

// forFixes returns the source that positions are fixed with: of a simulator the
// one with both systems of satellites, however many the other windows have, which
// in all other respects is the same; any other as it is.
func forFixes(source sky.Source) sky.Source {
	if s, ok := source.(*sky.Simulator); ok {
		return s.Both()
	}
	return source
}

// slant returns the snapshot with delays along the signals in place of vertical
// ones.
func slant(s sky.Snapshot) sky.Snapshot {
	points := make([]sky.Point, len(s.Points))
	for i, p := range s.Points {
		p.Delay /= math.Cos(p.Zenith)
		p.Clean /= math.Cos(p.Zenith)
		points[i] = p
	}
	return sky.Snapshot{Satellites: s.Satellites, Points: points}
}

// truth returns what is known of the j-th double difference of Test: what it is
// without noise or, where nobody knows that, what was observed.
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

// fix tries to fix the position of the test station, by the model of [position.Baseline],
// from each of the stations that it is joined to in turn. The window is one of
// delays along the signals. What a method predicts of their differences, less the
// truth, is what a position suffers from, beside noise of code and phase that is the
// same for every method. A position takes each method's delays for as good as believed
// says, and no correction and the true delays for as good as all are where they are
// believed alike.
//
// Its errors are those of predict, and an [*sky.UnusableError] where the satellites'
// directions leave the position open. Beside the predictions it costs 20 searches
// of some 5 µs a neighbour and method, and two more a neighbour.
func (w *Window) fix(net *sky.Network, methods []Method, believed func(m Method) float64, predict func(dst []float64, m Method) error, noise *rand.Rand) (Fix, error) {
	var satellites []position.Direction
	reference := 0
	for i := range w.M {
		if !w.tests(i) {
			continue
		}
		if i == w.Reference {
			reference = len(satellites)
		}
		p := &w.points[i*w.stations+net.Test]
		satellites = append(satellites, position.Direction{Azimuth: p.Azimuth, Elevation: p.Elevation})
	}
	if n := len(satellites); n < sky.FewestSatellites {
		return Fix{}, unusable("satellites in view of the test station: %d, want at least %d", n, sky.FewestSatellites)
	}
	var baselines []*position.Baseline
	var beliefs []float64 // of baselines
	of := make([]int, len(methods)+1)
	for k := range of {
		sd := alike // of none and perfect, the last
		if k < len(methods) {
			sd = believed(methods[k])
		}
		if of[k] = slices.Index(beliefs, sd); of[k] >= 0 {
			continue
		}
		b, err := position.NewBaseline(satellites, reference, sd)
		if err != nil {
			return Fix{}, unusable("the directions of %d satellites leave the position open, want them spread over the sky", len(satellites))
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
	f := Fix{Satellites: w.M, Tried: attempts * edges, Fixed: make([]int32, len(methods))}
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

// Fixed is the row of the table about positions, over all windows that could be
// used.
type Fixed struct {
	Windows, Tried int       // attempts in all of them
	Percent        []float64 // of the attempts that are successes, a method each
	None, Perfect  float64   // the same with no correction, and with the true delays
	// Standard errors, in points, of Percent and of Percent less that of the first
	// method, which is smaller because methods share windows and noise. They are from
	// what windows differ by, which are taken for independent.
	Error, Lead []float64
}

// TabulateFixes sums up what became of the windows for some number of methods. NaN
// stands for what too few windows do not tell. It adds in the order of fixes; the
// page does all the same in web/src/lesson/vtec/tally.ts, to the bit.
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

// share returns the share of the attempts by which one method has more successes
// than another, and its standard error: with dᵢ more of nᵢ attempts in the i-th of
// N windows, n of all,
//
//	s = Σdᵢ/n   √(Σ((dᵢ − s·nᵢ)·N/n)²/(N·(N−1)))
//
// so that windows count by their attempts.
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
