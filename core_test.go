// Package ifmlab_test holds the acceptance tests: what the paper claims and
// this project shows, and the walls between the packages.
package ifmlab_test

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"math"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/moment"
	"ifmlab/core/spec"
	"ifmlab/core/survey"
	"ifmlab/core/train"
	"ifmlab/core/trial"
	"ifmlab/core/vtec"
)

// run trains one cell of a link's settings and returns its records.
func run(t *testing.T, query string, cell int) (*core.Run, []train.Record) {
	t.Helper()
	r, records, err := tryRun(t, query, cell)
	require.NoError(t, err)
	return r, records
}

// tryRun is run for a run that may refuse its rows.
func tryRun(t *testing.T, query string, cell int) (*core.Run, []train.Record, error) {
	t.Helper()
	s, notices := spec.Parse(query)
	require.Empty(t, notices)
	r, err := core.Open(s, cell, nil)
	require.NoError(t, err)
	var records []train.Record
	for !r.Done() {
		record, err := r.Next()
		if err != nil {
			return r, records, err
		}
		records = append(records, record)
	}
	return r, records, nil
}

// last returns the last record and what the run ended at, the test RMSE in units
// of the standard deviation of the truth's second-order part: 1 is the best that a
// linear model can do.
func last(t *testing.T, r *core.Run, records []train.Record) (end train.Record, share float64) {
	t.Helper()
	end = records[len(records)-1]
	return end, end.Test / mustTheory(t, r).SecondOrder
}

func mustTheory(t *testing.T, r *core.Run) trial.Theory {
	t.Helper()
	theory, ok := r.Theory()
	require.True(t, ok, "the rows are drawn")
	return theory
}

func found(end train.Record) bool { return max(end.W, end.M) < .01 }

// "Factorization machine (FM) is a popular machine learning model to capture the
// second order feature interactions": those of the sign that it was made for.
func TestTheSignThatFMWasMadeForSuitsBoth(t *testing.T) {
	for cell := range 2 {
		_, records := run(t, "scenario=psd", cell)
		assert.Less(t, records[len(records)-1].Test, .01*records[0].Test)
	}
}

// The first thing the page shows: d = 30, k = 3, n = 1800, the truth negated.
func TestFlippingOneSignBreaksFMAndNotIFM(t *testing.T) {
	trials := 20
	if testing.Short() {
		trials = 4
	}
	const query = "scenario=flipped&trials=20&models=fm,ifm"
	for trial := range trials {
		r, fm := run(t, query, 2*trial)
		_, ifm := run(t, query, 2*trial+1)
		lowest := math.Inf(1)
		for _, r := range fm {
			lowest = min(lowest, r.Test)
		}
		share := lowest / mustTheory(t, r).SecondOrder
		assert.True(t, .6 < share && share < .95, "trial %d: FM learns a part, 1 − %.2f² of the variance: 16 to 57 %% over 20 trials", trial, share)
		assert.Less(t, ifm[len(ifm)-1].Test, .01*lowest, "trial %d: FM never comes within a hundred times of iFM", trial)
	}
}

// Its diagonal is left out, so UUᵀ may be M − λmin(M)I, which has no negative
// eigenvalue and one that is 0: d − 1 columns of U write any M, of any sign. Two less
// than d do for this one, three less do not.
func TestTheSignConstraintIsOneOfLowRank(t *testing.T) {
	const query = "truth=orthonormal&d=10&k=2&n=600&test=300&models=fm&iterations=1000&scenario="
	for _, scenario := range []string{"flipped", "mixed"} {
		r, records := run(t, query+scenario+"&rank=2", 0)
		_, low := last(t, r, records)
		assert.Greater(t, low, .1, "%s: the truth's own rank", scenario)
		r, records = run(t, query+scenario+"&rank=10", 0)
		end, full := last(t, r, records)
		assert.Less(t, full, 1e-6, "%s: full rank", scenario)
		assert.True(t, found(end), "%s: and M is the truth", scenario)
	}
	for rank, enough := range map[string]bool{"9": true, "8": true, "7": false} {
		_, records := run(t, "truth=orthonormal&d=10&k=2&n=300&test=100&models=fm&iterations=100&solver=gauss-newton&scenario=flipped&rank="+rank, 0)
		assert.Equal(t, enough, found(records[len(records)-1]), "rank %s", rank)
	}
}

const paperSize = "d=100&k=5&n=15000&test=10000&trials=10&iterations=100&models=fm,ifm&scenario="

// Figure 1, by the solver of the paper's curves, in units of the second-order part.
// The bounds were measured on a prototype with other random numbers. iFM's runs in b
// are those in a, bit for bit, as the next test shows. Where a bound is far from all
// trials, four are run: of ten, FM ended at 1e-12 or below in a, iFM between .0031 and
// .0035 there and at 5e-14 or below in c. IFMLAB_FULL=1 runs all ten.
func TestFigure1AtThePapersSize(t *testing.T) {
	if testing.Short() {
		t.Skip("32 runs of 15000×100 take half a minute")
	}
	for _, c := range []struct {
		scenario string
		cell     int // of its trial: FM, iFM
		trials   int
		from, to float64
	}{
		{"psd", 0, 4, 0, 1e-6},
		{"psd", 1, 4, 0, 1e-2},
		{"flipped", 0, 10, .90, math.Inf(1)},
		{"mixed", 0, 10, .60, .82}, // FM has the positive half of it, which is not the same half in every trial
		{"mixed", 1, 4, 0, 1e-8},
	} {
		if os.Getenv("IFMLAB_FULL") != "" {
			c.trials = 10
		}
		model := []string{"FM", "iFM"}[c.cell]
		t.Run(c.scenario+" "+model, func(t *testing.T) {
			t.Parallel()
			low, high, mean := math.Inf(1), 0.0, 0.0
			for trial := range c.trials {
				r, records := run(t, paperSize+c.scenario, 2*trial+c.cell)
				_, share := last(t, r, records)
				assert.GreaterOrEqual(t, share, c.from, "trial %d", trial)
				assert.LessOrEqual(t, share, c.to, "trial %d", trial)
				low, high, mean = min(low, share), max(high, share), mean+share/float64(c.trials)
			}
			t.Logf("%.2g to %.2g", low, high)
			if c.scenario == "mixed" && model == "FM" {
				assert.InDelta(t, 1/math.Sqrt2, mean, .04, "half of the variance is left, on average; a trial's share has a standard deviation of .05")
			}
		})
	}
}

// The truth of b is that of a with every sign turned, and so is iFM's fit.
func TestIFMsCurvesInAAndBAreTheSameBits(t *testing.T) {
	for _, solver := range []string{"auto", "agd", "scaled", "gauss-newton", "algorithm1"} {
		query := "models=ifm&n=3600&iterations=30&solver=" + solver
		_, a := run(t, query+"&scenario=psd", 0)
		_, b := run(t, query+"&scenario=flipped", 0)
		assert.Equal(t, tests(a), tests(b), solver)
	}
}

func tests(records []train.Record) (test []float64) {
	for _, r := range records {
		test = append(test, r.Test)
	}
	return test
}

// What no known library of FM does: the solver for dense data finds the truth in
// every scenario at the stated rank, with nothing to choose. What it does in b it
// does in a, bit for bit.
func TestTheDefaultSolverFindsTheTruthInEveryScenario(t *testing.T) {
	size, trials, most := "d=30&k=3&n=2700&test=500", 2, 40.
	if !testing.Short() {
		size, trials, most = "d=100&k=5&n=15000&test=2000", 10, 30
	}
	for _, scenario := range []string{"psd", "mixed"} {
		var passes []float64
		for trial := range trials {
			r, records := run(t, size+"&trials=10&models=ifm&solver=auto&scenario="+scenario, trial)
			sd := mustTheory(t, r).SD
			reached := func(target float64) float64 {
				for _, record := range records {
					if record.Test <= target*sd {
						return record.Passes
					}
				}
				return math.Inf(1)
			}
			passes = append(passes, reached(1e-6))
			assert.LessOrEqual(t, reached(1e-6), most, "%s, trial %d: passes over the data to 1e-6", scenario, trial)
			assert.LessOrEqual(t, reached(1e-10), 1.5*most, "%s, trial %d: to 1e-10", scenario, trial)
			end, _ := last(t, r, records)
			assert.True(t, found(end), "%s, trial %d", scenario, trial)
		}
		t.Logf("%s: %.1f passes", scenario, passes)
	}
}

// Without noise and with ten rows a parameter (1 + d + 2dk − k(2k−1) where the truth
// has both signs) it is found on columns of every kind, where steps alone stop
// in a bad minimum in one problem of six.
func TestTheDefaultSolverFindsTheTruthWhateverTheColumns(t *testing.T) {
	trials, scenarios := 2, []string{"mixed"}
	switch {
	case os.Getenv("IFMLAB_FULL") != "":
		trials, scenarios = 50, []string{"mixed", "psd", "flipped"}
	case !testing.Short():
		trials = 8
	}
	for _, columns := range []string{
		"features=gaussian", "features=gaussian&rho=0.9", "features=equicorrelated", "features=uniform", "features=laplace",
		"features=exponential", "features=threepoint&tau=9", "features=twopoint&share=0.1", "features=slider&tau=0.5",
		"features=t5", "features=t3", "features=lognormal", "features=counts",
	} {
		t.Run(columns, func(t *testing.T) {
			for _, scenario := range scenarios {
				for trial := range trials {
					query := "d=20&k=2&n=950&test=200&iterations=300&seed=11&models=ifm&solver=auto&trials=50&scenario=" + scenario + "&" + columns
					r, records := run(t, query, trial)
					end, _ := last(t, r, records)
					assert.True(t, found(end), "%s, trial %d: error of M %.2g, %s", scenario, trial, end.M, end.Stop)
				}
			}
		})
	}
}

// "... the positive semi-definite constraint in the conventional FM is redundant as
// it does not improve the sampling complexity ..."
func TestTheSemiDefiniteConstraintSavesAConstantFactorOfRowsAtMost(t *testing.T) {
	// needed returns the first n/(dk) of the sweep at which every trial succeeds.
	needed := func(model string, k int) float64 {
		query := "d=24&test=10&trials=4&iterations=60&solver=gauss-newton&scenario=psd&sweep=rank&ratios=1.5,2,3,4,6,8&ks=" + strconv.Itoa(k) + "&models=" + model
		s, notices := spec.Parse(query)
		require.Empty(t, notices)
		for point, p := range trial.Points(s) {
			all := true
			for trial := range s.Trials {
				_, records := run(t, query, point*s.Trials+trial)
				all = all && found(records[len(records)-1])
			}
			if all {
				return p.Ratio
			}
		}
		return math.Inf(1)
	}
	ks := []int{1, 2, 4}
	if testing.Short() {
		ks = ks[1:2]
	}
	for _, k := range ks {
		fm, ifm := needed("fm", k), needed("ifm", k)
		t.Logf("k = %d: FM n/(dk) = %g, iFM %g", k, fm, ifm)
		assert.LessOrEqual(t, ifm, 8.0, "k = %d: n grows like kd", k)
		assert.LessOrEqual(t, ifm, 2.5*fm, "k = %d", k)
	}
}

// "We prove that when the input data satisfies the so-called τ-Moment Invertible
// Property ...": by Algorithm 1 gFM finds its truth while τ is not small and no
// more when it is, though it is told the true moments; where it would have to
// divide by 0 it says so. iFM, without a diagonal, does not care.
func TestGFMNeedsTheMomentInvertiblePropertyAndIFMDoesNot(t *testing.T) {
	const size = "d=30&k=2&n=1200&test=500&trials=3&truth=orthonormal&scenario=psd&features=threepoint&solver=algorithm1&batches=fresh&moments=true&iterations=25"
	for trial := range 3 {
		for _, tau := range []string{"1", "0.1"} {
			_, records := run(t, size+"&diagonal=kept&models=gfm&tau="+tau, trial)
			assert.True(t, found(records[len(records)-1]), "gFM, τ = %s, trial %d", tau, trial)
		}
		_, records := run(t, size+"&diagonal=kept&models=gfm&tau=0.002", trial)
		assert.False(t, found(records[len(records)-1]), "gFM, τ = 0.002, trial %d", trial)
		for _, tau := range []string{"1", "0.1", "0.002", "0"} {
			_, records := run(t, size+"&models=ifm&tau="+tau, trial)
			assert.True(t, found(records[len(records)-1]), "iFM, τ = %s, trial %d", tau, trial)
		}
		_, _, err := tryRun(t, size+"&diagonal=kept&models=gfm&tau=0", trial)
		require.ErrorAs(t, err, new(*moment.SingularMomentError))
		assert.Contains(t, err.Error(), "iFM")
	}
}

// What gFM predicts stays good where τ = 0: there the diagonal of M is another way to
// write the bias and w, so no rows can tell how much of it is which.
func TestColumnsOfTwoValuesHideTheDiagonalAndNotThePredictions(t *testing.T) {
	const query = "d=24&k=2&n=1920&test=500&truth=orthonormal&solver=gauss-newton&features=twopoint&share=0.3"
	r, records := run(t, query+"&diagonal=kept&models=gfm", 0)
	end, share := last(t, r, records)
	assert.Less(t, share, 1e-6, "it predicts all there is to predict")
	assert.Greater(t, end.M, .1, "and has another M")
	for _, tau := range mustTheory(t, r).Tau {
		assert.InDelta(t, 0, tau, 1e-9, "every column of two values has τ = 0: a sum of fourth powers less its own rounding")
	}
	r, records = run(t, query+"&models=ifm", 0)
	end, share = last(t, r, records)
	assert.Less(t, share, 1e-6)
	assert.True(t, found(end), "iFM has no diagonal to be wrong about")
}

const algorithm1 = "d=40&k=3&test=100&truth=orthonormal&batches=fresh&iterations=12&"

// Algorithm 1 as the paper prints it multiplies the error of the trace by −k/2 in
// every iteration. With the term that is missing it converges at the rate of the
// theorem, 1/√n.
func TestAlgorithm1DivergesAsPrintedAndConvergesAsCorrected(t *testing.T) {
	const psd = "scenario=psd&diagonal=kept&models=gfm&n=7200&"
	_, printed := run(t, algorithm1+psd+"solver=printed", 0)
	assert.Greater(t, printed[len(printed)-1].M, 10*printed[0].M)
	_, corrected := run(t, algorithm1+psd+"solver=algorithm1", 0)
	assert.Less(t, corrected[len(corrected)-1].M, 1e-3*corrected[0].M)

	ratios := []int{60, 240}
	if testing.Short() {
		ratios = ratios[:1]
	}
	for _, ratio := range ratios {
		query := algorithm1 + "scenario=mixed&diagonal=kept&models=gfm&solver=algorithm1&n=" + strconv.Itoa(ratio*120)
		_, records := run(t, query, 0)
		rate := rate(records) * math.Sqrt(float64(ratio))
		t.Logf("n = %d·kd: rate·√(n/kd) = %.2f", ratio, rate)
		assert.True(t, 1.2 <= rate && rate <= 1.8, "n = %d·kd: rate·√(n/kd) is %g", ratio, rate)
	}
}

// rate returns (ε_T/ε_2)^(1/(T−2)) over the iterations whose error is above the
// rounding.
func rate(records []train.Record) float64 {
	last := len(records) - 1
	epsilon := func(i int) float64 { return records[i].W + records[i].M }
	for last > 3 && epsilon(last) < 1e-12*epsilon(0) {
		last--
	}
	return math.Pow(epsilon(last)/epsilon(2), 1/float64(last-2))
}

// The paper's rate goes to 0 as n grows. For iFM it does not: taking the diagonal
// out of a step leaves λmax(2·diag(P) − P∘P) of the error, however many rows.
func TestIFMsRateHasAFloorThatNoNumberOfRowsLowers(t *testing.T) {
	if testing.Short() {
		t.Skip("the rate of the floor shows at hundreds of rows a parameter")
	}
	r, records := run(t, algorithm1+"scenario=mixed&models=ifm&solver=algorithm1&n=36000", 0)
	tail := math.Pow(records[12].M/records[6].M, 1./6)
	assert.InDelta(t, mustTheory(t, r).Floor, tail, .05, "measured within .03 on a prototype, and a trial differs from a trial")
}

// table runs a link's windows of the ionosphere experiment on all processors.
func vtecTable(t *testing.T, query string) vtec.Table {
	t.Helper()
	s, notices := spec.ParseIonosphere(query)
	require.Empty(t, notices)
	survey, err := survey.Open(s, nil)
	require.NoError(t, err)
	results := make([]vtec.Result, len(survey.Windows()))
	errs := make([]error, len(results))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(results); i = int(next.Add(1)) - 1 {
				results[i], errs[i] = survey.Window(i)
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	table := survey.Tabulate(results, nil)
	t.Logf("%s\n%s", query, lines(table))
	return table
}

// lines writes a table out, for whoever reads the log.
func lines(table vtec.Table) string {
	var b strings.Builder
	for _, row := range append(slices.Clone(table.Days), table.Average) {
		fmt.Fprintf(&b, "%-9s zero %.5f", row.Day, row.Zero)
		for k, m := range table.Methods {
			fmt.Fprintf(&b, "  %s %.5f", m, row.RMSE[k])
		}
		fmt.Fprintf(&b, "  (%d windows)\n", row.Windows)
	}
	return b.String()
}

// days counts those on which a method beats another.
func days(table vtec.Table, better, worse vtec.Method) (count int) {
	for _, row := range table.Days {
		if row.RMSE[better] < row.RMSE[worse] {
			count++
		}
	}
	return count
}

// bands holds a table of the default methods to what the simulator is made for.
func bands(t *testing.T, seed int, table vtec.Table) {
	t.Helper()
	average := table.Average.RMSE
	assert.LessOrEqual(t, average[vtec.IFM], .97*average[vtec.Ridge], "seed %d", seed)
	assert.LessOrEqual(t, average[vtec.IFM], 1.01*average[vtec.FM], "seed %d", seed)
	assert.GreaterOrEqual(t, average[vtec.LASSO], average[vtec.Ridge], "seed %d", seed)
	// Not in the paper, and not in its encoding.
	assert.Less(t, average[slices.Index(table.Methods, vtec.Kriging)], .75*average[vtec.IFM], "seed %d", seed)
	assert.Empty(t, table.Unusable)
	if seed == 1 && table.Average.Windows >= 200 { // fewer miss the level by a tenth
		assert.GreaterOrEqual(t, days(table, vtec.IFM, vtec.Ridge), 6, "of nine")
		assert.GreaterOrEqual(t, average[vtec.Ridge], .0155, "the level is the paper's, .01621")
		assert.LessOrEqual(t, average[vtec.Ridge], .0170)
	}
}

// "In Table 1, we observe that iFM is uniformly better than the baseline methods."
// On the average, of the station in the middle of the net; on single days it is not, nor
// is it in their table; and kriging is ahead of it.
func TestInTheMiddleOfTheNetIFMIsAheadOfRidgeAndKrigingOfBoth(t *testing.T) {
	seeds := 4
	query := "stride=60"
	if testing.Short() {
		seeds, query = 1, "stride=180"
	}
	for seed := 1; seed <= seeds; seed++ {
		bands(t, seed, vtecTable(t, query+"&seed="+strconv.Itoa(seed)))
	}
}

// What holds in the middle does not hold elsewhere: where every station is left out in
// turn, iFM with the penalties of the middle is far behind Ridge; kriging is ahead at all
// of them.
func TestAwayFromTheMiddleOfTheNetIFMIsBehindAndKrigingAhead(t *testing.T) {
	query := "stations=all&methods=ridge,ifm,kriging&days=3&stride=240"
	if testing.Short() {
		query = "stations=all&methods=ridge,ifm,kriging&days=2&stride=480"
	}
	groups := vtecTable(t, query).Groups
	require.Len(t, groups.Stations, 17)
	behind := 0
	for _, g := range groups.Stations {
		assert.Less(t, g.RMSE[2], g.RMSE[0], g.Name)
		assert.Less(t, g.RMSE[2], g.RMSE[1], g.Name)
		if g.RMSE[1] > g.RMSE[0] {
			behind++
		}
	}
	assert.GreaterOrEqual(t, behind, 9, "of 17; 16 of three days, every four hours")
	assert.Greater(t, groups.All.RMSE[1], 1.2*groups.All.RMSE[0])
}

// iFM's gain is curvature, which its zero diagonal cannot say but through products with
// the angles: without them it is next to nothing, and gFM, which keeps the diagonal,
// still gains.
func TestWithoutAnglesIFMGainsNextToNothingAndGFMStillGains(t *testing.T) {
	query := "methods=ridge,ifm,gfm&stride=120"
	if testing.Short() {
		query = "methods=ridge,ifm,gfm&stride=240&days=5"
	}
	blind := vtecTable(t, query+"&angles=no").Average.RMSE
	// 13 and 3 % of seed 1, every hour; gFM 10 % without the angles.
	assert.Less(t, blind[1], blind[0])
	assert.Greater(t, blind[1], .94*blind[0])
	assert.Less(t, blind[2], .95*blind[0])
	if !testing.Short() { // in few windows one of them decides
		seeing := vtecTable(t, query).Average.RMSE
		assert.Less(t, seeing[1]/seeing[0], blind[1]/blind[0]-.03)
	}
}

// What iFM gains, it gains where disturbances bend the field across the net. Without
// them it loses a little to noise, and with a penalty for such a sky not even that.
func TestWithoutDisturbancesIFMGainsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("216 windows take some seconds")
	}
	const query = "methods=ridge,ifm&stride=120&waves=0"
	average := vtecTable(t, query).Average.RMSE
	assert.Greater(t, average[1], .99*average[0])
	assert.Less(t, average[1], 1.06*average[0])
	average = vtecTable(t, query+"&ifmlambda=1").Average.RMSE
	assert.InEpsilon(t, average[0], average[1], .01)
	disturbed := vtecTable(t, "methods=ridge,ifm&stride=120&waves=2").Average.RMSE
	assert.Less(t, disturbed[1]/disturbed[0], .9, "and the more, the more")
}

// heavy is what the browser build must not contain: net/http alone is 1.4 MB of
// the page, and fmt, reflect, os and time together 115 kB.
var heavy = []string{"fmt", "reflect", "os", "time", "net/http", "net/url", "encoding/csv", "encoding/json", "compress/gzip", "text/template", "html/template",
	"os/exec", "log/slog", "gonum.org/v1/gonum/mat", "gonum.org/v1/gonum/stat", "gonum.org/v1/gonum/optimize", "ifmlab/core/estimator"}

// atTheTop is the house, and beside it what other programs look for by its name.
var atTheTop = strings.Fields(`go.mod go.sum wasm core web server Makefile README.md core_test.go
	.ci .github .gitignore CHANGELOG.md CITATION.cff CONTRIBUTING.md LICENSE TESTING.md`)

func TestTheTopHoldsTheHouseAndWhatConventionAsksFor(t *testing.T) {
	listed, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("not run: this is no git repository")
	}
	found := map[string]bool{}
	for name := range strings.SplitSeq(strings.Trim(string(listed), "\x00"), "\x00") {
		first, _, _ := strings.Cut(name, "/")
		found[first] = true
	}
	assert.ElementsMatch(t, atTheTop, slices.Collect(maps.Keys(found)))
}

func TestPackagesImportOnlyWhatTheirFloorAllows(t *testing.T) {
	text, err := os.ReadFile("core/testdata/imports.txt")
	require.NoError(t, err)
	mayImport := map[string]string{}
	for line := range strings.Lines(string(text)) {
		dir, allowed, _ := strings.Cut(line, ":")
		mayImport[dir] = allowed
	}
	for _, system := range []string{"linux/amd64", "js/wasm"} {
		context := build.Default
		context.GOOS, context.GOARCH, _ = strings.Cut(system, "/")
		for _, dir := range goFolders(t) {
			pkg, err := context.ImportDir(dir, 0)
			if _, none := err.(*build.NoGoError); none {
				continue
			}
			require.NoError(t, err)
			allowed, known := mayImport[dir]
			if !assert.True(t, known, "%s is a new folder: give it its line in core/testdata/imports.txt", dir) {
				continue
			}
			for _, imported := range pkg.Imports {
				if ours, yes := strings.CutPrefix(imported, "ifmlab/"); yes {
					assert.Contains(t, strings.Fields(allowed), ours, "%s imports %s", dir, ours)
				}
			}
		}
	}
}

// A circle is files of one package that use each other's names in a ring: none can be
// read or moved without the others.
func TestNoMoreThanEightFilesOfAPackageUseEachOtherInACircle(t *testing.T) {
	const most = 8
	for _, dir := range goFolders(t) {
		uses := usesOfFiles(t, dir)
		for _, through := range slices.Collect(maps.Keys(uses)) { // Warshall's closure
			for _, from := range uses {
				if from[through] {
					maps.Copy(from, uses[through])
				}
			}
		}
		for file, used := range uses {
			var circle []string
			for other := range used {
				if uses[other][file] {
					circle = append(circle, other)
				}
			}
			slices.Sort(circle)
			if !assert.LessOrEqual(t, len(circle), most, "%s: %s", dir, strings.Join(circle, " ")) {
				break
			}
		}
	}
}

// usesOfFiles returns, for each file of a package, the files whose names it uses.
func usesOfFiles(t *testing.T, dir string) map[string]map[string]bool {
	var files []*ast.File
	set, uses := token.NewFileSet(), map[string]map[string]bool{}
	pkg, err := build.ImportDir(dir, 0)
	if _, none := err.(*build.NoGoError); none {
		return nil
	}
	require.NoError(t, err)
	for _, name := range pkg.GoFiles {
		file, err := parser.ParseFile(set, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files, uses[name] = append(files, file), map[string]bool{}
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: noPackages{}, Error: func(error) {}} // what other packages declare is of no use here
	checked, _ := config.Check(dir, set, files, &info)
	for id, object := range info.Uses {
		if v, local := object.(*types.Var); object.Pkg() != checked || local && !v.IsField() && v.Parent() != checked.Scope() {
			continue
		}
		from, to := filepath.Base(set.Position(id.Pos()).Filename), filepath.Base(set.Position(object.Pos()).Filename)
		if _, imported := object.(*types.PkgName); !imported && from != to {
			uses[from][to] = true
		}
	}
	return uses
}

// noPackages imports every package as an empty one.
type noPackages struct{}

func (noPackages) Import(name string) (*types.Package, error) {
	empty := types.NewPackage(name, path.Base(name))
	empty.MarkComplete()
	return empty, nil
}

// The engine is all that it imports, down to the last package.
func TestTheBrowserBuildIsKeptLight(t *testing.T) {
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled = "js", "wasm", false
	seen := map[string]bool{}
	var walk func(by, imported string)
	walk = func(by, imported string) {
		if seen[imported] || imported == "unsafe" || imported == "C" {
			return
		}
		seen[imported] = true
		assert.NotContains(t, heavy, imported, "%s imports %s", by, imported)
		var pkg *build.Package
		var err error
		if ours, yes := strings.CutPrefix(imported, "ifmlab/"); yes {
			pkg, err = context.ImportDir(ours, 0)
			require.NoError(t, err)
			for _, name := range pkg.GoFiles {
				source, err := os.ReadFile(filepath.Join(ours, name))
				require.NoError(t, err)
				assert.NotRegexp(t, `errors\.(As|Is)\(`, string(source), "%s/%s: errors.AsType and == need no reflection, which is some kB of the page", ours, name)
			}
		} else if first, _, _ := strings.Cut(imported, "/"); strings.Contains(first, ".") {
			assert.Fail(t, "the browser build takes no other module", "%s imports %s", by, imported)
			return
		} else {
			pkg, err = context.Import(imported, filepath.Join(context.GOROOT, "src"), 0)
		}
		require.NoError(t, err)
		for _, next := range pkg.Imports {
			walk(imported, next)
		}
	}
	walk("the page", "ifmlab/wasm")
	assert.Greater(t, len(seen), 50, "the walk reaches the standard library")
}

// goFolders lists the folders below the top that hold Go code, without test
// data and what npm installs.
func goFolders(t *testing.T) (dirs []string) {
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testdata" || entry.Name() == "dist" || name != "." && strings.HasPrefix(entry.Name(), ".")) {
			return fs.SkipDir
		}
		if dir := path.Dir(filepath.ToSlash(name)); strings.HasSuffix(name, ".go") && dir != "." && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	return dirs
}

// "We find that the RTK ratio will improve a lot even with small improvement of vTEC
// estimation." Theirs is a commercial engine's; ours is [vtec.Fix]. Over the nine days
// of one seed the lead is uncertain by a point, so four count together: .6 points.
func TestPositionsDoNotTellIFMFromRidge(t *testing.T) {
	if testing.Short() {
		t.Skip("432 windows of two systems of satellites take half a minute")
	}
	for _, trust := range []string{"alike", "own"} {
		var lead, squares [3]float64 // over Ridge, means of four seeds; of their standard errors
		for seed := range 4 {
			s, notices := spec.ParseIonosphere("methods=ridge,ifm,kriging&trust=" + trust + "&seed=" + strconv.Itoa(seed+1))
			require.Empty(t, notices)
			e, err := survey.Open(s, nil)
			require.NoError(t, err)
			fixes := make([]vtec.Fix, len(e.Fixes()))
			for i := range fixes {
				fixes[i], err = e.Fix(i)
				require.NoError(t, err)
				assert.Zero(t, fixes[i].Unfinished)
			}
			row := e.Tabulate(nil, fixes).Fixed
			t.Logf("%s, seed %d: %d attempts in %d windows: %.1f %% fixed, standard errors of the leads %.1f", trust, s.Seed, row.Tried, row.Windows, row.Percent, row.Lead)
			assert.Equal(t, 9*12, row.Windows)
			for k := range lead {
				lead[k] += (row.Percent[k] - row.Percent[0]) / 4
				squares[k] += row.Lead[k] * row.Lead[k] / 16
			}
		}
		interval := func(k int) float64 { return 1.96 * math.Sqrt(squares[k]) }
		assert.Less(t, math.Abs(lead[1]), interval(1), "%s: iFM is %.1f points ahead", trust, lead[1])
		assert.Greater(t, lead[2], interval(2), "%s: kriging is told from it", trust)
	}
}
