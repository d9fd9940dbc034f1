package main

import (
	"slices"
	"strings"

	"ifmlab/core/spec"
)

// link is the page's address, read as the page reads it: what is out of bounds
// is clamped, and of what is not known nothing is left.
type link struct{ spec.Link }

// readLink reads a query, without its "?". It never fails. What is left of it
// is written with letters, digits and -_.~,%&= and nothing else.
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

// harmless tells whether text is a short word or list of numbers, which means
// in every language just itself. What a chapter makes of it is the page's to know.
func harmless(text string) bool {
	return len(text) <= 100 && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.,") == ""
}
