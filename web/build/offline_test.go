package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// runScript runs an expression in Node beside what source, a module in web/src,
// exports as `page`, and what it is given as `input`, and returns its value.
func runScript[T any](t *testing.T, source, expression string, input any) (printed T) {
	t.Helper()
	module := filepath.Join(t.TempDir(), "page.mjs")
	folder := must(filepath.Abs("../src"))
	scripts(t, api.BuildOptions{
		Stdin:   &api.StdinOptions{Contents: source, ResolveDir: folder, Loader: api.LoaderTS},
		Format:  api.FormatESModule,
		Outfile: module,
	})
	given := must(json.Marshal(input))
	node := exec.Command("node", "--input-type=module", "-e", `
		import { text } from "node:stream/consumers";
		const page = await import(process.argv[1]);
		const input = JSON.parse(await text(process.stdin));
		process.stdout.write(JSON.stringify(`+expression+`));`, module)
	node.Stdin = bytes.NewReader(given)
	node.Stderr = os.Stderr
	require.NoError(t, json.Unmarshal(must(node.Output()), &printed))
	return printed
}

const unpacker = `export { unpack } from "./offline/unpack.js";`

func TestWhatTheBuildPacksThePageUnpacks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 70_001)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	var texts []string
	contents := [][]byte{nil, {7}, []byte("ab"), make([]byte, 100_000), noise}
	for _, content := range contents {
		element := must(pack("page", []entry{{"a.csv", content[:len(content)/2]}, {"b.csv", content[len(content)/2:]}}))
		_, text, _ := strings.Cut(strings.TrimSuffix(element, "</script>"), ">\n")
		assert.Regexp(t, `^[\w+/=\n]+$`, text, "it can stand in HTML")
		for line := range strings.SplitSeq(text, "\n") {
			assert.LessOrEqual(t, len(line), lineLength)
		}
		texts = append(texts, text)
	}
	unpacked := runScript[[]string](t, unpacker, `await Promise.all(input.map(async (text) => Buffer.from(await (await page.unpack(text)).arrayBuffer()).toString("base64")))`, texts)
	for i, content := range contents {
		assert.True(t, base64.StdEncoding.EncodeToString(content) == unpacked[i], "content %d, %d bytes", i, len(content))
	}

	t.Run("and what is damaged or cut short it refuses", func(t *testing.T) {
		whole := texts[len(texts)-1]
		var damaged []string
		for _, part := range []int{0, 10, 24, len(whole) / 2, len(whole) - 3} {
			damaged = append(damaged, whole[:part])
		}
		for range 20 {
			at := 24 + random.IntN(len(whole)-32) // between gzip's head and the end's padding
			if whole[at] != '\n' {
				damaged = append(damaged, whole[:at]+string('A'+(whole[at]-'A'+1)%2)+whole[at+1:])
			}
		}
		refused := runScript[[]bool](t, unpacker, `await Promise.all(input.map((text) => page.unpack(text).then(() => false, () => true)))`, damaged)
		assert.NotContains(t, refused, false)
	})
}

// partOf returns the files that a part of an offline file holds, in their order.
func partOf(t *testing.T, file []byte, name string) (entries []entry) {
	t.Helper()
	found := regexp.MustCompile(`data-part="` + name + `" data-files='([^']*)'>\n([^<]*)</script>`).FindSubmatch(file)
	require.NotNil(t, found)
	var list [][3]any
	require.NoError(t, json.Unmarshal(found[1], &list))
	r := must(encodings[".gz"].decode(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(found[2]))))
	all := must(io.ReadAll(r))
	for _, about := range list {
		size := int(about[2].(float64))
		entries = append(entries, entry{about[0].(string), all[:size]})
		all = all[size:]
	}
	assert.Empty(t, all)
	return entries
}

func TestTheOfflineFileIsWholeAndTheSameEachTime(t *testing.T) {
	if testing.Short() {
		t.Skip("packs the page twice")
	}
	needsBuild(t)
	engine := []byte("\x00asm and more")
	files := map[string][]byte{"a/style.css": []byte(`p{src:url("./f.woff2")}`), "a/f.woff2": []byte("wOF2"), "a/worker.js": []byte("onmessage=0"), "licenses.txt": []byte("ours"), "samples/b.csv": []byte("b"), "samples/a.csv": []byte("a")}
	names := map[string]string{"style": "a/style.css", "worker": "a/worker.js"}
	file := must(offline("..", files, names, engine))
	assert.True(t, bytes.Equal(file, must(offline("..", files, names, engine))), "the same sources give the same bytes")

	text := string(file)
	for _, name := range []string{"policy", "start", "page", "engine"} {
		assert.False(t, strings.Contains(text, "{{"+name+"}}"), "%s is filled in", name)
	}
	start := regexp.MustCompile(`(?s)<script data-part="start">(.*?)</script>`).FindStringSubmatch(text)
	require.NotNil(t, start)
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)[1]
	assert.Contains(t, policy, "default-src 'none';")
	assert.Contains(t, policy, "script-src "+scriptHash([]byte(start[1]))+" 'sha256-")
	assert.NotRegexp(t, `script-src[^;]*(unsafe-inline|'unsafe-eval|self|http|blob)`, policy)
	assert.Contains(t, policy, "font-src data:;")
	assert.NotContains(t, policy, "connect-src")
	assert.Empty(t, regexp.MustCompile(`(?:src|href)="(?:[^d"][^"]*|d[^a][^"]*)"`).FindString(text), "it names no other file")
	assert.Less(t, strings.Index(text, "Content-Security-Policy"), strings.Index(text, "<script"), "the policy comes before what it is for")

	t.Run("it holds the files as they are served, and the script that the policy names", func(t *testing.T) {
		page := partOf(t, file, "page")
		require.Greater(t, len(page), 1)
		assert.Equal(t, "app.js", page[1].name)
		assert.Contains(t, policy, scriptHash(page[1].content)+" 'wasm-unsafe-eval'")
		others := slices.Delete(page, 1, 2)
		assert.Equal(t, []entry{{"style.css", []byte(`p{src:url("data:font/woff2;base64,d09GMg==")}`)}, {"worker.js", files["a/worker.js"]}, {"licenses.txt", files["licenses.txt"]}, {"samples/a.csv", files["samples/a.csv"]}, {"samples/b.csv", files["samples/b.csv"]}}, others)
		assert.Equal(t, []entry{{"engine.wasm", engine}}, partOf(t, file, "engine"))
	})
}

func TestAStateBakedIntoTheOfflineFileIsText(t *testing.T) {
	template := must(os.ReadFile("../src/offline/page.html"))
	states := []string{"scenario=mixed&d=30", `"><script>alert(1)</script>`, `' onload='x`, `a=$1$&&amp;=&quot;`, "ü=<!--"}
	baked := runScript[[]string](t, `export { bake } from "./offline/bake.js";`, `input.states.map((state) => page.bake(page.bake(input.text, "seed=1", "https://one.example/"), state, "https://two.example/?\"<"))`, map[string]any{"text": string(template), "states": states})
	state := regexp.MustCompile(`<meta name="ifm-lab" content="([^"<>]*)" data-home="([^"<>]*)" />`)
	for i, text := range baked {
		found := state.FindAllStringSubmatch(text, -1)
		require.Len(t, found, 1, text)
		assert.Equal(t, states[i], html.UnescapeString(found[0][1]))
		assert.Equal(t, `https://two.example/?"<`, html.UnescapeString(found[0][2]))
		before, after, _ := strings.Cut(string(template), `<meta name="ifm-lab" content="" />`)
		assert.Equal(t, before+found[0][0]+after, text, "all else is as it was")
	}
}
