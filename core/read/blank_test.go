package read_test

import (
	"runtime"
	"strings"
	"testing"

	"ifmlab/core/fault"
	"ifmlab/core/read"
)

// Such lines were read one by one, each as if it might be a row: 53 MB of them kept a
// browser for 19 seconds.
func TestAQuoteThatSwallowsEmptyLinesCostsItsOwnLine(t *testing.T) {
	for _, blank := range []string{"\n", "\r\n", "   \n"} {
		const many = 300_000 // more than a record may be long, and than the buffer
		rows := strings.Repeat("1,2,3\n", 20)
		file := "a,b,y\n" + rows + "1,\"" + strings.Repeat(blank, many) + "\",3\n" + rows
		table, err := read.Read(strings.NewReader(file), read.Options{Name: "t.csv"})
		if err != nil {
			t.Fatal(err)
		}
		if table.Rows != 40 || table.BadCount != 2 {
			t.Errorf("%q: %d rows and %d that cannot be read, want 40 and 2", blank, table.Rows, table.BadCount)
		}
		if line := table.Line(20); line != 22+many+1 {
			t.Errorf("%q: the row after it is on line %d, want %d", blank, line, 22+many+1)
		}
		if first := table.Bad[0]; first.Problem != fault.OpenQuote || first.Line != 22 || first.Column != 3 {
			t.Errorf("%q: %v at %d:%d, want the open quote at 22:3", blank, first.Problem, first.Line, first.Column)
		}
	}
}

func TestALineTooLongToBeARowIsNotCutUp(t *testing.T) {
	rows := strings.Repeat("1,2,3\n", 20)
	file := "a,b,y\n" + rows + strings.Repeat(",", (4<<20)+(64<<10)) + "\n" + rows
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	table, err := read.Read(strings.NewReader(file), read.Options{})
	runtime.ReadMemStats(&after)
	if err != nil || table.Rows != 40 || table.BadCount != 1 || table.Bad[0].Problem != fault.LongLine {
		t.Fatalf("%v, %+v", err, table)
	}
	// Its bytes stand in two slices that grow; four million cells would take 140 each.
	if grew, most := after.TotalAlloc-before.TotalAlloc, uint64(32*(4<<20)); grew > most {
		t.Errorf("it took %d bytes, want at most %d", grew, most)
	}
}
