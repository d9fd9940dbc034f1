//go:build !js

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/spec"
	"ifmlab/core/tabletest"
)

// ifm runs the command with nothing coming in. Train compares on one split unless args say on how many.
func ifm(args ...string) (status int, out, told string) {
	var stdout, stderr bytes.Buffer
	if len(args) > 2 && args[0] == "train" && !slices.Contains(args, "-splits") {
		args = slices.Insert(slices.Clone(args), 1, "-splits", "1")
	}
	status = run(args, strings.NewReader(""), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// ok runs the command, which must succeed.
func ok(t *testing.T, args ...string) (out, told string) {
	t.Helper()
	status, out, told := ifm(args...)
	require.Zero(t, status, told)
	return out, told
}

// answer returns what a command that succeeds prints as JSON.
func answer[T any](t *testing.T, args ...string) (v T) {
	t.Helper()
	out, _ := ok(t, args...)
	require.NoError(t, json.Unmarshal([]byte(out), &v))
	return v
}

// refused holds a command to its status, to what it says of the reason, and to printing nothing.
func refused(t *testing.T, status int, says string, args ...string) {
	t.Helper()
	got, out, told := ifm(args...)
	assert.Equal(t, status, got, "%q: %s", args, told)
	assert.Empty(t, out, "%q", args)
	assert.Contains(t, told, says, "%q", args)
}

// write writes a file into a folder of its own and returns its path.
func write(t testing.TB, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

const small = "d=5&n=50&test=50&iterations=2"

func TestCurveRunsWhatItCanOfALinkAndSaysWhatItLeaves(t *testing.T) {
	plain, told := ok(t, "curve", small)
	assert.Empty(t, told)
	for _, link := range []string{ // what only says how the page shows it is no news
		small + "&ghost=0&embed=1&hide=title&scale=log&theme=dark&sample=cars&speed=slow",
		"?" + small + "#figure",
		"https://lab.example/?" + small + "&embed=lab#a?b",
		"https://lab.example/lab/p/" + small,
		small + "&psd.guess=stuck&psd.then=worse&path=short",
	} {
		status, out, told := ifm("curve", link)
		assert.Zero(t, status, "%s: %s", link, told)
		assert.Empty(t, told, link)
		assert.Equal(t, plain, out, link)
	}
	for more, want := range map[string]string{
		"chapter=psd":                  "ifm curve: left the chapter psd, which only the page runs\n",
		"psd.d=50&psd.k=2":             "ifm curve: left the chapter psd with d=50&k=2, which only the page runs\n",
		"chapter=vtec&psd.d=5":         "ifm curve: left the chapter psd with d=5, which only the page runs\nifm curve: left the chapter vtec; run ifm table1 with this link\n",
		"vtec.stride=60":               "ifm curve: left the chapter vtec with stride=60; run ifm table1 with this link\n",
		"colour=red&colour=red":        "ifm curve: the link's parameter \"colour\" is not known here and was ignored\n",
		"k=many":                       "ifm curve: the link's k was \"many\"; used \"3\" instead\n",
		"__proto__.d=1&psd.%3Cb%3E=%0": "ifm curve: the link's parameter \"__proto__.d\" is not known here and was ignored\nifm curve: left the chapter psd with %3Cb%3E=%0, which only the page runs\n",
	} {
		link := small + "&" + more
		status, out, told := ifm("curve", link)
		assert.Equal(t, 2, status, link)
		assert.Equal(t, want, told, link)
		assert.Equal(t, plain, out, link)
	}
}

// The addresses are what web/src/share writes of every piece, which a test there
// holds them to.
func TestCurveCountsTheInteractionsThatDrawnRowsCannotTell(t *testing.T) {
	_, told := ok(t, "curve", "features=threepoint&tau=30&d=8&k=1&n=200&test=50&iterations=1&models=fm,ifm")
	assert.Regexp(t, `^ifm curve: these rows alone cannot tell \d+ of 28 interactions: [^\n]+\n$`, told, "once for both models")
}

func TestCurveTakesEveryAddressThatThePageShares(t *testing.T) {
	content := must(os.ReadFile("testdata/links.txt"))
	pieces := map[string]bool{}
	chapters := map[string]bool{} // what a chapter leaves of the figure is always the same run
	drawn := map[string]bool{}    // several pieces share a run
	for line := range strings.Lines(string(content)) {
		piece, link, _ := strings.Cut(strings.TrimSpace(line), " ")
		pieces[piece] = true
		chapter, of := strings.CutPrefix(piece, "chapter:")
		if of && chapters[chapter] && testing.Short() {
			continue
		}
		chapters[chapter] = true
		query, _ := settings(link)
		l := spec.ParseLink(query)
		assert.Empty(t, l.Notices, link)
		args := []string{"curve", link}
		if l.Spec.Source == "table" {
			status, out, told := ifm(args...)
			assert.Equal(t, 2, status, link)
			assert.Empty(t, out, link)
			if l.View.Sample == "signs" {
				assert.Contains(t, told, "the page draws", link)
				continue
			}
			assert.Contains(t, told, "give the file too", link)
			args = append(args, "../../../web/samples/cars.csv")
		}
		want := 0
		if of || len(l.Parts) > 0 || l.View.Chapter != "none" {
			want = 2
		}
		assert.Equal(t, of, l.View.Chapter == chapter, link)
		run := fmt.Sprint(l.Spec.Encode(), want)
		if drawn[run] && testing.Short() {
			continue
		}
		drawn[run] = true
		status, out, told := ifm(args...)
		assert.Equal(t, want, status, "%s: %s", link, told)
		assert.Equal(t, want == 0, told == "", "%s: %s", link, told)
		assert.NotContains(t, told, "not known", link)
		assert.Greater(t, len(must(csv.NewReader(strings.NewReader(out)).ReadAll())), 2*len(l.Spec.Models), link)
	}
	assert.Len(t, pieces, 6+len(spec.Chapters), "the lab, the figure, its three charts, a table, the chapters")
}

func TestCurveReadsATableFromAFileOrFromWhatComesIn(t *testing.T) {
	const link = "target=target&iterations=2&ranks=2&lambdas=0.1&models=ifm"
	const file = "../../../web/samples/diabetes.csv"
	out, _ := ok(t, "curve", link, file)
	table := must(os.Open(file))
	defer table.Close()
	var stdout, stderr bytes.Buffer
	assert.Zero(t, run([]string{"curve", link, "-"}, table, &stdout, &stderr), stderr.String())
	assert.Equal(t, out, stdout.String())

	refused(t, 1, "price", "curve", "target=price", file)
	refused(t, 2, "the page draws", "curve", "source=table&sample=signs")
	refused(t, 1, "no-such-file.csv", "curve", small, "no-such-file.csv")
}

func TestCurveTellsTheCandidatesOfASearchApart(t *testing.T) {
	out, _ := ok(t, "curve", "target=target&iterations=2&ranks=2&lambdaf=30&models=ifm", "../../../web/samples/diabetes.csv")
	rows := must(csv.NewReader(strings.NewReader(out)).ReadAll())
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	require.Equal(t, len(rows[0]), len(at))
	candidates := map[string]string{}
	for _, row := range rows[1:] {
		settings := ""
		for _, name := range []string{"encoding", "weights", "rank", "lambda"} {
			settings += row[at[name]] + " "
		}
		candidate, known := candidates[settings]
		assert.True(t, !known || candidate == row[at["candidate"]], "candidates %s and %s both are %s", candidate, row[at["candidate"]], settings)
		candidates[settings] = row[at["candidate"]]
		assert.Contains(t, []string{"linear", "hats"}, row[at["encoding"]])
		assert.NotEqual(t, "0", row[at["weights"]])
	}
	assert.Len(t, candidates, 4, "ridge and one rank of each encoding")
}

func TestARefusedRunEndsCurveWithOneAfterAllOthers(t *testing.T) {
	status, out, told := ifm("curve", small+"&features=twopoint&solver=algorithm1&models=gfm,ifm&chapter=psd")
	assert.Equal(t, 1, status)
	assert.Contains(t, told, "τ")
	assert.Contains(t, out, ",ifm,")
}

func TestCompareComparesFMAndIFMWhateverTheLinkAsks(t *testing.T) {
	const link = "target=target&trials=2&iterations=2&ranks=2&lambdas=0.1"
	const file = "../../../web/samples/diabetes.csv"
	out, told := ok(t, "compare", link+"&speed=instant&source=table&sample=diabetes", file)
	assert.Empty(t, told)
	assert.Regexp(t, `\n +diabetes +target +RMSE +442 +10 .* of 2 .* of 2 +[89]\d\.\d ± \d\.\d %\n$`, out)
	status, again, told := ifm("compare", link+"&models=gfm&chapter=data&data.seed=4", file)
	assert.Equal(t, 2, status)
	assert.Equal(t, out, again)
	assert.Equal(t, "ifm compare: left the chapter data with seed=4, which only the page runs\nifm compare: left models=gfm; it compares FM and iFM, run ifm curve for others\n", told)
}

func TestEveryCommandHasHelpWithAnExample(t *testing.T) {
	status, all, told := ifm("help")
	assert.Zero(t, status)
	assert.Empty(t, told)
	for _, w := range commands {
		assert.Contains(t, all, "ifm "+w.name+" "+w.arguments)
		assert.Contains(t, all, w.examples[0])
		status, one, _ := ifm("help", w.name)
		assert.Zero(t, status)
		c := &call{command: w}
		_, _ = c.parse(nil)
		c.set.VisitAll(func(f *flag.Flag) {
			assert.NotEmpty(t, f.Usage, "%s -%s", w.name, f.Name)
			assert.Contains(t, one, "  -"+f.Name)
		})
		for _, example := range w.examples {
			assert.Contains(t, one, example)
			if _, quoted, is := strings.Cut(example, "'"); is {
				link, _, _ := strings.Cut(quoted, "'")
				query, bare := settings(link)
				switch {
				case w.name == "table1" && bare:
					query = dotted("vtec.", spec.IonosphereFields, query)
				case w.name == "break" && bare:
					query = dotted("break.", spec.BreakFields(), query)
				}
				assert.Empty(t, spec.ParseLink(query).Notices, example)
			}
		}
		for _, asked := range []string{"-h", "--help", "help"} {
			status, again, told := ifm(w.name, asked)
			assert.Zero(t, status)
			assert.Equal(t, one, again)
			assert.Empty(t, told)
		}
	}
}

func TestTheHelpListsAllThatALinkCanHold(t *testing.T) {
	status, out, _ := ifm("help", "settings")
	assert.Zero(t, status)
	for _, f := range spec.Fields {
		assert.Contains(t, out, "\n  "+f.Key+" ")
	}
	for _, f := range spec.ViewFields() {
		assert.Contains(t, out, "\n  "+f.Key+" ")
	}
	for _, f := range spec.IonosphereFields {
		assert.Contains(t, out, "\n  vtec."+f.Key+" ")
	}
	for _, c := range spec.Chapters {
		assert.Contains(t, out, "\n  "+c.Name+".KEY ")
	}
}

func TestWrongArgumentsAreAnsweredWithTheRightOnes(t *testing.T) {
	for _, args := range [][]string{{}, {"curves"}, {"help", "curves"}, {"curve"}, {"curve", "a", "b", "c"}, {"compare", "n=50"}, {"table1", "a", "b", "c"}} {
		refused(t, 2, "ifm help", args...)
	}
}

func TestDrawnRatingsAreTheSameEveryTimeAndNoPairIsRatedTwice(t *testing.T) {
	file := ratings()
	assert.Equal(t, uint32(0xa8aedf58), crc32.ChecksumIEEE(file))
	lines := strings.Split(strings.TrimSpace(string(file)), "\n")[1:]
	require.Len(t, lines, 20_000)
	seen, of := map[string]bool{}, map[string]int{}
	for _, line := range lines {
		at := strings.LastIndex(line, ",")
		of[line[:strings.Index(line, ",")]]++
		require.False(t, seen[line[:at]], line)
		seen[line[:at]] = true
		stars := must(strconv.ParseFloat(line[at+1:], 64))
		require.True(t, stars >= .5 && stars <= 5 && 2*stars == math.Round(2*stars), line)
	}
	assert.Greater(t, of["u1"], 5*of["u600"], "a few users rate most")
}

func TestAColumnCalledHelpCanBeTheTarget(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.csv")
	text := tabletest.File("a,help", 60, func(row int) string {
		return fmt.Sprintf("%d,%d", row*37%11, row*row%17)
	})
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	out, _ := ok(t, "train", file, "-target", "help", "-ranges=false", "-link", fewTrials)
	assert.Contains(t, out, "help is predicted from")
	for _, value := range []string{"-h", "-help", "--help"} {
		refused(t, 1, `a column "`+value+`"`, "train", file, "-target", value)
	}
	for _, args := range [][]string{{"train", "help"}, {"train", file, "-h"}, {"train", "--help", file}} {
		status, out, _ := ifm(args...)
		assert.Zero(t, status)
		assert.Contains(t, out, "usage: ifm train")
	}
}

func TestCompareAloneNeedsTheRepository(t *testing.T) {
	t.Chdir(t.TempDir())
	refused(t, 2, "run it in the repository's root, or say ifm compare SETTINGS FILE", "compare")
}

func TestATableOfOneDayHasNoIntervals(t *testing.T) {
	out, _ := ok(t, "table1", "stride=400&days=1")
	assert.NotContains(t, out, "NaN")
	assert.Contains(t, out, "simulated RTK")
}

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
	refused(t, 2, "usage: ifm break [SETTINGS]", "break", "a", "b")
}

func TestTheTableIsTheSameInEveryRunAndTakesALink(t *testing.T) {
	first, _ := ok(t, "table1", "stride=480&days=2&methods=ridge,ifm&fixes=720")
	second, _ := ok(t, "table1", "https://lab.example/?chapter=vtec&theme=dark&vtec.stride=480&vtec.days=2&vtec.methods=ridge,ifm&vtec.fixes=720#vtec")
	assert.Equal(t, first, second)
	lines := strings.Split(strings.TrimSpace(first), "\n")
	require.Len(t, lines, 28, first)
	assert.Equal(t, "| day | windows | zero | ridge | ifm |", lines[0])
	assert.Regexp(t, `^\| TestDay2 \| 3 \| 0\.0\d{4} \| (\*\*)?0\.0\d{4}`, lines[3])
	assert.Regexp(t, `^\| Average \| 6 \|`, lines[4])
	assert.Regexp(t, `^\| simulated RTK \| 4 \| \d+\.\d % \| .* % ± `, lines[6])
	assert.Regexp(t, `^\| less ridge, points, ± 95 % \| 4 \| \|  \| [+-]\d+\.\d ± \d+\.\d \|$`, lines[7])
	assert.Regexp(t, `^RTK: .* With the true delays it is \d+\.\d %`, lines[9])
	assert.Regexp(t, `^\| less ridge, ± 95 % of 6 hours \| 6 \| \|  \| [+-]0\.0\d{4} ± 0\.0\d{4} \|$`, lines[5])
	assert.Equal(t, "| hours | differences | ridge | ifm |", lines[11])
	assert.Equal(t, "| elevation | differences | ridge | ifm |", lines[20])
	for _, line := range lines[2:5] {
		assert.Equal(t, 2, strings.Count(line, "**"), "one is the least: %s", line)
	}
}

func TestTable1LeavesEveryStationOutAndTunesOnWhatItDoesNotTest(t *testing.T) {
	out, _ := ok(t, "table1", "stations=all&tune=own&stride=720&days=1&fixes=0&methods=ridge,kriging")
	assert.Regexp(t, `^tuned on 10 of 10 windows, which are not in the table: methods=ridge,kriging&stations=all&tune=own&stride=720&fixes=0&days=1(&|\n)`, out)
	assert.Contains(t, out, "| day | windows | zero | ridge | kriging* |\n")
	assert.Contains(t, out, "| Average | 34 |")
	assert.Contains(t, out, "\\* not in the paper\n")
	assert.Contains(t, out, "\n| S01 | ")
	assert.Contains(t, out, "\n| S17 | ")
}

func TestTable1RunsWhatItCanOfALinkAndSaysWhatItLeaves(t *testing.T) {
	const small = "vtec.stride=720&vtec.days=1&vtec.methods=ridge&vtec.fixes=0"
	plain, told := ok(t, "table1", small)
	for link, want := range map[string]string{
		"?seed=7&n=50&" + small:         "ifm table1: left n=50&seed=7 of the figure or a table; run ifm curve with this link\n",
		"?chapter=psd&psd.d=5&" + small: "ifm table1: left the chapter psd with d=5, which only the page runs\n",
		small + "&vtec.strid=5":         "ifm table1: the link's parameter \"strid\" is not known here and was ignored\n",
		small + "&%76tec.days=none":     "ifm table1: the link has \"vtec.days\" more than once; the last value that can be used counts\nifm table1: the link's days was \"none\"; used \"1\" instead\n",
	} {
		status, out, told := ifm("table1", link)
		assert.Equal(t, 2, status, link)
		assert.Equal(t, want, told, link)
		assert.Equal(t, plain, out, link)
	}
	status, out, told := ifm("table1", "psd.guess=stuck&vtec.guess=all&vtec.then=few&"+small)
	assert.Zero(t, status)
	assert.Empty(t, told, "what a reader guessed is no setting of a run")
	assert.Equal(t, plain, out)
}

func TestASkyWithoutItsFileEndsTable1WithAReason(t *testing.T) {
	refused(t, 1, "IONEX", "table1", "sky=maps")
	refused(t, 1, "no-such-file", "table1", "sky=maps", "no-such-file")
}

func TestTable1ReadsMadrigalsLineOfSightTECPackedByGzip(t *testing.T) {
	const file = "../../vtec/sky/testdata/los.csv.gz"
	packed, _ := ok(t, "table1", "sky=points&stride=20&fixes=0&methods=ridge,lasso", file)
	assert.Contains(t, packed, "\nslips: 1, jumps beyond 1 TECU, in 1 of ")
	assert.Contains(t, packed, "\narcs: ")
	assert.Contains(t, packed, "what is predicted is the change of the TEC along each signal")
	assert.Regexp(t, `\n\| 2011-06-06 \| [34] \| 0\.0\d+ \|`, packed)
	f := must(os.Open(file))
	defer f.Close()
	text := must(io.ReadAll(must(gzip.NewReader(f))))
	plain := filepath.Join(t.TempDir(), "los.csv")
	require.NoError(t, os.WriteFile(plain, text, 0o644))
	unpacked, _ := ok(t, "table1", "sky=points&stride=20&fixes=0&methods=ridge,lasso", plain)
	assert.Equal(t, packed, unpacked)
	require.NoError(t, os.WriteFile(plain, []byte("\x1f\x8bno"), 0o644))
	refused(t, 1, "los.csv: this gzip file is damaged or incomplete. Download or compress it again", "table1", "sky=points", plain)
}
