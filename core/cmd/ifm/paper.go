package main

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

// sweeps are the paper's questions at size, a file of links each.
//
//go:embed sweeps/*.txt
var sweeps embed.FS

// printSweep prints one of them.
func (c *call) printSweep(name string) error {
	content, err := sweeps.ReadFile("sweeps/" + name + ".txt")
	if err != nil {
		names, _ := fs.Glob(sweeps, "sweeps/*.txt")
		list := strings.ReplaceAll(strings.Join(names, ", "), "sweeps/", "")
		return usageError(fmt.Sprintf("ifm sweep: -print is %q, want one of %s", name, strings.ReplaceAll(list, ".txt", "")))
	}
	_, err = c.stdout.Write(content)
	return err
}
