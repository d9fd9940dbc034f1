package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ifmlab/core/population"
	"ifmlab/core/spec"
)

const aboutBreak = `Break fits FM of rank 2 and iFM of rank 1, of twelve numbers each, to the matrix of
the page's chapter "Break it yourself", with no rows between it and them. It prints M
with its eigenvalues, both fits, and the score, which is FM's error ÷ iFM's, each
counted as 1 % at least: that of the page, to the digit. An error is the share of a
model without interactions. Then it does the same for the matrices that the chapter
draws, and prints on how many of them either model is ahead by more than 1 %. The
settings begin with "break." in a link; settings alone may leave that out.`

// level is within what two errors count as the same.
const level = 1.01

func breakIt(c *call) error {
	if len(c.args) > 1 {
		return c.usage()
	}
	var query string
	if len(c.args) == 1 {
		var bare bool
		if query, bare = settings(c.args[0]); bare {
			query = dotted("break.", spec.BreakFields(), query)
		}
	}
	l := c.read(query)
	if others := l.Spec.Encode(); others != "" {
		c.leave("left %s of the figure or a table; run ifm curve with this link", others)
	}
	c.leaveChapters(l, "break")
	own := spec.BreakQuery(l.Parts["break"])
	tellTwice(c, spec.BreakFields(), own)
	s, notices := spec.ParseBreak(own)
	for _, n := range notices {
		c.leave("%s", n.Message)
	}
	pairs, _ := s.Pairs()
	found, err := population.Compare(pairs, 1)
	if err != nil {
		return err
	}
	c.tellContest(found)
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

// tellContest prints a contest.
func (c *call) tellContest(of *population.Contest) {
	fmt.Fprint(c.stdout, "eigenvalues of M:")
	values := slices.Sorted(slices.Values(of.Eigenvalues))
	slices.Reverse(values)
	for _, v := range values {
		fmt.Fprintf(c.stdout, " %s", hundredths(v))
	}
	c.tellPairs("\n\nM", of.D, of.Pairs)
	c.tellPairs("\n\nFM of rank 2 "+leaves(of.FM), of.D, of.FM.Pairs)
	c.tellPairs("\n\niFM of rank 1 "+leaves(of.IFM), of.D, of.IFM.Pairs)
	fmt.Fprintf(c.stdout, "\n\nscore %.2f\n", of.Score)
}

// tellPairs prints the upper triangle of a matrix.
func (c *call) tellPairs(name string, d int, pairs []float64) {
	fmt.Fprint(c.stdout, name)
	for i := range d - 1 {
		fmt.Fprintf(c.stdout, "\n%s", strings.Repeat(" ", 6*i))
		for _, v := range pairs[:d-1-i] {
			fmt.Fprintf(c.stdout, "%6s", hundredths(v))
		}
		pairs = pairs[d-1-i:]
	}
}

// leaves says what a fit leaves of M.
func leaves(f population.Fit) string {
	said := fmt.Sprintf("leaves %.1f %%", 100*f.Share)
	if f.Unbounded() {
		names := make([]string, len(f.Hidden))
		for i, h := range f.Hidden {
			names[i] = "x" + strconv.Itoa(h+1)
		}
		said += ", in the limit where the factors of " + strings.Join(names, " and ") + " grow without bound"
	}
	return said
}

// hundredths writes a number with two decimals, and none as −0.
func hundredths(v float64) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', 2, 64), "-0.00", "0.00", 1)
}
