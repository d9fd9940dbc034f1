package trees

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"ifmlab/core/design"
)

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
