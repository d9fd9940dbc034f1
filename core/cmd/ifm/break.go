package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ifmlab/core/population"
	"ifmlab/core/spec"
)

const breakDetails = `Break fits FM of rank 2 and iFM of rank 1, with twelve numbers each, to the matrix of
the chapter "Break it yourself", without any rows. It prints M with its eigenvalues,
both fits and the score. The score is FM's error divided by iFM's, each at least 1 %,
and it agrees with the page to the digit. An error is a share of the error of a model
without interactions. Then it fits the random matrices of the chapter and counts on how
many of them either model leads by more than 1 %. Settings begin with "break." in a
link, and need not when they stand alone.`

// level is the ratio within which two errors count as equal.
const level = 1.01

func breakMatrix(c *call, args []string) error {
	s, notices := spec.ParseBreak(readChapter(c, "break", spec.BreakFields(), args))
	c.report(notices)
	pairs, _ := s.Pairs()
	found, err := population.Compare(pairs, 1)
	if err != nil {
		return err
	}
	c.printContest(found)
	scores, err := each(s.Draws, func(i int) (float64, error) {
		drawn, err := population.Compare(population.Drawn(found.D, s.Seed, i), 1)
		if err != nil {
			return 0, err
		}
		return drawn.Score, nil
	})
	if err != nil {
		return err
	}
	ifm, fm := 0, 0
	for _, score := range scores {
		switch {
		case score > level:
			ifm++
		case score < 1/level:
			fm++
		}
	}
	fmt.Fprintf(c.stdout, "\nof %d drawn matrices iFM is ahead on %d, FM on %d\n", s.Draws, ifm, fm)
	return nil
}

// printContest prints M, both fits and the score.
func (c *call) printContest(of *population.Contest) {
	fmt.Fprint(c.stdout, "eigenvalues of M:")
	values := slices.Sorted(slices.Values(of.Eigenvalues))
	slices.Reverse(values)
	for _, v := range values {
		fmt.Fprintf(c.stdout, " %s", hundredths(v))
	}
	c.printPairs("\n\nM", of.D, of.Pairs)
	c.printPairs("\n\nFM of rank 2 "+residual(of.FM), of.D, of.FM.Pairs)
	c.printPairs("\n\niFM of rank 1 "+residual(of.IFM), of.D, of.IFM.Pairs)
	fmt.Fprintf(c.stdout, "\n\nscore %.2f\n", of.Score)
}

// printPairs prints the upper triangle of a matrix.
func (c *call) printPairs(name string, d int, pairs []float64) {
	fmt.Fprint(c.stdout, name)
	for i := range d - 1 {
		fmt.Fprintf(c.stdout, "\n%s", strings.Repeat(" ", 6*i))
		for _, v := range pairs[:d-1-i] {
			fmt.Fprintf(c.stdout, "%6s", hundredths(v))
		}
		pairs = pairs[d-1-i:]
	}
}

// residual describes the error of a fit.
func residual(f population.Fit) string {
	text := fmt.Sprintf("leaves %.1f %%", 100*f.Share)
	if f.Unbounded() {
		names := make([]string, len(f.Hidden))
		for i, h := range f.Hidden {
			names[i] = "x" + strconv.Itoa(h+1)
		}
		text += ", in the limit where the factors of " + strings.Join(names, " and ") + " grow without bound"
	}
	return text
}

// hundredths writes a number with two decimals, and none as −0.
func hundredths(v float64) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', 2, 64), "-0.00", "0.00", 1)
}
