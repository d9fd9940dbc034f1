package estimator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"math"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/estimator"
)

const numbersFile = "testdata/numbers.json"

var update = flag.Bool("update", false, "write "+numbersFile+", under js/wasm: GOOS=js GOARCH=wasm go test -exec \"$PWD/wasm/exec\" -run Numbers ./core/estimator -update")

// numbers are what a fit finds.
type numbers struct {
	File, Query, Kind string
	Rank              int
	RMSE, Bias        float64 // of test rows
	Predicted         []float64
	Mean, Ridge       float64 // RMSE
	Trees             float64
}

// What the page finds, js/wasm finds; natively it is within 1e-9 of the target's
// size, as core/doc.go says.
func TestNumbersAreThePagesNativelyToo(t *testing.T) {
	var want []numbers
	if content, err := os.ReadFile(numbersFile); err == nil {
		require.NoError(t, json.Unmarshal(content, &want))
	}
	var all []numbers
	for _, c := range [][2]string{
		{"cars.csv", "target=Miles_per_Gallon&ignore=Name&ranks=2&lambdaf=30,3"},
		{"penguins.csv", "target=Body%20Mass%20(g)&ranks=2&lambdaf=10&models=fm,gfm,ifm"},
		{"diabetes.csv", "target=target&solver=gauss-newton&ranks=2&lambdas=0.03,0.3"},
		{"diabetes.csv", "target=target&log=yes&ranks=3&lambdaf=30&seed=5"},
	} {
		found := numbersOf(t, c[0], c[1])
		if all = append(all, found); *update {
			continue
		}
		i := len(all) - 1
		require.Less(t, i, len(want), "write %s anew, as -help says", numbersFile)
		w := want[i]
		if runtime.GOOS == "js" {
			assert.Equal(t, w, found, "%s: bits change only with core.Version; write %s anew then", c[1], numbersFile)
			continue
		}
		size := w.Mean // the spread of the target
		near := func(want, found float64) {
			require.InDelta(t, want, found, 1e-9*size, c[1])
		}
		assert.Equal(t, w.Kind, found.Kind)
		assert.Equal(t, w.Rank, found.Rank)
		near(w.RMSE, found.RMSE)
		near(w.Mean, found.Mean)
		near(w.Ridge, found.Ridge)
		near(w.Trees, found.Trees)
		require.InDelta(t, w.Bias, found.Bias, 1e-9*math.Max(size, math.Abs(w.Bias)), c[1])
		require.Len(t, found.Predicted, len(w.Predicted))
		for i := range w.Predicted {
			near(w.Predicted[i], found.Predicted[i])
		}
	}
	if *update {
		require.Equal(t, "js", runtime.GOOS, "the numbers are js/wasm's: run this under it")
		require.NoError(t, os.WriteFile(numbersFile, append(must(json.MarshalIndent(all, "", " ")), '\n'), 0o644))
	}
}

func numbersOf(t *testing.T, name, query string) numbers {
	t.Helper()
	content := must(os.ReadFile("../../web/samples/" + name))
	o := options(t, query)
	table := must(estimator.ReadTable(name, bytes.NewReader(content), o))
	f := must(estimator.FitTable(context.Background(), table, o))
	found := numbers{File: name, Query: query, Kind: f.Kind(), Rank: f.Rank(), RMSE: f.Test().Error, Bias: f.Bias(), Predicted: f.Test().Predicted}
	mean := must(f.Mean())
	ridge := must(f.Ridge())
	trees := must(f.Trees(context.Background(), nil))
	found.Mean, found.Ridge, found.Trees = mean.Error, ridge.Error, trees.Error

	// The page's own way there.
	s := o.Spec
	s.Models = []string{found.Kind}
	run := must(core.Open(s, 0, table))
	for !run.Done() {
		_, err := run.Next()
		require.NoError(t, err)
	}
	assert.Equal(t, must(run.Predictions()).Predicted, found.Predicted, query)
	return found
}
