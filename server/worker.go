//go:build js && wasm

// Command server, compiled for js/wasm, is the Cloudflare Worker that answers
// what the asset store does not have (see main.go for the native server).
package main

import (
	"net/http"

	"github.com/syumai/workers"
)

func main() {
	site := new(site) // without files: the asset store has them
	workers.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site.ServeHTTP(w, normalized(r))
	}))
}
