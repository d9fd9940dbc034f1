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

// The addresses are what web/src/share writes of every piece, which a test there
// holds them to.
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
