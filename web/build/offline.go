package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// offline returns the page as one file that works without a network. In its template,
// src/offline/page.html, {{start}} stands for the script that unpacks {{page}} and
// {{engine}}. {{policy}} stands for a policy that allows only these scripts and no request.
func offline(web string, files map[string][]byte, names map[string]string, engine []byte) ([]byte, error) {
	template, err := os.ReadFile(filepath.Join(web, "src", "offline", "page.html"))
	if err != nil {
		return nil, err
	}
	app, err := offlineScript(web, "src/app.ts")
	if err != nil {
		return nil, err
	}
	start, err := offlineScript(web, "src/offline/start.ts")
	if err != nil {
		return nil, err
	}
	if bytes.Contains(start, []byte("<!--")) || bytes.Contains(bytes.ToLower(start), []byte("</script")) {
		return nil, errors.New("web/src/offline/start.ts: the script would end the element that it stands in; write <!-- and </script otherwise")
	}
	page := []entry{{"style.css", withFonts(files[names["style"]], files)}, {"app.js", app}, {"worker.js", withReaders(files[names["worker"]], files, names)}, {"licenses.txt", files["licenses.txt"]}}
	for name, content := range files {
		if strings.HasPrefix(name, "samples/") {
			page = append(page, entry{name, content})
		}
	}
	slices.SortFunc(page[4:], func(a, b entry) int { return strings.Compare(a.name, b.name) })

	packedPage, err := pack("page", page)
	if err != nil {
		return nil, err
	}
	packedEngine, err := pack("engine", []entry{{"engine.wasm", engine}})
	if err != nil {
		return nil, err
	}
	policy := strings.Join([]string{
		"default-src 'none'",
		"base-uri 'none'",
		"font-src data:",
		"form-action 'none'",
		"img-src blob: data:",
		"script-src " + scriptHash(start) + " " + scriptHash(app) + " 'wasm-unsafe-eval'",
		"style-src 'unsafe-inline'", // each chart writes its own
		"worker-src blob:",
	}, "; ")
	text := strings.NewReplacer("{{policy}}", policy, "{{start}}", string(start), "{{page}}", packedPage, "{{engine}}", packedEngine).Replace(string(template))
	return []byte(text), nil
}

// withFonts returns a style with its fonts as data: URLs.
func withFonts(style []byte, files map[string][]byte) []byte {
	for name, content := range files {
		if path.Ext(name) == ".woff2" {
			data := "data:font/woff2;base64," + base64.StdEncoding.EncodeToString(content)
			style = bytes.ReplaceAll(style, []byte("./"+path.Base(name)), []byte(data))
		}
	}
	return style
}

// withReaders returns the worker with the scripts that it loads for packed files. The
// offline file can load none.
func withReaders(worker []byte, files map[string][]byte, names map[string]string) []byte {
	scripts := [][]byte{worker}
	for _, path := range strings.Fields(names["readers"]) {
		scripts = append(scripts, files[path])
	}
	return bytes.Join(scripts, []byte("\n"))
}

// entry is one file in the offline file.
type entry struct {
	name    string
	content []byte
}

// types are those of the files in the offline file; WebAssembly insists on its own.
var types = map[string]string{".css": "text/css", ".csv": "text/csv", ".js": "text/javascript", ".txt": "text/plain; charset=utf-8", ".wasm": "application/wasm"}

// offlineScript bundles one entry point and all its imports, lazy ones too, as one
// classic script: browsers import no module from a file.
func offlineScript(web, source string) ([]byte, error) {
	absolute, err := filepath.Abs(web)
	if err != nil {
		return nil, err
	}
	outputs, err := runEsbuild(api.BuildOptions{
		AbsWorkingDir:     absolute,
		Bundle:            true,
		Charset:           api.CharsetUTF8,
		EntryPoints:       []string{source},
		Format:            api.FormatIIFE,
		LegalComments:     api.LegalCommentsNone,
		Metafile:          true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		MinifyWhitespace:  true,
		Outdir:            "dist",
		Plugins:           []api.Plugin{ownFiles, plotParts},
		Target:            api.ES2022,
	})
	if err != nil {
		return nil, err
	}
	return bytes.TrimSpace(outputs[0].content), nil
}

// ownFiles replaces site.ts by src/offline/site.ts, which finds files in the offline
// file.
var ownFiles = api.Plugin{
	Name: "files",
	Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: `/site\.js$`}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: filepath.Join(build.InitialOptions.AbsWorkingDir, "src", "offline", "site.ts")}, nil
		})
	},
}

// scriptHash returns a policy's name for a script that stands in a page.
func scriptHash(script []byte) string {
	sum := sha256.Sum256(script)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

const (
	lineLength = 2000               // of the packed text: an editor opens a file of such lines
	lineBytes  = lineLength / 4 * 3 // in base64
)

// pack returns a script element with the entries, which no browser runs. data-files has
// their names, types and sizes. The text has their bytes in turn, gzip in base64.
func pack(name string, entries []entry) (string, error) {
	var list [][3]any
	var packed bytes.Buffer
	w := encodings[".gz"].encode(&packed)
	for _, e := range entries {
		list = append(list, [3]any{e.name, types[filepath.Ext(e.name)], len(e.content)})
		if _, err := w.Write(e.content); err != nil {
			return "", err
		}
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	about, err := json.Marshal(list)
	if err != nil {
		return "", err
	}
	text := fmt.Appendf(nil, "<script type=\"text/plain\" data-part=\"%s\" data-files='%s'>\n", name, about)
	for line := range slices.Chunk(packed.Bytes(), lineBytes) {
		text = append(base64.StdEncoding.AppendEncode(text, line), '\n')
	}
	return string(text) + "</script>", nil
}
