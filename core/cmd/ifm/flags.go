package main

import (
	"fmt"
	"runtime"
	"strings"
)

func outputFlag(c *call) {
	c.set.StringVar(&c.out, "o", "", "output `FILE`; stdout if not given")
}

func editedFlag(c *call) {
	c.set.BoolVar(&c.edited, "edited", false, "take a model file that was edited by hand since it was saved")
}

func jsonFlag(c *call) { c.set.BoolVar(&c.json, "json", false, "print the result as JSON") }

func progressFlag(c *call) {
	c.set.BoolVar(&c.progress, "progress", false, "print a progress line on stderr; a terminal always has it")
}

func memberFlags(c *call) {
	c.set.StringVar(&c.file.Member, "member", "", "`NAME` of the table in a zip archive of several")
	c.set.StringVar(&c.file.Sheet, "sheet", "", "`NAME` of the sheet in a workbook of several")
}

func trainFlags(c *call) {
	c.set.StringVar(&c.out, "o", "", "model `FILE`; with \"-\" the model goes to stdout and the report to stderr")
	c.set.StringVar(&c.rows, "rows", "", "CSV `FILE` of the test rows with the model's predictions")
	c.set.StringVar(&c.target, "target", "", "`NAME` of the column to predict; train asks for it if no column stands out")
	c.set.StringVar(&c.test, "test", "", "`FILE` of the test rows, with the same columns; all other rows then train or validate")
	c.set.StringVar(&c.link, "link", "", "a `LINK` to the page, or the part behind its \"?\"; -set and -target override it")
	c.set.Func("set", "a setting, `KEY=VALUE`; may be repeated, as in -set ranks=2,4 -set ignore=id; lists that are set twice are joined", func(pair string) error {
		if key, _, ok := strings.Cut(pair, "="); !ok || key == "" {
			return fmt.Errorf("expected KEY=VALUE. Run ifm help settings for the keys")
		}
		c.settings = append(c.settings, pair)
		return nil
	})
	c.set.BoolVar(&c.all, "all", false, "fit the model of the file once more to all rows, test rows included")
	c.set.IntVar(&c.splits, "splits", 0, "compare the models on so many splits of the rows; without it on ten if that takes a few seconds, else on one")
	c.set.StringVar(&c.errorsBy, "errors-by", "", "split the test errors by the levels of a `COLUMN`, which need not be a feature")
	c.set.BoolVar(&c.ranges, "ranges", true, "prediction intervals; -ranges=false leaves them out and halves the time")
}

func explainFlags(c *call) {
	c.set.IntVar(&c.line, "line", 0, "line `N` of the file; not needed if the file has one row")
	c.set.BoolVar(&c.pairs, "pairs", false, "test which pairs of columns interact in the rows of the file")
	c.set.Func("with", "`COLUMN=CELL`: explain the row with another cell in a column, beside the row as it is; may be repeated", func(pair string) error {
		if !strings.Contains(pair, "=") {
			return fmt.Errorf("expected COLUMN=CELL")
		}
		c.with = append(c.with, pair)
		return nil
	})
	c.set.IntVar(&c.most, "most", 20, "print the `N` largest terms, weights or interactions")
}

func exportFlags(c *call) {
	c.set.StringVar(&c.form, "as", "", "`FORM`: python, sql, libfm or json")
	c.set.StringVar(&c.table, "table", "my_table", "`NAME` of the table that the SELECT reads")
}

func importFlags(c *call) {
	c.set.StringVar(&c.target, "target", "", "`NAME` of what the model predicts; \"the target\" if not given")
}

func sweepFlags(c *call) {
	c.set.StringVar(&c.folder, "out", "", "`FOLDER` of the results")
	c.set.StringVar(&c.shard, "shard", "", "run part `I/N`, as in 2/8")
	c.set.StringVar(&c.table, "table", "", "`FILE` of the table that links to tables train on")
	c.set.StringVar(&c.print, "print", "", "print the links of a sweep of the paper: `NAME` is phase, tau, failures or table1")
	c.set.IntVar(&c.workers, "workers", runtime.GOMAXPROCS(0), "train `N` cells at a time")
}
