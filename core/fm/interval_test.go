package fm

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
)

func TestAModelFileKeepsItsInterval(t *testing.T) {
	for _, interval := range []*Interval{
		{Level: .9, Rows: 9, Half: 1. / 3},
		{Level: .95, Rows: 240, Half: 1e-300, B: -.1, W: []float64{1, 0, -2, 3, 1e21, .5, 7}, Least: -3, Most: 1. / 7},
		{Level: .9, Rows: 9, Half: 2, Lowest: [][]float64{{-1. / 3, 0}, {-7}}, Highest: [][]float64{{.1, 1e21}, {0}}},
	} {
		m, enc, _ := written(t, IFM)
		m.Interval = interval
		var file bytes.Buffer
		require.NoError(t, m.Write(&file, enc))
		got, gotEnc, err := Parse(file.Bytes())
		require.NoError(t, err)
		assert.Equal(t, m, got)
		assert.Equal(t, enc, gotEnc)
	}
}

func TestAnIntervalThatIsNotFiniteIsNotWritten(t *testing.T) {
	m, enc, _ := written(t, IFM)
	m.Interval = &Interval{Level: .9, Rows: 9, Half: math.NaN()}
	assert.EqualError(t, m.Write(new(bytes.Buffer), enc), "model file: interval is NaN, expected finite numbers")
	m.Interval = &Interval{Level: .9, Rows: 9, Half: 1, Lowest: [][]float64{{0}}, Highest: [][]float64{{math.Inf(1)}}}
	assert.EqualError(t, m.Write(new(bytes.Buffer), enc), "model file: interval is +Inf, expected finite numbers")
}

// s(z) = exp(B + zᵀW), held.
func TestTheSpreadIsHeldToWhatWasSeen(t *testing.T) {
	i := &Interval{B: .5, W: []float64{1, -2}, Least: -1, Most: 2}
	z := design.NewDense(4, 2, []float64{0, 0, 1, .5, 100, 0, 0, 100})
	s := make([]float64, 4)
	i.Spread(s, z)
	assert.InDeltaSlice(t, []float64{math.Exp(.5), math.Exp(.5), math.Exp(2), math.Exp(-1)}, s, 1e-14, "rounding")
	(&Interval{}).Spread(s, z)
	assert.Equal(t, []float64{1, 1, 1, 1}, s)
}
