package jsontext

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tokens returns the tokens of a text, and the error that ends it.
func tokens(r *Reader) (list []string, err error) {
	for {
		t, err := r.Next()
		if err != nil || t.Kind == End {
			return list, err
		}
		list = append(list, string(t.Kind)+string(t.Text))
	}
}

func TestTokensStandInOrder(t *testing.T) {
	list, err := tokens(NewReader([]byte(` {"a": [1, -2.5e3, null], "b\n\ud83d\udeb2\ud83d": {"c": "\u00e9\ud83dx\udeb2"}, "d":[],"e":{}} "x"`), nil))
	require.NoError(t, err)
	assert.Equal(t, []string{"{", ":a", "[", "a1", "a-2.5e3", "anull", "]", ":b\n🚲\uFFFD", "{", ":c", "\"é\uFFFDx\uFFFD", "}", ":d", "[", "]", ":e", "{", "}", "}", `"x`}, list)
}

func TestALackIsNamedAtItsPlace(t *testing.T) {
	for text, want := range map[string]struct {
		want Want
		at   Place
	}{
		`{"a" 1}`:       {WantColon, Place{5, 1, 6}},
		"{\"a\":1\n 2}": {WantComma, Place{8, 2, 2}},
		`{"a":1,}`:      {WantName, Place{7, 1, 8}},
		`[1,]`:          {WantValue, Place{3, 1, 4}},
		`[1`:            {WantComma, Place{2, 1, 3}},
		`[1 2]`:         {WantComma, Place{3, 1, 4}},
		`["a`:           {WantQuote, Place{3, 1, 4}},
		`["\x"]`:        {WantEscape, Place{3, 1, 4}},
		"[\"\n\"]":      {WantControl, Place{2, 1, 3}},
		`["\u00g0"]`:    {WantHex, Place{6, 1, 7}},
		`[[[[1]]]]`:     {WantLess, Place{3, 1, 4}},
		`]`:             {WantValue, Place{0, 1, 1}},
	} {
		r := NewReader([]byte(text), nil)
		r.Strict, r.MaxDepth = true, 3
		_, err := tokens(r)
		assert.Equal(t, want.want, err, text)
		assert.Equal(t, want.at, r.Here(), text)
	}
}

func TestALaxReaderTakesWhatIsCommon(t *testing.T) {
	r := NewReader([]byte("{\"a\":+01.},\n{\"it\\'s\":NaN}\n{\"b\":\"x\ny\"}\n[1]"), nil)
	r.Lines = true
	list, err := tokens(r)
	assert.Equal(t, WantQuote, err, "of lines, a text does not go on in the next")
	require.NoError(t, r.SkipLine())
	rest, err := tokens(r)
	assert.Equal(t, WantValue, err)
	assert.Equal(t, []string{"{", ":a", "a+01.", "}", "{", ":it's", "aNaN", "}", "{", ":b"}, list)
	assert.Empty(t, rest)
}

func TestWhatIsKeptHasNoSpaceBetweenTokens(t *testing.T) {
	r := NewReader([]byte(`[1 , {"a b" : "\u00e9 " } ]`), nil)
	r.Keep = true
	_, err := tokens(r)
	require.NoError(t, err)
	assert.Equal(t, `[1,{"a b":"\u00e9 "}]`, string(r.Raw))
}

func TestAnErrorOfTheSourceIsReturned(t *testing.T) {
	torn := errors.New("torn")
	_, err := tokens(NewReader([]byte(`[1,`), func() ([]byte, error) { return nil, torn }))
	assert.Equal(t, torn, err)
}

// FuzzReader holds a strict reader to what encoding/json takes, whole or byte by byte.
func FuzzReader(f *testing.F) {
	for _, s := range []string{`{"a":[1,-0.5e+3,null,true,"\ud83d\udeb2\ud83d\\"]}`, `[01]`, `[1.]`, `[.5]`, `[1e]`, `[+1]`, `[0x1]`, `[Inf]`, `{"a":1,}`, `["\x"]`, "[\"\t\"]", `[`, `"`, `{"a":{"b":[[]]}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		whole := NewReader(text, nil)
		at := 0
		bytewise := NewReader(nil, func() ([]byte, error) {
			if at == len(text) {
				return nil, io.EOF
			}
			at++
			return []byte{text[at-1]}, nil
		})
		whole.Strict, bytewise.Strict = true, true
		list, err := tokens(whole)
		again, errAgain := tokens(bytewise)
		require.Equal(t, list, again)
		require.Equal(t, err, errAgain)
		require.Equal(t, whole.Here(), bytewise.Here())
		decoder := json.NewDecoder(strings.NewReader(string(text)))
		for err == nil {
			var value json.RawMessage
			if wrong := decoder.Decode(&value); wrong == io.EOF {
				return
			} else if wrong != nil {
				t.Fatalf("%q: %v", text, wrong)
				return
			}
		}
		require.False(t, json.Valid(text) && err != WantLess, "%q: %v", text, err)
	})
}

func TestATextThatIsAppendedReadsBack(t *testing.T) {
	for text, want := range map[string]string{"a \"b\" \\ \x00\n\u2028 é 🚲": "a \"b\" \\ \x00\n\u2028 é 🚲", "\xff": "\uFFFD"} {
		out := AppendText(nil, text)
		var got string
		require.NoError(t, json.Unmarshal(out, &got))
		assert.Equal(t, want, got)
		token, err := NewReader(out, nil).Next()
		require.NoError(t, err)
		assert.Equal(t, want, string(token.Text))
	}
}
