//go:build !js

// The command kills itself in these tests, which needs processes.

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

func tiny(state string) options {
	return options{query: "systems=1", stride: 720, seeds: []uint64{1, 2}, state: state, shard: 1, shards: 1, workers: 2, candidates: thin}
}

// asCommand is set where this test is run as the command, by itself.
const asCommand = "TUNE_STATE"

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
	state := filepath.Join(t.TempDir(), "state")
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), asCommand+"="+state)
	progress, err := child.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	seen := bufio.NewScanner(progress)
	for seen.Scan() && !strings.HasPrefix(seen.Text(), "4 of 20") {
	}
	require.NoError(t, child.Process.Kill())
	child.Wait()
	written := lines(t, state)
	require.GreaterOrEqual(t, len(written), 4, "a title and three windows")
	require.Less(t, len(written), 21, "it was killed")

	// The line that it was writing.
	text, err := os.ReadFile(state)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(state, append(text, written[2][:len(written[2])/2]...), 0o644))

	var progressed bytes.Buffer
	var out bytes.Buffer
	require.NoError(t, run(tiny(state), &out, &progressed))
	assert.Equal(t, want, out.String())
	assert.Len(t, lines(t, state), 21)
	assert.Equal(t, 21-len(written), strings.Count(progressed.String(), "\n"), "what was done is not done again")

	// And once more, with nothing left to do.
	progressed.Reset()
	out.Reset()
	require.NoError(t, run(tiny(state), &out, &progressed))
	assert.Equal(t, want, out.String())
	assert.Empty(t, progressed.String())
}

func TestShardsTogetherAreTheWhole(t *testing.T) {
	want := report(t, tiny(""))
	var all []byte
	for shard := 1; shard <= 3; shard++ {
		o := tiny(filepath.Join(t.TempDir(), "state"))
		o.shard, o.shards, o.workers = shard, 3, 1
		assert.Contains(t, report(t, o), " of 20 windows are done. Run the other shards")
		text, err := os.ReadFile(o.state)
		require.NoError(t, err)
		assert.Contains(t, []int{7, 8}, bytes.Count(text, []byte("\n")), "a title and a third of the windows")
		all = append(text, all...)
	}
	state := filepath.Join(t.TempDir(), "state")
	require.NoError(t, os.WriteFile(state, all, 0o644))
	var out, progress bytes.Buffer
	require.NoError(t, run(tiny(state), &out, &progress))
	assert.Equal(t, want, out.String())
	assert.Empty(t, progress.String(), "nothing is left to do")
}

func TestTheBestCandidateOfEachMethodIsMarkedAndBecomesTheDefault(t *testing.T) {
	o := tiny("")
	var out bytes.Buffer
	settings, _ := spec.ParseIonosphere(o.query)
	j, err := newJob(o, settings)
	require.NoError(t, err)
	require.NoError(t, j.work(io.Discard))
	require.NoError(t, j.report(&out))
	assert.Equal(t, int(vtec.Methods), strings.Count(out.String(), "*"))

	var outcomes []outcome
	for _, w := range j.windows {
		outcomes = append(outcomes, j.done[w])
	}
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
		GFMRank: got.GFMRank, GFM: got.GFMLambda, Cubic: got.Cubic, Length: got.Length, Noise: got.Noise,
	})
	for _, key := range []string{"ridge", "lasso", "elasticnet", "netratio", "kernel", "gamma", "fmrank", "fmlambda", "fmlinear", "ifmrank", "ifmlambda", "ifmlinear", "gfmrank", "gfmlambda", "cubic", "length", "noise"} {
		assert.Contains(t, out.String(), `{Field: Field{Key: "`+key+`", Kind: `)
	}
}

func TestWindowsThatCannotBeUsedAreListedAndCandidatesWithoutAFitAreNotChosen(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	o := tiny(state)
	settings, _ := spec.ParseIonosphere(o.query)
	j, err := newJob(o, settings)
	require.NoError(t, err)
	for i, w := range j.windows {
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
		require.NoError(t, j.state.add(w, result))
	}
	j.close()
	text := report(t, tiny(state))
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

func TestAStateOfAnotherRunOrABrokenOneIsRefused(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	o := tiny(state)
	o.shard, o.shards = 1, 20
	report(t, o)
	good, err := os.ReadFile(state)
	require.NoError(t, err)
	try := func(text string) string {
		require.NoError(t, os.WriteFile(state, []byte(text), 0o644))
		err := run(o, io.Discard, io.Discard)
		require.Error(t, err, text)
		after, _ := os.ReadFile(state)
		assert.Equal(t, text, string(after), "nothing is lost")
		return strings.ReplaceAll(err.Error(), state, "FILE")
	}
	title, line, _ := strings.Cut(string(good), "\n")
	other := strings.Replace(title, "stride=720", "stride=60", 1)
	assert.Equal(t, "FILE:1: the file holds windows of another run\n  found "+other+"\n  want  "+title+"\nname another file", try(other+"\n"+line))
	assert.Contains(t, try("time,sat\n"), "FILE:1: the file holds windows of another run")
	assert.Contains(t, try("time,sat\n1,G01"), "FILE:1: the file holds windows of another run")
	assert.Equal(t, "FILE:1: the file is none of this command; name another file", try("a note"))
	assert.Contains(t, try(title+"\n"+other+"\n"), "FILE:2: the file holds windows of another run")
	assert.Equal(t, "FILE:2: found 4 fields, want 60; delete the line", strings.Replace(try(title+"\n1 0 0 39\n"), "want "+wantFields(t), "want 60", 1))
	assert.Contains(t, try(title+"\n\n"), "FILE:2: found no seed, day and minute; delete the line")
	assert.Contains(t, try(title+"\n"+line+strings.Replace(line, " ", " x", 1)), `FILE:3: strconv.Atoi: parsing "x0"`)
	assert.Contains(t, try(title+"\n"+line[:len(line)-2]+"e\n"), `want a sum of squares; delete the line`)
	assert.Contains(t, try(title+"\n1 0 0 unusable ?\n"), "FILE:2: invalid syntax; delete the line")

	// As many candidates of each method, of which one differs a little.
	o.candidates = func(m vtec.Method, linear float64) []vtec.Tuning {
		some := thin(m, linear)
		if m == vtec.Kernel {
			some[0].Gamma *= 1 + 1e-15
		}
		return some
	}
	told := try(string(good))
	assert.Contains(t, told, "FILE:1: the file holds windows of another run")
	counts, _, _ := strings.Cut(title, " hash=")
	assert.Equal(t, 2, strings.Count(told, counts+" hash="), "they differ in nothing else")

	o.state = t.TempDir()
	assert.Error(t, run(o, io.Discard, io.Discard), "a folder")
}

func wantFields(t *testing.T) string {
	t.Helper()
	fields := 4
	for m := range vtec.Methods {
		fields += len(thin(m, 1))
	}
	return string([]byte{byte('0' + fields/10), byte('0' + fields%10)})
}

func TestArgumentsThatCannotBeAreRefused(t *testing.T) {
	for args, want := range map[string]string{
		"-stride 0":           "the stride is 0, want 1 to 1440 minutes",
		"-seeds 1,x":          `-seeds has "x", want whole numbers, separated by commas`,
		"-shard 3/2 -state f": `-shard is "3/2", want a part and how many there are, as 1/2`,
		"-shard two -state f": `-shard is "two", want a part and how many there are, as 1/2`,
		"-shard 1/2":          "-shard without -state would lose what it does; name a file",
		"-workers 0":          "-workers is 0, want at least 1",
		"systems=2 waves=0":   "found 2 arguments, want one at most, the settings of a link",
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
