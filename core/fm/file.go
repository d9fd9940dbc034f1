package fm

import (
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"ifmlab/core/design"
	"ifmlab/core/jsontext"
	"ifmlab/core/message"
)

// A model file is one JSON object, of which model.schema.json says the same as a JSON
// Schema:
//
//	format    "ifmlab model"
//	version   1, or 2 where the target has a log, or 3 where it has a loss
//	model     "fm", "gfm" or "ifm"
//	rank      k; 0 for a linear model
//	b         bias
//	w         d numbers
//	u         d arrays of k numbers
//	v         the same; not for "fm"
//	target    {name, mean, scale, levels}, of version 2 also {log, least, most}, of
//	          version 3 also {loss}
//	features  d objects {name, column, kind, level, mean, scale}, of knots also {knot, fill}, of numbers that are held {least, most}
//	interval  {level, rows, half, b, w, least, most}, the last four where it is not as
//	          wide for every row; [Interval]; not where nobody has found out
//	table     {separator, point, header, numbers, other, dates, units, missingas,
//	          present}; not for drawn rows, the last five only where they are not empty
//
// b, w, u and v are over the scaled features and predict the scaled target:
// with xⱼ the number of a feature, zⱼ = (xⱼ − mean)/scale, and the prediction is
// y = target.scale·(b + zᵀw + zᵀMz); or, with the log "log" or "log1p", eʸ or eʸ − 1,
// held to least and most; or, with the loss "logistic", 1/(1 + e⁻ʸ), the probability of
// the second of the levels, which counts as 1. Scale is then 1, or the slope of the
// calibration, whose offset is in b. Package data describes the kinds of a feature,
// and, as [design.Written], the table; a file without it is of one with commas,
// decimal points and a header.
// Numbers read back bit for bit. Members that are not named here are passed
// over; a file that means something else has another version.
const (
	fileFormat  = "ifmlab model"
	fileVersion = 1 // without a log
	logVersion  = 2
	lossVersion = 3
	logistic    = "logistic"
	maxFile     = 256 << 20 // bytes
)

// FileError says where and why a model file cannot be read, or why a model
// cannot be written.
type FileError struct {
	Line, Column int    // from 1, columns in characters; 0 where it is not one place
	Field        string // such as "features[2].scale"; "" where it is not one field
	Found, Want  string
}

func (e *FileError) Error() string {
	place := "model file: "
	if e.Line > 0 {
		place = message.Sprintf("model file:%d:%d: ", e.Line, e.Column)
	}
	field := "found "
	if e.Field != "" {
		field = e.Field + " is "
	}
	return place + field + e.Found + ", want " + e.Want
}

func (*FileError) Kind() string { return "FileError" }

// Write writes m as a model file; enc says what its columns are. It returns a
// [*FileError] when enc has another number of features than m or a number is
// not finite, else what out returns.
func (m *Model) Write(out io.Writer, enc design.Encoding) error {
	if err := check(m, enc); err != nil {
		return err
	}
	b := append([]byte(nil), `{"format":"`+fileFormat+`","version":`...)
	version := fileVersion
	switch {
	case enc.Target.Logistic:
		version = lossVersion
	case enc.Target.Log != design.LogNone:
		version = logVersion
	}
	b = strconv.AppendInt(b, int64(version), 10)
	b = append(b, `,"model":"`+m.Kind.String()+`","rank":`...)
	b = strconv.AppendInt(b, int64(m.Rank), 10)
	b = appendNumber(append(b, `,"b":`...), m.B)
	b = appendNumbers(append(b, ",\n\"w\":"...), m.W)
	b = m.appendFactors(append(b, ",\n\"u\":"...), m.U)
	if m.Kind != FM {
		b = m.appendFactors(append(b, ",\n\"v\":"...), m.V)
	}
	b = appendTarget(append(b, ",\n\"target\":"...), enc.Target)
	b = append(b, ",\n\"features\":["...)
	for j, f := range enc.Features {
		if j > 0 {
			b = append(b, ',')
		}
		b = appendFeature(append(b, '\n'), f)
	}
	b = append(b, ']')
	if m.Interval != nil {
		b = appendInterval(append(b, ",\n\"interval\":"...), m.Interval)
	}
	if enc.Written.Separator != 0 {
		b = appendWritten(append(b, ",\n\"table\":"...), enc.Written)
	}
	_, err := out.Write(append(b, "}\n"...))
	return err
}

func appendNumbers(b []byte, values []float64) []byte {
	b = append(b, '[')
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendNumber(b, v)
	}
	return append(b, ']')
}

// appendFactors appends u or v, one row a line.
func (m *Model) appendFactors(b []byte, u []float64) []byte {
	b = append(b, '[')
	for j := range m.D {
		if j > 0 {
			b = append(b, ',')
		}
		b = appendNumbers(append(b, '\n'), u[j*m.Rank:(j+1)*m.Rank])
	}
	return append(b, ']')
}

func appendTarget(b []byte, t design.Target) []byte {
	b = appendText(append(b, `{"name":`...), t.Name)
	b = appendNumber(append(b, `,"mean":`...), t.Mean)
	b = appendNumber(append(b, `,"scale":`...), t.Scale)
	if t.Levels != nil {
		b = appendTexts(append(b, `,"levels":`...), t.Levels)
	}
	if t.Log != design.LogNone {
		b = appendText(append(b, `,"log":`...), string(t.Log))
		b = appendNumber(append(b, `,"least":`...), t.Least)
		b = appendNumber(append(b, `,"most":`...), t.Most)
	}
	if t.Logistic {
		b = appendText(append(b, `,"loss":`...), logistic)
	}
	return append(b, '}')
}

func appendTexts(b []byte, texts []string) []byte {
	b = append(b, '[')
	for i, text := range texts {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, text)
	}
	return append(b, ']')
}

func appendWritten(b []byte, w design.Written) []byte {
	b = appendText(append(b, `{"separator":`...), string(w.Separator))
	b = appendText(append(b, `,"point":`...), string(w.Point))
	b = strconv.AppendBool(append(b, `,"header":`...), w.Header)
	b = appendTexts(append(b, `,"numbers":`...), w.Numbers)
	for _, list := range [...]struct {
		name  string
		texts []string
	}{{"other", w.Other}, {"dates", w.Dates}, {"units", w.Units}, {"missingas", w.MissingAs}, {"present", w.Present}} {
		if list.texts != nil {
			b = appendTexts(append(b, `,"`+list.name+`":`...), list.texts)
		}
	}
	return append(b, '}')
}

func appendFeature(b []byte, f design.Feature) []byte {
	b = appendText(append(b, `{"name":`...), f.Name)
	b = appendText(append(b, `,"column":`...), f.Column)
	b = appendText(append(b, `,"kind":`...), string(f.Kind))
	switch f.Kind {
	case design.FeatureLevel, design.FeatureEntry:
		b = appendText(append(b, `,"level":`...), f.Level)
	case design.FeatureKnot:
		b = appendNumber(append(b, `,"knot":`...), f.Knot)
		b = appendNumber(append(b, `,"fill":`...), f.Fill)
	case design.FeatureValue:
		if f.Least < f.Most {
			b = appendNumber(append(b, `,"least":`...), f.Least)
			b = appendNumber(append(b, `,"most":`...), f.Most)
		}
	}
	b = appendNumber(append(b, `,"mean":`...), f.Mean)
	b = appendNumber(append(b, `,"scale":`...), f.Scale)
	return append(b, '}')
}

// Parse reads a model file. It returns a [*FileError] for one that is not as
// Write would have written it.
func Parse(text []byte) (*Model, design.Encoding, error) {
	f := file{scanner: scanner{Reader: jsontext.NewReader(text, nil), data: text}}
	f.Strict, f.MaxDepth = true, maxDepth
	switch {
	case len(text) > maxFile:
		return nil, design.Encoding{}, &FileError{Found: "more than 256 MB", Want: "a model file"}
	case !utf8.Valid(text):
		return nil, design.Encoding{}, &FileError{Found: "bytes that are not UTF-8", Want: "a model file"}
	}
	if err := f.read(); err != nil {
		return nil, design.Encoding{}, err
	}
	m, err := f.assemble()
	if err == nil {
		err = check(m, f.encoding)
	}
	if err != nil {
		return nil, design.Encoding{}, err
	}
	return m, f.encoding, nil
}

// file is a model file as it is being read.
type file struct {
	scanner
	seen     map[string]bool
	version  int
	kind     Kind
	rank     int
	b        float64
	w        []float64
	u, v     factors
	encoding design.Encoding
	interval *Interval
}

// factors are the rows of u or v, with the number of numbers in each.
type factors struct {
	values  []float64
	lengths []int
}

func (f *file) read() error {
	f.seen = map[string]bool{}
	if err := f.object(f.member); err != nil {
		return err
	}
	if f.Peek(); f.Here().Offset < len(f.data) {
		return f.fail(f.Here().Offset, "nothing after the model")
	}
	for _, name := range []string{"format", "version", "model", "rank", "b", "w", "u", "target", "features"} {
		if !f.seen[name] {
			return &FileError{Field: name, Found: "missing", Want: "a model file with all its members"}
		}
	}
	if !f.seen["table"] {
		f.encoding.Written = design.Written{Separator: ',', Point: '.', Header: true}
	}
	if log := f.encoding.Target.Log; f.version == fileVersion && log != design.LogNone {
		return &FileError{Field: "target.log", Found: strconv.Quote(string(log)), Want: message.Sprintf("none in version %d", fileVersion)}
	}
	if f.version < lossVersion && f.encoding.Target.Logistic {
		return &FileError{Field: "target.loss", Found: strconv.Quote(logistic), Want: message.Sprintf("none in version %d", f.version)}
	}
	if f.seen["v"] != (f.kind != FM) {
		return &FileError{Field: "v", Found: map[bool]string{true: "there", false: "missing"}[f.seen["v"]], Want: "it for gfm and ifm, not for fm"}
	}
	return nil
}

// member reads one member of the file.
func (f *file) member(name string) (err error) {
	f.Peek()
	start := f.Here().Offset
	if f.seen[name] {
		return f.fail(start, "each member once")
	}
	f.seen[name] = true
	switch name {
	case "format":
		var format string
		if format, err = f.text(); err != nil || format != fileFormat {
			return f.fail(start, strconv.Quote(fileFormat))
		}
	case "version":
		if f.version, err = f.integer(1); err == nil && f.version > lossVersion {
			return f.fail(start, message.Sprintf("%d to %d; a newer iFM Lab made this file, reload the page to get it", fileVersion, lossVersion))
		}
	case "model":
		var kind string
		if kind, err = f.text(); err != nil {
			return err
		}
		if f.kind, err = ParseKind(kind); err != nil || kind != f.kind.String() {
			return f.fail(start, `"fm", "gfm" or "ifm"`)
		}
	case "rank":
		f.rank, err = f.integer(0)
	case "b":
		f.b, err = f.number()
	case "w":
		f.w, err = f.numbers(nil)
	case "u":
		f.u, err = f.factors()
	case "v":
		f.v, err = f.factors()
	case "target":
		f.encoding.Target, err = f.target()
	case "interval":
		f.interval, err = f.readInterval()
	case "table":
		f.encoding.Written, err = f.written()
	case "features":
		err = f.array(func(int) error {
			feature, err := f.feature()
			f.encoding.Features = append(f.encoding.Features, feature)
			return err
		})
	default:
		err = f.skip()
	}
	return err
}

func (f *file) factors() (m factors, err error) {
	err = f.array(func(int) (err error) {
		before := len(m.values)
		m.values, err = f.numbers(m.values)
		m.lengths = append(m.lengths, len(m.values)-before)
		return err
	})
	return m, err
}

func (f *file) target() (t design.Target, err error) {
	err = f.object(func(key string) (err error) {
		switch key {
		case "name":
			t.Name, err = f.text()
		case "mean":
			t.Mean, err = f.number()
		case "scale":
			t.Scale, err = f.number()
		case "levels":
			if t.Levels, err = f.texts(); err == nil && len(t.Levels) != 2 {
				err = wantLength(f.field, len(t.Levels), 2, "texts, for 0 and for 1")
			}
		case "log":
			var log string
			log, err = f.text()
			t.Log = design.Log(log)
		case "loss":
			f.Peek()
			start := f.Here().Offset
			var loss string
			if loss, err = f.text(); err == nil && loss != logistic {
				return f.fail(start, strconv.Quote(logistic))
			}
			t.Logistic = true
		case "least":
			t.Least, err = f.number()
		case "most":
			t.Most, err = f.number()
		default:
			err = f.skip()
		}
		return err
	})
	return t, err
}

func (f *file) texts() (list []string, err error) {
	err = f.array(func(int) error {
		text, err := f.text()
		list = append(list, text)
		return err
	})
	return list, err
}

func (f *file) written() (w design.Written, err error) {
	w = design.Written{Separator: ',', Point: '.', Header: true}
	err = f.object(func(key string) (err error) {
		f.Peek()
		start := f.Here().Offset
		var text string
		switch key {
		case "separator":
			text, err = f.text()
			if w.Separator, _ = utf8.DecodeRuneInString(text); err == nil && (text != string(w.Separator) || strings.ContainsAny(text, "\"\r\n\uFFFD")) {
				return f.fail(start, "one character, neither a quote nor a line end")
			}
		case "point":
			if text, err = f.text(); err == nil && text != "." && text != "," {
				return f.fail(start, `"." or ","`)
			} else if err == nil {
				w.Point = text[0]
			}
		case "header":
			w.Header, err = f.truth()
		case "numbers":
			w.Numbers, err = f.texts()
		case "other":
			w.Other, err = f.texts()
		case "dates":
			w.Dates, err = f.texts()
		case "units":
			w.Units, err = f.texts()
		case "missingas":
			w.MissingAs, err = f.texts()
		case "present":
			w.Present, err = f.texts()
		default:
			err = f.skip()
		}
		return err
	})
	return w, err
}

func (f *file) feature() (t design.Feature, err error) {
	err = f.object(func(key string) (err error) {
		switch key {
		case "name":
			t.Name, err = f.text()
		case "column":
			t.Column, err = f.text()
		case "kind":
			var kind string
			kind, err = f.text()
			t.Kind = design.FeatureKind(kind)
		case "level":
			t.Level, err = f.text()
		case "knot":
			t.Knot, err = f.number()
		case "fill":
			t.Fill, err = f.number()
		case "least":
			t.Least, err = f.number()
		case "most":
			t.Most, err = f.number()
		case "mean":
			t.Mean, err = f.number()
		case "scale":
			t.Scale, err = f.number()
		default:
			err = f.skip()
		}
		return err
	})
	return t, err
}

// assemble returns the model once all its parts have the right sizes.
func (f *file) assemble() (*Model, error) {
	d := len(f.encoding.Features)
	if err := wantLength("w", len(f.w), d, "numbers, one a feature"); err != nil {
		return nil, err
	}
	m := &Model{Kind: f.kind, D: d, Rank: f.rank, B: f.b, W: f.w, U: f.u.values, Interval: f.interval}
	if err := f.u.check("u", d, f.rank); err != nil || f.kind == FM {
		return m, err
	}
	m.V = f.v.values
	return m, f.v.check("v", d, f.rank)
}

// check returns a *FileError unless the factors are d×k.
func (m factors) check(name string, d, k int) error {
	if err := wantLength(name, len(m.lengths), d, "rows, one a feature"); err != nil {
		return err
	}
	for j, n := range m.lengths {
		if err := wantLength(message.Sprintf("%s[%d]", name, j), n, k, "numbers, as the rank says"); err != nil {
			return err
		}
	}
	return nil
}

func wantLength(field string, found, want int, of string) error {
	if found == want {
		return nil
	}
	return &FileError{Field: field, Found: message.Sprintf("an array of %d", found), Want: message.Sprintf("%d %s", want, of)}
}

// Fits returns a [*FileError] unless enc is of m's features and both are finite:
// whether [Model.Write] would write them. O(d·k).
func (m *Model) Fits(enc design.Encoding) error { return check(m, enc) }

// check returns a *FileError unless m and enc fit together and hold what a file
// can hold.
func check(m *Model, enc design.Encoding) error {
	if m.D != len(enc.Features) || m.D == 0 {
		return &FileError{Field: "features", Found: message.Sprintf("an array of %d", len(enc.Features)), Want: message.Sprintf("%d, at least 1, as the model has", m.D)}
	}
	for _, block := range []struct {
		field  string
		values []float64
	}{{"b", []float64{m.B}}, {"w", m.W}, {"u", m.U}, {"v", m.V}, {"target.mean", []float64{enc.Target.Mean}}} {
		for _, v := range block.values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &FileError{Field: block.field, Found: message.Sprintf("%v", v), Want: "finite numbers"}
			}
		}
	}
	if err := checkScale("target.scale", enc.Target.Scale); err != nil {
		return err
	}
	if err := checkLog(enc.Target); err != nil {
		return err
	}
	if err := m.Interval.check(m.D); err != nil {
		return err
	}
	if enc.Target.Logistic && enc.Target.Levels == nil {
		return &FileError{Field: "target.levels", Found: "missing", Want: "two texts, the classes of the loss " + strconv.Quote(logistic)}
	}
	for j, f := range enc.Features {
		field := message.Sprintf("features[%d].", j)
		switch f.Kind {
		case design.FeatureValue, design.FeatureLevel, design.FeatureOther, design.FeatureMissing, design.FeatureEntry:
		case design.FeatureKnot:
			if math.IsNaN(f.Knot) || math.IsInf(f.Knot, 0) || math.IsNaN(f.Fill) || math.IsInf(f.Fill, 0) {
				return &FileError{Field: field + "knot", Found: message.Sprintf("%v and %v", f.Knot, f.Fill), Want: "finite numbers"}
			}
		default:
			return &FileError{Field: field + "kind", Found: strconv.Quote(string(f.Kind)), Want: `"value", "knot", "level", "other", "missing" or "entry"`}
		}
		if math.IsNaN(f.Mean) || math.IsInf(f.Mean, 0) {
			return &FileError{Field: field + "mean", Found: message.Sprintf("%v", f.Mean), Want: "a finite number"}
		}
		if err := checkScale(field+"scale", f.Scale); err != nil {
			return err
		}
	}
	return nil
}

// checkLog returns a *FileError for a logarithm that is none, or whose ends are.
func checkLog(t design.Target) error {
	switch {
	case t.Log == design.LogNone:
		return nil
	case t.Log != design.LogPlain && t.Log != design.LogShifted:
		return &FileError{Field: "target.log", Found: strconv.Quote(string(t.Log)), Want: `"log" or "log1p"`}
	case t.Levels != nil:
		return &FileError{Field: "target.log", Found: strconv.Quote(string(t.Log)), Want: "none beside levels"}
	case !(0 <= t.Least && t.Least < t.Most && !math.IsInf(t.Most, 1)):
		return &FileError{Field: "target.most", Found: message.Sprintf("%v above %v", t.Most, t.Least), Want: "finite numbers, the least from 0 and below the most"}
	}
	return nil
}

func checkScale(field string, v float64) error {
	if v > 0 && !math.IsInf(v, 1) {
		return nil
	}
	return &FileError{Field: field, Found: message.Sprintf("%v", v), Want: "a finite number above 0"}
}
