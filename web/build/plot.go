package main

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// plotParts leaves out what no chart of the page draws and Plot brings with every
// picture: projections of the globe and its colour schemes, 12 kB of the 78 that
// a reader waits for before the first curve. The files of web/build/plot stand in
// for Plot's own of the same name. A version of Plot that asks more of them does
// not build.
var plotParts = api.Plugin{
	Name: "plot-parts",
	Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: `/(projection|schemes)\.js$`}, func(args api.OnResolveArgs) (found api.OnResolveResult, err error) {
			if strings.Contains(filepath.ToSlash(args.Importer), "/@observablehq/plot/src/") {
				found.Path = filepath.Join(build.InitialOptions.AbsWorkingDir, "build", "plot", path.Base(args.Path))
			}
			return found, nil
		})
	},
}
