package fm

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"ifmlab/core/design"
	"ifmlab/core/eigen"
	"ifmlab/core/jsontext"
	"ifmlab/core/message"
)

// libFM stores a model as lines of text:
//
//	#global bias W0
//	w₀
//	#unary interactions Wj
//	w_j, a line a feature
//	#pairwise interactions Vj,f
//	v_j1 v_j2 … v_jk, a line a feature
//
// Its features are numbered from 0 and have neither names nor scales. It predicts
//
//	ŷ(x) = w₀ + Σ wⱼxⱼ + Σ_{i<j} ⟨vᵢ, vⱼ⟩ xᵢxⱼ        (Eq. 3)
//
// which counts each pair once, where Eq. 1 counts it twice: V = √2·U. The bias and the unary
// part are missing if libFM did not fit them.
const (
	libFMBias  = "#global bias W0"
	libFMUnary = "#unary interactions Wj"
	libFMPairs = "#pairwise interactions Vj,f"
)

// mostLibFM is the most features for which iFM gets a V, which has d² numbers.
const mostLibFM = 1000

// LibFM is a model in libFM's format, with a description of its features.
type LibFM struct {
	Text []byte // of the model
	// Features is a CSV file with a line for each feature: its index, its column and kind,
	// and the number for a missing cell.
	Features []byte
	Rank     int      // columns of V
	Notices  []string // what libFM cannot express
}

// LibFMError says why a model has no libFM form.
type LibFMError struct {
	Model    Kind
	Features int
}

func (e *LibFMError) Error() string {
	if e.Model == GFM {
		return "model file: gFM keeps the squares of features, and libFM has none; save this model as SQL, Python or JSON, or train FM or iFM"
	}
	return message.Sprintf("model file: libFM writes the interactions as VVᵀ. Those of iFM have both signs and need one column of V for each feature: %d, expected at most %d. Save this model as SQL, Python or JSON, or train FM", e.Features, mostLibFM)
}

func (*LibFMError) Kind() string { return "LibFMError" }

// WriteLibFM returns the model over columns of enc that are not scaled: numbers of the table,
// 0 or 1 for a level, and hats. With mⱼ = meanⱼ/scaleⱼ, the scale s of the target and sums
// over all features,
//
//	V = √(2s)·U/scale
//	w = s·(w − u·Σmv − v·Σmu + 2m·(u∘v))/scale
//	w₀ = s·(b − Σmw + ⟨Σmu, Σmv⟩ − Σm²⟨u, v⟩)
//
// where v = u for FM. iFM's M has eigenvalues of both signs, and VVᵀ of one. But libFM leaves
// out the diagonal, so that VVᵀ = 2(M − λI) works, with the least eigenvalue λ of M; V then
// has as many columns as features. WriteLibFM returns a [*LibFMError] for a gFM of a rank
// above 0, because libFM has no squares, and for an iFM of more than 1000 features. It
// returns a [*FileError] as [Model.Write] does. O(d·k), for iFM O(d³).
func (m *Model) WriteLibFM(enc design.Encoding) (*LibFM, error) {
	if err := check(m, enc); err != nil {
		return nil, err
	}
	if m.Classes != nil {
		return nil, &FileError{Field: "the target", Found: message.Sprintf("a column of %d classes", len(m.Classes)), Want: "numbers or two classes, because libFM has one score. Choose another form"}
	}
	if m.Rank > 0 && (m.Kind == GFM || m.Kind == IFM && m.D > mostLibFM) {
		return nil, &LibFMError{m.Kind, m.D}
	}
	u, rank := m.positive()
	s, out := enc.Target.Scale, &LibFM{Rank: rank}
	raw := m.Unscaled(enc.Features)
	b := jsontext.AppendNumber([]byte(libFMBias+"\n"), s*raw.B)
	b = append(b, "\n"+libFMUnary+"\n"...)
	for _, w := range raw.W {
		b = append(jsontext.AppendNumber(b, s*w), '\n')
	}
	b = append(b, libFMPairs+"\n"...)
	for j, f := range enc.Features {
		by := math.Sqrt(2*s) / f.Scale
		for e, v := range u[j*rank:][:rank] {
			if e > 0 {
				b = append(b, ' ')
			}
			b = jsontext.AppendNumber(b, by*v)
		}
		b = append(b, '\n')
	}
	out.Text, out.Features = b, appendFeatureMap(nil, enc)
	if m.Kind == IFM && rank > 0 {
		out.Notices = append(out.Notices, message.Sprintf("iFM's interactions have both signs, which VVᵀ has at full rank alone: V has %d columns for iFM's %d", rank, m.Rank))
	}
	if t := enc.Target; t.Quantity() != t.Name {
		out.Notices = append(out.Notices, message.Sprintf("libFM predicts what was learnt, %s", t.Quantity()))
	}
	return out, nil
}

// Unscaled returns m over unscaled features: it takes xⱼ where m takes
// zⱼ = (xⱼ − meanⱼ)/scaleⱼ. The target stays scaled. O(d·k).
func (m *Model) Unscaled(features []design.Feature) *Model {
	k, right := m.Rank, m.Right()
	sumU, sumV := make([]float64, k), make([]float64, k)
	for j, f := range features {
		shift := f.Mean / f.Scale
		for e := range k {
			sumU[e] += float64(shift * m.U[j*k+e])
			sumV[e] += float64(shift * right[j*k+e])
		}
	}
	out := New(m.Kind, m.D, k)
	out.B = m.B
	for e := range k {
		out.B += float64(sumU[e] * sumV[e])
	}
	for j, f := range features {
		shift, w := f.Mean/f.Scale, m.W[j]
		out.B -= float64(shift * w)
		for e := range k {
			u, v := m.U[j*k+e], right[j*k+e]
			w -= float64(u*sumV[e]) + float64(v*sumU[e])
			if m.Kind != GFM { // has no product of a feature with itself
				own := float64(shift * u * v)
				w += 2 * own
				out.B -= float64(shift * own)
			}
			out.U[j*k+e] = u / f.Scale
			if m.Kind != FM {
				out.V[j*k+e] = v / f.Scale
			}
		}
		out.W[j] = w / f.Scale
	}
	return out
}

// positive returns a d×rank matrix u for an FM or iFM, such that uuᵀ is M except for the
// diagonal.
func (m *Model) positive() (u []float64, rank int) {
	if m.Kind == FM || m.Rank == 0 {
		return m.U, m.Rank
	}
	d := m.D
	e := eigen.New(d)
	e.Of(m.Interaction(), d)
	least := 0.0
	for _, v := range e.Values[:d] {
		least = min(least, v)
	}
	u = make([]float64, d*d)
	for i, value := range e.Values[:d] {
		root := math.Sqrt(value - least)
		for j, v := range e.Vectors[i*d:][:d] {
			u[j*d+i] = root * v
		}
	}
	return u, d
}

// appendFeatureMap appends a CSV file that describes the model's input at each index.
func appendFeatureMap(b []byte, enc design.Encoding) []byte {
	b = append(b, "index,feature,column,is,of,missing,least,most\n"...)
	number := func(b []byte, v float64) []byte { return jsontext.AppendNumber(append(b, ','), v) }
	for j, f := range enc.Features {
		b = strconv.AppendInt(b, int64(j), 10)
		b = appendCell(append(b, ','), f.Name)
		b = appendCell(append(b, ','), f.Column)
		b = append(append(b, ','), string(f.Kind)...)
		switch f.Kind {
		case design.FeatureValue: // the number itself
			b = number(append(b, ','), f.Mean)
			if f.Least < f.Most {
				b = number(number(b, f.Least), f.Most)
			} else {
				b = append(b, ",,"...)
			}
		case design.FeatureKnot:
			b = append(number(number(b, f.Knot), f.Fill), ",,"...)
		case design.FeatureLevel:
			b = append(appendCell(append(b, ','), f.Level), ",,,"...)
		default:
			b = append(b, ",,,,"...)
		}
		b = append(b, '\n')
	}
	return b
}

// appendCell appends a text as a cell of a CSV file.
func appendCell(b []byte, text string) []byte {
	if !strings.ContainsAny(text, ",\"\r\n") && strings.TrimSpace(text) == text {
		return append(b, text...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(text, `"`, `""`)...)
	return append(b, '"')
}

// IsLibFM reports whether a text begins as a model of libFM does.
func IsLibFM(text []byte) bool {
	head := strings.TrimLeft(string(text[:min(len(text), 200)]), " \t\r\n\uFEFF")
	for _, title := range []string{libFMBias, libFMUnary, libFMPairs} {
		if strings.HasPrefix(head, title) {
			return true
		}
	}
	return false
}

// IsBareLibFM reports whether a text begins with two lines of numbers, as a model of
// libFM does without its titles.
func IsBareLibFM(text []byte) bool {
	lines := strings.SplitN(string(text[:min(len(text), 1<<12)]), "\n", 3)
	for _, line := range lines[:min(len(lines), 2)] {
		fields := strings.Fields(strings.TrimPrefix(line, "\uFEFF"))
		for _, field := range fields {
			if _, err := strconv.ParseFloat(field, 64); err != nil {
				return false
			}
		}
		if len(fields) == 0 {
			return false
		}
	}
	return len(lines) > 1
}

// ParseLibFM reads a model of libFM. Its features are unscaled numbers of columns that are
// known by their place: "column 1" is libFM's feature 0. It returns a [*FileError] with the
// line for any other text. O(bytes).
func ParseLibFM(text []byte) (*Model, design.Encoding, error) {
	switch {
	case len(text) > maxFile:
		return nil, design.Encoding{}, &FileError{Found: "more than 256 MB", Want: "a model file"}
	case !utf8.Valid(text):
		return nil, design.Encoding{}, &FileError{Found: "bytes that are not UTF-8", Want: "a model of libFM"}
	}
	r := libFMReader{bias: math.NaN(), rank: -1}
	for rest, more := string(text), true; more; {
		var line string
		line, rest, more = strings.Cut(rest, "\n")
		r.line++
		if err := r.read(strings.TrimSpace(strings.TrimPrefix(line, "\uFEFF")), !more); err != nil {
			return nil, design.Encoding{}, err
		}
	}
	return r.model()
}

// libFMReader reads a model of libFM.
type libFMReader struct {
	line    int
	section string
	seen    map[string]bool
	bias    float64
	w       []float64
	v       []float64
	rank    int // of the lines so far; −1 before the first
	lines   int // of the pairwise part
}

func (r *libFMReader) fail(found, want string) error {
	return &FileError{Line: r.line, Column: 1, Found: found, Want: want}
}

func (r *libFMReader) read(line string, last bool) error {
	if strings.HasPrefix(line, "#") {
		if line != libFMBias && line != libFMUnary && line != libFMPairs || r.seen[line] {
			return r.fail(shortened(line), message.Sprintf("%q, %q or %q, each once", libFMBias, libFMUnary, libFMPairs))
		}
		if r.seen == nil {
			r.seen = map[string]bool{}
		}
		r.section, r.seen[line] = line, true
		return nil
	}
	if line == "" && (r.section != libFMPairs || last || r.rank > 0) {
		return nil
	}
	if r.section == "" {
		return r.fail(shortened(line), message.Sprintf("%q, with which a model of libFM begins", libFMBias))
	}
	var numbers []float64
	for _, field := range strings.Fields(line) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return r.fail(shortened(field), "a finite number; the training that made this file may have diverged")
		}
		numbers = append(numbers, v)
	}
	switch r.section {
	case libFMBias:
		if len(numbers) != 1 || r.bias == r.bias {
			return r.fail(shortened(line), "one number, the bias")
		}
		r.bias = numbers[0]
	case libFMUnary:
		if len(numbers) != 1 {
			return r.fail(shortened(line), "one number, the weight of a feature")
		}
		r.w = append(r.w, numbers[0])
	case libFMPairs:
		if r.rank < 0 {
			r.rank = len(numbers)
		} else if len(numbers) != r.rank {
			return r.fail(message.Sprintf("%d numbers", len(numbers)), message.Sprintf("%d, as for the features before", r.rank))
		}
		r.v = append(r.v, numbers...)
		r.lines++
	}
	return nil
}

// shortened quotes what was found, at most 20 characters of it.
func shortened(text string) string {
	if runes := []rune(text); len(runes) > 20 {
		text = string(runes[:20]) + "…"
	}
	return strconv.Quote(text)
}

// model returns the model after the last line.
func (r *libFMReader) model() (*Model, design.Encoding, error) {
	enc := design.Encoding{
		Target:    design.Target{Name: "the target", Scale: 1},
		FileStyle: design.FileStyle{Separator: ',', Point: '.'},
	}
	d, rank := max(len(r.w), r.lines), max(r.rank, 0)
	switch {
	case r.seen[libFMBias] && r.bias != r.bias:
		return nil, enc, r.fail("the end of the file", "the bias after "+strconv.Quote(libFMBias))
	case d == 0:
		return nil, enc, r.fail("the end of the file", "the weights or factors of features")
	case !r.seen[libFMPairs]:
		return nil, enc, r.fail("the end of the file", message.Sprintf("%q after %d weights; the file was cut short", libFMPairs, len(r.w)))
	case r.seen[libFMUnary] && len(r.w) != d, rank > 0 && r.lines != d:
		return nil, enc, r.fail("the end of the file", message.Sprintf("as many lines of factors as weights; it has %d and %d, so the file was cut short", r.lines, len(r.w)))
	}
	m := New(FM, d, rank)
	if r.bias == r.bias {
		m.B = r.bias
	}
	copy(m.W, r.w)
	for i, v := range r.v {
		m.U[i] = v / math.Sqrt2
	}
	for j := range d {
		name := message.Sprintf("column %d", j+1)
		enc.Features = append(enc.Features, design.Feature{Name: name, Column: name, Kind: design.FeatureValue, Scale: 1})
	}
	return m, enc, nil
}
