package read_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/encode"
	"ifmlab/core/note"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

// drawnFile writes rows of a drawn cell x, a number a and a target y.
func drawnFile(seed uint64, rows int, x func(rng *rand.Rand) string) string {
	rng := tabletest.Stream(seed)
	return tabletest.File("x,a,y", rows, func(int) string {
		return fmt.Sprintf("%q,%.2f,%.3f", x(rng), 10*rng.Float64(), rng.NormFloat64())
	})
}

func TestAModelReadsANumberByItself(t *testing.T) {
	lines := strings.Split(drawnFile(1, 60, func(rng *rand.Rand) string { return fmt.Sprintf("%.1f km", 50*rng.Float64()) }), "\n")
	set := tabletest.Dataset(t, lines[:61], roles.Settings{Target: "y"})
	texts := []string{"3.5 km", "3.5", "3500 m", "3.5 mi", "$3.5", "3.5 kg", "", "far"}
	apply := func(cells ...string) *encode.Applied {
		table := tabletest.ReadAs(t, "x,a\n\""+strings.Join(cells, "\",1\n\"")+"\",1\n", read.Options{Answers: read.AnswersOf(&set.Encoding)})
		return tabletest.Apply(t, table, &set.Encoding)
	}
	together := apply(texts...)
	for i, text := range texts {
		alone := apply(text).Table.Number(0, 0)
		same(t, []float64{[]float64{3.5, 3.5, 3.5, 5.632704, nan, nan, nan, nan}[i]}, []float64{alone})
		same(t, []float64{alone}, []float64{together.Table.Number(0, i)})
	}
	assert.Contains(t, decision(roles.Profiles(together.Table)[0], note.TopicUnit).Text, `"$" in 1 cell is not the unit "km"`)
}
