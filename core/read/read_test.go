package read_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/read"
	"ifmlab/core/tabletest"
)

func TestTextsAreReadAsRecorded(t *testing.T) { tabletest.Readings(t) }

func TestReadReturnsTheReadersError(t *testing.T) {
	cancelled := errors.New("cancelled")
	text := tabletest.Join(tabletest.Numbers(20_000)) // longer than the sample
	for _, at := range []int{0, 10, 100_000} {
		_, err := read.Read(io.MultiReader(strings.NewReader(text[:at]), iotest.ErrReader(cancelled)), read.Options{Name: "tec.csv"})
		require.ErrorIs(t, err, cancelled)
		assert.Equal(t, fmt.Sprintf("tec.csv: reading stopped after %d bytes: cancelled", at), err.Error())
	}
	_, err := read.Read(io.MultiReader(strings.NewReader("a,b\n1,\"2"), iotest.ErrReader(cancelled)), read.Options{})
	require.ErrorIs(t, err, cancelled, "within quotes")
	_, err = read.Read(neverReader{}, read.Options{})
	require.ErrorIs(t, err, io.ErrNoProgress)
}

type neverReader struct{}

func (neverReader) Read([]byte) (int, error) { return 0, nil }

func TestTheLastColumnOfManyNumbersWithoutAHeaderStays(t *testing.T) {
	var b strings.Builder
	for row := range 5000 { // of more values than a dictionary takes, in less than a block of rows
		fmt.Fprintf(&b, "%d,%d.5\n", row%7, row*7919%100_003)
	}
	table := tabletest.Read(t, b.String())
	assert.Equal(t, []string{"column 1", "column 2"}, table.Names())
}
