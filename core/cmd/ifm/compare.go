package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/stat"

	"ifmlab/core"
	"ifmlab/core/assess"
	"ifmlab/core/measure"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/task"
)

const compareDetails = `Compare trains FM and iFM on seeded splits of a table and compares them with baselines.
It prints the test RMSE, or the log-loss for a target with classes, as mean ±
standard deviation over the splits. The baselines are the mean, ridge
regression (linear), the same with a curve for each number (curves), the same with all
squares and products (pairs) and boosted trees. It counts the splits on which iFM
is below linear and below the trees. Coverage is the share of test rows within iFM's
prediction intervals, which should be level, 90 % by default.

Every split is 60/20/20. Validation rows make every choice. If SETTINGS ask for folds,
these choose for ridge, FM and iFM, which are then trained on all of the 80 %. The
default is trials=10. Without arguments, in the root of the repository, it prints the
tables of core/cmd/ifm/README.md.`

// job is one line of the table.
type job struct {
	name, file, query string
	content           []byte // in place of the file
}

// standard returns the tables of core/cmd/ifm/README.md: two of the repository, drawn
// [ratings], and those in the folder of $IFMLAB_DATA. Columns that reveal the target are
// ignored. Tables of fewer than 1000 rows take forty splits: with 80 test rows, chance
// moves the coverage by 3 % in one split, by 1 % in ten and by .5 % in forty.
func (c *call) standard() []job {
	jobs := []job{
		{"diabetes", "web/samples/diabetes.csv", "target=target&trials=40", nil},
		{"sex of penguins", "web/samples/penguins.csv", "target=Sex&trials=40", nil},
		{"species of penguins", "web/samples/penguins.csv", "target=Species&trials=40", nil},
		{"ratings", "", "target=rating&trials=10", ratings()},
	}
	dir := os.Getenv("IFMLAB_DATA")
	if dir == "" {
		fmt.Fprintln(c.stderr, "ifm compare: IFMLAB_DATA is not set; all tables but those of web/samples and the drawn ratings are left out")
		return jobs
	}
	for _, j := range []job{
		{"tips", "tips.csv", "target=tip&trials=40", nil},
		{"cars", "plotly_auto-mpg.csv", "target=mpg&trials=40", nil},
		{"diabetes of Pima", "pima.csv", "target=Outcome&trials=40", nil},
		{"red wine", "plotly_winequality-red.csv", "target=quality", nil},
		{"red wine, classes", "plotly_winequality-red.csv", "target=quality&categorical=quality", nil},
		{"bike days", "uci_bike_day.csv", "target=cnt&ignore=casual,registered,instant,dteday&trials=40", nil},
		{"weather", "vega_weather.csv", "target=wind&ignore=date&trials=5", nil},
		{"gapminder", "gapminderDataFiveYear.csv", "target=gdpPercap&trials=5", nil},
		{"abalone", "abalone.csv", "target=Rings&trials=5", nil},
		{"housing", "housing.csv", "target=median_house_value&trials=3", nil},
		{"bike hours", "hour.csv", "target=cnt&ignore=casual,registered,instant,dteday&trials=3", nil},
	} {
		j.file = filepath.Join(dir, "csv", j.file)
		jobs = append(jobs, j)
	}
	return jobs
}

func compare(c *call, args []string) error {
	jobs := c.standard
	switch len(args) {
	case 0:
		if _, err := os.Stat("web/samples"); err != nil {
			return c.wrong("without arguments it takes tables of the repository, and %v; run it in the repository's root, or say ifm compare SETTINGS FILE", err)
		}
	case 1:
		return c.usage()
	case 2:
		query, _ := settings(args[0])
		name := strings.TrimSuffix(filepath.Base(args[1]), ".csv")
		jobs = func() []job { return []job{{name, args[1], query, nil}} }
	}
	out := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "table\ttarget\terror\trows\tfeatures\tmean\tlinear\tcurves\tpairs\tFM\tiFM\ttrees\tiFM below linear\tbelow trees\tcoverage\t")
	for _, j := range jobs() {
		if err := c.compareOn(out, j); err != nil {
			out.Flush()
			return fmt.Errorf("ifm compare: %s: %w", j.name, err)
		}
	}
	return out.Flush()
}

// compareOn prints a line of the table.
func (c *call) compareOn(out io.Writer, j job) error {
	query := j.query
	if !strings.Contains("&"+query, "&trials=") {
		query += "&trials=10"
	}
	l := c.read(query)
	c.leaveChapters(l, "")
	s, models := l.Spec, []string{"fm", "ifm"}
	s.Source = "table"
	if !slices.Equal(s.Models, models) {
		c.leave("left models=%s; it compares FM and iFM, run ifm curve for others", strings.Join(s.Models, ","))
	}
	s.Models = models
	table, err := c.tableOf(s, j)
	if err != nil {
		return err
	}
	var target, unit string
	var mean, ridge, additive, quadratic, fm, ifm, trees, coverage []float64
	var columns, wins, overTrees int
	var few string // why the splits on which iFM is below others are not counted
	for cell := range core.Cells(s) {
		run, _, err := open(s, cell, table)
		if err != nil {
			return err
		}
		for !run.Done() {
			if _, err := run.Next(); err != nil {
				return err
			}
		}
		p, err := run.Predictions()
		if err != nil {
			return err
		}
		if cell%2 == 0 {
			fm = append(fm, p.Error)
			continue
		}
		ifm = append(ifm, p.Error)
		if few == "" {
			few = tooFew(run.Target(), run.ClassNames(), p.Actual, p.Weight, s.Trials)
		}
		base, err := run.Baselines()
		if err != nil {
			return err
		}
		mean, ridge = append(mean, base.Mean), append(ridge, base.Ridge)
		curves := base.Ridge // where a curve is no better than a line
		if a := run.Additive(); a != nil {
			curves = a.Test
		}
		additive = append(additive, curves)
		all, err := run.Quadratic()
		if err != nil { // the others can be compared all the same
			if len(quadratic) == 0 || !math.IsNaN(quadratic[len(quadratic)-1]) {
				fmt.Fprintf(c.stderr, "%s: no regression with pairs: %v\n", j.name, err)
			}
			all.Error = math.NaN()
		}
		quadratic = append(quadratic, all.Error)
		columns, target, unit = len(run.Features()), run.Target(), map[string]string{measure.RMSE: "RMSE", measure.LogLoss: "log-loss"}[run.Measure()]
		if p.Error < base.Ridge {
			wins++
		}
		boosted, err := run.Trees()
		for err == nil && !boosted.Done {
			err = boosted.Next()
		}
		var none *assess.SparseColumnsError
		if errors.As(err, &none) {
			fmt.Fprintf(c.stderr, "%s: %v\n", j.name, err)
			boosted = &assess.Trees{Error: math.NaN()}
		} else if err != nil {
			return err
		}
		trees = append(trees, boosted.Error)
		if p.Error < boosted.Error {
			overTrees++
		}
		covered, err := coverageOf(run)
		if _, none := errors.AsType[*assess.NoIntervalError](err); none && len(coverage) == 0 {
			fmt.Fprintf(c.stderr, "%s: no intervals: %v\n", j.name, err)
		} else if err != nil && !none {
			return err
		}
		coverage = append(coverage, covered)
	}
	if few != "" {
		fmt.Fprintf(c.stderr, "%s: %s\n", j.name, few)
	}
	below := func(splits int) string {
		if few != "" {
			return "–"
		}
		return fmt.Sprintf("%d of %d", splits, len(ifm))
	}
	fmt.Fprintf(out, "%s\t%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", j.name, target, unit, table.Rows, columns, spread(mean), spread(ridge), spread(additive), spread(quadratic), spread(fm), spread(ifm), spread(trees), below(wins), below(overTrees), percents(coverage))
	return nil
}

// tableOf reads the table of a job.
func (c *call) tableOf(s spec.Spec, j job) (*table.Table, error) {
	if j.content != nil {
		return task.Read(s, j.name+".csv", bytes.NewReader(j.content))
	}
	return c.readTable(s, j.file)
}

// coverageOf returns the share of test rows within the prediction intervals, or NaN and
// the reason why there are none.
func coverageOf(run *core.Run) (float64, error) {
	search, err := run.Intervals()
	for err == nil && !search.Done() {
		err = search.Next()
	}
	if err != nil {
		return math.NaN(), err
	}
	return search.Result().Share, nil
}

// percents returns the mean of shares ± their standard deviation in percent.
func percents(shares []float64) string { return spreadAs("%.1f ± %.1f %%", 100, shares) }

// spread returns mean ± standard deviation.
func spread(x []float64) string { return spreadAs("%.4g ± %.2g", 1, x) }

// spreadAs writes the mean and the standard deviation in a unit, or "–" if a fit is missing.
func spreadAs(format string, unit float64, x []float64) string {
	if slices.ContainsFunc(x, math.IsNaN) {
		return "–"
	}
	mean, sd := stat.MeanStdDev(x, nil)
	if len(x) == 1 {
		sd = 0
	}
	return fmt.Sprintf(format, unit*mean, unit*sd)
}
