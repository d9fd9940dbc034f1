//go:build !js

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/runtest"
	"ifmlab/core/shard"
	"ifmlab/core/spec"
	"ifmlab/core/survey"
	"ifmlab/core/trial"
	"ifmlab/core/vtec"
)

// linksFile writes a file of links.
func linksFile(t testing.TB, links ...string) string {
	t.Helper()
	return write(t, "links.txt", strings.Join(links, "\n"))
}

// sweptLine is what a reader of the results finds in a line.
type sweptLine struct {
	Cell          int
	Version, Spec string
	Of            int
	Point         *int
	Trial         int
	Model, Stop   string
	Records       int
	First, Last   *sweptRecord
	Best          *sweptRecord
	Refused       string
	Digest        string
}

type sweptRecord struct {
	Iteration                int
	Encoding                 string
	Rank                     int
	Train, Valid, Test, W, M *float64
}

// sweptLines reads what merge wrote.
func sweptLines(t *testing.T, merged string) (lines []sweptLine) {
	t.Helper()
	title, rest, _ := strings.Cut(merged, "\n")
	assert.Contains(t, title, `"version":"`+core.Version+`"`)
	for text := range strings.Lines(rest) {
		var line sweptLine
		require.NoError(t, json.Unmarshal([]byte(text), &line), text)
		assert.Equal(t, len(lines), line.Cell)
		lines = append(lines, line)
	}
	return lines
}

func TestASweepHoldsWhatTheCurvesOfItsLinksEndWith(t *testing.T) {
	links := []string{
		"# a comment, and an empty line",
		"",
		"https://lab.example/?" + small + "&theme=dark",
		small + "&seed=7&trials=2&models=ifm",
		small + "&sweep=rank&ks=1,2&ratios=3,9&models=fm",
	}
	file, folder := linksFile(t, links...), filepath.Join(t.TempDir(), "results")
	out, told := ok(t, "sweep", file, "-out", folder, "-workers", "2")
	assert.Empty(t, out+told)
	merged, told := ok(t, "merge", folder)
	lines := sweptLines(t, merged)
	require.Len(t, lines, 2+2+4)
	at := 0
	for _, link := range links[2:] {
		query, _ := settings(link)
		s, notices := spec.Parse(strings.TrimSuffix(query, "&theme=dark"))
		require.Empty(t, notices)
		for cell := range core.Cells(s) {
			r := must(core.Open(s, cell, nil))
			records := runtest.Finish(t, r)
			line, c := lines[at], must(trial.CellAt(s, cell))
			at++
			assert.Equal(t, core.Version, line.Version)
			assert.Equal(t, s.Encode(), line.Spec)
			assert.Equal(t, cell, line.Of)
			assert.Equal(t, c.Trial, line.Trial)
			assert.Equal(t, c.Model.String(), line.Model)
			if s.Sweep == "none" {
				assert.Nil(t, line.Point)
			} else {
				assert.Equal(t, c.Point, *line.Point)
			}
			first, last := records[0], records[len(records)-1]
			assert.Equal(t, len(records), line.Records)
			assert.Equal(t, []float64{first.Train, first.Test, first.W, first.M}, []float64{*line.First.Train, *line.First.Test, *line.First.W, *line.First.M})
			assert.Equal(t, []float64{last.Train, last.Test, last.W, last.M}, []float64{*line.Last.Train, *line.Last.Test, *line.Last.W, *line.Last.M})
			assert.Equal(t, last.Iteration, line.Last.Iteration)
			assert.Nil(t, line.Last.Valid, "drawn rows have none to choose by")
			assert.Equal(t, last.Stop, line.Stop)
			assert.Len(t, line.Digest, 32)
		}
	}
	digests := map[string]bool{}
	for _, line := range lines {
		digests[line.Digest] = true
	}
	assert.Len(t, digests, len(lines), "no two runs are the same")
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestASweepOfTheIonosphereHoldsWhatTable1IsMadeOf(t *testing.T) {
	const settings = "methods=ridge,ifm&stations=all&stride=720&fixes=0&days=2"
	link := "https://lab.example/?chapter=vtec&vtec." + strings.ReplaceAll(settings, "&", "&vtec.") + "&vtec.guess=all"
	file, folder := linksFile(t, small+"&models=ifm", link), t.TempDir()
	ok(t, "sweep", file, "-out", folder)
	merged, _ := ok(t, "merge", folder)

	s, _ := spec.ParseIonosphere(settings)
	survey := must(survey.Open(s, nil))
	var results []vtec.Result
	for i := range survey.Windows() {
		results = append(results, must(survey.Window(i)))
	}
	want := survey.Tabulate(results, nil)
	type sum struct {
		windows, differences int
		zero                 float64
		squares              [2]float64
	}
	days := make([]sum, 2)
	lines := strings.Split(strings.TrimSuffix(merged, "\n"), "\n")[2:] // behind the title and the run
	require.Len(t, lines, 2*17)
	for i, text := range lines {
		var line struct {
			Spec                                             string
			Of, Day, Station, Windows, Unusable, Differences int
			Zero                                             float64
			Squares                                          map[string]float64
			Digest                                           string
		}
		require.NoError(t, json.Unmarshal([]byte(text), &line), text)
		assert.Equal(t, "chapter=vtec&vtec.methods=ridge,ifm&vtec.stations=all&vtec.stride=720&vtec.fixes=0&vtec.days=2", line.Spec)
		assert.Equal(t, []int{i, i / 17, survey.Stations()[i%17]}, []int{line.Of, line.Day, line.Station})
		assert.Equal(t, 2, line.Windows+line.Unusable)
		assert.Len(t, line.Digest, 32)
		assert.Len(t, line.Squares, 2)
		day := &days[line.Day]
		day.windows += line.Windows
		day.differences += line.Differences
		day.zero += line.Zero
		day.squares[0] += line.Squares["ridge"]
		day.squares[1] += line.Squares["ifm"]
	}
	for d, sum := range days {
		row, n := want.Days[d], float64(sum.differences)
		assert.Equal(t, []int{row.Windows, row.Differences}, []int{sum.windows, sum.differences})
		const otherOrder = 1e-13 // of the same sums
		assert.InEpsilon(t, row.Zero, math.Sqrt(sum.zero/n), otherOrder)
		assert.InEpsilon(t, row.RMSE[0], math.Sqrt(sum.squares[0]/n), otherOrder)
		assert.InEpsilon(t, row.RMSE[1], math.Sqrt(sum.squares[1]/n), otherOrder)
	}
}

func TestThePapersSweepsRunAsTheyStand(t *testing.T) {
	readme := string(must(os.ReadFile("README.md")))
	for name, cells := range map[string]int{"phase": 4000, "tau": 1680, "failures": 3900, "table1": 6120} {
		links, _ := ok(t, "sweep", "-print", name)
		assert.Equal(t, cells, must((&call{}).links(linksFile(t, links))).title.Cells, name)
		row := fmt.Sprintf("| `%s` | %d |", name, cells)
		assert.True(t, strings.Contains(readme, row), "the README has no %s", row)
	}
}

func TestASweepTrainsOnATable(t *testing.T) {
	const table = "../../../web/samples/diabetes.csv"
	const search = "source=table&target=target&iterations=2&ranks=1,2&lambdas=0.1&models=ifm"
	file, folder := linksFile(t, search, search+"&seed=2"), t.TempDir()
	ok(t, "sweep", file, "-out", folder, "-table", table)
	_, merged, _ := ifm("merge", folder)
	lines := sweptLines(t, merged)
	require.Len(t, lines, 2)
	for _, line := range lines {
		require.NotNil(t, line.Best)
		assert.LessOrEqual(t, *line.Best.Valid, *line.Last.Valid)
		assert.LessOrEqual(t, *line.Best.Valid, *line.First.Valid)
		assert.NotEmpty(t, line.Best.Encoding)
	}
	assert.NotEqual(t, lines[0].Digest, lines[1].Digest)

	// The same links on another file are another sweep.
	other := filepath.Join(t.TempDir(), "other.csv")
	require.NoError(t, os.WriteFile(other, append(must(os.ReadFile(table)), '\n'), 0o644))
	refused(t, 1, "the file is of another sweep", "sweep", file, "-out", folder, "-table", other)
}

func TestATaskThatIsRepeatedAloneNeedsItsShard(t *testing.T) {
	file, folder := linksFile(t, small), filepath.Join(t.TempDir(), "results")
	t.Setenv("SLURM_ARRAY_TASK_ID", "4") // --array=4, to repeat a task
	t.Setenv("SLURM_ARRAY_TASK_MIN", "4")
	t.Setenv("SLURM_ARRAY_TASK_MAX", "4")
	t.Setenv("SLURM_ARRAY_TASK_COUNT", "1")
	refused(t, 2, "submit --array=1-N, or say -shard $SLURM_ARRAY_TASK_ID/N", "sweep", file, "-out", folder)
	ok(t, "sweep", file, "-out", folder, "-shard", "4/8")
}

// asSweep is set where this test is run as the command, by itself.
const asSweep = "IFM_SWEEP"

func TestMain(m *testing.M) {
	if args := os.Getenv(asSweep); args != "" {
		os.Exit(run(strings.Split(args, "|"), os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// BenchmarkCell tells what a sweep adds to a cell: compare alone with swept.
func BenchmarkCell(b *testing.B) {
	link := func(i int) string {
		return "d=2&k=1&n=10&test=10&iterations=1&models=ifm&seed=" + strconv.Itoa(i)
	}
	b.Run("alone", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			s, _ := spec.Parse(link(i))
			r, err := core.Open(s, 0, nil)
			for err == nil && !r.Done() {
				_, err = r.Next()
			}
			require.NoError(b, err)
		}
	})
	b.Run("swept", func(b *testing.B) {
		all := make([]string, b.N)
		for i := range all {
			all[i] = link(i)
		}
		file, folder := linksFile(b, all...), b.TempDir()
		b.ResetTimer()
		c := &call{}
		l, err := c.links(file)
		require.NoError(b, err)
		w := shard.Work{Title: l.title, Do: l.do}
		require.NoError(b, w.Run(context.Background(), folder, shard.Whole, 1))
		about, err := os.Stat(filepath.Join(folder, "1-of-1.jsonl"))
		require.NoError(b, err)
		b.ReportMetric(float64(about.Size())/float64(b.N), "bytes/cell")
	})
}
