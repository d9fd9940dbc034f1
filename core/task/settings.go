package task

import (
	"io"
	"slices"
	"strings"

	"ifmlab/core/csv"
	"ifmlab/core/leaks"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/train"
)

// Read reads a file with the charset, separator and header that s asks for, and its
// columns as s says. Its errors are those of [read.Read].
func Read(s spec.Spec, name string, r io.Reader) (*table.Table, error) {
	return read.Read(r, read.Options{Name: name, Separator: separators[s.Separator], Header: headers[s.Header], Charset: charsets[s.Charset],
		Answers: read.Answers{Decimal: s.Decimal, MissingAs: s.MissingAs, Present: s.NotMissing, Dates: s.Dates, DataRows: s.Keep}})
}

// The zero values guess.
var (
	separators = map[string]rune{"comma": ',', "semicolon": ';', "tab": '\t', "pipe": '|', "space": ' '}
	headers    = map[string]csv.Header{"yes": csv.HeaderYes, "no": csv.HeaderNo}
	charsets   = map[string]csv.Charset{"utf-8": csv.UTF8, "utf-16le": csv.UTF16LE, "utf-16be": csv.UTF16BE, "windows-1252": csv.Windows1252, "latin-1": csv.Latin1,
		"windows-1251": "windows-1251", "shift_jis": "shift_jis", "gbk": "gbk"} // whoever opens the file decodes these
	losses = map[string]roles.Loss{"squared": roles.LossSquared, "logistic": roles.LossLogistic}
)

// settings turns the part of s that a table needs into its own words.
func settings(s spec.Spec) roles.Settings {
	missing := roles.MissingFlag
	if s.Missing == "drop" {
		missing = roles.MissingDrop
	}
	split := roles.SplitKind(s.Split)
	if split == roles.SplitRandom && s.By != "" {
		split = ""
	}
	return roles.Settings{
		Target: s.Target, Ignore: s.Ignore, Categorical: s.Categorical, Numeric: s.Numeric,
		Missing: missing, Rows: s.Rules(), Rare: s.Rare, Weight: s.Weight, Log: s.Log == "yes", Loss: losses[s.Loss], Positive: s.Positive,
		Split: split, By: s.By,
	}
}

// settingsOf is settings, with what validation rows choose for this table.
func settingsOf(s spec.Spec, table *table.Table) roles.Settings {
	settings := settings(s)
	settings.Choices = kindChoices(s, table)
	return settings
}

// plan is [planOf] with notices of settings that the solver does not use, and
// where trials do not differ in their rows. If findings is set, it has these, too.
func plan(s spec.Spec, table *table.Table, settings roles.Settings, findings bool) (*roles.Plan, error) {
	p, err := planOf(s, table, settings)
	if err != nil {
		return nil, err
	}
	if findings {
		leaks.Find(p)
	}
	if unused := unused(s); unused != "" {
		p.Notes = append(p.Notes, note.Note{Topic: note.TopicSetting, Text: unused})
	}
	if s.Trials > 1 && p.SplitRule.Kind == roles.SplitTime {
		p.Notes = append(p.Notes, note.Note{Topic: note.TopicSplit, Text: message.Sprintf("all %d trials have the same rows, because a split by time is fixed; only the starting values differ", s.Trials)})
	}
	return p, nil
}

// mostNamed is how many columns an error lists.
const mostNamed = 20

// UnknownColumnError says that settings name a column that a table does not have.
type UnknownColumnError struct {
	Found  string
	Have   []string
	Header bool // the first row named the columns
}

func (e *UnknownColumnError) Error() string {
	have, more := e.Have, ""
	if n := len(have) - mostNamed; n > 0 {
		have, more = have[:mostNamed], message.Sprintf(" and %d more", n)
	}
	if !e.Header {
		more += "; if the first row names the columns, set header=yes"
	}
	return message.Sprintf("task: the settings name a column %q, which is not in the table: %s%s", e.Found, strings.Join(have, ", "), more)
}

func (*UnknownColumnError) Kind() string { return "UnknownColumnError" }

// CheckNames returns an [*UnknownColumnError] for the first column that s names
// and table does not have. A page, whose links outlive files, only remarks on
// such names; a command should stop.
func CheckNames(s spec.Spec, table *table.Table) error {
	have := table.Names()
	named := slices.Concat(s.Ignore, s.Categorical, s.Numeric)
	for _, name := range []string{s.Target, s.By, s.Weight} {
		if name != "" {
			named = append(named, name)
		}
	}
	for _, value := range slices.Concat(s.Decimal, s.MissingAs, s.NotMissing, s.Dates) {
		name, _, _ := note.CutPair(value, func(name string) bool { return slices.Contains(have, name) })
		named = append(named, name)
	}
	for _, name := range named {
		if !slices.Contains(have, name) {
			return &UnknownColumnError{Found: name, Have: have, Header: table.Header}
		}
	}
	return nil
}

// unused names the settings of s, a table's, that its solver passes over, as a
// notice; "" if there are none.
func unused(s spec.Spec) string {
	plain := spec.Default()
	var names []string
	add := func(name string, set bool) {
		if set {
			names = append(names, name)
		}
	}
	if train.Searches(s) {
		add("lambdas", !slices.Equal(s.Lambdas, plain.Lambdas))
	} else {
		add("lambdaw", !slices.Equal(s.LambdaW, plain.LambdaW))
		add("lambdaf", !slices.Equal(s.LambdaF, plain.LambdaF))
		add("encode", s.Encoding == train.Hats) // others leave numbers as they are anyway
	}
	list := strings.Join(names, ", ")
	switch {
	case names == nil:
		return ""
	case train.Searches(s):
		return message.Sprintf("als does not use %s, which are the penalties of other solvers; choose one of them, or set lambdaf", list)
	}
	return message.Sprintf("the solver %s does not use %s; choose als", s.Solver, list)
}
