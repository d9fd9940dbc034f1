//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"

	"ifmlab/core/spec"
	"ifmlab/core/tabletest"
)

// settable has values of the settings whose bounds leave too much: those that name what a
// table has, and those that would take long.
var settable = map[string][]string{
	"target": {"y", "class"}, "log": {"no", "yes"}, "loss": {"auto", "squared"}, "positive": {"yes", "no"}, "ignore": {"a", "a,город"}, "categorical": {"code", "code,b"}, "numeric": {"code", "code,a"},
	"decimal": {"a:point"}, "missingas": {"b:3"}, "notmissing": {"город:none"}, "dates": {"day:dmy", "day:text"}, "keep": {"extremes", "units,footer"}, "weight": {"w"}, "rows": {"a:>:-1", "город:!=:Москва;day:<:2024-04-10"},
	"rare": {"1", "3", "40"}, "by": {"город", "day"}, "folds": {"1", "2", "3"}, "separator": {"semicolon"}, "header": {"yes"}, "charset": {"windows-1251"},
	"ranks": {"1", "2,3"}, "lambdas": {"0.1", "1,0.1"}, "lambdaw": {"10", "1,30"}, "lambdaf": {"30,10", "3"}, "seed": {"2", "9007199254740991"}, "trials": {"1"}, "iterations": {"3", "20"}, "tolerance": {"0.01", "0"}, "patience": {"2", "5"}, "solver": {"als", "agd", "auto", "scaled", "gauss-newton"},
	"source": {"table"}, "n": {"20"}, "d": {"1000"}, "member": {"x"}, "sheet": {"Tabelle 1"}, "pairs": {"1,2"},
}

// valuesOf returns values of a setting other than its default, where it has some.
func valuesOf(f spec.Field) []string {
	switch {
	case settable[f.Key] != nil:
		return settable[f.Key]
	case f.Kind == spec.Choice:
		return f.Options
	case f.Kind == spec.Set:
		return append([]string{strings.Join(f.Options, ",")}, f.Default, f.Options[0], strings.Join(f.Options[1:], ","))
	}
	return []string{fmt.Sprint(f.Max), fmt.Sprint(f.Min)}
}

func TestWhatTrainPrintsRepeatsTheRun(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 0))
	content := tabletest.File("a;b;code;day;город;w;class;y", 120, func(i int) string {
		a, city := rng.NormFloat64(), rng.IntN(12)
		return fmt.Sprintf("%.3f;%d;%d;%02d.%02d.2024;%s;%d;%s;%.3f", a, rng.IntN(9), i%7, 1+i%28, 1+i/28, []string{"Москва", "Тверь", "none"}[city%3]+strings.Repeat("а", city), 1+rng.IntN(2), []string{"no", "yes"}[rng.IntN(2)], 9+a*float64(city%3)+rng.NormFloat64())
	})
	text := must(charmap.Windows1251.NewEncoder().String(content))
	file := write(t, "города.csv", text)
	train := func(args ...string) (r report, ok bool) {
		status, out, _ := ifm(append([]string{"train", file, "-json", "-ranges=false"}, args...)...)
		return r, status == 0 && assert.NoError(t, json.Unmarshal([]byte(out), &r))
	}
	trained := 0
	for range 24 {
		args := []string{"-set=target=y", "-set=charset=windows-1251", "-set=iterations=4", "-set=lambdaf=30", "-set=lambdaw=30"}
		for _, f := range spec.Fields {
			if values := valuesOf(f.Field); f.Key == "models" || rng.IntN(6) == 0 {
				args = append(args, "-set="+f.Key+"="+values[rng.IntN(len(values))])
			}
		}
		first, ok := train(args...)
		if !ok { // settings that do not go together
			continue
		}
		trained++
		again, ok := train("-link", first.Settings)
		require.True(t, ok, first.Settings)
		assert.Equal(t, first.Settings, again.Settings)
		assert.Equal(t, fmt.Sprint(first.Models, first.Kept, first.Train, first.Valid, first.Test), fmt.Sprint(again.Models, again.Kept, again.Train, again.Valid, again.Test), first.Settings)
		require.Equal(t, len(first.Scores), len(again.Scores), first.Settings)
		for i, s := range first.Scores {
			assert.Equal(t, fmt.Sprint(s.Name, s.Test), fmt.Sprint(again.Scores[i].Name, again.Scores[i].Test), first.Settings)
		}
	}
	assert.Greater(t, trained, 12, "settings that go together")
}
