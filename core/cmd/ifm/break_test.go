//go:build !js

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

const fourAgainstEachOther = "m=-1,-1,-1,0,0,-1,-1,0,0,-1,0,0,0,0,0&draws=10"

func TestBreakPrintsErrorsAndTheScoreOfALink(t *testing.T) {
	out, told := ok(t, "break", fourAgainstEachOther)
	assert.Empty(t, told)
	assert.Contains(t, out, "eigenvalues of M: 1.00 1.00 1.00 0.00 0.00 -3.00\n")
	assert.Contains(t, out, "\nFM of rank 2 leaves 40.8 %, in the limit where the factors of x1 and x2 grow without bound\n")
	assert.Contains(t, out, "\niFM of rank 1 leaves 0.0 %\n")
	assert.Contains(t, out, "\nscore 40.82\n")
	assert.Regexp(t, `of 10 drawn matrices iFM is ahead on \d+, FM on \d+\n$`, out)
	for _, link := range []string{
		"https://lab.example/?chapter=break&break.draws=10&break.m=-1,-1,-1,0,0,-1,-1,0,0,-1,0,0,0,0,0&break.guess=fm",
		"?embed=1&chapter=break&break." + fourAgainstEachOther[:len(fourAgainstEachOther)-len("&draws=10")] + "&break.draws=10#break",
	} {
		same, _ := ok(t, "break", link)
		assert.Equal(t, out, same, link)
	}
}

func TestBreakSaysWhatItLeaves(t *testing.T) {
	for more, want := range map[string]string{
		"m=1,2":                                  "ifm break: the link's m was \"1,2\"; used \"-1,0,0,0,0,0,0,0,0,0,0,0,0,0,0\" instead\n",
		"break.seed=1&break.seed=1&break.seed=1": "ifm break: the link has \"break.seed\" more than once; the last value that can be used counts\n",
		"break.colour=1":                         "ifm break: the link's parameter \"colour\" is not known here and was ignored\n",
		"psd.d=5":                                "ifm break: left the chapter psd with d=5, which only the page runs\n",
		"d=5":                                    "ifm break: left d=5 of the figure or a table; run ifm curve with this link\n",
	} {
		status, out, told := ifm("break", "draws=10&"+more)
		assert.Equal(t, 2, status, more)
		assert.Equal(t, want, told)
		assert.Contains(t, out, "score 1.00")
	}
	status, _, told := ifm("break", "a", "b")
	assert.Equal(t, 2, status)
	assert.Contains(t, told, "usage: ifm break [SETTINGS]")
}
