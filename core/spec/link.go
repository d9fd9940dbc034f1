package spec

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Notice says that a value of a link was not used as it stood.
type Notice struct {
	Key     string // the parameter, as written
	Found   string // its value, as written
	Message string // the sentence to show: what was found and what is used instead
}

// Parse reads the query of a link, with or without its leading "?". It never
// fails: a value out of bounds is clamped, one that cannot be read and a
// parameter that is not a field of Fields are passed over, and each leaves a
// Notice. The last of several values of one parameter counts.
//
// A synthetic design is held to MaxCells doubles by lowering n, then the test
// rows; where the rank is above d, n times the rank is.
func Parse(query string) (Spec, []Notice) {
	s := Default()
	notices := read(Fields, &s, query)
	return s, append(notices, s.fit()...)
}

// parse sets s to its defaults and then to what the query says.
func parse[S any](fields []Of[S], s *S, query string) (notices []Notice) {
	setDefaults(fields, s)
	return read(fields, s, query)
}

// read sets s to what the query says.
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

// fit holds a synthetic design, and what a fit of some rank keeps of its rows, to
// MaxCells doubles each: n gives way first, then the test rows.
func (s *Spec) fit() (notices []Notice) {
	if s.Source != "synthetic" {
		return nil
	}
	width, of := s.D, "d = "
	rank := max(s.K, s.Rank)
	if s.Numbers == "equal" {
		rank *= 2 // FM's
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
	lower("n", &s.N, MaxCells/width-s.Test)
	lower("test", &s.Test, MaxCells/width-s.N)
	return notices
}

// Encode returns the link's query for s, without "?": the fields that differ
// from their defaults, in the order of Fields. Parse(s.Encode()) is s for
// every s that Parse returned.
func (s Spec) Encode() string { return encode(Fields, &s) }

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

// set stores value, given in a link's form, at the address of a setting. When it had to store something
// else, ok is false and instead is what it stored.
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

// get returns the setting at an address in a link's form.
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

// number reads one number within bounds; it returns now when value is none.
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

// numbers reads a list, without what is out of bounds, twice there or no
// number; nil when nothing is left.
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
	names := splitNames(value)
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

// parseNumber reads a finite decimal number: what both Go and JavaScript
// understand, so no hexadecimal, no underscores, no "Infinity".
func parseNumber(s string) (float64, bool) {
	if s == "" || strings.Trim(s, "+-.0123456789eE") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && math.IsInf(v, 0) {
		return math.Copysign(math.MaxFloat64, v), true // too large to hold: clamped by the bounds
	}
	return v + 0, err == nil // + 0 turns −0 into 0
}

// formatFloat writes v as JavaScript's String does.
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

func splitNames(value string) []string {
	if value == "" {
		return nil
	}
	names := []string{""}
	last := &names[0]
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == ',':
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

// escape writes s so that it can stand in a query: unreserved characters and
// the comma as they are, every other byte as %XX. net/url would do, but weighs
// 29 kB in the browser; it is the oracle of the tests.
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

// unescape reads what escape, a form or a browser wrote: %XX and + for space.
// A broken escape stands for itself; invalid UTF-8 becomes U+FFFD.
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
	if out := b.String(); utf8.ValidString(out) {
		return out
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

// quote puts a value into a sentence, cut to a readable length.
func quote(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return strconv.Quote(s)
}
