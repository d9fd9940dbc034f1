package main

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"ifmlab/core/estimator"
	"ifmlab/core/spec"
)

// settings returns the query of a link: of an address of the page or of a card, or the
// part behind its "?". bare reports whether the link is settings alone.
func settings(link string) (query string, bare bool) {
	page, _, _ := strings.Cut(link, "#") // a setting alone may contain it
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

// dotted puts the prefix of a chapter before its settings.
func dotted[S any](prefix string, fields []spec.Of[S], query string) string {
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		key, _, _ := strings.Cut(pair, "=")
		if slices.ContainsFunc(fields, func(f spec.Of[S]) bool { return f.Key == key }) {
			pairs[i] = prefix + pair
		}
	}
	return strings.Join(pairs, "&")
}

// read parses the query of a link and reports what it cannot use.
func (c *call) read(query string) spec.Link {
	l := spec.ParseLink(query)
	c.report(l.Notices)
	return l
}

// readChapter parses a link to a chapter, or the chapter's settings alone, and returns
// the settings without what a reader guessed.
func readChapter[S any](c *call, chapter string, fields []spec.Of[S], args []string) string {
	query := ""
	if len(args) > 0 {
		var bare bool
		if query, bare = settings(args[0]); bare {
			query = dotted(chapter+".", fields, query)
		}
	}
	l := c.read(query)
	if others := l.Spec.Encode(); others != "" {
		c.leave("left %s of the figure or a table; run ifm curve with this link", others)
	}
	c.leaveChapters(l, chapter)
	given := map[string]int{}
	for key := range spec.Pairs(l.Parts[chapter]) {
		if given[key]++; given[key] == 2 {
			c.leave("the link has %q more than once; the last value that can be used counts", chapter+"."+key)
		}
	}
	return spec.Unguessed(l.Parts[chapter])
}

// report prints what a link contains and cannot be used, each message once.
func (c *call) report(notices []spec.Notice) {
	said := map[string]bool{}
	for _, n := range notices {
		if !said[n.Message] {
			c.leave("%s", n.Message)
		}
		said[n.Message] = true
	}
}

// leave reports a part of the link that is left out.
func (c *call) leave(format string, args ...any) {
	fmt.Fprintf(c.stderr, "ifm %s: %s\n", c.name, fmt.Sprintf(format, args...))
	c.incomplete = true
}

// runBy has the subcommand that runs a chapter.
var runBy = map[string]string{"vtec": "table1", "break": "break"}

// leaveChapters reports the chapters of a link, except one.
func (c *call) leaveChapters(l spec.Link, except string) {
	for _, chapter := range spec.Chapters {
		part := spec.Unguessed(l.Parts[chapter.Name])
		if chapter.Name == except || part == "" && l.View.Chapter != chapter.Name {
			continue
		}
		if part != "" {
			part = " with " + part
		}
		runs := ", which only the page runs"
		if name, ok := runBy[chapter.Name]; ok {
			runs = "; run ifm " + name + " with this link"
		}
		c.leave("left the chapter %s%s%s", chapter.Name, part, runs)
	}
}

// query returns the values of -set and -target as the query of a link. Lists that are set
// more than once are joined.
func (o *options) query() string {
	values := url.Values{}
	for _, pair := range o.settings {
		key, value, _ := strings.Cut(pair, "=")
		if slices.ContainsFunc(spec.Fields, func(f spec.Of[spec.Spec]) bool {
			return f.Key == key && slices.Contains([]spec.Kind{spec.Names, spec.Set, spec.Ints, spec.Floats}, f.Kind)
		}) && values.Has(key) {
			value = values.Get(key) + "," + value
		}
		values.Set(key, value)
	}
	if o.target != "" {
		values.Set("target", o.target)
	}
	return values.Encode()
}

// trainOptions returns the options of a link with those of -set and -target, which
// override it. What cannot be used is an error in -set and a message in a link.
func (c *call) trainOptions() (*estimator.Options, error) {
	set := c.query()
	if _, err := estimator.Parse(set); err != nil {
		return nil, c.wrong("%s", strings.TrimPrefix(err.Error(), "estimator: "))
	}
	merged := url.Values{}
	if c.link != "" {
		query, _ := settings(c.link)
		l := c.read(query)
		c.leaveChapters(l, "")
		if l.Spec.Trials > 1 {
			c.leave("left trials=%d; it trains on one split, run ifm compare for more", l.Spec.Trials)
			l.Spec.Trials = 1
		}
		for key, value := range spec.Pairs(l.Spec.Encode()) {
			merged.Set(key, value)
		}
		for key := range spec.Pairs(query) {
			if key == "models" { // even if these are the page's
				merged.Set(key, strings.Join(l.Spec.Models, ","))
			}
		}
	}
	for key, value := range spec.Pairs(set) {
		merged.Set(key, value)
	}
	o, err := estimator.Parse(merged.Encode())
	return &o, err
}
