package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"ifmlab/core/spec"
)

// command is a subcommand of ifm.
type command struct {
	name      string
	arguments string // with the flags that are required
	minArgs   int
	maxArgs   int
	summary   string
	details   string
	examples  []string
	flags     []func(*call) // declare the flags
	run       func(c *call, args []string) error
}

// call is one run of a subcommand.
type call struct {
	command
	options
	stdin      io.Reader
	stdout     io.Writer
	stderr     io.Writer
	incomplete bool // a part of the link was left out

	interrupt context.Context // of [call.context]; nil until it is called
	stop      func()          // ends it
}

// usageError says that the arguments are wrong, and how to correct them.
type usageError string

func (e usageError) Error() string { return string(e) }

// wrong returns an error for wrong arguments.
func (c *call) wrong(format string, args ...any) error {
	return usageError("ifm " + c.name + ": " + fmt.Sprintf(format, args...))
}

// usage returns the error for too few or too many arguments.
func (c *call) usage() error {
	return usageError(fmt.Sprintf("usage: ifm %s\nfor example: %s\nmore: ifm help %s", c.synopsis(), c.examples[0], c.name))
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

// options are the values of the flags of all subcommands.
type options struct {
	set      *flag.FlagSet
	out      string
	json     bool
	edited   bool // model files that were changed since they were saved are taken
	progress bool

	ranges   bool   // prediction intervals
	errorsBy string // the column by which test errors are split; "" for none
	splits   int    // of the rows, over which the models are compared; 0 for as many as are quick
	all      bool   // the model is fitted to all rows
	rows     string // the file of the test rows
	target   string
	test     string // the file of the test rows
	link     string
	settings []string // key=value

	file  spec.Spec // names one of several tables in a file
	line  int
	most  int
	pairs bool     // are tested
	with  []string // column=cell

	form  string // of an export
	table string

	folder, shard, print string // of a sweep
	workers              int
}

// context returns a context that ends at an interrupt. A second interrupt ends the process
// at once. A subcommand that never asks for it ends at the first.
func (c *call) context() context.Context {
	if c.interrupt == nil {
		c.interrupt, c.stop = signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		context.AfterFunc(c.interrupt, c.stop)
	}
	return c.interrupt
}
