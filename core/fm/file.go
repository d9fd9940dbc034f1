package fm

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ifmlab/core/design"
	"ifmlab/core/jsontext"
	"ifmlab/core/message"
)

// A model file is one JSON object, which model.schema.json describes. A file without
// "table" is of a table with commas, decimal points and a header. In version 2 the target
// has a log, in version 3 a loss; scale is then 1, or the slope of the calibration, whose
// offset is in b. In version 4 the loss is softmax: b, w, u and v are of the score of the first
// class, and others has those of the others in the order of levels, their rows one class after
// another. A file without "centre" is older, or of a model without known training rows. Numbers read back bit for bit. Members that are not known are passed over;
// a file that means something else has another version.
const (
	fileFormat  = "ifmlab model"
	fileVersion = 1 // without a log
	logVersion  = 2
	lossVersion = 3
	manyVersion = 4
	logistic    = "logistic"
	softmax     = "softmax"
	maxFile     = 256 << 20 // bytes
)

// Fitted says which rows of a table a model was fitted to.
type Fitted string

// The rows. Test rows measure the error of a model unless it was fitted to all.
const (
	FittedUnknown  Fitted = ""                             // of drawn rows, another program, or an older file
	FittedTraining Fitted = "training rows"                // of a run that was ended early, or without validation rows
	FittedChosen   Fitted = "training and validation rows" // after the choice
	FittedAll      Fitted = "all rows"                     // test rows included
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
	return place + field + e.Found + ", expected " + e.Want
}

func (*FileError) Kind() string { return "FileError" }

// DigestError says that the content of a model file does not match its digest.
type DigestError struct{}

func (*DigestError) Error() string {
	return "model file: its content is not what was saved: it was damaged, or edited by hand; take a copy that is whole, or open it as edited"
}

func (*DigestError) Kind() string { return "DigestError" }

// Write writes m as a model file; enc says what its columns are. It returns a
// [*FileError] when enc has another number of features than m or a number is
// not finite, else what out returns.
func (m *Model) Write(out io.Writer, enc design.Encoding) error {
	if err := check(m, enc); err != nil {
		return err
	}
	f := file{version: fileVersion, kind: m.Kind, rank: m.Rank, encoding: enc, interval: m.Interval, fitted: m.Fitted, centre: m.Centre}
	switch {
	case m.Classes != nil:
		f.version = manyVersion
	case enc.Target.Logistic:
		f.version = lossVersion
	case enc.Target.Log != design.LogNone:
		f.version = logVersion
	}
	for c, of := range m.Scores() {
		to := &f.scores
		if c > 0 {
			to = &f.others
		}
		to.b, to.w = append(to.b, of.B), append(to.w, of.W)
		for j := range m.D {
			to.u = append(to.u, of.U[j*m.Rank:][:m.Rank])
			if m.Kind != FM {
				to.v = append(to.v, of.V[j*m.Rank:][:m.Rank])
			}
		}
	}
	f.b, f.w = f.scores.b[0], f.scores.w[0]
	f.digest = f.sum()
	_, err := out.Write(append(f.members().write(nil), '\n'))
	return err
}

// Parse reads a model file. It returns a [*FileError] for one that is not as
// Write would have written it, and a [*DigestError] for one that was changed since.
func Parse(text []byte) (*Model, design.Encoding, error) { return parse(text, false) }

// ParseEdited reads a model file that may have been changed since it was written.
func ParseEdited(text []byte) (*Model, design.Encoding, error) { return parse(text, true) }

func parse(text []byte, edited bool) (*Model, design.Encoding, error) {
	s := &scanner{Reader: jsontext.NewReader(text, nil), data: text}
	s.Strict, s.MaxDepth = true, maxDepth
	f := file{encoding: design.Encoding{FileStyle: design.FileStyle{Header: true}}}
	switch {
	case len(text) > maxFile:
		return nil, design.Encoding{}, &FileError{Found: "more than 256 MB", Want: "a model file"}
	case !utf8.Valid(text):
		return nil, design.Encoding{}, &FileError{Found: "bytes that are not UTF-8", Want: "a model file"}
	}
	err := s.object(f.members())
	if s.Peek(); err == nil && s.Here().Offset < len(text) {
		err = s.fail(s.Here(), "nothing after the model")
	}
	if err != nil {
		return nil, design.Encoding{}, err
	}
	m, err := f.assemble()
	if err == nil {
		err = check(m, f.encoding)
	}
	if err == nil && !edited && f.digest != "" && f.digest != f.sum() {
		err = &DigestError{}
	}
	if err != nil {
		return nil, design.Encoding{}, err
	}
	if style := &f.encoding.FileStyle; style.Separator == 0 { // of drawn rows
		style.Separator, style.Point = ',', '.'
	}
	return m, f.encoding, nil
}

// file is what a model file holds.
type file struct {
	version  int
	kind     Kind
	rank     int
	b        float64
	w        []float64
	scores   scores // u and v of the first class, or all that there is
	others   scores // of the other of more than two classes
	encoding design.Encoding
	interval *Interval
	fitted   Fitted
	centre   *Centre
	digest   string
}

// scores are scores of classes, rows of u and v one class after another.
type scores struct {
	b    []float64
	w    [][]float64
	u, v [][]float64
}

func (f *file) membersOfOthers() object {
	return object{
		{"b", &f.others.b, needed},
		{"w", &f.others.w, needed},
		{"u", &f.others.u, needed},
		{"v", &f.others.v, when(f.others.v != nil)},
	}
}

// sum returns the digest of the other members, FNV-1a of 64 bits. Packages fnv and hex would
// add 40 kB to the engine.
func (f *file) sum() string {
	rest := *f
	rest.digest = ""
	h := uint64(14695981039346656037)
	for _, c := range rest.members().write(nil) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	digits := strconv.FormatUint(h, 16)
	return strings.Repeat("0", 16-len(digits)) + digits
}

// members returns the members of the file, in the order in which they are written.
func (f *file) members() object {
	enc := &f.encoding
	return object{
		{"format", word{fileFormat, strconv.Quote(fileFormat), func(text string) bool { return text == fileFormat }}, needed},
		{"version", integer{&f.version, 1, manyVersion, message.Sprintf("%d to %d; a newer iFM Lab made this file, reload the page to get it", fileVersion, manyVersion)}, needed},
		{"model", word{f.kind.String(), `"fm", "gfm" or "ifm"`, func(text string) (ok bool) {
			var err error
			f.kind, err = ParseKind(text)
			return err == nil && text == f.kind.String()
		}}, needed},
		{"rank", integer{&f.rank, 0, math.MaxInt32, ""}, needed},
		{"b", &f.b, needed},
		{"w", &f.w, needed | ownLine},
		{"u", &f.scores.u, needed | ownLine},
		{"v", &f.scores.v, when(f.kind != FM) | ownLine},
		{"others", f.membersOfOthers, when(f.others.b != nil) | ownLine},
		{"target", func() object { return targetOf(&enc.Target) }, needed | ownLine},
		{"features", &enc.Features, needed | ownLine},
		{"interval", f.intervalOf, when(f.interval != nil) | ownLine},
		{"fitted", word{string(f.fitted), message.Sprintf("%q, %q or %q", FittedTraining, FittedChosen, FittedAll), func(text string) bool {
			f.fitted = Fitted(text)
			return f.fitted == FittedTraining || f.fitted == FittedChosen || f.fitted == FittedAll
		}}, when(f.fitted != FittedUnknown) | ownLine},
		{"centre", f.centreOf, when(f.centre != nil) | ownLine},
		{"table", func() object { return tableOf(&enc.FileStyle) }, when(enc.FileStyle.Separator != 0) | ownLine},
		{"digest", &f.digest, when(f.digest != "") | ownLine},
	}
}

func targetOf(t *design.Target) object {
	return object{
		{"name", &t.Name, always},
		{"mean", &t.Mean, always},
		{"scale", &t.Scale, always},
		{"levels", &t.Levels, when(t.Levels != nil)},
		{"log", (*string)(&t.Log), when(t.Log != design.LogNone)},
		{"least", &t.Least, when(t.Log != design.LogNone)},
		{"most", &t.Most, when(t.Log != design.LogNone)},
		{"span", &t.Span, when(t.Span != nil)},
		{"loss", word{message.Either(t.Scores() > 1, softmax, logistic), strconv.Quote(logistic) + " or " + strconv.Quote(softmax), func(text string) bool {
			t.Logistic = text == logistic || text == softmax
			return t.Logistic
		}}, when(t.Logistic)},
	}
}

func tableOf(w *design.FileStyle) object {
	return object{
		{"separator", word{string(w.Separator), "one character, neither a quote nor a line end", func(text string) bool {
			w.Separator, _ = utf8.DecodeRuneInString(text)
			return text == string(w.Separator) && !strings.ContainsAny(text, "\"\r\n\uFFFD")
		}}, always},
		{"point", word{string(w.Point), `"." or ","`, func(text string) bool {
			w.Point = (text + ".")[0]
			return text == "." || text == ","
		}}, always},
		{"header", &w.Header, always},
		{"numbers", &w.Numbers, always},
		{"other", &w.Other, when(len(w.Other) > 0)},
		{"dates", &w.Dates, when(len(w.Dates) > 0)},
		{"units", &w.Units, when(len(w.Units) > 0)},
		{"missingas", &w.MissingAs, when(len(w.MissingAs) > 0)},
		{"present", &w.Present, when(len(w.Present) > 0)},
		{"weight", &w.Weight, when(w.Weight != "")},
	}
}

func featureOf(f *design.Feature) object {
	level := f.Kind == design.FeatureLevel || f.Kind == design.FeatureEntry
	held := f.Kind == design.FeatureValue && f.Least < f.Most
	return object{
		{"name", &f.Name, always},
		{"column", &f.Column, always},
		{"kind", (*string)(&f.Kind), always},
		{"level", &f.Level, when(level)},
		{"knot", &f.Knot, when(f.Kind == design.FeatureKnot)},
		{"fill", &f.Fill, when(f.Kind == design.FeatureKnot)},
		{"least", &f.Least, when(held)},
		{"most", &f.Most, when(held)},
		{"mean", &f.Mean, always},
		{"scale", &f.Scale, always},
		{"shares", &f.Shares, when(f.Shares != nil)},
		{"days", &f.IsDays, when(f.IsDays)},
	}
}

// assemble returns the model once all its parts have the right sizes.
func (f *file) assemble() (*Model, error) {
	t := f.encoding.Target
	switch {
	case f.version == fileVersion && t.Log != design.LogNone:
		return nil, &FileError{Field: "target.log", Found: strconv.Quote(string(t.Log)), Want: message.Sprintf("none in version %d", fileVersion)}
	case f.version < lossVersion && t.Logistic:
		return nil, &FileError{Field: "target.loss", Found: strconv.Quote(logistic), Want: message.Sprintf("none in version %d", f.version)}
	case f.scores.v != nil && f.kind == FM:
		return nil, &FileError{Field: "v", Found: "present", Want: "factors v only for gfm and ifm"}
	case f.scores.v == nil && f.kind != FM:
		return nil, &FileError{Field: "v", Found: "missing", Want: "d rows of factors, as gfm and ifm have"}
	}
	switch {
	case f.version == manyVersion && len(t.Levels) != 1+len(f.others.b) || f.version == manyVersion && len(t.Levels) < 3:
		return nil, wantLength("others.b", len(f.others.b), max(2, len(t.Levels)-1), "numbers, one for each level but the first")
	case f.version < manyVersion && f.others.b != nil:
		return nil, &FileError{Field: "others", Found: "present", Want: message.Sprintf("none in version %d", f.version)}
	case f.version < manyVersion && t.Levels != nil && len(t.Levels) != 2:
		return nil, wantLength("target.levels", len(t.Levels), 2, "texts, for 0 and for 1")
	}
	d := len(f.encoding.Features)
	if err := wantLength("w", len(f.w), d, "numbers, one for each feature"); err != nil {
		return nil, err
	}
	of := len(f.others.b)
	for _, shape := range []struct {
		field string
		rows  [][]float64
		n, k  int
	}{{"u", f.scores.u, d, f.rank}, {"v", f.scores.v, d, f.rank}, {"others.w", f.others.w, of, d}, {"others.u", f.others.u, of * d, f.rank}, {"others.v", f.others.v, of * d, f.rank}} {
		if f.kind == FM && (shape.field == "v" || shape.field == "others.v") {
			continue
		}
		if err := wantShape(shape.field, shape.rows, shape.n, shape.k); err != nil {
			return nil, err
		}
	}
	m := NewClasses(f.kind, d, f.rank, 1+of)
	m.Interval, m.Fitted, m.Centre = f.interval, f.fitted, f.centre
	for c, score := range m.Scores() {
		rows := &f.scores
		score.B, score.W = f.b, f.w
		if c > 0 {
			rows = &f.others
			score.B, score.W = rows.b[c-1], rows.w[c-1]
		}
		at := max(0, c-1) * d
		for j := range d {
			copy(score.U[j*f.rank:], rows.u[at+j])
			if f.kind != FM {
				copy(score.V[j*f.rank:], rows.v[at+j])
			}
		}
	}
	return m, nil
}

// wantShape returns a *FileError unless the factors are d×k.
func wantShape(name string, factors [][]float64, d, k int) error {
	if err := wantLength(name, len(factors), d, "rows, one for each feature"); err != nil {
		return err
	}
	for j, row := range factors {
		if len(row) != k {
			return wantLength(message.Sprintf("%s[%d]", name, j), len(row), k, "numbers, as many as the rank")
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

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// Fits returns a [*FileError] unless enc is of m's features and both are finite:
// whether [Model.Write] would write them. O(d·k).
func (m *Model) Fits(enc design.Encoding) error { return check(m, enc) }

// check returns a *FileError unless m and enc fit together and hold what a file
// can hold.
func check(m *Model, enc design.Encoding) error {
	if m.D != len(enc.Features) || m.D == 0 {
		return &FileError{Field: "features", Found: message.Sprintf("an array of %d", len(enc.Features)), Want: message.Sprintf("%d, at least 1, as the model has", m.D)}
	}
	for _, of := range m.Scores() {
		for _, block := range []struct {
			field  string
			values []float64
		}{{"b", []float64{of.B}}, {"w", of.W}, {"u", of.U}, {"v", of.V}, {"target.mean", []float64{enc.Target.Mean}}, {"target.span", enc.Target.Span}} {
			if i := slices.IndexFunc(block.values, notFinite); i >= 0 {
				return &FileError{Field: block.field, Found: message.Sprintf("%v", block.values[i]), Want: "finite numbers"}
			}
		}
	}
	if scores := len(m.Scores()); scores != enc.Target.Scores() {
		return wantLength("others", scores-1, enc.Target.Scores()-1, "scores, one fewer than the levels of the loss "+strconv.Quote(softmax))
	}
	if err := checkScale("target.scale", enc.Target.Scale); err != nil {
		return err
	}
	if err := checkLog(enc.Target); err != nil {
		return err
	}
	switch span := enc.Target.Span; {
	case span != nil && len(span) != 2:
		return wantLength("target.span", len(span), 2, "numbers, the minimum and the maximum")
	case span != nil && span[0] > span[1]:
		return &FileError{Field: "target.span", Found: message.Sprintf("%v to %v", span[0], span[1]), Want: "the minimum first"}
	}
	if err := m.Interval.check(m.D); err != nil {
		return err
	}
	if err := m.Centre.check(m, &enc); err != nil {
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
			if notFinite(f.Knot) || notFinite(f.Fill) {
				return &FileError{Field: field + "knot", Found: message.Sprintf("%v and %v", f.Knot, f.Fill), Want: "finite numbers"}
			}
		default:
			return &FileError{Field: field + "kind", Found: strconv.Quote(string(f.Kind)), Want: `"value", "knot", "level", "other", "missing" or "entry"`}
		}
		if notFinite(f.Mean) {
			return &FileError{Field: field + "mean", Found: message.Sprintf("%v", f.Mean), Want: "a finite number"}
		}
		if err := checkScale(field+"scale", f.Scale); err != nil {
			return err
		}
		if f.Shares == nil {
			continue
		}
		if f.Kind != design.FeatureValue {
			return &FileError{Field: field + "shares", Found: message.Sprintf("an array of %d", len(f.Shares)), Want: `none unless the kind is "value"`}
		}
		if err := wantLength(field+"shares", len(f.Shares), design.DefaultKnots, "numbers"); err != nil {
			return err
		}
		for _, share := range f.Shares {
			if !(share >= 0 && share <= 1) {
				return &FileError{Field: field + "shares", Found: message.Sprintf("%v", share), Want: "numbers from 0 to 1"}
			}
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
		return &FileError{Field: "target.log", Found: strconv.Quote(string(t.Log)), Want: "none with levels"}
	case !(0 <= t.Least && t.Least < t.Most && !math.IsInf(t.Most, 1)):
		return &FileError{Field: "target.most", Found: message.Sprintf("%v above %v", t.Most, t.Least), Want: "finite numbers of at least 0, least below most"}
	}
	return nil
}

func checkScale(field string, v float64) error {
	if v > 0 && !math.IsInf(v, 1) {
		return nil
	}
	return &FileError{Field: field, Found: message.Sprintf("%v", v), Want: "a finite number above 0"}
}
