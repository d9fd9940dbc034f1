package csv_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/cell"
	"ifmlab/core/csv"
	"ifmlab/core/read"
	"ifmlab/core/tabletest"
)

// lines joins lines, a row of the table each.
func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

func TestReadUnderstandsTheDialectsOfOtherPrograms(t *testing.T) {
	for _, c := range []struct {
		name, text string
		columns    []string
		rows       [][]string
		line       int    // of the first row
		told       string // a part of a notice; "" where there is none
	}{
		{"no last line end", "a,b\nx,2", []string{"a", "b"}, [][]string{{"x", "2"}}, 2, ""},
		{"CRLF", "a,b\r\nx,2\r\ny,3\r\n", []string{"a", "b"}, [][]string{{"x", "2"}, {"y", "3"}}, 2, ""},
		{"lone CR", "a,b\rx,2\ry,3\r", []string{"a", "b"}, [][]string{{"x", "2"}, {"y", "3"}}, 2, ""},
		{"BOM", "\uFEFFa,b\nx,2\n", []string{"a", "b"}, [][]string{{"x", "2"}}, 2, ""},
		{"quotes", "a,b\n\"x, y\",\"he said \"\"no\"\"\"\n", []string{"a", "b"}, [][]string{{"x, y", `he said "no"`}}, 2, ""},
		{"a line end in quotes", "a,b\n\"x\ny\",2\nz,3\n", []string{"a", "b"}, [][]string{{"x\ny", "2"}, {"z", "3"}}, 2, ""},
		{"a quote in a plain cell", "a,b\n5\" pipe,2\n", []string{"a", "b"}, [][]string{{`5" pipe`, "2"}}, 2, ""},
		{"blank lines", "\n\na,b\n\n\nx,2\n  \ny,3\n\n", []string{"a", "b"}, [][]string{{"x", "2"}, {"y", "3"}}, 6, ""},
		{"an empty cell in quotes is a row", "a\n\"\"\nx\n", []string{"a"}, [][]string{{""}, {"x"}}, 2, ""},
		{"spaces around names", " a ,\tb\nx,2\n", []string{"a", "b"}, [][]string{{"x", "2"}}, 2, ""},
		{"several spaces", "a   b\n  x  2\ny 3  \n", []string{"a", "b"}, [][]string{{"x", "2"}, {"y", "3"}}, 2, ""},
		{"names in brackets are no JSON", "[a],[b]\nx,2\n", []string{"[a]", "[b]"}, [][]string{{"x", "2"}}, 2, ""},
		{"decimal commas", "a;b\n1,5;x\n-3;z\n", []string{"a", "b"}, [][]string{{"1,5", "x"}, {"-3", "z"}}, 2, "a decimal comma, as in 1,5"},
		{"commas in texts beside decimal points", "a;b\n1.5;x,1\n-3;z,3\n", []string{"a", "b"}, [][]string{{"1.5", "x,1"}, {"-3", "z,3"}}, 2, ""},
		{"comments above the header", "# made by us, mostly\n# in 2020\na,b\n1,x\n2,y\n", []string{"a", "b"}, [][]string{{"1", "x"}, {"2", "y"}}, 4, "the first 2 lines"},
		{"a comment of as many cells as the header", "# km, per day\na,b\n1,2\n2,3\n", []string{"a", "b"}, [][]string{{"1", "2"}, {"2", "3"}}, 3, "the first line"},
		{"comments inside", "a,b\n1,x\n# a break\n2,y\n#3,z\n4,w\n", []string{"a", "b"}, [][]string{{"1", "x"}, {"2", "y"}, {"4", "w"}}, 2, "2 lines that begin with # are comments"},
		{"a quote in a comment", "a,b\n1,x\n# say, \"no\n2,y\n", []string{"a", "b"}, [][]string{{"1", "x"}, {"2", "y"}}, 2, "1 line that begins with #"},
		{"a comment that ends the file with a space", "a b\n1 2\n3 4\n# over ", []string{"a", "b"}, [][]string{{"1", "2"}, {"3", "4"}}, 2, "1 line that begins with #"},
		{"names with #", "#1,#2\nx,Ann\ny,Bob\n", []string{"#1", "#2"}, [][]string{{"x", "Ann"}, {"y", "Bob"}}, 2, ""},
		{"a column of numbers", "#,name\n1,Ann\n2,Bob\n", []string{"#", "name"}, [][]string{{"1", "Ann"}, {"2", "Bob"}}, 2, ""},
		{"a header with #", "#id,name\n1,Ann\n,Bob\n# over, now\n", []string{"id", "name"}, [][]string{{"1", "Ann"}, {"", "Bob"}}, 2, "1 line that begins with #"},
		{"a header with # below comments", "##source us\n##two\n#id\tname\n1\tAnn\n2\tBob\n", []string{"id", "name"}, [][]string{{"1", "Ann"}, {"2", "Bob"}}, 4, "the first 2 lines"},
		{"NumPy's header", "# x y\n1.5 2\n3 4.5\n", []string{"x", "y"}, [][]string{{"1.5", "2"}, {"3", "4.5"}}, 2, ""},
		{"colours are no comments", "colour,n\n#ff0000,1\nred,2\n#00ff00,3\n", []string{"colour", "n"}, [][]string{{"#ff0000", "1"}, {"red", "2"}, {"#00ff00", "3"}}, 2, ""},
		{"# within text", "text,n\nC# or F#,1\nno. #5,2\n", []string{"text", "n"}, [][]string{{"C# or F#", "1"}, {"no. #5", "2"}}, 2, ""},
		{"escaped quotes", `a,b` + "\n" + `"he said \"no, never\"",1` + "\n" + `"plain",2` + "\n", []string{"a", "b"}, [][]string{{`he said "no, never"`, "1"}, {"plain", "2"}}, 2, "a backslash"},
		{"escaped separators", lines(`a,b`, `Berlin\, DE,1`, `Paris\, FR,2`, `one\\two,3`, `\N,4`), []string{"a", "b"}, [][]string{{"Berlin, DE", "1"}, {"Paris, FR", "2"}, {`one\two`, "3"}, {`\N`, "4"}}, 2, "a backslash"},
		{"an escaped line end", lines("a\tb", "one\\\ntwo\t1", "x\\\ty\t2", "z\t3"), []string{"a", "b"}, [][]string{{"one\ntwo", "1"}, {"x\ty", "2"}, {"z", "3"}}, 2, "a backslash"},
		{"paths of Windows", lines(`path,n`, `"C:\new\",1`, `"C:\temp, old\",2`, `D:\x,3`), []string{"path", "n"}, [][]string{{`C:\new\`, "1"}, {`C:\temp, old\`, "2"}, {`D:\x`, "3"}}, 2, ""},
		{"single quotes", lines("'a','b'", "'Smith, J.',1", "'O''Brien',2"), []string{"a", "b"}, [][]string{{"Smith, J.", "1"}, {"O'Brien", "2"}}, 2, "single quotes"},
		{"one cell in single quotes", lines("a,b", "'n',1", "rock,2"), []string{"a", "b"}, [][]string{{"'n'", "1"}, {"rock", "2"}}, 2, ""},
		{"single quotes beside more double ones", lines("a,b", `'n',"x"`, `'m',"u"`, `o,"v"`), []string{"a", "b"}, [][]string{{"'n'", "x"}, {"'m'", "u"}, {"o", "v"}}, 2, ""},
		{"apostrophes", lines("name,n", "O'Brien,1", "'tis,2", "rock 'n' roll,3", "d'Arc,4"), []string{"name", "n"}, [][]string{{"O'Brien", "1"}, {"'tis", "2"}, {"rock 'n' roll", "3"}, {"d'Arc", "4"}}, 2, ""},
		{"spaces around quotes", lines(`"a", "b"`, `"x, y", "1"`, `"z" , "2"`), []string{"a", "b"}, [][]string{{"x, y", "1"}, {"z", "2"}}, 2, ""},
		{"row names without a name", lines("mpg", "Mazda 21", "Datsun 22.8", "Hornet 21.4"), []string{"rownames", "mpg"}, [][]string{{"Mazda", "21"}, {"Datsun", "22.8"}, {"Hornet", "21.4"}}, 2, "rownames"},
		{"quoted row names", lines(`"a","b"`, `"1",5.1,"x"`, `"2",4.9,"y"`), []string{"rownames", "a", "b"}, [][]string{{"1", "5.1", "x"}, {"2", "4.9", "y"}}, 2, "rownames"},
		{"a separator at the end of every line", lines("a,b,", "1,x,", "2,y,"), []string{"a", "b"}, [][]string{{"1", "x"}, {"2", "y"}}, 2, "ends with a separator"},
		{"one at the end of every row", lines("a,b", "1,x,", "2,y,"), []string{"a", "b"}, [][]string{{"1", "x"}, {"2", "y"}}, 2, "ends with a separator"},
		{"several", lines("a;b;;;", "1;x;;;", "2;y;;;"), []string{"a", "b"}, [][]string{{"1", "x"}, {"2", "y"}}, 2, "3 separators"},
		{"Excel's line", "sep=;\r\na;b\r\n1,5;x\r\n2,5;y\r\n", []string{"a", "b"}, [][]string{{"1,5", "x"}, {"2,5", "y"}}, 3, "names the separator"},
		{"Excel's line with another separator", "\"sep=^\"\na^b\n1^x\n2^y\n", []string{"a", "b"}, [][]string{{"1", "x"}, {"2", "y"}}, 3, "names the separator"},
		{"Excel's line with a tab", "sep=\\t\na\tb\n1\tx\n2\ty\n", []string{"a", "b"}, [][]string{{"1", "x"}, {"2", "y"}}, 3, "names the separator"},
		{"a title", "Report of 2024\n\na,b,c\n1,2,3\n4,5,6\n", []string{"a", "b", "c"}, [][]string{{"1", "2", "3"}, {"4", "5", "6"}}, 4, `"Report of 2024"`},
		{"a title over two columns", "Report\na,b\n1,2\n3,4\n", []string{"a", "b"}, [][]string{{"1", "2"}, {"3", "4"}}, 3, `"Report"`},
		{"titles as sheets write them", "Report of 2024,,\n,,\na,b,c\n1,2,x\n", []string{"a", "b", "c"}, [][]string{{"1", "2", "x"}}, 4, `"Report of 2024,,"`},
		{"a title with separators", "Sales, and more\nof: us\na,b,c\n1,2,3\n4,5,6\n", []string{"a", "b", "c"}, [][]string{{"1", "2", "3"}, {"4", "5", "6"}}, 4, "the first 2 lines"},
		{"numbers without a header", lines("5.1,3.5,x", "4.9,3,y"), []string{"column 1", "column 2", "column 3"}, [][]string{{"5.1", "3.5", "x"}, {"4.9", "3", "y"}}, 1, "the number 5.1"},
		{"texts without a header", lines("p,x,s", "e,x,y", "p,b,s", "e,x,s", "p,x,y"), []string{"column 1", "column 2", "column 3"}, [][]string{{"p", "x", "s"}, {"e", "x", "y"}, {"p", "b", "s"}, {"e", "x", "s"}, {"p", "x", "y"}}, 1, "are also in the rows below"},
		{"codes without a header", lines("u-101,up", "v-203,down", "w-300,flat", "x-142,left", "y-77,right"), []string{"column 1", "column 2"}, [][]string{{"u-101", "up"}, {"v-203", "down"}, {"w-300", "flat"}, {"x-142", "left"}, {"y-77", "right"}}, 1, "written as those below"},
		{"years in the header", lines("country,1990,2000", "A,1.5,2", "B,3,4.5"), []string{"country", "1990", "2000"}, [][]string{{"A", "1.5", "2"}, {"B", "3", "4.5"}}, 2, ""},
		{"a number among names", lines("id,2020,price", "1,5.5,3", "2,4.5,4"), []string{"id", "2020", "price"}, [][]string{{"1", "5.5", "3"}, {"2", "4.5", "4"}}, 2, ""},
		{"counted columns", lines(",0,1,2", "a,1.5,2,3.25", "b,2.5,3,4.5"), []string{"column 1", "0", "1", "2"}, [][]string{{"a", "1.5", "2", "3.25"}, {"b", "2.5", "3", "4.5"}}, 2, ""},
		{"a header of texts over texts", lines("name,town,colour", "Ann,Rome,red", "Bob,Bonn,red", "Cy,Rome,blue", "Di,Bonn,red", "Ed,Rome,red"), []string{"name", "town", "colour"}, [][]string{{"Ann", "Rome", "red"}, {"Bob", "Bonn", "red"}, {"Cy", "Rome", "blue"}, {"Di", "Bonn", "red"}, {"Ed", "Rome", "red"}}, 2, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := tabletest.Read(t, c.text)
			assert.Equal(t, c.columns, table.Names())
			assert.Equal(t, c.rows, table.Preview)
			assert.Equal(t, c.columns[0] != "column 1" || c.columns[1] == "0", table.Header)
			assert.Zero(t, table.BadCount)
			assert.Equal(t, c.line, table.Line(0))
			assert.EqualValues(t, len(c.text), table.Bytes)
			if c.told == "" {
				for _, told := range table.Notes.Texts() {
					assert.NotRegexp(t, "passed over|taken off|read as", told)
				}
			} else {
				assert.Contains(t, strings.Join(table.Notes.Texts(), "\n"), c.told)
			}
		})
	}
}

func TestOfTwoSeparatorsThatFitTheOneOfMoreNumbersIsTaken(t *testing.T) {
	for records, want := range map[int]string{8: "a\tb", 10: "a"} { // a number in 16 cells, and in 20
		text := "a\tb,c\nx\ty,1\n" + strings.Repeat("x\ty,z\n", records-2)
		assert.Equal(t, want, tabletest.ReadAs(t, text, read.Options{Header: csv.HeaderYes}).Names()[0])
	}
}

func TestASettingOfTheHeaderIsObeyed(t *testing.T) {
	const text = "#a,b\n1,2\n3,4\n"
	for header, want := range map[csv.Header]int{csv.HeaderNo: 2, csv.HeaderYes: 2, csv.HeaderAuto: 2} {
		table := tabletest.ReadAs(t, text, read.Options{Header: header})
		assert.Equal(t, want, table.Rows)
		assert.Equal(t, header != csv.HeaderNo, table.Header)
	}
	table := tabletest.ReadAs(t, "p,x\np,x\np,y\ne,x\np,x\n", read.Options{Header: csv.HeaderYes})
	assert.Equal(t, []string{"p", "x"}, table.Names())
	table = tabletest.ReadAs(t, "country,1990,2000\nA,1.5,2\nB,3,4.5\n", read.Options{Header: csv.HeaderNo})
	assert.Equal(t, 3, table.Rows)
}

func TestLinesFarDownAreCommentsWhereTheyAreNoRows(t *testing.T) {
	rows := tabletest.Numbers(20_000)
	rows[15_000] = "# the gauge was changed here"
	rows[15_001] = `# "quoted, and not closed`
	table := tabletest.Read(t, tabletest.Join(rows))
	assert.Equal(t, 19_998, table.Rows)
	assert.Zero(t, table.BadCount)
	assert.Equal(t, 15_000, table.Line(14_998))
	assert.Equal(t, 15_003, table.Line(14_999))
	assert.Equal(t, []string{"2 lines that begin with # are comments and are skipped"}, table.Notes.Texts())
}

func TestAQuoteHoldsAQuarterOfAMegabyteOfLines(t *testing.T) {
	for lines, holds := range map[int]bool{131_000: true, 131_100: false} {
		rows := tabletest.Numbers(20_000)
		rows[15_000] = `1,2,"` + strings.Repeat("x\n", lines) + `"`
		_, err := read.Read(strings.NewReader(tabletest.Join(rows)), read.Options{})
		assert.Equal(t, holds, err == nil, "%d: %v", lines, err)
	}
}

func TestOneBadRowOfFewIsListed(t *testing.T) {
	table := tabletest.Read(t, "a b c\n1 2 9\n3  9\n5 6 9\n7 8 9\n")
	require.Equal(t, 1, table.BadCount)
	assert.Equal(t, 3, table.Bad[0].Line)
	assert.Equal(t, 3, table.Rows)
	_, err := read.Read(strings.NewReader("a,b\n1,2\n3\n5\n7,8\n"), read.Options{})
	assert.Error(t, err, "two of four are too many")
	_, err = read.Read(strings.NewReader("a,b\n1\n2\n3\n"), read.Options{})
	assert.Error(t, err, "nothing is left")
}

func TestNoRefusalAsksForTheHeadersDeath(t *testing.T) {
	for _, text := range []string{"\"a,b\n1,2\n3,4\n", "\"a\"x,b\n1,ä\n", "grö\xf6,b\n1,ä\n", "a,\x00\n1,2\n3,4\n5,6\n7,8\n9,10\n" + strings.Repeat("1,2\n", 100), strings.Repeat("a", 5<<20) + ",b\n1,2\n"} {
		_, err := read.Read(strings.NewReader(text), read.Options{})
		require.Error(t, err)
		assert.NotContains(t, err.Error(), "delete")
	}
}

// utf16Of returns text in UTF-16, the low byte first unless big.
func utf16Of(text string, mark, big bool) string {
	units := utf16.Encode([]rune(text))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	var b strings.Builder
	for _, u := range units {
		low, high := byte(u), byte(u>>8)
		if big {
			low, high = high, low
		}
		b.WriteByte(low)
		b.WriteByte(high)
	}
	return b.String()
}

func TestReadGuessesTheCharset(t *testing.T) {
	const text = "größe,stadt\r\n1.5,Zürich 🚲\r\n2.5,\"Łódź,東京\"\r\n"
	want := [][]string{{"1.5", "Zürich 🚲"}, {"2.5", "Łódź,東京"}}
	for _, c := range []struct {
		name, file string
		charset    csv.Charset
		rows       [][]string
	}{
		{"UTF-8", text, csv.UTF8, want},
		{"UTF-16 with a mark", utf16Of(text, true, false), csv.UTF16LE, want},
		{"UTF-16, big end first, with a mark", utf16Of(text, true, true), csv.UTF16BE, want},
		{"UTF-16", utf16Of(text, false, false), csv.UTF16LE, want},
		{"UTF-16, big end first", utf16Of(text, false, true), csv.UTF16BE, want},
		{"windows-1252", "gr\xf6\xdfe,stadt\n1.5,Z\xfcrich \x96 \x80\n2.5,\xc5rhus\n", csv.Windows1252, [][]string{{"1.5", "Zürich – €"}, {"2.5", "Århus"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := tabletest.Read(t, c.file)
			assert.Equal(t, c.charset, table.Charset)
			assert.Equal(t, []string{"größe", "stadt"}, table.Names())
			assert.Equal(t, c.rows, table.Preview)
			assert.EqualValues(t, len(c.file), table.Bytes)
			assert.Equal(t, 2, table.Line(0))
			if c.charset == csv.UTF8 {
				assert.Empty(t, table.Notes)
			} else {
				assert.Contains(t, strings.Join(table.Notes.Texts(), "\n"), "is read as")
			}
			again := tabletest.ReadAs(t, c.file, read.Options{Name: "tec.csv", Charset: c.charset})
			assert.Equal(t, table.Preview, again.Preview)
			assert.Empty(t, again.Notes, "what the reader says is not told")
		})
	}
}

func TestACharsetThatIsNamedIsObeyed(t *testing.T) {
	const file = "a,b\n1,\x93x\x94 \xe9\n2,y\n"
	for charset, want := range map[csv.Charset]string{csv.Windows1252: "“x” é", csv.Latin1: "\u0093x\u0094 é"} {
		table := tabletest.ReadAs(t, file, read.Options{Charset: charset})
		assert.Equal(t, want, table.Preview[0][1])
		assert.Equal(t, charset, table.Charset)
	}
	for controls, want := range map[int]csv.Charset{2: csv.Windows1252, 3: csv.UTF8} { // of 200 bytes or more
		text := "a,b\n1,Ł\xe9\xe9" + strings.Repeat("\x01", controls) + strings.Repeat("\n1,2", 47)
		assert.Equal(t, want, tabletest.Read(t, text).Charset)
	}
	table := tabletest.ReadAs(t, file, read.Options{Charset: csv.UTF8})
	assert.Equal(t, 1, table.BadCount, "the row is none of UTF-8")
	_, err := read.Read(strings.NewReader(file), read.Options{Charset: "klingon"})
	assert.ErrorContains(t, err, "expected utf-8, utf-16le")
	_, err = read.Read(strings.NewReader(utf16Of("a,b\n1,2\n", true, false)), read.Options{Charset: csv.UTF8})
	assert.ErrorContains(t, err, "choose its charset")
}

func TestBytesFarDownThatAreNoUTF8MakeTheFileWindows1252(t *testing.T) {
	rows := tabletest.Numbers(30_000)
	rows[0] += ",where"
	for i := 1; i < len(rows); i++ {
		rows[i] += ",x"
	}
	rows[20_000], rows[20_001], rows[29_999] = "1,2,3,Z\xfcrich", "4,5,6,\"K\xf6ln, \x80\"", "7,8,9,caf\xe9"
	table := tabletest.Read(t, tabletest.Join(rows))
	assert.Equal(t, csv.Windows1252, table.Charset)
	assert.Zero(t, table.BadCount)
	assert.Equal(t, 30_000, table.Rows)
	assert.Equal(t, []string{"Zürich", "Köln, €", "café"}, []string{table.Text(3, 19_999), table.Text(3, 20_000), table.Text(3, 29_998)})
	assert.Equal(t, 20_001, table.Line(19_999))
	assert.Equal(t, 30_000, table.Line(29_998))

	rows[100] = "1,2,3,Łódź" // it is UTF-8, and the others are bad
	table = tabletest.Read(t, tabletest.Join(rows))
	assert.Equal(t, csv.UTF8, table.Charset)
	require.Equal(t, 3, table.BadCount)
	assert.Equal(t, []int{20_001, 20_002, 30_000}, []int{table.Bad[0].Line, table.Bad[1].Line, table.Bad[2].Line})
}

func TestHalfACharacterOfUTF16CostsItsRow(t *testing.T) {
	file := utf16Of(tabletest.Join(tabletest.Numbers(30))+"1,2,x\n", true, false)
	i := len(file) - 4 // the x
	file = file[:i] + "\x00\xd8" + file[i+2:]
	table := tabletest.Read(t, file)
	require.Equal(t, 1, table.BadCount)
	assert.Equal(t, "tec.csv:32:5: found half of a character of UTF-16 (little-endian), expected text. Correct the cell or delete line 32", table.Bad[0].Error())
	table = tabletest.Read(t, utf16Of(tabletest.Join(tabletest.Numbers(30)), true, true)+"1")
	assert.Equal(t, 1, table.BadCount, "half of a unit ends the file")
	assert.Equal(t, "🚲", tabletest.Read(t, utf16Of("a,b\n1,🚲", true, true)).Text(1, 0), "a whole one does")
	assert.Equal(t, 30, table.Rows)
}

// ahead is how many bytes a reader reads ahead.
const ahead = 256 << 10

// chunks is a reader that returns at most size bytes at a time, and none every second time.
type chunks struct {
	rest []byte
	size int
	dry  bool
}

func (c *chunks) Read(p []byte) (int, error) {
	if c.dry = !c.dry; c.dry {
		return 0, nil
	}
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.rest[:min(c.size, len(c.rest))])
	c.rest = c.rest[n:]
	return n, nil
}

// strayFile returns a table of three columns in which every second row has a quote
// within a cell, and some open one that is never closed or hold too few cells. The
// first row is so long that the others move by pad bytes. It returns as well what
// each row that can be read is, and the lines of the others.
func strayFile(rng *rand.Rand, size, pad int, end string) (file []byte, rows [][]string, bad []int) {
	file = append(file, "id,size,é"+end...)
	for line := 2; len(file) < size; line++ {
		cells := []string{fmt.Sprintf("n%d", line), fmt.Sprint(rng.IntN(50)), fmt.Sprintf("%.*g", 1+rng.IntN(17), rng.NormFloat64())}
		switch {
		case line == 2:
			cells[0] += strings.Repeat("x", pad)
		case line%1000 == 0:
			cells[0] = `"` + cells[0]
		case line%1000 == 1:
			cells = cells[:2]
		case line%20_000 == 502: // longer than what is read ahead
			cells[0] = strings.Repeat("long ", ahead/4) + cells[0]
		case line%2 == 0:
			cells[1] += `" pipe`
		}
		file = append(file, strings.Join(cells, ",")+end...)
		if line%1000 < 2 {
			bad = append(bad, line)
		} else {
			rows = append(rows, cells)
		}
	}
	return file, rows, bad
}

func TestStrayQuotesAreReadAlikeWhereverTheReadingIsCut(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	encode := map[csv.Charset]func(text []byte) []byte{
		csv.UTF8: func(text []byte) []byte { return text },
		csv.Windows1252: func(text []byte) []byte {
			return bytes.ReplaceAll(text, []byte("é"), []byte{0xe9})
		},
		csv.UTF16LE: func(text []byte) []byte { return []byte(utf16Of(string(text), true, false)) },
		csv.UTF16BE: func(text []byte) []byte { return []byte(utf16Of(string(text), true, true)) },
	}
	pads := 6
	if testing.Short() {
		pads = 1
	}
	for charset, as := range encode {
		for _, end := range []string{"\n", "\r\n", "\r"} {
			for range pads {
				text, rows, bad := strayFile(rng, 5*ahead/2, rng.IntN(100), end)
				chunk := 1 + rng.IntN(2*ahead)
				table := tabletest.Must(read.Read(&chunks{rest: as(text), size: chunk}, read.Options{}))
				require.Equal(t, []string{"id", "size", "é"}, table.Names())
				at := fmt.Sprintf("%s, lines that end with %q, chunks of %d", charset, end, chunk)
				lines := []int{}
				for _, row := range table.Bad {
					lines = append(lines, row.Line)
				}
				require.Equal(t, bad, lines, at)
				require.Equal(t, len(rows), table.Rows, at)
				for i, cells := range rows {
					v, ok := cell.ParseNumber(cells[2], '.')
					if !ok || v != table.Number(2, i) || table.Text(0, i) != cells[0] || table.Text(1, i) != cells[1] {
						t.Fatalf("%s: line %d is %.50q, %q, %v, want %.50q", at, table.Line(i), table.Text(0, i), table.Text(1, i), table.Number(2, i), cells)
					}
				}
			}
		}
	}
}
