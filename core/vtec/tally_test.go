package vtec

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/vtec/sky"
)

// tallied is testdata/tally.json, which testdata/tally.py wrote.
type tallied struct {
	Methods, Days []string
	Stations      []string
	Left          []int
	Windows       []struct {
		Day, Minute int
		Result      Result
	}
	Fixes []struct {
		Day, Minute int
		Result      Fix
	}
	Table struct {
		Rows []struct {
			Day                         string
			Of, Over, Used, Differences int
			Zero                        *float64
			RMSE                        []*float64
		}
		Zero      float64
		Average   []float64
		Groups    Groups
		Positions struct {
			Used, Tried        int
			None, Perfect      float64
			Share, Error, Lead []float64
		}
		Unusable []struct {
			Day    string
			Minute int
			Reason string
		}
	}
}

// The page's test on the same file is in web/build.
func TestTheTableIsThatOfTheExampleToTheBit(t *testing.T) {
	text := must(os.ReadFile("testdata/tally.json"))
	var want tallied
	require.NoError(t, json.Unmarshal(text, &want))

	e := &Experiment{stations: want.Left}
	for _, name := range want.Stations {
		e.network.Stations = append(e.network.Stations, sky.Station{Name: name})
	}
	of := make([]int, len(want.Days))
	for _, name := range want.Days {
		e.days = append(e.days, sky.Day{Name: name})
	}
	for _, name := range want.Methods {
		for m := range Methods {
			if m.String() == name {
				e.settings.Methods = append(e.settings.Methods, m)
			}
		}
	}
	require.Len(t, e.settings.Methods, len(want.Methods))
	var results []Result
	for _, w := range want.Windows {
		of[w.Day]++
		e.windows, results = append(e.windows, sky.Instant{Day: w.Day, Minute: w.Minute}), append(results, w.Result)
	}
	var fixes []Fix
	for _, f := range want.Fixes {
		e.fixes, fixes = append(e.fixes, sky.Instant{Day: f.Day, Minute: f.Minute}), append(fixes, f.Result)
	}

	got := e.Tabulate(results, fixes)
	require.Len(t, got.Days, len(want.Table.Rows))
	for d, row := range want.Table.Rows {
		have := got.Days[d]
		assert.Equal(t, row.Day, have.Day)
		assert.Equal(t, []int{row.Of, row.Over, row.Used, row.Differences}, []int{of[d], have.Windows + have.Unusable, have.Windows, have.Differences}, row.Day)
		sameBits(t, row.Zero, have.Zero)
		require.Len(t, have.RMSE, len(row.RMSE))
		for k := range row.RMSE {
			sameBits(t, row.RMSE[k], have.RMSE[k])
		}
	}
	assert.Equal(t, want.Table.Zero, got.Average.Zero)
	assert.Equal(t, want.Table.Average, got.Average.RMSE)
	assert.Equal(t, want.Table.Groups, got.Groups)
	positions := want.Table.Positions
	assert.Equal(t, Fixed{positions.Used, positions.Tried, percent(positions.Share), 100 * positions.None, 100 * positions.Perfect, percent(positions.Error), percent(positions.Lead)}, got.Fixed)
	require.Len(t, got.Unusable, len(want.Table.Unusable))
	for i, u := range want.Table.Unusable {
		assert.Equal(t, sky.UnusableError{Day: u.Day, Minute: u.Minute, Reason: u.Reason}, *got.Unusable[i])
	}
}

// sameBits compares with a number of the file, where null is NaN.
func sameBits(t *testing.T, want *float64, got float64) {
	t.Helper()
	if want == nil {
		assert.True(t, math.IsNaN(got), "%g, want NaN", got)
	} else {
		assert.Equal(t, *want, got)
	}
}

func percent(shares []float64) (all []float64) {
	for _, s := range shares {
		all = append(all, 100*s)
	}
	return all
}
