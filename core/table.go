package core

import (
	"io"
	"math"
	"slices"
	"strings"

	"ifmlab/core/csv"
	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/kernel"
	"ifmlab/core/leaks"
	"ifmlab/core/measure"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/trees"
)

// Version names the curves: it changes when the same Spec and seed no longer
// give the same bits, in the commit that writes testdata/golden.txt anew.
const Version = "0.7.0"

// Body names what the hot loops run on, "simd" or "go". It changes how long a
// curve takes and no bit of it.
func Body() string { return kernel.Body() }

// ReadTable reads a file with the charset, separator and header that s asks for, and its
// columns as s says. Its errors are those of [read.Read].
func ReadTable(s spec.Spec, name string, r io.Reader) (*table.Table, error) {
	return read.Read(r, read.Options{Name: name, Separator: separators[s.Separator], Header: headers[s.Header], Charset: charsets[s.Charset],
		Answers: read.Answers{Decimal: s.Decimal, MissingAs: s.MissingAs, Present: s.NotMissing, Dates: s.Dates, Keep: s.Keep}})
}

// The zero values guess.
var (
	separators = map[string]rune{"comma": ',', "semicolon": ';', "tab": '\t', "pipe": '|', "space": ' '}
	headers    = map[string]csv.Header{"yes": csv.HeaderYes, "no": csv.HeaderNo}
	charsets   = map[string]csv.Charset{"utf-8": csv.UTF8, "utf-16le": csv.UTF16LE, "utf-16be": csv.UTF16BE, "windows-1252": csv.Windows1252, "latin-1": csv.Latin1}
	losses     = map[string]roles.Loss{"squared": roles.LossSquared, "logistic": roles.LossLogistic}
)

// settings turns the part of s that a table needs into its own words.
func settings(s spec.Spec) roles.Settings {
	missing := roles.MissingFlag
	if s.Missing == "drop" {
		missing = roles.MissingDrop
	}
	return roles.Settings{
		Target: s.Target, Ignore: s.Ignore, Categorical: s.Categorical, Numeric: s.Numeric,
		Missing: missing, Rare: s.Rare, Weight: s.Weight, Log: s.Log == "yes", Loss: losses[s.Loss], Positive: s.Positive,
		Split: roles.SplitKind(s.Split), By: s.By,
	}
}

// settingsOf is settings, with what validation rows choose for this table.
func settingsOf(s spec.Spec, table *table.Table) roles.Settings {
	settings := settings(s)
	settings.Choices = kindChoices(s, table)
	return settings
}

// plan is [roles.NewPlan], with numbers as piecewise-linear bases if hats says so,
// else with findings, unless nobody is told of them, and with notices of settings that the solver does not use, and
// where trials do not differ in their rows.
func plan(s spec.Spec, table *table.Table, hats, told bool) (*roles.Plan, error) {
	settings := settingsOf(s, table)
	settings.Hats = hats
	return planned(s, table, settings, told && !hats)
}

// planned is plan with these settings.
func planned(s spec.Spec, table *table.Table, settings roles.Settings, told bool) (*roles.Plan, error) {
	p, err := roles.NewPlan(table, settings)
	if err != nil {
		return nil, err
	}
	if told { // whose columns are the same
		leaks.Find(p)
	}
	if unused := unused(s); unused != "" {
		p.Notes = append(p.Notes, note.Note{Topic: note.TopicSetting, Text: unused})
	}
	if s.Trials > 1 && p.Cut.Kind == roles.SplitTime {
		p.Notes = append(p.Notes, note.Note{Topic: note.TopicSplit, Text: message.Sprintf("all %d trials have the same rows, as time splits them one way; they differ in where the models start", s.Trials)})
	}
	return p, nil
}

// UnknownColumnError says that settings name a column that a table does not have.
type UnknownColumnError struct {
	Found string
	Have  []string
}

func (e *UnknownColumnError) Error() string {
	have := e.Have[:min(len(e.Have), 20)]
	return message.Sprintf("core: the settings name a column %q, want one of the table's: %s", e.Found, strings.Join(have, ", "))
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
			return &UnknownColumnError{Found: name, Have: have}
		}
	}
	return nil
}

// Planned is what training on a table would use and cost.
type Planned struct {
	*roles.Plan
	Learnt             string // of the target, in words: [design.Target.Learnt]
	Measure            string // of errors, as [Run.Measure]
	Features           int    // columns of the design
	Train, Valid, Test int    // rows; with folds none validates alone
	Folds              int    // that all rows that train are cut into; 0: none
	Bytes              int64
	Steps              int        // iterations of one model at most, all candidates and folds together
	Trees              float64    // what boosted trees take at most, as [trees.Work] counts it
	Notes              note.Notes // the plan's and the encoding's
}

// Repeat returns s with what validation rows have chosen of columns, so that a link does
// the same to another file.
func (p *Planned) Repeat(s spec.Spec) spec.Spec {
	for i, u := range p.Uses {
		switch {
		case u.Chosen == "" || slices.Contains(s.Categorical, u.Column) || slices.Contains(s.Numeric, u.Column):
		case p.Kinds[i] == design.Categorical:
			s.Categorical = append(slices.Clip(s.Categorical), u.Column)
		default:
			s.Numeric = append(slices.Clip(s.Numeric), u.Column)
		}
	}
	return s
}

// PlanTable settles what training with s on table would use, for its first
// trial, without training or holding a design. Its errors are those of
// [roles.NewPlan] and [encode.Encoding]. O(rows·columns).
func PlanTable(s spec.Spec, table *table.Table) (*Planned, error) {
	settings, free := settingsOf(s, table), s
	free.Categorical, free.Numeric = nil, nil
	settings.Judged = kindChoices(free, table)
	plan, err := planned(s, table, settings, true)
	if err != nil {
		return nil, err
	}
	split, err := taken(s, 0, whole, plan)
	if err == nil && folded(s) {
		_, err = taken(s, 0, s.Folds-1, plan) // all can be filled
	}
	if err != nil {
		return nil, err
	}
	encoding, notes, err := encode.Encoding(plan, split)
	if err != nil {
		return nil, err
	}
	trained, columns := len(split.Train), 0
	if folded(s) { // trees have validation rows all the same
		trained = len(plan.Split(Stream(s.Seed, 0, StreamSplit)).Train)
	}
	for i, role := range plan.Roles {
		if role == roles.RoleFeature && plan.Kinds[i] != design.Sparse {
			columns++
		}
	}
	work := trees.Work(trained, columns)
	if columns == 0 {
		work = math.Inf(1) // none are grown
	}
	return &Planned{
		Plan:     plan,
		Learnt:   encoding.Target.Learnt(),
		Measure:  measure.Of(&encoding.Target),
		Features: len(encoding.Features),
		Train:    len(split.Train), Valid: len(split.Valid), Test: len(split.Test),
		Bytes: encoding.Bytes(split.Rows()),
		Folds: Folds(s),
		Steps: len(candidates(s, false, plan.ManyLevels() > 1)) * s.Iterations * (1 + Folds(s)),
		Trees: work,
		Notes: append(append(note.Notes(nil), plan.Notes...), notes...),
	}, nil
}
