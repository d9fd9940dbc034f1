package pair_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/encode"
	"ifmlab/core/pair"
	"ifmlab/core/roles"
	"ifmlab/core/runtest"
)

// The tables of other projects, with what a reader would tell the page of them.
func TestRealTablesNameTheirPairs(t *testing.T) {
	for _, c := range []struct {
		file     string
		settings roles.Settings
		first    string // the pair that is named first; "" where the rows are too few for any
	}{
		{"plotly_auto-mpg.csv", roles.Settings{Target: "mpg"}, "displacement × acceleration"},
		{"tips.csv", roles.Settings{Target: "tip"}, ""},
		{"hour.csv", roles.Settings{Target: "cnt", Ignore: []string{"instant", "dteday", "casual", "registered"}, Categorical: []string{"season", "mnth", "hr", "weekday", "weathersit"}}, "hr × workingday"},
	} {
		t.Run(c.file, func(t *testing.T) {
			plan := runtest.Must(roles.NewPlan(runtest.ReadReal(t, c.file), c.settings))
			split := plan.Split(rand.New(rand.NewPCG(1, 2)))
			set := runtest.Must(encode.Dataset(plan, rand.New(rand.NewPCG(1, 2))))
			rows := len(split.Train)
			switch { // of hour.csv, whose search takes a minute
			case testing.Short():
				rows = min(rows, 1000)
			case os.Getenv("IFMLAB_FULL") == "":
				rows = min(rows, 4000)
			}
			s := pair.New(plan.Raw(split.Train[:rows]), set.Train.Y[:rows], pair.Rows{}, .01)
			s.Finish()
			r := s.Result()
			first := ""
			if len(r.Named) > 0 {
				first = r.Columns[r.Named[0].P] + " × " + r.Columns[r.Named[0].Q]
			}
			assert.Equal(t, c.first, first)
		})
	}
}
