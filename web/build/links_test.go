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

// The page parses links with web/src/spec.ts over the generated table of
// fields. It must read and write them exactly as core/spec does; the examples
// are core/spec's own.
func TestThePageReadsAndWritesLinksAsGoDoes(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not on PATH, so web/src/spec.ts cannot run")
	}
	require.NoError(t, writeChanged("../src/spec.gen.ts", specTypes()))
	module := filepath.Join(t.TempDir(), "spec.mjs")
	result := api.Build(api.BuildOptions{EntryPoints: []string{"../src/spec.ts"}, Bundle: true, Format: api.FormatESModule, Outfile: module, Write: true})
	require.Empty(t, result.Errors)

	examples, err := os.ReadFile("../../core/spec/testdata/links.json")
	require.NoError(t, err)
	var links []struct{ Query string }
	require.NoError(t, json.Unmarshal(examples, &links))

	script := `const { parse, encode } = await import(process.argv[1]);
		const links = JSON.parse(process.argv[2]);
		console.log(JSON.stringify(links.map(({ query }) => {
			const { spec, notices } = parse(query);
			return { encoded: encode(spec), again: encode(parse(encode(spec)).spec), notices: notices.map((n) => n.message) };
		})));`
	node := exec.Command("node", "--input-type=module", "-e", script, module, string(examples))
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
		s, notices := spec.Parse(l.Query)
		messages := []string{}
		for _, n := range notices {
			messages = append(messages, n.Message)
		}
		slices.Sort(messages)
		slices.Sort(page[i].Notices)
		assert.Equal(t, s.Encode(), page[i].Encoded, "query %q", l.Query)
		assert.Equal(t, s.Encode(), page[i].Again, "query %q", l.Query)
		assert.Equal(t, messages, page[i].Notices, "query %q", l.Query)
	}
}
