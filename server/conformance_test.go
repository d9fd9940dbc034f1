//go:build !js

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/web"
)

// The conformance suite sends the same requests, byte by byte, to every host
// of the site: the handler under httptest, the program that make build makes,
// and those of otherHosts. Each must answer as the table says, and but for
// the listed differences all must answer alike.

// host is one server of the built page.
type host struct {
	name    string
	address string // host:port that it listens on
}

// otherHosts start the hosts that need more than Go; each ends with its test.
// Where one cannot run here, it says so by t.Skip.
var otherHosts = map[string]func(t *testing.T) host{}

// request is what is sent. {site} in it stands for the host's address.
type request struct {
	name    string
	method  string // GET where empty
	target  string
	host    string   // the Host header; the host's own address where empty
	headers []string // name, value, name, value
	again   bool     // asked by a reader who has the answer, and so says which
}

// response is what came back.
type response struct {
	status int
	header http.Header
	body   string
}

// difference lists what one host may answer otherwise than the first, and why.
type difference struct {
	host    string // "" is every one but the first
	request string // a pattern of the request's name
	what    string // "status", "body" and names of headers, or "all"
	why     string
}

var differences = []difference{
	{"", "", "Date", "the time goes on"},
	{"", "^(the page|known page|another page|any page|HEAD /$)", "Etag", "the page names the address that it was asked at"},
	{"", "^(the page, packed|known page, (gzip|br))", "Content-Length, body", "what is packed names the address too"},
}

// do sends one request as it stands, over a connection of its own.
func (h host) do(t *testing.T, r request) response {
	t.Helper()
	connection := must(net.Dial("tcp", h.address))
	defer connection.Close()
	require.NoError(t, connection.SetDeadline(time.Now().Add(time.Minute)))
	if r.again {
		before := r
		before.again = false
		etag := h.do(t, before).header.Get("ETag")
		require.NotEmpty(t, etag, "%s: %s", h.name, r.name)
		r.headers = append(slices.Clone(r.headers), "If-None-Match", etag)
	}
	here := strings.NewReplacer("{site}", h.address)
	var head bytes.Buffer
	method, to := r.method, r.host
	if method == "" {
		method = "GET"
	}
	if to == "" {
		to = h.address
	}
	fmt.Fprintf(&head, "%s %s HTTP/1.1\r\nHost: %s\r\n", method, here.Replace(r.target), here.Replace(to))
	for i := 0; i < len(r.headers); i += 2 {
		fmt.Fprintf(&head, "%s: %s\r\n", r.headers[i], here.Replace(r.headers[i+1]))
	}
	head.WriteString("Connection: close\r\n\r\n")
	_, err := connection.Write(head.Bytes())
	require.NoError(t, err, h.name)
	answer := must(http.ReadResponse(bufio.NewReader(connection), &http.Request{Method: method}))
	body := must(io.ReadAll(answer.Body))
	// What another host says of itself is its own address.
	there := strings.NewReplacer(h.address, "{site}", strings.ReplaceAll(h.address, ":", "%3A"), "{site}", strings.ReplaceAll(h.address, ":", "%253A"), "{site}")
	return response{answer.StatusCode, answer.Header, there.Replace(string(body))}
}

// builtPage returns the page that make build wrote.
func builtPage(t *testing.T) fs.FS {
	t.Helper()
	if _, err := fs.Stat(web.Dist(), "index.html"); err != nil {
		t.Skip("not run: web/dist is empty; run make build")
	}
	return web.Dist()
}

// hosts starts all there are.
func hosts(t *testing.T) []host {
	site := must(newSite(builtPage(t)))
	site.pack = packed
	test := httptest.NewServer(site)
	t.Cleanup(test.Close)
	return []host{{"httptest", test.Listener.Addr().String()}}
}

// startProgram builds the program as make build does and runs it.
func startProgram(t *testing.T) host {
	builtPage(t)
	program := filepath.Join(t.TempDir(), "ifmlab")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid=", "-o", program, "ifmlab/server")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	cmd := exec.Command(program, "-addr", "127.0.0.1:0")
	printed := must(cmd.StdoutPipe())
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	})
	line := must(bufio.NewReader(printed).ReadString('\n'))
	return host{"program", regexp.MustCompile(`http://([^/]+)/`).FindStringSubmatch(line)[1]}
}

func TestEveryHostAnswersAsTheTableSaysAndAlike(t *testing.T) {
	first := hosts(t)[0]
	table := expectations(t)
	expected := make([]response, len(table))
	var all strings.Builder
	for i, e := range table {
		t.Run(first.name+"/"+e.name, func(t *testing.T) {
			expected[i] = first.do(t, e.request)
			got := e.answered(t, expected[i])
			all.WriteString("=== " + got)
			if os.Getenv("UPDATE") == "" {
				assert.Equal(t, e.recorded, got)
			}
		})
	}
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile("testdata/answers.txt", []byte(all.String()), 0o644))
	}
	starters := maps.Clone(otherHosts)
	starters["program"] = startProgram
	for _, name := range slices.Sorted(maps.Keys(starters)) {
		t.Run(name, func(t *testing.T) {
			if testing.Short() {
				t.Skip("not run: -short")
			}
			other := starters[name](t)
			for i, e := range table {
				t.Run(e.name, func(t *testing.T) {
					compare(t, other.name, e.name, expected[i], other.do(t, e.request))
				})
			}
		})
	}
}

// compare holds an answer to the first host's, the listed differences aside.
func compare(t *testing.T, host, name string, want, got response) {
	t.Helper()
	may := func(what string) bool {
		return slices.ContainsFunc(differences, func(d difference) bool {
			return (d.host == "" || d.host == host) && (d.what == "all" || slices.Contains(strings.Split(d.what, ", "), what)) && regexp.MustCompile(d.request).MatchString(name)
		})
	}
	if !may("status") {
		assert.Equal(t, want.status, got.status, "status")
	}
	headers := maps.Clone(want.header)
	maps.Copy(headers, got.header)
	for name := range headers {
		if !may(name) {
			assert.Equal(t, want.header[name], got.header[name], name)
		}
	}
	if may("body") {
		return
	}
	if mine, its := decoded(t, want), decoded(t, got); mine != its {
		if len(mine)+len(its) < 8000 {
			assert.Equal(t, mine, its)
		} else {
			t.Errorf("the body is another: %d bytes, want %d", len(its), len(mine))
		}
	}
}

func init() {
	otherHosts["workerd"] = startWorkerd
	differences = append(differences, workerdDiffers...)
}

// The addresses that the asset store answers for, by the names of the requests.
const (
	stored  = `^(the (engine|style|licences|icon|formulas' font)|what crawlers may|a (script|table)|coding |HEAD /\{engine\}$|[a-z/-]+\.(html|js|zip|tgz|png)$)`
	refused = `^(POST|PUT|DELETE|OPTIONS|PATCH) /(\{script\}|nothing)$`
	missing = `^(missing |HEAD /nothing)`
	opened  = `^(the page|known page|another page|any page|HEAD /$)`
)

// workerdDiffers lists where a Worker's answers differ. What Go answers, at
// /p/, /oembed, /healthz and /version, is the same to the byte.
var workerdDiffers = []difference{
	{"workerd", stored + "|" + missing, "Etag", "the asset store has its own, one for all codings, and for the page of what is missing too"},
	{"workerd", stored + "|" + missing, "Cf-Cache-Status", "the store says that it has the file"},
	{"workerd", stored + "|" + missing, "Vary", "the store has files in one coding; who compresses them adds it"},
	{"workerd", stored, "Accept-Ranges", "the store knows no parts"},
	{"workerd", "^part ", "all", "the store knows no parts and sends the whole file, 200"},
	{"workerd", refused, "body, Allow, Cache-Control, Content-Length, Content-Type", "the store answers 405 without Allow and without a line"},
	{"workerd", `^missing /(\.\.%2f|%ff)|^no way out`, "all", "the store first leads to another way to write the address, at which nothing is either"},

	{"workerd", stored + "|" + missing + "|" + opened + "|^(card|HEAD /p/)", "Content-Length", "the front, wrangler's here and Cloudflare's there, sends in pieces what it may compress"},
	{"workerd", opened, "Vary", "the front adds it where it compresses"},
	{"workerd", "^coding |^known page|^the page", "Content-Encoding", "the front compresses, and may choose another coding"},
	{"workerd", `^coding \*;q=0$`, "all", "the front refuses with 415; ours sends the file plain"},
	{"workerd", "^BREW ", "all", "the front refuses methods that no standard has, 501"},
	{"workerd", "^card (for Host|with .* for a host)|^the page as it is, for a host", "all", "the front refuses what is no host, here with 500"},
}

// startWorkerd runs the Worker that make worker built, and Cloudflare's asset
// store, in workerd.
func startWorkerd(t *testing.T) host {
	if _, err := os.Stat("workerd/node_modules/wrangler"); err != nil {
		t.Skip("not run: workerd is not installed; run npm ci in server/workerd")
	}
	for _, part := range []string{"build/app.wasm", "build/assets/_headers", "worker.mjs", "workerd/start.mjs", "wrangler.jsonc"} {
		if _, err := os.Stat(part); err != nil { // and when one changes, so does the test's result
			t.Skip("not run: there is no Worker in server/build; run make worker")
		}
	}
	cmd := exec.Command("node", "workerd/start.mjs")
	var said bytes.Buffer
	cmd.Stderr = &said
	pipe, err := cmd.StdinPipe() // it ends when this is closed, if need be by the end of this process
	require.NoError(t, err)
	printed := must(cmd.StdoutPipe())
	require.NoError(t, cmd.Start())
	address := make(chan string, 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for lines := bufio.NewScanner(printed); lines.Scan(); {
			if found := regexp.MustCompile(`^iFM Lab is at http://([^/]+)/`).FindStringSubmatch(lines.Text()); found != nil {
				address <- found[1]
			}
		}
		cmd.Wait()
	}()
	w := host{name: "workerd"}
	t.Cleanup(func() {
		pipe.Close()
		select {
		case <-ended:
		case <-time.After(time.Minute):
			cmd.Process.Kill()
			t.Error("workerd did not stop")
		}
		if connection, err := net.Dial("tcp", w.address); w.address != "" && err == nil {
			connection.Close()
			t.Errorf("workerd has stopped, and something still answers at %s", w.address)
		}
	})
	select {
	case w.address = <-address:
	case <-ended:
		t.Fatalf("workerd did not start: %s", said.String())
	case <-time.After(time.Minute):
		t.Fatal("workerd did not start within a minute")
	}
	return w
}

func TestTheWorkerIsToldAHostAndAPort(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("not run: node is not installed")
	}
	for _, bad := range []string{"8080", "127.0.0.1", "localhost:http", "127.0.0.1:99999", "[::1", "http://127.0.0.1:1/"} {
		said, err := exec.Command("node", "workerd/start.mjs", bad).CombinedOutput()
		require.Error(t, err, bad)
		require.Equal(t, "the address is "+bad+", expected a host and a port, such as 127.0.0.1:8080\n", string(said))
	}
	taken := must(net.Listen("tcp", ":0"))
	defer taken.Close()
	for _, busy := range []string{"127.0.0.1", ""} {
		_, port, err := net.SplitHostPort(taken.Addr().String())
		require.NoError(t, err)
		said, err := exec.Command("node", "workerd/start.mjs", busy+":"+port).CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(said), ":"+port+" cannot be listened on (EADDRINUSE)")
	}
}
