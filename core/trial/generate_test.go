package trial_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/design"
	"ifmlab/core/message"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
	"ifmlab/core/synth"
	"ifmlab/core/task"
	"ifmlab/core/trial"
)

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
		table, err := task.Read(s, name, bytes.NewReader(file))
		require.NoError(t, err)
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
		run, err := core.Open(s, 0, table)
		require.NoError(t, err)
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
