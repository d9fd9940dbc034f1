package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/spec"
)

// The page parses links with web/src/state/spec.ts over the generated tables of
// fields. It must read and write them exactly as core/spec does; the examples
// are core/spec's own.
func TestThePageReadsAndWritesLinksAsGoDoes(t *testing.T) {
	require.NoError(t, writeChanged("../src/state/spec.gen.ts", specTypes()))
	comparePage(t, "state/spec.ts", "spec", "links.json", func(query string) (string, []spec.Notice) {
		s, notices := spec.Parse(query)
		return s.Encode(), notices
	})
}

func TestThePageReadsAndWritesTheIonospheresLinksAsGoDoes(t *testing.T) {
	require.NoError(t, writeChanged("../src/state/spec.gen.ts", specTypes()))
	require.NoError(t, writeChanged("../src/lesson/vtec/settings.gen.ts", ionosphereTypes()))
	comparePage(t, "lesson/vtec/settings.ts", "ionosphere", "ionosphere.json", func(query string) (string, []spec.Notice) {
		s, notices := spec.ParseIonosphere(query)
		return s.Encode(), notices
	})
}

// comparePage holds parse and encode of a module of the page to what Go's say of
// examples; what parse calls the settings is their name.
func comparePage(t *testing.T, source, name, examples string, inGo func(query string) (encoded string, notices []spec.Notice)) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not on PATH, so web/src/" + source + " cannot run")
	}
	module := filepath.Join(t.TempDir(), "spec.mjs")
	result := api.Build(api.BuildOptions{EntryPoints: []string{"../src/" + source}, Bundle: true, Format: api.FormatESModule, Outfile: module, Write: true})
	require.Empty(t, result.Errors)

	content, err := os.ReadFile("../../core/spec/testdata/" + examples)
	require.NoError(t, err)
	var links []struct{ Query string }
	require.NoError(t, json.Unmarshal(content, &links))
	require.NotEmpty(t, links)

	script := `const [module, name, links] = process.argv.slice(1);
		const { parse, encode } = await import(module);
		console.log(JSON.stringify(JSON.parse(links).map(({ query }) => {
			const { [name]: settings, notices } = parse(query);
			return { encoded: encode(settings), again: encode(parse(encode(settings))[name]), notices: notices.map((n) => n.message) };
		})));`
	node := exec.Command("node", "--input-type=module", "-e", script, module, name, string(content))
	node.Stderr = os.Stderr
	out, err := node.Output()
	require.NoError(t, err)
	var page []struct {
		Encoded, Again string
		Notices        []string
	}
	require.NoError(t, json.Unmarshal(out, &page))
	require.Len(t, page, len(links))
	for i, l := range links {
		encoded, notices := inGo(l.Query)
		messages := []string{}
		for _, n := range notices {
			messages = append(messages, n.Message)
		}
		slices.Sort(messages)
		slices.Sort(page[i].Notices)
		assert.Equal(t, encoded, page[i].Encoded, "query %q", l.Query)
		assert.Equal(t, encoded, page[i].Again, "query %q", l.Query)
		assert.Equal(t, messages, page[i].Notices, "query %q", l.Query)
	}
}
