package solve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"ifmlab/core/data"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/synth"
)

func TestTmp(t *testing.T) {
	for _, sc := range []synth.Scenario{synth.PSD, synth.Flipped, synth.Mixed} {
		for _, kind := range []fm.Kind{fm.IFM, fm.FM} {
			d, k := 30, 3
			s, train, test, y := scaled(t, synth.Config{Scenario: sc, D: d, K: k, N: 30 * k * d, Test: 1000}, 1)
			m := fm.New(kind, d, k)
			g := NewGaussNewton()
			p, err := g.Start(Problem{Source: Whole(train, y)}, m, nil)
			f := make([]float64, 1000)
			for range 60 {
				require.NoError(t, err)
				m.Predict(f, test, nil)
				kernel.Axpy(-1, s.Test.Y, f)
				ft := make([]float64, len(y))
				m.Predict(ft, train, nil)
				kernel.Axpy(-1, y, ft)
				t.Logf("%v %v %+v test %.3g train %.3g mu %g", sc, kind, p, math.Sqrt(kernel.Dot(f, f)/1000), math.Sqrt(kernel.Dot(ft, ft)/float64(len(y))), g.damping)
				if p.Stop != "" {
					break
				}
				p, err = g.Step()
			}
		}
	}
	_ = data.BlockRows
}
