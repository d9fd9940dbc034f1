package core

import (
	"io"
	"math"
	"slices"
	"strings"

	"ifmlab/core/data"
	"ifmlab/core/kernel"
	"ifmlab/core/measure"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/spec"
	"ifmlab/core/trees"
)

// Version names the curves: it changes when the same Spec and seed no longer
// give the same bits, in the commit that writes testdata/golden.txt anew.
const Version = "0.7.0"

// Body names what the hot loops run on, "simd" or "go". It changes how long a
// curve takes and no bit of it.
func Body() string { return kernel.Body() }

// ReadTable reads a file with the charset, separator and header that s asks for, and its
// columns as s says. Its errors are those of [data.Read].
func ReadTable(s spec.Spec, name string, r io.Reader) (*data.Table, error) {
	return data.Read(r, data.Options{Name: name, Separator: separators[s.Separator], Header: headers[s.Header], Charset: charsets[s.Charset],
		Said: data.Said{Decimal: s.Decimal, MissingAs: s.MissingAs, Present: s.NotMissing, Dates: s.Dates, Keep: s.Keep}})
}

// The zero values guess.
var (
	separators = map[string]rune{"comma": ',', "semicolon": ';', "tab": '\t', "pipe": '|', "space": ' '}
	headers    = map[string]data.Header{"yes": data.HeaderYes, "no": data.HeaderNo}
	charsets   = map[string]data.Charset{"utf-8": data.UTF8, "utf-16le": data.UTF16LE, "utf-16be": data.UTF16BE, "windows-1252": data.Windows1252, "latin-1": data.Latin1}
	losses     = map[string]data.Loss{"squared": data.LossSquared, "logistic": data.LossLogistic}
)

// settings turns the part of s that a table needs into its own words.
func settings(s spec.Spec) data.Settings {
	missing := data.MissingFlag
	if s.Missing == "drop" {
		missing = data.MissingDrop
	}
	return data.Settings{
		Target: s.Target, Ignore: s.Ignore, Categorical: s.Categorical, Numeric: s.Numeric,
		Missing: missing, Rare: s.Rare, Weight: s.Weight, Log: s.Log == "yes", Loss: losses[s.Loss], Positive: s.Positive,
		Split: data.SplitKind(s.Split), By: s.By,
	}
}

// settingsOf is settings, with what validation rows choose for this table.
func settingsOf(s spec.Spec, table *data.Table) data.Settings {
	settings := settings(s)
	settings.Choices = kindChoices(s, table)
	return settings
}

// plan is [data.Table.Plan], with numbers as piecewise-linear bases if hats says so,
// else with findings, unless nobody is told of them, and with notices of settings that the solver does not use, and
// where trials do not differ in their rows.
func plan(s spec.Spec, table *data.Table, hats, told bool) (*data.Plan, error) {
	settings := settingsOf(s, table)
	settings.Hats = hats
	return planned(s, table, settings, told && !hats)
}

// planned is plan with these settings.
func planned(s spec.Spec, table *data.Table, settings data.Settings, told bool) (*data.Plan, error) {
	p, err := table.Plan(settings)
	if err != nil {
		return nil, err
	}
	if told { // whose columns are the same
		p.Find()
	}
	if unused := unused(s); unused != "" {
		p.Notes = append(p.Notes, note.Note{Topic: note.TopicSetting, Text: unused})
	}
	if s.Trials > 1 && p.Cut.Kind == data.SplitTime {
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
func CheckNames(s spec.Spec, table *data.Table) error {
	have := table.Columns()
	named := slices.Concat(s.Ignore, s.Categorical, s.Numeric)
	for _, name := range []string{s.Target, s.By, s.Weight} {
		if name != "" {
			named = append(named, name)
		}
	}
	for _, value := range slices.Concat(s.Decimal, s.MissingAs, s.NotMissing, s.Dates) {
		name, _, _ := data.CutPair(value, func(name string) bool { return slices.Contains(have, name) })
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
	*data.Plan
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
		case p.Kinds[i] == data.Categorical:
			s.Categorical = append(slices.Clip(s.Categorical), u.Column)
		default:
			s.Numeric = append(slices.Clip(s.Numeric), u.Column)
		}
	}
	return s
}

// PlanTable settles what training with s on table would use, for its first
// trial, without training or holding a design. Its errors are those of
// [data.Table.Plan] and [data.Plan.Encode]. O(rows·columns).
func PlanTable(s spec.Spec, table *data.Table) (*Planned, error) {
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
	encoding, notes, err := plan.Encode(split)
	if err != nil {
		return nil, err
	}
	trained, columns := len(split.Train), 0
	if folded(s) { // trees have validation rows all the same
		trained = len(plan.Split(Stream(s.Seed, 0, StreamSplit)).Train)
	}
	for i, role := range plan.Roles {
		if role == data.RoleFeature && plan.Kinds[i] != data.Sparse {
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
