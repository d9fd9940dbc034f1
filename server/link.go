package main

import (
	"slices"
	"strings"

	"ifmlab/core/spec"
)

// link is the page's address, parsed as the page parses it: values out of bounds
// are clamped, and unknown settings dropped.
type link struct{ spec.Link }

// readLink parses a query, without its "?". It never fails. Encoded again, the link
// has only letters, digits and -_.~,%&=.
func readLink(query string) link {
	l := spec.ParseLink(query)
	l.Spec.Sweep = "none" // a grid of runs is not one that the page can show
	for chapter, part := range l.Parts {
		var kept []string
		for key, value := range spec.Pairs(part) {
			if key != "" && harmless(key) && harmless(value) { // the last of several counts
				kept = slices.DeleteFunc(kept, func(pair string) bool { return strings.HasPrefix(pair, key+"=") })
				kept = append(kept, key+"="+value)
			}
		}
		l.Parts[chapter] = strings.Join(kept, "&")
	}
	return link{l}
}

// harmless reports whether text is a short word or list of numbers, which needs no
// escape in any language. Only the page knows whether a chapter accepts it.
func harmless(text string) bool {
	return len(text) <= 100 && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.,") == ""
}
