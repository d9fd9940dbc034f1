package data

import (
	"math"
	"slices"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/note"
)

// Loss is what a prediction that is off costs.
type Loss string

// The losses.
const (
	LossAuto     Loss = ""         // logistic where the target has two values, else squared
	LossSquared  Loss = "squared"  // ½(f − y)²
	LossLogistic Loss = "logistic" // log(1 + eᶠ) − y·f, with y of 0 and 1 and f the log-odds of 1
)

// Texts that say that something is so, and that it is not, in small letters.
var (
	so = slices.Concat(outcomes, []string{
		"yes", "y", "true", "t", "on", "positive", "pos", "+", "present", "success", "successful", "pass", "passed", "won", "win",
		"sick", "ill", "diseased", "dead", "died", "bad", "case", "ja", "oui", "si", "sí", "sim", "да", "是",
	})
	// outcomes are such texts that name columns as well, which are then targets.
	outcomes = []string{
		"churn", "churned", "default", "defaulted", "fraud", "fraudulent", "spam", "malignant", "failure", "failed", "clicked", "click",
		"bought", "purchased", "converted", "responded", "accepted", "approved", "survived", "cancelled", "canceled", "returned",
		"subscribed", "admitted", "readmitted", "hired", "promoted", "exited", "attrited", "attrition", "renewed", "repaid", "sold",
	}
	notSo = []string{
		"no", "n", "false", "f", "off", "negative", "neg", "-", "−", "absent", "none", "lost", "loss", "retained", "stayed", "stay",
		"legitimate", "genuine", "ham", "benign", "healthy", "normal", "alive", "good", "ok", "rejected", "declined", "control",
		"nein", "non", "não", "nao", "нет", "否",
	}
)

// guessPositive returns which of two texts is the positive class, and why, as it
// stands behind "because": the one that says that something is so, else the one
// whose other says that it is not, as no and "not paid" do, else the second.
func guessPositive(texts [2]string) (place int, reason string) {
	var says, denies [2]bool
	for i, text := range texts {
		other := strings.ToLower(texts[1-i])
		text = strings.ToLower(text)
		says[i] = slices.Contains(so, text)
		denies[i] = slices.Contains(notSo, text)
		for _, not := range [...]string{"no ", "not ", "non-", "non ", "no_", "not_", "non_", "not-", "no-", "un", "in", "non"} {
			rest, is := strings.CutPrefix(text, not)
			denies[i] = denies[i] || is && rest == other
		}
	}
	for i := range texts {
		switch {
		case denies[i] && !denies[1-i]:
			return 1 - i, message.Sprintf("%s says that it is not so", cell.Quote(texts[i]))
		case says[i] && !says[1-i] && !denies[1-i]:
			return i, message.Sprintf("%s says that something is so", cell.Quote(texts[i]))
		}
	}
	return 1, "it is the second in the order of their letters"
}

// Classes returns the two classes of the target, the one that is read as 0 first, if
// models learn how likely the other is; else nil.
func (p *Plan) Classes() []string {
	if p.loss != LossLogistic {
		return nil
	}
	return p.levels
}

// settleClasses settles what the two values of a target are read as, low before high
// in order: which of them is 1, and whether models learn its log-odds. Numbers are
// given for a target of numbers.
func (p *Plan) settleClasses(low, high string, numbers *[2]float64) {
	texts, one, reason := [2]string{low, high}, 1, "it is the larger number"
	if numbers == nil {
		one, reason = guessPositive(texts)
	}
	if named := p.settings.Positive; named != "" {
		is := func(i int) bool {
			v, ok := cell.ParseNumber(named, '.')
			return texts[i] == named || numbers != nil && ok && v == numbers[i]
		}
		switch {
		case is(0):
			one, reason = 0, "the settings name it"
		case is(1):
			one, reason = 1, "the settings name it"
		default:
			p.Notes.Add(note.TopicSetting, nil, "the settings name %s as the positive class, and %s holds %s and %s; it was passed over", cell.Quote(named), p.Target, low, high)
		}
	}
	p.levels = []string{texts[1-one], texts[one]}
	if numbers != nil {
		p.one = numbers[one]
	}
	if p.settings.Loss == LossSquared {
		p.Notes.Add(note.TopicTarget, []string{p.Target}, "%s has two values; %s is read as 0 and %s as 1, and the loss is squared", p.Target, p.levels[0], p.levels[1])
		return
	}
	p.loss = LossLogistic
	p.Notes.Add(note.TopicTarget, []string{p.Target}, "%s has two values; models learn how likely %s is, against %s, because %s", p.Target, p.levels[1], p.levels[0], reason)
}

// checkLoss returns a [*TargetError] where the logistic loss is asked for and the
// target, whose numbers are more than two, has no classes.
func (p *Plan) checkLoss() error {
	if p.settings.Loss != LossLogistic {
		return nil
	}
	t, c := p.Table, p.Table.columns[p.target]
	seen := map[float64]bool{}
	for _, row := range p.Rows {
		if seen[c.number(int(row))] = true; len(seen) > maxLevels {
			break
		}
	}
	found := message.Sprintf("%d different numbers", len(seen))
	if len(seen) > maxLevels {
		found = message.Sprintf("more than %d different numbers", maxLevels)
	}
	return &TargetError{File: t.Name, Field: p.Target, Found: found,
		Message: message.Sprintf("%s holds %s, want two values for the logistic loss; leave loss=auto, or choose a target of two values", p.Target, found)}
}

// splitClasses splits rows that are in the order of a draw so that each part has
// the same share of both classes, to within a row; of three rows of a class or more
// every part has one.
func (p *Plan) splitClasses(rows []int32, valid, test int) *Split {
	y := p.Targets(rows)
	ones := 0
	for _, v := range y {
		ones += int(v)
	}
	// fits returns how many rows of a class of n, all of n + others, a part has.
	fits := func(part, n, others int) int {
		k := int(math.Round(float64(part) * float64(n) / float64(n+others)))
		if n >= 3 {
			k = max(k, 1)
		}
		if others >= 3 {
			k = min(k, part-1)
		}
		return max(0, min(k, n/2, part))
	}
	var of [3][2]int // rows of a part and a class
	for part, size := range [3]int{1: valid, 2: test} {
		of[part][1] = fits(size, ones, len(rows)-ones)
		of[part][0] = size - of[part][1]
	}
	for class, n := range [2]int{len(rows) - ones, ones} { // one is left to train
		for of[2][class] > 0 && of[1][class]+of[2][class] >= n {
			of[2][class]--
			of[2][1-class]++
		}
	}
	place := func(class int, seen int) int { // 0 trains, 1 validates, 2 tests
		switch {
		case seen < of[2][class]:
			return 2
		case seen < of[2][class]+of[1][class]:
			return 1
		}
		return 0
	}
	var parts [3][]int32
	var seen [2]int
	for i, row := range rows {
		class := int(y[i])
		at := place(class, seen[class])
		seen[class]++
		parts[at] = append(parts[at], row)
	}
	return &Split{Train: parts[0], Valid: parts[1], Test: parts[2]}
}

// lacksClass returns what to say of validation or test rows that are all of one
// class, "" where none are.
func (p *Plan) lacksClass(s *Split) string {
	var said []string
	for _, part := range []struct {
		name, lost string
		rows       []int32
	}{
		{"validation", "they calibrate nothing", s.Valid},
		{"test", "there is no ROC curve", s.Test},
	} {
		y := p.Targets(part.rows)
		if len(y) > 0 && !slices.Contains(y, 1-y[0]) {
			said = append(said, message.Sprintf("all %d %s rows are %s, so that %s", len(y), part.name, p.levels[int(y[0])], part.lost))
		}
	}
	return strings.Join(said, "; ")
}
