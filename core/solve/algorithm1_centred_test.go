package solve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/fm"
)

// H(r − P0) and H(r) − ½P0·I have one expectation, but P0 times the chance
// correlations of the columns is noise in the second alone: after one iteration
// M is off by less, and the more so the larger the trace, k numbers from 1 to ½.
func TestCentringTakesNoiseFromTheFirstIterations(t *testing.T) {
	const d = 40
	for k, most := range map[int]float64{2: .9, 12: .55} { // measured .73 to .79 and .38 to .41
		for seed := range uint64(2) {
			after := map[bool]float64{}
			for _, centred := range []bool{false, true} {
				rng := random(30 + seed) // the same rows for both
				truth := newSecondOrder(fm.GFM, d, k, false, rng)
				batch := truth.rows(gaussianColumns, 20*k*d, rng)
				m := fm.New(fm.GFM, d, k)
				a := &Algorithm1{Centred: centred}
				run(t, a, Problem{Source: Whole(batch.Z, batch.Y)}, m, 1, 1)
				after[centred] = distance(truth, m)
			}
			t.Logf("k = %d: ‖M − M*‖ after one iteration is %.3f, centred %.3f", k, after[false], after[true])
			assert.Less(t, after[true], most*after[false], "k = %d", k)
		}
	}
}

// distance is ‖M − M*‖ in the Frobenius norm.
func distance(truth *secondOrder, m *fm.Model) float64 {
	c, sum := coefficients(m), 0.0
	for i := range truth.d {
		for j := range truth.d {
			sum += square(c.M[i*truth.d+j] - truth.m.At(i, j))
		}
	}
	return math.Sqrt(sum)
}
