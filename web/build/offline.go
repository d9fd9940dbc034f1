package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
)

// offline returns the page as one file that works without a network: its
// template src/offline/page.html, in which {{start}} stands for the script that
// unpacks the rest, {{page}} and {{engine}} for what is packed, LZMA in basE91,
// and {{policy}} for a policy that lets only those scripts run and asks nobody
// for anything. The engine takes seconds to pack and seldom changes: what
// before, an earlier offline file, has packed from the same bytes is taken from
// there.
func offline(web string, files map[string][]byte, names map[string]string, engine, before []byte) ([]byte, error) {
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
	page := []entry{{"style.css", files[names["style"]]}, {"app.js", app}, {"worker.js", files[names["worker"]]}, {"licenses.txt", files["licenses.txt"]}}
	for path, content := range files {
		if strings.HasPrefix(path, "samples/") {
			page = append(page, entry{path, content})
		}
	}
	slices.SortFunc(page[4:], func(a, b entry) int { return strings.Compare(a.name, b.name) })

	var (
		wait   sync.WaitGroup
		packed [2]string
		failed [2]error
	)
	for i, part := range []struct {
		name    string
		entries []entry
	}{{"page", page}, {"engine", []entry{{"engine.wasm", engine}}}} {
		wait.Go(func() { packed[i], failed[i] = pack(web, part.name, part.entries, before) })
	}
	wait.Wait()
	if err := errors.Join(failed[:]...); err != nil {
		return nil, err
	}
	policy := strings.Join([]string{
		"default-src 'none'",
		"base-uri 'none'",
		"form-action 'none'",
		"img-src blob: data:",
		"script-src " + scriptHash(start) + " " + scriptHash(app) + " 'wasm-unsafe-eval'",
		"style-src 'unsafe-inline'", // each chart writes its own
		"worker-src blob:",
	}, "; ")
	text := strings.NewReplacer("{{policy}}", policy, "{{start}}", string(start), "{{page}}", packed[0], "{{engine}}", packed[1]).Replace(string(template))
	return []byte(text), nil
}

// entry is one file in the offline file.
type entry struct {
	name    string
	content []byte
}

// types are those of the files in the offline file; WebAssembly insists on its own.
var types = map[string]string{".css": "text/css", ".csv": "text/csv", ".js": "text/javascript", ".txt": "text/plain; charset=utf-8", ".wasm": "application/wasm"}

// offlineScript bundles one entry point and all it imports, now or later, as
// one classic script: a module cannot be imported from a file.
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
		Plugins:           []api.Plugin{ownFiles},
		Target:            api.ES2022,
	})
	if err != nil {
		return nil, err
	}
	return bytes.TrimSpace(outputs[0].content), nil
}

// ownFiles lets the offline file's scripts get their files from src/offline/site.ts.
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

// pack returns a script element that no browser runs, which holds the entries:
// their names, types and sizes in data-files, their bytes, one after the other,
// packed in its text. Its data-key tells what the text was packed from and by.
func pack(web, name string, entries []entry, before []byte) (string, error) {
	var all []byte
	var list [][3]any
	for _, e := range entries {
		list = append(list, [3]any{e.name, types[filepath.Ext(e.name)], len(e.content)})
		all = append(all, e.content...)
	}
	key := sha256.New()
	for _, path := range []string{"build/pack.mjs", "build/delta.go", "build/offline.go", "package-lock.json"} {
		content, err := os.ReadFile(filepath.Join(web, path))
		if err != nil {
			return "", err
		}
		key.Write(content)
	}
	key.Write(all)
	about, err := json.Marshal(list)
	if err != nil {
		return "", err
	}
	head := fmt.Sprintf(`<script type="text/plain" data-part="%s" data-key="%s"`, name, hex.EncodeToString(key.Sum(nil)[:16]))
	text := regexp.MustCompile(regexp.QuoteMeta(head) + ` data-files='[^']*'>\n([^<]*)</script>`).FindSubmatch(before)
	if text == nil {
		packed, err := lzma(web, delta(all))
		if err != nil {
			return "", err
		}
		text = [][]byte{nil, base91(packed)}
	}
	return fmt.Sprintf("%s data-files='%s'>\n%s</script>", head, about, text[1]), nil
}

func lzma(web string, content []byte) ([]byte, error) {
	cmd := exec.Command("node", filepath.Join("build", "pack.mjs"))
	cmd.Dir = web
	cmd.Stdin = bytes.NewReader(content)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	packed, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("web/build/pack.mjs: %w: %s", err, bytes.TrimSpace(complaint.Bytes()))
	}
	return packed, nil
}

// digits are those of basE91 here: ASCII's printable characters but for those
// that mean something in HTML.
const digits = `!"#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_` + "`abcdefghijklmnopqrstuvwxyz{|}~"

const lineLength = 2000 // of its text: an editor opens a file of such lines

// base91 returns content as text that can stand in HTML, in lines: two
// characters for 13 bits, or for 14 where that is still possible, 23 % more
// bytes where base64 takes 33 % more.
func base91(content []byte) []byte {
	text := make([]byte, 0, len(content)*5/4+len(content)/lineLength+8)
	column := 0
	write := func(digit int) {
		text = append(text, digits[digit])
		if column++; column == lineLength {
			text = append(text, '\n')
			column = 0
		}
	}
	bits, count := 0, 0
	for _, b := range content {
		bits |= int(b) << count
		if count += 8; count <= 13 {
			continue
		}
		value, used := bits&8191, 13
		if value <= 88 {
			value, used = bits&16383, 14
		}
		write(value % 91)
		write(value / 91)
		bits >>= used
		count -= used
	}
	if count > 0 {
		write(bits % 91)
		if count > 7 || bits > 90 {
			write(bits / 91)
		}
	}
	return text
}
