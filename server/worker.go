//go:build js && wasm

// Command server, compiled for js/wasm, is a Cloudflare Worker. It answers requests that
// the asset store has no file for (see main.go for the native server).
package main

import (
	"fmt"
	"net/http"
	"os"
	"syscall/js"

	"github.com/syumai/workers"
)

// version is that of the files in the asset store; the linker sets it:
// -ldflags "-X main.version=…".
var version = "unknown"

func main() {
	site := &site{hash: func() string { return version }}                    // without files: the asset store has them
	if page := js.Global().Get("ifmLabPage"); page.Type() == js.TypeString { // but the page, of which Go writes the head
		site.page = newFront(page.String())
	}
	warm(site)
	workers.ServeNonBlock(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		buffered := &buffered{ResponseWriter: w}
		defer buffered.send(r)
		site.ServeHTTP(buffered, normalized(r))
	}))
	workers.Ready()
	select {} // Serve would return after the first request; worker.mjs has more
}

// warm makes the site answer some requests of its own. WebAssembly compiles a function at
// its first call, so this takes the time from the start of the isolate and not from its
// first reader.
func warm(site *site) {
	for _, target := range []string{"/?scenario=mixed&seed=7", "/p/chapter=psd&psd.d=50", "/oembed?url=https%3A%2F%2Flab.example%2F%3Fsource%3Dtable%26target%3Dy&maxwidth=600"} {
		r, err := http.NewRequest(http.MethodGet, "https://lab.example"+target, nil)
		if err != nil {
			panic(err) // the addresses are ours
		}
		site.ServeHTTP(&discarded{header: http.Header{}}, normalized(r))
	}
}

// discarded is a response without a reader.
type discarded struct{ header http.Header }

func (n *discarded) Header() http.Header         { return n.header }
func (n *discarded) Write(p []byte) (int, error) { return len(p), nil }
func (n *discarded) WriteHeader(int)             {}

// buffered gathers an answer's body, to hand it to the host in one piece. To
// stream it takes a goroutine and two pipes, and leaves functions behind in
// JavaScript.
type buffered struct {
	http.ResponseWriter
	body []byte
}

func (w *buffered) Write(p []byte) (int, error) {
	w.body = append(w.body, p...)
	return len(p), nil
}

// send is deferred: a panic ends its own request and no other, as in net/http.
func (w *buffered) send(r *http.Request) {
	if failed := recover(); failed != nil {
		fmt.Fprintln(os.Stderr, "server: panic:", failed)
		clear(w.Header())
		set(w.Header(), commonHeaders)
		w.body = nil
		sendLine(w, r, http.StatusInternalServerError, "this link cannot be answered; that is an error of the server")
	}
	body := js.Null()
	if len(w.body) > 0 {
		body = js.Global().Get("Uint8Array").New(len(w.body))
		js.CopyBytesToJS(body, w.body)
	}
	w.ResponseWriter.(interface{ WriteRawJSBody(js.Value) }).WriteRawJSBody(body)
}
