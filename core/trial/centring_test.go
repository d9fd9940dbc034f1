package trial

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/linear"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
	"ifmlab/core/synth"
	"ifmlab/core/tabletest"
	"ifmlab/core/triangular"
)

func TestCentringLevelsMovesNoPredictionOfAKnownRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	text := tabletest.File("x,colour,shape,y", 300, func(int) string {
		colour, shape := strconv.Itoa(rng.IntN(4)), ""
		if s := rng.IntN(5); s > 0 {
			shape = strconv.Itoa(s)
		}
		if rng.IntN(200) == 0 {
			colour = "seldom" // "other"
		}
		return strconv.FormatFloat(rng.NormFloat64(), 'g', 5, 64) + "," + colour + "," + shape + "," + strconv.Itoa(rng.IntN(50))
	})
	table := tabletest.Must(read.Read(strings.NewReader(text), read.Options{Name: "t.csv"}))
	for _, hats := range []bool{false, true} {
		plan := tabletest.Must(roles.NewPlan(table, roles.Settings{Target: "y", Categorical: []string{"colour", "shape"}, Rare: 5, PiecewiseLinear: hats}))
		set := tabletest.Must(encode.Dataset(plan, rand.New(rand.NewPCG(4, 4))))
		all := levelsOf(set)
		require.Len(t, all, 2)
		d := len(set.Encoding.Features)
		for _, kind := range []fm.Kind{fm.FM, fm.GFM, fm.IFM} {
			m := fm.New(kind, d, 3)
			for _, block := range [][]float64{m.W, m.U, m.V} {
				for i := range block {
					block[i] = 5 + rng.NormFloat64()
				}
			}
			for _, l := range all {
				sum := 0.0
				for _, p := range l.shares {
					sum += p
				}
				assert.InDelta(t, 1, sum, 1e-12)
			}
			before, after := make([]float64, len(set.Train.Y)), make([]float64, len(set.Train.Y))
			m.Predict(before, set.Train.Z, nil)
			centre(m, all)
			m.Predict(after, set.Train.Z, nil)
			// Products of size 100 a pair, summed over some tens of features.
			assert.InDeltaSlice(t, before, after, 1e-9, "%v", kind)
			for _, l := range all {
				for f := range 3 {
					left, right, weight := 0.0, 0.0, 0.0
					for e, p := range l.shares {
						left += p * m.U[(l.lo+e)*3+f]
						right += p * m.Right()[(l.lo+e)*3+f]
						weight += p * m.W[l.lo+e]
					}
					assert.InDelta(t, 0, left, 1e-12)
					assert.InDelta(t, 0, right, 1e-12)
					assert.InDelta(t, 0, weight, 1e-9)
				}
			}
		}
	}
}

func TestPairsOfMoreThanTwoHundredColumnsAreNotAveraged(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for _, columns := range []int{mostCentred, mostCentred + 1} {
		x := make([]float64, 40*columns)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		on := &Trial{Dataset: &design.Dataset{Train: design.Part{Z: design.NewDense(40, columns, x), Y: make([]float64, 40)}}}
		for j := range columns {
			on.Encoding.Features = append(on.Encoding.Features, design.Feature{Column: strconv.Itoa(j)})
		}
		linear := on.CentreOf(fm.New(fm.IFM, columns, 0))
		require.Len(t, linear.Means, columns)
		assert.Nil(t, linear.Pairs)
		factors := on.CentreOf(fm.New(fm.IFM, columns, 1))
		if columns > mostCentred {
			assert.Nil(t, factors)
			continue
		}
		assert.Equal(t, linear.Means, factors.Means)
		require.Len(t, factors.Pairs, 1)
		assert.Len(t, factors.Pairs[0], columns*(columns-1)/2)
	}
}

// By the definition: of three columns of one to three features, over weighted rows.
func TestAveragesOfColumnsAndPairsAreThoseOfTheRows(t *testing.T) {
	const n, k = 40, 2
	rng := rand.New(rand.NewPCG(1, 4))
	columns := []string{"a", "b", "b", "c", "c", "c"}
	d := len(columns)
	x, weight := make([]float64, n*d), make([]float64, n)
	for i := range x {
		x[i], weight[i/d] = 2+rng.NormFloat64(), float64(i/d%3)
	}
	on := &Trial{Dataset: &design.Dataset{Train: design.Part{Z: design.NewDense(n, d, x), Y: make([]float64, n), Weight: weight}}}
	for _, column := range columns {
		on.Encoding.Features = append(on.Encoding.Features, design.Feature{Column: column})
	}
	for _, kind := range []fm.Kind{fm.FM, fm.GFM, fm.IFM} {
		m := fm.New(kind, d, k)
		for _, block := range [][]float64{m.U, m.V} {
			for i := range block {
				block[i] = rng.NormFloat64()
			}
		}
		c, whole := on.CentreOf(m), m.Interaction()
		want := map[string]float64{}
		for i := range n {
			for j := range d {
				for l := range d {
					off := (x[i*d+j] - c.Means[j]) * (x[i*d+l] - c.Means[l])
					want[columns[j]+columns[l]] += weight[i] / kernel.Sum(weight) * off * whole[j*d+l]
				}
			}
		}
		assert.InDeltaSlice(t, []float64{want["aa"], want["bb"], want["cc"]}, c.Columns[0], 1e-12, "%v", kind)
		assert.InDeltaSlice(t, []float64{2 * want["ab"], 2 * want["ac"], 2 * want["bc"]}, c.Pairs[0], 1e-12, "%v", kind)
	}
}

func TestTheLossOfTheMeanIsThatOfItsProbabilities(t *testing.T) {
	on := &Trial{Dataset: &design.Dataset{Train: design.Part{Y: make([]float64, 10)}}}
	assert.Equal(t, 5., on.LossOfMean(), "half of each row: the variance is 1")
	on.Encoding.Target = design.Target{Logistic: true, Mean: .25}
	assert.InEpsilon(t, -10*(.25*math.Log(.25)+.75*math.Log(.75)), on.LossOfMean(), 1e-14)
	on.Encoding.Target.Shares = []float64{.5, 0, .25, .25}
	assert.InEpsilon(t, 15*math.Ln2, on.LossOfMean(), 1e-14)
	assert.InEpsilon(t, 1.5*math.Ln2, on.TargetSD(), 1e-14)
}

func TestAFitIsNearlySeparableWithATwentiethOfTheRowsOnTheWrongSide(t *testing.T) {
	const rows = 40
	for _, levels := range [][]string{{"a", "b"}, {"a", "b", "c"}} {
		for _, wrong := range []int{2, 3} {
			x, y := make([]float64, rows), make([]float64, rows)
			for i := range rows {
				x[i] = float64(2*(i%2) - 1)
				if y[i] = float64(i % 2); i < wrong {
					y[i] = 1 - y[i]
				}
			}
			on := &Trial{Dataset: &design.Dataset{Train: design.Part{Z: design.NewDense(rows, 1, x), Y: y}}}
			on.Encoding.Target = design.Target{Levels: levels, Logistic: true}
			fit := linear.Fit{W: []float64{1}}
			if len(levels) > 2 {
				fit.Classes = []linear.Fit{{W: []float64{-1}}, {W: []float64{1}}, {W: []float64{0}, B: -9}}
			}
			assert.Equal(t, wrong == 2, on.nearlySeparable(&fit), "%d of %d rows, %d classes", wrong, rows, len(levels))
		}
	}
}

func TestRowsWithHatsAreMadeOnceWhileRunsTrain(t *testing.T) {
	made := 0
	from := Source{Open: func(hats bool) (*Trial, error) {
		assert.True(t, hats)
		made++
		return &Trial{Dataset: &design.Dataset{Train: design.Part{Z: design.NewDense(1, 1, []float64{1})}}}, nil
	}}
	on := &Trial{}
	for i, want := range []int{1, 2, 3, 3} {
		if i == 2 {
			on.Enter()
		}
		_, err := on.WithHats(from)
		require.NoError(t, err)
		assert.Equal(t, want, made, "call %d", i)
	}
}

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
