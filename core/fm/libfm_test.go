package fm

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/tabletest"
)

// The model file is libFM's own; the predictions of its 24 rows are libFM's, of six
// digits and of rows that it holds as float32, and those of exact arithmetic.
func TestAModelOfLibFMPredictsWhatLibFMDoes(t *testing.T) {
	text, err := os.ReadFile("testdata/forward_fm.model")
	require.NoError(t, err)
	require.True(t, IsLibFM(text))
	m, enc, err := ParseLibFM(text)
	require.NoError(t, err)
	require.Equal(t, 7, m.D)
	require.Equal(t, 3, m.Rank)
	assert.Equal(t, "column 1", enc.Features[0].Column)

	want := exact(t)
	got := make([]float64, len(want.X))
	m.Predict(got, design.NewDense(len(want.X), 7, slices.Concat(want.X...)), nil)
	printed, err := os.Open("testdata/forward_libfm.out")
	require.NoError(t, err)
	defer printed.Close()
	lines := bufio.NewScanner(printed)
	for i, row := range want.X {
		require.True(t, lines.Scan())
		libFM, err := strconv.ParseFloat(lines.Text(), 64)
		require.NoError(t, err)
		size := sizeOf(m, row)
		assert.InDelta(t, want.ExactFM[i], got[i], 1e-14*size, "row %d: a few roundings of its largest terms", i)
		assert.InDelta(t, libFM, got[i], 2e-6*size, "row %d: libFM's float32 and its six digits", i)
	}
}

func TestOnlyWhatVVTCanSayIsWrittenForLibFM(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 18))
	_, err := random(rng, GFM, 5, 2).WriteLibFM(encoding(rng, 5))
	var typed *LibFMError
	require.ErrorAs(t, err, &typed)
	assert.ErrorContains(t, err, "keeps the squares")
	_, err = New(IFM, 1001, 1).WriteLibFM(encoding(rng, 1001))
	require.ErrorAs(t, err, &typed)
	assert.ErrorContains(t, err, "need one column of V for each feature: 1001")

	m := random(rng, IFM, 6, 2)
	enc := encoding(rng, 6)
	enc.Target.Log, enc.Target.Most = design.LogPlain, 7
	kept, err := m.WriteLibFM(enc)
	require.NoError(t, err)
	assert.Equal(t, 6, kept.Rank)
	assert.Equal(t, []string{"iFM's interactions have both signs, which VVᵀ has at full rank alone: V has 6 columns for iFM's 2", "libFM predicts what was learnt, log(price)"}, kept.Notices)
	enc.Features = enc.Features[1:]
	_, err = m.WriteLibFM(enc)
	require.ErrorAs(t, err, new(*FileError))
}

func TestTheFeaturesOfALibFMModelAreATable(t *testing.T) {
	m := New(FM, 5, 1)
	enc := design.Encoding{Target: design.Target{Name: "y", Scale: 2}, Features: []design.Feature{
		{Name: "a, \"b\"", Column: "a, \"b\"", Kind: design.FeatureValue, Mean: .1, Scale: 3, Least: -1, Most: 2},
		{Name: "c@1", Column: "c", Kind: design.FeatureKnot, Knot: 1, Fill: 1.5, Scale: 1},
		{Name: "d= x\ny", Column: "d", Kind: design.FeatureLevel, Level: " x\ny", Scale: 1},
		{Name: "d=other", Column: "d", Kind: design.FeatureOther, Scale: 1},
		{Name: "d is missing", Column: "d", Kind: design.FeatureMissing, Scale: 1},
	}}
	kept, err := m.WriteLibFM(enc)
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(kept.Features)).ReadAll()
	require.NoError(t, err)
	assert.Equal(t, [][]string{
		{"index", "feature", "column", "is", "of", "missing", "least", "most"},
		{"0", "a, \"b\"", "a, \"b\"", "value", "", "0.1", "-1", "2"},
		{"1", "c@1", "c", "knot", "1", "1.5", "", ""},
		{"2", "d= x\ny", "d", "level", " x\ny", "", "", ""},
		{"3", "d=other", "d", "other", "", "", "", ""},
		{"4", "d is missing", "d", "missing", "", "", "", ""},
	}, rows)
}

func TestWhatIsNoModelOfLibFMSaysWhere(t *testing.T) {
	const whole = "#global bias W0\n0.5\n#unary interactions Wj\n1\n2\n3\n#pairwise interactions Vj,f\n.1 .2\n.3 .4\n.5 .6\n"
	_, _, err := ParseLibFM([]byte(whole))
	require.NoError(t, err)
	tabletest.Edits(t, "brokenlibfm.txt", whole, func(t *testing.T, text string) string {
		_, _, err := ParseLibFM([]byte(text))
		return fmt.Sprint(err)
	})
	for text, bare := range map[string]bool{"\uFEFF.5\n1 -2e3": true, ".5": false, ".5\n\n1": false, ".5\na,b": false, whole: false, "": false} {
		assert.Equal(t, bare, IsBareLibFM([]byte(text)), "%q", text)
	}
}

func TestLibFMMayLeaveOutWhatItDidNotFit(t *testing.T) {
	m, _, err := ParseLibFM([]byte("\ufeff#pairwise interactions Vj,f\r\n1 2\r\n3 4\r\n\r\n"))
	require.NoError(t, err)
	assert.Equal(t, []float64{0, 0}, m.W)
	assert.Equal(t, 2, m.Rank)
	m, _, err = ParseLibFM([]byte("#unary interactions Wj\n\n1\n2\n#pairwise interactions Vj,f\n\n\n"))
	require.NoError(t, err)
	assert.Equal(t, []float64{1, 2}, m.W)
	assert.Equal(t, 0, m.Rank)
}

func FuzzParseLibFM(f *testing.F) {
	f.Add([]byte("#global bias W0\n0.5\n#unary interactions Wj\n1\n#pairwise interactions Vj,f\n.1 .2\n"))
	f.Add([]byte("#pairwise interactions Vj,f\n\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, enc, err := ParseLibFM(text)
		if err != nil {
			require.ErrorAs(t, err, new(*FileError))
			return
		}
		require.Equal(t, m.D, len(enc.Features))
		require.NoError(t, check(m, enc), "it can be kept as a file of ours")
	})
}

// sizeOf returns the sum of the sizes of a prediction's terms, those of the diagonal
// included, which the fast form adds and removes.
func sizeOf(m *Model, x []float64) float64 {
	_, size := pairwise(&Model{Kind: GFM, D: m.D, Rank: m.Rank, B: m.B, W: m.W, U: m.U, V: m.Right()}, x)
	return size
}

// rowsOf returns rows in the reader's units and scaled.
func rowsOf(rng *rand.Rand, enc design.Encoding, n int) (x [][]float64, raw, z *design.Dense) {
	var all, scaled []float64
	for range n {
		var row []float64
		for _, f := range enc.Features {
			v := f.Mean + f.Scale*rng.NormFloat64()
			row, scaled = append(row, v), append(scaled, (v-f.Mean)/f.Scale)
		}
		x, all = append(x, row), append(all, row...)
	}
	d := len(enc.Features)
	return x, design.NewDense(n, d, all), design.NewDense(n, d, scaled)
}

func TestAModelPredictsTheSameUnscaledAndOnceLibFMHasKeptIt(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 18))
	for _, c := range []struct {
		name  string
		m     *Model
		libFM bool
	}{
		{"FM", random(rng, FM, 9, 3), true}, {"iFM", random(rng, IFM, 9, 2), true}, {"gFM", random(rng, GFM, 9, 2), false},
		{"of rank 0", random(rng, GFM, 9, 0), true}, {"of one feature", random(rng, IFM, 1, 1), true},
	} {
		enc := encoding(rng, c.m.D)
		x, raw, z := rowsOf(rng, enc, 20)
		want, got := make([]float64, 20), make([]float64, 20)
		c.m.Predict(want, z, nil)
		unscaled := c.m.Unscaled(enc.Features)
		unscaled.Predict(got, raw, nil)
		for i := range want {
			assert.InDelta(t, want[i], got[i], 1e-14*sizeOf(unscaled, x[i]), "%s, row %d: a few roundings of its largest terms", c.name, i)
		}
		if !c.libFM {
			continue
		}
		kept, err := c.m.WriteLibFM(enc)
		require.NoError(t, err, c.name)
		require.True(t, IsLibFM(kept.Text))
		back, _, err := ParseLibFM(kept.Text)
		require.NoError(t, err, c.name)
		back.Predict(got, raw, nil)
		for i := range want {
			want := enc.Target.Scale * want[i]
			assert.InDelta(t, want, got[i], 1e-14*sizeOf(back, x[i]), "%s, row %d: a few roundings of its largest terms", c.name, i)
		}
	}
}
