package trial_test

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core"
	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/message"
	"ifmlab/core/roles"
	"ifmlab/core/runtest"
	"ifmlab/core/spec"
	"ifmlab/core/synth"
	"ifmlab/core/task"
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
	for _, none := range []int{-1, cell} {
		_, err := trial.CellAt(s, none)
		assert.ErrorAs(t, err, new(*trial.CellError), "%d", none)
	}
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
	for _, query := range []string{"models=ifm&iterations=20", "models=fm&iterations=20", "models=gfm&iterations=20&scenario=mixed", "models=ifm&iterations=20&scenario=mixed&features=onehot&levels=4&d=12&k=1&n=600"} {
		run, records := runtest.Train(t, query, 0, nil)
		truth, ok := run.Truth()
		require.True(t, ok)
		learnt := runtest.Result(t, run.Interaction)
		if strings.Contains(query, "onehot") {
			synth.Identify(fm.Coefficients{W: make([]float64, 12), M: learnt.Values}, 4)
		}
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
			run := runtest.Must(core.Open(s, i*core.Cells(p.Spec), nil))
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
	purposes := []trial.Purpose{
		trial.StreamTruth, trial.StreamTrain, trial.StreamTest, trial.StreamSplit, trial.StreamStart, trial.StreamBatches,
		trial.StreamPairs, trial.StreamFolds, trial.StreamIntervals, trial.StreamCalibration, trial.StreamImportance,
	}
	assert.Equal(t, purposes, slices.Compact(slices.Sorted(slices.Values(purposes))), "no two are one")
}

func generated(t *testing.T, query string) (name string, file []byte, s spec.Spec) {
	t.Helper()
	s, notices := spec.Parse(query)
	require.Empty(t, notices)
	name, file, err := trial.Generate(s)
	require.NoError(t, err)
	return name, file, s
}

// drawnAgain returns the rows of all of a Spec's settings, drawn at once, training
// rows first, y last.
func drawnAgain(t *testing.T, s spec.Spec) [][]float64 {
	t.Helper()
	sample, err := synth.Generate(synth.Config{
		Scenario: synth.Scenario(s.Scenario), Truth: synth.Factors(s.Truth), KeepDiagonal: s.Diagonal == "kept",
		Features: synth.Distribution(s.Features), Tau: s.Tau, Share: s.Share, Rho: s.Rho,
		D: s.D, K: s.K, N: s.N, Test: s.Test, Noise: s.Noise,
	}, synth.Streams{Truth: trial.Stream(s.Seed, 0, trial.StreamTruth), Train: trial.Stream(s.Seed, 0, trial.StreamTrain), Test: trial.Stream(s.Seed, 0, trial.StreamTest)})
	require.NoError(t, err)
	var rows [][]float64
	for _, part := range []synth.Rows{sample.Train, sample.Test} {
		for i, y := range part.Y {
			rows = append(rows, append(append([]float64{}, part.X[i*s.D:][:s.D]...), y))
		}
	}
	return rows
}

var generations = []string{
	"d=5&n=300&test=140&noise=0.3", // more than two batches, and one and a half
	"scenario=mixed&d=3&n=128&test=10&truth=orthonormal&k=2",
	"scenario=psd&d=4&n=50&test=50&rho=0.7&seed=9007199254740991",
	"d=6&n=100&test=50&features=twopoint&share=0.3&diagonal=kept",
	"d=6&n=100&test=50&features=slider&tau=0",
	"d=6&n=400&test=50&features=threepoint&tau=3",
	"d=2&n=60&test=20&features=exponential&source=table",
}

// What a reader walks: the file, dropped on the page.
func TestAFileOfDrawnRowsReadAsATableHasTheSameColumns(t *testing.T) {
	for _, query := range generations {
		name, file, drawn := generated(t, query)
		s, _ := spec.Parse("source=table")
		table := runtest.Must(task.Read(s, name, bytes.NewReader(file)))
		assert.Empty(t, table.Notes)
		assert.Zero(t, table.BadCount)
		for i, p := range roles.Profiles(table) {
			guess := roles.RoleFeature
			if i == drawn.D {
				guess = roles.RoleTarget
			}
			assert.Equal(t, guess, p.Guess, "%s, %s", query, p.Name)
			assert.Equal(t, design.Numeric, p.Kind)
			if (drawn.Features == "twopoint" || drawn.Features == "slider") && i < drawn.D {
				assert.Equal(t, 2, p.Distinct, query)
			}
		}
		run := runtest.Must(core.Open(s, 0, table))
		rows, encoding := run.Rows(), run.Rows().Encoding
		want := drawnAgain(t, drawn)
		require.Len(t, encoding.Features, drawn.D)
		seen := 0
		for _, part := range []design.Part{rows.Train, rows.Valid, rows.Test} {
			for i, line := range part.Line {
				row := want[line-2]
				for j, z := range part.Z.(interface{ Row(int) []float64 }).Row(i) {
					f := encoding.Features[j]
					require.Equal(t, (row[j]-f.Mean)/f.Scale, z, "%s, line %d, column %d", query, line, j)
				}
				require.Equal(t, row[drawn.D]/encoding.Target.Scale, part.Y[i], "%s, line %d", query, line)
				seen++
			}
		}
		assert.Equal(t, len(want), seen)
	}
}

func TestAFileOfDrawnRowsIsNamedByWhatWasDrawn(t *testing.T) {
	name, _, _ := generated(t, "scenario=mixed&n=20&test=10")
	assert.Equal(t, "drawn-mixed-seed-1.csv", name)
	name, _, _ = generated(t, "n=20&test=10&seed=9007199254740991")
	assert.Equal(t, "drawn-flipped-seed-9007199254740991.csv", name)
}

func TestTheFileOfASweepIsThatOfItsFirstPoint(t *testing.T) {
	const query = "sweep=rank&ratios=4,8&ks=2,1&d=6&test=20"
	_, swept, s := generated(t, query)
	_, alone, err := trial.Generate(trial.Points(s)[0].Spec)
	require.NoError(t, err)
	assert.Equal(t, string(alone), string(swept))
	assert.Equal(t, 1+4*6*2+20, strings.Count(string(swept), "\n"))
}

func TestMoreDrawnRowsThanAFileShouldHoldAreATypedError(t *testing.T) {
	s, _ := spec.Parse("d=3&k=4&truth=orthonormal")
	_, _, err := trial.Generate(s)
	require.ErrorAs(t, err, new(*synth.ConfigError))
	if testing.Short() {
		t.Skip("two files of 64 MB")
	}
	s, _ = spec.Parse("d=1000&n=40000&test=1000&k=1")
	_, _, err = trial.Generate(s)
	var large *trial.DrawnFileError
	require.ErrorAs(t, err, &large)
	assert.Equal(t, "DrawnFileError", message.Kind(err))
	assert.Equal(t, 41000, large.Rows)
	assert.Contains(t, err.Error(), "41000 rows of 1000 features take more than 64 MB as a CSV file")

	s.N, s.Test = large.Enough-10, 10 // what it advises
	_, file, err := trial.Generate(s)
	require.NoError(t, err)
	assert.LessOrEqual(t, len(file), trial.MaxFile)
	assert.Greater(t, len(file), trial.MaxFile-200_000)
}
