package vtec

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCandidatesAreThoseOfThePaper(t *testing.T) {
	for m, want := range [Methods]int{13, 13, 13 * 3, 13 * 6, 13 * 10, 13 * 10, 13 * 10, 13, 9 * 8} {
		m := Method(m)
		all, seen := Candidates(m, .25), map[Tuning]bool{}
		require.Len(t, all, want, m)
		for _, c := range all {
			var alone Tuning
			alone.Choose(m, c)
			assert.False(t, seen[alone], "%s: %+v is there twice", m, c)
			seen[alone] = true
			if m == Kriging {
				assert.GreaterOrEqual(t, c.Length, 100.)
				assert.LessOrEqual(t, c.Noise, 1.)
				continue
			}
			assert.Contains(t, []float64{1e-6, 1e-5, 1e-4, 1e-3, .01, .1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6}, *c.Penalty(m))
			switch m {
			case FM:
				assert.Equal(t, .25, c.FMLinear)
			case IFM:
				assert.Equal(t, .25, c.IFMLinear)
			}
		}
	}
}

func TestChooseTakesWhatBelongsToTheMethodAndAllOfItOnce(t *testing.T) {
	from := Tuning{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}
	var all Tuning
	taken := 0
	for m := range Methods {
		var alone Tuning
		alone.Choose(m, from)
		for v, i := reflect.ValueOf(alone), 0; i < v.NumField(); i++ {
			if !v.Field(i).IsZero() {
				taken++
			}
		}
		all.Choose(m, from)
	}
	assert.Equal(t, from, all)
	assert.Equal(t, reflect.TypeOf(from).NumField(), taken)
}

func TestSquaresAreThoseOfEachCandidateAlone(t *testing.T) {
	w := fakeWindow(t, 11, 6, 13)
	start := func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }
	for m := range Methods {
		all := Candidates(m, 1e-3)
		if m == FM || m == IFM || m == GFM {
			all = append(append([]Tuning{}, all[13*1+4:13*1+9]...), all[13*3+5:13*3+7]...)
		}
		got := w.Squares(m, all, start)
		for i := range all {
			p, want := make([]float64, len(w.Test)), 0.0
			require.NoError(t, w.Predict(p, m, &all[i], start()))
			for k := range p {
				want += (p[k] - w.YTest[k]) * (p[k] - w.YTest[k])
			}
			// The order of the penalties is the only difference: starts are warm.
			assert.InEpsilon(t, want, got[i], 1e-7, "%s: %+v", m, all[i])
		}
	}
}

func TestACandidateWithoutAFitHasNoSquares(t *testing.T) {
	w := fakeWindow(t, 12, 5, 13)
	copy(w.Z[w.D:2*w.D], w.Z[:w.D])
	got := w.Squares(Kernel, []Tuning{{Kernel: 1, Gamma: 1}, {Kernel: 0, Gamma: 1}, {Kernel: 1, Gamma: 1}}, nil)
	assert.True(t, math.IsNaN(got[1]))
	assert.Equal(t, got[0], got[2], "and leaves the next one as it would be")
	got = w.Squares(IFM, []Tuning{{IFMRank: 0}}, func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) })
	assert.True(t, math.IsNaN(got[0]))
}
