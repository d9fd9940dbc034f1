package solve

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"ifmlab/core/fm"
)

func TestDescentWithWeightsAndClassesNeverRaisesItsLossAndEndsWhereLBFGSDoes(t *testing.T) {
	for _, kind := range kinds {
		for _, loss := range []Loss{Squared, Logistic} {
			part, j := classified(t, kind, loss, false)
			j.weights, j.lambda = 5, 5 // descents have one penalty
			for _, s := range []Solver{NewAGD(), NewScaledGD()} {
				name := fmt.Sprintf("%T, %v, loss %d", s, kind, loss)
				m := fm.New(kind, j.d, j.k)
				progress, err := s.Start(Problem{Source: Weighted(part.Z, part.Y, part.Weight), Loss: loss, Penalty: L2(j.lambda)}, m, random(3))
				require.NoError(t, err)
				start := j.of(m)
				for range 400 {
					last := progress.Loss
					progress, err = s.Step()
					require.NoError(t, err)
					require.LessOrEqual(t, progress.Loss, last*(1+1e-12), name)
				}
				assert.InEpsilon(t, j.value(j.of(m)), progress.Loss, 1e-9, name)
				assert.Equal(t, loss == Logistic, progress.LogLoss > 0)
				result, err := optimize.Minimize(optimize.Problem{Func: j.value, Grad: j.slope}, start, &optimize.Settings{
					GradientThreshold: 1e-7, MajorIterations: 3000, Converger: optimize.NeverTerminate{},
				}, &optimize.LBFGS{Store: 30})
				if err != nil { // its line search ends where rounding leaves no descent
					require.NotNil(t, result)
				}
				t.Logf("%s: a share of %.2g above L-BFGS's %.9g", name, (progress.Loss-result.F)/result.F, result.F)
				g := make([]float64, j.size())
				j.slope(g, j.of(m))
				// 400 steps of descent on collinear columns, some of them rare, end near the minimum.
				assert.Less(t, floats.Norm(g, math.Inf(1)), .1, name)
				assert.Less(t, progress.Loss, result.F*1.001, name)
			}
		}
	}
}
