package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"ifmlab/core/estimator"
	"ifmlab/core/fm"
	"ifmlab/core/packed"
	"ifmlab/core/saved"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/task"
)

// output is stdout, or a file that is written whole or not at all.
type output struct {
	path    string
	whole   bool                   // false for stdout and devices
	context func() context.Context // ends the writing of a whole file
}

// output checks that the file of -o can be written and is not one of the inputs. It is
// called before anything is computed.
func (c *call) output(inputs ...string) (*output, error) { return c.outputTo("-o", c.out, inputs...) }

// outputTo is output for another flag.
func (c *call) outputTo(flag, path string, inputs ...string) (*output, error) {
	if path == "" || path == "-" {
		return &output{}, nil
	}
	for range 40 { // as many links as systems follow
		link, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(path), link)
		}
		path = link
	}
	there, err := os.Stat(path)
	if err == nil && there.IsDir() {
		return nil, c.wrong("%s %s is a folder; name a file in it", flag, path)
	}
	for _, name := range inputs {
		if read, failed := os.Stat(name); name != "-" && err == nil && failed == nil && os.SameFile(there, read) {
			return nil, c.wrong("%s %s is the file that it reads; name another one", flag, path)
		}
	}
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("ifm %s: %s %s cannot be written: the folder %s is not there; make it, or name another", c.name, flag, path, dir)
	}
	if err == nil && !there.Mode().IsRegular() { // such as /dev/null, which a rename would replace
		return &output{path: path}, nil
	}
	o := &output{path, true, c.context}
	f, err := o.beside()
	if fault, ok := errors.AsType[*fs.PathError](err); ok { // leaves out the name of the temporary file
		err = fault.Err
	}
	if err != nil {
		return nil, fmt.Errorf("ifm %s: %s cannot be written: %w", c.name, path, err)
	}
	f.Close()
	return o, os.Remove(f.Name())
}

// beside creates a temporary file in the same folder, so that it can be renamed. It replaces
// one that a killed process has left.
func (o *output) beside() (*os.File, error) {
	name := filepath.Join(filepath.Dir(o.path), "."+filepath.Base(o.path)+".part")
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// write writes the file. If that fails, the previous file stays.
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
	ours, err := f.Stat()
	isOurs := func() bool {
		there, err := os.Stat(f.Name())
		return err == nil && os.SameFile(ours, there)
	}
	defer func() {
		if isOurs() { // not once it is renamed
			os.Remove(f.Name())
		}
	}()
	defer f.Close()
	defer context.AfterFunc(o.context(), func() { f.Close() })() // an interrupt ends the writing
	if err != nil {
		return err
	}
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
	if !isOurs() {
		return fmt.Errorf("%s is being written by another ifm; name another file", o.path)
	}
	return os.Rename(f.Name(), o.path)
}

// open opens a file, packed in any way that the page knows; "-" is stdin. If the file has
// several tables, s names one.
func (c *call) open(name string, s spec.Spec) (*packed.Table, error) {
	if name == "-" {
		return packed.New("stdin", c.stdin, s)
	}
	return packed.Open(name, s)
}

// readTable reads a file, and checks that it has the columns that s names.
func (c *call) readTable(s spec.Spec, name string) (*table.Table, error) {
	file, err := c.open(name, s)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	table, err := task.Read(file.Reading(s), file.Name, file)
	if err != nil {
		return nil, err
	}
	table.Notes = append(file.Notes, table.Notes...)
	return table, task.CheckNames(s, table)
}

// readTest reads the file of -test like the table of the other rows, and returns both as one.
func (c *call) readTest(first *table.Table, s spec.Spec) (*table.Table, error) {
	file, err := c.open(c.test, s)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	table, err := task.ReadSecond(file.Reading(s), first, true, file.Name, file)
	if err == nil {
		table.Notes = append(table.Notes, file.Notes...)
	}
	return table, err
}

// loadModel reads a model file or a libFM model. With -edited it takes one that was changed
// since it was saved, and says so.
func loadModel[M any](c *call, name string, read func(content []byte) (M, error)) (model M, err error) {
	file, err := c.open(name, spec.Default())
	if err != nil {
		return model, err
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err == nil {
		model, err = read(content)
	}
	if _, is := errors.AsType[*fm.DigestError](err); is && c.edited {
		if content, err = saved.Edited(content); err == nil {
			fmt.Fprintf(c.stderr, "%s was changed since it was saved; it is taken as it is now\n", file.Name)
			model, err = read(content)
		}
	} else if is {
		err = fmt.Errorf("%w, with ifm %s -edited", err, c.name)
	}
	if err != nil {
		return model, fmt.Errorf("%s: %w", file.Name, err)
	}
	return model, nil
}

func readModel(content []byte) (*estimator.Model, error) {
	return estimator.Load(bytes.NewReader(content))
}

// readLike reads a file in the same way as the model's training file.
func (c *call) readLike(model *estimator.Model, name string) (*table.Table, error) {
	file, err := c.open(name, c.file)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	table, err := model.ReadTable(file.Name, file)
	if err == nil {
		table.Notes = append(file.Notes, table.Notes...)
	}
	return table, err
}
