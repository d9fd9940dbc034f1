package trial

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/linear"
)

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
