package csv

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// slowBlankLines is blankLines line by line.
func slowBlankLines(b []byte) (size, lines int) {
	for {
		i := bytes.IndexByte(b[size:], '\n')
		if i < 0 {
			return size, lines
		}
		line := bytes.TrimSuffix(b[size:size+i], []byte("\r"))
		if len(bytes.Trim(line, " ")) > 0 {
			return size, lines
		}
		size += i + 1
		lines++
	}
}

func TestBlankLinesMatchesALineAtATime(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		b := make([]byte, rng.IntN(40))
		for i := range b {
			b[i] = "\n\n\n\n\n\n\r \rx"[rng.IntN(10-rng.IntN(2))]
		}
		size, lines := blankLines(b)
		if wantSize, wantLines := slowBlankLines(b); size != wantSize || lines != wantLines {
			t.Fatalf("%q: %d bytes and %d lines, want %d and %d", b, size, lines, wantSize, wantLines)
		}
	}
}
