package saved_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/note"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
	"ifmlab/core/tabletest"
)

func TestAPredictionFarBeyondEveryTargetThatWasSeenIsMarked(t *testing.T) {
	text := "width,length,price\n"
	for i := range 200 {
		width, length := float64(i*37%51)/5, float64(i*37/51*13%51)/5
		text += fmt.Sprintf("%g,%g,%g\n", width, length, width*length+10+float64(i%7)/10)
	}
	const beyond = "width,length,price\n5,5,\n10.4,10.4,\n17,17,\n0,0,\n19,18,\n"
	for _, log := range []string{"no", "yes"} {
		query := "source=table&target=price&models=ifm&ranks=2&lambdaf=1&encode=linear&iterations=20&log=" + log
		table, run, m := trained(t, query, text)
		var seen []float64
		tested := runtest.Result(t, run.Predictions).Line
		for row, v := range predict(t, m, table).Actual {
			if !slices.Contains(tested, table.Line(row)) {
				seen = append(seen, v)
			}
		}
		require.Equal(t, []float64{slices.Min(seen), slices.Max(seen)}, m.Encoding.Target.Span, "of the rows that the saved model is fitted to, validation rows among them")
		least, most := m.Encoding.Target.Beyond()
		p := predict(t, m, table)
		for i, v := range p.Predicted {
			assert.Equal(t, v < least || v > most, p.Far[i] == 1)
			if a := p.Actual[i]; m.Encoding.Target.Span[0] <= v && v <= m.Encoding.Target.Span[1] {
				assert.Zero(t, p.Far[i], "%g is predicted of %g", v, a)
			}
		}
		far := predict(t, m, runtest.ReadTable(t, query, beyond))
		assert.Equal(t, []int32{0, 0, 1, 0, 1}, far.Far, "%s: %v", log, far.Predicted)
		assert.Regexp(t, `price is predicted far beyond the values that the model has learned from, 1\d\S* to 1\d\d\S*, in 2 of 5 rows, first on line 4; do not rely on these`, strings.Join(far.Notes.Texts(), "\n"))

		var file bytes.Buffer
		require.NoError(t, m.Model.Write(&file, m.Encoding))
		old := regexp.MustCompile(`,"span":\[[^]]*\]|,\s*"digest":"\w*"`).ReplaceAll(file.Bytes(), nil)
		require.NotContains(t, string(old), "span")
		without := tabletest.Must(saved.Read(old))
		same := predict(t, without, runtest.ReadTable(t, query, beyond))
		assert.Equal(t, far.Predicted, same.Predicted)
		assert.Nil(t, same.Far)
		assert.NotContains(t, strings.Join(same.Notes.Texts(), "\n"), "learned from")
	}
}

func TestNoProbabilityIsFarBeyondTheClasses(t *testing.T) {
	const query = "source=table&target=y&models=ifm&ranks=1&lambdaf=1&iterations=5"
	text := "a,b,y\n"
	for i := range 100 {
		text += fmt.Sprintf("%d,%d,%s\n", i*37%61, i*31%17, []string{"no", "yes"}[min(1, i*37%61*(i%3)/20)])
	}
	table, _, m := trained(t, query, text)
	assert.Nil(t, m.Encoding.Target.Span)
	p := predict(t, m, table)
	assert.Nil(t, p.Far)
	assert.False(t, p.Notes.Has(note.TopicBeyond, "y"))
}
