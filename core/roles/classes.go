package roles

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/order"
)

// Loss is the loss function of training.
type Loss string

// The losses.
const (
	LossAuto     Loss = ""         // logistic if the target has two values or more texts, else squared
	LossSquared  Loss = "squared"  // ½(f − y)²
	LossLogistic Loss = "logistic" // log(1 + eᶠ) − y·f, with y of 0 and 1 and f the log-odds of 1; of more classes the softmax loss
)

// Texts that affirm, and texts that deny, in lower case.
var (
	so = slices.Concat(outcomes, []string{
		"yes", "y", "true", "t", "on", "positive", "pos", "+", "present", "success", "successful", "pass", "passed", "won", "win",
		"sick", "ill", "diseased", "dead", "died", "bad", "case", "ja", "oui", "si", "sí", "sim", "да", "是",
	})
	// outcomes are affirming texts that also name columns that are targets.
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

// guessPositive returns which of two texts is the positive class, and why, to follow
// "because". It is the one that affirms, or else whose other denies, or else the second.
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
			return 1 - i, message.Sprintf("%s means no", cell.Quote(texts[i]))
		case says[i] && !says[1-i] && !denies[1-i]:
			return i, message.Sprintf("%s means yes", cell.Quote(texts[i]))
		}
	}
	return 1, "it is second in alphabetical order"
}

// Classes returns the negative and the positive class if models learn log-odds, all classes
// if they are more, else nil.
func (p *Plan) Classes() []string {
	if p.Loss != LossLogistic {
		return nil
	}
	return p.Levels
}

// setClasses decides which of two values is 1, and whether models learn its log-odds. low
// comes before high in order. numbers is nil for a target of texts.
func (p *Plan) setClasses(low, high string, numbers *[2]float64) {
	texts, one, reason := [2]string{low, high}, 1, "it is the larger number"
	if numbers == nil {
		one, reason = guessPositive(texts)
	}
	if named := p.Settings.Positive; named != "" {
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
			p.Notes.Add(note.TopicSetting, nil, "the settings name %s as the positive class, but %s has %s and %s; this was ignored", cell.Quote(named), p.Target, low, high)
		}
	}
	p.Levels = []string{texts[1-one], texts[one]}
	if numbers != nil {
		p.one = numbers[one]
	}
	if p.Settings.Loss == LossSquared {
		p.Notes.Add(note.TopicTarget, []string{p.Target}, "%s has two values: %s counts as 0 and %s as 1, with squared loss", p.Target, p.Levels[0], p.Levels[1])
		return
	}
	p.Loss = LossLogistic
	p.Notes.Add(note.TopicTarget, []string{p.Target}, "%s has two values; models learn the probability of %s, not of %s, because %s", p.Target, p.Levels[1], p.Levels[0], reason)
}

// setManyClasses makes three or more texts the classes, in the order of their letters or
// numbers. It returns a [*fault.PlanError] if they are too many, or the loss is squared.
func (p *Plan) setManyClasses(texts []string) error {
	n, numbers := len(texts), p.Table.Columns[p.TargetColumn].Numeric()
	fail := func(advice string) error {
		return &fault.PlanError{Problem: fault.Target, File: p.Table.Name, Field: p.Target, Found: cell.List(texts), Message: message.Sprintf("%s has %d %s", p.Target, n, message.Either(n <= mostClasses, "classes", "different texts")) + advice}
	}
	switch {
	case n > mostClasses && numbers:
		return fail(message.Sprintf("; classes can be learned up to %d; learn numbers (leave categorical=%s), or choose another target", mostClasses, p.Target))
	case n > mostClasses:
		return fail(message.Sprintf("; classes can be learned up to %d; join rare ones, or choose another target%s", mostClasses, p.numericTargets()))
	case p.Settings.Loss == LossSquared:
		return fail(message.Sprintf(", and the squared loss takes numbers; leave loss=auto%s", message.Either(numbers, ", or categorical="+p.Target, "")))
	case p.Settings.Positive != "":
		p.Notes.Add(note.TopicSetting, nil, "the settings name %s as the positive class, but %s has %d classes; this was ignored", cell.Quote(p.Settings.Positive), p.Target, n)
	}
	if numbers {
		order.Sort(texts, func(a, b string) int {
			x, _ := cell.ParseNumber(a, '.')
			y, _ := cell.ParseNumber(b, '.')
			return cmp.Compare(x, y)
		})
	}
	p.Levels, p.Loss = texts, LossLogistic
	p.Notes.Add(note.TopicTarget, []string{p.Target}, "%s has %d classes; models learn how likely each is%s", p.Target, n, message.Either(numbers, "; to learn amounts, leave categorical="+p.Target, ""))
	counts, few := make([]int, n), []string(nil)
	for _, y := range p.Targets(p.Rows) {
		counts[int(y)]++
	}
	for c, rows := range counts {
		if rows < fewestOfClass {
			few = append(few, message.Sprintf("%s (%d)", cell.Quote(texts[c]), rows))
		}
	}
	if few != nil {
		p.Notes.Add(note.TopicTarget, []string{p.Target}, "too few rows to train, validate and test have %s = %s; join classes, or do not rely on these", p.Target, strings.Join(few, ", "))
	}
	return nil
}

// fewestOfClass is the number of rows of a class below which some part has less than one.
const fewestOfClass = 5

// checkLoss returns a [*fault.PlanError] if the settings ask for the logistic loss and the
// target has no two classes.
func (p *Plan) checkLoss() error {
	if p.Settings.Loss != LossLogistic {
		return nil
	}
	t, c := p.Table, p.Table.Columns[p.TargetColumn]
	seen := map[float64]bool{}
	for _, row := range p.Rows {
		if seen[c.Number(int(row))] = true; len(seen) > mostClasses {
			break
		}
	}
	found, advice := message.Sprintf("%d different numbers", len(seen)), "; learn them as classes with categorical="+p.Target+", leave loss=auto"
	if len(seen) > mostClasses {
		found, advice = message.Sprintf("more than %d different numbers", mostClasses), "; leave loss=auto"
	}
	return &fault.PlanError{Problem: fault.Target, File: t.Name, Field: p.Target, Found: found,
		Message: message.Sprintf("%s has %s, but the logistic loss needs two values%s, or choose a target with two values", p.Target, found, advice)}
}

// splitClasses splits shuffled rows so that each part has the same share of each class, to
// within a row. With three rows of a class, each part has one.
func (p *Plan) splitClasses(rows []int32, valid, test int) *Split {
	y, counts := p.Targets(rows), make([]int, len(p.Levels))
	for _, v := range y {
		counts[int(v)]++
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
	var of [3][]int // rows of a part and a class
	for part, size := range [3]int{1: valid, 2: test} {
		of[part] = make([]int, len(counts))
		for class, n := range counts {
			of[part][class] = fits(size, n, len(rows)-n)
		}
		if len(counts) == 2 {
			of[part][0] = size - of[part][1]
		}
	}
	for class, n := range counts { // one is left to train
		for of[2][class] > 0 && of[1][class]+of[2][class] >= n {
			of[2][class]--
			if len(counts) == 2 {
				of[2][1-class]++
			}
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
	seen := make([]int, len(counts))
	for i, row := range rows {
		class := int(y[i])
		at := place(class, seen[class])
		seen[class]++
		parts[at] = append(parts[at], row)
	}
	return &Split{Train: parts[0], Valid: parts[1], Test: parts[2]}
}

// LacksClass returns a warning if the validation or test rows are all of one class, or a class
// has no training row, else "".
func (p *Plan) LacksClass(s *Split) string {
	var said []string
	if len(p.Levels) > 2 {
		train := p.Targets(s.Train)
		for c, name := range p.Levels {
			if !slices.Contains(train, float64(c)) {
				said = append(said, message.Sprintf("no training row has %s = %s, so models consider it next to impossible", p.Target, name))
			}
		}
	}
	for _, part := range []struct {
		name, lost string
		rows       []int32
	}{
		{"validation", "they cannot calibrate", s.Valid},
		{"test", "there is no ROC curve", s.Test},
	} {
		y := p.Targets(part.rows)
		if len(y) > 0 && !slices.ContainsFunc(y, func(v float64) bool { return v != y[0] }) {
			said = append(said, message.Sprintf("all %d %s rows are %s, so %s", len(y), part.name, p.Levels[int(y[0])], part.lost))
		}
	}
	return strings.Join(said, "; ")
}

// setLog chooses the logarithm that models learn. It looks at all rows that are used, so
// that every split has the same one. It returns a [*fault.PlanError] for a negative target.
func (p *Plan) setLog() error {
	if !p.Settings.Log {
		return nil
	}
	if p.Levels != nil {
		p.Notes.Add(note.TopicTarget, []string{p.Target}, "%s has %s, so its logarithm changes nothing; it is not used", p.Target, message.Either(len(p.Levels) == 2, "two values", "classes"))
		return nil
	}
	log, ok := design.LogOf(p.least)
	if !ok {
		t, c := p.Table, p.Table.Columns[p.TargetColumn]
		for _, row := range p.Rows {
			if v := c.Number(int(row)); v < 0 {
				found := cell.FormatNumber(v)
				return &fault.PlanError{Problem: fault.Target, File: t.Name, Field: p.Target, Found: found,
					Message: message.Sprintf("%s is %s on line %d, and numbers below 0 have no logarithm; learn %s itself (log=no) or choose another target", p.Target, found, t.Line(int(row)), p.Target)}
			}
		}
	}
	p.Log = log
	return nil
}

// checkTarget checks the values of the target in the rows that are used.
func (p *Plan) checkTarget() error {
	if len(p.Rows) == 0 {
		return nil // too few rows
	}
	t, c := p.Table, p.Table.Columns[p.TargetColumn]
	fail := func(found, message string) error {
		return &fault.PlanError{Problem: fault.Target, File: t.Name, Field: p.Target, Found: found, Message: p.Target + message}
	}
	var low, high string
	var numbers *[2]float64
	if p.Kinds[p.TargetColumn] == design.Numeric {
		least, most, two := c.Number(int(p.Rows[0])), c.Number(int(p.Rows[0])), true
		for _, row := range p.Rows {
			least, most = min(least, c.Number(int(row))), max(most, c.Number(int(row)))
		}
		for _, row := range p.Rows {
			if v := c.Number(int(row)); v != least && v != most {
				two = false
				break
			}
		}
		numbers = &[2]float64{least + 0, most + 0} // −0 is 0
		low, high = cell.FormatNumber(numbers[0]), cell.FormatNumber(numbers[1])
		p.least = least
		switch {
		case most-least <= roundingShare*max(most, -least):
			return fail(low, message.Sprintf(" is %s in every row%s; choose a target that varies", low, message.Either(least == most, "", " except for rounding")))
		case !two:
			return p.checkLoss()
		}
	} else {
		texts, codes := c.Levels(p.Rows)
		var seen []string
		met := make([]bool, len(texts))
		for _, code := range codes {
			if !met[code] {
				met[code] = true
				seen = append(seen, texts[code])
			}
		}
		order.Sort(seen, strings.Compare)
		found := cell.List(seen)
		switch {
		case len(seen) == 1:
			return fail(found, message.Sprintf(" is %s in every row; choose a target that varies", found))
		case len(seen) > 2:
			return p.setManyClasses(seen)
		}
		low, high = seen[0], seen[1]
	}
	p.setClasses(low, high, numbers)
	return nil
}

// maxLevels is how many levels a profile lists.
const maxLevels = 8

// roundingShare of the largest number is the distance within which all are equal.
const roundingShare = 1e-9

// numericTargets returns advice that names columns which could be the target instead.
func (p *Plan) numericTargets() string {
	var names []string
	for i, c := range p.Table.Columns {
		if p.Kinds[i] == design.Numeric && p.Roles[i] == RoleFeature && len(names) < 3 {
			names = append(names, c.Name)
		}
	}
	if names == nil {
		return ""
	}
	return ", for instance " + strings.Join(names, ", ")
}
