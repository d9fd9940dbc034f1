package packed

import (
	"archive/zip"
	"bufio"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// isWorkbook reports whether an archive is a workbook (.xlsx). For a workbook of
// another kind, refusal says what to do.
func isWorkbook(files []*zip.File) (is bool, refusal string) {
	has := func(name string) bool {
		return slices.ContainsFunc(files, func(f *zip.File) bool { return f.Name == name })
	}
	switch {
	case has("xl/workbook.bin"):
		return false, binaryWorkbook
	case has("mimetype") && has("content.xml"):
		return false, openDocument
	}
	part := regexp.MustCompile(`(?i)^xl/[^/]*\.xml$`)
	return has("[Content_Types].xml") && slices.ContainsFunc(files, func(f *zip.File) bool { return part.MatchString(f.Name) }), ""
}

// workbook holds the parts of a workbook that all its sheets share.
type workbook struct {
	limits
	file      string
	parts     []*zip.File
	strings   *zip.File // nil for none
	styles    *zip.File // nil for none
	since1904 bool
	keep      []string // "visible": leave hidden rows out; "hidden": read them, unasked
	sheets    []sheet
}

type sheet struct {
	name   string
	hidden bool
	part   *zip.File
}

// openWorkbook opens the wanted sheet, or the only visible one that has cells.
func (l limits) openWorkbook(name string, parts []*zip.File, wanted string, keep []string) (*Table, error) {
	b := &workbook{limits: l, file: name, parts: parts, keep: keep}
	if err := b.readParts(); err != nil {
		return nil, err
	}
	var filled, shown []sheet
	for _, s := range b.sheets {
		has, err := b.hasCells(s.part)
		if err != nil {
			return nil, err
		}
		if has {
			filled = append(filled, s)
			if !s.hidden {
				shown = append(shown, s)
			}
		}
	}
	if len(filled) == 0 {
		return nil, &Error{name, noSheets}
	}
	if len(shown) == 0 {
		shown = filled
	}
	if at := slices.IndexFunc(filled, func(s sheet) bool { return s.name == wanted }); at >= 0 {
		return b.open(filled[at].part), nil
	}
	if wanted == "" && len(shown) == 1 {
		return b.open(shown[0].part), nil
	}
	var names []string
	for _, s := range shown {
		names = append(names, s.name)
	}
	return nil, &ChoiceError{File: name, Message: whichSheet(wanted, names), Key: "sheet", Names: names}
}

func (b *workbook) open(part *zip.File) *Table {
	t := &Table{Name: b.file, settings: map[string]string{"separator": "comma", "charset": "utf-8"}}
	t.ReadCloser = b.pipe(b.file, func(w *bufio.Writer) error { return b.writeSheet(w, part, &t.Notes) })
	return t
}

// part returns the file of the archive at a path, nil if there is none.
func (b *workbook) part(path string) *zip.File {
	if i := slices.IndexFunc(b.parts, func(f *zip.File) bool { return strings.EqualFold(f.Name, path) }); i >= 0 {
		return b.parts[i]
	}
	return nil
}

// readParts finds the sheets, the shared strings and the styles.
func (b *workbook) readParts() error {
	main := "xl/workbook.xml"
	root, err := b.relationships("")
	if err != nil {
		return err
	}
	for _, r := range root {
		if r.kind == "officeDocument" {
			main = r.target
		}
	}
	related, err := b.relationships(main)
	if err != nil {
		return err
	}
	targets := map[string]relationship{}
	for _, r := range related {
		targets[r.id] = r
		switch {
		case r.kind == "sharedStrings" && b.strings == nil:
			b.strings = b.part(r.target)
		case r.kind == "styles" && b.styles == nil:
			b.styles = b.part(r.target)
		}
	}
	part := b.part(main)
	if part == nil || related == nil {
		return b.damaged()
	}
	return b.walk(part, b.held, func(_ *xml.Decoder, start xml.StartElement) error {
		switch start.Name.Local {
		case "workbookPr":
			b.since1904 = slices.Contains([]string{"1", "true", "on"}, attribute(start, "date1904"))
		case "sheet":
			if r := targets[attribute(start, "id")]; r.kind == "worksheet" {
				s := sheet{name: attribute(start, "name"), part: b.part(r.target)}
				if s.part == nil {
					return b.damaged()
				}
				state := attribute(start, "state")
				s.hidden = state != "" && state != "visible"
				b.sheets = append(b.sheets, s)
			}
		}
		return nil
	})
}

func (b *workbook) damaged() error { return &Error{b.file, damagedWorkbook} }

// relationship is a reference from one part of a workbook to another.
type relationship struct{ id, kind, target string }

// relationships returns the references of a part, those of the archive for "".
func (b *workbook) relationships(of string) (all []relationship, err error) {
	folder, file := path.Split(of)
	part := b.part(folder + "_rels/" + file + ".rels")
	if part == nil {
		return nil, nil
	}
	err = b.walk(part, b.held, func(_ *xml.Decoder, start xml.StartElement) error {
		if start.Name.Local == "Relationship" {
			target := attribute(start, "Target")
			if !strings.HasPrefix(target, "/") {
				target = "/" + folder + target
			}
			all = append(all, relationship{attribute(start, "Id"), path.Base(attribute(start, "Type")), path.Clean(target)[1:]})
		}
		return nil
	})
	return all, err
}

// attribute returns an attribute, whatever its namespace is.
func attribute(start xml.StartElement, name string) string {
	i := slices.IndexFunc(start.Attr, func(a xml.Attr) bool { return a.Name.Local == name })
	if i < 0 {
		return ""
	}
	return start.Attr[i].Value
}

const (
	longestElement = 1 << 23 // bytes of a cell or a tag
	longestText    = 1 << 16 // characters of a cell: twice what Excel takes
)

// walk calls visit for each start tag of a part. visit may decode the whole element, and
// returns [io.EOF] to stop. walk returns an [*Error] for XML that is malformed, and for
// an element that takes more than longestElement.
func (b *workbook) walk(part *zip.File, limit int, visit func(*xml.Decoder, xml.StartElement) error) error {
	r, err := unzip(b.file, part, limit)
	if err != nil {
		return err
	}
	defer r.Close()
	element := &io.LimitedReader{R: r}
	raw := xml.NewDecoder(bufio.NewReaderSize(element, 1<<16))
	raw.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // whatever it says, it is UTF-8 or damaged
	d := xml.NewTokenDecoder(undirected{raw})
	for {
		element.N = longestElement
		tag, err := d.Token()
		if start, ok := tag.(xml.StartElement); ok {
			err = visit(d, start)
		}
		if known, ok := err.(*Error); ok {
			return known
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return b.damaged()
		}
	}
}

// undirected refuses a document type, which no workbook has, and comments and
// instructions that are not in UTF-8, as the page does.
type undirected struct{ *xml.Decoder }

func (u undirected) Token() (xml.Token, error) {
	tag, err := u.RawToken()
	sound := true
	switch tag := tag.(type) {
	case xml.Directive:
		sound = false
	case xml.Comment:
		sound = utf8.Valid(tag)
	case xml.ProcInst:
		sound = utf8.Valid(tag.Inst)
	}
	if !sound {
		return nil, errors.New("a document type, or bytes that are no text")
	}
	return tag, err
}

// richText is the text of a cell, in runs if its parts look different. How it is
// spoken, which East Asian workbooks say beside it, is not part of it.
type richText struct {
	Text string   `xml:"t"`
	Runs []string `xml:"r>t"`
}

func (t richText) String() string { return t.Text + strings.Join(t.Runs, "") }

// sharedStrings returns the texts that cells refer to by number.
func (b *workbook) sharedStrings() (texts []string, err error) {
	if b.strings == nil {
		return nil, nil
	}
	err = b.walk(b.strings, b.held, func(d *xml.Decoder, start xml.StartElement) error {
		if start.Name.Local != "si" {
			return nil
		}
		var t richText
		if err := d.DecodeElement(&t, &start); err != nil {
			return err
		}
		if utf8.RuneCountInString(t.String()) > longestText {
			return b.damaged()
		}
		texts = append(texts, unescape(t.String()))
		return nil
	})
	return texts, err
}

var escapedUnits = regexp.MustCompile(`(_x[0-9A-Fa-f]{4}_)+`)

// unescape decodes _x000D_, which stands for a character that XML cannot hold.
func unescape(text string) string {
	return escapedUnits.ReplaceAllStringFunc(text, func(escapes string) string {
		var units []uint16
		for escape := range slices.Chunk([]byte(escapes), len("_x000D_")) {
			unit, _ := strconv.ParseUint(string(escape[2:6]), 16, 16)
			units = append(units, uint16(unit))
		}
		return string(utf16.Decode(units))
	})
}
