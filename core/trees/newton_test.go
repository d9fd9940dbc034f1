package trees

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
)

// coin makes classes of targets: 1 the more likely, the further a target is above its
// median.
func coin(y []float64, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 9))
	median := slices.Sorted(slices.Values(y))[len(y)/2]
	classes := make([]float64, len(y))
	for i, v := range y {
		if rng.Float64() < 1/(1+math.Exp(-2*(v-median))) {
			classes[i] = 1
		}
	}
	return classes
}

// halves draws weights ½, 1, 1½ and 2. Rows of weight 0 would be on either side of a
// threshold with the same gain.
func halves(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 10))
	weight := make([]float64, n)
	for i := range weight {
		weight[i] = float64(1+rng.IntN(4)) / 2
	}
	return weight
}

func TestEveryTreeIsTheOneThatTryingAllSplitsFinds(t *testing.T) {
	for seed := range uint64(4) {
		for _, classes := range []bool{false, true} {
			for _, weighted := range []bool{false, true} {
				raw, y := small(seed)
				raw = raw[seed:] // one column to four: histograms are counted two columns at a time
				if classes {
					y = coin(y, seed)
				}
				on, weight := Options{Classes: classes}, slices.Repeat([]float64{1}, len(y))
				if weighted {
					weight = halves(len(y), seed)
					on.Train, on.Valid = weight, weight
				}
				b := must(New(Rows{raw, y}, Rows{raw, y}, on))
				var columns [][]float64
				for _, c := range raw {
					columns = append(columns, c.Numbers)
				}
				for range 8 {
					slopes, bends := make([]float64, len(y)), make([]float64, len(y))
					for i, c := range weight {
						slopes[i], bends[i] = c*(b.train.y[i]-b.train.f[i]), c
						if classes {
							p := 1 / (1 + math.Exp(-b.mean-b.train.f[i]))
							slopes[i], bends[i] = c*(y[i]-p), c*p*(1-p)
						}
					}
					want := map[string]float64{}
					for _, l := range exhaustive(columns, slopes, bends, weight, 31, 5) {
						slices.Sort(l.rows)
						want[fmt.Sprint(l.rows)] = .1 * l.sum / (l.bend + penalty)
					}
					after := slices.Clone(b.train.f)
					if b.Next() {
						break
					}
					trees := b.ensembles[0].trees
					if len(trees) == 0 { // a root that no split improves
						require.Len(t, want, 1)
						break
					}
					grown := trees[len(trees)-1]
					assert.Equal(t, written(want), written(leavesOf(grown, b.train.bins, len(y))), "seed %d, %+v", seed, on)
					grown.add(after, b.train.bins)
					assert.Equal(t, b.train.f, after, "what a leaf adds to its rows is what the tree predicts for them")
				}
			}
		}
	}
}

// whole grows all trees on these terms.
func whole(t *testing.T, train, valid Rows, on Options) *Booster {
	t.Helper()
	b := must(New(train, valid, on))
	for !b.Next() {
	}
	return b
}

// logLoss returns the mean logistic loss of log-odds.
func logLoss(f, y []float64) (sum float64) {
	for i, v := range f {
		sum += math.Log1p(math.Exp((1-2*y[i])*v)) / float64(len(f))
	}
	return sum
}

func TestARowOfWeightTwoIsTwoRowsToTrees(t *testing.T) {
	for _, classes := range []bool{false, true} {
		train, valid := city(1, 400), city(2, 200)
		if classes {
			train.Y, valid.Y = coin(train.Y, 4), coin(valid.Y, 5)
		}
		twice := func(rows Rows, seed uint64) (weight []float64, doubled Rows) {
			var at []int
			for i, c := range halves(len(rows.Y), seed) {
				weight = append(weight, math.Ceil(c))
				at = append(at, slices.Repeat([]int{i}, int(math.Ceil(c)))...)
			}
			return weight, choose(rows, at...)
		}
		on := Options{Classes: classes}
		trainWeight, manyTrain := twice(train, 1)
		validWeight, manyValid := twice(valid, 2)
		b := whole(t, manyTrain, manyValid, on)
		on.Train, on.Valid = trainWeight, validWeight
		a := whole(t, train, valid, on)
		fa, fb := predict(t, a, train.Columns), predict(t, b, train.Columns)
		assert.InDeltaSlice(t, fb, fa, 1e-9, "slopes are rounded to some 1e-14 of the largest")
	}
}

// choose returns the rows at some places.
func choose(rows Rows, at ...int) (out Rows) {
	for _, c := range rows.Columns {
		numbers, codes := c.Numbers, c.Codes
		c.Numbers, c.Codes = nil, nil
		for _, i := range at {
			if c.Kind == design.Numeric {
				c.Numbers = append(c.Numbers, numbers[i])
			} else {
				c.Codes = append(c.Codes, codes[i])
			}
		}
		out.Columns = append(out.Columns, c)
	}
	for _, i := range at {
		out.Y = append(out.Y, rows.Y[i])
	}
	return out
}

func TestTreesOfSeparableClassesStayFinite(t *testing.T) {
	train, valid := city(1, 500), city(2, 300)
	for _, rows := range []Rows{train, valid} {
		for i := range rows.Y {
			if rows.Y[i] = 0; rows.Columns[1].Numbers[i] > 1 {
				rows.Y[i] = 1
			}
		}
	}
	b := whole(t, train, valid, Options{Classes: true})
	assert.Less(t, logLoss(predict(t, b, valid.Columns), valid.Y), .02)
}

func TestTreesRefuseBadClassesAndWeights(t *testing.T) {
	x := []design.Raw{numbers("x", []float64{1, 2, 3})}
	good := Rows{x, []float64{0, 1, 0}}
	for want, of := range map[string]struct {
		train, valid Rows
		on           Options
	}{
		"trees: target of training row 1 is 2, expected a class, 0 or 1. Correct it or leave the row out":                    {Rows{x, []float64{0, 2, 1}}, good, Options{Classes: true}},
		"trees: target of validation row 2 is 0.5, expected a class, 0 or 1. Correct it or leave the row out":                {good, Rows{x, []float64{0, 1, .5}}, Options{Classes: true}},
		"trees: all training rows have class 1, expected rows of both classes, 0 and 1. Add rows of the other class":         {Rows{x, []float64{1, 1, 1}}, good, Options{Classes: true}},
		"trees: all training rows have class 0, expected rows of both classes, 0 and 1. Add rows of the other class":         {good, good, Options{Classes: true, Train: []float64{1, 0, 1}}},
		"trees: the weight of training row 1 is -1, expected a finite number of at least 0. Correct it or leave the row out": {good, good, Options{Train: []float64{1, -1, 1}}},
		"trees: the weights of validation rows sum to 0, expected a finite number above 0. Give the rows weights":            {good, good, Options{Valid: []float64{0, 0, 0}}},
		"trees: there are 2 weights for the training rows, expected 3":                                                       {good, good, Options{Train: []float64{1, 2}}},
	} {
		_, err := New(of.train, of.valid, of.on)
		assert.EqualError(t, err, want)
	}
	_, err := New(good, Rows{x, []float64{1, 1, 1}}, Options{Classes: true})
	assert.NoError(t, err, "validation rows of one class are no error")
}

// numbers is a numeric column.
func numbers(name string, values []float64) design.Raw {
	return design.Raw{Name: name, Kind: design.Numeric, Numbers: values}
}

// oracleLeaf is a leaf as the definition has it: its rows and what their slopes,
// bends and weights sum up to.
type oracleLeaf struct {
	rows              []int
	sum, bend, weight float64
}

// exhaustive grows a tree by trying every value of every column on the rows
// themselves, with missing cells right and then left. Bends and weights of squares
// are 1.
func exhaustive(columns [][]float64, residuals, bends, weights []float64, most int, minRows float64) []oracleLeaf {
	all := make([]int, len(residuals))
	for i := range all {
		all[i] = i
	}
	leafOf := func(rows []int) (l oracleLeaf) {
		l.rows = rows
		for _, row := range rows {
			l.sum += residuals[row]
			l.bend += bends[row]
			l.weight += weights[row]
		}
		return l
	}
	score := func(l oracleLeaf) float64 { return l.sum * l.sum / (l.bend + penalty) }
	leaves := []oracleLeaf{leafOf(all)}
	for len(leaves) < most {
		gain, at, best := 0.0, -1, [2]oracleLeaf{}
		for i, l := range leaves {
			for _, x := range columns {
				for _, missingLeft := range []bool{false, true} {
					for _, row := range l.rows {
						threshold := x[row] // NaN: everything but missing cells goes left
						var left, right []int
						for _, r := range l.rows {
							if x[r] <= threshold || math.IsNaN(x[r]) && missingLeft || math.IsNaN(threshold) && !math.IsNaN(x[r]) {
								left = append(left, r)
							} else {
								right = append(right, r)
							}
						}
						a, b := leafOf(left), leafOf(right)
						if a.weight < minRows || b.weight < minRows {
							continue
						}
						if g := score(a) + score(b) - score(l); g > gain+1e-9 {
							gain, at, best = g, i, [2]oracleLeaf{a, b}
						}
					}
				}
			}
		}
		if at < 0 {
			break
		}
		leaves[at] = best[0]
		leaves = append(leaves, best[1])
	}
	return leaves
}

// written returns leaves as text, one a line, in an order of their own.
func written(leaves map[string]float64) string {
	var lines []string
	for rows, value := range leaves {
		lines = append(lines, fmt.Sprintf("%s: %.9f", rows, value))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// small draws a table of 60 rows: whole numbers with ties, real ones, and one of
// each where cells are missing.
func small(seed uint64) ([]design.Raw, []float64) {
	rng := rand.New(rand.NewPCG(seed, 3))
	const n = 60
	columns := make([][]float64, 4)
	y := make([]float64, n)
	for i := range n {
		for j := range columns {
			v := rng.NormFloat64()
			if j%2 == 0 {
				v = float64(rng.IntN(6))
			}
			if j > 1 && rng.IntN(4) == 0 {
				v = math.NaN()
			}
			columns[j] = append(columns[j], v)
		}
		y[i] = columns[0][i]*columns[1][i] + rng.NormFloat64()
		if math.IsNaN(columns[2][i]) {
			y[i] += 2
		}
	}
	return []design.Raw{numbers("a", columns[0]), numbers("b", columns[1]), numbers("c", columns[2]), numbers("d", columns[3])}, y
}

// leavesOf returns the rows of each leaf of a tree and its value.
func leavesOf(grown tree, bins [][]uint8, rows int) map[string]float64 {
	in := map[int][]int{}
	for row := range rows {
		at := 0
		for grown[at].left != 0 {
			if n := grown[at]; n.goesLeft(bins[n.column][row]) {
				at = int(n.left)
			} else {
				at = int(n.right)
			}
		}
		in[at] = append(in[at], row)
	}
	leaves := map[string]float64{}
	for at, rows := range in {
		leaves[fmt.Sprint(rows)] = grown[at].value
	}
	return leaves
}
