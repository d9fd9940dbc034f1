package train_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/runtest"
)

// ratings draws a table of who rates what, and the truth of each row: a level of each
// user and of each item, both of standard deviation .5, and what the two make of each
// other, of rank 2 and standard deviation .8. Noise of .5 hides it.
func ratings(seed uint64, users, items, rows int) (content string, truth []float64) {
	rng := rand.New(rand.NewPCG(seed, 25))
	const k, scale = 2, .75 // .75² · √2 is .8
	draw := func(n int) (bias, factors []float64) {
		bias, factors = make([]float64, n), make([]float64, n*k)
		for i := range bias {
			bias[i] = .5 * rng.NormFloat64()
		}
		for i := range factors {
			factors[i] = scale * rng.NormFloat64()
		}
		return bias, factors
	}
	userBias, tastes := draw(users)
	itemBias, traits := draw(items)
	var b strings.Builder
	b.WriteString("user,item,rating\n")
	for range rows {
		u, i := rng.IntN(users), rng.IntN(items)
		f := 3.5 + userBias[u] + itemBias[i]
		for e := range k {
			f += tastes[u*k+e] * traits[i*k+e]
		}
		truth = append(truth, f)
		b.WriteString("u" + strconv.Itoa(u) + ",i" + strconv.Itoa(i) + "," + strconv.FormatFloat(f+.5*rng.NormFloat64(), 'f', 3, 64) + "\n")
	}
	return b.String(), truth
}

// The truth's own test RMSE is the noise, .5. A fit adds what it takes its 3 numbers a
// user and an item from: by √(1 + 1350/12,000) to 1.06 of the noise where all is linear,
// and 1.06 to 1.09 in the six seeds 0 to 5; with -short, of 675 numbers and 3,600 rows,
// 1.09, and 1.13 to 1.20. The bounds are the worst of these and two of their standard
// deviations. Ridge, which knows no factors, is left with √(.5² + .8²), 1.9 of the
// noise: 1.76 to 2.15 in all twelve.
func TestIFMComesNearTheTruthOfRatings(t *testing.T) {
	users, items, rows, most := 300, 150, 20_000, 1.11
	if testing.Short() {
		users, items, rows, most = 150, 75, 6000, 1.25
	}
	const query = "source=table&target=rating&categorical=user,item&models=ifm"
	content, truth := ratings(1, users, items, rows)
	run, _ := runtest.Train(t, query, 0, runtest.ReadTable(t, query, content))
	p := runtest.Result(t, run.Predictions)
	square := 0.0
	for i, line := range p.Line {
		e := p.Actual[i] - truth[line-2]
		square += e * e
	}
	best := math.Sqrt(square / float64(len(p.Line)))
	base := runtest.Result(t, run.Baselines)
	t.Logf("iFM %.3f and ridge %.3f of the truth's RMSE, %.3f", p.Error/best, base.Ridge/best, best)
	assert.InDelta(t, .5, best, .03)
	assert.Less(t, p.Error, most*best)
	assert.Greater(t, p.Error, best, "what beats the truth has seen the test rows")
	assert.Greater(t, base.Ridge, 1.7*best)
}

func TestRatingsWithManyRareLevelsKeepEachApart(t *testing.T) {
	const query = "source=table&target=rating&categorical=user,item&models=ifm&ranks=2&lambdaf=5&encode=linear"
	content := rareRatings(0, 400, 800, 4000)
	run, own := runtest.Train(t, query, 0, runtest.ReadTable(t, query, content))
	assert.Contains(t, strings.Join(run.Notes().Texts(), "\n"), "levels seen fewer than 5 times keep their own features: ridge regression's validation error is ")
	_, apart := runtest.Train(t, query+"&rare=1", 0, runtest.ReadTable(t, query, content))
	runtest.RequireSame(t, apart, own)
}

// rareRatings draws a table as ratings does, in which a few users and items have most rows.
func rareRatings(seed uint64, users, items, rows int) string {
	rng := rand.New(rand.NewPCG(seed, 53))
	level := func(of int) int { return int(float64(of) * math.Pow(rng.Float64(), 3)) }
	bias, factors := make([]float64, users+items), make([]float64, 4*(users+items))
	for i := range bias {
		bias[i] = .5 * rng.NormFloat64()
	}
	for i := range factors {
		factors[i] = .6 * rng.NormFloat64()
	}
	var b strings.Builder
	b.WriteString("user,item,rating\n")
	for range rows {
		u, i := level(users), level(items)
		f := 3.5 + bias[u] + bias[users+i] + .5*rng.NormFloat64()
		for e := range 4 {
			f += factors[4*u+e] * factors[4*(users+i)+e]
		}
		b.WriteString("u" + strconv.Itoa(u) + ",i" + strconv.Itoa(i) + "," + strconv.FormatFloat(f, 'f', 2, 64) + "\n")
	}
	return b.String()
}
