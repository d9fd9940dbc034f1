package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/spec"
)

// laid makes a folder of files at a time of its own, in an order of its own.
func laid(t *testing.T, top string, files map[string]string, at time.Time) {
	t.Helper()
	for name, content := range files { // Go's maps come in any order
		name = filepath.Join(top, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(content), 0o600))
		require.NoError(t, os.Chtimes(name, at, at))
	}
}

// checkout links what a release takes from the repository into a folder with a site of
// its own.
func checkout(t *testing.T, at time.Time) string {
	t.Helper()
	top := t.TempDir()
	here := must(filepath.Abs("../.."))
	for _, name := range append([]string{"core", "server", "go.mod", "go.sum"}, documents...) {
		require.NoError(t, os.Symlink(filepath.Join(here, name), filepath.Join(top, name)))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(top, "web"), 0o755))
	require.NoError(t, os.Symlink(filepath.Join(here, "web", "embed.go"), filepath.Join(top, "web", "embed.go")))
	laid(t, top, map[string]string{
		"web/dist/.gitkeep": "", "web/dist/index.html": "<p>page", "web/dist/ifm-lab.tgz": "package", "web/dist/a/engine.wasm": "engine", "web/dist/a/engine.wasm.br": "e",
		"programs/linux/amd64/ifm": "elf", "programs/linux/amd64/ifmlab": "elf2", "programs/windows/arm64/ifm.exe": "pe", "programs/windows/arm64/ifmlab.exe": "pe2",
	}, at)
	return top
}

func TestAReleaseIsTheSameBytesWhereverAndWheneverItIsPacked(t *testing.T) {
	var releases [2]map[string]string
	for i, at := range []time.Time{time.Unix(1e9, 0), time.Now()} {
		top := checkout(t, at)
		folder := filepath.Join(top, "release")
		require.NoError(t, packRelease(top, filepath.Join(top, "programs"), folder))
		releases[i] = map[string]string{}
		require.NoError(t, fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				content, err := os.ReadFile(filepath.Join(folder, name))
				releases[i][name] = string(content)
				return err
			}
			return err
		}))
		assert.ErrorContains(t, packRelease(top, filepath.Join(top, "programs"), folder), "is there already, perhaps of another version; empty the folder first")
	}
	assert.Equal(t, releases[0], releases[1])

	version := must(versionOf("../.."))
	element, linux, windows, site := "ifm-lab-"+version+".tgz", "ifmlab-"+version+"-linux-amd64", "ifmlab-"+version+"-windows-arm64", "ifmlab-site-"+version+".zip"
	assert.Equal(t, "package", releases[0][element])
	assert.Equal(t, []string{"SHA256SUMS", element, linux + ".tar.gz", windows + ".zip", site}, slices.Sorted(maps.Keys(releases[0])))
	var sums string
	for _, name := range []string{element, linux + ".tar.gz", windows + ".zip", site} {
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(releases[0][name])), name)
	}
	assert.Equal(t, sums, releases[0]["SHA256SUMS"])

	assert.Equal(t, []string{"a/engine.wasm", "a/engine.wasm.br", "ifm-lab.tgz", "index.html"}, slices.Sorted(maps.Keys(unzipped(t, releases[0][site]))))
	programs := unzipped(t, releases[0][windows+".zip"])
	assert.Equal(t, "pe2", programs[windows+"/ifmlab.exe"])
	_, modes := untarred(t, releases[0][linux+".tar.gz"], linux+"/")
	assert.Equal(t, map[string]int64{"ifm": 0o755, "ifmlab": 0o755, "CHANGELOG.md": 0o644, "CITATION.cff": 0o644, "LICENSE": 0o644, "licenses.txt": 0o644}, modes)
	for _, module := range []string{"Go (BSD-3-Clause)", "gonum.org/v1/gonum v", "github.com/klauspost/compress v"} {
		assert.Contains(t, programs[windows+"/licenses.txt"], "\n"+module)
	}
	assert.NotContains(t, programs[windows+"/licenses.txt"], "esbuild", "which builds and is not in what is built")
}

func unzipped(t *testing.T, packed string) map[string]string {
	t.Helper()
	z := must(zip.NewReader(strings.NewReader(packed), int64(len(packed))))
	files := map[string]string{}
	for _, f := range z.File {
		content := must(io.ReadAll(must(f.Open())))
		files[f.Name] = string(content)
	}
	return files
}

// untarred returns the contents and modes of the files of a .tar.gz, all in a folder.
func untarred(t *testing.T, packed, folder string) (content map[string]string, modes map[string]int64) {
	t.Helper()
	content, modes = map[string]string{}, map[string]int64{}
	for files := tar.NewReader(must(gzip.NewReader(strings.NewReader(packed)))); ; {
		head, err := files.Next()
		if err == io.EOF {
			return content, modes
		}
		require.NoError(t, err)
		name, found := strings.CutPrefix(head.Name, folder)
		require.True(t, found, head.Name)
		content[name], modes[name] = string(must(io.ReadAll(files))), head.Mode
	}
}

func TestNothingIsReleasedWithoutThePageOrPrograms(t *testing.T) {
	top := checkout(t, time.Now())
	none := t.TempDir()
	assert.EqualError(t, packRelease(top, none, filepath.Join(none, "release")), none+" holds no programs; run make release")
	require.NoError(t, os.Remove(filepath.Join(top, "web", "dist", "index.html")))
	assert.EqualError(t, packRelease(top, filepath.Join(top, "programs"), filepath.Join(none, "release")), "web/dist holds no index.html; run make build first")
}

// Who has the module gets the programs by go install, with no network, no page built and
// nothing from outside the module: what is committed is enough. The same bytes come from
// two folders, with -short only one.
func TestGoInstallsTheProgramsOutsideACheckout(t *testing.T) {
	listed, err := exec.Command("git", "-C", "../..", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("not run: this is no git repository")
	}
	programs := make([][]byte, 2)
	if testing.Short() {
		programs = programs[:1]
	}
	for i := range programs {
		top := t.TempDir()
		for name := range strings.SplitSeq(strings.Trim(string(listed), "\x00"), "\x00") {
			content, err := os.ReadFile(filepath.Join("../..", name))
			if os.IsNotExist(err) {
				continue // deleted, and not yet committed
			}
			require.NoError(t, err)
			laid(t, filepath.Join(top, "ifmlab"), map[string]string{name: string(content)}, time.Now())
		}
		sums := must(os.ReadFile("../../go.sum"))
		laid(t, filepath.Join(top, "mine"), map[string]string{
			"go.mod": "module mine\n\ngo 1.26\n\nrequire ifmlab v0.0.0\n\nreplace ifmlab => ../ifmlab\n",
			"go.sum": string(sums),
		}, time.Now())
		install := exec.Command("go", "install", "-trimpath", "ifmlab/core/cmd/ifm", "ifmlab/server")
		install.Dir = filepath.Join(top, "mine")
		install.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "CGO_ENABLED=0", "GOBIN="+filepath.Join(top, "bin"))
		said, err := install.CombinedOutput()
		require.NoError(t, err, "%s", said)
		programs[i] = append(must(os.ReadFile(filepath.Join(top, "bin", "ifm"))), must(os.ReadFile(filepath.Join(top, "bin", "server")))...)
		version := must(exec.Command(filepath.Join(top, "bin", "ifm"), "version").Output())
		want := must(versionOf("../.."))
		assert.Equal(t, "ifm "+want+"\n", string(version))
	}
	last := programs[len(programs)-1]
	assert.True(t, bytes.Equal(programs[0], last), "%d and %d bytes", len(programs[0]), len(last))
}

func TestWhatIsCitedAndToldOfIsThisVersion(t *testing.T) {
	version := must(versionOf("../.."))
	for name, line := range map[string]string{"CITATION.cff": "\nversion: " + version + "\n", "CHANGELOG.md": "\n## [" + version + "] - "} {
		assert.Contains(t, string(must(os.ReadFile(filepath.Join("../..", name)))), line, "%s names core.Version", name)
	}
}

func TestTheQuartoExtensionUnpacksToItsFilesAndHoldsNoTimes(t *testing.T) {
	packed := must(archive(os.DirFS("../quarto")))
	elsewhere := t.TempDir()
	require.NoError(t, os.CopyFS(elsewhere, os.DirFS("../quarto")))
	for _, name := range []string{"README.txt", "_extensions/ifm-lab/ifm-lab.lua"} {
		require.NoError(t, os.Chtimes(filepath.Join(elsewhere, name), time.Unix(1e9, 0), time.Unix(1e9, 0)))
	}
	assert.Equal(t, packed, must(archive(os.DirFS(elsewhere))))

	files := unzipped(t, string(packed))
	for name, content := range files {
		assert.Equal(t, string(must(os.ReadFile(filepath.Join("../quarto", name)))), content, name)
	}
	assert.Len(t, files, 3)
}

func TestTheElementsPackageNamesEverySettingAndEventOnce(t *testing.T) {
	needsBuild(t)
	files := must(packageFiles("../.."))
	types := string(files["ifm-lab.d.ts"])
	assert.True(t, utf8.ValidString(types))
	var manifest struct {
		SchemaVersion string
		Modules       []struct {
			Path         string
			Declarations []struct {
				Attributes, Members, Events []struct{ Name, Description, FieldName, Attribute, Default string }
			}
		}
	}
	require.NoError(t, json.Unmarshal(files["custom-elements.json"], &manifest))
	require.Len(t, manifest.Modules, 1)
	assert.Contains(t, files, manifest.Modules[0].Path)
	element := manifest.Modules[0].Declarations[0]
	for i, f := range slices.Concat(fieldsOf(spec.Fields), fieldsOf(spec.ViewFields())) {
		assert.Equal(t, 1, strings.Count(types, "  get "+f.Key+"(): "), f.Key)
		assert.Equal(t, 1, strings.Count(types, "  "+f.Key+"?: "), f.Key)
		assert.Equal(t, 1, strings.Count(string(files["README.md"]), "\n| `"+f.Key+"` | "), f.Key)
		attribute := element.Attributes[len(ownProperties)+i]
		assert.Equal(t, f.Key+"="+f.Default, attribute.Name+"="+attribute.Default)
		assert.Equal(t, f.Key, element.Members[len(ownProperties)+i].Attribute)
		assert.NotContains(t, f.Doc, "*/", "a doc ends no comment")
	}
	assert.Contains(t, types, "get d(): number | null;\n  set d(value: number | `${number}` | null | undefined);")
	assert.Contains(t, types, "  readonly sentence: string;\n  readonly numbers: readonly { readonly of: Whose; readonly value: number }[];\n}")
	assert.Contains(t, types, "  /** from 0; on a table several are tried */\n  readonly candidate: number;")
	require.Len(t, element.Events, len(elementEvents))
	for i, event := range elementEvents {
		assert.Equal(t, "ifm-"+event.name, element.Events[i].Name)
		assert.Contains(t, types, "\"ifm-"+event.name+"\": CustomEvent<"+detail(event.name)+">;")
	}
	messages := must(os.ReadFile("../src/embed/messages.ts"))
	assert.Equal(t, len(elementEvents), strings.Count(string(messages), "\n  | { readonly type: "), "every message of a frame is an event")
	assert.NotContains(t, string(files["ifm-lab.js"]), "import.meta", "a bundler's address is not the lab's")
	assert.NotRegexp(t, `https?://[a-z]`, string(files["ifm-lab.js"]), "it points to no host")
}

func TestTheElementsPackagePacksExactlyItsFiles(t *testing.T) {
	needsBuild(t)
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("not run: npm was not found")
	}
	files := must(packageFiles("../.."))
	dir := writeTree(t, map[string]string{"old.d.ts": "gone with the next build"})
	require.NoError(t, placePackage(dir, files))
	content, _ := untarred(t, string(must(packedPackage(files))), "package/") // npm takes the first folder away
	cmd := exec.Command(npm, "pack", "--dry-run", "--json", "--offline")
	cmd.Dir = dir
	out := must(cmd.Output())
	var packed []struct {
		Name, Version string
		UnpackedSize  int
		Files         []struct{ Path string }
	}
	require.NoError(t, json.Unmarshal(out, &packed))
	var paths []string
	for _, file := range packed[0].Files {
		paths = append(paths, file.Path)
	}
	assert.ElementsMatch(t, slices.Collect(maps.Keys(content)), paths, "what a site hands out is what npm packs")
	for name, file := range files {
		assert.Equal(t, string(file), content[name], name)
	}
	assert.ElementsMatch(t, []string{"LICENSE", "README.md", "custom-elements.json", "ifm-lab.d.ts", "ifm-lab.js", "package.json", "react.d.ts", "svelte.d.ts", "vue.d.ts"}, paths)
	assert.Equal(t, "ifm-lab", packed[0].Name)
	assert.LessOrEqual(t, packed[0].UnpackedSize, int(packageBudget))
	var about struct {
		Exports     map[string]any
		Main, Types string
	}
	require.NoError(t, json.Unmarshal(files["package.json"], &about))
	for _, target := range append(targets(about.Exports), about.Main, about.Types) {
		assert.FileExists(t, filepath.Join(dir, target))
	}
}

// targets returns all paths that a package's exports lead to.
func targets(exports map[string]any) (paths []string) {
	for _, target := range exports {
		switch target := target.(type) {
		case string:
			paths = append(paths, target)
		case map[string]any:
			paths = append(paths, targets(target)...)
		}
	}
	return paths
}

func TestTheElementsTypesSayWhichDeclarationHasMoved(t *testing.T) {
	_, err := declarations(writeTree(t, map[string]string{
		"state/spec.ts":     "/** Told. */\nexport interface Notice {\n  readonly key: string; // as written\n}\n",
		"embed/messages.ts": "export type FromFrame =\n  | { readonly type: \"ready\"; readonly a: { readonly b: 1; readonly c: 2 } };\n",
	}))
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "Notice")
	assert.NotContains(t, err.Error(), `"ready"`)
	assert.ErrorContains(t, err, "web/src/training/training.ts exports no type Phase")
	assert.ErrorContains(t, err, `no line of FromFrame for "verdict"`)
	assert.Equal(t, []string{"readonly a: { readonly b: 1; readonly c: 2 }", "readonly d: 3"}, splitFields("readonly a: { readonly b: 1; readonly c: 2 }; readonly d: 3"))
}
