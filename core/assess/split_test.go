package assess_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/message"
	"ifmlab/core/roles"
	"ifmlab/core/runtest"
	"ifmlab/core/task"
)

// visits is a table of patients who come again: what tells a patient from others,
// and says nothing of new ones, is in each visit.
func visits(n int) string {
	rng := rand.New(rand.NewPCG(41, 42))
	var b strings.Builder
	b.WriteString("patient,day,level,dose,y\n")
	level, effect := make([]string, 30), make([]float64, 30)
	for i := range level {
		level[i] = "l" + strconv.Itoa(i)
		effect[i] = rng.NormFloat64()
	}
	for day := range n {
		i, dose := rng.IntN(30), rng.NormFloat64()
		y := effect[i] + .3*dose + .1*rng.NormFloat64()
		b.WriteString("p" + strconv.Itoa(i) + "," + strconv.Itoa(day*day) + "," + level[i] + "," + strconv.FormatFloat(dose, 'g', 5, 64) + "," + strconv.FormatFloat(y, 'g', 5, 64) + "\n")
	}
	return b.String()
}

func TestTrialsDrawOtherGroupsAndTheSameTimes(t *testing.T) {
	const query = "source=table&target=y&trials=2&models=ifm&iterations=2&ranks=2&lambdas=0.1&by="
	table := runtest.ReadTable(t, query, visits(300))
	lines := func(link string, trial int) []int {
		run, _ := runtest.Train(t, link, trial, table)
		p := runtest.Result(t, run.Predictions)
		return p.Line
	}
	notice := "all 2 trials have the same rows, because a split by time is fixed; only the starting values differ"
	assert.Equal(t, lines(query+"day&split=time", 0), lines(query+"day&split=time", 1))
	assert.NotEqual(t, lines(query+"patient&split=group", 0), lines(query+"patient&split=group", 1))
	for link, told := range map[string]bool{query + "day&split=time": true, query + "day&split=time&trials=1": false, query + "patient&split=group": false, query + "day": false} {
		p := must(task.NewPlan(runtest.Parse(t, link), table))
		assert.Equal(t, told, strings.Contains(strings.Join(p.Notes.Texts(), "\n"), notice), link)
		assert.Equal(t, 300, p.Train+p.Valid+p.Test)
	}
	p := must(task.NewPlan(runtest.Parse(t, query+"day&split=time"), table))
	assert.Equal(t, []int{180, 60, 60}, []int{p.Train, p.Valid, p.Test})
	assert.Equal(t, roles.SplitRule{Kind: roles.SplitTime, By: "day"}, p.SplitRule)

	_, err := task.NewPlan(runtest.Parse(t, query+"y&split=group"), table)
	assert.Equal(t, "SplitError", message.Kind(err))
}
