package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// formulasFont lets a style name the whole of a mathematical font: the page gets
// the part of it that its formulas need, a twenty-fifth.
var formulasFont = api.Plugin{
	Name: "formulas-font",
	Setup: func(build api.PluginBuild) {
		web := build.InitialOptions.AbsWorkingDir
		build.OnLoad(api.OnLoadOptions{Filter: `\.woff2$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			part, err := partOfFont(web, args.Path)
			text := string(part)
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderFile}, err
		})
	},
}

// partOfFont returns, as WOFF2, what the formulas of src/lesson/chapter/formulas.gen.ts
// need of a font: their characters, with every size and piece of them in its MATH
// table. It costs a second.
func partOfFont(web, font string) ([]byte, error) {
	mathML, err := os.ReadFile(filepath.Join(web, "src", "lesson", "chapter", "formulas.gen.ts"))
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("node", filepath.Join("build", "font.mjs"), font)
	cmd.Dir = web
	cmd.Stdin = bytes.NewReader(mathML)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	part, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("build/font.mjs, of %s: %w: %s", filepath.Base(font), err, bytes.TrimSpace(complaint.Bytes()))
	}
	return part, nil
}
