//go:build js && wasm && !purego

package read_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ifmlab/core/kernel"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
)

// Rows of numbers alone are added by columns, from wherever the scanner has cut them.
func TestScanAheadReadsTheSameTable(t *testing.T) {
	if !kernel.CutsLines {
		t.Skip("no body of package kernel cuts lines here")
	}
	lines := bytes.SplitAfter(tabletest.NumericFile(3, -1, 800_000), []byte("\n"))
	rng := rand.New(rand.NewPCG(3, 4))
	for _, line := range []string{"\n", "1,2\n", "1,,x\n", "1,\"2\",3\n", "é,2,3\n", "1,2,1e999\n"} {
		at := len(lines)/2 + rng.IntN(len(lines)/2)
		lines = slices.Insert(lines, at, []byte(line))
	}
	file := bytes.Join(lines, nil)
	readAhead := func(ahead bool) (*table.Table, []roles.Profile) {
		defer func(before bool) { kernel.CutsLines = before }(kernel.CutsLines)
		kernel.CutsLines = ahead
		table, err := read.Read(bytes.NewReader(file), read.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return table, roles.Profiles(table)
	}
	got, profile := readAhead(true)
	want, wanted := readAhead(false)
	if fmt.Sprint(profile) != fmt.Sprint(wanted) || got.Rows != want.Rows || fmt.Sprint(got.Bad) != fmt.Sprint(want.Bad) {
		t.Fatalf("%d rows and\n%v, want %d and\n%v", got.Rows, profile, want.Rows, wanted)
	}
	for row := range want.Rows {
		if got.Line(row) != want.Line(row) {
			t.Fatalf("row %d is on line %d, want %d", row, got.Line(row), want.Line(row))
		}
		for j := range want.Columns {
			if a, b := got.Number(j, row), want.Number(j, row); math.Float64bits(a) != math.Float64bits(b) && !(a != a && b != b) {
				t.Fatalf("row %d, column %d: %v, want %v", row, j, a, b)
			}
		}
	}
}
