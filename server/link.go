package main

import (
	"net/url"
	"slices"
	"strings"

	"ifmlab/core/spec"
)

// setting declares one of the page's own settings, how a run is shown and not
// what it is; web/src/state/view.ts has the same list. The first option is the
// default of a choice; a set is empty by default.
type setting struct {
	key     string
	set     bool
	options []string
}

var settings = []setting{
	{key: "embed", options: []string{"0", "1", "lab"}},
	{key: "chapter", options: append([]string{"none"}, chapterNames...)},
	{key: "hide", set: true, options: []string{"title", "switch", "curve", "controls", "verdict", "maps", "spectrum", "matrices"}},
	{key: "scale", options: []string{"auto", "log", "linear"}},
	{key: "theme", options: []string{"auto", "light", "dark"}},
	{key: "sample", options: []string{"none", "penguins", "cars", "diabetes", "signs", "binary"}},
	{key: "speed", options: []string{"normal", "slow", "instant"}},
	{key: "ghost", options: []string{"1", "0"}},
}

// link is the page's address, read as the page reads it: what is out of bounds
// is clamped, and of what is not known nothing is left.
type link struct {
	spec  spec.Spec
	view  map[string]string // by key: the settings that are not at their default
	parts []part
}

// part is a setting of one chapter: in the address, CHAPTER.KEY=VALUE.
type part struct{ chapter, key, value string }

// readLink reads a query, without its "?". It never fails.
func readLink(query string) link {
	l := link{view: map[string]string{}}
	var others []string
	for pair := range strings.SplitSeq(query, "&") {
		key, value := splitPair(pair)
		if i := slices.IndexFunc(settings, func(s setting) bool { return s.key == key }); i >= 0 {
			settings[i].read(l.view, value)
			continue
		}
		if chapter, own, is := strings.Cut(key, "."); is && slices.Contains(chapterNames, chapter) {
			if own != "" && harmless(own) && harmless(value) {
				l.parts = append(l.parts, part{chapter, own, value})
			}
			continue
		}
		others = append(others, pair)
	}
	l.spec, _ = spec.Parse(strings.Join(others, "&"))
	l.spec.Sweep = "none" // a grid of runs is not one that the page can show
	slices.SortStableFunc(l.parts, func(a, b part) int {
		return slices.Index(chapterNames, a.chapter) - slices.Index(chapterNames, b.chapter)
	})
	return l
}

// query returns the link's one form, without "?": only what differs from its
// default. In it are letters, digits and -_.~,%&= and nothing else.
func (l link) query() string {
	var pairs []string
	if s := l.spec.Encode(); s != "" {
		pairs = append(pairs, s)
	}
	for _, s := range settings {
		if value, is := l.view[s.key]; is {
			pairs = append(pairs, s.key+"="+value)
		}
	}
	for _, p := range l.parts {
		pairs = append(pairs, p.chapter+"."+p.key+"="+p.value)
	}
	return strings.Join(pairs, "&")
}

// read puts value into view; the last good value of several counts.
func (s setting) read(view map[string]string, value string) {
	if s.set {
		found := strings.Split(value, ",")
		var members []string
		for _, option := range s.options {
			if slices.Contains(found, option) {
				members = append(members, option)
			}
		}
		if len(members) > 0 {
			view[s.key] = strings.Join(members, ",")
		}
		return
	}
	switch i := slices.Index(s.options, value); {
	case i == 0:
		delete(view, s.key)
	case i > 0:
		view[s.key] = value
	}
}

func splitPair(pair string) (key, value string) {
	key, value, _ = strings.Cut(pair, "=")
	return unescape(key), unescape(value)
}

// unescape reads what stands in a query; a broken escape stands for itself.
func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// harmless tells whether text is a short word or list of numbers, which means
// in every language just itself. What a chapter makes of it is the page's to know.
func harmless(text string) bool {
	return len(text) <= 100 && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.,") == ""
}
