// Command ifm trains models on tables, predicts with them, and runs what a link of the
// page describes, without a browser.
//
//	go run ./core/cmd/ifm train houses.csv -target price -o model.json
//	go run ./core/cmd/ifm help
//	go run ./core/cmd/ifm curve 'scenario=mixed&seed=7'
//
// A subcommand runs what it can of a link. It reports on stderr what it leaves out, and
// which subcommand runs that. The exit status is 0; 1 if a run failed; 2 if the arguments
// are wrong, or if a part of the link that would change the numbers was left out.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"ifmlab/core"
	"ifmlab/core/packed"
	"ifmlab/core/spec"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

var commands = []command{
	{"train", "FILE", 1, 1, "fit a model to a table, and say how good it is", trainDetails, []string{
		"ifm train houses.csv -target price -o model.json",
		"ifm train houses.csv -target price -o model.json -set ignore=id -set models=fm,ifm -json",
		"ifm train houses.csv -test others.csv -target price",
		"ifm train houses.csv -link 'https://YOUR.HOST/?source=table&target=price&log=yes' -o model.json",
	}, []func(*call){trainFlags, jsonFlag, progressFlag}, trainTable},
	{"predict", "MODEL FILE", 2, 2, "predict the rows of a file with a saved model, as CSV", predictDetails, []string{
		"ifm predict model.json new.csv -o predictions.csv",
		"ifm predict model.json - <new.csv",
	}, []func(*call){outputFlag, memberFlags, editedFlag, jsonFlag}, predict},
	{"explain", "MODEL [FILE]", 1, 2, "print what a saved model contains, or the terms of one prediction", explainDetails, []string{
		"ifm explain model.json",
		"ifm explain model.json new.csv -line 17",
		"ifm explain model.json new.csv -line 17 -with horsepower=200 -with origin=Europe",
		"ifm explain model.json houses.csv -pairs",
	}, []func(*call){explainFlags, memberFlags, editedFlag, jsonFlag}, explain},
	{"export", "MODEL -as FORM", 1, 1, "write a saved model as a Python script, as SQL or as a libFM model", exportDetails, []string{
		"ifm export model.json -as python -o predict.py",
		"ifm export model.json -as sql -table houses -o predict.sql",
		"ifm export model.json -as libfm -o model.libfm",
	}, []func(*call){exportFlags, outputFlag, editedFlag}, export},
	{"import", "MODEL", 1, 1, "write a libFM model as a model file", importDetails, []string{
		"ifm import model.libfm -target rating -o model.json",
	}, []func(*call){importFlags, outputFlag}, importModel},
	{"curve", "SETTINGS [FILE]", 1, 2, "train, and print every record as CSV", curveDetails, []string{
		"ifm curve 'scenario=mixed&seed=7'",
		"ifm curve 'https://YOUR.HOST/?d=20&n=500&speed=instant'",
		"ifm curve 'sweep=rank&solver=auto'",
		"ifm curve 'target=price&ignore=id' houses.csv",
	}, nil, curve},
	{"compare", "[SETTINGS FILE]", 0, 2, "print the errors of FM, iFM and the baselines on a table", compareDetails, []string{
		"ifm compare 'target=price&ignore=id' houses.csv",
		"ifm compare",
	}, nil, compare},
	{"table1", "[SETTINGS [FILE]]", 0, 2, "run the ionosphere experiment and print its table", table1Details, []string{
		"ifm table1 'seed=2&stride=60'",
		"ifm table1 'https://YOUR.HOST/?chapter=vtec&vtec.methods=ridge,ifm'",
		"ifm table1 'sky=disturbed' igrg3380.10i",
	}, nil, table1},
	{"sweep", "LINKS -out FOLDER", 0, 1, "train every cell of many links, on one machine or a part of it on each of many", sweepDetails, []string{
		"ifm sweep links.txt -out results",
		"ifm sweep links.txt -out results -shard 2/8",
		"ifm sweep links.txt -out results -table houses.csv",
		"ifm sweep -print phase >phase.txt",
	}, []func(*call){sweepFlags, progressFlag}, sweep},
	{"merge", "FOLDER", 1, 1, "join the parts of a sweep, or say what is missing", mergeDetails, []string{
		"ifm merge results -o results.jsonl",
	}, []func(*call){outputFlag}, merge},
	{"break", "[SETTINGS]", 0, 1, "fit FM and iFM to painted interactions, and print their errors and the score", breakDetails, []string{
		"ifm break 'https://YOUR.HOST/?chapter=break&break.m=-1,-1,-1,0,0,-1,-1,0,0,-1,0,0,0,0,0'",
		"ifm break 'm=0,0,1,1,1,0,1,1,1,1,1,1,0,0,0&draws=200'",
	}, nil, breakMatrix},
}

// run runs ifm and returns its exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		help(stderr)
		return 2
	}
	out := &printer{Writer: stdout}
	err := execute(args, stdin, out, stderr)
	if out.err != nil {
		err = fmt.Errorf("ifm %s: what was written is not whole: %w", args[0], out.err)
	}
	if fault, ok := errors.AsType[*packed.Error](err); ok { // its message is complete
		err = fault
	}
	if err != nil && err != errIncomplete {
		fmt.Fprintln(stderr, err)
	}
	switch _, usage := err.(usageError); {
	case usage || err == errIncomplete:
		return 2
	case err != nil:
		return 1
	}
	return 0
}

// errIncomplete says that a part of the link was left out, which was reported.
var errIncomplete = errors.New("a part of the link was left out")

// printer keeps the first error of an output to which texts are printed.
type printer struct {
	io.Writer
	err error
}

func (p *printer) Write(text []byte) (n int, err error) {
	if p.err == nil {
		n, p.err = p.Writer.Write(text)
	}
	return n, p.err
}

// execute runs a subcommand.
func execute(args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	name, rest := args[0], args[1:]
	if slices.Contains([]string{"help", "-h", "-help", "--help"}, name) {
		name, rest = "help", append(rest, "help")[:1]
		if topic := rest[0]; topic != "help" && topic != "settings" && topic != "version" {
			name, rest = topic, []string{"-h"}
		}
	}
	switch name {
	case "version", "-version", "--version":
		fmt.Fprintln(stdout, "ifm "+core.Version)
		return nil
	case "help":
		switch rest[0] {
		case "settings":
			helpSettings(stdout)
		case "version":
			fmt.Fprint(stdout, "usage: ifm version\n\nVersion prints the version. The page of that version gives the same numbers.\n")
		default:
			help(stdout)
		}
		return nil
	}
	i := slices.IndexFunc(commands, func(c command) bool { return c.name == name })
	if i < 0 {
		return usageError(fmt.Sprintf("ifm: there is no command %q; run ifm help", name))
	}
	c := &call{command: commands[i], stdin: stdin, stdout: stdout, stderr: stderr}
	if slices.Equal(rest, []string{"help"}) {
		rest = []string{"-h"}
	}
	arguments, err := c.parse(rest)
	if errors.Is(err, flag.ErrHelp) {
		c.help(stdout)
		return nil
	}
	if err == nil {
		err = c.run(c, arguments)
	}
	if c.interrupt != nil {
		if err != nil && c.interrupt.Err() != nil {
			err = fmt.Errorf("ifm %s: interrupted", name)
		}
		c.stop()
	}
	if err == nil && c.incomplete {
		return errIncomplete
	}
	return err
}

func help(out io.Writer) {
	fmt.Fprint(out, "ifm trains factorization machines on tables, and runs what a link of iFM Lab\ndescribes, without a browser.\n\n")
	for _, c := range commands {
		fmt.Fprintf(out, "  ifm %s %s\n      %s, as in\n      %s\n", c.name, c.arguments, c.summary, c.examples[0])
	}
	fmt.Fprint(out, `  ifm help COMMAND
      describe a command and its flags, as in
      ifm help curve
  ifm help settings
      list all settings of a link, which -set takes too
  ifm version
      print the version; the page of that version gives the same numbers

SETTINGS is an address of the page or of a card, or the part behind its "?". FILE is
"-" for stdin. It may be packed by gzip or zip, and it may be a workbook (.xlsx) or a
Parquet file, as on the page. If it has several tables, member=NAME or sheet=NAME
among the settings chooses one. Settings that only change how the page shows a run
have no effect. A command runs what it can of a link and reports what it leaves out.

The exit status is 0; 1 if a run failed; 2 if the arguments are wrong or a part of
the link was left out.
`)
}

func (c *call) help(out io.Writer) {
	fmt.Fprintf(out, "usage: ifm %s\n\n%s\n", c.synopsis(), c.details)
	if len(c.flags) > 0 {
		fmt.Fprint(out, "\nFlags:\n\n")
	}
	c.set.SetOutput(out)
	c.set.PrintDefaults()
	fmt.Fprint(out, "\nFor example:\n\n")
	for _, example := range c.examples {
		fmt.Fprintln(out, " ", example)
	}
	fmt.Fprint(out, "\nAll settings: ifm help settings\n")
}

func helpSettings(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "Settings of a run, with their defaults:\n\n")
	list(table, "", spec.Fields)
	fmt.Fprint(table, "\nSettings of the page:\n\n")
	list(table, "", spec.ViewFields())
	fmt.Fprint(table, "\nSettings of the chapters:\n\n")
	for _, c := range spec.Chapters {
		fmt.Fprintf(table, "  %s.KEY\t\t%s\n", c.Name, c.Title)
	}
	fmt.Fprint(table, "\nOf these, the settings of ifm table1:\n\n")
	list(table, "vtec.", spec.IonosphereFields)
	fmt.Fprint(table, "\nand of ifm break:\n\n")
	list(table, "break.", spec.BreakFields())
	table.Flush()
}

func list[S any](out io.Writer, prefix string, fields []spec.Of[S]) {
	for _, f := range fields {
		fmt.Fprintf(out, "  %s%s\t%s\t%s", prefix, f.Key, f.Default, f.Doc)
		switch f.Kind {
		case spec.Choice, spec.Set:
			fmt.Fprintf(out, " [%s]", strings.Join(f.Options, ", "))
		case spec.Int, spec.Float, spec.Ints, spec.Floats:
			fmt.Fprintf(out, " [%s to %s]", strconv.FormatFloat(f.Min, 'f', -1, 64), strconv.FormatFloat(f.Max, 'f', -1, 64))
		}
		fmt.Fprintln(out)
	}
}
