package solve

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/fm"
)

// U·c and V/c are the same UVᵀ, and steps along exact lines keep it so: what c is
// does not show. A power of two does not even round.
func TestTheSizeOfTheStartIsNothingToIFMAndSomethingToFM(t *testing.T) {
	const d, k, n = 12, 2, 600
	losses := func(kind fm.Kind, norm float64, scaled bool) (list []float64) {
		rng := random(8)
		b := newSecondOrder(kind, d, k, false, rng).rows(gaussianColumns, n, rng)
		var s Solver = &AGD{StartNorm: norm}
		if scaled {
			s = &ScaledGD{StartNorm: norm}
		}
		p, err := s.Start(Problem{Source: Whole(b.Z, b.Y), Loss: Squared}, fm.New(kind, d, k), random(9))
		for range 30 {
			require.NoError(t, err)
			list = append(list, p.Loss)
			p, err = s.Step()
		}
		return list
	}
	for _, scaled := range []bool{false, true} {
		for _, kind := range []fm.Kind{fm.IFM, fm.GFM} {
			usual := losses(kind, 0, scaled)
			assert.Equal(t, usual, losses(kind, 1, scaled), "%v, scaled %v: 0 stands for 1", kind, scaled)
			if !scaled { // there ε has the units of HᵀH, and 1 of the penalty's
				assert.Equal(t, usual, losses(kind, 1024, scaled), kind)
				assert.Equal(t, usual, losses(kind, 1./1024, scaled), kind)
			}
		}
		assert.Equal(t, losses(fm.FM, 0, scaled), losses(fm.FM, .1, scaled), "FM, scaled %v: 0 stands for a tenth", scaled)
	}
	assert.NotEqual(t, losses(fm.FM, .125, false)[29], losses(fm.FM, 8, false)[29])
}
