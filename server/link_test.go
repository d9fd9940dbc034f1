//go:build !js

package main

import (
	"bytes"
	"encoding/json"
	"image/png"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryCardHasAPictureAndSaysWhatIsInIt(t *testing.T) {
	files := must(os.ReadDir("../web/cards"))
	var names []string
	for _, file := range files {
		name, is := strings.CutSuffix(file.Name(), ".png")
		require.True(t, is, file.Name())
		names = append(names, name)
		about := must(png.DecodeConfig(bytes.NewReader(must(os.ReadFile("../web/cards/" + file.Name())))))
		assert.Equal(t, []int{pictureWidth, pictureHeight}, []int{about.Width, about.Height}, name)
	}
	assert.ElementsMatch(t, names, slices.Collect(maps.Keys(pictures)))
	for name, p := range pictures {
		for _, query := range p.links {
			assert.Equal(t, name, readLink(query).card().picture, query)
		}
	}
}

func TestALinkHasThePictureOfItsNumbersOrNone(t *testing.T) {
	for query, want := range map[string]string{
		"theme=dark&scale=linear&hide=maps&speed=slow": "flipped",
		"d=30&seed=1":                          "flipped",
		"seed=2":                               "",
		"models=ifm":                           "",
		"scenario=mixed&d=40":                  "",
		"source=table&sample=cars&seed=3":      "",
		"source=table&sample=cars&target=Year": "",
		"source=table&sample=penguins":         "",
		"source=table":                         "",
		"chapter=spectrum&spectrum.guess=2&spectrum.then=1&d=50": "spectrum",
		"chapter=spectrum&spectrum.d=10":                         "",
		"chapter=psd":                                            "", // of ten trials of 100 columns
		"chapter=break":                                          "", // of another M
		"chapter=break&break.m=0,0,1,1,1,0,1,1,1,1,1,1,0,0,0&break.draws=10&break.guess=0": "break",
	} {
		assert.Equal(t, want, readLink(query).card().picture, query)
	}
}

func TestALinkHasOneForm(t *testing.T) {
	for query, want := range map[string]string{
		"":                                       "",
		"theme=dark&scenario=mixed&embed=1":      "scenario=mixed&embed=1&theme=dark",
		"embed=1&embed=0":                        "",
		"embed=1&embed=9":                        "embed=1",
		"%70sd%2Ed=50&psd.%6B=3":                 "psd.d=50&psd.k=3",
		"embed=%31":                              "embed=1",
		"hide=verdict%2Ctitle,nothing":           "hide=title,verdict",
		"hide=":                                  "",
		"psd.d=50&interaction.m=1.5e-3&psd.d=60": "interaction.m=1.5e-3&psd.d=60",
		"psd.=1&psd=2&psd.d=%22&nope.d=1&psd.a%20b=1":     "",
		"sweep=rank&ratios=1,2":                           "ratios=1,2",
		"embed=lab&chapter=data&sample=cars&source=table": "source=table&embed=lab&chapter=data&sample=cars",
		"&&=&=x&d":                          "",
		"psd.d=" + strings.Repeat("1", 101): "",
	} {
		got := readLink(query).Encode()
		assert.Equal(t, want, got, "query %q", query)
		assert.Equal(t, got, readLink(got).Encode(), "query %q", query)
	}
}

// Every card has the same elements and attributes, its picture apart, so that whatever a link
// carries, there are as many <, > and " as in the card of no link at all.
func FuzzNothingInALinkBecomesMarkup(f *testing.F) {
	for _, seed := range []string{
		`source=table&target=<script>alert(1)</script>&sample="><`, `chapter=psd&psd.d="><img src=x onerror=alert(1)>`,
		`source=table&target=%22%3E%3Csvg%20onload=x%3E`, `theme='"&hide="<`, `source=table&ignore=%00%0d%0a%e2%80%a8`,
	} {
		f.Add(seed)
	}
	count := func(text string) [4]int {
		return [4]int{strings.Count(text, "<"), strings.Count(text, ">"), strings.Count(text, `"`), strings.Count(text, "\n")}
	}
	const at = "https://lab.example"
	plain, pictured := count(readLink("d=5").html(at, "../")), count(readLink("").html(at, "../"))
	f.Fuzz(func(t *testing.T, query string) {
		l := readLink(query)
		if strings.Trim(l.Encode(), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~,%&=") != "" {
			t.Fatalf("%q became %q", query, l.Encode())
		}
		want := plain
		if l.card().picture != "" {
			want = pictured
		}
		if got := count(l.html(at, "../")); got != want {
			t.Fatalf("%q makes %v of < > \" and lines, want %v", query, got, want)
		}
		var answer struct{ Version, Type, HTML, Title string }
		if err := json.Unmarshal([]byte(l.frame(at, 800, 720)), &answer); err != nil || strings.Count(answer.HTML, "<") != 2 {
			t.Fatalf("%q gives %v, %q", query, err, answer.HTML)
		}
	})
}

func TestQuotedTextIsWhatJSONReads(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	runes := []rune("aZ09 \"\\/<>&'\b\f\n\r\t\x00\x1f\x7f\u2028\u2029äπ🚲�")
	for range 2000 {
		var text strings.Builder
		for range rng.IntN(12) {
			text.WriteRune(runes[rng.IntN(len(runes))])
		}
		var got string
		require.NoError(t, json.Unmarshal([]byte(quote(text.String())), &got), "%q", text.String())
		assert.Equal(t, text.String(), got)
		assert.NotRegexp(t, `[<>&'\x00-\x1f]`, quote(text.String()))
	}
	var got string
	require.NoError(t, json.Unmarshal([]byte(quote("a\xffb")), &got))
	assert.Equal(t, "a\uFFFDb", got)
}

func TestOnlyHostsPassForHosts(t *testing.T) {
	for _, good := range []string{"lab.example", "LAB.example:8080", "127.0.0.1:80", "[::1]:8080", "[::1]", "my_host", "xn--bcher-kva.example"} {
		assert.True(t, isHost(good), good)
	}
	for _, bad := range []string{
		"", ":80", "a:", "a:b", "a b", "a/b", "a?b", "a#b", "me@a", "a'b", `a"b`, "a<b", "a&b", "a;b", "a,b", "a%41", "[::1", "::1", "[x]", "bücher.example", "a\nb", strings.Repeat("a", 300),
	} {
		assert.False(t, isHost(bad), bad)
	}
}
