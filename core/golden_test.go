package core_test

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/spec"
	"ifmlab/core/vtec"
	"ifmlab/core/vtec/sky"
)

const (
	goldenFile = "testdata/golden.txt"
	goldenHead = `# Every record of the Specs of core/golden_test.go, so that no bit moves unseen. A
# block is a cell of a link; a line is a record: its digest under js/wasm, that on
# amd64 ("=" the same, "?" not known yet) and what js/wasm finds, to eleven digits:
# training, validation and test RMSE, of classes log-loss, and the recovery errors of w and M. Baselines
# are the mean, ridge and quadratic ridge; a window has the squares of predicting 0
# and of each method, their table the roots of means; a fix has the attempts, those
# given up and each method's fixed. A pair has ln p, F, its share of the variance and
# the ends of that; boosted trees have their test RMSE.
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

// goldenLinks are the Specs: links behind what they are of.
func goldenLinks() (links []string) {
	add := func(parts ...string) { links = append(links, strings.Join(parts, "&")) }
	for _, solver := range []string{"agd", "gauss-newton", "scaled", "algorithm1", "printed"} {
		for _, scenario := range []string{"psd", "flipped", "mixed"} {
			models := "fm,gfm,ifm"
			if solver == "algorithm1" || solver == "printed" {
				models = "gfm,ifm" // they refuse FM
			}
			add("synthetic?scenario="+scenario, "d=11&k=2&n=333&test=70&iterations=6&solver="+solver, "models="+models)
		}
	}
	const small = "d=7&k=2&n=150&test=40&iterations=4&models=fm,gfm,ifm"
	add("synthetic?features=uniform&noise=0.5&rank=3&trials=2", small)
	add("synthetic?features=laplace&solver=auto", small)
	add("synthetic?features=exponential&truth=orthonormal", small)
	add("synthetic?features=threepoint&tau=0.3&diagonal=kept&solver=scaled", small)
	add("synthetic?features=slider&tau=1.5&seed=7", small)
	add("synthetic?features=gaussian&rho=0.6&scenario=mixed", small)
	for _, features := range []string{"t5", "t3", "lognormal", "counts", "equicorrelated"} {
		add("synthetic?features="+features+"&solver=auto&scenario=mixed", "d=7&k=1&n=300&test=40&iterations=12&models=ifm")
	}
	const moments = "d=9&k=2&n=900&test=40&iterations=5&models=gfm,ifm&solver=algorithm1"
	add("synthetic?features=twopoint&share=0.3&inverse=pseudo&batches=fresh&scenario=mixed", moments)
	add("synthetic?features=threepoint&truth=orthonormal&diagonal=kept&moments=true", moments)
	add("synthetic?scenario=psd&diagonal=kept&solver=centred", "d=11&k=2&n=333&test=70&iterations=6&models=gfm,ifm")
	add("synthetic?features=slider&tau=0.02&diagonal=kept&inverse=divide", moments)
	add("synthetic?scenario=psd&start=10", small)
	add("synthetic?scenario=mixed&iterations=12")
	add("synthetic?sweep=rank&ratios=3,8&ks=1,2&d=6&test=30&iterations=3&trials=2")
	add("synthetic?sweep=tau&ratios=5&taus=1,0.1&d=6&test=30&iterations=3")

	const table = "source=table&trials=2&iterations=6"
	add("diabetes.csv?"+table, "target=target&ranks=2&lambdas=0.03,0.3&solver=auto&models=fm,gfm,ifm")
	add("diabetes.csv?"+table, "target=target&ranks=2,3&lambdas=0.1&seed=3")
	add("penguins.csv?"+table, "target=Body%20Mass%20(g)&missing=drop&ranks=2&lambdas=0,0.1&solver=gauss-newton")
	add("cars.csv?"+table, "target=Miles_per_Gallon&numeric=Cylinders&rare=2&ranks=2&lambdas=0.01,0.1&solver=auto")
	add("cars.csv?"+table, "target=Miles_per_Gallon&ignore=Name,Displacement,Horsepower,Weight_in_lbs,Acceleration&categorical=Cylinders,Year&ranks=2&lambdas=0.1")
	add("cars.csv?"+table, "target=Miles_per_Gallon&ignore=Name&split=time&by=Year&ranks=2&lambdas=0.1&solver=auto")
	add("cars.csv?"+table, "target=Miles_per_Gallon&ignore=Name&split=group&by=Year&ranks=2&lambdas=0.1&solver=auto")

	add("cars.csv?"+table, "target=Miles_per_Gallon&ignore=Name&categorical=Origin&models=fm,gfm,ifm&ranks=2&lambdaf=30,3")
	add("penguins.csv?"+table, "target=Body%20Mass%20(g)&models=ifm&ranks=2&lambdaf=10,1&encode=hats&solver=als")
	add("diabetes.csv?"+table, "target=target&models=ifm&ranks=2&lambdaf=10&encode=linear&patience=3")
	add("cars.csv?"+table, "target=Miles_per_Gallon&ignore=Name&log=yes&models=fm,gfm,ifm&ranks=2&lambdaf=30,3")
	add("synthetic?solver=als&scenario=mixed", small)
	add("penguins.csv?"+table, "target=Sex&models=fm,gfm,ifm&ranks=2&lambdaf=30,3&loss=logistic")
	add("penguins.csv?"+table, "target=Sex&models=ifm&ranks=2&lambdaf=30,3&loss=squared")
	add("penguins.csv?"+table, "target=Sex&models=ifm&ranks=2&lambdaf=30,3&folds=3")

	add("pairs of cars.csv?source=table", "target=Miles_per_Gallon&ignore=Name")
	add("trees of diabetes.csv?source=table", "target=target")
	add("trees of penguins.csv?source=table", "target=Sex")

	// Under the penalties that windows are tuned to, what math.Exp rounds otherwise
	// on another platform moves a fit by up to 1e-6, under these by less than 1e-10.
	const calm = "kernel=0.01&fmlambda=0.1&ifmlambda=0.1&fixfmlambda=0.1&fixifmlambda=0.1&stride=720"
	add("ionosphere?days=2&fixes=1440", calm)
	add("ionosphere?sky=disturbed&days=1&fixes=0&systems=2&methods=ridge,fm,ifm", calm)
	add("ionosphere?sky=maps&days=1&fixes=0&methods=elasticnet,ifm", calm)
	add("ionosphere?sky=points&fixes=720", calm)
	add("ionosphere?days=1&fixes=0&methods=ridge,gfm,cubic&stations=all&angles=no&gfmlambda=0.1", calm)
	return links
}

// goldenBlocks runs a link.
func goldenBlocks(t *testing.T, link string) (blocks []goldenBlock) {
	of, query, _ := strings.Cut(link, "?")
	if of == "ionosphere" {
		return goldenSurvey(t, link, query)
	}
	what, sample, beside := strings.Cut(of, " of ")
	if beside {
		of = sample
	}
	var table *data.Table
	if of != "synthetic" {
		content, err := os.ReadFile("../web/samples/" + of)
		require.NoError(t, err)
		table = read(t, query, string(content))
	}
	if beside {
		return []goldenBlock{goldenBeside(t, what, link, openRun(t, query, table))}
	}
	for cell := range core.Cells(parse(t, query)) {
		run, records := train(t, query, cell, table)
		b := goldenBlock{name: fmt.Sprintf("%s cell %d", link, cell)}
		for _, r := range records {
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
		base, err := run.Baselines()
		require.NoError(t, err)
		q, err := run.Quadratic()
		require.NoError(t, err)
		b = goldenBlock{name: b.name + " baselines"}
		b.add([]float64{base.Mean, base.Ridge, q.RMSE}, append(q.Predicted, base.Lambda, q.Lambda)...)
		blocks = append(blocks, b)
	}
	return blocks
}

// goldenBeside runs what stands beside the models of a table: its search for pairs, or
// its boosted trees.
func goldenBeside(t *testing.T, what, link string, run *core.Run) goldenBlock {
	b := goldenBlock{name: link}
	if what == "trees" {
		grown := boosted(t, run)
		b.add([]float64{grown.RMSE}, append(grown.Predicted, float64(grown.Grown), float64(grown.Count), float64(grown.Leaves))...)
		return b
	}
	found := pairs(t, run)
	require.NotEmpty(t, found.Named)
	for _, n := range found.Named {
		others := append(slices.Clone(n.Effect.Value), n.Effect.Rows...)
		b.add([]float64{n.LogP, n.F, n.Share, n.Low, n.High}, append(others, float64(n.P), float64(n.Q), float64(n.DF), float64(n.Left))...)
	}
	return b
}

// goldenSky returns a day of the simulator as a file, "maps" or "points".
var goldenSky = sync.OnceValue(func() map[string][]byte {
	s, _ := spec.ParseIonosphere("days=1&stride=720")
	survey, err := core.OpenSurvey(s, nil)
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

// goldenSurvey runs a link of the ionosphere.
func goldenSurvey(t *testing.T, link, query string) []goldenBlock {
	s, notices := spec.ParseIonosphere(query)
	require.Empty(t, notices)
	if !strings.Contains(query, "methods=") {
		s.Methods = slices.DeleteFunc(s.Methods, func(name string) bool { return name == "cubic" || name == "kriging" }) // the links are older than these two
	}
	var opened *sky.File
	if what := map[string]string{"maps": "maps", "disturbed": "maps", "points": "points"}[s.Sky]; what != "" {
		var err error
		opened, err = sky.Read(what, bytes.NewReader(goldenSky()[what]))
		require.NoError(t, err)
	}
	survey, err := core.OpenSurvey(s, opened)
	require.NoError(t, err)
	results, windows := make([]vtec.Result, len(survey.Windows())), goldenBlock{name: link + " windows"}
	for i := range results {
		r, err := survey.Window(i)
		require.NoError(t, err)
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
		f, err := survey.Fix(i)
		require.NoError(t, err)
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
	content, err := os.ReadFile(goldenFile)
	require.NoError(t, err)
	pins = map[string][]goldenPin{}
	name := ""
	for line := range strings.Lines(string(content)) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || fields[0] == "#":
		case fields[0] == "version":
			version = fields[1]
		case line[0] != '\t':
			name = strings.TrimSpace(line)
		default:
			pin := goldenPin{wasm: fields[0], amd64: fields[1]}
			for _, field := range fields[2:] {
				v, err := strconv.ParseFloat(field, 64)
				require.NoError(t, err, name)
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
	for _, link := range goldenLinks() {
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
	require.NoError(t, os.WriteFile(goldenFile, b.Bytes(), 0o666))
}

func TestGoldenRecordsKeepTheirBitsUntilVersionChanges(t *testing.T) {
	if *update {
		writeGolden(t)
	}
	version, pins := readGolden(t)
	require.Equal(t, core.Version, version, "%s is of another core.Version: write it anew as its top says", goldenFile)
	links, platform := goldenLinks(), goldenPlatform()
	ran := 0 // -run may choose some
	for _, link := range links {
		t.Run(link, func(t *testing.T) {
			ran++
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
						if !math.IsNaN(want) || !math.IsNaN(v) {
							require.InDelta(t, want, v, 1e-9*max(math.Abs(want), math.Abs(start)), "%s, value %d, which started from %g: %s", here, j, start, goldenAdvice)
						}
					}
				}
				require.Len(t, block.records, len(pinned), "%s: %s", block.name, goldenAdvice)
			}
			if platform == "" {
				t.Skip("all is within 1e-9 of what js/wasm finds; digests are pinned under js/wasm, and on amd64 where math.Exp and nothing else has fused multiply-adds")
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
