package script_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/measure"
	"ifmlab/core/script"
	"ifmlab/core/tabletest"
)

// The script and the query give each class its probability, and the likeliest one.
func TestScriptsPredictManyClassesAsTheEngineDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	text := "a,b,colour,kind\n"
	for i := range 240 {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		kind := []string{"it's", "two, words", "z"}[min(2, int(max(0, 1.5+a*b+.5*rng.NormFloat64())))]
		cell := fmt.Sprintf("%.4f", a)
		if i%40 == 7 {
			cell = ""
		}
		text += fmt.Sprintf("%s,%.4f,%s,%q\n", cell, b, []string{"red", "blue"}[i%2], kind)
	}
	for _, kind := range []string{"fm", "gfm", "ifm"} {
		k, s := kept(t, "source=table&target=kind&ranks=2&lambdaf=3&trials=1&iterations=10&encode=linear&models="+kind, text)
		table := readTable(t, s, text)
		said := tabletest.Must(k.Predict(table))
		head, rows := scripted(t, k, text)
		assert.Equal(t, []string{"line", "class", "P(it's)", "P(two, words)", "P(z)"}, head)
		query := tabletest.Must(script.SQL(k.Model, k.Encoding, "my_table"))
		names := table.Names()[:3]
		var cells [][]string
		for _, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
			cells = append(cells, strings.Split(line, ",")[:3])
		}
		last, classes := sqlite(t, query, names, typed(k, table, names, cells))
		for i, line := range said.Line {
			p := said.Probabilities[3*i:][:3]
			likeliest := k.Classes()[measure.Likeliest(p)]
			row := rows[strconv.Itoa(int(line))]
			assert.Equal(t, likeliest, row[0])
			assert.Equal(t, likeliest, classes[i])
			for c, v := range p {
				got := tabletest.Must(strconv.ParseFloat(row[1+c], 64))
				assert.InDelta(t, v, got, 1e-9)
			}
			assert.InDelta(t, p[2], last[i], 1e-9)
		}
		_, err := k.Model.WriteLibFM(k.Encoding)
		assert.ErrorContains(t, err, "of 3 classes")
	}
}
