//go:build !js

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// page is a small build, its compressed files not truly compressed, so that
// the body tells which one was sent.
var page = fstest.MapFS{
	".gitkeep":               {},
	"index.html":             {Data: []byte("<!doctype html>")},
	"index.html.br":          {Data: []byte("br page")},
	"index.html.gz":          {Data: []byte("gz page")},
	"licenses.txt":           {Data: []byte("licences")},
	"samples/cars.csv":       {Data: []byte("x,y\n1,2\n")},
	"a/app-AAAAAAAA.js":      {Data: []byte("plain script")},
	"a/app-AAAAAAAA.js.br":   {Data: []byte("br script")},
	"a/app-AAAAAAAA.js.gz":   {Data: []byte("gz script")},
	"a/style-BBBBBBBB.css":   {Data: []byte("body{}")},
	"a/engine-CCCCCCCC.wasm": {Data: []byte("\x00asm\x01\x00\x00\x00")},
	"a/math-DDDDDDDD.woff2":  {Data: []byte("wOF2")},
}

func newTestSite(t *testing.T) *site {
	t.Helper()
	return must(newSite(page))
}

// ask sends one request, its headers given as name, value, name, value.
func ask(t *testing.T, method, target string, headers ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	newTestSite(t).ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	return string(must(io.ReadAll(r.Body)))
}

func TestTheEncodingIsTheOneTheReaderLikesBest(t *testing.T) {
	for accept, want := range map[string]string{
		"":                             "plain",
		"gzip":                         "gz",
		"br":                           "br",
		"gzip, deflate, br, zstd":      "br",
		"GZIP":                         "gz",
		"br;q=0.5, gzip;q=0.9":         "gz",
		"br;q=0, gzip":                 "gz",
		"br; q=0.0, gzip ;q=0":         "plain",
		"br;q=0, gzip;q=0, identity":   "plain",
		"identity;q=1, br;q=0.5":       "plain",
		"*":                            "br",
		"*;q=0.1, br;q=0":              "gz",
		"identity;q=0":                 "plain", // nothing is left: better this than nothing
		"br;q=high":                    "plain",
		"br;q=7":                       "plain",
		"br;q=NaN":                     "plain",
		"deflate, zstd":                "plain",
		",;,=;q=,":                     "plain",
		"gzip;level=9;q=0.4, br;q=0.3": "gz",
	} {
		t.Run(accept, func(t *testing.T) {
			r := ask(t, "GET", "/a/app-AAAAAAAA.js", "Accept-Encoding", accept)
			got := body(t, r)
			assert.Equal(t, want+" script", got)
			assert.Equal(t, map[string]string{"br": "br", "gz": "gzip"}[want], r.Header.Get("Content-Encoding"))
			assert.Equal(t, "Accept-Encoding", r.Header.Get("Vary"))
			assert.EqualValues(t, len(got), r.ContentLength)
			assert.Equal(t, "text/javascript; charset=utf-8", r.Header.Get("Content-Type"))
		})
	}
}

func TestEveryEncodingHasAnETagOfItsOwn(t *testing.T) {
	tags := map[string]bool{}
	for _, accept := range []string{"", "gzip", "br"} {
		tag := ask(t, "GET", "/", "Accept-Encoding", accept).Header.Get("ETag")
		assert.Regexp(t, `^"[0-9a-f]{24}"$`, tag)
		tags[tag] = true

		again := ask(t, "GET", "/", "Accept-Encoding", accept, "If-None-Match", tag)
		assert.Equal(t, http.StatusNotModified, again.StatusCode)
		assert.Empty(t, body(t, again))
		assert.Equal(t, tag, again.Header.Get("ETag"))
	}
	assert.Len(t, tags, 3)
}

func TestAFileOfUnknownTypeIsRefusedAtTheStart(t *testing.T) {
	_, err := newSite(fstest.MapFS{"index.html": {}, "a/font.otf": {}})
	assert.EqualError(t, err, `a/font.otf: no content type for files that end in ".otf"`)
}

func TestRequestsOfTheWorkersHostBecomeLikeOurs(t *testing.T) {
	r := must(http.NewRequest("GET", "https://lab.example/a/app-AAAAAAAA.js?x=1", nil))
	r.Host, r.RequestURI, r.Body = "", "", nil
	r.Header = http.Header{"Accept-Encoding": {"br;q=0", " gzip"}, "If-Modified-Since": {"Sat", " 21 Nov 2026 02:00:00 GMT"}}
	n := normalized(r)
	assert.Equal(t, "br;q=0, gzip", n.Header.Get("Accept-Encoding"))
	assert.Equal(t, "Sat, 21 Nov 2026 02:00:00 GMT", n.Header.Get("If-Modified-Since"))
	assert.Equal(t, "lab.example", n.Host)
	assert.Equal(t, "/a/app-AAAAAAAA.js?x=1", n.RequestURI)
	assert.Equal(t, http.NoBody, n.Body)
	assert.Nil(t, r.Body, "the host's own request stays as it was")

	w := httptest.NewRecorder()
	newTestSite(t).ServeHTTP(w, n)
	assert.Equal(t, "gz script", w.Body.String())
}

func TestTheAssetStoreGetsPlainFilesAndTheSameHeaders(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, run(t.Context(), []string{"-assets", dir}, noEnvironment, io.Discard, io.Discard, page))
	assert.Equal(t, "plain script", string(must(os.ReadFile(filepath.Join(dir, "a", "app-AAAAAAAA.js")))))
	assert.Equal(t, "br script", string(must(os.ReadFile(filepath.Join(dir, "a", "app-AAAAAAAA.js.br")))))
	ignored := must(os.ReadFile(filepath.Join(dir, ".assetsignore")))
	assert.Contains(t, string(ignored), "*.br\n", "Cloudflare compresses by itself")
	assert.NoFileExists(t, filepath.Join(dir, ".gitkeep"))

	rules := must(os.ReadFile(filepath.Join(dir, "_headers")))
	for _, want := range []string{
		"/*\n  Access-Control-Allow-Origin: *\n",
		"\n  Cache-Control: no-cache\n",
		"\n/a/app-AAAAAAAA.js\n  ! Cache-Control\n  Cache-Control: public, max-age=31536000, immutable\n  Content-Type: text/javascript; charset=utf-8\n",
	} {
		assert.Contains(t, string(rules), want)
	}
	for line := range strings.Lines(string(rules)) {
		assert.LessOrEqual(t, len(line), 2000, "Cloudflare drops longer lines")
	}
	assert.NotContains(t, string(rules), "/a/*", "a missing file would be immutable too")
}

func noEnvironment(string) string { return "" }

func TestTheServerPrintsItsAddressAnswersAndStopsWhenAsked(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	printed, out := io.Pipe()
	ended := make(chan error, 1)
	var log written
	go func() { ended <- run(ctx, []string{"-addr", "127.0.0.1:0"}, noEnvironment, out, &log, page) }()

	address := strings.Fields(strings.TrimPrefix(must(bufio.NewReader(printed).ReadString('\n')), "iFM Lab is at "))[0]
	r := must(http.Get(address + "healthz"))
	assert.Equal(t, "ok\n", body(t, r))
	r.Body.Close()

	environment := map[string]string{"ADDR": strings.Trim(strings.TrimPrefix(address, "http://"), "/")}
	err := run(t.Context(), nil, func(name string) string { return environment[name] }, io.Discard, io.Discard, page)
	assert.ErrorContains(t, err, "another program listens on 127.0.0.1:", "the address may come from the environment")

	stop()
	select {
	case err := <-ended:
		assert.NoError(t, err)
	case <-time.After(time.Minute):
		t.Fatal("the server did not stop")
	}
	var told []any
	for _, line := range log.lines(t) {
		told = append(told, line["msg"])
	}
	assert.Equal(t, []any{"start", "request", "stopping", "stop"}, told)
}

func TestAnAddressIsOneThatABrowserOpens(t *testing.T) {
	for _, c := range []struct {
		ip   string
		want string
	}{
		{"127.0.0.1", "http://127.0.0.1:8080/"},
		{"::1", "http://[::1]:8080/"},
		{"0.0.0.0", "http://localhost:8080/"},
		{"::", "http://localhost:8080/"},
	} {
		assert.Equal(t, c.want, address(&net.TCPAddr{IP: net.ParseIP(c.ip), Port: 8080}))
	}
}

func TestAServerWithoutAPageSaysWhatToDo(t *testing.T) {
	empty := fstest.MapFS{".gitkeep": {}}
	for _, flag := range []string{"-version", "-assets=" + t.TempDir()} {
		err := run(t.Context(), []string{flag}, noEnvironment, io.Discard, io.Discard, empty)
		assert.EqualError(t, err, withoutPage)
	}
	err := run(t.Context(), []string{"-site", t.TempDir()}, noEnvironment, io.Discard, io.Discard, page)
	assert.ErrorContains(t, err, "holds no index.html; give the folder that the built page is in")

	out, in := io.Pipe()
	var log written
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"-addr", "127.0.0.1:0", "-log=false"}, noEnvironment, in, &log, empty)
	}()
	address := regexp.MustCompile("http://[^/]+").FindString(must(bufio.NewReader(out).ReadString('\n')))
	for target, says := range map[string]string{"/": "This server holds no page yet.", "/?seed=7": "-site FOLDER", "/healthz": "run make build", "/a/x.js": "make build"} {
		r := must(http.Get(address + target))
		assert.Equal(t, http.StatusServiceUnavailable, r.StatusCode, target)
		assert.Equal(t, "no-store", r.Header.Get("Cache-Control"))
		assert.Contains(t, body(t, r), says, target)
		r.Body.Close()
	}
	stop()
	require.NoError(t, <-ended)
	assert.Equal(t, withoutPage+"\n", log.String())
}

func TestAFolderTakesThePlaceOfTheProgramsOwnPage(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "index.html"), []byte("another"), 0o644))
	var version, own bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-site", folder, "-version"}, noEnvironment, &version, io.Discard, page))
	require.NoError(t, run(t.Context(), []string{"-version"}, noEnvironment, &own, io.Discard, page))
	assert.NotEqual(t, own.String(), version.String())
}

func TestArgumentsThatAreNoFlagsAreRefused(t *testing.T) {
	err := run(t.Context(), []string{"8080"}, noEnvironment, io.Discard, io.Discard, page)
	assert.EqualError(t, err, `found the argument "8080", expected only flags. See -help`)
}

func TestWhereNothingIsThePageOfThatIsShown(t *testing.T) {
	s := must(newSite(fstest.MapFS{"index.html": {}, "404.html": {Data: []byte("lost")}, "404.html.br": {Data: []byte("br lost")}}))
	for accept, want := range map[string]string{"": "lost", "br": "br lost"} {
		for _, method := range []string{"GET", "HEAD"} {
			r := httptest.NewRequest(method, "/nothing", nil)
			r.Header.Set("Accept-Encoding", accept)
			r.Header.Set("If-None-Match", "*")
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			assert.Equal(t, http.StatusNotFound, w.Code)
			if method == "HEAD" {
				assert.Empty(t, w.Body.String())
			} else {
				assert.Equal(t, want, w.Body.String())
			}
			assert.Equal(t, strconv.Itoa(len(want)), w.Header().Get("Content-Length"))
			assert.Equal(t, "no-cache", w.Header().Get("Cache-Control"))
		}
	}
}

func TestAFileThatCannotBeReadIsAnErrorAndNoPanic(t *testing.T) {
	files := fstest.MapFS{"index.html": {}, "licenses.txt": {Data: []byte("licences")}}
	s := must(newSite(files))
	delete(files, "licenses.txt")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/licenses.txt", nil))
	assert.Equal(t, http.StatusInternalServerError, w.Code)
	assert.Empty(t, w.Header().Get("ETag"))
	assert.Equal(t, "no-store", w.Header().Get("Cache-Control"))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestEveryCardHasAPictureAndSaysWhatIsInIt(t *testing.T) {
	files := must(os.ReadDir("../web/cards"))
	var names []string
	for _, file := range files {
		name, is := strings.CutSuffix(file.Name(), ".png")
		require.True(t, is, file.Name())
		names = append(names, name)
		about := must(png.DecodeConfig(bytes.NewReader(must(os.ReadFile("../web/cards/" + file.Name())))))
		assert.Equal(t, []int{pictureWidth, pictureHeight}, []int{about.Width, about.Height}, name)
	}
	assert.ElementsMatch(t, names, slices.Collect(maps.Keys(pictures)))
	for name, p := range pictures {
		for _, query := range p.links {
			assert.Equal(t, name, readLink(query).card().picture, query)
		}
	}
}

func TestALinkHasThePictureOfItsNumbersOrNone(t *testing.T) {
	for query, want := range map[string]string{
		"theme=dark&scale=linear&hide=maps&speed=slow": "flipped",
		"d=30&seed=1":                          "flipped",
		"seed=2":                               "",
		"models=ifm":                           "",
		"scenario=mixed&d=40":                  "",
		"source=table&sample=cars&seed=3":      "",
		"source=table&sample=cars&target=Year": "",
		"source=table&sample=penguins":         "",
		"source=table":                         "",
		"chapter=spectrum&spectrum.guess=2&spectrum.then=1&d=50": "spectrum",
		"chapter=spectrum&spectrum.d=10":                         "",
		"chapter=psd":                                            "", // of ten trials of 100 columns
		"chapter=break":                                          "", // of another M
		"chapter=break&break.m=0,0,1,1,1,0,1,1,1,1,1,1,0,0,0&break.draws=10&break.guess=0": "break",
	} {
		assert.Equal(t, want, readLink(query).card().picture, query)
	}
}

// What the addresses of [spec.ParseLink] have, and of a chapter's settings the last harmless one.
func TestALinkHasOneForm(t *testing.T) {
	for query, want := range map[string]string{
		"theme=dark&scenario=mixed&embed=1":              "scenario=mixed&embed=1&theme=dark",
		"psd.d=50&interaction.m=1.5e-3&psd.d=60":         "interaction.m=1.5e-3&psd.d=60",
		"psd.=1&psd=2&psd.d=%22&nope.d=1&psd.a%20b=1":    "",
		"sweep=rank&ratios=1,2":                          "ratios=1,2",
		"psd.d=" + strings.Repeat("1", 101):              "",
		"psd.d=" + strings.Repeat("1", 100) + "&&=&=x&d": "psd.d=" + strings.Repeat("1", 100),
	} {
		got := readLink(query).Encode()
		assert.Equal(t, want, got, "query %q", query)
		assert.Equal(t, got, readLink(got).Encode(), "query %q", query)
	}
}

// Every card has the same elements and attributes, its picture apart, so that whatever a link
// carries, there are as many <, > and " as in the card of no link at all.
func FuzzNothingInALinkBecomesMarkup(f *testing.F) {
	for _, seed := range []string{
		`source=table&target=<script>alert(1)</script>&sample="><`, `chapter=psd&psd.d="><img src=x onerror=alert(1)>`,
		`source=table&target=%22%3E%3Csvg%20onload=x%3E`, `theme='"&hide="<`, `source=table&ignore=%00%0d%0a%e2%80%a8`,
	} {
		f.Add(seed)
	}
	count := func(text string) [4]int {
		return [4]int{strings.Count(text, "<"), strings.Count(text, ">"), strings.Count(text, `"`), strings.Count(text, "\n")}
	}
	const at = "https://lab.example"
	plain, pictured := count(readLink("d=5").html(at, "../")), count(readLink("").html(at, "../"))
	f.Fuzz(func(t *testing.T, query string) {
		l := readLink(query)
		if strings.Trim(l.Encode(), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~,%&=") != "" {
			t.Fatalf("%q became %q", query, l.Encode())
		}
		want := plain
		if l.card().picture != "" {
			want = pictured
		}
		if got := count(l.html(at, "../")); got != want {
			t.Fatalf("%q makes %v of < > \" and lines, want %v", query, got, want)
		}
		var answer struct{ Version, Type, HTML, Title string }
		if err := json.Unmarshal([]byte(l.frame(at, 800, 720)), &answer); err != nil || strings.Count(answer.HTML, "<") != 2 {
			t.Fatalf("%q gives %v, %q", query, err, answer.HTML)
		}
	})
}

func TestQuotedTextIsWhatJSONReads(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	runes := []rune("aZ09 \"\\/<>&'\b\f\n\r\t\x00\x1f\x7f\u2028\u2029äπ🚲�")
	for range 2000 {
		var text strings.Builder
		for range rng.IntN(12) {
			text.WriteRune(runes[rng.IntN(len(runes))])
		}
		var got string
		require.NoError(t, json.Unmarshal([]byte(quote(text.String())), &got), "%q", text.String())
		assert.Equal(t, text.String(), got)
		assert.NotRegexp(t, `[<>&'\x00-\x1f]`, quote(text.String()))
	}
	var got string
	require.NoError(t, json.Unmarshal([]byte(quote("a\xffb")), &got))
	assert.Equal(t, "a\uFFFDb", got)
}

func TestOnlyHostsPassForHosts(t *testing.T) {
	for _, good := range []string{"lab.example", "LAB.example:8080", "127.0.0.1:80", "[::1]:8080", "[::1]", "my_host", "xn--bcher-kva.example", strings.Repeat("a", 255)} {
		assert.True(t, isHost(good), good)
	}
	for _, bad := range []string{
		"", ":80", "a:", "a:b", "a b", "a/b", "a?b", "a#b", "me@a", "a'b", `a"b`, "a<b", "a&b", "a;b", "a,b", "a%41", "[::1", "::1", "[x]", "bücher.example", "a\nb", strings.Repeat("a", 256),
	} {
		assert.False(t, isHost(bad), bad)
	}
}

// serveLocally serves as the program does, until the test ends.
func serveLocally(t *testing.T, handler http.Handler) (address string) {
	t.Helper()
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	ctx, stop := context.WithCancel(t.Context())
	log := slog.New(slog.DiscardHandler)
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, newServer(handler, log, false), listener, log) }()
	t.Cleanup(func() {
		stop()
		assert.NoError(t, <-ended)
	})
	return "http://" + listener.Addr().String() + "/"
}

func TestOptionsComeFromFlagsElseFromTheEnvironment(t *testing.T) {
	environment := map[string]string{"ADDR": ":1", "ORIGIN": "https://lab.example/", "OPEN": "true"}
	getenv := func(name string) string { return environment[name] }
	o := must(readOptions([]string{"-log=false"}, getenv, io.Discard))
	assert.Equal(t, options{addr: ":1", origin: "https://lab.example", open: true}, o)

	o = must(readOptions([]string{"-addr", ":2", "-origin", "http://[::1]:8080", "-open=false", "-log"}, getenv, io.Discard))
	assert.Equal(t, options{addr: ":2", origin: "http://[::1]:8080", log: true}, o)

	o = must(readOptions(nil, noEnvironment, io.Discard))
	assert.Equal(t, options{addr: "127.0.0.1:8080", log: true}, o, "what is no terminal gets a log")

	environment = map[string]string{"OPEN": "please"}
	_, err := readOptions(nil, getenv, io.Discard)
	assert.EqualError(t, err, `the environment variable OPEN is "please", expected true or false`)
}

func TestAnOriginIsASchemeAndAHost(t *testing.T) {
	assert.NoError(t, newTestSite(t).setOrigin("https://lab.example/ifm"), "a site without a page of what is missing")
	for _, bad := range []string{"lab.example", "https://", "ftp://lab.example", "https://lab.example/a b", "https://lab.example//a", "https://lab.example/a//b", "https://lab.example/../a", "https://lab.example//", "https://lab.example/a%41", "https://lab.example?x", "https://lab.example#x", "https://me@lab.example", "https://lab.example:x", "HTTPS://lab.example", "javascript:alert(1)", "https://a\"b"} {
		_, err := readOrigin(bad)
		assert.ErrorContains(t, err, "expected a scheme, a host and possibly a folder of letters, digits and -._~, such as https://lab.example", bad)
	}
}

func TestTheOriginStandsInEveryAddressAndLetsAnswersBeKept(t *testing.T) {
	s := newTestSite(t)
	s.origin = "https://lab.example"
	for _, target := range []string{"/p/d=30", "/oembed?url=https://lab.example/p/d=30"} {
		r := httptest.NewRequest("GET", target, nil)
		r.Host = "evil.example"
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		assert.Equal(t, http.StatusOK, w.Code)
		assert.Contains(t, w.Body.String(), "https://lab.example/cards/flipped.png")
		assert.NotContains(t, w.Body.String(), "evil")
		assert.Equal(t, "public, max-age=300", w.Header().Get("Cache-Control"))
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/oembed?url=http://lab.example/p/d=5", nil))
	assert.Equal(t, http.StatusNotFound, w.Code, "an origin is a scheme, too")
}

func TestNoSchemeButHTTPIsTakenFromARequest(t *testing.T) {
	for target, want := range map[string]string{"javascript://lab.example/p/d=5": "http", "http://lab.example/p/d=5": "http", "https://lab.example/p/d=5": "https"} {
		card := body(t, ask(t, "GET", target))
		assert.Contains(t, card, `content="`+want+`://lab.example/p/d=5"`, target)
		assert.NotContains(t, card, "javascript", target)
	}
}

// written is where several goroutines write.
type written struct {
	sync.Mutex
	bytes.Buffer
}

func (w *written) Write(p []byte) (int, error) {
	w.Lock()
	defer w.Unlock()
	return w.Buffer.Write(p)
}

func (w *written) lines(t *testing.T) (lines []map[string]any) {
	t.Helper()
	w.Lock()
	defer w.Unlock()
	for line := range strings.Lines(w.String()) {
		var fields map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &fields), line)
		lines = append(lines, fields)
	}
	return lines
}

func TestTheLogTellsWhatWasAnsweredAndNoSettings(t *testing.T) {
	var out written
	handler := withLog(newTestSite(t), newLog(&out, true))
	for _, target := range []string{"/?target=secret", "/p/source=table&target=secret?secret", "/oembed?url=secret", "/nothing", "/P/target=secret", "/" + strings.Repeat("é", 300)} {
		r := httptest.NewRequest("GET", target, nil)
		r.Header.Set("User-Agent", "secret")
		r.RemoteAddr = "192.0.2.7:1234"
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	lines := out.lines(t)
	require.Len(t, lines, 6)
	for i, want := range []struct {
		path   string
		status float64
	}{{"/", 200}, {"/p/", 200}, {"/oembed", 404}, {"/nothing", 404}, {"/P/target", 404}, {"/" + strings.Repeat("é", 49) + "…", 404}} {
		assert.Equal(t, want.path, lines[i]["path"])
		assert.Equal(t, want.status, lines[i]["status"])
		assert.Equal(t, "GET", lines[i]["method"])
		assert.Equal(t, "request", lines[i]["msg"])
		assert.Greater(t, lines[i]["bytes"], 0.)
		assert.Contains(t, lines[i], "ms")
	}
	assert.NotContains(t, out.String(), "secret")
	assert.NotContains(t, out.String(), "192.0.2.7")

	out.Reset()
	log := newLog(&out, false)
	log.Info("request")
	assert.Empty(t, out.String())
	log.Warn("trouble")
	assert.Contains(t, out.String(), "trouble")
}

func TestABrowserThatCannotBeOpenedStopsNothing(t *testing.T) {
	assert.False(t, isTerminal(must(os.Open("main.go"))), "no browser opens for a log in a file")
	t.Setenv("PATH", "")
	ctx, stop := context.WithCancel(t.Context())
	var log written
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"-addr", "127.0.0.1:0", "-open", "-log=false"}, noEnvironment, in, &log, page)
	}()
	_, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	stop()
	require.NoError(t, <-ended)
	assert.Regexp(t, `^no browser could be opened \(.*\); open http://127\.0\.0\.1:\d+/ yourself\n$`, log.String())
}

func TestADownloadUnderWayIsFinishedBeforeTheServerStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listener, log := newWires(), slog.New(slog.DiscardHandler)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		ended := make(chan error, 1)
		go func() { ended <- serve(ctx, newServer(largeSite(t), log, true), listener, log) }()
		c := listener.call()
		defer c.Close()
		go io.WriteString(c, "GET /a/large-AAAAAAAA.wasm HTTP/1.1\r\nHost: x\r\n\r\n")
		r := must(http.ReadResponse(bufio.NewReader(c), nil))
		part := make([]byte, r.ContentLength/16)
		for i := range 16 {
			_, err := io.ReadFull(r.Body, part)
			require.NoError(t, err)
			assert.Equal(t, strings.Repeat("0123456789abcdef", len(part)/16), string(part))
			if i == 0 {
				stop()
			}
			time.Sleep(leaveTime / 20)
		}
		select {
		case <-listener.gone:
		default:
			t.Error("somebody else is let in")
		}
		assert.NoError(t, <-ended)
	})
}

func TestASiteInAFolderIsFoundWithTheFolderAndWithout(t *testing.T) {
	s, err := newSite(fstest.MapFS{
		"index.html":        {Data: []byte(`<head><meta property="og:type" x><meta name="color-scheme" y>`)},
		"embeds.html":       {Data: []byte("examples")},
		"404.html":          {Data: []byte(`<a href="/">back</a>`)},
		"404.html.gz":       {Data: []byte("compressed")},
		"a/app-AAAAAAAA.js": {Data: []byte("script")},
	})
	require.NoError(t, err)
	require.NoError(t, s.setOrigin("https://lab.example/~prof/ifm"))
	get := func(target string) *http.Response {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", target, nil)
		r.Header.Set("Accept-Encoding", "gzip")
		s.ServeHTTP(w, r)
		return w.Result()
	}
	for _, folder := range []string{"/~prof/ifm", "/%7Eprof/ifm", ""} {
		page := body(t, get(folder+"/?seed=7"))
		for _, want := range []string{`<meta property="og:url" content="https://lab.example/~prof/ifm/?seed=7">`, `href="https://lab.example/~prof/ifm/oembed?format=json&amp;url=https%3A%2F%2Flab.example%2F~prof%2Fifm%2F%3Fseed%3D7"`, `<meta name="color-scheme" y>`} {
			assert.Contains(t, page, want, folder)
		}
		assert.Equal(t, "script", body(t, get(folder+"/a/app-AAAAAAAA.js")))
		assert.Equal(t, "ok\n", body(t, get(folder+"/healthz")))
		for target, to := range map[string]string{"/index.html?seed=7": "/?seed=7", "/embeds.html": "/embeds", "/embeds/": "/embeds", "//embeds": "/embeds", "/%65mbeds": "/embeds"} {
			assert.Equal(t, "/~prof/ifm"+to, get(folder+target).Header.Get("Location"), folder+target)
		}
		lost := get(folder + "/nothing")
		assert.Equal(t, http.StatusNotFound, lost.StatusCode)
		assert.Equal(t, `<a href="/~prof/ifm/">back</a>`, body(t, lost))
		assert.Empty(t, lost.Header.Get("Content-Encoding"))

		for target, up := range map[string]string{"/p/d=30": "../", "/p/x=a%2Fb&d=30": "../", "/p/x=a/b&d=30": "../../"} {
			card := body(t, get(folder+target))
			assert.Contains(t, card, `<img src="`+up+`cards/flipped.png"`, target)
			assert.Contains(t, card, `<meta property="og:image" content="https://lab.example/~prof/ifm/cards/flipped.png">`)
			assert.Contains(t, card, `content="0; url=`+up)
		}
		for _, ours := range []string{"/", "", "/?seed=7", "/p/seed=7"} {
			answer := body(t, get(folder+"/oembed?url=https://lab.example/~prof/ifm"+ours))
			assert.Contains(t, answer, `src=\u0022https://lab.example/~prof/ifm/?`, ours)
		}
		for _, theirs := range []string{"https://lab.example/", "https://lab.example/p/seed=7", "https://lab.example/~prof/ifmore/", "https://lab.example/~prof/"} {
			assert.Equal(t, http.StatusNotFound, get(folder+"/oembed?url="+theirs).StatusCode, theirs)
		}
	}
	bare := get("/~prof/ifm?seed=7")
	assert.Equal(t, http.StatusTemporaryRedirect, bare.StatusCode)
	assert.Equal(t, "/~prof/ifm/?seed=7", bare.Header.Get("Location"))
	assert.Equal(t, http.StatusNotFound, get("/~prof/ifmore/").StatusCode)
}
