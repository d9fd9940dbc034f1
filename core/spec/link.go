package spec

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Notice reports a value of a link that was not used as written.
type Notice struct {
	Key     string // the parameter, as written
	Found   string // its value, as written
	Message string // what was found and what is used instead
}

// Parse reads the query of a link, with or without its leading "?". It never
// fails. A value out of bounds is clamped, an unreadable value and an unknown
// parameter are ignored, and each adds a Notice. If a parameter has several
// values, the last counts. A link that lists lambdas and no solver means agd.
//
// If a synthetic design would exceed MaxCells doubles, n is lowered, to no less than
// half of the limit, then the test rows. With a rank above d, the limit is on n times the rank.
func Parse(query string) (Spec, []Notice) {
	s := Default()
	notices := read(Fields, &s, query)
	if s.Solver == "default" && !slices.Equal(s.Lambdas, plain.Lambdas) {
		s.Solver = "agd" // as before version 0.8.0
	}
	return s, append(notices, s.fit()...)
}

// parse sets s to its defaults, then to the values of a query.
func parse[S any](fields []Of[S], s *S, query string) (notices []Notice) {
	setDefaults(fields, s)
	return read(fields, s, query)
}

// read sets the values of a query.
func read[S any](fields []Of[S], s *S, query string) (notices []Notice) {
	for key, value := range Pairs(query) {
		i := slices.IndexFunc(fields, func(f Of[S]) bool { return f.Key == key })
		if i < 0 {
			notices = append(notices, Notice{key, value, "the link's parameter " + quote(key) + " is not known here and was ignored"})
			continue
		}
		if instead, ok := fields[i].set(fields[i].ref(s), value); !ok {
			notices = append(notices, Notice{key, value, "the link's " + key + " was " + quote(value) + "; used " + quote(instead) + " instead"})
		}
	}
	return notices
}

// Pairs returns the parameters of a query in their order, with or without its
// leading "?".
func Pairs(query string) iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		for pair := range strings.SplitSeq(strings.TrimPrefix(query, "?"), "&") {
			key, value, _ := strings.Cut(pair, "=")
			if pair != "" && !yield(unescape(key), unescape(value)) {
				return
			}
		}
	}
}

func setDefaults[S any](fields []Of[S], s *S) {
	for _, f := range fields {
		f.set(f.ref(s), f.Default)
	}
}

// fit limits a synthetic design, and the rows times the rank that a fit stores, to
// MaxCells doubles each. It lowers n first, to no less than half of that, then the test rows.
func (s *Spec) fit() (notices []Notice) {
	if s.Source != "synthetic" {
		return nil
	}
	width, of := s.D, "d = "
	rank := max(s.K, s.Rank)
	if s.Numbers == "equal" {
		rank *= 2 // of FM
	}
	if rank > width {
		width, of = rank, "a rank of "
	}
	lower := func(key string, rows *int, most int) {
		if most = max(most, 10); *rows > most {
			found, used := strconv.Itoa(*rows), strconv.Itoa(most)
			notices = append(notices, Notice{key, found, "the link's " + key + " was " + found + ", too many rows for " + of + strconv.Itoa(width) + "; used " + used + " instead"})
			*rows = most
		}
	}
	lower("n", &s.N, max(MaxCells/width-s.Test, MaxCells/width/2))
	lower("test", &s.Test, MaxCells/width-s.N)
	return notices
}

// Encode returns the query of a link, without "?": the settings that differ from
// their defaults, in the order of Fields, without lambdas that the default solver does
// not use. For every s returned by Parse, Parse(s.Encode()) is s.
func (s Spec) Encode() string {
	if s.Solver == "default" {
		s.Lambdas = plain.Lambdas
	}
	return encode(Fields, &s)
}

func encode[S any](fields []Of[S], s *S) string {
	var b strings.Builder
	for _, f := range fields {
		v := f.get(f.ref(s))
		if v == f.Default {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(f.Key + "=" + escape(v))
	}
	return b.String()
}

// set stores a value as written in a link. If the value cannot be used, ok is false and
// instead is the stored value.
func (f Field) set(address any, value string) (instead string, ok bool) {
	ok = true
	switch p := address.(type) {
	case *string:
		switch {
		case f.Kind == Choice && !slices.Contains(f.Options, value):
			ok = false
		case f.Kind == Text && len(value) > MaxText:
			*p, ok = strings.ToValidUTF8(value[:MaxText], ""), false
		default:
			*p = value
		}
	case *[]string:
		*p, ok = f.list(*p, value)
	case *int:
		v, fine := f.number(float64(*p), value)
		*p, ok = int(v), fine
	case *uint64:
		v, fine := f.number(float64(*p), value)
		*p, ok = uint64(v), fine
	case *float64:
		*p, ok = f.number(*p, value)
	case *[]int:
		var list []float64
		list, ok = f.numbers(value)
		if list != nil {
			*p = nil
			for _, v := range list {
				*p = append(*p, int(v))
			}
		}
	case *[]float64:
		var list []float64
		if list, ok = f.numbers(value); list != nil {
			*p = list
		}
	}
	return f.get(address), ok
}

// get returns a setting as written in a link.
func (f Field) get(address any) string {
	switch p := address.(type) {
	case *string:
		return *p
	case *[]string:
		return joinNames(*p)
	case *int:
		return strconv.Itoa(*p)
	case *uint64:
		return strconv.FormatUint(*p, 10)
	case *float64:
		return formatFloat(*p)
	case *[]int:
		list := make([]string, len(*p))
		for i, v := range *p {
			list[i] = strconv.Itoa(v)
		}
		return strings.Join(list, ",")
	case *[]float64:
		list := make([]string, len(*p))
		for i, v := range *p {
			list[i] = formatFloat(v)
		}
		return strings.Join(list, ",")
	}
	panic("spec: field " + f.Key + " has no form")
}

// number reads one number within bounds. It returns now if value is not a number.
func (f Field) number(now float64, value string) (v float64, ok bool) {
	v, ok = parseNumber(value)
	if !ok {
		return now, false
	}
	got := min(max(v, f.Min), f.Max)
	if f.Kind == Int || f.Kind == Ints {
		got = math.Trunc(got)
	}
	return got, got == v
}

// numbers reads a list of different numbers within bounds, nil if there is none.
func (f Field) numbers(value string) (list []float64, ok bool) {
	ok = true
	for part := range strings.SplitSeq(value, ",") {
		v, fine := f.number(math.NaN(), part)
		ok = ok && fine && len(list) < MaxList
		if !math.IsNaN(v) && len(list) < MaxList && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list, ok
}

// list reads names, or the members of a set in the order of Options.
func (f Field) list(now []string, value string) (list []string, ok bool) {
	names := splitNames(value, ',')
	if f.Kind == Names {
		ok = len(names) <= MaxNames
		names = names[:min(len(names), MaxNames)]
		for _, name := range names {
			if len(name) > MaxText {
				ok = false
			} else {
				list = append(list, name)
			}
		}
		return list, ok
	}
	for _, o := range f.Options {
		if slices.Contains(names, o) {
			list = append(list, o)
		}
	}
	ok = !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(f.Options, name) })
	if len(list) == 0 {
		return now, false
	}
	return list, ok
}

// parseNumber reads a finite decimal number in the syntax that Go and JavaScript
// share: without hexadecimal digits, underscores and "Infinity".
func parseNumber(s string) (float64, bool) {
	if s == "" || strings.Trim(s, "+-.0123456789eE") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && math.IsInf(v, 0) {
		return math.Copysign(math.MaxFloat64, v), true // the bounds clamp it
	}
	return v + 0, err == nil // + 0 turns −0 into 0
}

// formatFloat returns v as JavaScript's String does.
func formatFloat(v float64) string {
	format := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	s := strconv.FormatFloat(v, format, -1, 64)
	if n := len(s); format == 'e' && s[n-2] == '0' && (s[n-3] == '-' || s[n-3] == '+') {
		s = s[:n-2] + s[n-1:]
	}
	return s
}

func joinNames(names []string) string {
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(name, `\`, `\\`), `,`, `\,`))
	}
	return b.String()
}

// Rules returns the rules of Rows. A \ stands before a semicolon or a \ inside one.
func (s Spec) Rules() []string {
	return slices.DeleteFunc(splitNames(s.Rows, ';'), func(rule string) bool { return rule == "" })
}

// splitNames splits a list at a separator that has no \ before it.
func splitNames(value string, separator byte) []string {
	if value == "" {
		return nil
	}
	names := []string{""}
	last := &names[0]
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == separator:
			names = append(names, "")
			last = &names[len(names)-1]
		case c == '\\' && i+1 < len(value):
			i++
			*last += value[i : i+1]
		default:
			*last += value[i : i+1]
		}
	}
	return names
}

const hexDigits = "0123456789ABCDEF"

// escape escapes s for a query: all bytes but unreserved characters and the comma
// become %XX. net/url does the same but adds 29 kB to the engine; the tests
// compare with it.
func escape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-_.~,", c) >= 0 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hexDigits[c>>4], hexDigits[c&15]})
		}
	}
	return b.String()
}

// unescape reverses escape, and reads + as a space. A broken escape stays, and
// invalid UTF-8 becomes U+FFFD.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '+':
			b.WriteByte(' ')
		case c == '%' && i+2 < len(s):
			v, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
			if err != nil {
				b.WriteByte(c)
				continue
			}
			b.WriteByte(byte(v))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

// quote quotes a value for a message and shortens it.
func quote(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return strconv.Quote(s)
}
