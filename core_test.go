// Package ifmlab_test holds the acceptance tests: what the paper claims and
// this project shows, and the walls between the packages.
package ifmlab_test

import (
	"go/build"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/spec"
)

// run trains one cell of a link's settings and returns its records.
func run(t *testing.T, query string, cell int, table *data.Table) (*core.Run, []core.Record) {
	t.Helper()
	s, notices := spec.Parse(query)
	require.Empty(t, notices)
	r, err := core.Open(s, cell, table)
	require.NoError(t, err)
	var records []core.Record
	for !r.Done() {
		record, err := r.Next()
		require.NoError(t, err)
		records = append(records, record)
	}
	return r, records
}

// The first thing the page shows: d = 30, k = 3, n = 1800, the truth negated.
func TestFlippingOneSignBreaksFMAndNotIFM(t *testing.T) {
	trials := 20
	if testing.Short() {
		trials = 4
	}
	const query = "scenario=flipped&trials=20&models=fm,ifm"
	for trial := range trials {
		_, fm := run(t, query, 2*trial, nil)
		_, ifm := run(t, query, 2*trial+1, nil)
		lowest := math.Inf(1)
		for _, r := range fm {
			lowest = min(lowest, r.Test)
		}
		assert.Less(t, ifm[len(ifm)-1].Test, .01*lowest, "trial %d: FM never comes within a hundred times of iFM", trial)
	}
}

func TestTheSignThatFMWasMadeForSuitsBoth(t *testing.T) {
	for cell := range 2 {
		_, records := run(t, "scenario=psd", cell, nil)
		assert.Less(t, records[len(records)-1].Test, .01*records[0].Test)
	}
}

func TestMixedSignsAreOutOfFMsReachAtTheTrueRank(t *testing.T) {
	for _, k := range []string{"3", "6", "12"} {
		r, records := run(t, "scenario=mixed&models=fm&iterations=300&k="+k, 0, nil)
		base, err := r.Baselines()
		require.NoError(t, err)
		assert.Greater(t, records[len(records)-1].Test, .3*base.Ridge, "rank %s", k)
	}
}

// What a reader sees on the samples of the page: a table is read, planned and
// fitted, and every model is judged by rows it has not seen.
func TestTheSamplesTrainToBetterThanTheirMean(t *testing.T) {
	for file, query := range map[string]string{
		"diabetes.csv": "target=target",
		"penguins.csv": "target=Body%20Mass%20(g)",
		"cars.csv":     "target=Miles_per_Gallon",
	} {
		query = "source=table&" + query
		f, err := os.Open("web/samples/" + file)
		require.NoError(t, err)
		s, _ := spec.Parse(query)
		table, err := core.ReadTable(s, file, f)
		f.Close()
		require.NoError(t, err, file)
		for cell := range 2 {
			r, _ := run(t, query, cell, table)
			base, err := r.Baselines()
			require.NoError(t, err)
			p, err := r.Predictions()
			require.NoError(t, err)
			assert.Less(t, p.RMSE, base.Mean, file)
			assert.Less(t, base.Ridge, base.Mean, file)
		}
	}
}

// mayImport lists, for every folder with Go code, what it may import of ours.
// A folder that is not here fails the test: decide where it belongs first.
var mayImport = map[string]string{
	"core/spec":    "",
	"core/message": "",
	"core/kernel":  "core/message",
	"core/blas":    "core/kernel",
	"core/moment":  "core/message",
	"core/data":    "core/kernel core/message core/moment",
	"core/fm":      "core/data core/kernel core/message",
	"core/linear":  "core/blas core/data core/kernel core/message",
	"core/synth":   "core/data core/fm core/kernel core/message",
	"core/solve":   "core/blas core/data core/fm core/kernel core/message core/moment",
	"core":         "core/blas core/data core/fm core/kernel core/linear core/message core/moment core/solve core/spec core/synth",
	"core/compare": "core core/data core/spec",
	"core/curve":   "core core/data core/spec",
	"core/bench":   "core core/data core/fm core/solve core/spec",
	"wasm":         "core core/data core/message core/spec",
	"web":          "",
	"web/build":    "core/spec",
	"server":       "core/spec web",
}

// heavy is what the browser build must not contain: net/http alone is 1.4 MB of
// the page, and fmt, reflect, os and time together 115 kB of its 800.
var heavy = []string{"fmt", "reflect", "os", "time", "net/http", "net/url", "encoding/csv", "encoding/json", "compress/gzip", "text/template", "html/template",
	"gonum.org/v1/gonum/mat", "gonum.org/v1/gonum/optimize", "os/exec", "log/slog"}

func TestPackagesImportOnlyWhatTheirFloorAllows(t *testing.T) {
	for _, system := range []string{"linux/amd64", "js/wasm"} {
		context := build.Default
		context.GOOS, context.GOARCH, _ = strings.Cut(system, "/")
		for _, dir := range goFolders(t) {
			pkg, err := context.ImportDir(dir, 0)
			if _, none := err.(*build.NoGoError); none {
				continue
			}
			require.NoError(t, err)
			allowed, known := mayImport[dir]
			if !assert.True(t, known, "%s is a new folder: give it its line in mayImport", dir) {
				continue
			}
			for _, imported := range pkg.Imports {
				if ours, yes := strings.CutPrefix(imported, "ifmlab/"); yes {
					assert.Contains(t, strings.Fields(allowed), ours, "%s imports %s", dir, ours)
				}
				if strings.HasPrefix(imported, "gonum.org/") && dir != "core/blas" && system == "js/wasm" {
					assert.Contains(t, pkg.Imports, "ifmlab/core/blas", "%s imports %s, which is slow in a browser without core/blas", dir, imported)
				}
			}
		}
	}
}

// The engine is all that it imports, down to the last package.
func TestTheBrowserBuildIsKeptLight(t *testing.T) {
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled = "js", "wasm", false
	seen := map[string]bool{}
	var walk func(by, imported string)
	walk = func(by, imported string) {
		if seen[imported] || imported == "unsafe" || imported == "C" {
			return
		}
		seen[imported] = true
		assert.NotContains(t, heavy, imported, "%s imports %s", by, imported)
		var pkg *build.Package
		var err error
		if ours, yes := strings.CutPrefix(imported, "ifmlab/"); yes {
			pkg, err = context.ImportDir(ours, 0)
		} else if first, _, _ := strings.Cut(imported, "/"); strings.Contains(first, ".") {
			assert.Regexp(t, "^gonum.org/v1/gonum/(blas|lapack|internal)", imported, "%s imports it; the browser build takes no other module", by)
			return
		} else {
			pkg, err = context.Import(imported, filepath.Join(context.GOROOT, "src"), 0)
		}
		require.NoError(t, err)
		for _, next := range pkg.Imports {
			walk(imported, next)
		}
	}
	walk("the page", "ifmlab/wasm")
	assert.Greater(t, len(seen), 50, "the walk reaches the standard library")
}

// goFolders lists the folders below the top that hold Go code, without test
// data and what npm installs.
func goFolders(t *testing.T) (dirs []string) {
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testdata" || entry.Name() == "dist" || name != "." && strings.HasPrefix(entry.Name(), ".")) {
			return fs.SkipDir
		}
		if dir := path.Dir(filepath.ToSlash(name)); strings.HasSuffix(name, ".go") && dir != "." && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	return dirs
}
