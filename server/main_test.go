//go:build !js

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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

// A reader who takes a large file slowly has all of it, though the server is
// told to stop meanwhile and takes nobody else in.
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

// In a folder of its host the site answers alike whether the proxy in front
// leaves the folder in what it asks for or not.
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
