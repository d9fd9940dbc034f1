package assess_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/pair"
	"ifmlab/core/runtest"
	"ifmlab/core/study"
	"ifmlab/core/tabletest"
	"ifmlab/core/trial"
)

func named(r *pair.Result) (names []string) {
	for _, n := range r.Named {
		names = append(names, r.Columns[n.P]+"·"+r.Columns[n.Q])
	}
	return names
}

// y = x1·x2 − x3·x4 + x1 and a little noise.
func TestThePairsOfATableAreNamed(t *testing.T) {
	const query = "source=table&target=y&models=fm,ifm&iterations=5"
	run := runtest.Open(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(600, nil)))
	r := runtest.Pairs(t, run)
	assert.Equal(t, 360, r.Rows, "training rows alone")
	assert.ElementsMatch(t, []string{"x1·x2", "x3·x4"}, named(r))
	for _, n := range r.Named {
		assert.InDelta(t, 1./3, n.Share, .1)
		assert.Less(t, n.Low, n.Share)
		assert.Less(t, n.Share, n.High)
	}
}

// Rows in time differ little from one to the next. felt follows temp closely: what
// they do together can hardly be told from what one does.
func TestPairsOfRowsInTimeAreThoseOfRowsInAnyOrder(t *testing.T) {
	rng := trial.Stream(3, 0, trial.StreamTrain)
	file := tabletest.File("t,temp,felt,wind,y", 1500, func(i int) string {
		temp := 3*math.Sin(float64(i)/70) + .01*rng.NormFloat64()
		off := .1 * rng.NormFloat64()
		return fmt.Sprintf("%d,%g,%g,%g,%g", i, temp, temp+off, rng.NormFloat64(), 100*off*off+.5*rng.NormFloat64())
	})
	for _, split := range []string{"random", "time&by=t"} {
		query := "source=table&target=y&ignore=t&models=ifm&iterations=1&split=" + split
		r := runtest.Pairs(t, runtest.Open(t, query, 0, runtest.ReadTable(t, query, file)))
		assert.Empty(t, named(r), split)
		var one []string
		for _, s := range r.Skipped {
			if s.Reason == pair.NearlyOne {
				one = append(one, r.Columns[s.P]+"·"+r.Columns[s.Q])
			}
		}
		assert.Equal(t, []string{"temp·felt"}, one, split)
	}
}

func TestThePairsOfDrawnRowsAreThoseOfTheTruth(t *testing.T) {
	run := runtest.Open(t, "scenario=mixed&d=4&k=1&n=3000&noise=0.2", 0, nil)
	truth, _ := run.Truth()
	r := runtest.Pairs(t, run)
	assert.Equal(t, []string{"x1", "x2", "x3", "x4"}, r.Columns)
	strongest := 0.0
	for p := range 4 {
		for q := p + 1; q < 4; q++ {
			strongest = max(strongest, truth.Values[4*p+q]*truth.Values[4*p+q])
		}
	}
	first := r.Named[0]
	assert.Equal(t, strongest, truth.Values[4*first.P+first.Q]*truth.Values[4*first.P+first.Q])
}

// Half of the rows count a thousandth, and only they hold x1·x2.
func TestPairsCountRowsByTheirWeights(t *testing.T) {
	rng := trial.Stream(4, 0, trial.StreamTrain)
	file := tabletest.File("x1,x2,x3,w,y", 1200, func(i int) string {
		a, b, weight := rng.NormFloat64(), rng.NormFloat64(), 1.0
		y := rng.NormFloat64()
		if i%2 == 0 {
			weight, y = .001, y+2*a*b
		}
		return fmt.Sprintf("%g,%g,%g,%g,%g", a, b, rng.NormFloat64(), weight, y)
	})
	for _, split := range []string{"random", "time&by=x3"} {
		query := "source=table&target=y&models=ifm&iterations=1&split=" + split
		assert.Contains(t, named(runtest.Pairs(t, runtest.Open(t, query+"&ignore=w", 0, runtest.ReadTable(t, query, file)))), "x1·x2", split)
		assert.Empty(t, named(runtest.Pairs(t, runtest.Open(t, query+"&weight=w", 0, runtest.ReadTable(t, query, file)))), split)
	}
}

func TestASearchForPairsThatIsNotDoneEndsWithItsRun(t *testing.T) {
	const query = "source=table&target=y&models=ifm&iterations=5"
	run := runtest.Open(t, query, 0, runtest.ReadTable(t, query, runtest.Interacting(300, nil)))
	before := searches()
	s := runtest.Result(t, run.Pairs)
	require.NoError(t, s.Next())
	run.Close()
	assert.True(t, s.Done())
	assert.ErrorIs(t, s.Next(), study.ErrStopped)
	assert.Equal(t, before, searches())
}
