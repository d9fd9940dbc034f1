package trial

import (
	"math"

	"ifmlab/core/moment"
	"ifmlab/core/spec"
)

// Point is one point of a sweep: a run of its own.
type Point struct {
	Spec  spec.Spec // without a sweep; its trials and models are those of the sweep
	Ratio float64   // n/(d·k) as asked for
	N     int       // training rows: the ratio's, rounded, but at least 10 and no more than fit
	K     int
	Tau   float64 // τ of its columns as a population; NaN for a table
}

// points returns how many points s has. O(1).
func points(s spec.Spec) int {
	switch sweeping(s) {
	case "rank":
		return len(s.Ratios) * len(s.Ks)
	case "tau":
		return len(s.Ratios) * len(s.Taus)
	}
	return 1
}

// sweeping returns the sweep of s; a table has none.
func sweeping(s spec.Spec) string {
	if s.Source == "table" {
		return "none"
	}
	return s.Sweep
}

// Points returns the points of s, the ratios of the first rank or τ first. Cells
// i·c to (i+1)·c−1 of s, c being its trials times its models, are the cells of
// point i's own Spec, bit for bit.
//
// A sweep over τ draws "threepoint" columns unless s asks for "slider", since
// only these two have a τ to choose. O(points).
func Points(s spec.Spec) []Point {
	list := make([]Point, points(s))
	for i := range list {
		list[i] = PointAt(s, i)
	}
	return list
}

// PointAt returns point i of s.
func PointAt(s spec.Spec, i int) Point {
	sweep, plain := sweeping(s), spec.Default()
	ratio := float64(s.N) / float64(s.D*s.K)
	if sweep != "none" {
		ratio = s.Ratios[i%len(s.Ratios)]
		i /= len(s.Ratios)
	}
	switch sweep {
	case "rank":
		s.K = s.Ks[i]
	case "tau":
		s.Tau = s.Taus[i]
		if s.Features != "slider" {
			s.Features = "threepoint"
		}
	}
	if sweep != "none" {
		s.N = int(min(max(math.Round(ratio*float64(s.D*s.K)), 10), 1e6))
		s.Sweep, s.Ratios, s.Ks, s.Taus = plain.Sweep, plain.Ratios, plain.Ks, plain.Taus
		s, _ = spec.Parse(s.Encode()) // holds n to spec.MaxCells
	}
	p := Point{Spec: s, Ratio: ratio, N: s.N, K: s.K, Tau: math.NaN()}
	switch {
	case s.Source == "table":
	case s.Features == "threepoint" || s.Features == "slider": // to the last digit
		p.Tau = s.Tau
	default:
		p.Tau = moment.Tau(Moments(s))
	}
	return p
}

// Clipped reports whether a point has not the rows that were asked for.
func (p Point) Clipped() bool {
	return math.Abs(float64(p.N)-p.Ratio*float64(p.Spec.D*p.K)) > 1
}
