package main

import (
	"fmt"
	"slices"
	"strings"

	"ifmlab/core/spec"
)

// settings returns the query of a link: of an address, a card's or the page's, or
// what stands behind its "?". bare tells that it is settings alone.
func settings(link string) (query string, bare bool) {
	page, _, _ := strings.Cut(link, "#") // which a setting alone may hold
	before, query, asked := strings.Cut(page, "?")
	scheme, place, address := strings.Cut(before, "://")
	if address && !strings.ContainsAny(scheme, "=&") {
		if _, card, is := strings.Cut(place, "/p/"); is {
			query = card + "&" + query
		}
		return query, false
	}
	if asked && !strings.Contains(before, "=") {
		return query, false
	}
	return link, true
}

// read parses a link's query, and tells what of it is not used as it stands.
func (c *call) read(query string) spec.Link {
	l := spec.ParseLink(query)
	for _, n := range l.Notices {
		switch other := has(spec.IonosphereFields, n.Key) && !has(spec.Fields, n.Key); {
		case other && c.name == "table1":
			c.leave("left %s=%s; a link of the page has it as vtec.%s", n.Key, n.Found, n.Key)
		case other:
			c.leave("left %s=%s, a setting of the ionosphere; run ifm table1 with it", n.Key, n.Found)
		default:
			c.leave("%s", n.Message)
		}
	}
	return l
}

// leave tells what of a link is not used as it stands.
func (c *call) leave(format string, args ...any) {
	fmt.Fprintf(c.stderr, "ifm %s: %s\n", c.name, fmt.Sprintf(format, args...))
	c.left = true
}

// runBy has the word that runs a chapter.
var runBy = map[string]string{"vtec": "table1", "break": "break"}

// leaveChapters tells of the chapters that a link shows or sets, but for one.
func (c *call) leaveChapters(l spec.Link, own string) {
	for _, chapter := range spec.Chapters {
		part := spec.Unguessed(l.Parts[chapter.Name])
		if chapter.Name == own || part == "" && l.View.Chapter != chapter.Name {
			continue
		}
		if part != "" {
			part = " with " + part
		}
		runs := ", which only the page runs"
		if word, has := runBy[chapter.Name]; has {
			runs = "; run ifm " + word + " with this link"
		}
		c.leave("left the chapter %s%s%s", chapter.Name, part, runs)
	}
}

// leaveSource tells of a source that a file beside the link takes the place of.
func (c *call) leaveSource(query string) {
	for key, value := range spec.Pairs(query) {
		if key == "source" && value != "table" {
			c.leave("left source=%s; the file is what it trains on", value)
		}
	}
}

// tellTwice tells of settings that a query has with more than one value.
func tellTwice[S any](c *call, fields []spec.Of[S], query string) {
	for _, f := range fields {
		var values []string
		for key, value := range spec.Pairs(query) {
			if key == f.Key && !slices.Contains(values, value) {
				values = append(values, value)
			}
		}
		if len(values) > 1 {
			c.leave("the link has %s as %s; the last that is fit for it counts", f.Key, strings.Join(values, " and as "))
		}
	}
}

func has[S any](fields []spec.Of[S], key string) bool {
	return slices.ContainsFunc(fields, func(f spec.Of[S]) bool { return f.Key == key })
}
