package main

import (
	"flag"
	"fmt"
	"io"
	"net/url"
	"runtime"
	"slices"
	"strings"

	"ifmlab/core/estimator"
	"ifmlab/core/spec"
)

// options are the values of the flags of all subcommands.
type options struct {
	set      *flag.FlagSet
	out      string
	json     bool
	progress bool

	ranges   bool // prediction intervals
	target   string
	link     string
	settings []string // key=value

	file spec.Spec // names one of several tables in a file
	line int
	most int

	form  string // of an export
	table string

	folder, shard, print string // of a sweep
	workers              int
}

func outputFlag(c *call) {
	c.set.StringVar(&c.out, "o", "", "output `FILE`; stdout if not given")
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
	c.set.StringVar(&c.target, "target", "", "`NAME` of the column to predict; train asks for it if no column stands out")
	c.set.StringVar(&c.link, "link", "", "a `LINK` to the page, or the part behind its \"?\"; -set and -target override it")
	c.set.Func("set", "a setting, `KEY=VALUE`; may be repeated, as in -set ranks=2,4 -set ignore=id; lists that are set twice are joined", func(pair string) error {
		if key, _, ok := strings.Cut(pair, "="); !ok || key == "" {
			return fmt.Errorf("want key=value; ifm help settings lists the keys")
		}
		c.settings = append(c.settings, pair)
		return nil
	})
	c.set.BoolVar(&c.ranges, "ranges", true, "prediction intervals; -ranges=false leaves them out and halves the time")
}

func explainFlags(c *call) {
	c.set.IntVar(&c.line, "line", 0, "line `N` of the file; not needed if the file has one row")
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

// parse declares and reads the flags and returns the other arguments. Flags may stand
// anywhere before "--". The error is [flag.ErrHelp] if a flag asks for help.
func (c *call) parse(rest []string) (args []string, err error) {
	c.set = flag.NewFlagSet("ifm "+c.name, flag.ContinueOnError)
	c.set.SetOutput(io.Discard)
	c.set.Usage = func() {}
	for _, declare := range c.flags {
		declare(c)
	}
	var literal []string
	if i := slices.Index(rest, "--"); i >= 0 {
		rest, literal = rest[:i], rest[i+1:]
	}
	for {
		switch err := c.set.Parse(rest); {
		case err == flag.ErrHelp:
			return nil, err
		case err != nil:
			return nil, c.wrong("%v\n%v", err, c.usage())
		}
		if rest = c.set.Args(); len(rest) == 0 {
			break
		}
		args, rest = append(args, rest[0]), rest[1:]
	}
	args = append(args, literal...)
	if len(args) < c.minArgs || len(args) > c.maxArgs {
		return nil, c.usage()
	}
	return args, nil
}

// synopsis returns the name of the subcommand, its arguments and its optional flags.
func (c *call) synopsis() string {
	b := c.name + " " + c.arguments
	c.set.VisitAll(func(f *flag.Flag) {
		if value, _ := flag.UnquoteUsage(f); !strings.Contains(c.arguments, "-"+f.Name+" ") {
			b += " [" + strings.TrimSpace("-"+f.Name+" "+value) + "]"
		}
	})
	return b
}

// query returns the values of -set and -target as the query of a link. Lists that are set
// more than once are joined.
func (o *options) query() string {
	var keys []string
	values := map[string]string{}
	add := func(key, value string) {
		i := slices.IndexFunc(spec.Fields, func(f spec.Of[spec.Spec]) bool { return f.Key == key })
		before, set := values[key]
		switch {
		case !set:
			keys = append(keys, key)
		case i >= 0 && slices.Contains([]spec.Kind{spec.Names, spec.Set, spec.Ints, spec.Floats}, spec.Fields[i].Kind):
			value = before + "," + value
		}
		values[key] = value
	}
	for _, pair := range o.settings {
		key, value, _ := strings.Cut(pair, "=")
		add(key, value)
	}
	if o.target != "" {
		add("target", o.target)
	}
	var query []string
	for _, key := range keys {
		query = append(query, url.QueryEscape(key)+"="+url.QueryEscape(values[key]))
	}
	return strings.Join(query, "&")
}

// trainOptions returns the options of a link with those of -set and -target, which
// override it. What cannot be used is an error in -set and a message in a link.
func (c *call) trainOptions() (*estimator.Options, error) {
	set := c.query()
	if _, err := estimator.Parse(set); err != nil {
		return nil, c.wrong("%s", strings.TrimPrefix(err.Error(), "estimator: "))
	}
	base := ""
	if c.link != "" {
		query, _ := settings(c.link)
		l := c.read(query)
		c.leaveChapters(l, "")
		if l.Spec.Trials > 1 {
			c.leave("left trials=%d; it trains on one split, run ifm compare for more", l.Spec.Trials)
			l.Spec.Trials = 1
		}
		base = l.Spec.Encode()
		for key := range spec.Pairs(query) {
			if key == "models" {
				base += "&models=" + strings.Join(l.Spec.Models, ",")
				break
			}
		}
	}
	o, err := estimator.Parse(strings.Trim(base+"&"+set, "&"))
	return &o, err
}
