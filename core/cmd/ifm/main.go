// Command ifm runs what a link of the page describes, without a browser.
//
//	go run ./core/cmd/ifm help
//	go run ./core/cmd/ifm curve 'scenario=mixed&seed=7'
//
// Each of its words runs what it can of a link, and says on stderr what it leaves
// and which word, if any, that needs. It ends with 0, with 1 if a run failed, and
// with 2 if it was asked wrongly or left something of a link that would change the
// numbers.
package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

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
	if slices.ContainsFunc(rest, asksHelp) {
		c.help(stdout)
		return 0
	}
	err := c.run(c)
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

// open opens a file of the reader's, packed by gzip or not, as the page does; "-" is
// what comes in.
func (c *call) open(name string) (io.ReadCloser, error) {
	file := io.NopCloser(c.stdin)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		file = f
	}
	r := bufio.NewReader(file)
	if head, _ := r.Peek(2); string(head) != "\x1f\x8b" {
		return opened{r, file}, nil
	}
	unpacked, err := gzip.NewReader(r)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s is packed by gzip and cannot be unpacked: %w", name, err)
	}
	return opened{unpacked, file}, nil
}

// opened is what is read of a file that is closed.
type opened struct {
	io.Reader
	io.Closer
}

func help(out io.Writer) {
	fmt.Fprint(out, "ifm runs what a link of iFM Lab describes, without a browser.\n\n")
	for _, w := range words {
		fmt.Fprintf(out, "  ifm %s %s\n      %s, as in\n      %s\n", w.name, w.arguments, w.does, w.examples[0])
	}
	fmt.Fprint(out, `  ifm help [WORD]
      say more of a word, as in
      ifm help curve
  ifm help settings
      list all that a link can hold

SETTINGS is an address of the page or of a card, or what stands behind its "?";
FILE is "-" for what comes in. What only says how the page shows a run changes
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
