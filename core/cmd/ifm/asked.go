package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ifmlab/core/estimator"
	"ifmlab/core/packed"
	"ifmlab/core/spec"
)

// asked are the flags of the words that train and predict.
type asked struct {
	flags    *flag.FlagSet
	out      string
	json     bool
	progress bool
	ranges   bool
	target   string
	link     string
	sets     []string  // key=value
	table    spec.Spec // of which only which of several tables in a file is meant
	line     int
	most     int
}

// newAsked returns the flags that all of these words have.
func (c *call) newAsked() *asked {
	a := &asked{flags: flag.NewFlagSet("ifm "+c.name, flag.ContinueOnError)}
	a.flags.SetOutput(io.Discard)
	a.flags.Usage = func() {}
	a.flags.BoolVar(&a.json, "json", false, "")
	return a
}

// takesOutput adds the flag of a file to write.
func (a *asked) takesOutput() { a.flags.StringVar(&a.out, "o", "", "") }

// takesTable adds the flags that name one of several tables in a file.
func (a *asked) takesTable() {
	a.flags.StringVar(&a.table.Member, "member", "", "")
	a.flags.StringVar(&a.table.Sheet, "sheet", "", "")
}

// parse returns the arguments that are no flags, which may stand before and behind
// these; behind "--" nothing is a flag.
func (c *call) parse(a *asked) (args []string, err error) {
	rest, literal := c.args, []string(nil)
	if i := slices.Index(rest, "--"); i >= 0 {
		rest, literal = rest[:i], rest[i+1:]
	}
	for {
		if err := a.flags.Parse(rest); err != nil {
			return nil, usageError(fmt.Sprintf("ifm %s: %v\n%v", c.name, err, c.usage()))
		}
		if rest = a.flags.Args(); len(rest) == 0 {
			return append(args, literal...), nil
		}
		args, rest = append(args, rest[0]), rest[1:]
	}
}

// takesSettings adds the flags of a word that trains.
func (a *asked) takesSettings() {
	a.flags.StringVar(&a.target, "target", "", "")
	a.flags.StringVar(&a.link, "link", "", "")
	a.flags.Func("set", "", func(pair string) error {
		if key, _, ok := strings.Cut(pair, "="); !ok || key == "" {
			return fmt.Errorf("want key=value; ifm help settings lists the keys")
		}
		a.sets = append(a.sets, pair)
		return nil
	})
	a.flags.BoolVar(&a.progress, "progress", false, "")
	a.flags.BoolVar(&a.ranges, "ranges", true, "")
}

// query returns what -set and -target say, as a link has it. Lists that are set more
// than once are joined.
func (a *asked) query() string {
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
	for _, pair := range a.sets {
		key, value, _ := strings.Cut(pair, "=")
		add(key, value)
	}
	if a.target != "" {
		add("target", a.target)
	}
	var query []string
	for _, key := range keys {
		query = append(query, url.QueryEscape(key)+"="+url.QueryEscape(values[key]))
	}
	return strings.Join(query, "&")
}

// options returns what the link, -set and -target ask for, the latter before the
// former. What of a link is not used is told, and of -set is an error.
func (c *call) options(a *asked) (*estimator.Options, error) {
	set := a.query()
	if _, err := estimator.Parse(set); err != nil {
		return nil, usageError(fmt.Sprintf("ifm %s: %s", c.name, strings.TrimPrefix(err.Error(), "estimator: ")))
	}
	base := ""
	if a.link != "" {
		query, _ := settings(a.link)
		tellTwice(c, spec.Fields, query)
		c.leaveSource(query)
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

// input opens a file of the reader's, or what comes in, which ends when ctx does.
func (c *call) input(ctx context.Context, name string, s spec.Spec) (*packed.Table, error) {
	file, err := c.open(name, s)
	if err == nil {
		file.ReadCloser = until{ctx, file.ReadCloser}
	}
	return file, err
}

// until reads until a context is done.
type until struct {
	ctx context.Context
	io.ReadCloser
}

func (u until) Read(p []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, context.Cause(u.ctx)
	}
	return u.ReadCloser.Read(p)
}

// output is a file that is written whole or not at all, or what goes out.
type output struct {
	path  string
	whole bool // not of a device, nor of what goes out
}

// output checks, before anything is computed, that a file can be written, and that it
// is none of those that are read. An empty path is what goes out.
func (c *call) output(path string, inputs ...string) (*output, error) {
	if path == "" || path == "-" {
		return &output{}, nil
	}
	there, err := os.Stat(path)
	if err == nil && there.IsDir() {
		return nil, usageError(fmt.Sprintf("ifm %s: -o %s is a folder; name a file in it", c.name, path))
	}
	for _, name := range inputs {
		if read, failed := os.Stat(name); name != "-" && err == nil && failed == nil && os.SameFile(there, read) {
			return nil, usageError(fmt.Sprintf("ifm %s: -o %s is the file that it reads; name another one", c.name, path))
		}
	}
	if dir := filepath.Dir(path); !isFolder(dir) {
		return nil, fmt.Errorf("ifm %s: -o %s cannot be written: the folder %s is not there; make it, or name another", c.name, path, dir)
	}
	if err == nil && !there.Mode().IsRegular() { // such as /dev/null, which a rename would replace
		return &output{path: path}, nil
	}
	o := &output{path, true}
	f, err := o.beside()
	if fault, ok := errors.AsType[*fs.PathError](err); ok { // without the name of what is written first
		err = fault.Err
	}
	if err != nil {
		return nil, fmt.Errorf("ifm %s: %s cannot be written: %w", c.name, path, err)
	}
	f.Close()
	return o, os.Remove(f.Name())
}

func isFolder(path string) bool {
	there, err := os.Stat(path)
	return err == nil && there.IsDir()
}

// beside creates a file in the same folder, for a rename.
func (o *output) beside() (*os.File, error) {
	return os.CreateTemp(filepath.Dir(o.path), "."+filepath.Base(o.path)+".*")
}

// write writes the file. Where it cannot be written to its end, what was there stays.
func (o *output) write(stdout io.Writer, content func(w io.Writer) error) error {
	if o.path == "" {
		return content(stdout)
	}
	if !o.whole {
		f, err := os.OpenFile(o.path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(content(f), f.Close())
	}
	f, err := o.beside()
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it is renamed
	defer f.Close()
	if err := content(f); err != nil {
		if fault, ok := errors.AsType[*fs.PathError](err); ok && fault.Path == f.Name() {
			fault.Path = o.path
		}
		return err
	}
	mode := os.FileMode(0o644)
	if there, err := os.Stat(o.path); err == nil {
		mode = there.Mode().Perm()
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), o.path)
}
