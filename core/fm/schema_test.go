//go:build !js

package fm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/tabletest"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	s, err := c.Compile("model.schema.json")
	require.NoError(t, err)
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, file []byte) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(file))
	require.NoError(t, err)
	return s.Validate(value)
}

// kinds of files that Write writes, with every member that it knows.
func files(t *testing.T) (all [][]byte) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 18))
	for _, kind := range kinds {
		_, _, file := written(t, kind)
		all = append(all, file)
		classes, enc := &Model{Kind: kind, D: 5, Rank: 2}, encoding(rng, 5)
		for range 3 {
			classes.Classes = append(classes.Classes, random(rng, kind, 5, 2))
		}
		enc.Target = design.Target{Name: "y", Scale: 1, Levels: []string{"a", "b", "c"}, Logistic: true}
		classes.Centre = centreFor(rng, classes, enc)
		var b bytes.Buffer
		require.NoError(t, classes.Write(&b, enc))
		all = append(all, b.Bytes())
		for _, target := range []design.Target{
			{Name: "y", Mean: 2, Scale: 3},
			{Name: "y", Mean: 2, Scale: 3, Log: design.LogPlain, Least: .5, Most: 7},
			{Name: "y", Scale: 3, Log: design.LogShifted, Most: 7},
			{Name: "y", Mean: .5, Scale: 1, Levels: []string{"no", "yes"}, Logistic: true},
		} {
			for _, rank := range []int{0, 2} {
				m, enc := random(rng, kind, 5, rank), encoding(rng, 5)
				enc.Target = target
				enc.Features[0].Kind, enc.Features[0].Knot, enc.Features[0].Fill = design.FeatureKnot, 1, 2
				enc.Features[1].Least, enc.Features[1].Most, enc.Features[1].Shares = -1, 1, make([]float64, design.DefaultKnots)
				enc.Features[1].IsDays = true
				enc.FileStyle = design.FileStyle{Separator: '|', Point: '.', Header: rank > 0}
				m.Interval = &Interval{Level: .9, Rows: 7, Half: 1, B: 1, W: make([]float64, 5), Least: -1, Most: 1, Lowest: [][]float64{{-2}, {}}, Highest: [][]float64{{2}, {}}}
				m.Centre = centreFor(rng, m, enc)
				if m.Fitted = FittedChosen; rank == 0 {
					m.Fitted = FittedAll
					m.Interval = &Interval{Level: .9, Rows: 7, Half: 1}
				}
				var b bytes.Buffer
				require.NoError(t, m.Write(&b, enc))
				all = append(all, b.Bytes())
			}
		}
	}
	return all
}

func TestWhatWriteWritesIsOfTheSchema(t *testing.T) {
	s := schema(t)
	for _, file := range files(t) {
		assert.NoError(t, validate(t, s, file), string(file))
	}
}

func TestTheSchemaNamesWhatWriteWrites(t *testing.T) {
	text, err := os.ReadFile("model.schema.json")
	require.NoError(t, err)
	type object struct{ Properties map[string]any }
	var s struct {
		object
		Defs map[string]object `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(text, &s))
	seen := map[string]map[string]bool{}
	for _, file := range files(t) {
		var m map[string]any
		require.NoError(t, json.Unmarshal(file, &m))
		note := func(of string, value any) {
			for key := range value.(map[string]any) {
				if seen[of] == nil {
					seen[of] = map[string]bool{}
				}
				seen[of][key] = true
			}
		}
		note("", m)
		for _, of := range []string{"target", "table", "interval"} {
			if m[of] != nil {
				note(of, m[of])
			}
		}
		for _, f := range m["features"].([]any) {
			note("feature", f)
		}
	}
	keys := func(m any) (names []string) {
		for _, key := range reflect.ValueOf(m).MapKeys() {
			names = append(names, key.String())
		}
		slices.Sort(names)
		return names
	}
	assert.Equal(t, keys(seen[""]), keys(s.Properties))
	for _, of := range []string{"target", "table", "interval", "feature"} {
		assert.Equal(t, keys(seen[of]), keys(s.Defs[of].Properties), of)
	}
}

// Changes of a file that Parse takes or refuses are of the schema or not. What JSON
// Schema cannot say, Parse alone refuses: sizes that differ, ends in the wrong order.
func TestTheSchemaRefusesWhatParseDoes(t *testing.T) {
	s := schema(t)
	const file = `{"format":"ifmlab model","version":3,"model":"ifm","rank":1,"b":0,"w":[1,2],"u":[[1],[2]],"v":[[1],[2]],"note":{"of":"ours"},` +
		`"target":{"name":"y","mean":0,"scale":1,"levels":["a","b"],"loss":"logistic"},"features":[{"name":"a","column":"a","kind":"value","mean":0,"scale":1},{"name":"b","column":"b","kind":"level","level":"x","mean":0,"scale":1}],` +
		`"interval":{"level":0.9,"rows":5,"half":1},"table":{"separator":",","point":".","header":true,"numbers":[]}}`
	require.NoError(t, validate(t, s, []byte(file)))
	tabletest.Edits(t, "schema.txt", file, func(t *testing.T, text string) string {
		_, _, err := Parse([]byte(text))
		assert.Equal(t, err == nil, validate(t, s, []byte(text)) == nil, text)
		return fmt.Sprint(err)
	})
}
