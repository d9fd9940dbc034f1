package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/fm"
	"ifmlab/core/solve"
)

// fit is a solver on its way.
type fit struct {
	solver solve.Solver
	model  *fm.Model
	start  solve.Progress
}

// start begins AGD of iFM on standardized rows.
func start(z data.Design, y []float64, k int) (*fit, error) {
	_, d := z.Dims()
	f := &fit{solver: solve.NewAGD(), model: fm.New(fm.IFM, d, k)}
	var err error
	f.start, err = f.solver.Start(solve.Problem{Source: solve.Whole(z, y)}, f.model, core.Stream(1, 0, core.StreamStart))
	return f, err
}

// drawn returns Gaussian rows, their elements row by row too, and targets that
// no model explains, so that no fit comes to its end.
func drawn(n, d int) (z *data.Dense, x, y []float64) {
	rng := core.Stream(1, 0, core.StreamTrain)
	x, y = gaussian(rng, n*d), gaussian(rng, n)
	return data.NewDense(n, d, x), x, y
}

func gaussian(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// step returns the milliseconds of a step of AGD alone, iFM of 15000×100, k = 8.
func step() (float64, error) {
	z, _, y := drawn(much.rows, 100)
	f, err := start(z, y, 8)
	if err != nil {
		return 0, err
	}
	return fastest(much.steps, func() error { _, err := f.solver.Step(); return err })
}

// fastest returns the milliseconds of processor time of the fastest call: all
// that a busy machine does to it is add.
func fastest(calls int, f func() error) (float64, error) {
	best := math.Inf(1)
	for range calls {
		began := processorTime()
		if err := f(); err != nil {
			return 0, err
		}
		best = min(best, 1e3*(processorTime()-began).Seconds())
	}
	return best, nil
}

// growth is a size that the time of an iteration should be proportional to.
type growth struct {
	name  string
	sizes []int
	make  func(size int) (f *fit, measured float64, err error)
}

// growths has sizes large enough for what does not grow to be a small part of
// the time, and small enough for a dense design, 0.8 to 5 MB, to stay in the cache
// that cores share. Ranks are multiples of the 16 columns that a product does at once.
var growths = []growth{
	{"n (d = 100, k = 8)", []int{1500, 2500, 4000, 6000}, func(n int) (*fit, float64, error) { return dense(n, 100, 8, n) }},
	{"d (n = 1000, k = 8)", []int{150, 250, 400, 600}, func(d int) (*fit, float64, error) { return dense(1000, d, 8, d) }},
	{"k (n = 1000, d = 100)", []int{32, 48, 64}, func(k int) (*fit, float64, error) { return dense(1000, 100, k, k) }},
	{"nnz (40 to 160 columns of text, 1920 levels, k = 8)", []int{40, 80, 160}, sparse},
}

func dense(n, d, k, size int) (*fit, float64, error) {
	z, _, y := drawn(n, d)
	f, err := start(z, y, k)
	return f, float64(size), err
}

// sparse is a table of text columns, 1920 levels all together: a design with
// one element that is not 0 a column and row.
func sparse(columns int) (*fit, float64, error) {
	rng := core.Stream(1, 0, core.StreamTrain)
	var file []byte
	for j := range columns {
		file = append(strconv.AppendInt(append(file, 'c'), int64(j), 10), ',')
	}
	file = append(file, "y\n"...)
	for range 8000 {
		for range columns {
			file = append(strconv.AppendInt(append(file, 'v'), int64(rng.IntN(1920/columns)), 10), ',')
		}
		file = append(strconv.AppendFloat(file, rng.NormFloat64(), 'f', 4, 64), '\n')
	}
	table, err := data.Read(bytes.NewReader(file), data.Options{Name: "sparse.csv"})
	if err != nil {
		return nil, 0, err
	}
	plan, err := table.Plan(data.Settings{Target: "y"})
	if err != nil {
		return nil, 0, err
	}
	set, err := plan.Dataset(core.Stream(1, 0, core.StreamSplit))
	if err != nil {
		return nil, 0, err
	}
	z := set.Train.Z
	if _, ok := z.(*data.Mixed); !ok {
		return nil, 0, fmt.Errorf("bench: the design of %d columns of levels is a %T, want it sparse", columns, z)
	}
	n, d := z.Dims()
	ones, counts, elements := make([]float64, d), make([]float64, n), 0.0
	for j := range ones {
		ones[j] = 1
	}
	z.Each(data.BlockRows, func(lo, hi int, b data.Block) { b.SquaresForward(counts[lo:hi], ones) })
	for _, c := range counts { // every element is 1
		elements += c
	}
	f, err := start(z, set.Train.Y, 8)
	return f, elements, err
}

// exponent returns the slope of log time over log size by least squares, each
// time the fastest of several steps, the sizes taken in turns.
func (g growth) exponent() (float64, error) {
	sizes := g.sizes[:min(len(g.sizes), much.sizes)]
	fits, x := make([]*fit, len(sizes)), make([]float64, len(sizes))
	best := make([]float64, len(sizes))
	for i, size := range sizes {
		f, measured, err := g.make(size)
		if err != nil {
			return 0, err
		}
		fits[i], x[i], best[i] = f, math.Log(measured), math.Inf(1)
	}
	for range much.turns {
		for i, f := range fits {
			ms, err := fastest(much.repeats, func() error { _, err := f.solver.Step(); return err })
			if err != nil {
				return 0, err
			}
			best[i] = min(best[i], ms)
		}
	}
	var mx, my, xx, xy float64
	for i := range x {
		mx += x[i] / float64(len(x))
		my += math.Log(best[i]) / float64(len(x))
	}
	for i := range x {
		xx += (x[i] - mx) * (x[i] - mx)
		xy += (x[i] - mx) * (math.Log(best[i]) - my)
	}
	return xy / xx, nil
}
