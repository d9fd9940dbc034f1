package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"ifmlab/core"
	"ifmlab/core/spec"
)

const aboutExport = `Export writes a saved model in a form that others read:

  python  a script that predicts CSV files, or a row of another program, and needs nothing
          but Python
  sql     one SELECT over a table of yours, for SQLite, PostgreSQL and DuckDB
  libfm   the text model of libFM (-save_model), over columns that are not scaled; beside
          it, as CSV, what each of its features is; of gFM there is none
  json    the model file itself, which a model of libFM becomes by "ifm import"

What the form lacks is told on stderr.

  -as FORM      python, sql, libfm or json
  -table NAME   of the table that the SELECT reads; without it, my_table
  -o FILE       where it goes; without it, out. The features of libFM go beside it, as
                FILE.features.csv`

const aboutImport = `Import reads a model of libFM (-save_model) and writes it as a model file, which "ifm
predict", "ifm explain" and the page take. libFM knows no names: the columns of a file
that it predicts go by their place, and they must be as many as the model has features;
of a file in LIBSVM's format the indices are the places, from 0, as in libFM.

  -target NAME  what the model predicts; without it, "the target"
  -o FILE       where it goes; without it, out`

// readModel reads a model file, or a model of libFM.
func (c *call) readModel(name string) (*core.Kept, error) {
	ctx, stop := interruptible()
	defer stop()
	file, err := c.input(ctx, name, spec.Default())
	if err != nil {
		return nil, c.interrupted(ctx, err)
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		return nil, c.interrupted(ctx, fmt.Errorf("%s: %w", file.Name, err))
	}
	kept, err := core.ReadModel(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file.Name, err)
	}
	return kept, nil
}

func export(c *call) error {
	a := c.newAsked()
	a.takesOutput()
	form := a.flags.String("as", "", "")
	table := a.flags.String("table", "my_table", "")
	args, err := c.parse(a)
	if err != nil {
		return err
	}
	if len(args) != 1 || a.json {
		return c.usage()
	}
	if !slices.Contains(core.Exports, *form) {
		return usageError(fmt.Sprintf("ifm export: -as %s, want -as %s", *form, strings.Join(core.Exports, ", ")))
	}
	out, err := c.output(a.out, args...)
	if err != nil {
		return err
	}
	kept, err := c.readModel(args[0])
	if err != nil {
		return err
	}
	files, notices, err := kept.Export(*form, *table)
	if err != nil {
		return err
	}
	write := func(content []byte) func(io.Writer) error {
		return func(w io.Writer) error { _, err := w.Write(content); return err }
	}
	if err := out.write(c.stdout, write(files[0].Bytes)); err != nil {
		return err
	}
	for _, f := range files[1:] {
		if out.path == "" {
			notices = append(notices, fmt.Sprintf("%s, which says what the features are, is written with -o alone", f.Name))
			continue
		}
		beside := output{strings.TrimSuffix(out.path, filepath.Ext(out.path)) + "." + f.Name, true}
		if err := beside.write(c.stdout, write(f.Bytes)); err != nil {
			return err
		}
		notices = append(notices, fmt.Sprintf("what the features are is in %s", beside.path))
	}
	for _, notice := range notices {
		fmt.Fprintln(c.stderr, notice)
	}
	return nil
}

func importModel(c *call) error {
	a := c.newAsked()
	a.takesOutput()
	target := a.flags.String("target", "", "")
	args, err := c.parse(a)
	if err != nil {
		return err
	}
	if len(args) != 1 || a.json {
		return c.usage()
	}
	out, err := c.output(a.out, args...)
	if err != nil {
		return err
	}
	kept, err := c.readModel(args[0])
	if err != nil {
		return err
	}
	if !kept.ByPlace() {
		return fmt.Errorf("%s is a model file already; ifm predict takes it as it is", args[0])
	}
	if *target != "" {
		kept.Encoding.Target.Name = *target
	}
	return out.write(c.stdout, func(w io.Writer) error { return kept.Model.Write(w, kept.Encoding) })
}
