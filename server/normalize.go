package main

import (
	"net/http"
	"strings"
)

// normalized returns a request of the Worker's host as net/http would give it:
// there every header arrives split at its commas, dates and quoted strings
// too; the body may be nil; RequestURI is empty; the host is only in the URL.
func normalized(r *http.Request) *http.Request {
	n := r.Clone(r.Context())
	for name, values := range n.Header {
		n.Header[name] = []string{strings.Join(values, ",")}
	}
	if n.Body == nil {
		n.Body = http.NoBody
	}
	if n.Host == "" {
		n.Host = n.URL.Host
	}
	n.RequestURI = n.URL.RequestURI()
	n.TransferEncoding = nil
	return n
}
