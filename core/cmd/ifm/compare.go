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

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/spec"
)

const aboutCompare = `Compare prints what the models reach on a table: the test RMSE, or of a target
of two classes the log-loss, of the mean, of ridge, of ridge on all squares and products (quadratic), of FM, of iFM and of boosted
trees, mean and standard deviation over seeded splits, and in how many of these iFM is
below ridge and below the trees; and how many of the test rows lie within iFM's
prediction intervals, which should be a share of level, 90 % where SETTINGS do not say
otherwise. Every split is 60/20/20; whatever there is to choose is chosen on validation
rows, or, of ridge, FM and iFM, by as many folds of the 80 % as SETTINGS ask for, all
of which these models are then trained on. Where SETTINGS do not say otherwise it takes
trials=10.
Without arguments it prints the tables of core/cmd/ifm/README.md.`

// job is one line of the table.
type job struct {
	name, file, query string
	drawn             []byte // in place of the file
}

// standard are the tables of core/cmd/ifm/README.md. The first two lie in the
// repository, ratings are drawn ([ratings]), the others in the folder that $IFMLAB_DATA names. Columns are what they
// are guessed to be, but for those that would tell the target. Tables of fewer
// than 1000 rows take forty splits: of 80 test rows the share within intervals is off by
// 3 % by chance in one split, by 1 % in ten and by .5 % in forty.
func (c *call) standard() []job {
	jobs := []job{
		{"diabetes", "web/samples/diabetes.csv", "target=target&trials=40", nil},
		{"sex of penguins", "web/samples/penguins.csv", "target=Sex&trials=40", nil},
	}
	drawn, _ := ratings()
	jobs = append(jobs, job{"ratings", "", "target=rating&trials=10", drawn})
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

func compare(c *call) error {
	var jobs []job
	switch len(c.args) {
	case 0:
		jobs = c.standard()
	case 2:
		query, _ := settings(c.args[0])
		tellTwice(c, spec.Fields, query)
		c.leaveSource(query)
		jobs = []job{{strings.TrimSuffix(filepath.Base(c.args[1]), ".csv"), c.args[1], query, nil}}
	default:
		return c.usage()
	}
	out := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "table\ttarget\terror\trows\tfeatures\tmean\tridge\tquadratic\tFM\tiFM\ttrees\tiFM below ridge\tbelow trees\tcoverage\t")
	for _, j := range jobs {
		if err := c.compare(out, j); err != nil {
			out.Flush() // what is done is told
			return fmt.Errorf("ifm compare: %s: %w", j.name, err)
		}
	}
	return out.Flush()
}

// compare prints a line of the table.
func (c *call) compare(out io.Writer, j job) error {
	l := c.read("trials=10&" + j.query + "&source=table")
	c.leaveChapters(l, "")
	s, models := l.Spec, []string{"fm", "ifm"}
	if !slices.Equal(s.Models, models) {
		c.leave("left models=%s; it compares FM and iFM, run ifm curve for others", strings.Join(s.Models, ","))
	}
	s.Models = models
	table, err := c.tableOf(s, j)
	if err != nil {
		return err
	}
	var target, measure string
	var mean, ridge, quadratic, fm, ifm, trees, coverage []float64
	var columns, wins, overTrees int
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
		base, err := run.Baselines()
		if err != nil {
			return err
		}
		mean, ridge = append(mean, base.Mean), append(ridge, base.Ridge)
		all, err := run.Quadratic()
		if err != nil { // the others can be compared all the same
			fmt.Fprintf(c.stderr, "%s: no quadratic ridge: %v\n", j.name, err)
			all.Error = math.NaN()
		}
		quadratic = append(quadratic, all.Error)
		columns, target, measure = len(run.Features()), run.Target(), map[string]string{core.MeasureRMSE: "RMSE", core.MeasureLogLoss: "log-loss"}[run.Measure()]
		if p.Error < base.Ridge {
			wins++
		}
		boosted, err := run.Trees()
		for err == nil && !boosted.Done {
			err = boosted.Next()
		}
		var none *core.SparseColumnsError
		if errors.As(err, &none) {
			fmt.Fprintf(c.stderr, "%s: %v\n", j.name, err)
			boosted = &core.Trees{Error: math.NaN()}
		} else if err != nil {
			return err
		}
		trees = append(trees, boosted.Error)
		if p.Error < boosted.Error {
			overTrees++
		}
		covered, err := coverageOf(run)
		if _, none := errors.AsType[*core.NoIntervalError](err); none && len(coverage) == 0 {
			fmt.Fprintf(c.stderr, "%s: no intervals: %v\n", j.name, err)
		} else if err != nil && !none {
			return err
		}
		coverage = append(coverage, covered)
	}
	fmt.Fprintf(out, "%s\t%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%d of %d\t%d of %d\t%s\t\n", j.name, target, measure, table.Rows(), columns, spread(mean), spread(ridge), spread(quadratic), spread(fm), spread(ifm), spread(trees), wins, len(ifm), overTrees, len(ifm), percents(coverage))
	return nil
}

// tableOf reads the file of a job, or what is drawn in its place.
func (c *call) tableOf(s spec.Spec, j job) (*data.Table, error) {
	if j.drawn != nil {
		return core.ReadTable(s, j.name+".csv", bytes.NewReader(j.drawn))
	}
	return c.table(s, j.file)
}

// coverageOf returns the share of the test rows that lie within the run's intervals, NaN
// with the reason why there are none.
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

// percents writes the mean of shares ± their standard deviation in percent, as spread
// does.
func percents(shares []float64) string {
	if slices.ContainsFunc(shares, math.IsNaN) {
		return "–"
	}
	mean, sd := meanAndSD(shares)
	return fmt.Sprintf("%.1f ± %.1f %%", 100*mean, 100*sd)
}

// spread writes mean ± standard deviation; "–" where one was not fitted.
func spread(x []float64) string {
	if slices.ContainsFunc(x, math.IsNaN) {
		return "–"
	}
	mean, sd := meanAndSD(x)
	return fmt.Sprintf("%.4g ± %.2g", mean, sd)
}

func meanAndSD(x []float64) (mean, sd float64) {
	var square float64
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		square += (v - mean) * (v - mean) / float64(max(len(x)-1, 1))
	}
	return mean, math.Sqrt(square)
}
