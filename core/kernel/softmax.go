package kernel

import "math"

// LogSumExp returns log Σ eᶠ over all scores but one; without is its place, or −1 to take
// all. It does not overflow.
func LogSumExp(f []float64, without int) float64 {
	at := -1
	for c, v := range f {
		if c != without && (at < 0 || v > f[at]) {
			at = c
		}
	}
	rest := 0.0
	for c, v := range f {
		if c != without && c != at {
			rest += math.Exp(v - f[at])
		}
	}
	return f[at] + math.Log1p(rest)
}

// Softmax sets p to the probabilities of classes with scores f, eᶠ/Σeᶠ. They may be one slice.
func Softmax(p, f []float64) {
	all := LogSumExp(f, -1)
	for c, v := range f {
		p[c] = math.Exp(v - all)
	}
}
