package solve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
				_, err := a.Start(Problem{Source: Whole(batch.Z, batch.Y)}, m, nil)
				require.NoError(t, err)
				_, err = a.Step()
				require.NoError(t, err)
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

// The theorem's rate, √(n/kd) times what an iteration multiplies the error by,
// would be constant; the abstract's k² would have it grow like √k. It falls.
func TestGFMsRateTimesTheRootOfRowsFallsWithTheRank(t *testing.T) {
	const d, multiple = 40, 20
	ranks := []int{2, 8}
	if !testing.Short() {
		ranks = []int{2, 4, 8, 12}
	}
	before := math.Inf(1)
	for _, k := range ranks {
		rng := random(40)
		truth := newSecondOrder(fm.GFM, d, k, false, rng)
		source := fresh(func() Batch { return truth.rows(gaussianColumns, multiple*k*d, rng) })
		shaped := math.Sqrt(multiple) * rate(recoveries(t, &Algorithm1{Centred: true}, fm.GFM, truth, source, k, 20))
		t.Logf("k = %d: rate·√(n/kd) %.2f", k, shaped)
		// Measured 1.50 to 1.61, 1.31 to 1.34, 1.17 to 1.20 and 1.08 to 1.09 over three seeds.
		assert.Less(t, shaped, before, "k = %d", k)
		before = shaped
	}
	assert.Less(t, before, 1.3)
}

func TestIFMsCentredFormIsTheCorrectedOne(t *testing.T) {
	const d, k = 12, 3
	rng := random(6)
	b := newSecondOrder(fm.IFM, d, k, true, rng).rows(gaussianColumns, 900, rng)
	var models [2]*fm.Model
	for i, centred := range []bool{false, true} {
		models[i] = fm.New(fm.IFM, d, k)
		a := &Algorithm1{Centred: centred}
		_, err := a.Start(Problem{Source: Whole(b.Z, b.Y)}, models[i], nil)
		for range 5 {
			require.NoError(t, err)
			_, err = a.Step()
		}
	}
	assert.Equal(t, models[0], models[1])
}
