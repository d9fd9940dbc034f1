package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"ifmlab/core/saved"
)

const exportDetails = `Export writes a saved model for other programs:

  python  a script that predicts the rows of CSV files, and needs only Python
  sql     one SELECT over a table, for SQLite, PostgreSQL and DuckDB
  libfm   a libFM text model (-save_model) over unscaled columns; gFM has none. With
          -o model.libfm the file model.features.csv describes its features
  json    the model file itself, for a libFM model

On stderr it reports what the form cannot represent.`

const importDetails = `Import reads a libFM model (-save_model) and writes it as a model file, for "ifm
predict", "ifm explain" and the page. libFM has no column names. Columns of a file are
matched by position, and there must be as many as the model has features. In LIBSVM
files the indices are the positions, from 0, as in libFM.`

func export(c *call, args []string) error {
	if !slices.Contains(saved.Exports, c.form) {
		return c.wrong("-as is %q, expected one of %s", c.form, strings.Join(saved.Exports, ", "))
	}
	out, err := c.output(args...)
	if err != nil {
		return err
	}
	model, err := loadModel(c, args[0], saved.Read)
	if err != nil {
		return err
	}
	files, notices, err := model.Export(c.form, c.table)
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
		beside := output{strings.TrimSuffix(c.out, filepath.Ext(c.out)) + "." + f.Name, true, c.context}
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

func importModel(c *call, args []string) error {
	out, err := c.output(args...)
	if err != nil {
		return err
	}
	model, err := loadModel(c, args[0], saved.Read)
	if err != nil {
		return err
	}
	if !model.ByPlace() {
		return fmt.Errorf("%s is a model file already; ifm predict takes it as it is", args[0])
	}
	if c.target != "" {
		model.Encoding.Target.Name = c.target
	}
	return out.write(c.stdout, func(w io.Writer) error { return model.Model.Write(w, model.Encoding) })
}
