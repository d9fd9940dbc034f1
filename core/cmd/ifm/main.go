// Command ifm trains on tables, predicts, and runs what a link of the page describes,
// without a browser.
//
//	go run ./core/cmd/ifm train houses.csv -target price -o model.json
//	go run ./core/cmd/ifm help
//	go run ./core/cmd/ifm curve 'scenario=mixed&seed=7'
//
// Each of its words runs what it can of a link, and says on stderr what it leaves
// and which word, if any, that needs. It ends with 0, with 1 if a run failed, and
// with 2 if it was asked wrongly or left something of a link that would change the
// numbers.
package main

import (
	"errors"
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

// word is what can be asked of ifm.
type word struct {
	name      string
	arguments string
	does      string
	about     string
	examples  []string
	run       func(c *call) error
}

var words = []word{
	{"train", "FILE [-target NAME] [-o MODEL] [-set KEY=VALUE]... [-link LINK] [-ranges=false] [-json] [-progress]", "fit a model to a table, and say how good it is", aboutTrain, []string{
		"ifm train houses.csv -target price -o model.json",
		"ifm train houses.csv -target price -o model.json -set ignore=id -set models=fm,ifm -json",
		"ifm train houses.csv -link 'https://YOUR.HOST/?source=table&target=price&log=yes' -o model.json",
	}, train},
	{"predict", "MODEL FILE [-o PREDICTIONS] [-member NAME] [-sheet NAME] [-json]", "predict the rows of a file by a saved model, as CSV", aboutPredict, []string{
		"ifm predict model.json new.csv -o predictions.csv",
		"ifm predict model.json - <new.csv",
	}, predict},
	{"explain", "MODEL [FILE [-line N] [-member NAME] [-sheet NAME]] [-most N] [-json]", "print what a saved model holds, or what its prediction for a row is made of", aboutExplain, []string{
		"ifm explain model.json",
		"ifm explain model.json new.csv -line 17",
	}, explain},
	{"export", "MODEL -as FORM [-table NAME] [-o FILE]", "write a saved model as a Python script, as SQL or as a model of libFM", aboutExport, []string{
		"ifm export model.json -as python -o predict.py",
		"ifm export model.json -as sql -table houses -o predict.sql",
		"ifm export model.json -as libfm -o model.libfm",
	}, export},
	{"import", "MODEL [-target NAME] [-o FILE]", "write a model of libFM as a model file", aboutImport, []string{
		"ifm import model.libfm -target rating -o model.json",
	}, importModel},
	{"curve", "SETTINGS [FILE]", "train, and print every record as CSV", aboutCurve, []string{
		"ifm curve 'scenario=mixed&seed=7'",
		"ifm curve 'https://YOUR.HOST/?d=20&n=500&speed=instant'",
		"ifm curve 'sweep=rank&solver=auto'",
		"ifm curve 'target=price&ignore=id' houses.csv",
	}, curve},
	{"compare", "[SETTINGS FILE]", "print what FM and iFM reach on a table, beside ridge regression", aboutCompare, []string{
		"ifm compare 'target=price&ignore=id' houses.csv",
		"ifm compare",
	}, compare},
	{"table1", "[SETTINGS [FILE]]", "run the experiment on the ionosphere and print its table", aboutTable1, []string{
		"ifm table1 'seed=2&stride=60'",
		"ifm table1 'https://YOUR.HOST/?chapter=vtec&vtec.methods=ridge,ifm'",
		"ifm table1 'sky=disturbed' igrg3380.10i",
	}, table1},
	{"sweep", "LINKS -out FOLDER [-shard I/N] [-table FILE] [-workers N] [-progress]", "train every cell of many links, on one machine or a part of it on each of many", aboutSweep, []string{
		"ifm sweep links.txt -out results",
		"ifm sweep links.txt -out results -shard 2/8",
		"ifm sweep links.txt -out results -table houses.csv",
		"ifm sweep -print phase >phase.txt",
	}, sweep},
	{"merge", "FOLDER [-o FILE]", "join what parts of a sweep have done, or say what is missing", aboutMerge, []string{
		"ifm merge results -o results.jsonl",
	}, merge},
	{"break", "[SETTINGS]", "fit FM and iFM to interactions that a reader has painted, and print their errors and the score", aboutBreak, []string{
		"ifm break 'https://YOUR.HOST/?chapter=break&break.m=-1,-1,-1,0,0,-1,-1,0,0,-1,0,0,0,0,0'",
		"ifm break 'm=0,0,1,1,1,0,1,1,1,1,1,1,0,0,0&draws=200'",
	}, breakIt},
}

// call is one word with its arguments.
type call struct {
	word
	args   []string
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	left   bool // something of the link
}

// usageError says how to ask.
type usageError string

func (e usageError) Error() string { return string(e) }

// run is the command, but for its process. It returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		help(stderr)
		return 2
	}
	asksHelp := func(arg string) bool { return slices.Contains([]string{"help", "-h", "-help", "--help"}, arg) }
	name, rest := args[0], args[1:]
	if slices.Contains([]string{"version", "-version", "--version"}, name) {
		fmt.Fprintln(stdout, "ifm "+core.Version)
		return 0
	}
	if asksHelp(name) {
		if len(rest) == 0 || asksHelp(rest[0]) {
			help(stdout)
			return 0
		}
		if rest[0] == "settings" {
			helpSettings(stdout)
			return 0
		}
		name, rest = rest[0], []string{"help"}
	}
	i := slices.IndexFunc(words, func(w word) bool { return w.name == name })
	if i < 0 {
		fmt.Fprintf(stderr, "ifm: %q is none of its words; run ifm help\n", name)
		return 2
	}
	c := &call{words[i], rest, stdin, stdout, stderr, false}
	// Behind other arguments "help" is a value, such as the name of a column.
	if slices.ContainsFunc(rest, func(arg string) bool { return arg != "help" && asksHelp(arg) }) || len(rest) > 0 && rest[0] == "help" {
		c.help(stdout)
		return 0
	}
	err := c.run(c)
	if fault, ok := errors.AsType[*packed.Error](err); ok { // which says all that there is to say
		err = fault
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
	}
	switch _, usage := err.(usageError); {
	case usage:
		return 2
	case err != nil:
		return 1
	case c.left:
		return 2
	}
	return 0
}

// usage is the error of a call with too few arguments or too many.
func (c *call) usage() error {
	return usageError(fmt.Sprintf("usage: ifm %s %s\nfor example: %s\nmore: ifm help %s", c.name, c.arguments, c.examples[0], c.name))
}

// open opens a file of the reader's, packed in any way that the page knows; "-" is what
// comes in. s says which of several tables in it is meant.
func (c *call) open(name string, s spec.Spec) (*packed.Table, error) {
	if name == "-" {
		return packed.New("stdin", c.stdin, s)
	}
	return packed.Open(name, s)
}

func help(out io.Writer) {
	fmt.Fprint(out, "ifm trains factorization machines on tables, and runs what a link of iFM Lab\ndescribes, without a browser.\n\n")
	for _, w := range words {
		fmt.Fprintf(out, "  ifm %s %s\n      %s, as in\n      %s\n", w.name, w.arguments, w.does, w.examples[0])
	}
	fmt.Fprint(out, `  ifm help [WORD]
      say more of a word, as in
      ifm help curve
  ifm help settings
      list all that a link, or -set, can hold
  ifm version
      say which it is: its numbers are those of the page of that version

SETTINGS is an address of the page or of a card, or what stands behind its "?";
FILE is "-" for what comes in. It may be packed by gzip or zip, a workbook (.xlsx)
or a Parquet file, as on the page; of several tables in it, member=NAME or
sheet=NAME among the settings names one. What only says how the page shows a run changes
nothing here. A word runs what it can of a link and says what it leaves.

It ends with 0; with 1 if a run failed; with 2 if it was asked wrongly, or has
left something.
`)
}

func (c *call) help(out io.Writer) {
	fmt.Fprintf(out, "usage: ifm %s %s\n\n%s\n\nFor example:\n\n", c.name, c.arguments, c.about)
	for _, example := range c.examples {
		fmt.Fprintln(out, " ", example)
	}
	fmt.Fprint(out, "\nAll settings: ifm help settings\n")
}

func helpSettings(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "Of a run, with their defaults:\n\n")
	list(table, "", spec.Fields)
	fmt.Fprint(table, "\nHow the page shows it:\n\n")
	list(table, "", spec.ViewFields())
	fmt.Fprint(table, "\nOf the chapters, each of which has settings of its own:\n\n")
	for _, c := range spec.Chapters {
		fmt.Fprintf(table, "  %s.KEY\t\t%s\n", c.Name, c.Title)
	}
	fmt.Fprint(table, "\nAmong them those of ifm table1:\n\n")
	list(table, "vtec.", spec.IonosphereFields)
	fmt.Fprint(table, "\nand those of ifm break:\n\n")
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
