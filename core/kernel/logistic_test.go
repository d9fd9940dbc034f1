package kernel

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/diff/fd"
)

func TestTheLogLossIsThatOfItsDefinition(t *testing.T) {
	for _, f := range []float64{0, .3, -.3, 1, -2, 5, -8, 20, -20} {
		p := 1 / (1 + math.Exp(-f))
		assert.InEpsilon(t, p, Logistic(f), 1e-15)
		for y, of := range []float64{1 - p, p} {
			loss, slope, bend := LogLossSlopes(f, float64(y))
			// 1 − p has lost 9 digits to p at f = 20, of which 1e-16/2e-9 is left.
			assert.InEpsilon(t, -math.Log(of), loss, 1e-7, "f %g, y %d", f, y)
			assert.Equal(t, loss, LogLoss(f, float64(y)))
			assert.InDelta(t, p-float64(y), slope, 1e-15)
			assert.InDelta(t, p*(1-p), bend, 1e-15)
			at := func(f float64) float64 { return LogLoss(f, float64(y)) }
			// Central differences with steps of 6e-6 are good to 1e-16·loss/6e-6.
			assert.InDelta(t, fd.Derivative(at, f, &fd.Settings{Formula: fd.Central}), slope, 1e-8)
			at = func(f float64) float64 { _, s, _ := LogLossSlopes(f, float64(y)); return s }
			assert.InDelta(t, fd.Derivative(at, f, &fd.Settings{Formula: fd.Central}), bend, 1e-8)
		}
	}
}

func TestTheLogLossHasItsDigitsFarOut(t *testing.T) {
	for _, f := range []float64{50, 300, 700} {
		small := math.Exp(-f)
		for sign, y := range map[float64]float64{1: 1, -1: 0} { // right
			loss, slope, bend := LogLossSlopes(sign*f, y)
			assert.InEpsilon(t, small, loss, 1e-15)
			assert.InEpsilon(t, -sign*small, slope, 1e-15)
			assert.InEpsilon(t, small, bend, 1e-15)
			loss, slope, _ = LogLossSlopes(-sign*f, y) // wrong
			assert.Equal(t, f, loss)
			assert.Equal(t, -sign, slope)
		}
		assert.InEpsilon(t, small, Logistic(-f), 1e-15)
	}
	assert.Equal(t, 1e300, LogLoss(1e300, 0), "no exponential overflows")
	assert.Zero(t, LogLoss(1e300, 1))
	assert.Equal(t, 1.0, Logistic(1e300))
	assert.Zero(t, Logistic(-1e300))
	assert.True(t, math.IsNaN(LogLoss(math.NaN(), 1)))
}
