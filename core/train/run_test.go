package train

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/encode"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
	"ifmlab/core/tabletest"
	"ifmlab/core/trial"
)

func TestRecordsOfACandidateShareOneCentredModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	const parts = 500
	text := tabletest.File("part,x,y", 4*parts, func(i int) string {
		return "p" + strconv.Itoa(i%parts) + "," + strconv.FormatFloat(rng.NormFloat64(), 'g', 5, 64) + "," + strconv.Itoa(i%7*i%11)
	})
	table := tabletest.Must(read.Read(strings.NewReader(text), read.Options{Name: "t.csv"}))
	plan := tabletest.Must(roles.NewPlan(table, roles.Settings{Target: "y", Categorical: []string{"part"}, Rare: 1}))
	set := tabletest.Must(encode.Dataset(plan, trial.Stream(1, 0, trial.StreamSplit)))
	rows := &trial.Trial{Dataset: set, Penalties: []float64{0.01 * float64(len(set.Train.Y))}}
	s, _ := spec.Parse("source=table&target=y&categorical=part&rare=1&models=ifm&ranks=8&lambdas=0.01&solver=agd&iterations=40&tolerance=0&patience=1000")
	run, err := Search(s, 0, trial.Source{Open: func(bool) (*trial.Trial, error) { return rows, nil }})
	require.NoError(t, err)
	for range 3 {
		_, err = run.Next()
		require.NoError(t, err)
	}
	require.True(t, run.rows.HasLevels())
	first := run.state.shown
	_, err = run.Next()
	require.NoError(t, err)
	assert.True(t, first == run.state.shown, "one and the same")
	assert.False(t, run.state.fit.model == run.state.shown, "the solver goes on with levels as they are")
	run.Close()
	assert.Nil(t, run.state.copied)
	run.Close()
	assert.Nil(t, run.state.copied)
}
