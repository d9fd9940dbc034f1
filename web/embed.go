// Package web holds the page as make build wrote it.
package web

import (
	"embed"
	"io/fs"
	"reflect"
	"unsafe"
)

//go:embed all:dist
var files embed.FS

// Page is the built page: index.html at its root, beside every file that
// compresses well its .br and .gz.
type Page struct{ fs.FS }

// Dist returns the built page. Before the first build it holds none, so ask for
// index.html before serving it.
func Dist() Page {
	dist, err := fs.Sub(files, "dist")
	if err != nil {
		panic(err) // "dist" is a valid path: the compiler embedded it
	}
	return Page{dist}
}

// Content returns a file as it lies in the program's memory; it must not be
// changed. ReadFile would copy it, and package embed has no other way to give
// its strings away, so this looks for the string in its open file. Where a
// version of Go has it elsewhere, the content is a copy.
func (p Page) Content(name string) ([]byte, error) {
	data, is := p.own(name)
	if !is {
		return fs.ReadFile(p, name)
	}
	return unsafe.Slice(unsafe.StringData(data), len(data)), nil
}

// own returns the content of a file, if it lies in the program.
func (p Page) own(name string) (data string, is bool) {
	f, err := p.Open(name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	if about, err := f.Stat(); err != nil || about.IsDir() {
		return "", false
	}
	value := reflect.ValueOf(f)
	for _, field := range []string{"f", "data"} {
		if value = reflect.Indirect(value); value.Kind() != reflect.Struct {
			return "", false
		}
		value = value.FieldByName(field)
	}
	if value.Kind() != reflect.String {
		return "", false
	}
	return value.String(), true
}
