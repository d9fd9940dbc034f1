package core_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/fm"
	"ifmlab/core/linear"
	"ifmlab/core/pair"
	"ifmlab/core/solve"
)

// refits runs the search of a run to its end.
func refits(t *testing.T, run *core.Run) *core.Refitted {
	t.Helper()
	s, err := run.Refits()
	require.NoError(t, err)
	for !s.Done() {
		require.NoError(t, s.Next())
	}
	return s.Result()
}

// standing returns the pairs above the threshold, by name.
func standing(r *core.Refitted) (names []string) {
	for _, s := range r.Strongest {
		if s.Above {
			names = append(names, r.Columns[s.P]+"·"+r.Columns[s.Q])
		}
	}
	return names
}

const shortSearch = "source=table&target=y&models=fm,ifm&ranks=2&lambdaf=30,3&lambdaw=1,10&encode=linear&iterations=30"

// y = x1·x2 − x3·x4 + x1 and a little noise.
func TestThePairsOfATableStandAboveWhatPermutedRowsReach(t *testing.T) {
	table := read(t, shortSearch, interacting(600, func(row int, cells []string) {
		if row%7 == 0 {
			cells[1] = ""
		}
	}))
	run := openCell(t, shortSearch, 1, table)
	r := refits(t, run)
	assert.Equal(t, fm.IFM, r.Model)
	assert.Equal(t, 2, r.Rank)
	assert.Equal(t, 360, r.Rows, "training rows alone")
	assert.Equal(t, []string{"x1", "x2", "x3", "x4", "colour"}, r.Columns, "flags and levels are of their columns")
	assert.Equal(t, []int{10, 40, 20, 2}, []int{r.Pairs, r.Resamples, r.Permutations, r.Above})
	assert.ElementsMatch(t, []string{"x1·x2", "x3·x4"}, standing(r))
	for _, s := range r.Strongest[:2] {
		assert.InDelta(t, 1./3, s.Share, .12)
		assert.Equal(t, 1., s.Reach)
		assert.Less(t, s.Low, s.High)
		assert.Greater(t, s.High-s.Low, .005, "another resample says something else")
		assert.InDelta(t, s.Share, (s.Low+s.High)/2, .1)
	}
	for i, s := range r.Strongest {
		assert.Less(t, s.P, s.Q)
		assert.LessOrEqual(t, s.Low, s.High)
		if i > 0 {
			assert.LessOrEqual(t, s.Share, r.Strongest[i-1].Share)
		}
	}
	again, err := run.Refits()
	require.NoError(t, err)
	assert.Same(t, r, again.Result(), "it is done once")
}

// openCell opens a cell that is not the first.
func openCell(t *testing.T, query string, cell int, table *data.Table) *core.Run {
	t.Helper()
	run, err := core.Open(parse(t, query), cell, table)
	require.NoError(t, err)
	return run
}

// Trained before or by the search, in a slice or in many, after other searches: the
// same bits.
func TestRefitsAreTheSameBitsHoweverTheyAreAskedFor(t *testing.T) {
	table := read(t, shortSearch, interacting(200, nil))
	want := refits(t, openCell(t, shortSearch, 1, table))
	require.NotEmpty(t, want.Strongest)

	trained, _ := train(t, shortSearch, 1, table)
	assert.Equal(t, want, refits(t, trained))

	begun := openCell(t, shortSearch, 1, table)
	_, err := begun.Next()
	require.NoError(t, err)
	one, err := begun.Refits()
	require.NoError(t, err)
	other, err := openCell(t, shortSearch, 1, table).Refits()
	require.NoError(t, err)
	stages := map[core.RefitStage]bool{}
	for !one.Done() || !other.Done() { // in turn
		stage, done, of := one.Progress()
		stages[stage] = true
		assert.LessOrEqual(t, done, of)
		require.NoError(t, one.Next())
		require.NoError(t, other.Next())
	}
	assert.Equal(t, want, one.Result())
	assert.Equal(t, want, other.Result())
	for _, stage := range []core.RefitStage{core.RefitTraining, core.RefitMeasuring, core.Resampling, core.Permuting, core.RefitEnded} {
		assert.True(t, stages[stage], stage)
	}

	seeded := refits(t, openCell(t, shortSearch+"&seed=2", 1, table))
	assert.NotEqual(t, want.Threshold, seeded.Threshold)
	fmOnly := refits(t, openCell(t, shortSearch, 0, table))
	assert.Equal(t, fm.FM, fmOnly.Model)
	assert.NotEqual(t, want.Threshold, fmOnly.Threshold)
}

// The slow way: every refit by hand on rows that are written out, all pairs of each
// measured, all numbers kept and sorted.
func TestTheThresholdAndTheRangesAreThoseOfRefitsByHand(t *testing.T) {
	table := read(t, shortSearch, interacting(200, nil))
	r := refits(t, openCell(t, shortSearch, 1, table))
	s := parse(t, shortSearch)
	run := openCell(t, shortSearch, 1, table)
	train := core.Rows(run).Train
	base, err := run.Baselines()
	require.NoError(t, err)
	penalty := base.Lambda * float64(len(train.Y))
	type leg struct {
		lambda float64
		sweeps int
	}
	var path []leg
	lead := core.Record{Valid: math.Inf(1)}
	for !run.Done() {
		record, err := run.Next()
		require.NoError(t, err)
		if record.Valid < lead.Valid {
			lead = record
		}
		if record.Rank > 0 {
			path = append(path[:record.Candidate-1], leg{record.Lambda, record.Iteration})
		}
	}
	require.Equal(t, 2, lead.Rank)
	path = path[:lead.Candidate]
	path[len(path)-1].sweeps = lead.Iteration

	n, d := train.Z.Dims()
	require.Equal(t, 6, d, "four numbers and two levels")
	written := make([][]float64, n)
	for i := range written {
		written[i] = slices.Clone(train.Z.(pair.Rows).Row(i))
	}
	measure := pair.NewStrengths(train.Z.(pair.Rows), []pair.Group{{Lo: 0, Hi: 1}, {Lo: 1, Hi: 2}, {Lo: 2, Hi: 3}, {Lo: 3, Hi: 4}, {Lo: 4, Hi: 6}})
	variance := 0.0
	for _, v := range train.Y {
		variance += (v - linear.Mean(train.Y)) * (v - linear.Mean(train.Y)) / float64(n)
	}
	stream := core.Stream(s.Seed, 0, core.StreamRefits)
	fit := func(rows [][]float64, y []float64) (shares [5][5]float64) {
		z := data.NewDense(n, d, slices.Concat(rows...))
		ridge, err := linear.NewRidge(z, y)
		require.NoError(t, err)
		start, err := ridge.Fit(penalty)
		require.NoError(t, err)
		model := fm.New(fm.IFM, d, 2)
		copy(model.W, start.W)
		model.B = start.B
		for i, leg := range path {
			als := &solve.ALS{Weights: penalty, Warm: i > 0}
			_, err := als.Start(solve.Problem{Source: solve.Whole(z, y), Penalty: solve.L2(leg.lambda)}, model, stream)
			require.NoError(t, err)
			for range leg.sweeps {
				_, err = als.Step()
				require.NoError(t, err)
			}
		}
		for p := range 5 {
			for q := p + 1; q < 5; q++ {
				shares[p][q] = measure.Of(model.Interaction(), p, q) / variance
			}
		}
		return shares
	}
	var all [][5][5]float64
	for range 40 {
		rows, y := make([][]float64, n), make([]float64, n)
		for i := range n {
			from := stream.IntN(n)
			rows[i], y[i] = written[from], train.Y[from]
		}
		all = append(all, fit(rows, y))
	}
	ridge, err := linear.NewRidge(train.Z, train.Y)
	require.NoError(t, err)
	main, err := ridge.Fit(penalty)
	require.NoError(t, err)
	fitted := make([]float64, n)
	main.Predict(fitted, train.Z)
	var maxima []float64
	for range 20 {
		y, most := make([]float64, n), 0.0
		for i, from := range stream.Perm(n) {
			y[i] = fitted[i] + train.Y[from] - fitted[from]
		}
		for _, row := range fit(written, y) {
			most = max(most, slices.Max(row[:]))
		}
		maxima = append(maxima, most)
	}
	quantile := func(all []float64, p float64) float64 { // by what is below: all of i numbers, and a part of the next
		slices.Sort(all)
		place := p * float64(len(all)-1)
		below := int(place)
		return all[below] + (place-float64(below))*(all[min(below+1, len(all)-1)]-all[below])
	}
	const rounding = 1e-6 // the sums of a sweep are taken in another order, and sweeps carry that on
	threshold := quantile(maxima, .95)
	assert.InEpsilon(t, threshold, r.Threshold, rounding)
	require.Len(t, r.Strongest, 10)
	for _, strength := range r.Strongest {
		var own []float64
		above := 0.0
		for _, shares := range all {
			own = append(own, shares[strength.P][strength.Q])
			if own[len(own)-1] > threshold {
				above++
			}
		}
		assert.InDelta(t, quantile(own, .05), strength.Low, rounding)
		assert.InDelta(t, quantile(own, .95), strength.High, rounding)
		assert.Equal(t, above/40, strength.Reach)
	}
}

// Where there is nothing but main effects, some 1 table in 20 may name a pair: the
// threshold is the 95 % quantile.
func TestATableWithoutInteractionsHasHardlyAnyPairAboveTheThreshold(t *testing.T) {
	found, led := 0, 0
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(71, seed))
		var b strings.Builder
		b.WriteString("a,b,c,kind,y\n")
		for range 250 {
			x := [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			kind := rng.IntN(4)
			for _, v := range x {
				b.WriteString(strconv.FormatFloat(v, 'g', 6, 64) + ",")
			}
			b.WriteString("k" + strconv.Itoa(kind) + "," + strconv.FormatFloat(x[0]-x[1]+float64(kind)+rng.NormFloat64(), 'g', 6, 64) + "\n")
		}
		r := refits(t, openCell(t, shortSearch, 1, read(t, shortSearch, b.String())))
		if r.Rank > 0 {
			led++
		}
		found += r.Above
	}
	t.Logf("%d pairs of %d tables where iFM leads", found, led)
	assert.LessOrEqual(t, found, 2)
}

func TestRidgeThatLeadsHasNoStrengths(t *testing.T) {
	const query = "source=table&target=y&models=ifm&ranks=2&lambdaf=1000000&lambdaw=1,10&encode=linear&iterations=10"
	rng := rand.New(rand.NewPCG(72, 1))
	var b strings.Builder
	b.WriteString("a,b,y\n")
	for range 200 {
		a := rng.NormFloat64()
		b.WriteString(strconv.FormatFloat(a, 'g', 6, 64) + "," + strconv.FormatFloat(rng.NormFloat64(), 'g', 6, 64) + "," + strconv.FormatFloat(2*a, 'g', 6, 64) + "\n")
	}
	table := read(t, query, b.String())
	r := refits(t, openRun(t, query, table))
	assert.Equal(t, &core.Refitted{Model: fm.IFM}, r)
	run, _ := train(t, query, 0, table)
	effort, err := run.Effort()
	require.NoError(t, err)
	assert.Less(t, effort, 1e6, "training alone")
}

func TestRefitsSayWhyTheyCannotBe(t *testing.T) {
	table := read(t, shortSearch, interacting(200, nil))
	run := openCell(t, shortSearch, 1, table)
	_, err := run.Effort()
	require.ErrorIs(t, err, core.ErrNoModel)
	run.Close()
	_, err = run.Refits()
	require.ErrorIs(t, err, core.ErrNoModel)

	run = openCell(t, shortSearch, 1, table)
	s, err := run.Refits()
	require.NoError(t, err)
	run.Close()
	require.ErrorIs(t, s.Next(), core.ErrNoModel)
	require.ErrorIs(t, s.Next(), core.ErrNoModel, "and again")
	assert.False(t, s.Done())

	run, _ = train(t, shortSearch, 1, table)
	run.Close()
	_, err = run.Refits()
	require.ErrorAs(t, err, new(core.NoTableError))

	run, _ = train(t, shortSearch, 1, table)
	s, err = run.Refits()
	require.NoError(t, err)
	for stage := core.RefitTraining; stage == core.RefitTraining; stage, _, _ = s.Progress() {
		require.NoError(t, s.Next())
	}
	run.Close()
	assert.Equal(t, 2, refits(t, run).Above, "what has its rows goes on without the table")

	const wide = "source=table&target=y&models=ifm&ranks=1&lambdas=0.1&solver=agd&iterations=1"
	var b strings.Builder
	for j := range core.MaxMatrix + 1 {
		b.WriteString("x" + strconv.Itoa(j) + ",")
	}
	b.WriteString("y\n")
	rng := rand.New(rand.NewPCG(73, 1))
	for range 30 {
		for range core.MaxMatrix + 1 {
			b.WriteString(strconv.FormatFloat(rng.NormFloat64(), 'f', 3, 64) + ",")
		}
		b.WriteString(strconv.FormatFloat(rng.NormFloat64(), 'f', 3, 64) + "\n")
	}
	s, err = openRun(t, wide, read(t, wide, b.String())).Refits()
	require.NoError(t, err)
	for err == nil && !s.Done() {
		err = s.Next()
	}
	var tooWide *core.TooWideError
	require.ErrorAs(t, err, &tooWide)
	assert.Equal(t, core.MaxMatrix+1, tooWide.Features)
}

// Other solvers, and drawn rows, are refitted too, each by its own.
func TestRefitsOfOtherSolvers(t *testing.T) {
	table := read(t, shortSearch, interacting(300, nil))
	for _, solver := range []string{"gauss-newton", "scaled", "agd"} {
		query := "source=table&target=y&models=ifm&ranks=2&lambdas=0.01,0.1&iterations=60&solver=" + solver
		assert.ElementsMatch(t, []string{"x1·x2", "x3·x4"}, standing(refits(t, openRun(t, query, table))), solver)
	}
	drawn := refits(t, openRun(t, "scenario=mixed&d=4&k=1&n=600&models=ifm&iterations=60&noise=0.1", nil))
	assert.Equal(t, []string{"x1", "x2", "x3", "x4"}, drawn.Columns)
	assert.Greater(t, drawn.Above, 0)
}

func TestTheEffortOfRefitsIsThatOfTrainingAndSixtyFits(t *testing.T) {
	table := read(t, shortSearch, interacting(200, nil))
	one, records := train(t, "source=table&target=y&models=ifm&ranks=2&lambdaf=3&lambdaw=1&encode=linear&iterations=30", 0, table)
	effort, err := one.Effort()
	require.NoError(t, err)
	last := records[len(records)-1]
	require.Equal(t, 1, last.Lead, "after ridge there is one candidate")
	const pass = 2 * 120 * 6 * 5 // of 120 rows, 6 features and [w|U|V]
	valid := math.Inf(1)
	kept := last
	for _, record := range records {
		if record.Valid < valid {
			kept, valid = record, record.Valid
		}
	}
	share := float64(kept.Iteration) / float64(last.Iteration)
	assert.InEpsilon(t, (1+60*share)*last.Passes*pass+21*10*24*120, effort, 1e-9)
}
