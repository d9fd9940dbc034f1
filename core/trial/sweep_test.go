package trial_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core"
	"ifmlab/core/fm"
	"ifmlab/core/runtest"
	"ifmlab/core/spec"
	"ifmlab/core/trial"
)

func TestEveryPointOfASweepIsARunOfItsOwn(t *testing.T) {
	const query = "sweep=rank&ratios=4,8&ks=1,2&d=8&test=50&trials=2&iterations=5"
	s := runtest.Parse(t, query)
	points := trial.Points(s)
	require.Len(t, points, 4)
	assert.Equal(t, 4*2*2, core.Cells(s))
	cell := 0
	for _, p := range points {
		alone := p.Spec.Encode()
		assert.Equal(t, int(p.Ratio)*8*p.K, p.Spec.N, alone)
		for i := range core.Cells(p.Spec) {
			_, want := runtest.Train(t, alone, i, nil)
			run, got := runtest.Train(t, query, cell, nil)
			runtest.RequireSame(t, want, got)
			assert.Equal(t, cell/4, run.Cell().Point)
			cell++
		}
	}
	assert.Equal(t, core.Cells(s), cell)
}

func TestASpecWithoutASweepIsItsOnlyPoint(t *testing.T) {
	for _, query := range []string{"", "d=12&k=2", "source=table&sweep=rank"} {
		s := runtest.Parse(t, query)
		points := trial.Points(s)
		require.Len(t, points, 1)
		assert.Equal(t, s, points[0].Spec, query)
	}
}

func TestAPointOfASweepKeepsToTheBoundsOfALink(t *testing.T) {
	points := trial.Points(runtest.Parse(t, "sweep=rank&d=1000&k=50&ratios=0.1,1000&ks=1,50"))
	assert.Equal(t, 100, points[0].Spec.N)
	assert.LessOrEqual(t, points[3].Spec.D*(points[3].Spec.N+points[3].Spec.Test), spec.MaxCells)
	assert.True(t, points[3].Clipped(), "and says that its rows are not those asked for")
	assert.False(t, trial.Points(runtest.Parse(t, "sweep=rank"))[0].Clipped())
	assert.Equal(t, 10, trial.Points(runtest.Parse(t, "sweep=rank&d=2&ratios=0.1&ks=1"))[0].Spec.N)
}

func TestTheRecoveryErrorIsTheDistanceFromTheTruth(t *testing.T) {
	for _, query := range []string{"models=ifm&iterations=20", "models=fm&iterations=20", "models=gfm&iterations=20&scenario=mixed"} {
		run, records := runtest.Train(t, query, 0, nil)
		truth, ok := run.Truth()
		require.True(t, ok)
		learnt := runtest.Result(t, run.Interaction)
		var distance, size float64
		for i, v := range truth.Values {
			distance += (learnt.Values[i] - v) * (learnt.Values[i] - v)
			size += v * v
		}
		assert.InEpsilon(t, math.Sqrt(distance/size), records[20].M, 1e-9, query)
		assert.Less(t, records[20].W, records[0].W, query)
		assert.InDelta(t, 1, records[0].M, .01, "%s: it starts from M = 0, FM a hundredth of its size away", query)
	}
}

// What ridge is left with on very many rows is what Theory says no linear model gets
// below.
func TestNoLinearModelGetsBelowTheSecondOrderPart(t *testing.T) {
	run := runtest.Open(t, "d=10&k=2&n=20000&test=20000&scenario=mixed", 0, nil)
	base := runtest.Result(t, run.Baselines)
	theory, _ := run.Theory()
	assert.InEpsilon(t, theory.SecondOrder, base.Ridge, .03, "from 20000 test rows: 1/√40000, and more for the tails of a square")
	assert.InEpsilon(t, theory.SD, base.Mean, .03)
}

func TestATableHasNoTruthToRecover(t *testing.T) {
	const query = "source=table&target=y&ranks=2&lambdas=0&iterations=2"
	run, records := runtest.Train(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(100, nil)))
	assert.True(t, math.IsNaN(records[1].W) && math.IsNaN(records[1].M))
	_, ok := run.Theory()
	assert.False(t, ok)
}

// The floor of iFM's Algorithm 1 from gonum's eigenvectors of L*, not from the
// factors.
func TestTheFloorOfAlgorithm1IsThatOfTheTrueRange(t *testing.T) {
	for _, query := range []string{
		"d=9&k=2&scenario=psd", "d=9&k=2&scenario=mixed", "d=5&k=4&scenario=mixed", "d=6&k=5&scenario=psd", "d=4&k=1&scenario=flipped",
		"d=6&k=6&truth=orthonormal&scenario=mixed", // of full rank, there is no diagonal to complete
	} {
		s := runtest.Parse(t, query)
		run := runtest.Open(t, query, 0, nil)
		theory, ok := run.Theory()
		require.True(t, ok)

		truth := run.Rows().Truth
		whole := &fm.Model{Kind: fm.GFM, D: s.D, Rank: s.K, U: truth.U, V: truth.Right()} // with its diagonal
		l := mat.NewSymDense(s.D, whole.Interaction())
		var eigen mat.EigenSym
		require.True(t, eigen.Factorize(l, true))
		var q mat.Dense
		eigen.VectorsTo(&q)
		p := mat.NewSymDense(s.D, nil)
		for f, value := range eigen.Values(nil) {
			if math.Abs(value) > 1e-9 {
				p.SymRankOne(p, 1, q.ColView(f))
			}
		}
		k := mat.NewSymDense(s.D, nil)
		for i := range s.D {
			for j := i; j < s.D; j++ {
				k.SetSym(i, j, -p.At(i, j)*p.At(i, j))
			}
			k.SetSym(i, i, 2*p.At(i, i)-p.At(i, i)*p.At(i, i))
		}
		require.True(t, eigen.Factorize(k, false))
		values := slices.DeleteFunc(eigen.Values(nil), func(v float64) bool { return v > 1-1e-9 })
		assert.InDelta(t, slices.Max(append(values, 0)), theory.Floor, 1e-9, "%s: eigenvectors are as good as the gap between 0 and the least eigenvalue", query)
		assert.Len(t, theory.Tau, s.D)
		for _, tau := range theory.Tau {
			assert.InDelta(t, 2, tau, 1, "a Gaussian column of %d rows has τ = 2 ± .3", s.N)
		}
	}
}

func TestASweepOverTauDrawsColumnsOfThatTau(t *testing.T) {
	for _, c := range []struct{ features, drawn string }{{"gaussian", "threepoint"}, {"threepoint", "threepoint"}, {"slider", "slider"}} {
		s := runtest.Parse(t, "d=6&k=1&n=100&sweep=tau&ratios=1000&taus=2,0.5,0&test=10&features="+c.features)
		points := trial.Points(s)
		require.Len(t, points, 3)
		for i, p := range points {
			assert.Equal(t, c.drawn, p.Spec.Features)
			assert.InDelta(t, s.Taus[i], p.Tau, 1e-12)
			run, err := core.Open(s, i*core.Cells(p.Spec), nil)
			require.NoError(t, err)
			theory, _ := run.Theory()
			for _, tau := range theory.Tau {
				assert.InDelta(t, s.Taus[i], tau, .5, "estimated from 6000 rows, its standard deviation is .13")
			}
		}
	}
}

func TestStreamsOfNeighbouringTrialsAreNotShared(t *testing.T) {
	seen := map[uint64]string{}
	for number := range 3 {
		for purpose := range trial.Purpose(200) {
			first := trial.Stream(1, number, purpose).Uint64()
			name := strconv.Itoa(number) + " " + strconv.Itoa(int(purpose))
			assert.NotContains(t, seen, first, "%s and %s", name, seen[first])
			seen[first] = name
		}
	}
}
