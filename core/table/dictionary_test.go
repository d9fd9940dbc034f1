package table

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/cell"
)

func TestDictionaryFindsWhatAMapFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	var d dictionary
	var entries []Entry
	codes := map[string]int32{}
	finds := 200_000
	if testing.Short() {
		finds = 50_000
	}
	for range finds {
		text := fmt.Sprint(rng.IntN(20_000)) // of 1 to 5 bytes
		switch rng.IntN(4) {
		case 0:
			text = "a long text " + text
		case 1:
			text = text + "-" + text
		}
		code, odd, key := d.find(entries, text)
		want, known := codes[text]
		if !known {
			require.EqualValues(t, MissingCode, code, text)
			codes[text] = int32(len(entries))
			entries = append(entries, Entry{Text: text})
			d.add(text, key, len(text)%2 == 1)
			continue
		}
		require.Equal(t, want, code, text)
		require.Equal(t, len(text)%2 == 1, odd)
	}
	// Texts that differ in one byte, of every length, wherever it stands.
	d, entries = dictionary{}, nil
	for n := range 40 {
		for i := range n {
			text := []byte(strings.Repeat("x", n))
			text[i] = 'y'
			code, _, key := d.find(entries, string(text))
			require.EqualValues(t, MissingCode, code, string(text))
			entries = append(entries, Entry{Text: string(text)})
			d.add(string(text), key, false)
		}
	}
	for i, e := range entries {
		code, _, _ := d.find(entries, e.Text)
		require.EqualValues(t, i, code)
	}
}

func TestDifferentNumbersAreCountedAsASetWould(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, spread := range []int{4500, 60_000, 1 << 40} {
		c := NewColumn("id", '.')
		seen := map[int]bool{}
		for row := range 50_000 {
			v := rng.IntN(spread)*3 - spread
			seen[v] = true
			c.Add(row, cell.FormatNumber(float64(v)))
		}
		c.SumUp(50_000, make([]float64, BlockLen))
		assert.True(t, c.PlainNumbers, "%d different numbers", len(seen))
		n, exact := c.CountDistinct(true)
		assert.Equal(t, spread < 1<<20, exact)
		if exact {
			assert.Equal(t, len(seen), n)
		}
		assert.InEpsilon(t, len(seen), n, .002)
	}
}
