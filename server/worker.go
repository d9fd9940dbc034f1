//go:build js && wasm

// Command server, compiled for js/wasm, is the Cloudflare Worker that answers
// what the asset store does not have (see main.go for the native server).
package main

import (
	"net/http"

	"github.com/syumai/workers"
)

// version is that of the files in the asset store; the linker sets it:
// -ldflags "-X main.version=…".
var version = "unknown"

func main() {
	site := &site{hash: func() string { return version }} // without files: the asset store has them
	workers.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site.ServeHTTP(w, normalized(r))
	}))
}
