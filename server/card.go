package main

import (
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ifmlab/core/spec"
)

// scenarios has the title of each sign of the drawn truth, and the name of its interactions.
var scenarios = map[string]struct{ title, learn string }{
	"psd":     {"Interactions that FM is made for", "interactions UUᵀ"},
	"flipped": {"Flip one sign and FM breaks", "interactions −UUᵀ, FM’s own with the sign flipped"},
	"mixed":   {"Interactions of both signs", "interactions UVᵀ, of both signs"},
}

// picture is one of cards/NAME.png. A link whose page shows other numbers has no
// picture.
type picture struct {
	alt   string
	links []string // whose page shows the same numbers
}

var pictures = map[string]picture{
	"psd":         {"Test RMSE by iteration: FM falls to rounding error, iFM more slowly", []string{"scenario=psd"}},
	"flipped":     {"Test RMSE by iteration: FM stops a sixth below linear regression, iFM falls", []string{""}},
	"mixed":       {"Test RMSE by iteration: FM stops below linear regression, iFM falls to rounding error", []string{"scenario=mixed"}},
	"table":       {"Test RMSE of Miles_per_Gallon by iteration: FM and iFM end below linear regression", []string{"source=table&sample=cars", "source=table&sample=cars&target=Miles_per_Gallon"}},
	"interaction": {"Three maps over x₁ and x₂: a linear part, an interaction, and their sum", []string{"chapter=interaction"}},
	"reach":       {"Three features with a sign on each pair: FM has one of three signs wrong, iFM none", []string{"chapter=reach"}},
	"spectrum":    {"Eigenvalues: one of the truth’s three is below zero; FM has none there, iFM has it", []string{"chapter=spectrum"}},
	"loophole":    {"Three maps: the truth; FM’s UUᵀ of rank 1, a framed cross that copies one row, with a large entry on the diagonal; and what it misses", []string{"chapter=loophole"}},
	"break":       {"Three maps of six features: a painted M, what FM of rank 2 makes of it and what iFM of rank 1 does", []string{"chapter=break&break.draws=10&break.m=0,0,1,1,1,0,1,1,1,1,1,1,0,0,0"}},
	"matter":      {"Three maps of three one-hot columns, the blocks within a column hatched: the true M, whose last block is negative; FM’s, which has it wrong; iFM’s, which has it right", []string{"chapter=matter"}},
	"diagonal":    {"Error of M by τ: gFM’s grows as τ goes to 0, iFM’s does not", []string{"chapter=diagonal"}},
	"samples":     {"Map of how often iFM finds the truth, by its rank and by rows ÷ dk: the higher the rank, the fewer rows it takes", []string{"chapter=samples"}},
	"algorithm":   {"Recovery error by iteration: it grows for gFM as printed, and falls for gFM corrected and for iFM", []string{"chapter=algorithm"}},
	"vtec":        {"RMSE by day of the paper’s six methods and kriging on a simulated ionosphere: FM’s and iFM’s lie below ridge regression’s on most days, kriging’s lowest", []string{"chapter=vtec"}},
	"data":        {"Test RMSE ÷ linear regression’s of FM and iFM on three tables: below 1 on cars, near 1 on penguins and diabetes", []string{"chapter=data"}},
}

// pictureNames has the names of pictures by the settings that their numbers depend
// on.
var pictureNames = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for name, p := range pictures {
		for _, query := range p.links {
			names[readLink(query).numbers()] = name
		}
	}
	return names
})

// numbers returns, in a canonical form, the settings that the numbers on the link's
// page depend on.
func (l link) numbers() string {
	if chapter := l.View.Chapter; chapter != "none" {
		own := []string{chapter}
		for key, value := range spec.Pairs(l.Parts[chapter]) {
			if key != "guess" && key != "then" {
				own = append(own, key+"="+value)
			}
		}
		slices.Sort(own[1:])
		return strings.Join(own, "&")
	}
	if l.Spec.Source == "table" {
		return l.Spec.Encode() + "&sample=" + l.View.Sample
	}
	return l.Spec.Encode()
}

// words describes settings in a sentence; % is the value. A card leaves other
// settings out.
var words = map[string]string{
	"truth": "% truth", "diagonal": "diagonal %", "features": "% columns", "tau": "τ = %", "rho": "ρ = %",
	"d": "d = %", "k": "k = %", "n": "% training rows", "test": "% test rows", "noise": "noise %", "rank": "models of rank %", "numbers": "% numbers a feature",
	"solver": "solver %", "seed": "seed %", "trials": "% trials", "iterations": "% iterations at most",
}

// tableWords lists the keys of words that also apply to tables.
var tableWords = []string{"solver", "seed", "iterations"}

// card describes a link in words and one picture.
type card struct {
	title, text string
	picture     string // name of one of pictures, or ""
}

// The size of every share picture.
const (
	pictureWidth  = 1200
	pictureHeight = 630
)

// card describes the link's chapter, table or scenario, and each setting that is
// not the page's default.
func (l link) card() card {
	var c card
	learn := l.models() + " learn "
	if len(l.Spec.Models) == 1 {
		learn = l.models() + " learns "
	}
	if i := slices.IndexFunc(spec.Chapters, func(c spec.Chapter) bool { return c.Name == l.View.Chapter }); i >= 0 {
		chapter := spec.Chapters[i]
		c = card{chapter.Title, chapter.Question + " Guess, then run it in your browser", ""}
	} else if l.Spec.Source == "table" {
		table, column := "a table of your own", "one column"
		if sample := l.View.Sample; sample != "none" {
			table = "the table “" + sample + "”"
		}
		if l.Spec.Target != "" {
			column = "“" + short(l.Spec.Target) + "”"
		}
		c = card{l.models() + " on " + table, learn + "to predict " + column + " from the others, beside the mean and linear regression, live in your browser", ""}
	} else {
		sign := scenarios[l.Spec.Scenario]
		c = card{sign.title, learn + sign.learn + ", live in your browser", ""}
	}
	if told := l.settingsInWords(); len(told) > 0 {
		c.text += ": " + strings.Join(told, ", ")
	}
	c.text += "."
	c.picture = pictureNames()[l.numbers()]
	return c
}

func (l link) models() string {
	var names []string
	for _, m := range l.Spec.Models {
		names = append(names, map[string]string{"fm": "FM", "gfm": "gFM", "ifm": "iFM"}[m])
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// settingsInWords describes the settings of the link's chapter, table or figure.
func (l link) settingsInWords() (told []string) {
	say := func(key, value string) {
		if form, is := words[key]; is {
			told = append(told, strings.Replace(form, "%", short(value), 1))
		}
	}
	for key, value := range spec.Pairs(l.Parts[l.View.Chapter]) {
		say(key, value)
	}
	for key, value := range spec.Pairs(l.Spec.Encode()) {
		if l.View.Chapter == "none" && (l.Spec.Source != "table" || slices.Contains(tableWords, key)) {
			say(key, value)
		}
	}
	return told
}

// short cuts a text to the length of a name, without invisible characters.
func short(text string) string {
	seen := []rune(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text))
	if len(seen) > 40 {
		return string(seen[:40]) + "…"
	}
	return string(seen)
}

// maxSettings is the most bytes that the settings of a share card, and the address
// that oEmbed is asked about, may have.
const maxSettings = 8 << 10

// showCard answers /p/SETTINGS with a page whose head describes the link. A browser
// goes on to the lab with these settings.
func (s *site) showCard(w http.ResponseWriter, r *http.Request) {
	written := strings.Trim(strings.TrimPrefix(r.URL.EscapedPath(), "/p/")+"&"+r.URL.RawQuery, "&") // who writes /p/?d=30 means it
	if len(written) > maxSettings {
		sendLine(w, r, http.StatusRequestURITooLong, "the settings of this link are longer than 8192 bytes; leave some out")
		return
	}
	at, err := s.address(r)
	if err != nil {
		sendLine(w, r, http.StatusBadRequest, err.Error())
		return
	}
	l := readLink(written)
	up := strings.Repeat("../", strings.Count(strings.TrimPrefix(r.URL.EscapedPath(), "/p/"), "/")+1) // to the page, whatever folder a proxy has it in
	send(w, r, http.StatusOK, s.cacheControl(), "text/html; charset=utf-8", l.html(at, up))
}

// html writes the card of the site at an address; up leads from the card to the
// site's folder. What a link says comes in escaped or not at all.
func (l link) html(at, up string) string {
	c := l.card()
	query := l.Encode()
	page := up
	if query != "" {
		page += "?" + query
	}
	var b strings.Builder
	writeEscaped(&b, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>`, c.title, ` · iFM Lab</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="`, c.text, `">
`)
	c.tags(&b, at, at+"/p/"+query)
	writeEscaped(&b, `<link rel="icon" href="data:,">
<meta http-equiv="refresh" content="0; url=`, page, `">
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem}img{max-width:100%;height:auto}a{display:inline-block;padding:.6rem 0}</style>
</head>
<body>
<main>
<h1>`, c.title, `</h1>
<p>`, c.text, `</p>
<p><a href="`, page, `">Open it in iFM Lab</a></p>
`)
	if c.picture != "" {
		writeEscaped(&b, `<img src="`, up+"cards/"+c.picture+".png", `" alt="`, pictures[c.picture].alt, `" width="1200" height="630">
`)
	}
	b.WriteString(`</main>
</body>
</html>
`)
	return b.String()
}

// tags writes the meta tags for an address, itself, of the site at another, and the
// link to its oEmbed.
func (c card) tags(b *strings.Builder, at, itself string) {
	writeEscaped(b, `<meta property="og:type" content="website">
<meta property="og:site_name" content="iFM Lab">
<meta property="og:title" content="`, c.title, `">
<meta property="og:description" content="`, c.text, `">
<meta property="og:url" content="`, itself, `">
`)
	large := "summary"
	if c.picture != "" {
		large = "summary_large_image"
		writeEscaped(b, `<meta property="og:image" content="`, at+"/cards/"+c.picture+".png", `">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="`, pictures[c.picture].alt, `">
`)
	}
	writeEscaped(b, `<meta name="twitter:card" content="`, large, `">
<link rel="canonical" href="`, itself, `">
<link rel="alternate" type="application/json+oembed" title="`, c.title, `" href="`, at+"/oembed?format=json&url="+url.QueryEscape(itself), `">
`)
}

// writeEscaped writes parts of a page and escapes every second one, which may come
// from a link.
func writeEscaped(b *strings.Builder, parts ...string) {
	for i, part := range parts {
		if i%2 == 1 {
			part = html.EscapeString(part)
		}
		b.WriteString(part)
	}
}
