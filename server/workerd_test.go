//go:build !js

package main

import (
	"bufio"
	"bytes"
	"net"
	"os"
	"os/exec"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func init() {
	otherHosts["workerd"] = startWorkerd
	differences = append(differences, workerdDiffers...)
}

// The addresses that the asset store answers for, by the names of the requests.
const (
	stored  = `^(the (engine|style|licences|icon|formulas' font)|what crawlers may|a (script|table)|coding |HEAD /a/.*$|[a-z/-]+\.(html|js|zip|tgz|png)$)`
	refused = `^(POST|PUT|DELETE|OPTIONS|PATCH) /(a/.*|nothing)$`
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
