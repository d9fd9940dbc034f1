package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// buildEngine compiles ./wasm: with a tag of wasm/engine.go one part of it, with
// "" the whole. No path, version or build id of this machine enters the result.
// larger is what [trimmed] says.
func buildEngine(root, tag string) (engine []byte, larger string, err error) {
	dir, err := os.MkdirTemp("", "ifmlab-build-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "engine.wasm")
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid=", "-tags", tag, "-o", out}
	args = append(args, "-gcflags=strings=-l") // its copies in callers are 20 kB, and reading is no faster with them
	for _, name := range once {
		args = append(args, "-gcflags=ifmlab/"+name+"=-l")
	}
	cmd := exec.Command("go", append(args, "./wasm")...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), engineEnv...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, "", fmt.Errorf("go build ./wasm: %w", err)
	}
	module, err := os.ReadFile(out)
	if err != nil {
		return nil, "", err
	}
	engine, larger = trimmed(module, runtime.Version()) // go run builds both
	return engine, larger, nil
}

// once lists the packages that decide and write rather than loop over cells: the engines have
// each of their functions once, without copies inlined in its callers.
var once = []string{
	"core/assess", "core/encode", "core/fault", "core/fm", "core/interaction", "core/leaks", "core/linear", "core/message", "core/note", "core/order", "core/pair", "core/read", "core/roles", "core/saved",
	"core/script", "core/jsontext", "core/invalid", "core/moment", "core/spec", "core/study", "core/survey", "core/task", "core/title", "core/train", "core/trial", "wasm", "wasm/protocol",
}

var engineEnv = []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}

// bundle adds the page's scripts and styles to files and their paths to names.
// It returns the paths, under web, of the sources that went into them, and the
// paths of the scripts that run before there is anything to see: src/app.ts
// and, after it, what it shares with the parts that are loaded later.
func bundle(web string, files map[string][]byte, names map[string]string) (sources, first []string, err error) {
	absolute, err := filepath.Abs(web)
	if err != nil {
		return nil, nil, err
	}
	styles, err := filepath.Glob(filepath.Join(absolute, "*.css"))
	if err != nil {
		return nil, nil, err
	}
	options := api.BuildOptions{
		AbsWorkingDir:     absolute,
		Bundle:            true,
		Charset:           api.CharsetUTF8,
		EntryNames:        "a/[name]-[hash]",
		ChunkNames:        "a/[name]-[hash]",
		AssetNames:        "a/[name]-[hash]",
		LegalComments:     api.LegalCommentsNone, // licenses.txt has them all
		Metafile:          true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		MinifyWhitespace:  true,
		Outdir:            "dist",
		Target:            api.ES2022,
	}

	module := options
	module.EntryPoints = append([]string{"src/app.ts"}, styles...)
	module.Format = api.FormatESModule
	module.Splitting = true
	module.Plugins = []api.Plugin{afterApp, partsOfFonts, plotParts}
	outputs, err := runEsbuild(module)
	if err != nil {
		return nil, nil, err
	}
	imports := map[string][]string{}
	for _, out := range outputs {
		imports[out.path] = out.imports
		files[out.path] = out.content
		if extension := filepath.Ext(out.path); out.entry == "src/app.ts" && extension == ".js" || filepath.Ext(out.entry) == ".css" {
			names[baseName(out.entry)] = out.path
		}
		if strings.HasPrefix(out.path, "a/source-sans-3-latin-") {
			names["font"] = out.path
		}
		sources = append(sources, out.sources...)
	}
	first = needed(names["app"], imports, nil)
	for name, source := range map[string]string{"lesson": "later:src/lesson/section.js", "vtec": "later:src/lesson/vtec/chapter.js"} {
		for _, out := range outputs {
			if out.entry == source {
				names[name] = strings.Join(needed(out.path, imports, first), " ")
			}
		}
	}

	alone := options // shares nothing with the page, whose scripts stay as few
	alone.EntryPoints = []string{"src/share/examples.ts"}
	alone.Format = api.FormatESModule
	if outputs, err = runEsbuild(alone); err != nil {
		return nil, nil, err
	}
	for _, out := range outputs {
		names["examples"] = out.path
		files[out.path] = out.content
		sources = append(sources, out.sources...)
	}

	element := options
	element.EntryPoints = []string{"src/element/ifm-lab.ts"}
	element.EntryNames = "[name]" // what other sites link to keeps its name
	element.Format = api.FormatESModule
	if outputs, err = runEsbuild(element); err != nil {
		return nil, nil, err
	}
	for _, out := range outputs { // one, since it imports nothing later
		files[out.path] = out.content
		sources = append(sources, out.sources...)
	}

	var paths []string
	for _, name := range readers {
		reader := options
		reader.EntryPoints = []string{"src/packed/" + name + ".entry.ts"}
		reader.Format = api.FormatIIFE
		if outputs, err = runEsbuild(reader); err != nil {
			return nil, nil, err
		}
		for _, out := range outputs { // one
			files[out.path] = out.content
			paths = append(paths, out.path)
			sources = append(sources, out.sources...)
		}
	}
	names["readers"] = strings.Join(paths, " ")

	classic := options
	classic.EntryPoints = []string{"src/engine/worker.ts"}
	classic.Format = api.FormatIIFE
	classic.Loader = map[string]api.Loader{".wasm": api.LoaderBinary} // the SIMD kernel, too small for a request of its own
	if outputs, err = runEsbuild(classic); err != nil {
		return nil, nil, err
	}
	support, err := wasmExec()
	if err != nil {
		return nil, nil, err
	}
	for _, out := range outputs { // one: without splitting an entry is one file
		worker := slices.Concat(support, out.content)
		names["worker"] = hashedName("worker", ".js", worker)
		files[names["worker"]] = worker
		sources = append(sources, out.sources...)
	}
	return sources, first, nil
}

// readers are the scripts of web/src/packed that the worker loads for files that are
// packed.
var readers = []string{"unpack", "parquet", "brotli"}

// needed returns a script and, after it, the scripts that it imports, without those
// that are loaded already.
func needed(script string, imports map[string][]string, loaded []string) []string {
	scripts := []string{script}
	for i := 0; i < len(scripts); i++ {
		for _, path := range imports[scripts[i]] {
			if !slices.Contains(scripts, path) && !slices.Contains(loaded, path) {
				scripts = append(scripts, path)
			}
		}
	}
	return scripts
}

// preload returns elements that load all scripts at once, and not one after another
// as they import each other.
func preload(scripts []string) string {
	var elements []string
	for _, path := range scripts {
		elements = append(elements, `<link rel="modulepreload" href="`+path+`" />`)
	}
	return strings.Join(elements, "\n    ")
}

// output is one file that esbuild made, its path under dist.
type output struct {
	path    string
	content []byte
	entry   string   // the entry point it belongs to; "" for a shared chunk
	sources []string // under web
	imports []string // paths under dist that it cannot run without
}

func runEsbuild(options api.BuildOptions) ([]output, error) {
	result := api.Build(options)
	if len(result.Errors)+len(result.Warnings) > 0 {
		lines := api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		lines = append(lines, api.FormatMessages(result.Warnings, api.FormatMessagesOptions{Kind: api.WarningMessage})...)
		return nil, errors.New(strings.TrimSpace(strings.Join(lines, "")))
	}
	var meta struct {
		Outputs map[string]struct {
			EntryPoint string
			Inputs     map[string]struct{}
			Imports    []struct{ Path, Kind string }
		}
	}
	if err := json.Unmarshal([]byte(result.Metafile), &meta); err != nil {
		return nil, fmt.Errorf("esbuild's metafile: %w", err)
	}
	var outputs []output
	for _, file := range result.OutputFiles {
		path, err := filepath.Rel(options.AbsWorkingDir, file.Path)
		if err != nil {
			return nil, err
		}
		about, known := meta.Outputs[filepath.ToSlash(path)]
		if !known {
			return nil, fmt.Errorf("esbuild's metafile does not tell of %s", path)
		}
		out := output{path: strings.TrimPrefix(filepath.ToSlash(path), "dist/"), content: file.Contents, entry: about.EntryPoint}
		for source := range about.Inputs {
			out.sources = append(out.sources, source)
		}
		for _, needed := range about.Imports {
			if needed.Kind == "import-statement" {
				out.imports = append(out.imports, strings.TrimPrefix(needed.Path, "dist/"))
			}
		}
		outputs = append(outputs, out)
	}
	return outputs, nil
}

// afterApp tells the bundler that src/app.ts is loaded before all lazy imports, so
// that what they share goes into app's scripts. Otherwise each set of parts that share
// something has a script of its own, often a small one that compresses badly.
var afterApp = api.Plugin{
	Name: "after-app",
	Setup: func(build api.PluginBuild) {
		web := build.InitialOptions.AbsWorkingDir
		build.OnResolve(api.OnResolveOptions{Filter: `^\.`}, func(args api.OnResolveArgs) (found api.OnResolveResult, err error) {
			if args.Kind != api.ResolveJSDynamicImport {
				return found, nil
			}
			source, err := filepath.Rel(web, filepath.Join(args.ResolveDir, args.Path))
			return api.OnResolveResult{Path: filepath.ToSlash(source), Namespace: "later"}, err
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".", Namespace: "later"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			text := fmt.Sprintf("import './src/app.js';\nexport * from './%s';\n", args.Path)
			return api.OnLoadResult{Contents: &text, ResolveDir: web}, nil
		})
	},
}

// wasmExec returns the script that Go's js/wasm programs need, minified.
func wasmExec() ([]byte, error) {
	goroot, err := goRoot()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(goroot, "lib", "wasm", "wasm_exec.js")
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	result := api.Transform(string(source), api.TransformOptions{
		LegalComments:     api.LegalCommentsNone,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		MinifyWhitespace:  true,
		Sourcefile:        path,
		Target:            api.ES2022,
	})
	if len(result.Errors) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), ""))
	}
	return result.Code, nil
}

func goRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return string(bytes.TrimSpace(out)), nil
}

// hashedName returns a path in a/ that changes with the content.
func hashedName(name, extension string, content []byte) string {
	sum := sha256.Sum256(content)
	return "a/" + name + "-" + base32.StdEncoding.EncodeToString(sum[:5]) + extension
}

func baseName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

func quotedNames(names map[string]string) string {
	var quoted []string
	for name := range names {
		quoted = append(quoted, "{{"+name+"}}")
	}
	slices.Sort(quoted)
	return strings.Join(quoted, ", ")
}

// fill replaces the names in a page of web by the addresses of built files. A name
// without a built file is an error, since the page would not load.
func fill(page string, template []byte, names map[string]string) ([]byte, error) {
	var b strings.Builder
	rest := string(template)
	for {
		before, after, found := strings.Cut(rest, "{{")
		b.WriteString(before)
		if !found {
			return []byte(b.String()), nil
		}
		name, tail, closed := strings.Cut(after, "}}")
		built, known := names[name]
		if !closed || !known {
			line := 1 + strings.Count(b.String(), "\n")
			return nil, fmt.Errorf("web/%s:%d: {{%.40s stands for no built file; want one of %s", page, line, after, quotedNames(names))
		}
		b.WriteString(built)
		rest = tail
	}
}
