package script_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/measure"
	"ifmlab/core/script"
	"ifmlab/core/tabletest"
)

// Of more than two classes the terms are those of the likeliest.
func TestTheScriptExplainsAsTheEngineDoes(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 here, which runs the script")
	}
	cars, penguins := sample(t, "cars.csv"), sample(t, "penguins.csv")
	for _, c := range []struct{ query, text string }{
		{"target=Miles_per_Gallon&log=yes&models=gfm&ranks=2&lambdaf=10&encode=hats", cars},
		{"target=Sex&models=fm&ranks=2&lambdaf=10", penguins},
		{"target=Species&models=ifm&ranks=2&lambdaf=10", penguins},
		{"target=y&models=ifm&ranks=2&lambdaf=10&rare=3", unlike(200)}, // with dates
	} {
		k, s := kept(t, c.query, c.text)
		table := readTable(t, s, c.text)
		said := tabletest.Must(k.Predict(table))
		dir := t.TempDir()
		call := func() string {
			program := tabletest.Must(script.Python(k.Model, k.Encoding))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "predict.py"), []byte(program), 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "rows.csv"), []byte(c.text), 0o644))
			run := exec.Command(python, "-SE", "-c", "import json, predict\nprint(json.dumps([[[list(part), x] for part, x in predict.explain(row).items()] for _, row in list(predict.rows('rows.csv'))[:150]]))")
			run.Dir = dir
			out, err := run.CombinedOutput()
			if err != nil {
				return err.Error() + string(out)
			}
			return string(out)
		}
		var rows [][][2]any
		text := call()
		require.NoError(t, json.Unmarshal([]byte(text), &rows), text)
		require.Len(t, rows, 150)
		for i, parts := range rows {
			on, classes := k, len(k.Model.Classes)
			if classes > 0 {
				on = k.Score(measure.Likeliest(said.Probabilities[i*classes:][:classes]))
			}
			e := tabletest.Must(on.Explain(table, int(said.Line[i]), math.MaxInt))
			want, got := map[string]float64{"": e.Base}, map[string]float64{}
			for _, term := range e.Terms {
				name := e.Columns[term.First]
				if term.Second >= 0 {
					name += " × " + e.Columns[term.Second]
				}
				want[name] = term.Value
			}
			sum := 0.0
			for _, part := range parts {
				name := ""
				for at, column := range part[0].([]any) {
					if at > 0 {
						name += " × "
					}
					name += column.(string)
				}
				got[name] = part[1].(float64)
				sum += got[name]
			}
			assert.InDelta(t, e.Predicted, sum, 1e-9)
			require.InDeltaMapValues(t, want, got, 1e-9)
		}
		k.Model.Centre = nil // as in an older file
		assert.Contains(t, call(), "ValueError: the model file has no averages of its training rows; train the model again")
	}
}
