package vtec

import "math"

// mostLloyd bounds the iterations of kMeans. From the satellites' own centres it converges
// after about five.
const mostLloyd = 100

// place is a point of the plane of k-means, in degrees.
type place struct{ lat, lon float64 }

// kMeans moves the centres by Lloyd's algorithm: every point goes to its nearest centre and
// every centre to the mean of its points, until no point changes its centre. A centre
// without points stays. It costs O(points·centres) an iteration.
func kMeans(points, centres []place) {
	of := make([]int, len(points))
	for i := range of {
		of[i] = -1
	}
	sums, counts := make([]place, len(centres)), make([]int, len(centres))
	for range mostLloyd {
		moved := false
		clear(sums)
		clear(counts)
		for i, p := range points {
			g := nearest(centres, p)
			moved = moved || of[i] != g
			of[i] = g
			sums[g].lat += p.lat
			sums[g].lon += p.lon
			counts[g]++
		}
		if !moved {
			return
		}
		for g, n := range counts {
			if n > 0 {
				centres[g] = place{sums[g].lat / float64(n), sums[g].lon / float64(n)}
			}
		}
	}
}

// nearest returns the index of the centre nearest to a point, the first of equals.
func nearest(centres []place, p place) int {
	best, least := 0, math.Inf(1)
	for g, c := range centres {
		lat, lon := p.lat-c.lat, p.lon-c.lon
		if square := lat*lat + lon*lon; square < least {
			best, least = g, square
		}
	}
	return best
}
