//go:build !figure && !ionosphere

package measure

import (
	"slices"

	"ifmlab/core/kernel"
)

// temperature fits the slope of scores f of n classes y. As [Platt] does, it takes the class of
// a row for one of a probability below 1, here (n + 1)/(n + k), as all rows have one slope.
func temperature(f, y, weight []float64) Calibration {
	c := Calibration{Slope: 1}
	k, n, scale := len(f)/len(y), Effective(len(y), weight), 1.
	if weight != nil {
		scale = n / kernel.Sum(weight)
	}
	if !slices.ContainsFunc(y, func(v float64) bool { return v != y[0] }) {
		return c
	}
	c.Rows = len(y)
	p := make([]float64, k)
	rises := func(a float64) bool { // the loss, at a
		slope := 0.0
		for i, class := range y {
			row := f[i*k:][:k]
			for j, v := range row {
				p[j] = a * v
			}
			kernel.Softmax(p, p)
			p[int(class)] -= n / (n + float64(k))
			for j, v := range row {
				slope += float64(float64(scale*Weight(weight, i)) * float64((p[j]-1/(n+float64(k)))*v))
			}
		}
		return slope > 0
	}
	// The loss is convex, and the targets have a finite minimum: its slope changes sign once.
	low, high := 0.0, 1.0
	for !rises(high) && high < 1e6 {
		low, high = high, 2*high
	}
	for range 50 {
		if a := (low + high) / 2; rises(a) {
			high = a
		} else {
			low = a
		}
	}
	a := high
	c.Slope = a
	const chance = 3.841458820694124
	c.Used = a > 0 && 2*n*(MeanLogLoss(f, y, weight, 1)-MeanLogLoss(f, y, weight, a)) > chance
	return c
}
