package csv

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestASampleKeepsItsLastRecordHoweverItEnds(t *testing.T) {
	for _, c := range []struct {
		text string
		sep  rune
		last []string
	}{
		{"a,b\n1,2", ',', []string{"1", "2"}},
		{"a,b\n1,2\n", ',', []string{"1", "2"}},
		{"a,b\n1,", ',', []string{"1", ""}},
		{"a b\n1 2", ' ', []string{"1", "2"}},
		{"a b\n1 2 ", ' ', []string{"1", "2"}},
		{"a b\n1 2  \n", ' ', []string{"1", "2"}},
		{"a b\n# ", ' ', []string{"#"}},
	} {
		d := Dialect{Sep: c.sep, Quote: '"'}
		records := d.cut(c.text, true).records
		if assert.Len(t, records, 2, "%q", c.text) {
			assert.Equal(t, c.last, records[1].cells, "%q", c.text)
		}
	}
}
