package main

import (
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"ifmlab/core/spec"
)

// signs has the title for each sign of the drawn truth, and what is learnt then.
var signs = map[string]struct{ title, learn string }{
	"psd":     {"Interactions that FM is made for", "interactions UUᵀ"},
	"flipped": {"Flip one sign and FM breaks", "interactions −UUᵀ, FM’s own with the sign flipped"},
	"mixed":   {"Interactions of both signs", "interactions UVᵀ, of both signs"},
}

// pictures says what is to be seen in each of cards/NAME.png.
var pictures = map[string]string{
	"psd":         "Test RMSE by iteration: FM falls to rounding error, iFM more slowly",
	"flipped":     "Test RMSE by iteration: FM stops a sixth below ridge regression, iFM falls",
	"mixed":       "Test RMSE by iteration: FM stops below ridge regression, iFM falls to rounding error",
	"table":       "Test RMSE of Miles_per_Gallon by iteration: FM and iFM end below ridge regression",
	"interaction": "Three maps over x₁ and x₂: a linear part, an interaction, and their sum",
	"reach":       "Space of three pairs, four octants shaded: FM’s path goes along a boundary, iFM’s straight to the truth in an octant that is not shaded",
	"spectrum":    "Eigenvalues: three of the truth’s six are below zero; FM has none there, iFM all three",
	"loophole":    "Three maps: the truth; FM’s UUᵀ of rank 1, a framed cross that copies one row, with a large entry on the diagonal; and what it misses",
	"break":       "Three maps of six features: a painted M, what FM of rank 2 makes of it and what iFM of rank 1 does",
	"diagonal":    "Error of M by τ: gFM’s grows as τ goes to 0, iFM’s does not",
	"samples":     "Map of how often iFM finds the truth, by its rank and by rows ÷ dk: the higher the rank, the fewer rows it takes",
	"algorithm":   "Recovery error by iteration: it grows for gFM as printed, and falls for gFM corrected and for iFM",
	"vtec":        "RMSE by day of the paper’s six methods, cubics and kriging on a simulated ionosphere: FM’s and iFM’s lie below ridge regression’s on most days, cubics’ below theirs, kriging’s lowest",
	"data":        "Test RMSE ÷ ridge’s of FM and iFM on three tables: below 1 on cars, near 1 on penguins and diabetes",
}

// words says a setting in a sentence, % being its value. What is not here is
// in the link and goes without saying.
var words = map[string]string{
	"truth": "% truth", "diagonal": "diagonal %", "features": "% columns", "tau": "τ = %", "rho": "ρ = %",
	"d": "d = %", "k": "k = %", "n": "% training rows", "test": "% test rows", "noise": "noise %", "rank": "models of rank %",
	"solver": "solver %", "seed": "seed %", "trials": "% trials", "iterations": "% iterations at most",
}

// ofTables lists those of words that mean something where no rows are drawn.
var ofTables = []string{"solver", "seed", "iterations"}

// card is what a link shows, in words and one picture.
type card struct {
	title, text string
	picture     string // name of one of pictures
}

// The size of every share picture.
const (
	pictureWidth  = 1200
	pictureHeight = 630
)

// card returns the words for the link: those of its chapter, else of its
// table, else of its scenario, and whatever it sets otherwise than the page does.
func (l link) card() card {
	var c card
	learn := l.models() + " learn "
	if len(l.Spec.Models) == 1 {
		learn = l.models() + " learns "
	}
	if i := slices.IndexFunc(spec.Chapters, func(c spec.Chapter) bool { return c.Name == l.View.Chapter }); i >= 0 {
		chapter := spec.Chapters[i]
		picture := chapter.Name
		if picture == "psd" { // that is the scenario in which the bias helps; the chapter is of the one where it hurts
			picture = "flipped"
		}
		c = card{chapter.Title, chapter.Question + " Guess, then run it in your browser", picture}
	} else if l.Spec.Source == "table" {
		table, column, picture := "a table of your own", "one column", "table"
		if sample := l.View.Sample; sample != "none" {
			table = "the table “" + sample + "”"
			if sample != "cars" { // of which that picture is
				picture = "data"
			}
		}
		if l.Spec.Target != "" {
			column = "“" + short(l.Spec.Target) + "”"
		}
		c = card{l.models() + " on " + table, learn + "to predict " + column + " from the others, beside the mean and ridge regression, live in your browser", picture}
	} else {
		sign := signs[l.Spec.Scenario]
		c = card{sign.title, learn + sign.learn + ", live in your browser", l.Spec.Scenario}
	}
	if told := l.told(); len(told) > 0 {
		c.text += ": " + strings.Join(told, ", ")
	}
	c.text += "."
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

// told says what the link sets: for its chapter, its table or its figure.
func (l link) told() (told []string) {
	say := func(key, value string) {
		if form, is := words[key]; is {
			told = append(told, strings.Replace(form, "%", short(value), 1))
		}
	}
	for key, value := range spec.Pairs(l.Parts[l.View.Chapter]) {
		say(key, value)
	}
	for key, value := range spec.Pairs(l.Spec.Encode()) {
		if l.View.Chapter == "none" && (l.Spec.Source != "table" || slices.Contains(ofTables, key)) {
			say(key, value)
		}
	}
	return told
}

// short cuts what somebody else wrote to the length of a name, and to what
// can be seen of it.
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

// longest is the most bytes that the settings of a share card, and the address
// that oEmbed is asked about, may have.
const longest = 8 << 10

// showCard answers /p/SETTINGS: to whoever reads only the head, what the link
// shows; to a browser, the page itself with these settings.
func (s *site) showCard(w http.ResponseWriter, r *http.Request) {
	written := strings.Trim(strings.TrimPrefix(r.URL.EscapedPath(), "/p/")+"&"+r.URL.RawQuery, "&") // who writes /p/?d=30 means it
	if len(written) > longest {
		say(w, r, http.StatusRequestURITooLong, "the settings of this link are longer than 8192 bytes; leave some out")
		return
	}
	at, err := s.address(r)
	if err != nil {
		say(w, r, http.StatusBadRequest, err.Error())
		return
	}
	l := readLink(written)
	send(w, r, http.StatusOK, s.keep(), "text/html; charset=utf-8", l.html(at))
}

// html writes the card of the site at an address. What a link says comes in
// escaped or not at all.
func (l link) html(at string) string {
	c := l.card()
	query := l.Encode()
	itself, page := at+"/p/"+query, "/"
	if query != "" {
		page += "?" + query
	}
	picture := at + "/cards/" + c.picture + ".png"
	var b strings.Builder
	write := func(parts ...string) { // every second one comes from the link
		for i, part := range parts {
			if i%2 == 1 {
				part = html.EscapeString(part)
			}
			b.WriteString(part)
		}
	}
	write(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>`, c.title, ` · iFM Lab</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="`, c.text, `">
<meta property="og:type" content="website">
<meta property="og:site_name" content="iFM Lab">
<meta property="og:title" content="`, c.title, `">
<meta property="og:description" content="`, c.text, `">
<meta property="og:url" content="`, itself, `">
<meta property="og:image" content="`, picture, `">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="`, pictures[c.picture], `">
<meta name="twitter:card" content="summary_large_image">
<meta name="twitter:title" content="`, c.title, `">
<meta name="twitter:description" content="`, c.text, `">
<meta name="twitter:image" content="`, picture, `">
<meta name="twitter:image:alt" content="`, pictures[c.picture], `">
<link rel="canonical" href="`, itself, `">
<link rel="alternate" type="application/json+oembed" title="`, c.title, `" href="`, at+"/oembed?format=json&url="+url.QueryEscape(itself), `">
<link rel="icon" href="data:,">
<meta http-equiv="refresh" content="0; url=`, page, `">
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem}img{max-width:100%;height:auto}a{display:inline-block;padding:.6rem 0}</style>
</head>
<body>
<main>
<h1>`, c.title, `</h1>
<p>`, c.text, `</p>
<p><a href="`, page, `">Open it in iFM Lab</a></p>
<img src="`, "/cards/"+c.picture+".png", `" alt="`, pictures[c.picture], `" width="1200" height="630">
</main>
</body>
</html>
`)
	return b.String()
}
