package trees

import "math/bits"

// setting is how an ensemble is grown.
type setting struct {
	most   int     // trees
	leaves int     // of a tree, at most
	rate   float64 // share of a tree that is added
}

// settings are tried in turn; validation rows choose.
var settings = [...]setting{{most: 500, leaves: 31, rate: .1}, {most: 800, leaves: 15, rate: .05}}

// MostTrees is the number of trees that a [Booster] grows at most.
const MostTrees = 500 + 800

const (
	// penalty is λ of the leaves: a leaf of n rows whose residuals sum to G has the
	// value G/(n + λ), which lowers the loss by ½G²/(n + λ).
	penalty = 1
	// patience is the number of trees after the best one with which an ensemble ends.
	patience = 20
	// better is what the validation loss must fall below, as a share of the lowest.
	better = 1 - 1e-7
	// maxBytes bounds the histograms of the leaves of a tree.
	maxBytes = 256 << 20
)

// minRows returns the number of training rows that a leaf has at least.
func minRows(rows int) int {
	if rows < 1000 {
		return max(5, rows/50)
	}
	return 20
}

// Quick is the [Work] up to which a page need not ask before it grows trees: some
// six seconds in a browser at most.
const Quick = 1.5e9

// Work returns what growing all [MostTrees] trees on so many training rows and
// columns takes at most, in additions to histograms:
//
//	Σ trees·(rows·(columns + 6)·(1 + ½·log₂L) + 4·2L·bins·columns)
//
// over both settings, L their leaves and bins the lesser of rows and 256. The
// smaller children of a tree hold rows·½·log₂L rows together at most. To put a
// row in its place and to predict it counts as 6 columns, to weigh a split as 4
// additions. Of classes there are twice as many to histograms, with weights three
// times.
//
// What an addition takes, all else included, is measured by
//
//	go test -run - -bench Grow -benchtime 1x -count 5 ./core/trees
//
// on rows of the shapes of California housing (12,384 of 9 columns) and of hourly
// bikes (10,429 of 12), every number another, so that no column has fewer bins. The
// fastest of several runs, on a shared Xeon processor of 2 GHz: 1.5 and 1.2 ns
// natively, 4.3 and 3.2 ns as WebAssembly under Node.js. Of those tables' own columns,
// many of which have few values, it takes two thirds of that; patience ends both after
// nine tenths of the trees, and tables of some hundred rows after a tenth.
func Work(rows, columns int) float64 {
	work := 0.0
	for _, s := range settings {
		counted := float64(rows*(columns+6)) * (1 + float64(bits.Len(uint(s.leaves)))/2)
		weighed := float64(8 * s.leaves * columns * min(rows, mostBins+1))
		work += float64(float64(s.most) * (counted + weighed))
	}
	return work
}
