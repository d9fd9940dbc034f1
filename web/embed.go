// Package web holds the page as make build wrote it.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var files embed.FS

// Dist returns the built page: index.html at its root, beside every file that
// compresses well its .br and .gz. Before the first build it is empty, so check
// for index.html before serving it.
func Dist() fs.FS {
	dist, err := fs.Sub(files, "dist")
	if err != nil {
		panic(err) // "dist" is a valid path: the compiler embedded it
	}
	return dist
}
