package trees

import "math/bits"

// setting bounds the trees of an ensemble.
type setting struct {
	maxTrees int
	leaves   int     // of a tree, at most
	rate     float64 // share of a tree that is added
}

// settings are tried in turn, and validation rows choose one.
var settings = [...]setting{{maxTrees: 500, leaves: 31, rate: .1}, {maxTrees: 800, leaves: 15, rate: .05}}

// MaxTrees is the most trees that a [Booster] and its [Booster.Again] grow.
const MaxTrees = 500 + 800 + 800

const (
	// penalty is λ of the leaves. A leaf of n rows with residual sum G has the value
	// G/(n + λ), which lowers the loss by ½G²/(n + λ).
	penalty = 1
	// patience is the number of trees without improvement that ends an ensemble.
	patience = 20
	// better is the share of the lowest validation loss below which a loss is an improvement.
	better = 1 - 1e-7
	// maxBytes bounds the histograms of the leaves of a tree.
	maxBytes = 256 << 20
)

// minRows returns the fewest training rows of a leaf.
func minRows(rows int) int {
	if rows < 1000 {
		return max(5, rows/50)
	}
	return 20
}

// Quick is the [Work] up to which the page grows trees without asking: at most about six
// seconds in a browser.
const Quick = 1.5e9

// Work returns the most work that all [MaxTrees] trees take, in additions to histograms:
//
//	Σ trees·(rows·(columns + 6)·(1 + ½·log₂L) + 4·2L·bins·columns)
//
// over both settings, and once more on a third more rows for the trees of [Booster.Again],
// with L leaves and min(rows, 256) bins. The smaller children of a
// tree have at most rows·½·log₂L rows together. Moving a row to its leaf and predicting it
// counts as 6 columns, and scoring a split as 4 additions. Classes take twice as many
// additions to histograms, and weights three times as many.
//
// The time for an addition, with all else included, is measured by
//
//	go test -run - -bench Grow -benchtime 1x -count 5 ./core/trees
//
// on rows of the shapes of California housing (12,384 of 9 columns) and of hourly bikes
// (10,429 of 12), with all values different, so that every column has all bins. The
// fastest of several runs on a shared 2 GHz Xeon took 1.5 and 1.2 ns natively, 4.3 and 3.2
// ns as WebAssembly under Node.js. The columns of the real tables have fewer values and
// take two thirds of that. There, patience ends training after nine tenths of the trees;
// for tables of a few hundred rows, after a tenth.
func Work(rows, columns int) float64 {
	work := 0.0
	for i, s := range append(settings[:], settings[1]) {
		if i == len(settings) {
			rows += rows / 3
		}
		counted := float64(rows*(columns+6)) * (1 + float64(bits.Len(uint(s.leaves)))/2)
		weighed := float64(8 * s.leaves * columns * min(rows, maxBins+1))
		work += float64(float64(s.maxTrees) * (counted + weighed))
	}
	return work
}
