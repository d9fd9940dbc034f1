package fm

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
)

var digest = regexp.MustCompile(`,\s*"digest":"[0-9a-f]{16}"`)

func TestAModelFileKeepsItsInterval(t *testing.T) {
	for _, interval := range []*Interval{
		{Level: .9, Rows: 9, Half: 1. / 3},
		{Level: .95, Rows: 240, Half: 1e-300, B: -.1, W: []float64{1, 0, -2, 3, 1e21, .5, 7}, Least: -3, Most: 1. / 7},
	} {
		m, enc, plain := written(t, IFM)
		m.Interval = interval
		var file bytes.Buffer
		require.NoError(t, m.Write(&file, enc))
		got, gotEnc, err := Parse(file.Bytes())
		require.NoError(t, err)
		assert.Equal(t, m, got)
		assert.Equal(t, enc, gotEnc)
		var tree struct{ Interval map[string]any }
		require.NoError(t, json.Unmarshal(file.Bytes(), &tree))
		assert.Equal(t, interval.Level, tree.Interval["level"])
		var both map[string]any
		require.NoError(t, json.Unmarshal(file.Bytes(), &both))
		delete(both, "interval")
		delete(both, "digest")
		without, err := json.Marshal(both)
		require.NoError(t, err)
		assert.JSONEq(t, string(digest.ReplaceAll(plain, nil)), string(without), "all else is as without")
	}
}

func TestReadSaysWhatIsWrongWithAnInterval(t *testing.T) {
	with := func(interval string) []byte {
		return []byte(strings.Replace(small, `"b":0`, `"interval":`+interval+`,"b":0`, 1))
	}
	m, _, err := Parse(with(`{"level":0.9,"rows":9,"half":2,"later":[1]}`))
	require.NoError(t, err)
	assert.Equal(t, &Interval{Level: .9, Rows: 9, Half: 2}, m.Interval)
	for interval, want := range map[string]string{
		`3`:                                                   `model file:1:71: interval is "3", expected an object`,
		`{"level":1,"rows":9,"half":2}`:                       `model file: interval.level is 1, expected a number between 0 and 1`,
		`{"rows":9,"half":2}`:                                 `model file: interval.level is 0, expected a number between 0 and 1`,
		`{"level":0.9,"half":2}`:                              `model file: interval.rows is 0, expected a whole number of at least 1`,
		`{"level":0.9,"rows":9,"half":-1}`:                    `model file: interval.half is -1, expected a number of at least 0`,
		`{"level":0.9,"rows":9,"half":1e999}`:                 `model file:1:100: interval.half is "1e999", expected a finite number`,
		`{"level":0.9,"rows":9,"half":1,"w":[1]}`:             `model file: interval.w is an array of 1, expected 2 numbers, one for each feature`,
		`{"level":0.9,"rows":9,"half":1,"w":[1,2],"least":1}`: `model file: interval.least is 1, expected no more than most, 0`,
	} {
		_, _, err := Parse(with(interval))
		assert.EqualError(t, err, want)
	}
	m.Interval.Half = math.NaN()
	_, enc, err := Parse([]byte(small))
	require.NoError(t, err)
	assert.EqualError(t, m.Write(new(bytes.Buffer), enc), "model file: interval is NaN, expected finite numbers")
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
