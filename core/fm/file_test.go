package fm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
)

// written returns a model with numbers that are hard to print and names that
// are hard to quote, and its file.
func written(t testing.TB, kind Kind) (*Model, design.Encoding, []byte) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 30))
	m, enc := random(rng, kind, 7, 2), encoding(rng, 7)
	copy(m.W, []float64{math.MaxFloat64, math.SmallestNonzeroFloat64, -.1, math.Copysign(0, -1), 1. / 3, 1e21, 123456789012345680})
	enc.Features[0].Name = "a \"quoted\" \\ name,\n\ttab \x00 é 漢 🎈 \u2028 </script>"
	enc.Features[1].Kind = design.FeatureMissing
	enc.Features[3].Kind = design.FeatureOther
	enc.Target.Levels, enc.Target.Span = []string{"no", "yes"}, []float64{-.1, 1e21}
	enc.FileStyle = design.FileStyle{Separator: '\t', Point: ',', Numbers: []string{"make", "\" \\"},
		Other: []string{"price"}, Dates: []string{"when:dmy"}, Units: []string{"price:\u20ac"}, MissingAs: []string{"a:b:-999"}, Present: []string{"garage:none"}, Weight: "counts"}
	m.Centre = centreFor(rng, m, enc)
	var b bytes.Buffer
	require.NoError(t, m.Write(&b, enc))
	return m, enc, b.Bytes()
}

// centreFor returns drawn averages of the right sizes.
func centreFor(rng *rand.Rand, m *Model, enc design.Encoding) *Centre {
	c, columns := &Centre{Means: gaussian(rng, m.D)}, len(enc.Groups())
	for range m.Scores() {
		if m.Rank > 0 {
			c.Columns, c.Pairs = append(c.Columns, gaussian(rng, columns)), append(c.Pairs, gaussian(rng, columns*(columns-1)/2))
		}
	}
	return c
}

func TestModelFileReadsBackBitForBit(t *testing.T) {
	for _, kind := range kinds {
		m, enc, file := written(t, kind)
		got, gotEnc, err := Parse(file)
		require.NoError(t, err)
		assert.Equal(t, m, got)
		assert.True(t, math.Signbit(got.W[3]), "−0 stays −0")
		assert.Equal(t, enc, gotEnc)
	}
}

// oracle is the model file as encoding/json reads it.
type oracle struct {
	Format  string
	Digest  string
	Version int
	Model   string
	Rank    int
	B       float64
	W       []float64
	U, V    [][]float64
	Target  struct {
		Name        string
		Mean, Scale float64
		Levels      []string
		Log         design.Log
		Least, Most float64
		Span        []float64
		Loss        string
	}
	Features []struct {
		Name, Column, Kind, Level string
		Mean, Scale               float64
	}
	Centre Centre
	Table  struct {
		Separator, Point string
		Header           bool
		Numbers, Other   []string
		Dates, Units     []string
		MissingAs        []string
		Present          []string
		Weight           string
	}
}

func TestModelFileIsWhatEncodingJSONReads(t *testing.T) {
	for _, kind := range kinds {
		m, enc, file := written(t, kind)
		var got oracle
		decoder := json.NewDecoder(bytes.NewReader(file))
		decoder.DisallowUnknownFields()
		require.NoError(t, decoder.Decode(&got))
		assert.Equal(t, fileFormat, got.Format)
		assert.Equal(t, fileVersion, got.Version)
		assert.Equal(t, kind.String(), got.Model)
		assert.Equal(t, m.Rank, got.Rank)
		assert.Equal(t, m.B, got.B)
		assert.Equal(t, m.W, got.W)
		assert.Equal(t, m.U, flatten(got.U, 1))
		assert.Equal(t, m.V, flatten(got.V, 1))
		assert.Equal(t, enc.Target, design.Target{Name: got.Target.Name, Mean: got.Target.Mean, Scale: got.Target.Scale, Levels: got.Target.Levels,
			Log: got.Target.Log, Least: got.Target.Least, Most: got.Target.Most, Span: got.Target.Span, Logistic: got.Target.Loss != ""})
		assert.Equal(t, enc.FileStyle, design.FileStyle{Separator: rune(got.Table.Separator[0]), Point: got.Table.Point[0], Header: got.Table.Header, Numbers: got.Table.Numbers,
			Other: got.Table.Other, Dates: got.Table.Dates, Units: got.Table.Units, MissingAs: got.Table.MissingAs, Present: got.Table.Present, Weight: got.Table.Weight})
		require.Len(t, got.Features, m.D)
		for j, f := range got.Features {
			assert.Equal(t, enc.Features[j], design.Feature{Name: f.Name, Column: f.Column, Kind: design.FeatureKind(f.Kind), Level: f.Level, Mean: f.Mean, Scale: f.Scale})
		}
	}
}

func TestReadTakesAnyLayoutOfTheSameJSON(t *testing.T) {
	_, _, file := written(t, IFM)
	want, wantEnc, err := Parse(file)
	require.NoError(t, err)
	var indented bytes.Buffer
	require.NoError(t, json.Indent(&indented, file, " ", "\t"))
	var tree map[string]any
	require.NoError(t, json.Unmarshal(file, &tree))
	tree["unknown"] = map[string]any{"list": []any{1, true, false, nil, "x", map[string]any{}}, "e": -1.5e-3}
	sorted, err := json.Marshal(tree) // members in another order, < as \u003c, one unknown
	require.NoError(t, err)
	for _, text := range [][]byte{indented.Bytes(), sorted} {
		got, gotEnc, err := Parse(text)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assert.Equal(t, wantEnc, gotEnc)
	}
}

func TestAModelFileWithoutATableIsOfTheUsualOne(t *testing.T) {
	_, enc, err := Parse([]byte(small))
	require.NoError(t, err)
	assert.Equal(t, design.FileStyle{Separator: ',', Point: '.', Header: true}, enc.FileStyle)
}

const small = `{"format":"ifmlab model","version":1,"model":"fm","rank":1,"b":0,"w":[1,2],"u":[[1],[2]],
"target":{"name":"y","mean":0,"scale":1},
"features":[{"name":"a","column":"a","kind":"value","mean":0,"scale":1},{"name":"b","column":"b","kind":"value","mean":0,"scale":1}]}`

func TestReadSaysWhereAndWhatIsWrong(t *testing.T) {
	_, _, err := Parse([]byte(small))
	require.NoError(t, err)
	for _, c := range []struct{ name, old, new, want string }{
		{"empty", small, "", `model file:1:1: found the end of the file, expected an object`},
		{"a table", small, "a,b\n1,2\n", `model file:1:1: found "a", expected an object`},
		{"other JSON", `"format":"ifmlab model",`, "", `model file: format is missing, expected a model file with all its members`},
		{"another format", `"ifmlab model"`, `"geojson"`, `model file:1:11: format is "\"geojson\"", expected "ifmlab model"`},
		{"a newer version", `"version":1`, `"version":5`, `model file:1:36: version is "5", expected 1 to 4; a newer iFM Lab made this file, reload the page to get it`},
		{"another model", `"model":"fm"`, `"model":"svm"`, `model file:1:46: model is "\"svm\"", expected "fm", "gfm" or "ifm"`},
		{"a rank below 0", `"rank":1`, `"rank":-1`, `model file:1:58: rank is "-1", expected a whole number of at least 0`},
		{"half a rank", `"rank":1`, `"rank":1.5`, `model file:1:58: rank is "1.5", expected a whole number of at least 0`},
		{"a larger rank", `"rank":1`, `"rank":2000000000`, `model file: u[0] is an array of 1, expected 2000000000 numbers, as many as the rank`},
		{"not a number", `[1,2]`, `[1,"x"]`, `model file:1:73: w[1] is "\"x\"", expected a finite number`},
		{"an infinite number", `[1,2]`, `[1,1e999]`, `model file:1:73: w[1] is "1e999", expected a finite number`},
		{"NaN", `[1,2]`, `[NaN,2]`, `model file:1:71: w[0] is "NaN", expected a finite number`},
		{"a leading zero", `[1,2]`, `[01,2]`, `model file:1:71: w[0] is "01", expected a finite number`},
		{"too few weights", `[1,2]`, `[1]`, `model file: w is an array of 1, expected 2 numbers, one for each feature`},
		{"too few factors", `[[1],[2]]`, `[[1]]`, `model file: u is an array of 1, expected 2 rows, one for each feature`},
		{"a ragged row", `[[1],[2]]`, `[[1],[2,3]]`, `model file: u[1] is an array of 2, expected 1 numbers, as many as the rank`},
		{"v of an fm", `"u":`, `"v":[[1],[2]],"u":`, `model file: v is present, expected factors v only for gfm and ifm`},
		{"an ifm without v", `"model":"fm"`, `"model":"ifm"`, `model file: v is missing, expected d rows of factors, as gfm and ifm have`},
		{"twice", `"b":0`, `"b":0,"b":1`, `model file:1:70: b is "1", expected each member once`},
		{"a scale of 0", `"mean":0,"scale":1},{`, `"mean":0,"scale":0},{`, `model file: features[0].scale is 0, expected a finite number above 0`},
		{"an unknown kind", `"b","kind":"value"`, `"b","kind":"date"`, `model file: features[1].kind is "date", expected "value", "knot", "level", "other", "missing" or "entry"`},
		{"cut off", `"scale":1}]}`, `"scale":1`, `model file:3:131: features[1] is the end of the file, expected a comma or "}"`},
		{"cut off in a text", `"b","kind":"value","mean":0,"scale":1}]}`, `"b`, `model file:3:94: features[1].column is "\"b", expected a text with its closing quote`},
		{"more after it", `"scale":1}]}`, `"scale":1}]} x`, `model file:3:135: found "x", expected nothing after the model`},
		{"a bad escape", `"name":"y"`, `"name":"\x"`, `model file:2:20: target.name is "x\"", expected the rest of an escape such as \n or \u00e4`},
		{"a raw line break", `"name":"y"`, "\"name\":\"\n\"", `model file:2:19: target.name is "\n\"", expected an escape such as \n in place of a control character`},
		{"a target of three", `"name":"y"`, `"name":"y","levels":["a","b","c"]`, `model file: target.levels is an array of 3, expected 2 texts, for 0 and for 1`},
		{"classes without scores", `"version":1`, `"version":4`, `model file: others.b is an array of 0, expected 2 numbers, one for each level but the first`},
		{"scores in an old version", `"features"`, `"others":{"b":[0],"w":[[1]],"u":[[]]},"features"`, `model file: others is present, expected none in version 1`},
		{"half a span", `"name":"y"`, `"name":"y","span":[1]`, `model file: target.span is an array of 1, expected 2 numbers, the minimum and the maximum`},
		{"a span that descends", `"name":"y"`, `"name":"y","span":[2,1]`, `model file: target.span is 2 to 1, expected the minimum first`},
		{"a log in the first version", `"name":"y"`, `"name":"y","log":"log","least":0,"most":1`, `model file: target.log is "log", expected none in version 1`},
		{"two separators", `"features"`, `"table":{"separator":";;"},"features"`, `model file:3:22: table.separator is "\";;\"", expected one character, neither a quote nor a line end`},
		{"no separator", `"features"`, `"table":{"separator":""},"features"`, `model file:3:22: table.separator is "\"\"", expected one character, neither a quote nor a line end`},
		{"another point", `"features"`, `"table":{"point":"·"},"features"`, `model file:3:18: table.point is "\"·\"", expected "." or ","`},
		{"a header that may be", `"features"`, `"table":{"header":"yes"},"features"`, `model file:3:19: table.header is "\"yes\"", expected true or false`},
		{"averages of nothing", `"features"`, `"centre":{},"features"`, `model file: centre.means is missing, expected a model file with all its members`},
		{"an average too few", `"features"`, `"centre":{"means":[1]},"features"`, `model file: centre.means is an array of 1, expected 2 numbers, one for each feature`},
		{"no averages of factors", `"features"`, `"centre":{"means":[1,2]},"features"`, `model file: centre.columns is an array of 0, expected 1 arrays, one for each score of a model with factors`},
		{"averages of one column", `"features"`, `"centre":{"means":[1,2],"columns":[[1]],"pairs":[[1]]},"features"`, `model file: centre.columns[0] is an array of 1, expected 2 numbers, one for each column or pair`},
		{"averages of two pairs", `"features"`, `"centre":{"means":[1,2],"columns":[[1,2]],"pairs":[[1,2]]},"features"`, `model file: centre.pairs[0] is an array of 2, expected 1 numbers, one for each column or pair`},
		{"bytes", `"name":"y"`, "\"name\":\"\xff\"", `model file: found bytes that are not UTF-8, expected a model file`},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, small, c.old)
			_, _, err := Parse([]byte(strings.Replace(small, c.old, c.new, 1)))
			var typed *FileError
			require.ErrorAs(t, err, &typed)
			assert.EqualError(t, err, c.want)
		})
	}
}

func TestReadSaysWhatIsWrongWithALogarithm(t *testing.T) {
	second := strings.Replace(small, `"version":1`, `"version":2`, 1)
	with := func(log string) string { return strings.Replace(second, `"name":"y"`, `"name":"y",`+log, 1) }
	_, enc, err := Parse([]byte(with(`"log":"log1p","least":0,"most":9.5`)))
	require.NoError(t, err)
	assert.Equal(t, design.Target{Name: "y", Scale: 1, Log: design.LogShifted, Least: 0, Most: 9.5}, enc.Target)
	for log, want := range map[string]string{
		`"log":"ln","least":0,"most":1`:                     `model file: target.log is "ln", expected "log" or "log1p"`,
		`"log":"log"`:                                       `model file: target.most is 0 above 0, expected finite numbers of at least 0, least below most`,
		`"log":"log","least":-1,"most":1`:                   `model file: target.most is 1 above -1, expected finite numbers of at least 0, least below most`,
		`"log":"log","least":0,"most":1,"levels":["a","b"]`: `model file: target.log is "log", expected none with levels`,
	} {
		_, _, err := Parse([]byte(with(log)))
		assert.EqualError(t, err, want)
	}
}

func TestAFileWithALogarithmIsOfTheSecondVersion(t *testing.T) {
	m, enc, _ := written(t, IFM)
	enc.Target = design.Target{Name: "y", Mean: 3, Scale: .5, Log: design.LogPlain, Least: .25, Most: 1e9}
	var b bytes.Buffer
	require.NoError(t, m.Write(&b, enc))
	assert.Contains(t, b.String(), `"version":2,`, "who knows only the first would predict logarithms")
	_, got, err := Parse(b.Bytes())
	require.NoError(t, err)
	assert.Equal(t, enc.Target, got.Target)
}

func TestAFileWithClassesIsOfTheThirdVersion(t *testing.T) {
	m, enc, _ := written(t, IFM)
	enc.Target = design.Target{Name: "churned", Mean: .25, Scale: 1.5, Levels: []string{"no", "yes"}, Logistic: true}
	var b bytes.Buffer
	require.NoError(t, m.Write(&b, enc))
	assert.Contains(t, b.String(), `"version":3,`, "who knows only the first two would predict log-odds")
	assert.Contains(t, b.String(), `"levels":["no","yes"],"loss":"logistic"}`)
	var read oracle
	require.NoError(t, json.Unmarshal(b.Bytes(), &read))
	assert.Equal(t, "logistic", read.Target.Loss)
	_, got, err := Parse(b.Bytes())
	require.NoError(t, err)
	assert.Equal(t, enc.Target, got.Target)
}

func TestReadSaysWhatIsWrongWithClasses(t *testing.T) {
	with := func(version, target string) string {
		return strings.NewReplacer(`"version":1`, `"version":`+version, `"name":"y"`, `"name":"y",`+target).Replace(small)
	}
	_, enc, err := Parse([]byte(with("3", `"levels":["a","b"],"loss":"logistic"`)))
	require.NoError(t, err)
	assert.True(t, enc.Target.Logistic)
	_, enc, err = Parse([]byte(with("3", `"levels":["a","b"]`)))
	require.NoError(t, err)
	assert.False(t, enc.Target.Logistic, "two values may be learnt as numbers")
	for target, want := range map[[2]string]string{
		{"2", `"levels":["a","b"],"loss":"logistic"`}:                                `model file: target.loss is "logistic", expected none in version 2`,
		{"3", `"loss":"logistic"`}:                                                   `model file: target.levels is missing, expected two texts, the classes of the loss "logistic"`,
		{"3", `"levels":["a","b"],"loss":"hinge"`}:                                   `model file:2:48: target.loss is "\"hinge\"", expected "logistic" or "softmax"`,
		{"3", `"levels":["a","b"],"loss":"logistic","log":"log","least":0,"most":1`}: `model file: target.log is "log", expected none with levels`,
	} {
		_, _, err := Parse([]byte(with(target[0], target[1])))
		assert.EqualError(t, err, want)
	}
}

func TestReadDoesNotFollowEndlessNesting(t *testing.T) {
	_, _, err := Parse([]byte(`{"deep":` + strings.Repeat("[", 1e6)))
	var typed *FileError
	require.ErrorAs(t, err, &typed)
	assert.Contains(t, err.Error(), "no more than 100 levels of nesting")
}

func TestWriteRefusesWhatNoFileCanHold(t *testing.T) {
	m, enc, _ := written(t, IFM)
	for want, change := range map[string]func(*Model, *design.Encoding){
		"model file: v is NaN, expected finite numbers": func(m *Model, _ *design.Encoding) { m.V[3] = math.NaN() },
		"model file: centre.pairs[0] is NaN, expected finite numbers": func(m *Model, _ *design.Encoding) {
			m.Centre = &Centre{make([]float64, 7), [][]float64{make([]float64, 7)}, [][]float64{{math.NaN()}}}
		},
		"model file: b is -Inf, expected finite numbers":                                  func(m *Model, _ *design.Encoding) { m.B = math.Inf(-1) },
		"model file: features is an array of 6, expected 7, at least 1, as the model has": func(_ *Model, e *design.Encoding) { e.Features = e.Features[:6] },
		"model file: target.scale is 0, expected a finite number above 0":                 func(_ *Model, e *design.Encoding) { e.Target.Scale = 0 },
		`model file: features[0].kind is "", expected "value", "knot", "level", "other", "missing" or "entry"`: func(_ *Model, e *design.Encoding) {
			e.Features = append([]design.Feature{{Scale: 1}}, e.Features[1:]...)
		},
	} {
		m, enc := clone(m), enc
		change(m, &enc)
		var b bytes.Buffer
		assert.EqualError(t, m.Write(&b, enc), want)
		assert.Zero(t, b.Len(), "nothing is written")
	}
}

// FuzzParse: no panic on any input; what is accepted is JSON that encoding/json
// reads to the same numbers, and writes and reads back.
func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	for _, kind := range kinds {
		_, _, file := written(f, kind)
		f.Add(file)
	}
	f.Add([]byte(`{"format":"ifmlab model","x":"\ud83c\udf88\ud83c","y":[-0.0e+1,{}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, enc, err := Parse(text)
		if err != nil {
			assert.IsType(t, new(FileError), err)
			return
		}
		require.True(t, json.Valid(text))
		var members map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(text, &members))
		var want []float64
		require.NoError(t, json.Unmarshal(members["w"], &want))
		require.Equal(t, want, m.W)
		require.Len(t, m.U, m.D*m.Rank)
		var b bytes.Buffer
		require.NoError(t, m.Write(&b, enc))
		again, _, err := Parse(b.Bytes())
		require.NoError(t, err)
		require.Equal(t, m, again)
	})
}

func TestNoFlippedBitOfAFileChangesTheModelInSilence(t *testing.T) {
	for _, kind := range kinds {
		m, enc, file := written(t, kind)
		rng := rand.New(rand.NewPCG(2, 52))
		refused := 0
		for range 4000 {
			damaged := bytes.Clone(file)
			damaged[rng.IntN(len(file))] ^= 1 << rng.IntN(8)
			got, gotEnc, err := Parse(damaged)
			if err != nil {
				refused++
				continue
			}
			require.Equal(t, m, got)
			require.Equal(t, enc, gotEnc)
		}
		assert.Greater(t, refused, 3000)
	}
}

func TestAFileIsTheSameHoweverItIsSpaced(t *testing.T) {
	m, enc, file := written(t, IFM)
	var spaced bytes.Buffer
	require.NoError(t, json.Indent(&spaced, file, "", "  "))
	got, gotEnc, err := Parse(spaced.Bytes())
	require.NoError(t, err)
	assert.Equal(t, m, got)
	assert.Equal(t, enc, gotEnc)
}

func TestTheDigestIsFNV1a(t *testing.T) {
	_, _, file := written(t, IFM)
	at := bytes.Index(file, []byte(",\n\"digest\""))
	h := fnv.New64a()
	h.Write(append(bytes.Clone(file[:at]), '}'))
	assert.Contains(t, string(file[at:]), fmt.Sprintf(`"digest":"%016x"`, h.Sum64()))
}

func TestAnEditedFileIsRefusedUntilItIsAskedFor(t *testing.T) {
	m, _, file := written(t, IFM)
	edited := bytes.Replace(file, []byte(`"b":-`), []byte(`"b":-1`), 1)
	_, _, err := Parse(edited)
	var changed *DigestError
	require.ErrorAs(t, err, &changed)
	got, _, err := ParseEdited(edited)
	require.NoError(t, err)
	assert.NotEqual(t, m.B, got.B)
	_, _, err = Parse(append(edited[:bytes.Index(edited, []byte(",\n\"digest\""))], '}'))
	assert.NoError(t, err, "older files have none")
}

func TestAModelOfClassesReadsBackBitForBit(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, kind := range kinds {
		m, enc := NewClasses(kind, 3, 2, 4), encoding(rng, 3)
		for c := range m.Classes {
			m.Classes[c] = random(rng, kind, 3, 2)
		}
		enc.Target = design.Target{Name: "y", Scale: 1.5, Levels: []string{"a", "b", "c", "d"}, Logistic: true}
		var b bytes.Buffer
		require.NoError(t, m.Write(&b, enc))
		read, got, err := Parse(b.Bytes())
		require.NoError(t, err)
		assert.Equal(t, enc.Target, got.Target)
		assert.Equal(t, m, read)
		_, _, err = Parse(bytes.Replace(b.Bytes(), []byte(`"a","b"`), []byte(`"b","a"`), 1))
		assert.ErrorAs(t, err, new(*DigestError))
		_, _, err = Parse(bytes.Replace(b.Bytes(), []byte(`"a","b",`), nil, 1))
		assert.EqualError(t, err, "model file: others.b is an array of 3, expected 2 numbers, one for each level but the first")
		m.Classes[2].W[1] = math.NaN()
		assert.EqualError(t, m.Write(&b, enc), "model file: w is NaN, expected finite numbers")
	}
}
