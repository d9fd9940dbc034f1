package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/spec"
)

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
	unpacked := must(gzip.NewReader(bytes.NewReader(must(packedPackage(files)))))
	content := map[string]string{}
	for packed := tar.NewReader(unpacked); ; {
		head, err := packed.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		name, found := strings.CutPrefix(head.Name, "package/")
		require.True(t, found, "npm takes the first folder away")
		file := must(io.ReadAll(packed))
		content[name] = string(file)
	}
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
