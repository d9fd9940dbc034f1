package core_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"ifmlab/core/runtest"
	"ifmlab/core/spec"
)

// quotedDays are the nine days of the paper's Table 1, as the page has them:
// Ridge, LASSO, elastic net, kernel, FM, iFM.
func quotedDays(t *testing.T) (days [][]float64) {
	source := runtest.Must(os.ReadFile("../web/src/lesson/vtec/quoted.ts"))
	for _, row := range regexp.MustCompile(`(?m)^  \[(.+)\],$`).FindAllStringSubmatch(string(source), -1) {
		var day []float64
		for _, number := range regexp.MustCompile(`[\d.]+`).FindAllString(row[1], -1) {
			rmse := runtest.Must(strconv.ParseFloat(number, 64))
			day = append(day, rmse)
		}
		days = append(days, day)
	}
	require.Len(t, days, 9)
	return days
}

func TestTable1DoesNotBearItsInterval(t *testing.T) {
	const ridge, fm, ifm = 0, 4, 5
	days := quotedDays(t)
	of := func(method int) (rmse []float64) {
		for _, day := range days {
			rmse = append(rmse, day[method])
		}
		return rmse
	}
	// Minutes vary by at least as much as the means of their days.
	const minutes, printed = 9 * 24 * 60, 1e-5
	least := distuv.UnitNormal.Quantile(.975) * stat.PopStdDev(of(ifm), nil) / math.Sqrt(minutes)
	assert.InDelta(t, 4.0e-5, least, .05e-5, "the least half-width if every minute were independent of the last")
	assert.Greater(t, least, 3*printed)

	// lead is by how much iFM is ahead, with its 95 % interval over days.
	lead := func(method int) (mean, half float64, ahead, behind int) {
		var by []float64
		for _, day := range days {
			by = append(by, day[method]-day[ifm])
			if day[ifm] < day[method] {
				ahead++
			} else if day[ifm] > day[method] {
				behind++
			}
		}
		student := distuv.StudentsT{Sigma: 1, Nu: 8}
		mean, sd := stat.MeanStdDev(by, nil)
		return mean, student.Quantile(.975) * sd / 3, ahead, behind
	}
	// The table has five digits: half of the last is 5e-6.
	mean, half, ahead, behind := lead(ridge)
	assert.InDelta(t, .00022, mean, 5e-6)
	assert.InDelta(t, .00010, half, 5e-6)
	assert.Equal(t, []int{8, 1}, []int{ahead, behind}, "Ridge is ahead on one day")
	mean, half, ahead, behind = lead(fm)
	assert.InDelta(t, .00017, mean, 5e-6)
	assert.InDelta(t, .00010, half, 5e-6)
	assert.Equal(t, []int{8, 0}, []int{ahead, behind}, "FM is level on one day")
}

func TestTheRanksOfTheIonosphereAreNotThePapers(t *testing.T) {
	s, notices := spec.ParseIonosphere("")
	require.Empty(t, notices)
	assert.Equal(t, []int{3, 10}, []int{s.FMRank, s.IFMRank}, "2 and 6 in the paper")
	assert.Equal(t, []int{9, 3}, []int{s.FixFMRank, s.FixIFMRank}, "with two systems of satellites")
	const largest = 10 // rank of the paper's grid
	assert.Equal(t, largest, s.IFMRank)
}
