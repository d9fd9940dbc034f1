package trial

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/kernel"
	"ifmlab/core/spec"
	"ifmlab/core/synth"
	"ifmlab/core/triangular"
)

// combined reports whether the product of columns i and j is a linear combination of 1 and
// the two columns, by projections.
func combined(x []float64, d, i, j int) bool {
	n := len(x) / d
	var basis, rest []float64
	left, size := 0.0, 0.0
	for of := range 4 {
		rest = make([]float64, n)
		for row := range rest {
			a, b := x[row*d+i], x[row*d+j]
			rest[row] = [...]float64{1, a, b, a * b}[of]
		}
		size = math.Sqrt(kernel.Dot(rest, rest))
		triangular.Project(rest, basis)
		left = triangular.Project(rest, basis)
		if left > 1e-10*size {
			scale := 1 / left
			for row := range rest {
				rest[row] *= scale
			}
			basis = append(basis, rest...)
		}
	}
	return !(left > 1e-10*size)
}

func TestPairsThatNoRowTellsAreThoseThatTheTwoColumnsMakeUp(t *testing.T) {
	for _, query := range []string{
		"features=threepoint&tau=12&d=14&n=300", "features=threepoint&tau=30&d=12&n=400",
		"features=twopoint&share=0.06&d=15&n=400", "features=twopoint&share=0.9&d=12&n=200",
		"features=onehot&levels=6&d=18&n=90", "features=counts&d=10&n=100", "d=12&n=60",
	} {
		s, notices := spec.Parse(query)
		require.Empty(t, notices, query)
		sample, err := synth.Generate(drawing(s), synth.Streams{Truth: Stream(1, 0, StreamTruth), Train: Stream(1, 0, StreamTrain), Test: Stream(1, 0, StreamTest)})
		require.NoError(t, err, query)
		x, slow, all := sample.Train.X, 0, 0
		for i := range s.D {
			for j := range i {
				if s.Features == "onehot" && i/s.Levels == j/s.Levels {
					continue
				}
				if all++; combined(x, s.D, i, j) {
					slow++
				}
			}
		}
		unseen, pairs := unseenPairs(x, drawing(s))
		assert.Equal(t, [2]int{slow, all}, [2]int{unseen, pairs}, query)
		assert.Equal(t, s.Features != "gaussian" && s.Features != "counts", unseen > 0, "%s: %d of %d", query, unseen, pairs)

		rows, err := draw(s, 0)
		require.NoError(t, err, query)
		assert.Equal(t, unseen > 0, strings.Contains(strings.Join(rows.Notes.Texts(), ""), "cannot tell"), query)
	}
}

func TestOneRowIsEnoughForAPair(t *testing.T) {
	const n, d = 70, 2
	x := make([]float64, n*d)
	for row := range n {
		x[row*d+row%2] = float64(row % 3) // and 0 in the other column
	}
	unseen, pairs := unseenPairs(x, synth.Config{D: d})
	require.Equal(t, [2]int{1, 1}, [2]int{unseen, pairs})
	x[n*d-2], x[n*d-1] = 1, 1
	unseen, _ = unseenPairs(x, synth.Config{D: d})
	assert.Zero(t, unseen)
}
