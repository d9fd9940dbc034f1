//go:build !js

// The command kills itself in these tests, which needs processes.

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/shard"
	"ifmlab/core/spec"
	"ifmlab/core/vtec"
)

// thin returns some of the candidates, so that a run takes a second.
func thin(m vtec.Method, linear float64) (some []vtec.Tuning) {
	for i, t := range vtec.Candidates(m, linear) {
		if t.FMRank < 3 && i%6 == 5 {
			some = append(some, t)
		}
	}
	return some
}

func tiny(out string) options {
	return options{query: "systems=1", stride: 720, seeds: []uint64{1, 2}, out: out, part: shard.Whole, workers: 2, candidates: thin}
}

// asCommand is set where this test is run as the command, by itself.
const asCommand = "TUNE_OUT"

func TestMain(m *testing.M) {
	if name := os.Getenv(asCommand); name != "" {
		o := tiny(name)
		o.workers = 1
		if err := run(o, os.Stdout, os.Stderr); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func report(t *testing.T, o options) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, run(o, &out, io.Discard))
	return out.String()
}

func lines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func TestARunThatIsKilledAndResumedEndsAsOneThatIsNot(t *testing.T) {
	want := report(t, tiny(""))
	assert.Contains(t, want, "20 windows of five days")
	folder := t.TempDir()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), asCommand+"="+folder)
	progress, err := child.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	seen := bufio.NewScanner(progress)
	for seen.Scan() && !strings.HasPrefix(seen.Text(), "4 of 20") {
	}
	require.NoError(t, child.Process.Kill())
	child.Wait()
	written := lines(t, filepath.Join(folder, "1-of-1.jsonl"))
	require.GreaterOrEqual(t, len(written), 5, "a title and four windows")
	require.Less(t, len(written), 21, "it was killed")

	var out, progressed bytes.Buffer
	require.NoError(t, run(tiny(folder), &out, &progressed))
	assert.Equal(t, want, out.String())
	assert.Equal(t, 21-len(written), strings.Count(progressed.String(), "\n"), "what was done is not done again")

	// And once more, with nothing left to do.
	progressed.Reset()
	out.Reset()
	require.NoError(t, run(tiny(folder), &out, &progressed))
	assert.Equal(t, want, out.String())
	assert.Empty(t, progressed.String())
}

func TestPartsTogetherAreTheWhole(t *testing.T) {
	want := report(t, tiny(""))
	folder := t.TempDir()
	for _, i := range []int{2, 3, 1} {
		o := tiny(folder)
		o.part, o.workers = shard.Part{I: i, N: 3}, 1
		if got := report(t, o); i == 1 {
			assert.Equal(t, want, got)
		} else {
			assert.Contains(t, got, " of 20 cells are missing")
		}
		assert.Contains(t, []int{7, 8}, len(lines(t, filepath.Join(folder, fmt.Sprintf("%d-of-3.jsonl", i)))), "a title and a third of the windows")
	}
}

func TestTheBestCandidateOfEachMethodIsMarkedAndBecomesTheDefault(t *testing.T) {
	o := tiny("")
	var out bytes.Buffer
	settings, _ := spec.ParseIonosphere(o.query)
	j, err := newJob(o, settings)
	require.NoError(t, err)
	folder := t.TempDir()
	require.NoError(t, j.work(folder, io.Discard))
	outcomes, err := j.gather(folder)
	require.NoError(t, err)
	require.NoError(t, j.report(&out, outcomes))
	assert.Equal(t, int(vtec.Methods), strings.Count(out.String(), "*"))

	var chosen vtec.Tuning
	for m := range vtec.Methods {
		least, best := 0.0, -1
		for c, candidate := range j.candidates[m] {
			sum := 0.0
			for i, w := range j.windows { // each candidate alone, fitted anew
				var only [vtec.Methods][]vtec.Tuning
				only[m] = []vtec.Tuning{candidate}
				_, squares, err := vtec.Tune(j.source(w.seed), w.at, w.seed, only)
				require.NoError(t, err)
				sum += squares[m][0]
				assert.InEpsilon(t, squares[m][0], outcomes[i].squares[m][c], 1e-6, "%s %+v", m, candidate)
			}
			if best < 0 || sum < least {
				least, best = sum, c
			}
		}
		chosen.Choose(m, j.candidates[m][best])
	}
	_, link, _ := strings.Cut(out.String(), "As a link: ")
	got, notices := spec.ParseIonosphere(strings.TrimSpace(link))
	assert.Empty(t, notices)
	assert.Equal(t, chosen, vtec.Tuning{
		Ridge: got.Ridge, LASSO: got.LASSO, ElasticNet: got.ElasticNet, NetRatio: got.NetRatio,
		Kernel: got.Kernel, Gamma: got.Gamma, FMRank: got.FMRank, FM: got.FMLambda, FMLinear: got.FMLinear,
		IFMRank: got.IFMRank, IFM: got.IFMLambda, IFMLinear: got.IFMLinear,
		GFMRank: got.GFMRank, GFM: got.GFMLambda, GFMLinear: got.GFMLinear, Cubic: got.Cubic, Length: got.Length, Noise: got.Noise,
	})
	for _, key := range []string{"ridge", "lasso", "elasticnet", "netratio", "kernel", "gamma", "fmrank", "fmlambda", "fmlinear", "ifmrank", "ifmlambda", "ifmlinear", "gfmrank", "gfmlambda", "gfmlinear", "cubic", "length", "noise"} {
		assert.Contains(t, out.String(), `{Field: Field{Key: "`+key+`", Kind: `)
	}
}

func TestWindowsThatCannotBeUsedAreListedAndCandidatesWithoutAFitAreNotChosen(t *testing.T) {
	folder := t.TempDir()
	o := tiny(folder)
	settings, _ := spec.ParseIonosphere(o.query)
	j, err := newJob(o, settings)
	require.NoError(t, err)
	w := shard.Work{Title: j.title(), Do: func(_ context.Context, i int, line []byte) ([]byte, error) {
		result := outcome{tests: 2}
		for m := range vtec.Methods {
			for range j.candidates[m] {
				result.squares[m] = append(result.squares[m], 8)
			}
		}
		result.squares[vtec.Ridge][0] = nan(i == 7)
		if i == 3 {
			result = outcome{unusable: "TuningDay1, 12:00: \"two\" satellites\nin view"}
		}
		return appendOutcome(line, j.windows[i], result)
	}}
	require.NoError(t, w.Run(t.Context(), folder, shard.Whole, 1))
	text := report(t, tiny(folder))
	assert.Contains(t, text, "19 windows of five days")
	assert.Contains(t, text, "RMSE of 38 double differences")
	assert.Contains(t, text, "not used: seed 1, TuningDay1, 12:00: \"two\" satellites\nin view\n")
	assert.Equal(t, 1, strings.Count(text, "no fit"))
	assert.NotContains(t, text, "no fit *")
	assert.Contains(t, text, "2.00000*")
}

// nan returns NaN, or 0.
func nan(yes bool) float64 {
	zero := 0.0
	if yes {
		return zero / zero
	}
	return 0
}

func TestAFolderOfAnotherRunIsRefused(t *testing.T) {
	folder := t.TempDir()
	o := tiny(folder)
	o.part = shard.Part{I: 1, N: 20}
	report(t, o)
	name := filepath.Join(folder, "1-of-20.jsonl")
	good, err := os.ReadFile(name)
	require.NoError(t, err)
	for what, change := range map[string]func(o *options){
		"other windows": func(o *options) { o.stride = 360 },
		"one candidate that differs a little": func(o *options) {
			o.candidates = func(m vtec.Method, linear float64) []vtec.Tuning {
				some := thin(m, linear)
				if m == vtec.Kernel {
					some[0].Gamma *= 1 + 1e-15
				}
				return some
			}
		},
	} {
		other := o
		change(&other)
		assert.ErrorContains(t, run(other, io.Discard, io.Discard), name+":1: the file is of another sweep", what)
	}
	after, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, string(good), string(after), "nothing is lost")

	_, line, _ := strings.Cut(string(good), "\n")
	short := strings.Replace(line, `"squares":[[`, `"squares":[[1,`, 1)
	o.part = shard.Whole
	require.NoError(t, os.Remove(name))
	settings, _ := spec.ParseIonosphere(o.query)
	j, err := newJob(o, settings)
	require.NoError(t, err)
	_, err = j.readOutcome(0, []byte(strings.TrimSuffix(short, "\n")))
	assert.ErrorContains(t, err, "sums of squares of")
}

func TestArgumentsThatCannotBeAreRefused(t *testing.T) {
	for args, want := range map[string]string{
		"-stride 0":         "the stride is 0, want 1 to 1440 minutes",
		"-seeds 1,x":        `-seeds has "x", want whole numbers, separated by commas`,
		"-shard 3/2 -out f": `-shard is "3/2", want a part and how many there are, from 1/8 to 8/8 for eight`,
		"-shard 1/2":        "-shard without -out would lose what it does; name a folder",
		"-workers 0":        "-workers is 0, want at least 1",
		"systems=2 waves=0": "found 2 arguments, want one at most, the settings of a link",
	} {
		_, err := parse(strings.Fields(args))
		assert.EqualError(t, err, want, args)
	}
	for query, want := range map[string]string{
		"sky=maps": `the sky is "maps", want simulated: only that has days of its own to tune on`,
		"what=1":   `the link's parameter "what" is not known here and was ignored`,
	} {
		o := tiny("")
		o.query = query
		assert.ErrorContains(t, run(o, io.Discard, io.Discard), want)
	}
	o, err := parse([]string{"-seeds", "3,4", "-stride", "20", "systems=2"})
	require.NoError(t, err)
	assert.Equal(t, []uint64{3, 4}, o.seeds)
	assert.Equal(t, "systems=2", o.query)
}
