package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
)

// ratings draws a table of who rates what, as collections of films or books are: 20,000
// ratings of 400 items by 600 users, in halves of a star from .5 to 5, the k-th item and
// the k-th user in proportion to 1/(k + 20). A rating is 3.5, what the user and the item
// usually deviate by, of standard deviation .4 each, what the two make of each other, of
// rank 2 and standard deviation .6, and noise of .5. No user rates an item twice. The
// second result is what is known of each without the noise.
func ratings() (file []byte, truth []float64) {
	const users, items, rows, rank = 600, 400, 20_000, 2
	rng := rand.New(rand.NewPCG(18, 0))
	normal := func(n int, sd float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = sd * rng.NormFloat64()
		}
		return x
	}
	often := func(n int) func() int {
		until, sum := make([]float64, n), 0.
		for k := range until {
			sum += 1 / float64(k+20)
			until[k] = sum
		}
		return func() int {
			at, _ := slices.BinarySearch(until, sum*rng.Float64())
			return min(at, n-1)
		}
	}
	ofUser, ofItem := normal(users, .4), normal(items, .4)
	size := math.Sqrt(.6 / math.Sqrt(rank))
	tastes, traits := normal(users*rank, size), normal(items*rank, size)
	user, item := often(users), often(items)
	seen := map[[2]int]bool{}
	file = []byte("user,item,rating\n")
	for len(truth) < rows {
		u, i := user(), item()
		if seen[[2]int{u, i}] {
			continue
		}
		seen[[2]int{u, i}] = true
		f := 3.5 + ofUser[u] + ofItem[i]
		for k := range rank {
			f += tastes[u*rank+k] * traits[i*rank+k]
		}
		stars := max(.5, min(math.Round(2*(f+.5*rng.NormFloat64()))/2, 5))
		file = append(strconv.AppendInt(append(file, 'u'), int64(u+1), 10), ",i"...)
		file = append(strconv.AppendInt(file, int64(i+1), 10), ',')
		file = append(strconv.AppendFloat(file, stars, 'f', -1, 64), '\n')
		truth = append(truth, max(.5, min(f, 5)))
	}
	return file, truth
}
