package spec_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/spec"
)

// The page's tests read the same testdata: both codecs must agree on it.
func TestLinksAreReadAsThePageReadsThem(t *testing.T) {
	compareLinks(t, "testdata/links.json", spec.Parse, spec.Spec.Encode)
	compareLinks(t, "testdata/ionosphere.json", spec.ParseIonosphere, spec.Ionosphere.Encode)
	compareLinks(t, "testdata/addresses.json", func(query string) (spec.Link, []spec.Notice) {
		l := spec.ParseLink(query)
		notices := l.Notices
		l.Notices = nil
		return l, notices
	}, spec.Link.Encode)
}

func TestALinkSaysToEachWhatIsItsOwn(t *testing.T) {
	l := spec.ParseLink("?psd.d=50&n=40&%76tec.seed=2&chapter=psd&vtec.days=3&hide=title,maps")
	assert.Equal(t, 40, l.Spec.N)
	assert.Equal(t, spec.View{Embed: "0", Chapter: "psd", Hide: []string{"title", "maps"}, Scale: "auto", Theme: "auto", Sample: "none", Speed: "normal", Ghost: "1", Present: "0", Path: "none"}, l.View)
	assert.Equal(t, map[string]string{"psd": "d=50", "vtec": "seed=2&days=3"}, l.Parts)
	assert.Empty(t, l.Notices)
}

func TestEverySettingOfThePageIsAFieldOfItsOwn(t *testing.T) {
	keys := map[string]bool{}
	for _, f := range spec.ViewFields() {
		assert.False(t, keys[f.Key], f.Key)
		keys[f.Key] = true
		other := f.Options[0]
		if other == f.Default {
			other = f.Options[1]
		}
		l := spec.ParseLink(f.Key + "=" + other)
		assert.Empty(t, l.Notices, f.Key)
		assert.Equal(t, f.Key+"="+other, l.Encode())
		assert.False(t, slices.ContainsFunc(spec.Fields, func(g spec.Of[spec.Spec]) bool { return g.Key == f.Key }), f.Key)
	}
	assert.Equal(t, reflect.TypeFor[spec.View]().NumField(), len(keys))
}

func TestEveryChapterIsAStopOfAPath(t *testing.T) {
	var names, stops []string
	for _, c := range spec.Chapters {
		names = append(names, c.Name)
	}
	for _, s := range spec.Stops {
		stops = append(stops, s.Chapter)
		assert.Contains(t, spec.Paths, s.Path, s.Chapter)
		assert.Positive(t, s.Minutes, s.Chapter)
	}
	assert.Equal(t, names, stops, "give each chapter its line in Stops, in the order of Chapters")
}

func TestAGuessIsNoSettingOfARun(t *testing.T) {
	l := spec.ParseLink("psd.guess=stuck&psd.d=50&psd.then=worse&psd.guesses=1&vtec.guess=all")
	assert.Equal(t, map[string]string{"psd": "guess=stuck&d=50&then=worse&guesses=1", "vtec": "guess=all"}, l.Parts, "a link keeps it")
	assert.Equal(t, "d=50&guesses=1", spec.Unguessed(l.Parts["psd"]))
	assert.Empty(t, spec.Unguessed(l.Parts["vtec"]))
	assert.Empty(t, spec.Unguessed(""))
}

// compareLinks holds a codec to the examples of a file.
func compareLinks[S any](t *testing.T, file string, parse func(string) (S, []spec.Notice), encode func(S) string) {
	t.Helper()
	bytes, err := os.ReadFile(file)
	require.NoError(t, err)
	var links []struct {
		Query, Encoded string
		Notices        []string
	}
	require.NoError(t, json.Unmarshal(bytes, &links))
	require.NotEmpty(t, links)
	for _, l := range links {
		s, notices := parse(l.Query)
		keys := []string{}
		for _, n := range notices {
			keys = append(keys, n.Key)
			assert.NotEmpty(t, n.Message)
		}
		slices.Sort(keys)
		assert.Equal(t, l.Encoded, encode(s), "query %q", l.Query)
		assert.Equal(t, l.Notices, keys, "query %q", l.Query)

		again, notices := parse(encode(s))
		assert.Equal(t, s, again, "query %q", l.Query)
		assert.Empty(t, notices, "query %q", l.Query)
	}
}

func TestDefaultEncodesToNothing(t *testing.T) {
	assert.Empty(t, spec.Default().Encode())
	s, notices := spec.ParseIonosphere("")
	assert.Empty(t, s.Encode())
	assert.Empty(t, notices)
	assert.Equal(t, "simulated", s.Sky)
	assert.Equal(t, []string{"ridge", "lasso", "elasticnet", "kernel", "fm", "ifm", "kriging"}, s.Methods)
	assert.Equal(t, 20, s.Stride)
	assert.Equal(t, 115., s.Longitude)
}

func TestEveryDefaultLiesWithinItsBounds(t *testing.T) {
	for _, f := range spec.Fields {
		_, notices := spec.Parse(f.Key + "=" + url.QueryEscape(f.Default))
		assert.Empty(t, notices, f.Key)
	}
	for _, f := range spec.IonosphereFields {
		_, notices := spec.ParseIonosphere(f.Key + "=" + url.QueryEscape(f.Default))
		assert.Empty(t, notices, f.Key)
	}
}

// A field that stores into another's setting would not come back under its own
// key.
func TestEverySettingOfTheIonosphereIsAFieldOfItsOwn(t *testing.T) {
	keys := map[string]bool{}
	for _, f := range spec.IonosphereFields {
		assert.False(t, keys[f.Key], f.Key)
		keys[f.Key] = true
		other := map[spec.Kind]string{spec.Choice: "", spec.Set: "ifm", spec.Int: "2", spec.Float: "0.25", spec.Text: "S01"}[f.Kind]
		if f.Kind == spec.Choice {
			other = f.Options[1]
		}
		if f.Kind == spec.Float && f.Min > .25 {
			other = "25"
		}
		if other == f.Default {
			other = "1"
		}
		s, notices := spec.ParseIonosphere(f.Key + "=" + other)
		assert.Empty(t, notices, f.Key)
		assert.Equal(t, f.Key+"="+other, s.Encode())
	}
	assert.Equal(t, reflect.TypeFor[spec.Ionosphere]().NumField(), len(keys))
}

func TestEscapesMeanToANetURLParserWhatTheyMeanHere(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	runes := []rune("aZ0-_.~,\\ +%&=#?/\"'<>äπ🚲\x00\n")
	for range 2000 {
		var target strings.Builder
		for range rng.IntN(12) {
			target.WriteRune(runes[rng.IntN(len(runes))])
		}
		want := spec.Default()
		want.Target = target.String()
		want.Ignore = []string{target.String() + "x", "y"}

		values, err := url.ParseQuery(want.Encode())
		require.NoError(t, err)
		assert.Equal(t, want.Target, values.Get("target"))

		got, notices := spec.Parse(want.Encode())
		assert.Empty(t, notices)
		assert.Equal(t, want, got)

		got, _ = spec.Parse("target=" + url.QueryEscape(want.Target))
		assert.Equal(t, want.Target, got.Target)
	}
}

func FuzzParseClampsWhateverALinkCarries(f *testing.F) {
	f.Add("d=1e9&k=-1&ranks=1,,2&models=fm,fm&ignore=%5C")
	f.Add("noise=1e-320&lambdas=1e400,nan&seed=99999999999999999999")
	f.Fuzz(func(t *testing.T, query string) {
		s, _ := spec.Parse(query)
		for _, x := range []struct {
			name   string
			v      float64
			lo, hi float64
		}{{"d", float64(s.D), 2, 1000}, {"k", float64(s.K), 1, 50}, {"n", float64(s.N), 10, 1e6}, {"noise", s.Noise, 0, 10}, {"tolerance", s.Tolerance, 0, 1}} {
			if !(x.lo <= x.v && x.v <= x.hi) || math.IsNaN(x.v) {
				t.Fatalf("%s is %v, want %v to %v", x.name, x.v, x.lo, x.hi)
			}
		}
		if s.Source == "synthetic" && s.D*(s.N+s.Test) > spec.MaxCells {
			t.Fatalf("d = %d, n = %d, test = %d is too large", s.D, s.N, s.Test)
		}
		if len(s.Models) == 0 || len(s.Ranks) == 0 || len(s.Lambdas) == 0 {
			t.Fatalf("an empty list in %+v", s)
		}
		again, notices := spec.Parse(s.Encode())
		if len(notices) > 0 || again.Encode() != s.Encode() {
			t.Fatalf("%q became %q with %v", s.Encode(), again.Encode(), notices)
		}
	})
}

func FuzzParseLinkReadsWhatItWrites(f *testing.F) {
	f.Add("%70sd.d=50&psd.=1&psd.&vtec.a%26b=%zz&embed=9&&=%4")
	f.Add("hide=maps,,title&hide=&data.%3d==&?theme=dark")
	f.Fuzz(func(t *testing.T, query string) {
		l := spec.ParseLink(query)
		again := spec.ParseLink(l.Encode())
		if len(again.Notices) > 0 || again.Encode() != l.Encode() {
			t.Fatalf("%q became %q and then %q with %v", query, l.Encode(), again.Encode(), again.Notices)
		}
	})
}

func FuzzParseIonosphereClampsWhateverALinkCarries(f *testing.F) {
	f.Add("stride=0&latitude=91&methods=,ifm&gamma=-1")
	f.Add("edge=1e400&station=%ff&seed=99999999999999999999")
	f.Fuzz(func(t *testing.T, query string) {
		s, _ := spec.ParseIonosphere(query)
		for _, x := range []struct {
			name   string
			v      float64
			lo, hi float64
		}{{"stride", float64(s.Stride), 1, 720}, {"days", float64(s.Days), 1, 9}, {"latitude", s.Latitude, -70, 70}, {"gamma", s.Gamma, 1e-6, 1e6}, {"fmrank", float64(s.FMRank), 1, 10}} {
			if !(x.lo <= x.v && x.v <= x.hi) || math.IsNaN(x.v) {
				t.Fatalf("%s is %v, want %v to %v", x.name, x.v, x.lo, x.hi)
			}
		}
		if len(s.Methods) == 0 || len(s.Station) > spec.MaxText {
			t.Fatalf("no methods or a long station in %+v", s)
		}
		again, notices := spec.ParseIonosphere(s.Encode())
		if len(notices) > 0 || again.Encode() != s.Encode() {
			t.Fatalf("%q became %q with %v", s.Encode(), again.Encode(), notices)
		}
	})
}

// The page reads the same file in a test of its own.
func TestAPaintedMatrixIsReadAsThePageReadsIt(t *testing.T) {
	content, err := os.ReadFile("testdata/break.json")
	require.NoError(t, err)
	var cases []struct {
		M     string
		Pairs []float64
	}
	require.NoError(t, json.Unmarshal(content, &cases))
	for _, c := range cases {
		pairs, ok := spec.Break{M: c.M}.Pairs()
		assert.Equal(t, c.Pairs != nil, ok, c.M)
		if ok {
			assert.Equal(t, c.Pairs, pairs, c.M)
		}
	}
}

func TestAMatrixThatIsNoneIsPassedOver(t *testing.T) {
	first, notices := spec.ParseBreak("")
	assert.Empty(t, notices)
	assert.Equal(t, spec.Break{M: "-1,0,0,0,0,0,0,0,0,0,0,0,0,0,0", Draws: 100, Seed: 1}, first)
	b, notices := spec.ParseBreak("m=1,2&draws=5&seed=9")
	assert.Equal(t, spec.Break{M: first.M, Draws: 10, Seed: 9}, b)
	require.Len(t, notices, 2)
	assert.Equal(t, "m", notices[1].Key)
	_, notices = spec.ParseBreak("m=NaN," + strings.Repeat("1e400,", 200))
	require.Len(t, notices, 1, "too long and no matrix is one fault")
	assert.Less(t, len(notices[0].Message), 200)
	assert.Equal(t, "m=1&seed=2", spec.Unguessed("guess=fm&m=1&then=ifm&seed=2"))
}

// The file is read by the page's tests too: theirs is the same function.
func TestAFrameIsAsHighAsThePageInIt(t *testing.T) {
	queries := []string{
		"embed=1&hide=matrices", "embed=1", "embed=1&scenario=mixed&hide=title,verdict,matrices", "embed=1&hide=controls,matrices", "embed=1&hide=spectrum",
		"embed=1&hide=title,switch,controls,verdict,matrices", "embed=1&hide=title,switch,curve,controls,verdict,spectrum", "embed=1&hide=title,switch,curve,controls,verdict,maps",
		"embed=1&source=table&sample=cars", "embed=1&source=table&sample=signs&target=y", "source=table&embed=1", "embed=lab&chapter=psd", "embed=slide&hide=matrices", "embed=slide&chapter=vtec",
	}
	for _, c := range spec.Chapters {
		queries = append(queries, "embed=1&chapter="+c.Name)
	}
	var b strings.Builder
	for _, query := range queries {
		for _, width := range []int{1, 340, 500, 720, 992, 993, 1000, 5000} {
			fmt.Fprintf(&b, "%s %d %d\n", query, width, spec.ParseLink(query).Height(width))
		}
	}
	const file = "testdata/heights.txt"
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), b.String(), "run UPDATE=1 go test ./core/spec, and look what has changed")

	figure := func(width int) int { return spec.ParseLink("embed=1&hide=matrices").Height(width) }
	assert.Greater(t, figure(340), figure(720), "what is narrow is high")
	assert.Greater(t, figure(720), figure(1000))
	assert.Equal(t, figure(1200), figure(5000))
	assert.GreaterOrEqual(t, figure(700), figure(720), "between two measured widths it is the higher of both")
}

func TestEveryPieceOfThePageWasMeasured(t *testing.T) {
	known := map[string]bool{}
	for _, row := range spec.Measured {
		assert.False(t, known[row.Name], row.Name)
		known[row.Name] = true
	}
	for _, c := range spec.Chapters {
		assert.True(t, known["chapter:"+c.Name], c.Name)
	}
	for _, s := range spec.Samples {
		assert.True(t, known["table:"+s.Name], s.Name)
	}
}

func TestAChapterInAFrameStaysLow(t *testing.T) {
	for _, row := range spec.Measured {
		if !strings.HasPrefix(row.Name, "chapter:") {
			continue
		}
		for i, width := range spec.MeasuredWidths {
			switch {
			case width >= 800:
				assert.LessOrEqual(t, row.Px[i], 900, "%s at %d px", row.Name, width)
			case width >= 400:
				assert.LessOrEqual(t, row.Px[i], 1200, "%s at %d px", row.Name, width)
			}
		}
	}
}
