package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// ratings draws a CSV table of ratings: 20,000 ratings of 400 items by 600 users, in
// halves of a star from .5 to 5. The k-th item and the k-th user are drawn in proportion
// to 1/(k + 20), and no user rates an item twice. A rating is the sum of
//
//	3.5
//	the deviations of the user and of the item     standard deviation .4 each
//	their interaction, of rank 2                   .6
//	noise                                          .5
func ratings() []byte {
	const users, items, rows, rank = 600, 400, 20_000, 2
	rng := rand.New(rand.NewPCG(18, 0))
	normal := func(n int, sd float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = sd * rng.NormFloat64()
		}
		return x
	}
	drawer := func(n int) func() int {
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
	user, item := drawer(users), drawer(items)
	seen := map[[2]int]bool{}
	file := []byte("user,item,rating\n")
	for len(seen) < rows {
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
		file = fmt.Appendf(file, "u%d,i%d,%v\n", u+1, i+1, stars)
	}
	return file
}
