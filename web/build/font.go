package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// partsOfFonts lets a style name whole fonts: the page gets the part of each that
// its formulas or its texts need.
var partsOfFonts = api.Plugin{
	Name: "parts-of-fonts",
	Setup: func(build api.PluginBuild) {
		web := build.InitialOptions.AbsWorkingDir
		build.OnLoad(api.OnLoadOptions{Filter: `\.woff2$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			part, err := partOfFont(web, args.Path)
			text := string(part)
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderFile}, err
		})
	},
}

// partOfFont returns, as WOFF2, a part of a font. Of a mathematical one it is what the
// formulas of src/lesson/chapter/formulas.gen.ts need, with every size and piece in its
// MATH table; of another, the letters and weights that build/font.mjs lists. It costs a second.
func partOfFont(web, font string) (part []byte, err error) {
	var mathML []byte
	if strings.Contains(filepath.Base(font), "math") {
		if mathML, err = os.ReadFile(filepath.Join(web, "src", "lesson", "chapter", "formulas.gen.ts")); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command("node", filepath.Join("build", "font.mjs"), font)
	cmd.Dir = web
	cmd.Stdin = bytes.NewReader(mathML)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	if part, err = cmd.Output(); err != nil {
		return nil, fmt.Errorf("build/font.mjs, of %s: %w: %s", filepath.Base(font), err, bytes.TrimSpace(complaint.Bytes()))
	}
	return part, nil
}
