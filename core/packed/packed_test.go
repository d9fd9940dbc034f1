package packed

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
)

// few is so little that a small file can be too large.
var few = limits{text: 1 << 16, held: 1 << 14}

// some is enough for the tables in testdata, and ends a table that a flipped bit makes endless.
var some = limits{text: 1 << 20, held: 1 << 18}

// textOf opens a file and reads its text, of which no more may come than m says.
func textOf(t *testing.T, l limits, name string, file []byte) (string, error) {
	t.Helper()
	table, err := l.open(name, bytes.NewReader(file), int64(len(file)), spec.Default(), 0)
	if err != nil {
		return "", err
	}
	defer table.Close()
	text, err := io.ReadAll(table)
	assert.LessOrEqual(t, len(text), l.text, name)
	return string(text), err
}

func gzipped(t testing.TB, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, part := range parts {
		w := gzip.NewWriter(&b)
		_, err := io.WriteString(w, part)
		require.NoError(t, err)
		require.NoError(t, w.Close())
	}
	return b.Bytes()
}

// zipped returns an archive of names and contents.
func zipped(t testing.TB, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		f, err := w.Create(parts[i])
		require.NoError(t, err)
		_, err = io.WriteString(f, parts[i+1])
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// zipsWithin returns an archive within so many others, of a text that may just come.
func zipsWithin(t testing.TB, depth int) []byte {
	t.Helper()
	file := zipped(t, "t.csv", strings.Repeat("1,2\n", few.text/4))
	for range depth {
		file = zipped(t, "t.zip", string(file))
	}
	return file
}

// sheeted returns a workbook of one sheet with these rows, shared texts and styles.
func sheeted(t testing.TB, rows, texts string, styles ...string) []byte {
	t.Helper()
	const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	return zipped(t,
		"[Content_Types].xml", "<Types/>",
		"_rels/.rels", `<Relationships><Relationship Id="r1" Type="`+office+`officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml", `<workbook><sheets><sheet name="Only" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Type="`+office+`worksheet" Target="sheet.xml"/><Relationship Id="r2" Type="`+office+`sharedStrings" Target="texts.xml"/><Relationship Id="r3" Type="`+office+`styles" Target="styles.xml"/></Relationships>`,
		"xl/sheet.xml", `<worksheet><sheetData>`+rows+`</sheetData></worksheet>`,
		"xl/styles.xml", "<styleSheet>"+strings.Join(styles, "")+"</styleSheet>",
		"xl/texts.xml", `<sst>`+texts+`</sst>`)
}

// at returns a row of one cell.
func at(column string, row int) string {
	return fmt.Sprintf(`<row r="%d"><c r="%s%[1]d"><v>1</v></c></row>`, row, column)
}

// parqueted returns groups of so many rows of one number: a few hundred bytes, however
// many.
func parqueted(t testing.TB, groups ...int) []byte {
	t.Helper()
	type row struct {
		Same int64 `parquet:"same,dict"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b, parquet.Compression(&parquet.Gzip))
	for _, n := range groups {
		_, err := w.Write(slices.Repeat([]row{{1234567890123}}, n))
		require.NoError(t, err)
		require.NoError(t, w.Flush())
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// prefixed returns texts that begin as the one before does: a few bytes each.
func prefixed(t testing.TB, n int) []byte {
	t.Helper()
	type row struct {
		Text string `parquet:"text,delta"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	_, err := w.Write(slices.Repeat([]row{{strings.Repeat("x", 100)}}, n))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func TestAFileThatUnpacksToTooMuchIsRefusedAndNoMoreOfItIsRead(t *testing.T) {
	const line = "1,2\n"
	bomb := strings.Repeat(line, few.text)
	lying := zipped(t, "t.csv", bomb)
	directory := bytes.Index(lying, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(lying[directory+24:], uint32(len(line)))
	for name, bad := range map[string]struct {
		file []byte
		says string // "" for a file that is not too large
	}{
		"one.csv.gz":     {gzipped(t, bomb), large(few.text)},
		"parts.csv.gz":   {gzipped(t, bomb[:few.text/2], bomb[:few.text/2], line), large(few.text)},
		"whole.csv.gz":   {gzipped(t, bomb[:few.text/2], bomb[:few.text/2]), ""},
		"one.zip":        {zipped(t, "t.csv", bomb), large(few.text)},
		"lying.zip":      {lying, damagedMember("t.csv")},
		"gzip.zip":       {zipped(t, "t.csv.gz", string(gzipped(t, bomb))), large(few.text)},
		"held.zip":       {zipped(t, "t.zip", "PK\x03\x04"+strings.Repeat("x", few.held)), large(few.held)},
		"sheet.xlsx":     {sheeted(t, strings.Repeat(at("A", 1), few.text/20), ""), large(few.text)},
		"texts.xlsx":     {sheeted(t, at("A", 1), strings.Repeat("<si><t>x</t></si>", few.held/10)), large(few.held)},
		"wide.xlsx":      {sheeted(t, at("A", 1)+at("XFD", 2)+at("XFD", 3)+at("XFD", 4)+at("XFD", 5)+at("XFD", 6), ""), large(few.text)},
		"long.xlsx":      {sheeted(t, at("A", 1)+at("A", maxRows), ""), large(few.text)},
		"shared.xlsx":    {sheeted(t, strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 100), "<si><t>"+strings.Repeat("x", 1000)+"</t></si>"), large(few.text)},
		"nested.zip":     {zipsWithin(t, maxDepth), ""},
		"deep.zip":       {zipsWithin(t, maxDepth+1), deepZip},
		"values.parquet": {parqueted(t, few.held/valueSize+1), large(few.held)},
		"begun.parquet":  {prefixed(t, few.held/100+2), large(few.held)},
		"text.parquet":   {parqueted(t, few.held/valueSize), ""},
		"rows.parquet":   {parqueted(t, few.held/valueSize, few.held/valueSize, few.held/valueSize), large(few.text)},
	} {
		text, err := textOf(t, few, name, bad.file)
		if bad.says == "" {
			assert.NoError(t, err, name)
			assert.Greater(t, len(text), few.text/3, name)
			continue
		}
		if fault, ok := errors.AsType[*Error](err); assert.True(t, ok, "%s: %v", name, err) {
			assert.Equal(t, bad.says, fault.Message, name)
		}
		assert.Less(t, len(bad.file), few.held+1000, "%s is small itself", name)
	}
	_, err := few.read("held.zip", bytes.NewReader(append([]byte("PK\x03\x04"), make([]byte, few.held)...)), spec.Default())
	assert.EqualError(t, err, "held.zip: "+large(few.held), "what can be read once is held as a whole")
}

// footed returns a Parquet file of a footer.
func footed(footer string) []byte {
	return slices.Concat([]byte("PAR1"+footer), binary.LittleEndian.AppendUint32(nil, uint32(len(footer))), []byte("PAR1"))
}

// hungry is a footer whose list of columns is said to have 2³¹ − 1.
const hungry = "\x15\x02\x19\xfc\xff\xff\xff\xff\x07"

// decimal is a footer of a column p and no rows. scale is the column's, as Thrift writes it.
func decimal(scale string) string {
	return "\x15\x02\x19\x2c\x48\x01r\x15\x02\x00\x15\x02\x25\x00\x18\x01p\x25\x0a\x15" + scale + "\x15\x12\x00\x16\x00\x19\x0c\x00"
}

// Room for what such a footer speaks of is more than a machine has, and a program that
// asks for it ends then and there.
func TestAFooterThatSpeaksOfMoreThanItHasIsDamaged(t *testing.T) {
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"a list":    {footed(hungry), tooLong},
		"a text":    {footed("\x15\x02\x19\x1c\x48\xff\xff\xff\xff\x07x\x00\x00"), tooLong},
		"a map":     {footed("\x1b\xff\xff\xff\xff\x07\x88"), otherKind},
		"no end":    {footed("\x15"), "a structure ends too soon"},
		"deep":      {footed(strings.Repeat("\x1c", 50) + strings.Repeat("\x00", 51)), otherKind},
		"no footer": {append([]byte("PAR1"), "\xf0\xff\xff\xffPAR1"...), "its footer is said to be longer than the file"},
		"all":       {footed(strings.Repeat("\x11", few.held/footerShare+1)), longFooter},
		"values":    {footed("\x15\x02\x19\xfc\x81\x01" + strings.Repeat("\x00", few.held/structShare+2)), longFooter},
		"up":        {footed(decimal("\xfe\xff\xff\xff\x0f")), "a decimal has the scale 2147483647"},
		"down":      {footed(decimal("\xff\xff\xff\xff\x0f")), "a decimal has the scale -2147483648"},
		"too far":   {footed(decimal("\xca\x01")), "a decimal has the scale 101"},
	} {
		_, err := textOf(t, few, "t.parquet", c.file)
		assert.Equal(t, &Error{"t.parquet", damagedParquet(c.says)}, err, name)
	}
	_, err := textOf(t, few, "t.parquet", parqueted(t, 3, 2))
	assert.NoError(t, err, "a sound one is read")
	text, err := textOf(t, few, "t.parquet", footed(decimal("\xc8\x01"))) // a scale of 100
	assert.NoError(t, err)
	assert.Equal(t, "p\n", text)
}

func TestAWorkbookBeyondWhatSpreadsheetsHaveIsDamaged(t *testing.T) {
	words := func(n int) string { return strings.Repeat("x", n) }
	cell := func(text string) string { return `<row r="1"><c t="inlineStr"><is><t>` + text + `</t></is></c></row>` }
	for name, bad := range map[string]struct{ rows, texts string }{
		"column":      {rows: at("XFE", 1)},
		"far column":  {rows: at("ZZZZZZZZZZZZZZZZZZZZ", 1)},
		"row":         {rows: at("A", maxRows+1)},
		"cell":        {rows: cell(words(longestText + 1))},
		"rich text":   {rows: at("A", 1), texts: "<si>" + strings.Repeat("<r><t>"+words(1000)+"</t></r>", longestText/1000+1) + "</si>"},
		"tag":         {rows: `<row r="1" title="` + words(2*longestElement) + `"/>`},
		"endless tag": {rows: at("A", 1) + "<" + words(2*longestElement)},
		"text":        {rows: words(2*longestElement) + at("A", 1)},
		"entity":      {rows: cell("&lol;")},
		"word":        {rows: cell("&constructor;")},
		"type":        {rows: `<!DOCTYPE c [<!ENTITY a "1">]>` + at("A", 1)},
		"inner type":  {rows: cell("1<!DOCTYPE c>")},
		"ampersand":   {rows: cell("a & b")},
		"tags":        {rows: cell("<<<&&&")},
		"crossed":     {rows: `<row r="1"><c r="A1"><v>1</c></v></row>`},
		"open":        {rows: `<row r="1"><c r="A1"><v>1</v></c>`},
	} {
		_, err := textOf(t, defaultLimits, name, sheeted(t, bad.rows, bad.texts))
		assert.EqualError(t, err, name+": "+damagedWorkbook)
	}
	text, err := textOf(t, defaultLimits, "largest", sheeted(t, cell(words(longestText))+at("XFD", 2), ""))
	assert.NoError(t, err)
	assert.Equal(t, words(longestText)+strings.Repeat(",", 16383)+"\n"+strings.Repeat(",", 16383)+"1\n", text)
}

// The files hold each kind of column, encoding and compression, and missing values;
// parquet-wasm 0.8.0 wrote types.parquet in version 1 and encodings.parquet in
// version 2, hyparquet-writer 0.17.0 optional.parquet, without checksums. The page's
// test of the same files reads the same texts and refuses what is refused here.
// UPDATE=1 writes them anew.
func TestAParquetFileWithAFlippedBitEndsInATableOrASentence(t *testing.T) {
	var all strings.Builder
	for _, name := range []string{"types", "encodings", "optional"} {
		file, err := os.ReadFile("testdata/" + name + ".parquet")
		require.NoError(t, err)
		whole, err := textOf(t, some, name, file)
		require.NoError(t, err)
		fmt.Fprintf(&all, "%s\n%s", name, whole)
		for bit := 32; bit < 8*len(file); bit += 97 {
			file[bit/8] ^= 1 << (bit % 8)
			text, err := textOf(t, some, name, file)
			file[bit/8] ^= 1 << (bit % 8)
			ends := '='
			if err != nil {
				assert.NotRegexp(t, "runtime error|panic", err, "%s, bit %d", name, bit)
				ends = '!'
			} else if text != whole {
				ends = 'a' + rune(crc32.ChecksumIEEE([]byte(text))%26)
			}
			all.WriteRune(ends)
		}
		all.WriteString("\n\n")
	}
	if os.Getenv("UPDATE") == "1" {
		require.NoError(t, os.WriteFile("testdata/flipped.txt", []byte(all.String()), 0o644))
	}
	want, err := os.ReadFile("testdata/flipped.txt")
	require.NoError(t, err)
	assert.Equal(t, string(want), all.String())
}

func TestHiddenRowsWithCellsAreAskedAbout(t *testing.T) {
	rows := ""
	for row := range 40 {
		cell, hidden := fmt.Sprintf(`<c><v>%d</v></c>`, row), ""
		if row%5 == 4 {
			hidden = ` hidden="1"`
		} else if row > 30 {
			cell, hidden = "", ` hidden="true"` // nothing is lost
		}
		rows += fmt.Sprintf(`<row r="%d"%s>%s</row>`, row+1, hidden, cell)
	}
	for _, c := range []struct {
		keep  []string
		lines int
		asks  bool
	}{{nil, 33, true}, {[]string{"footer", "hidden"}, 33, false}, {[]string{"visible"}, 25, false}} {
		table, err := New("t.xlsx", bytes.NewReader(sheeted(t, rows, "")), spec.Spec{Keep: c.keep})
		require.NoError(t, err)
		text, err := io.ReadAll(table)
		require.NoError(t, err)
		assert.Len(t, strings.Fields(string(text)), c.lines)
		require.Len(t, table.Notes, 1)
		n := table.Notes[0]
		assert.Equal(t, "8 rows of the sheet are hidden, perhaps by a filter; they are "+map[int]string{33: "read", 25: "left out"}[c.lines], n.Text)
		assert.Equal(t, []bool{c.asks, c.lines == 33, c.lines == 25}, []bool{n.Ask, n.Answers[0].Now, n.Answers[1].Now})
	}
}

// The only feature is a date with a time to a fraction of a second and without a zone.
func TestTimesWithFractionsAreFeaturesOfWorkbooksAndParquet(t *testing.T) {
	rows := `<row r="1"><c t="inlineStr"><is><t>when</t></is></c><c t="inlineStr"><is><t>y</t></is></c></row>`
	var b bytes.Buffer
	units := []parquet.TimeUnit{parquet.Millisecond, parquet.Microsecond, parquet.Nanosecond}
	group := parquet.Group{"y": parquet.Leaf(parquet.Int64Type)}
	for i, unit := range units {
		group[fmt.Sprint("when", i)] = parquet.TimestampAdjusted(unit, false)
	}
	w := parquet.NewWriter(&b, parquet.NewSchema("t", group))
	for i := range 60 {
		at := time.Date(2024, 1, 31, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * (7*time.Hour + 137*time.Millisecond))
		rows += fmt.Sprintf(`<row r="%d"><c s="1"><v>%.9f</v></c><c><v>%d</v></c></row>`, i+2, 25569+float64(at.UnixMilli())/864e5, i*i%17)
		_, err := w.WriteRows([]parquet.Row{{parquet.Int64Value(at.UnixMilli()).Level(0, 0, 0), parquet.Int64Value(at.UnixMicro()+1).Level(0, 0, 1), parquet.Int64Value(at.UnixNano()+1).Level(0, 0, 2), parquet.Int64Value(int64(i*i%17)).Level(0, 0, 3)}})
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	book := sheeted(t, rows, "", `<numFmts><numFmt numFmtId="164" formatCode="yyyy-mm-dd\ hh:mm:ss.000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>`)
	for name, file := range map[string][]byte{"t.xlsx": book, "t.parquet": b.Bytes()} {
		text, err := textOf(t, defaultLimits, name, file)
		require.NoError(t, err)
		table, err := read.Read(strings.NewReader(text), read.Options{})
		require.NoError(t, err)
		plan, err := roles.NewPlan(table, roles.Settings{Target: "y", Split: roles.SplitTime})
		require.NoError(t, err, name)
		for _, c := range map[string][]string{"t.xlsx": {"when"}, "t.parquet": {"when0", "when1", "when2"}}[name] {
			for _, part := range []string{" (weekday)", " (hour)", " (days)"} {
				assert.Contains(t, table.Names(), c+part, name)
			}
		}
		at := slices.Index(table.Names(), plan.SplitRule.By+" (hour)")
		assert.Equal(t, "14", table.Text(at, 2), name)
		s := plan.Split(nil)
		assert.Equal(t, []int32{58, 59}, s.Test[len(s.Test)-2:], name)
	}
	for converted, want := range map[int64]meaning{
		6: {is: meansDate}, 7: {is: meansTime, decimals: 3}, 8: {is: meansTime, decimals: 6}, 9: {is: meansTimestamp, decimals: 3, utc: true}, 10: {is: meansTimestamp, decimals: 6, utc: true},
	} {
		assert.Equal(t, want, converts(converted, 2), "as older writers note it")
	}
}

// FuzzNew holds every input to the same: no panic, no more text than may come, an error
// of a type or the same text whether the file can be read anywhere or once.
func FuzzNew(f *testing.F) {
	workbook := sheeted(f, at("A", 1)+`<row><c t="s"><v>0</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row>`+at("C", 9), "<si><t>x_x0041_</t></si>")
	for _, file := range [][]byte{
		[]byte("a,b\n1,2\n"), gzipped(f, "a,b\n", "1,2\n"), zipped(f, "t.csv", "a,b\n1,2\n"), zipped(f, "s.csv", "1", "t.csv", "2"),
		zipped(f, "t.zip", string(zipped(f, "t.csv", "a\n1\n"))), workbook, workbook[:len(workbook)/2], parqueted(f, 3, 2), footed(hungry), []byte("PARE1234PARE"), []byte("\xd0\xcf\x11\xe0"),
	} {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		whole, err := textOf(t, few, "f", file)
		typed(t, err)
		once, errOnce := "", error(nil)
		if table, err := few.read("f", bytes.NewBuffer(file), spec.Default()); err != nil {
			errOnce = err
		} else {
			defer table.Close()
			text, err := io.ReadAll(table)
			once, errOnce = string(text), err
		}
		typed(t, errOnce)
		if len(file) <= few.held {
			require.Equal(t, err == nil, errOnce == nil, "%v, %v", err, errOnce)
			require.Equal(t, whole, once)
		}
	})
}

func typed(t *testing.T, err error) {
	t.Helper()
	var fault *Error
	var choice *ChoiceError
	assert.True(t, err == nil || errors.As(err, &fault) || errors.As(err, &choice), "an error of no type: %T %v", err, err)
}

func TestNamesOfPrototypesAreNamesOfColumns(t *testing.T) {
	names := []string{"__proto__", "constructor", "toString", "hasOwnProperty"}
	header, line := strings.Join(names, ","), "__proto__,constructor,toString,valueOf"
	cell := func(text string) string { return `<c t="inlineStr"><is><t>` + text + `</t></is></c>` }
	row := func(line string) string {
		return "<row>" + cell(strings.ReplaceAll(line, ",", "</t></is></c>"+`<c t="inlineStr"><is><t>`)) + "</row>"
	}
	type columns struct {
		A string   `parquet:"__proto__"`
		B string   `parquet:"constructor"`
		C string   `parquet:"toString"`
		D string   `parquet:"hasOwnProperty"`
		E []string `parquet:"valueOf"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[columns](&b)
	_, err := w.Write([]columns{{"__proto__", "constructor", "toString", "valueOf", nil}})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	csv := header + "\n" + line + "\n"
	for name, file := range map[string][]byte{
		"t.csv":     []byte(csv),
		"t.json":    []byte(`[{"__proto__":"__proto__","constructor":"constructor","toString":"toString","hasOwnProperty":"valueOf"}]`),
		"t.xlsx":    sheeted(t, row(header)+row(line), ""),
		"t.parquet": b.Bytes(),
	} {
		opened, err := defaultLimits.open(name, bytes.NewReader(file), int64(len(file)), spec.Default(), 0)
		require.NoError(t, err, name)
		assert.Equal(t, name == "t.parquet", strings.Contains(strings.Join(opened.Notes.Texts(), ""), "“valueOf” is left out: it contains lists"))
		table, err := read.Read(opened, read.Options{})
		require.NoError(t, err, name)
		for i, c := range table.Columns {
			assert.Equal(t, names[i], c.Name, name)
		}
		assert.Len(t, table.Columns, len(names), name)
	}
}

func TestAValueIsWrittenAsItsColumnMeans(t *testing.T) {
	number := func(v int64) value { return value{number: v} }
	for want, c := range map[string]struct {
		kind  int64
		means meaning
		value value
	}{
		"-12.50":                               {typeInt32, meaning{is: meansDecimal, decimals: 2}, number(-1250)},
		"-12.3":                                {typeFixedLenByteArray, meaning{is: meansDecimal, decimals: 1}, value{bytes: []byte{0xff, 0x85}}},
		"3276.7":                               {typeByteArray, meaning{is: meansDecimal, decimals: 1}, value{bytes: []byte{0x7f, 0xff}}},
		"4294967295":                           {typeInt32, meaning{is: meansInteger, unsigned: true}, number(-1)},
		"18446744073709551615":                 {typeInt64, meaning{is: meansInteger, unsigned: true}, number(-1)},
		"-1":                                   {typeInt64, meaning{is: meansInteger}, number(-1)},
		"2024-01-31":                           {typeInt32, meaning{is: meansDate}, number(19753)},
		"01:01:01.001":                         {typeInt32, meaning{is: meansTime, decimals: 3}, number(3661001)},
		"true":                                 {typeBoolean, meaning{}, number(1)},
		"1.5":                                  {typeFixedLenByteArray, meaning{is: meansFloat16}, value{bytes: []byte{0, 0x3e}}},
		"00010203-0405-0607-0809-0a0b0c0d0e0f": {typeFixedLenByteArray, meaning{is: meansUUID}, value{bytes: []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}}},
		"0x6100":                               {typeByteArray, meaning{}, value{bytes: []byte("a\x00")}},
	} {
		assert.Equal(t, want, writer(&schemaElement{kind: c.kind, meaning: c.means})(c.value))
	}
}

func TestALockedFileIsToldFromAnOldOne(t *testing.T) {
	compound := func(lead int, text []byte) []byte {
		return slices.Concat([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), make([]byte, lead), text, make([]byte, 100))
	}
	for _, of := range []struct {
		file []byte
		says string
	}{
		{compound(0, nil), oldWorkbook},
		{compound(1<<20, nil), oldWorkbook},
		{compound(0, encryptedPackage), lockedWorkbook},
		{compound(1<<20-20, encryptedPackage), lockedWorkbook}, // across two reads
		{compound(3<<20, encryptedPackage), lockedWorkbook},
		{slices.Concat([]byte("PARE"), make([]byte, 20), []byte("PARE")), lockedParquet},
	} {
		_, err := few.open("t.xls", bytes.NewReader(of.file), int64(len(of.file)), spec.Default(), 0)
		assert.EqualError(t, err, "t.xls: "+of.says, "%d bytes", len(of.file))
	}
	assert.EqualError(t, &ChoiceError{"t.xlsx", "which sheet?", "sheet", []string{"a b", "c"}}, "t.xlsx: which sheet?, as in sheet=a%20b")
	assert.Equal(t, "column “a” is left out: it contains maps", leftOut([]string{"a"}, "maps"))
	assert.Equal(t, "columns “a”, “b” are left out: they contain maps", leftOut([]string{"a", "b"}, "maps"))
}
