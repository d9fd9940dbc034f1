package vtec

import (
	"math"

	"ifmlab/core/message"
)

// Elevations is the number of bands of elevation. The elevation of a difference is that of
// its satellite at the test station; the reference stands higher.
const Elevations = 3

var elevations = [Elevations]string{"15–30°", "30–50°", "50–90°"}

// elevation returns the band of a test difference.
func (w *Window) elevation(d *Difference) int {
	const degree = math.Pi / 180
	switch e := w.points[int(d.Satellite)*w.stations+w.test].Elevation; {
	case e < 30*degree:
		return 0
	case e < 50*degree:
		return 1
	}
	return 2
}

// Band has a window's errors in one band of elevations.
type Band struct {
	Test    int       // differences
	Squares []float64 // Σ (y − ŷ)², m², a method each
}

// hours is the length of the spans of a day in Groups.
const hours = 3

// fewestDays is the number of days from which days are the blocks of a Group.
const fewestDays = 3

// mostMemory is the largest correlation of hours that an interval allows for.
const mostCorrelation = .9

// Group is a part of the test differences: all, or those of one station, of some hours of
// the day, or of one band of elevations.
type Group struct {
	Name        string
	Differences int
	RMSE        []float64   // for each method: the mean over the blocks
	Blocks      [][]float64 // RMSE of each block with differences, for each method
}

// Lead returns by how much the RMSE of one method in a group exceeds that of another,
// metres: the mean over the blocks, and half the width of its 95 % interval. Methods are
// compared block by block, so common errors cancel:
//
//	d̄ ± c·t·√(Σ(d − d̄)²/(n(n−1)))   d of n blocks, t of n − 1 degrees of freedom
//
// Days are nearly independent, and c is 1. Hours are not: c² = (1 + ρ)/(1 − ρ), with ρ the
// correlation of d with that of the next block, from 0 to .9, as in an autoregressive
// series.
//
// half is NaN for fewer than two blocks. It costs O(n).
func (g *Groups) Lead(of *Group, a, b int) (mean, half float64) {
	n := float64(len(of.Blocks))
	for _, v := range of.Blocks {
		mean += v[a] - v[b]
	}
	mean /= n
	squares, products, before := 0.0, 0.0, 0.0
	for _, v := range of.Blocks {
		off := v[a] - v[b] - mean
		squares += float64(off * off)
		products += float64(before * off)
		before = off
	}
	if n < 2 {
		return mean, math.NaN()
	}
	half = student(len(of.Blocks)-1) * math.Sqrt(squares/(n*(n-1)))
	if g.Hourly && squares > 0 {
		rho := min(max(products/squares, 0), mostCorrelation)
		half *= math.Sqrt((1 + rho) / (1 - rho))
	}
	return mean, half
}

// student returns the .975 quantile of Student's t, to a hundredth.
func student(degrees int) float64 {
	small := [...]float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228}
	if degrees <= len(small) {
		return small[degrees-1]
	}
	return 1.96 + 2.6/float64(degrees)
}

// Groups has the table's groups beyond its days.
type Groups struct {
	Hourly     bool  // blocks are hours, because there are fewer than three days
	All        Group // of all differences
	Stations   []Group
	Hours      []Group
	Elevations []Group
}

// block is a sum over a block of a group.
type block struct {
	test    int
	squares []float64
}

// groupSum is the running sum of a group, with its blocks in order.
type groupSum struct {
	blockIDs []int // of each block: its day or hour
	blocks   []block
}

// add adds the errors of a window to a block, which is the last one or new.
func (g *groupSum) add(at, test int, squares []float64) {
	if test == 0 {
		return
	}
	last := len(g.blockIDs) - 1
	if last < 0 || g.blockIDs[last] != at {
		g.blockIDs, g.blocks = append(g.blockIDs, at), append(g.blocks, block{squares: make([]float64, len(squares))})
		last++
	}
	g.blocks[last].test += test
	for k, v := range squares {
		g.blocks[last].squares[k] += v
	}
}

// group returns the group.
func (g *groupSum) group(name string, methods int) Group {
	of := Group{Name: name, RMSE: make([]float64, methods)}
	for _, b := range g.blocks {
		of.Differences += b.test
		rmse := make([]float64, methods)
		for k, v := range b.squares {
			rmse[k] = math.Sqrt(v / float64(b.test))
			of.RMSE[k] += rmse[k]
		}
		of.Blocks = append(of.Blocks, rmse)
	}
	for k := range of.RMSE {
		of.RMSE[k] /= float64(len(g.blocks))
	}
	return of
}

// group sums up results by group, in the order of Windows. It leaves out groups without a
// difference.
func (e *Experiment) group(results []Result) (g Groups) {
	const spans = 24 / hours
	days, last := 0, -1
	for i, r := range results {
		if day := e.windows[i].Day; r.Test > 0 && day != last {
			days, last = days+1, day
		}
	}
	g.Hourly = days < fewestDays
	var all groupSum
	stations, times, bands := make([]groupSum, len(e.network.Stations)), make([]groupSum, spans), make([]groupSum, Elevations)
	for i, r := range results {
		if r.Test == 0 {
			continue
		}
		at := e.windows[i]
		block := at.Day
		if g.Hourly {
			block = at.Day*24 + at.Minute/60
		}
		all.add(block, r.Test, r.Squares)
		stations[e.Station(i)].add(block, r.Test, r.Squares)
		times[at.Minute/60/hours].add(block, r.Test, r.Squares)
		for k, b := range r.Bands {
			bands[k].add(block, b.Test, b.Squares)
		}
	}
	methods := len(e.settings.Methods)
	named := func(of []groupSum, name func(i int) string) (groups []Group) {
		for i := range of {
			if len(of[i].blocks) > 0 {
				groups = append(groups, of[i].group(name(i), methods))
			}
		}
		return groups
	}
	g.All = all.group("all", methods)
	g.Stations = named(stations, func(i int) string { return e.network.Stations[i].Name })
	g.Hours = named(times, func(i int) string { return message.Sprintf("%d–%d h UT", hours*i, hours*(i+1)) })
	g.Elevations = named(bands, func(i int) string { return elevations[i] })
	return g
}
