package spec

import (
	"slices"
	"strings"
)

// View has the settings of the page, which do not change a run. The zero value is
// not useful; start from [ParseLink].
type View struct {
	Embed   string   // in a frame: "1" the figure, a chapter or a table alone, "lab" the whole page, "slide" the figure fitted into a slide
	Chapter string   // of the lesson, at the start; or "none"
	Hide    []string // parts of the figure left out; "matrices": maps and spectrum
	Scale   string   // of the chart; "auto": log for the figure, linear for a table
	Theme   string   // "auto", "light" or "dark"
	Sample  string   // a built-in table, or "none"
	Speed   string   // "slow", "normal" or "instant"
	Ghost   string   // "1": the previous run stays as a faint line
	Present string   // the part of the chapter for a projector: "1" its question, "run" or "answer"; or "0"
	Path    string   // the guided path through the lesson, or "none"
}

// Chapter is a chapter of the lesson. In a link, its settings begin with its name, as
// in psd.d=50.
type Chapter struct{ Name, Title, Question string }

// Chapters lists the chapters in their order: a lesson for everybody, then what only
// readers of the paper ask, which the longest path alone includes.
var Chapters = []Chapter{
	{"interaction", "What an interaction is", "How much of a product x₁·x₂ can a plane explain?"},
	{"reach", "Three features", "Can one number for each ingredient give these three signs?"},
	{"spectrum", "Eigenvalues", "A pattern’s strength can be above or below zero. Which strengths will FM match?"},
	{"psd", "The PSD bias", "Flip the sign of every target. What happens to FM’s error?"},
	{"loophole", "FM’s loophole", "All true strengths are below zero. How many of one feature’s pairs can FM still learn?"},
	{"break", "Break it yourself", "Both models have twelve numbers. Which one comes nearer to random matrices?"},
	{"matter", "When does it matter?", "In a table with columns of categories, such as user and item, when does FM fail?"},
	{"data", "Real tables", "On how many of three real tables is iFM over 1 % better than a straight-line fit?"},
	{"vtec", "The ionosphere", "The paper calls iFM “uniformly better”. On how many days is it the best of six methods?"},
	{"diagonal", "Moments and τ", "The columns’ values come nearer to +1 or −1. What does gFM lose?"},
	{"samples", "How many samples", "How does the number of rows needed, divided by d·k, change as the rank k grows?"},
	{"algorithm", "Algorithm 1", "As printed, Algorithm 1 lacks a term. How far from the true model does it end?"},
}

// Homework is the prefix of the homework's settings in a link.
const Homework = "homework"

// Stop is a chapter on a guided path: the shortest path that includes it, and the
// minutes that it takes to read, guess, run and read again.
type Stop struct {
	Chapter, Path string
	Minutes       int
}

// Paths lists the guided paths by length.
var Paths = []string{"short", "lesson", "all"}

// Stops lists every chapter once, in the order of Chapters.
var Stops = []Stop{
	{"interaction", "short", 2},
	{"reach", "short", 3},
	{"spectrum", "short", 3},
	{"psd", "lesson", 3},
	{"loophole", "lesson", 5},
	{"break", "lesson", 5},
	{"matter", "lesson", 4},
	{"data", "lesson", 4},
	{"vtec", "lesson", 12},
	{"diagonal", "all", 8},
	{"samples", "all", 5},
	{"algorithm", "all", 7},
}

// Sample is a built-in table.
type Sample struct {
	Name  string
	Drawn bool // by the engine, from a known truth; the others are web/samples/NAME.csv
}

// Samples lists the built-in tables in the order of the page.
var Samples = []Sample{{"penguins", false}, {"cars", false}, {"diabetes", false}, {"signs", true}, {"binary", true}}

// ViewFields declares the settings of View, in the order of a link.
func ViewFields() []Of[View] { // a function, so that the engine does not build a variable that it never reads
	chapters, samples := []string{"none"}, []string{"none"}
	for _, c := range Chapters {
		chapters = append(chapters, c.Name)
	}
	for _, s := range Samples {
		samples = append(samples, s.Name)
	}
	return []Of[View]{
		{Field{Key: "embed", Kind: Choice, Default: "0", Options: []string{"0", "1", "lab", "slide"}, Doc: "in a frame: 1 only the figure, a chapter or a table; lab the whole page; slide the figure, fitted to a slide"}, func(v *View) any { return &v.Embed }},
		{Field{Key: "chapter", Kind: Choice, Default: "none", Options: chapters, Doc: "the chapter at the start; in a frame, the only one"}, func(v *View) any { return &v.Chapter }},
		{Field{Key: "hide", Kind: Set, Options: []string{"title", "switch", "curve", "controls", "verdict", "maps", "spectrum", "matrices"}, Doc: "parts of the figure left out; matrices: maps and spectrum"}, func(v *View) any { return &v.Hide }},
		{Field{Key: "scale", Kind: Choice, Default: "auto", Options: []string{"auto", "log", "linear"}, Doc: "axis of the test RMSE; auto: log for the figure, linear for a table"}, func(v *View) any { return &v.Scale }},
		{Field{Key: "theme", Kind: Choice, Default: "auto", Options: []string{"auto", "light", "dark"}, Doc: "colours"}, func(v *View) any { return &v.Theme }},
		{Field{Key: "sample", Kind: Choice, Default: "none", Options: samples, Doc: "a built-in table"}, func(v *View) any { return &v.Sample }},
		{Field{Key: "speed", Kind: Choice, Default: "normal", Options: []string{"slow", "normal", "instant"}, Doc: "pace of the curves"}, func(v *View) any { return &v.Speed }},
		{Field{Key: "ghost", Kind: Choice, Default: "1", Options: []string{"0", "1"}, Doc: "whether the previous run stays as a faint line"}, func(v *View) any { return &v.Ghost }},
		{Field{Key: "present", Kind: Choice, Default: "0", Options: []string{"0", "1", "run", "answer"}, Doc: "part of a chapter for a projector: 1 its question, run its charts, answer their explanation"}, func(v *View) any { return &v.Present }},
		{Field{Key: "path", Kind: Choice, Default: "none", Options: append([]string{"none"}, Paths...), Doc: "the guided path through the lesson"}, func(v *View) any { return &v.Path }},
	}
}

// Link is the content of an address of the page.
type Link struct {
	Spec    Spec
	View    View
	Parts   map[string]string // queries of settings, by chapter or [Homework]
	Notices []Notice
}

// ParseLink reads the query of an address of the page as [Parse] does. Settings of
// chapters are not interpreted and keep their order and values.
func ParseLink(query string) Link {
	l := Link{Parts: map[string]string{}}
	fields := ViewFields()
	var shown, others []string
	var repeated []Notice
	given := map[string]int{}
	of := func(key string) bool {
		return slices.ContainsFunc(Fields, func(f Of[Spec]) bool { return f.Key == key }) || slices.ContainsFunc(fields, func(f Of[View]) bool { return f.Key == key })
	}
	for pair := range strings.SplitSeq(strings.TrimPrefix(query, "?"), "&") {
		name, value, assigned := strings.Cut(pair, "=")
		key := unescape(name)
		chapter, own, dotted := strings.Cut(key, ".")
		if given[key]++; given[key] == 2 && of(key) {
			repeated = append(repeated, Notice{key, unescape(value), "the link has " + quote(key) + " more than once; the last value that can be used counts"})
		}
		switch {
		case dotted && slices.Contains(owners(), chapter):
			part := escape(own)
			if assigned {
				part += "=" + value
			}
			l.Parts[chapter] = join(l.Parts[chapter], part)
		case slices.ContainsFunc(fields, func(f Of[View]) bool { return f.Key == key }):
			shown = append(shown, pair)
		default:
			others = append(others, pair)
		}
	}
	l.Notices = parse(fields, &l.View, strings.Join(shown, "&"))
	var notices []Notice
	l.Spec, notices = Parse(strings.Join(others, "&"))
	l.Notices = slices.Concat(l.Notices, notices, repeated)
	return l
}

// Encode returns the query of the link, without "?": the settings of the run, the
// page, the chapters and the homework.
func (l Link) Encode() string {
	query := join(l.Spec.Encode(), encode(ViewFields(), &l.View))
	for _, name := range owners() {
		if part := l.Parts[name]; part != "" {
			for pair := range strings.SplitSeq(part, "&") {
				query = join(query, name+"."+pair)
			}
		}
	}
	return query
}

// owners returns the prefixes of settings in a link.
func owners() (names []string) {
	for _, c := range Chapters {
		names = append(names, c.Name)
	}
	return append(names, Homework)
}

// Unguessed returns the settings of a chapter without the reader's guesses, guess and
// then, which change no run.
func Unguessed(part string) string {
	var own string
	for pair := range strings.SplitSeq(part, "&") {
		if key, _, _ := strings.Cut(pair, "="); key != "guess" && key != "then" {
			own = join(own, pair)
		}
	}
	return own
}

// join joins two queries with &.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "&" + b
}
