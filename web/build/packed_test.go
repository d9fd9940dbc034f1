package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/parquet-go/parquet-go"
	parquetcodec "github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/packed"
	"ifmlab/core/spec"
)

// unpackedFile is what is made of a file, by the page or the command.
type unpackedFile struct {
	Name    string
	Text    string
	Notices []string
	Fault   string // the sentence, without the file's name
}

// unpackedByGo reads a file as the command does.
func unpackedByGo(path, sheet, member string) (u unpackedFile) {
	s := spec.Default()
	s.Sheet, s.Member = sheet, member
	u.Notices = []string{}
	t, err := packed.Open(path, s)
	if err == nil {
		defer t.Close()
		var text []byte
		text, err = io.ReadAll(t)
		u.Name, u.Text = t.Name, string(text)
		u.Notices = append(u.Notices, t.Notes.Texts()...)
	}
	var fault *packed.Error
	var choice *packed.ChoiceError
	switch {
	case errors.As(err, &fault):
		return unpackedFile{Notices: []string{}, Fault: fault.Message}
	case errors.As(err, &choice):
		return unpackedFile{Notices: []string{}, Fault: choice.Message}
	case err != nil:
		return unpackedFile{Notices: []string{}, Fault: "not told: " + err.Error()}
	}
	return u
}

// unpackedByPage reads files as the page does.
func unpackedByPage(t *testing.T, files []packedFile) (all []unpackedFile) {
	t.Helper()
	readers := t.TempDir()
	scripts(t, api.BuildOptions{
		EntryPoints: []string{"../src/packed/unpack.entry.ts", "../src/packed/parquet.entry.ts", "../src/packed/brotli.entry.ts"},
		Format:      api.FormatIIFE, Platform: api.PlatformBrowser, Outdir: readers,
	})
	list := must(json.Marshal(files))
	const script = `
		const [readers] = process.argv.slice(1);
		const { readFileSync } = await import("node:fs");
		const { basename } = await import("node:path");
		const { runInThisContext } = await import("node:vm");
		for (const name of ["unpack", "parquet", "brotli"]) runInThisContext(readFileSync(readers + "/" + name + ".entry.js", "utf8"));
		const { unpack, parquet, brotli } = globalThis.ifmLabReaders;
		const all = [];
		for (const { path, sheet, member } of JSON.parse(readFileSync(0, "utf8"))) {
			try {
				const file = await unpack(new Blob([readFileSync(path)]), basename(path), { wanted: { sheet, member }, parquet: () => parquet(() => brotli), heed: async () => undefined });
				const parts = [];
				for (let next = await file.pieces.next(); !next.done; next = await file.pieces.next()) parts.push(next.value.bytes);
				all.push({ name: file.name, text: Buffer.concat(parts).toString(), notices: file.notices, fault: "" });
			} catch (reason) {
				all.push({ name: "", text: "", notices: [], fault: reason.name === "Fault" ? reason.message : "not told: " + reason.stack });
			}
		}
		process.stdout.write(JSON.stringify(all));`
	node := exec.Command("node", "--input-type=module", "-e", script, readers)
	node.Stdin = bytes.NewReader(list)
	node.Stderr = os.Stderr
	require.NoError(t, json.Unmarshal(must(node.Output()), &all))
	require.Len(t, all, len(files))
	return all
}

type packedFile struct {
	Path   string `json:"path"`
	Sheet  string `json:"sheet"`
	Member string `json:"member"`
}

// alike holds the page to the command, file by file, and returns what both make of
// them. Two readers give two reasons why a Parquet file is damaged.
func alike(t *testing.T, files []packedFile) []unpackedFile {
	t.Helper()
	page := unpackedByPage(t, files)
	for i, f := range files {
		name := strings.TrimSpace(filepath.Base(f.Path) + " " + f.Sheet + f.Member)
		want := unpackedByGo(f.Path, f.Sheet, f.Member)
		assert.NotContains(t, want.Fault, "not told", name)
		got := page[i]
		if strings.HasPrefix(want.Fault, "this Parquet file is damaged") && strings.HasPrefix(got.Fault, "this Parquet file is damaged") {
			continue
		}
		if got.Text != want.Text {
			a, b := strings.Split(want.Text, "\n"), strings.Split(got.Text, "\n")
			for j := range min(len(a), len(b)) {
				if a[j] != b[j] {
					t.Errorf("%s, line %d of %d and %d: %q by the command, %q by the page", name, j+1, len(a), len(b), cutTo(a[j]), cutTo(b[j]))
					break
				}
			}
			got.Text, want.Text = "", ""
		}
		if len(got.Text) > 200 { // the same
			got.Text, want.Text = "", ""
		}
		assert.Equal(t, want, got, name)
	}
	return page
}

func cutTo(text string) string { return text[:min(len(text), 300)] }

func written(t *testing.T, dir, name string, content []byte) packedFile {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, content, 0o644))
	return packedFile{Path: path}
}

type everyKind struct {
	Small    int32            `parquet:"small"`
	Large    int64            `parquet:"large,delta"`
	Unsigned uint64           `parquet:"unsigned"`
	Float    float32          `parquet:"float,split"`
	Double   *float64         `parquet:"double,optional"`
	Text     *string          `parquet:"text,optional,dict"`
	Words    string           `parquet:"words,delta"`
	Truth    bool             `parquet:"truth"`
	Bytes    []byte           `parquet:"bytes"`
	Day      int32            `parquet:"day,date"`
	Millis   time.Time        `parquet:"millis,timestamp(millisecond)"`
	Micros   int64            `parquet:"micros,timestamp(microsecond)"`
	Nanos    int64            `parquet:"nanos,timestamp(nanosecond)"`
	Time     int32            `parquet:"time,time(millisecond)"`
	Old      deprecated.Int96 `parquet:"old"`
	Price    int64            `parquet:"price,decimal(3:18)"`
	Weight   [16]byte         `parquet:"weight,decimal(5:38)"`
	ID       [16]byte         `parquet:"id,uuid"`
	Tags     []string         `parquet:"tags,list"`
	Place    struct{ Lat, Lon float64 }
}

func everyKindOf(n int) []everyKind {
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"Oslo", "Cork, IE", `say "x"`, "# of rooms", "two\r\nlines", "Zürich", "", "ﬂ🙂"}
	rows := make([]everyKind, n)
	for i := range rows {
		e := &rows[i]
		e.Small, e.Large, e.Unsigned = int32(r.Uint32()), int64(r.Uint64()), r.Uint64()
		e.Float, e.Truth = float32(r.NormFloat64()), i%3 == 0
		if double := []float64{1.234, -123.456, math.NaN(), math.Inf(1), 1e21, 1e-7, 5e-324, 0.1 + 0.2, math.Copysign(0, -1), r.NormFloat64() * math.Pow(10, float64(r.IntN(600)-300)), 0}[i%11]; double != 0 || i%2 == 0 {
			e.Double = &double
		}
		if i%7 != 3 {
			e.Text = &words[r.IntN(len(words))]
		}
		e.Words = words[i%len(words)] + strings.Repeat("x", r.IntN(5))
		e.Bytes = []byte{0xff, byte(i)}
		e.Day = r.Int32N(60000) - 30000
		e.Millis = time.UnixMilli(r.Int64N(4e12) - 2e12)
		e.Micros = (r.Int64N(4e9) - 2e9) * 1e6
		e.Nanos = r.Int64() - math.MaxInt64/2
		e.Time = r.Int32N(86400000)
		e.Old = deprecated.Int96{uint32(r.Uint32()), uint32(r.IntN(20000)), 2440588 + uint32(r.IntN(20000))}
		e.Price = int64(r.Uint64()) / 1000
		for j := range e.Weight {
			e.Weight[j], e.ID[j] = byte(r.Uint32()), byte(r.Uint32())
		}
		e.Tags = words[:i%3]
	}
	return rows
}

func TestThePageAndTheCommandReadTheSameTextOutOfParquetFiles(t *testing.T) {
	dir := t.TempDir()
	var files []packedFile
	for name, codec := range map[string]parquetcodec.Codec{"plain": &parquet.Uncompressed, "snappy": &parquet.Snappy, "gzip": &parquet.Gzip, "zstd": &parquet.Zstd, "brotli": &parquet.Brotli, "lz4": &parquet.Lz4Raw} {
		var b bytes.Buffer // of pages of the second version; the foreign files have those of the first
		w := parquet.NewGenericWriter[everyKind](&b, parquet.Compression(codec), parquet.PageBufferSize(4096), parquet.MaxRowsPerRowGroup(1500))
		_, err := w.Write(everyKindOf(4000))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		files = append(files, written(t, dir, name+".parquet", b.Bytes()))
	}
	type wide struct{ N int64 }
	var b bytes.Buffer // more rows in one group than are held at once
	w := parquet.NewGenericWriter[wide](&b, parquet.PageBufferSize(20000))
	rows := make([]wide, 70000)
	for i := range rows {
		rows[i].N = int64(i) << 30
	}
	_, err := w.Write(rows)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	files = append(files, written(t, dir, "long.parquet", b.Bytes()), written(t, dir, "cut.parquet", b.Bytes()[:b.Len()-20]), written(t, dir, "locked.parquet", []byte("PARE1234PARE")))
	for i, u := range alike(t, files) {
		if name := filepath.Base(files[i].Path); i < 6 {
			assert.Empty(t, u.Fault, name)
			assert.Contains(t, strings.Join(u.Notices, " "), "columns “tags”, “Place” are left out: they contain lists, maps or records", name)
			assert.Equal(t, 4001, strings.Count(u.Text, "\n"), name)
		}
	}
}

// Files that Arrow, Impala, Spark and others wrote, which come with the Go reader.
func TestThePageAndTheCommandReadTheSameTextOutOfForeignParquetFiles(t *testing.T) {
	out := must(exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/parquet-go/parquet-go").Output())
	paths := must(filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "testdata", "*.parquet")))
	require.NotEmpty(t, paths)
	var files []packedFile
	for _, path := range paths {
		files = append(files, packedFile{Path: path})
	}
	read := 0
	for _, u := range alike(t, files) {
		if u.Text != "" {
			read++
		}
	}
	assert.Greater(t, read, len(files)/2, "most of them can be read")
}

// damagedCopies writes copies of a file, each with one bit flipped, but not in its
// first four bytes, which tell its kind.
func damagedCopies(t *testing.T, r *rand.Rand, dir, name string, content []byte, copies int) (files []packedFile) {
	t.Helper()
	for range copies {
		bit := 32 + r.IntN(8*len(content)-32)
		damaged := bytes.Clone(content)
		damaged[bit/8] ^= 1 << (bit % 8)
		files = append(files, written(t, dir, fmt.Sprintf("bit %d of %s", bit, name), damaged))
	}
	return files
}

// bothOrNone holds page and command to each other on damaged files: both read the same
// cells, or both refuse, for reasons of their own.
func bothOrNone(t *testing.T, files []packedFile) {
	t.Helper()
	read, refused := 0, 0
	for i, page := range unpackedByPage(t, files) {
		name := filepath.Base(files[i].Path)
		command := unpackedByGo(files[i].Path, files[i].Sheet, files[i].Member)
		assert.NotContains(t, command.Fault+page.Fault, "not told", name)
		assert.Equal(t, command.Fault == "", page.Fault == "", "%s: the command says %q, the page %q", name, command.Fault, page.Fault)
		assert.True(t, command.Text == page.Text, "%s: other cells", name)
		if command.Fault == "" {
			read++
		} else {
			refused++
		}
	}
	assert.Greater(t, min(read, refused), len(files)/20, "both happens")
}

// flipSeed seeds the places of the flipped bits; IFMLAB_SEED tries others.
func flipSeed(t *testing.T) *rand.Rand {
	t.Helper()
	seed := must(strconv.ParseUint(cmp.Or(os.Getenv("IFMLAB_SEED"), "1"), 10, 64))
	return rand.New(rand.NewPCG(seed, 0))
}

// Brotli is left out: the page's decoder does not notice if a page ends too soon.
func TestThePageAndTheCommandAgreeOnParquetFilesWithAFlippedBit(t *testing.T) {
	dir, r := t.TempDir(), flipSeed(t)
	library := strings.TrimSpace(string(must(exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/parquet-go/parquet-go").Output())))
	contents := map[string][]byte{"optional.parquet": must(os.ReadFile("../../core/packed/testdata/optional.parquet"))}
	for _, name := range []string{"alltypes_plain.snappy", "datapage_v2.snappy", "delta_encoding_optional_column", "dict-page-offset-zero", "lz4_raw_compressed", "rle_boolean_encoding", "nulls.snappy"} {
		contents[name] = must(os.ReadFile(filepath.Join(library, "testdata", name+".parquet")))
	}
	for name, codec := range map[string]parquetcodec.Codec{"plain": &parquet.Uncompressed, "gzip": &parquet.Gzip, "zstd": &parquet.Zstd, "lz4": &parquet.Lz4Raw} { // with checksums
		var b bytes.Buffer
		w := parquet.NewGenericWriter[everyKind](&b, parquet.Compression(codec))
		_, err := w.Write(everyKindOf(30))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		contents[name] = b.Bytes()
	}
	var files []packedFile
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		files = append(files, damagedCopies(t, r, dir, name, contents[name], 60)...)
	}
	bothOrNone(t, files)
}

func TestThePageAndTheCommandAgreeOnWorkbooksWithAFlippedBit(t *testing.T) {
	dir, r := t.TempDir(), flipSeed(t)
	parts := workbookParts("", `name="Only"`, everyCell)
	stored, deflated := archivedBy(t, zip.Store, parts...), archived(t, parts...)
	files := append(damagedCopies(t, r, dir, "stored.xlsx", stored, 200), damagedCopies(t, r, dir, "deflated.xlsx", deflated, 200)...)
	for i, part := range parts { // the zip archive is sound, and what it holds is not
		if i%2 == 1 {
			for range 40 {
				bit, damaged := r.IntN(8*len(part)), []byte(part)
				damaged[bit/8] ^= 1 << (bit % 8)
				name := fmt.Sprintf("bit %d of %s.xlsx", bit, strings.ReplaceAll(parts[i-1], "/", "."))
				files = append(files, written(t, dir, name, archived(t, slices.Concat(parts[:i], []string{string(damaged)}, parts[i+1:])...)))
			}
		}
	}
	bothOrNone(t, files)
}

// archived returns a zip archive of files by their names.
func archived(t *testing.T, parts ...string) []byte {
	t.Helper()
	return archivedBy(t, zip.Deflate, parts...)
}

func archivedBy(t *testing.T, method uint16, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		_, err := io.WriteString(must(w.CreateHeader(&zip.FileHeader{Name: parts[i], Method: method})), parts[i+1])
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func TestThePageAndTheCommandFindTheSameTablesInArchives(t *testing.T) {
	dir := t.TempDir()
	const table = "a,b\n1,2\n"
	long := strings.Repeat("0123456789,abcdefgh\n", 50000)
	one, two := gzipped(t, table), archived(t, "x/train.csv", table, "x/test.csv", long)
	flipped := bytes.Clone(gzipped(t, long))
	flipped[len(flipped)-6] ^= 0xff
	damaged := archived(t, "t.csv", table)
	damaged[31+len("t.csv")] ^= 0xff
	encrypted := archived(t, "t.csv", table)
	encrypted[bytes.Index(encrypted, []byte("PK\x01\x02"))+8] |= 1
	files := []packedFile{
		written(t, dir, "one.csv.gz", one),
		written(t, dir, "many.csv.GZ", append(bytes.Clone(gzipped(t, long)), one...)),
		written(t, dir, "cut.csv.gz", one[:len(one)-3]),
		written(t, dir, "flipped.csv.gz", flipped),
		written(t, dir, "trailing.csv.gz", append(bytes.Clone(one), "more"...)),
		written(t, dir, "one.zip", archived(t, "folder/", "", "folder/t.csv", table, "folder/README.txt", "about", "__MACOSX/._t.csv", "x")),
		written(t, dir, "names.zip", archived(t, "wine.names", "about", "wine.data", table)),
		written(t, dir, "two.zip", two),
		{Path: filepath.Join(dir, "two.zip"), Member: "x/test.csv"},
		{Path: filepath.Join(dir, "two.zip"), Member: "y.csv"},
		written(t, dir, "inner.zip", archived(t, "t.csv.gz", string(one))),
		written(t, dir, "deep.zip", archived(t, "1.zip", string(archived(t, "2.zip", string(archived(t, "3.zip", string(archived(t, "t.csv", table)))))))),
		written(t, dir, "empty.zip", archived(t)),
		written(t, dir, "cut.zip", two[:len(two)-40]),
		written(t, dir, "damaged.zip", damaged),
		written(t, dir, "encrypted.zip", encrypted),
		written(t, dir, "odd.zip", archived(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml", "<x/>")),
		written(t, dir, "old.xls", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and so on")),
		written(t, dir, "locked.xlsx", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00 and so on")),
		written(t, dir, "plain.csv", []byte(table)),
		written(t, dir, "bare.zip", archived(t, "data", table, "LICENSE", "about")),
		written(t, dir, "nested.zip", archived(t, "two.zip", string(two))),
		{Path: filepath.Join(dir, "nested.zip"), Member: "x/test.csv"},
		written(t, dir, "beside.zip", archived(t, "t.csv", table, "in.zip", string(archived(t, "u.csv", long)))),
		{Path: filepath.Join(dir, "beside.zip"), Member: "in.zip"},
	}
	all := alike(t, files)
	assert.Equal(t, unpackedFile{Name: "one.csv", Text: table, Notices: []string{}}, all[0])
	assert.Equal(t, table, all[5].Text)
	assert.Contains(t, all[7].Fault, "contains 2 files")
	assert.Equal(t, []string{"data", "", "test.csv", "", "u.csv"}, []string{all[20].Name, all[21].Name, all[22].Name, all[23].Name, all[24].Name})
	for i, want := range map[int]string{2: "incomplete", 3: "gzip file", 14: "t.csv in this archive is damaged", 15: "is encrypted", 17: "old Excel workbook", 18: "Excel workbook is encrypted"} {
		assert.Contains(t, all[i].Fault, want)
	}
}

// workbookParts returns the names and contents of a workbook's parts. sheets are
// attributes and rows.
func workbookParts(properties string, sheets ...string) []string {
	const (
		types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`
		main  = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	)
	relationships := func(pairs ...string) string {
		text := `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
		for i := 0; i < len(pairs); i += 2 {
			text += fmt.Sprintf(`<Relationship Id="rId%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="%s"/>`, i/2+1, pairs[i], pairs[i+1])
		}
		return text + `</Relationships>`
	}
	parts := []string{"[Content_Types].xml", types, "_rels/.rels", relationships("officeDocument", "xl/workbook.xml")}
	list, targets := "", []string{}
	for i := 0; i < len(sheets); i += 2 {
		list += fmt.Sprintf(`<sheet %s sheetId="%d" r:id="rId%d"/>`, sheets[i], i/2+1, i/2+1)
		targets = append(targets, "worksheet", fmt.Sprintf("/xl/worksheets/sheet%d.xml", i/2+1))
		parts = append(parts, fmt.Sprintf("xl/worksheets/sheet%d.xml", i/2+1), `<?xml version="1.0" encoding="UTF-8"?>`+"\r\n"+`<worksheet `+main+`><sheetData>`+sheets[i+1]+`</sheetData></worksheet>`)
	}
	return append(parts,
		"xl/workbook.xml", `<workbook `+main+` xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">`+properties+`<sheets>`+list+`</sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", relationships(append(targets, "sharedStrings", "sharedStrings.xml", "styles", "styles.xml")...),
		"xl/styles.xml", `<styleSheet `+main+`><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd\ hh:mm"/><numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="20"/><xf numFmtId="10"/><xf numFmtId="165"/><xf numFmtId="46"/></cellXfs></styleSheet>`,
		"xl/sharedStrings.xml", `<sst `+main+`><si><t>name</t></si><si><r><rPr><b/></rPr><t xml:space="preserve">rich </t></r><r><t>text &amp; more</t></r><rPh sb="0" eb="1"><t>spoken</t></rPh></si><si><t>line_x000D_
end_xD83D__xDE42_</t></si><si><t/></si><si><t><![CDATA[<raw>]]></t></si></sst>`)
}

// everyCell has cells of all kinds.
const everyCell = `<row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2" t="inlineStr"><is><t>when</t></is></c><c r="D2" t="str"><f>A1&amp;"x"</f><v>at, "so"</v></c><c r="E2" t="s"><v>0</v></c><c r="F2"/></row>
		<row r="3"><c r="B3" t="s"><v>1</v></c><c r="C3" s="1"><v>45292</v></c><c r="D3" s="2"><v>45292.573</v></c><c r="E3" s="3"><v>0.573</v></c></row>
		<row r="5"><c r="B5" t="s"><v>2</v></c><c r="C5" s="1"><v>60</v></c><c r="D5" s="4"><f>1/4</f><v>0.25</v></c><c r="E5" t="b"><v>1</v></c></row>
		<row r="6"><c r="B6" t="e"><v>#DIV/0!</v></c><c r="C6"><v>4.5999999999999996</v></c><c r="D6" s="5"><v>1.234</v></c><c r="E6" s="6"><v>1.5</v></c><c r="H6"><v>1E-7</v></c></row>
		<row><c r="B7"><v>1</v></c><c t="s"><v>3</v></c><c t="s"><v>4</v></c><c t="d"><v>2024-05-31T00:00:00</v></c><c><v>1E+21</v></c></row>
		<row r="9" spans="1:3"></row>`

func TestThePageAndTheCommandReadTheSameTextOutOfWorkbooks(t *testing.T) {
	dir := t.TempDir()
	var rows strings.Builder // more than show how wide a table is
	rows.WriteString(`<row r="1"><c r="A1" t="inlineStr"><is><t>A title &#x2013; of two rows</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>Source: us</t></is></c></row>`)
	rows.WriteString(`<row r="4"><c r="A4" t="inlineStr"><is><t>a</t></is></c><c r="B4" t="inlineStr"><is><t>b</t></is></c><c r="C4" t="inlineStr"><is><t>c</t></is></c></row>`)
	r := rand.New(rand.NewPCG(1, 2))
	for i := 5; i < 5000; i++ {
		fmt.Fprintf(&rows, `<row r="%d"><c r="A%d"><v>%v</v></c><c r="B%d" s="%d"><v>%v</v></c><c r="C%d"><v>%d</v></c></row>`, i, i, r.NormFloat64(), i, i%7, r.Float64()*60000, i, i)
	}
	declared, followed := workbookParts("", `name="Only"`, everyCell), workbookParts("", `name="Only"`, everyCell)
	declared[5], followed[5] = strings.Replace(declared[5], "UTF-8", "ISO-8859-1", 1), followed[5]+"and more"
	files := []packedFile{
		written(t, dir, "every.xlsx", archived(t, workbookParts("", `name="Only"`, everyCell, `name="Empty"`, ``, `name="Hidden" state="hidden"`, everyCell)...)),
		written(t, dir, "old.xlsx", archived(t, workbookParts(`<workbookPr date1904="1"/>`, `name="Only"`, everyCell)...)),
		written(t, dir, "long.xlsx", archived(t, workbookParts("", `name="Only"`, rows.String())...)),
		written(t, dir, "three.xlsx", archived(t, workbookParts("", `name="A &amp; B"`, everyCell, `name="2"`, rows.String(), `name="3"`, everyCell)...)),
		{Path: filepath.Join(dir, "three.xlsx"), Sheet: "A & B"},
		{Path: filepath.Join(dir, "three.xlsx"), Sheet: "C"},
		{Path: filepath.Join(dir, "every.xlsx"), Sheet: "Hidden"},
		written(t, dir, "none.xlsx", archived(t, workbookParts("", `name="Empty"`, `<row r="1"><c r="A1" s="1"/></row>`)...)),
		written(t, dir, "lost.xlsx", archived(t, workbookParts("", `name="Only"`, `<row r="1"><c r="A1" t="s"><v>99</v></c></row>`)...)),
		written(t, dir, "far.xlsx", archived(t, workbookParts("", `name="Only"`, `<row r="99999999"><c r="A99999999"><v>1</v></c></row>`)...)),
		written(t, dir, "torn.xlsx", archived(t, workbookParts("", `name="Only"`, everyCell+`<row r="10"><c r="A10`)...)),
		written(t, dir, "index.xlsx", archived(t, workbookParts("", `name="Only"`, `<row r="1"><c r="A1" t="s"><v>1e0</v></c></row>`)...)),
		written(t, dir, "again.xlsx", archived(t, workbookParts("", `name="Only"`, `<row r="1e0"><c r="A1" s="0x1"><v>45292</v></c></row><row r="2"><c r="A2"><v>4</v></c></row><row r="2"><c r="B2"><v>5</v></c></row>`)...)),
		written(t, dir, "encoding.xlsx", archived(t, declared...)),
		written(t, dir, "after.xlsx", archived(t, followed...)),
		written(t, dir, "inner.zip", archived(t, "book.xlsx", string(archived(t, workbookParts("", `name="Only"`, everyCell)...)))),
	}
	all := alike(t, files)
	assert.Equal(t, "\nname,when,\"at, \"\"so\"\"\",name,,,\nrich text & more,2024-01-01,2024-01-01T13:45:07.2,13:45:07.2,,,\n\nline end🙂,60,25%,true,,,\n\"#N/A\",4.6,1.2340 days,36:00:00,,,1e-7\n", all[0].Text[:strings.Index(all[0].Text, "e-7\n")+4])
	assert.Contains(t, strings.Join(all[2].Notices, " "), "the 2 rows above the table are left out: “A title – of two rows Source: us”")
	assert.Contains(t, all[3].Fault, "3 sheets with cells: “A & B”, “2”, “3”")
	assert.Equal(t, "45292,\n4,\n,5\n", all[12].Text)
	assert.Equal(t, "book.xlsx", all[15].Name)
}
