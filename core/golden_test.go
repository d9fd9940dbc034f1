package core_test

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"math"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/population"
	"ifmlab/core/runtest"
	"ifmlab/core/spec"
	"ifmlab/core/survey"
	"ifmlab/core/table"
	"ifmlab/core/vtec"
	"ifmlab/core/vtec/sky"
)

const (
	goldenFile = "testdata/golden.txt"
	goldenHead = `# Every record of the Specs of core/golden_test.go, so that no bit moves unseen, here
# or in a browser (make engines). A line behind ## names an experiment; a block is a
# cell of a link; a line is a record: its digest under js/wasm, that on amd64 ("=" the
# same, "?" not known yet) and what js/wasm finds, to eleven digits: training,
# validation and test RMSE, of classes log-loss, and the recovery errors of w and M.
# Baselines are the mean, ridge and quadratic ridge; a window has the squares of
# predicting 0 and of each method, their table the roots of means; a fix has the
# attempts, those given up and each method's fixed. A pair has ln p, F, its share of
# the variance and the ends of that; boosted trees have their test error; intervals
# their width, the share of rows within and the ends of that; a contest the errors of FM
# and iFM and their ratio; tuning the squares of every candidate; a scene TEC.
#
# Bits change only together with core.Version, in one commit that says why. To write
# this file for a new Version, or for Specs that are new, run both in this order:
#
#	GOOS=js GOARCH=wasm go test -exec "$PWD/wasm/exec" -run Golden ./core -update
#	go test -run Golden ./core -update
#
version `
	goldenAdvice = "a bit changes only with core.Version, in one commit that says why: mend what moved it, or change Version and write " + goldenFile + " anew as its top says"
)

var update = flag.Bool("update", false, "write "+goldenFile+": all of it for a new core.Version, else what is new in it")

// golden is a record as it is found here.
type golden struct {
	digest string
	values []float64
}

// goldenPin is a record as the file has it.
type goldenPin struct {
	wasm, amd64 string // digests
	values      []float64
}

// digest returns the one of a platform, "" of any other.
func (p goldenPin) digest(platform string) string {
	switch {
	case platform == "wasm" || platform == "amd64" && p.amd64 == "=":
		return p.wasm
	case platform == "amd64":
		return p.amd64
	}
	return ""
}

// goldenBlock is a cell of a link, or another part of it that has a name.
type goldenBlock struct {
	name    string
	records []golden
}

// add adds a record of values, which the file shows, and of others that only its
// digest knows.
func (b *goldenBlock) add(values []float64, others ...float64) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%x %x", values, others)) // %x is exact
	b.records = append(b.records, golden{fmt.Sprintf("%x", sum[:4]), values})
}

// goldenExperiment is something that is tried here: links behind what they are of.
type goldenExperiment struct {
	name  string // as in the table of package core's documentation
	links []string
}

// goldenExperiments are all of them, in the order of the file.
func goldenExperiments() (all []goldenExperiment) {
	for line := range strings.Lines(string(runtest.Must(os.ReadFile("testdata/experiments.txt")))) {
		line = strings.TrimSpace(line)
		if name, begins := strings.CutPrefix(line, "## "); begins {
			all = append(all, goldenExperiment{name: name})
		} else if !strings.HasPrefix(line, "#") {
			last := &all[len(all)-1]
			last.links = append(last.links, line)
		}
	}
	return all
}

// goldenLinks are the Specs.
func goldenLinks() (links []string) {
	for _, e := range goldenExperiments() {
		links = append(links, e.links...)
	}
	return links
}

// goldenBlocks runs a link.
func goldenBlocks(t *testing.T, link string) (blocks []goldenBlock) {
	of, query, _ := strings.Cut(link, "?")
	what, sample, beside := strings.Cut(of, " of ")
	if beside {
		of = sample
	}
	switch of {
	case "contest":
		return []goldenBlock{goldenContest(t, link, query)}
	case "ionosphere":
		return goldenSurvey(t, what, link, query)
	}
	var table *table.Table
	if of != "synthetic" {
		content := runtest.Must(os.ReadFile("../web/samples/" + of))
		table = runtest.ReadTable(t, query, string(content))
	}
	if beside {
		return []goldenBlock{goldenBeside(t, what, link, runtest.Open(t, query, 0, table))}
	}
	for cell := range core.Cells(runtest.Parse(t, query)) {
		run, records := runtest.Train(t, query, cell, table)
		b := goldenBlock{name: fmt.Sprintf("%s cell %d", link, cell)}
		for _, r := range records {
			if r.Last && r.Stop == "" { // the last fit is on its way
				continue
			}
			hats := 0.0
			if r.Encoding == "hats" {
				hats = 1
			}
			b.add([]float64{r.Train, r.Valid, r.Test, r.W, r.M}, float64(r.Candidate), float64(r.Rank), r.Lambda, float64(r.Iteration), r.Passes, float64(r.Lead), r.Weights, hats)
		}
		blocks = append(blocks, b)
		if table == nil {
			continue
		}
		base := runtest.Result(t, run.Baselines)
		q := runtest.Result(t, run.Quadratic)
		b = goldenBlock{name: b.name + " baselines"}
		b.add([]float64{base.Mean, base.Ridge, q.Error}, append(q.Predicted, base.Lambda, q.Lambda)...)
		blocks = append(blocks, b)
	}
	return blocks
}

// goldenBeside runs what stands beside the models of a table: its search for pairs, its
// boosted trees, or prediction intervals.
func goldenBeside(t *testing.T, what, link string, run *core.Run) goldenBlock {
	b := goldenBlock{name: link}
	switch what {
	case "trees":
		grown := runtest.Grow(t, run)
		b.add([]float64{grown.Error}, append(grown.Predicted, float64(grown.Grown), float64(grown.Count), float64(grown.Leaves))...)
		return b
	case "intervals":
		r := runtest.Calibrate(t, run)
		b.add([]float64{r.Width, r.Share, r.From, r.To}, slices.Concat(r.Low, r.High, []float64{float64(r.Covered), float64(r.Interval.Rows)})...)
		return b
	}
	found := runtest.Pairs(t, run)
	require.NotEmpty(t, found.Named)
	for _, n := range found.Named {
		b.add([]float64{n.LogP, n.F, n.Share, n.Low, n.High}, float64(n.P), float64(n.Q), float64(n.DF), float64(n.NoiseDF))
	}
	return b
}

// goldenContest fits FM and iFM to the drawn interactions of six features.
func goldenContest(t *testing.T, link, query string) goldenBlock {
	asked := runtest.Must(url.ParseQuery(query))
	seed := runtest.Must(strconv.ParseUint(asked.Get("seed"), 10, 64))
	number := runtest.Must(strconv.Atoi(asked.Get("number")))
	c := runtest.Must(population.Compare(population.Drawn(6, seed, number), 1))
	b := goldenBlock{name: link}
	b.add([]float64{c.FM.Share, c.IFM.Share, c.Score}, slices.Concat(c.Pairs, c.FM.Pairs, c.IFM.Pairs, c.Eigenvalues, c.Vectors)...)
	return b
}

// goldenSky returns a day of the simulator as a file, "maps" or "points".
var goldenSky = sync.OnceValue(func() map[string][]byte {
	s, _ := spec.ParseIonosphere("days=1&stride=720")
	survey, err := survey.Open(s, nil)
	files := map[string][]byte{}
	for _, what := range []string{"maps", "points"} {
		if err == nil {
			_, files[what], err = survey.Write(0, what)
		}
	}
	if err != nil {
		panic(err)
	}
	return files
})

// goldenSurvey runs a link of the ionosphere: its windows and positions, or if it says
// so one window to tune on, or the map of an instant.
func goldenSurvey(t *testing.T, what, link, query string) []goldenBlock {
	s, notices := spec.ParseIonosphere(query)
	require.Empty(t, notices)
	if !strings.Contains(query, "methods=") {
		s.Methods = slices.DeleteFunc(s.Methods, func(name string) bool { return name == "kriging" }) // the links are older
	}
	var opened *sky.File
	if what := map[string]string{"maps": "maps", "disturbed": "maps", "points": "points"}[s.Sky]; what != "" {
		opened = runtest.Must(sky.Read(what, bytes.NewReader(goldenSky()[what])))
	}
	survey := runtest.Must(survey.Open(s, opened))
	switch b := (goldenBlock{name: link}); what {
	case "tuning":
		tuned := runtest.Must(survey.Tune(0))
		b.add(tuned.Squares, float64(tuned.Test))
		return []goldenBlock{b}
	case "scene":
		scene := survey.Scene(0, 43210, 6, 8, true)
		require.Empty(t, scene.Unusable)
		b.add(scene.TEC, slices.Concat(scene.Latitude, scene.Longitude, scene.Bend)...)
		return []goldenBlock{b}
	}
	results, windows := make([]vtec.Result, len(survey.Windows())), goldenBlock{name: link + " windows"}
	for i := range results {
		r := runtest.Must(survey.Window(i))
		require.Empty(t, r.Unusable)
		windows.add(append([]float64{r.Zero}, r.Squares...), float64(r.Satellites), float64(r.Train), float64(r.Test))
		results[i] = r
	}
	table := goldenBlock{name: link + " table"}
	sums := survey.Tabulate(results, nil)
	for _, row := range append(sums.Days, sums.Average) {
		table.add(append([]float64{row.Zero}, row.RMSE...))
	}
	blocks := []goldenBlock{windows, table}
	for i := range survey.Fixes() {
		f := runtest.Must(survey.Fix(i))
		require.Empty(t, f.Unusable)
		b := goldenBlock{name: fmt.Sprintf("%s fix %d", link, i)}
		values := []float64{float64(f.Tried), float64(f.Unfinished)}
		for _, n := range f.Fixed {
			values = append(values, float64(n))
		}
		b.add(values, float64(f.Satellites))
		blocks = append(blocks, b)
	}
	return blocks
}

// goldenPlatform returns whose digests hold here: "wasm", "amd64" or "".
//
// On amd64 math.Exp is assembly that fuses multiplications with additions where the
// processor can, and from GOAMD64=v3 on the compiler does so too; digests are of
// the one without the other.
func goldenPlatform() string {
	x := math.Exp(-2.375)
	minus := -float64(x * x)
	if runtime.GOARCH == "wasm" || runtime.GOARCH == "amd64" && x == 0x1.7cfcc2d36c511p-04 && x*x+minus == 0 {
		return runtime.GOARCH
	}
	return ""
}

func readGolden(t *testing.T) (version string, pins map[string][]goldenPin) {
	content := runtest.Must(os.ReadFile(goldenFile))
	pins = map[string][]goldenPin{}
	name := ""
	for line := range strings.Lines(string(content)) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || line[0] == '#':
		case fields[0] == "version":
			version = fields[1]
		case line[0] != '\t':
			name = strings.TrimSpace(line)
		default:
			pin := goldenPin{wasm: fields[0], amd64: fields[1]}
			for _, field := range fields[2:] {
				v := runtest.Must(strconv.ParseFloat(field, 64))
				pin.values = append(pin.values, v)
			}
			pins[name] = append(pins[name], pin)
		}
	}
	return version, pins
}

// writeGolden writes what is not in the file yet, and nothing over what is unless
// Version is another.
func writeGolden(t *testing.T) {
	version, pins := readGolden(t)
	platform := goldenPlatform()
	require.True(t, platform == "wasm" || platform == "amd64" && version == core.Version, "%s is written under js/wasm first, then on amd64: its top says how", goldenFile)
	if version != core.Version {
		clear(pins)
	}
	var b bytes.Buffer
	b.WriteString(goldenHead + core.Version + "\n")
	for _, e := range goldenExperiments() {
		fmt.Fprintf(&b, "\n## %s\n", e.name)
		for _, link := range e.links {
			for _, block := range goldenBlocks(t, link) {
				pinned, known := pins[block.name]
				for i, r := range block.records {
					if !known && platform == "wasm" {
						pinned = append(pinned, goldenPin{r.digest, "?", r.values})
					} else if platform == "amd64" && i < len(pinned) && pinned[i].amd64 == "?" {
						pinned[i].amd64 = r.digest
					}
				}
				fmt.Fprintf(&b, "\n%s\n", block.name)
				for _, pin := range pinned {
					if pin.amd64 == pin.wasm {
						pin.amd64 = "="
					}
					fmt.Fprintf(&b, "\t%s %s", pin.wasm, pin.amd64)
					for _, v := range pin.values {
						fmt.Fprintf(&b, " %.11g", v)
					}
					b.WriteByte('\n')
				}
			}
		}
	}
	require.NoError(t, os.WriteFile(goldenFile, b.Bytes(), 0o666))
}

// goldenStated returns how far the values of each link may be off here, as a share of
// themselves or of what they started from: what the table of package core's
// documentation says of their experiment. That of arm64 is for all that is not amd64 as
// it is pinned. It fails if the table tells of other experiments, Specs or records than
// there are.
func goldenStated(t *testing.T) map[string]float64 {
	doc := runtest.Must(os.ReadFile("doc.go"))
	_, pins := readGolden(t)
	lines := regexp.MustCompile(`(?m)^//\t(\S.*?) {2,}(\d+) +(\d+) +the same +(\S+) +(\S+)$`).FindAllStringSubmatch(string(doc), -1)
	var told, found []string
	for _, line := range lines {
		told = append(told, strings.Join(line[1:4], ", "))
	}
	stated := map[string]float64{}
	for i, e := range goldenExperiments() {
		records := 0
		for name, pinned := range pins {
			if slices.ContainsFunc(e.links, func(link string) bool { return name == link || strings.HasPrefix(name, link+" ") }) {
				records += len(pinned)
			}
		}
		found = append(found, fmt.Sprintf("%s, %d, %d", e.name, len(e.links), records))
		if i >= len(lines) {
			continue
		}
		bound := lines[i][5]
		if goldenPlatform() == "amd64" {
			bound = lines[i][4]
		}
		for _, link := range e.links {
			stated[link] = runtest.Must(strconv.ParseFloat(bound, 64))
		}
	}
	require.Equal(t, found, told, "the table of package core's documentation is of these experiments, Specs and records")
	return stated
}

func TestGoldenRecordsKeepTheirBitsUntilVersionChanges(t *testing.T) {
	if *update {
		writeGolden(t)
	}
	version, pins := readGolden(t)
	require.Equal(t, core.Version, version, "%s is of another core.Version: write it anew as its top says", goldenFile)
	links, platform := goldenLinks(), goldenPlatform()
	stated := goldenStated(t)
	ran := 0 // -run may choose some
	for _, link := range links {
		t.Run(link, func(t *testing.T) {
			ran++
			bound, off := stated[link], 0.0
			defer func() { t.Attr("off", fmt.Sprintf("%.1e", off)) }() // which make engines prints
			for _, block := range goldenBlocks(t, link) {
				pinned := pins[block.name]
				delete(pins, block.name)
				require.NotEmpty(t, pinned, "%s has no %s: write what is new as its top says", goldenFile, block.name)
				for i, r := range block.records[:min(len(pinned), len(block.records))] {
					p := pinned[i]
					here := fmt.Sprintf("%s, record %d", block.name, i)
					if want := p.digest(platform); want != "" {
						require.NotEqual(t, "?", want, "%s: %s has no digest of amd64: write it as its top says", here, goldenFile)
						require.Equal(t, want, r.digest, "%s: its values are now %.17g and were %.11g; %s", here, r.values, p.values, goldenAdvice)
					}
					require.Len(t, r.values, len(p.values), here)
					for j, v := range r.values {
						want, start := p.values[j], pinned[0].values[j]
						size := math.Abs(want)
						if !math.IsNaN(start) { // the folds' first records have no error yet
							size = max(size, math.Abs(start))
						}
						if want != v && (!math.IsNaN(want) || !math.IsNaN(v)) {
							off = max(off, math.Abs(v-want)/size)
							require.InDelta(t, want, v, bound*size, "%s, value %d, which started from %g: %s", here, j, start, goldenAdvice)
						}
					}
				}
				require.Len(t, block.records, len(pinned), "%s: %s", block.name, goldenAdvice)
			}
			if platform == "" {
				t.Skipf("all is within %g of what js/wasm finds; digests are pinned under js/wasm, and on amd64 where math.Exp and nothing else has fused multiply-adds", bound)
			}
		})
	}
	if ran == len(links) {
		assert.Empty(t, slices.Collect(maps.Keys(pins)), "%s pins what is of no link any more: write it as its top says", goldenFile)
	}
}

func TestGoldenSpecsTryEveryOption(t *testing.T) {
	tried := map[string]bool{}
	for _, link := range goldenLinks() {
		_, query, _ := strings.Cut(link, "?")
		for pair := range strings.SplitSeq(query, "&") {
			key, value, _ := strings.Cut(pair, "=")
			for option := range strings.SplitSeq(value, ",") {
				tried[key+"="+option] = true
			}
		}
	}
	for _, f := range spec.Fields {
		if f.Key == "separator" || f.Key == "header" || f.Key == "charset" {
			continue // how a file is read
		}
		for _, option := range f.Options {
			assert.True(t, option == f.Default || tried[f.Key+"="+option], "no link of goldenLinks has %s=%s", f.Key, option)
		}
	}
}
