package fm

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/tabletest"
)

// written returns a model with numbers that are hard to print and names that
// are hard to quote, and its file.
func written(t testing.TB, kind Kind) (*Model, design.Encoding, []byte) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 30))
	m, enc := random(rng, kind, 7, 2), encoding(rng, 7)
	copy(m.W, []float64{math.MaxFloat64, math.SmallestNonzeroFloat64, -.1, math.Copysign(0, -1), 1. / 3, 1e21, 123456789012345680})
	enc.Features[0].Name = "a \"quoted\" \\ name,\n\ttab \x00 é 漢 🎈 \u2028 </script>"
	enc.Features[0].Shares = gaussian(rng, design.DefaultKnots)
	for i, v := range enc.Features[0].Shares {
		enc.Features[0].Shares[i] = v * v / (1 + v*v)
	}
	enc.Features[1].Kind = design.FeatureMissing
	enc.Features[3].Kind = design.FeatureOther
	enc.Features[6].Kind, enc.Features[6].Knot, enc.Features[6].Fill = design.FeatureKnot, .25, -1
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
	tabletest.Edits(t, "broken.txt", small, func(t *testing.T, text string) string {
		_, _, err := Parse([]byte(text))
		require.ErrorAs(t, err, new(*FileError))
		return err.Error()
	})
}

func TestReadDoesNotFollowEndlessNesting(t *testing.T) {
	_, _, err := Parse([]byte(`{"deep":` + strings.Repeat("[", 1e6)))
	require.ErrorAs(t, err, new(*FileError))
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
		"model file: features[0].shares is an array of 7, expected 8 numbers": func(_ *Model, e *design.Encoding) {
			e.Features = slices.Clone(e.Features)
			e.Features[0].Shares = make([]float64, 7)
		},
		"model file: features[0].shares is NaN, expected numbers from 0 to 1": func(_ *Model, e *design.Encoding) {
			e.Features = slices.Clone(e.Features)
			e.Features[0].Shares = []float64{1, 0, 0, 0, 0, 0, 0, math.NaN()}
		},
		"model file: features[0].shares is -0.5, expected numbers from 0 to 1": func(_ *Model, e *design.Encoding) {
			e.Features = slices.Clone(e.Features)
			e.Features[0].Shares = []float64{1, -.5, 0, 0, 0, 0, 0, 0}
		},
		`model file: features[6].shares is an array of 8, expected none unless the kind is "value"`: func(_ *Model, e *design.Encoding) {
			e.Features = slices.Clone(e.Features)
			e.Features[6].Shares = make([]float64, design.DefaultKnots) // of a knot
		},
		"model file: target.scale is 0, expected a finite number above 0": func(_ *Model, e *design.Encoding) { e.Target.Scale = 0 },
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

func TestAnEditedFileIsRefusedUntilItIsAskedFor(t *testing.T) {
	m, _, file := written(t, IFM)
	edited := bytes.Replace(file, []byte(`"b":-`), []byte(`"b":-1`), 1)
	_, _, err := Parse(edited)
	require.ErrorAs(t, err, new(*DigestError))
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

// Who knows only an older version would predict logarithms or log-odds.
func TestAFileHasTheVersionThatItsTargetNeeds(t *testing.T) {
	for version, target := range map[string]design.Target{
		"1": {Name: "y", Mean: 3, Scale: .5, Levels: []string{"no", "yes"}},
		"2": {Name: "y", Mean: 3, Scale: .5, Log: design.LogPlain, Least: .25, Most: 1e9},
		"3": {Name: "y", Mean: .25, Scale: 1.5, Levels: []string{"no", "yes"}, Logistic: true},
	} {
		m, enc, _ := written(t, IFM)
		m.Interval, enc.Target = &Interval{Level: .9, Rows: 9, Half: 2}, target
		var b bytes.Buffer
		require.NoError(t, m.Write(&b, enc))
		assert.Contains(t, b.String(), `"version":`+version+",")
		got, read, err := Parse(b.Bytes())
		require.NoError(t, err)
		assert.Equal(t, target, read.Target)
		assert.Equal(t, m, got)
	}
}

func TestAModelFileKeepsItsInterval(t *testing.T) {
	for _, interval := range []*Interval{
		{Level: .9, Rows: 9, Half: 1. / 3},
		{Level: .95, Rows: 240, Half: 1e-300, B: -.1, W: []float64{1, 0, -2, 3, 1e21, .5, 7}, Least: -3, Most: 1. / 7},
		{Level: .9, Rows: 9, Half: 2, Lowest: [][]float64{{-1. / 3, 0}, {-7}}, Highest: [][]float64{{.1, 1e21}, {0}}},
	} {
		m, enc, _ := written(t, IFM)
		m.Interval = interval
		var file bytes.Buffer
		require.NoError(t, m.Write(&file, enc))
		got, gotEnc, err := Parse(file.Bytes())
		require.NoError(t, err)
		assert.Equal(t, m, got)
		assert.Equal(t, enc, gotEnc)
	}
}

func TestAnIntervalThatIsNotFiniteIsNotWritten(t *testing.T) {
	m, enc, _ := written(t, IFM)
	m.Interval = &Interval{Level: .9, Rows: 9, Half: math.NaN()}
	assert.EqualError(t, m.Write(new(bytes.Buffer), enc), "model file: interval is NaN, expected finite numbers")
	m.Interval = &Interval{Level: .9, Rows: 9, Half: 1, Lowest: [][]float64{{0}}, Highest: [][]float64{{math.Inf(1)}}}
	assert.EqualError(t, m.Write(new(bytes.Buffer), enc), "model file: interval is +Inf, expected finite numbers")
}

// s(z) = exp(B + zᵀW), held.
func TestTheSpreadIsHeldToWhatWasSeen(t *testing.T) {
	i := &Interval{B: .5, W: []float64{1, -2}, Least: -1, Most: 2}
	z := design.NewDense(4, 2, []float64{0, 0, 1, .5, 100, 0, 0, 100})
	s := make([]float64, 4)
	i.Spread(s, z)
	assert.InDeltaSlice(t, []float64{math.Exp(.5), math.Exp(.5), math.Exp(2), math.Exp(-1)}, s, 1e-14, "rounding")
	(&Interval{}).Spread(s, z)
	assert.Equal(t, []float64{1, 1, 1, 1}, s)
}
