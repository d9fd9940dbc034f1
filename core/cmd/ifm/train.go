package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"ifmlab/core"
	"ifmlab/core/assess"
	"ifmlab/core/estimator"
	"ifmlab/core/fm"
	"ifmlab/core/measure"
	"ifmlab/core/note"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/task"
	"ifmlab/core/train"
)

const trainDetails = `Train fits a factorization machine to a table, as the page does. It prints the role of
each column and the reason, the notices about the rows, and the test errors of the mean,
linear regression, regression with curves, the model and boosted trees: RMSE, or
log-loss for a target with classes: two values, up to thirty texts, or whole numbers
with -set categorical=COLUMN. Curves are printed where validation rows find them better.
Three fifths of the rows train, a fifth chooses rank, penalties and encoding, and a
fifth tests. Then the choice is fitted once more, to the first four fifths: the test
rows measure that, and it is in the file. With -all the file has the same model fitted
to all rows; the errors printed are still those of the model that has not seen the test
rows. If that takes a few seconds, all are trained on nine more splits of the rows and
compared by their means over the ten; -splits sets how many. With -errors-by COLUMN the
test errors are split by the levels of a column, or by quartiles of a number, so that
you see for which rows the model works less well. Columns and the strongest pairs of them are
listed by importance: how much the test error rises if a column's cells are permuted among the
test rows (for a pair: what it adds beyond both). The model has 90 % prediction intervals;
-set level=0.95 changes that.

With -test FILE2, the rows of a second file with the same columns are the test rows.
Four fifths of FILE then train and a fifth chooses; no other splits are compared.
If a number is outside its range in FILE in more than a tenth of the test rows, a notice
says that FILE2 is unlike FILE.

With -rows FILE it also writes the test rows as CSV, in the dialect of the table: the
line in the file, the cells, the prediction with its interval, and the error, which is
prediction minus actual value; for classes the likeliest class and the probabilities.

With -set folds=5, five folds of all rows but the test rows make the choice. With -set
models=fm,gfm,ifm, validation rows choose among the models; a link of the page trains
those of the page, FM and iFM. If the table may be read in two ways, train prints the
settings that decide and ends with 2. An interrupt ends it without a partial file.`

// report is the result of train.
type report struct {
	Version   string          `json:"version"`
	File      string          `json:"file"`
	TestFile  string          `json:"test_file,omitempty"` // has the test rows
	Rows      int             `json:"rows"`
	Unread    []string        `json:"unread"` // the first rows that could not be read
	Dropped   []string        `json:"dropped"`
	Target    string          `json:"target"`
	Quantity  string          `json:"learnt"`
	Measure   string          `json:"measure"` // of errors: "rmse" or "log-loss"
	Settings  string          `json:"settings"`
	Train     int             `json:"train"`
	Valid     int             `json:"valid"`
	Folds     int             `json:"folds,omitempty"` // of a cross-validation
	Test      int             `json:"test"`
	Features  int             `json:"features"`
	Columns   []columnReport  `json:"columns"`
	Notices   []string        `json:"notices"`
	Models    []modelReport   `json:"models"`
	Kept      string          `json:"kept"`
	Scores    []scoreReport   `json:"scores"`
	Splits    int             `json:"splits"`            // of the rows, over which the means are
	TooFew    string          `json:"too_few,omitempty"` // why nothing is concluded
	Intervals *intervalReport `json:"ranges,omitempty"`
	Classes   *classesReport  `json:"classes,omitempty"`
	Important []importance    `json:"importance"` // of columns and the strongest pairs, the most important first
	ErrorsBy  *errorsBy       `json:"errors_by,omitempty"`
	Fitted    fm.Fitted       `json:"fitted"`          // the rows that the model in the file has seen; the errors are of one without the test rows
	Model     string          `json:"model,omitempty"` // the file
}

type columnReport struct {
	Name      string   `json:"name"`
	Role      string   `json:"role"`
	Kind      string   `json:"kind"`
	Reason    string   `json:"reason"`
	Decisions []string `json:"decisions,omitempty"`
}

// importance is by how much the test error rises if the cells of a column are permuted, or what a
// pair of columns adds beyond both.
type importance struct {
	Column string `json:"column"`
	With   string `json:"with,omitempty"` // of a pair the second column
	By     real   `json:"by"`
	Low    real   `json:"low"` // 95 % interval
	High   real   `json:"high"`
}

// errorsBy has the errors of the test rows by the levels of a column, all rows first.
type errorsBy struct {
	Column string        `json:"column"`
	Levels []levelReport `json:"levels"`
}

type levelReport struct {
	Level   string `json:"level"`            // a level, a band of numbers or dates, "missing", or what is pooled
	Pooled  int    `json:"pooled,omitempty"` // levels with few rows
	Rows    int    `json:"rows"`
	Error   real   `json:"error"`
	Low     real   `json:"low"` // 95 % interval
	High    real   `json:"high"`
	Share   real   `json:"share"` // of rows within their prediction intervals, or of the right class
	From    real   `json:"from"`  // 95 % interval
	To      real   `json:"to"`
	Differs int    `json:"differs"` // 1: the error is larger than that of the other rows, −1: smaller, 0: no clear difference
}

type modelReport struct {
	Kind      string `json:"kind"`
	Rank      int    `json:"rank"`
	Lambda    real   `json:"lambda"`
	Weights   real   `json:"weights"`
	Encoding  string `json:"encoding"`
	Iteration int    `json:"iteration"`
	Valid     real   `json:"valid"` // errors
	Test      real   `json:"test"`
}

type scoreReport struct {
	Name   string      `json:"name"`
	Test   real        `json:"test"` // error
	Chosen string      `json:"chosen,omitempty"`
	Lead   *leadReport `json:"lead,omitempty"`           // of the model over this one
	Mean   real        `json:"mean_of_splits,omitempty"` // error
	Splits *leadReport `json:"lead_over_splits,omitempty"`
}

type intervalReport struct {
	Level   real `json:"level"`
	Covered int  `json:"covered"` // test rows within the intervals
	Share   real `json:"share"`   // of the test rows, weighted
	From    real `json:"from"`    // 95 % interval of the share
	To      real `json:"to"`
	Width   real `json:"width"` // on average

	low, high []float64 // of the test rows
}

type classesReport struct {
	Names  []string       `json:"names"`  // of two the probability of the second is predicted
	Share  real           `json:"share"`  // of the second in training rows, or of the commonest of more than two
	Rows   []int          `json:"rows"`   // test rows of each
	Most   string         `json:"most"`   // the class that is commonest in training rows
	Always real           `json:"always"` // accuracy of that, said of every row
	Models []classMetrics `json:"told"`
}

type classMetrics struct {
	Name       string `json:"name"`
	LogLoss    real   `json:"log_loss"` // of calibrated probabilities if these are used, as all others
	Calibrated bool   `json:"calibrated"`
	AUC        real   `json:"auc"`      // of more than two classes the mean over them, each against the rest
	AUCFrom    real   `json:"auc_from"` // 95 % interval, of two classes
	AUCTo      real   `json:"auc_to"`
	Brier      real   `json:"brier"`
	Accuracy   real   `json:"accuracy"` // of the likelier or likeliest class
	From       real   `json:"from"`     // 95 % interval of the accuracy
	To         real   `json:"to"`
	Right      real   `json:"right"` // rows, or their weights

	Confusion   [][]float64   `json:"confusion,omitempty"` // of more than two classes: test rows of a class, by the class predicted
	Reliability []reliability `json:"reliability"`
}

// reliability is that of a part of the test rows, by the probability of the second or likeliest class.
type reliability struct {
	Rows  int  `json:"rows"`
	Mean  real `json:"mean"`  // probability
	Share real `json:"share"` // of rows for which it is right
	From  real `json:"from"`  // 95 % interval
	To    real `json:"to"`
}

type leadReport struct {
	By   real `json:"by"`
	Low  real `json:"low"`
	High real `json:"high"`
	P    real `json:"p"`
}

func trainTable(c *call, args []string) error {
	o, err := c.trainOptions()
	if err != nil {
		return err
	}
	if c.test != "" && c.splits > 1 {
		return c.wrong("-splits draws other test rows, but those of -test are fixed; leave out one of the two")
	}
	out, err := c.output(args[0], c.test)
	if err != nil {
		return err
	}
	if c.rows == "-" || c.rows != "" && c.rows == c.out {
		return c.wrong("-rows needs a file of its own; name another than %s", c.rows)
	}
	rows, err := c.outputTo("-rows", c.rows, args[0], c.test)
	if err != nil {
		return err
	}
	file, err := c.open(args[0], o.Spec)
	if err != nil {
		return err
	}
	asked := o.Spec // to repeat the run, of the file as it is
	o.Spec = file.Reading(o.Spec)
	table, err := estimator.ReadTable(file.Name, file, o)
	file.Close()
	if err != nil {
		return err
	}
	table.Notes = append(file.Notes, table.Notes...)
	if c.test != "" {
		if table, err = c.readTest(table, asked); err != nil {
			return err
		}
	}
	if c.errorsBy != "" && table.ByName()[c.errorsBy] == nil {
		return c.wrong("-errors-by %s names no column; it can be %s", c.errorsBy, strings.Join(table.Names(), ", "))
	}
	progress := c.newProgress()
	defer progress.end()
	best := math.NaN()
	o.Progress = func(p estimator.Progress) {
		if p.Last {
			progress.update("%s: its choice, fitted to the training and validation rows", shortName(p.Model))
			return
		}
		if !(p.Valid >= best) {
			best = p.Valid
		}
		if p.Fold > 0 {
			progress.update("%s: fold %d of %d, candidate %d, %s, rank %d, iteration %d", shortName(p.Model), p.Fold, o.Folds, p.Candidate+1, encodingName(p.Encoding), p.Rank, p.Iteration)
			return
		}
		progress.update("%s: candidate %d of %d, %s, rank %d, iteration %d, validation error %.4g, best %.4g",
			shortName(p.Model), p.Candidate+1, p.Candidates, encodingName(p.Encoding), p.Rank, p.Iteration, p.Valid, best)
	}
	f, err := estimator.FitTable(c.context(), table, o)
	progress.end()
	var open *estimator.QuestionsError
	if errors.As(err, &open) {
		return c.unanswered(open)
	}
	if err != nil {
		return err
	}
	intervals, err := c.calibrate(f, progress)
	if err != nil {
		return err
	}
	r, err := newReport(f, table, asked)
	if err != nil {
		return err
	}
	if l, err := f.Logged(); err == nil && l.Pays && o.Spec.Log != "yes" {
		r.Notices = append(r.Notices, fmt.Sprintf("learn the logarithm of %s with -set log=yes: ridge's RMSE on validation rows is %s instead of %s", r.Target, figures(l.Log, 4), figures(l.Plain, 4)))
	}
	if r.Intervals = intervals; c.all {
		if err := f.FitAll(c.context(), func(done, of int) { progress.update("all rows: iteration %d of %d", done, of) }); err != nil {
			return err
		}
		progress.end()
	}
	r.Fitted = f.Fitted()
	if out.path != "" { // before the boosted trees, which take a while
		if err := out.write(c.stdout, f.Save); err != nil {
			return err
		}
		r.Model = c.out
	}
	if rows.path != "" {
		if err := rows.write(c.stdout, testRows(f, table, r.Intervals).write); err != nil {
			return err
		}
	}
	r.Scores, err = scores(f, func() (estimator.Baseline, error) {
		defer progress.end()
		return f.Trees(c.context(), func(grown, most int) { progress.update("boosted trees: %d of at most %d", grown, most) })
	})
	if err != nil {
		return err
	}
	test := f.Test()
	r.TooFew = tooFew(f.Target(), f.Classes(), test.Actual, test.Weight, 1)
	if r.Classes, err = classes(f); err != nil {
		return err
	}
	columns, err := f.Importance()
	if err != nil {
		return err
	}
	for _, i := range columns {
		r.Important = append(r.Important, importance{i.Column, i.With, real(i.By), real(i.Low), real(i.High)})
	}
	if r.ErrorsBy, err = c.splitErrors(f); err != nil {
		return err
	}
	if err := c.repeat(f, table, o.Spec, r, progress); err != nil {
		return err
	}
	if c.out != "-" {
		return c.show(c.stdout, r)
	}
	if err := f.Save(c.stdout); err != nil {
		return err
	}
	return c.show(c.stderr, r)
}

// splitErrors returns the errors by the levels of the column that the call names, else nil.
func (c *call) splitErrors(f *estimator.Fitted) (*errorsBy, error) {
	if c.errorsBy == "" {
		return nil, nil
	}
	levels, err := f.ErrorsBy(c.errorsBy)
	by := &errorsBy{Column: c.errorsBy}
	for _, l := range levels {
		level := levelReport{l.Level, max(0, l.Pooled), l.Rows, real(l.Error), real(l.Low), real(l.High), real(l.Share), real(l.From), real(l.To), l.Differs}
		switch {
		case l.Pooled < 0:
			level.Level = "all test rows"
		case l.Pooled == 1 && l.Level != "":
			level.Level += ", few rows"
		case l.Pooled > 0:
			level.Level = fmt.Sprintf("%d with few rows", l.Pooled)
		case l.Level == "":
			level.Level = "missing"
		}
		by.Levels = append(by.Levels, level)
	}
	return by, err
}

// print writes a line for each level.
func (by *errorsBy) print(out io.Writer, r *report) {
	share := ", and the share of rows of the right class"
	if r.Classes == nil {
		share = ", and the share of rows within their prediction intervals"
	}
	if by.Levels[0].Share != by.Levels[0].Share {
		share = ""
	}
	fmt.Fprintf(out, "\nTest %s by %s, with 95 %% intervals%s:\n", measureName(r.Measure, r.Target), by.Column, share)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, l := range by.Levels {
		hit := ""
		if share != "" {
			hit = fmt.Sprintf("%s (%s to %s %%)", percent(l.Share), inside(100*l.From, 100, 0), inside(100*l.To, 100, 0))
		}
		interval := fmt.Sprintf("%s to %s", figures(float64(l.Low), 3), figures(float64(l.High), 3))
		if math.IsInf(float64(l.High), 1) {
			interval = "too few rows"
		}
		fmt.Fprintf(w, "  %s\t%d rows\t%s\t%s\t%s\t%s\n", oneLine.Replace(l.Level), l.Rows, figures(float64(l.Error), 4), interval, hit,
			map[int]string{1: "larger than elsewhere", -1: "smaller than elsewhere"}[l.Differs])
	}
	w.Flush()
}

// calibrate adds prediction intervals to the model, or a notice that says why it has none.
func (c *call) calibrate(f *estimator.Fitted, progress *progress) (*intervalReport, error) {
	if !c.ranges || f.Classes() != nil { // probabilities need no interval
		return nil, nil
	}
	defer progress.end()
	found, err := f.Calibrate(c.context(), func(done, of int) { progress.update("prediction intervals: fold %d of %d", min(done+1, of), of) })
	var none *assess.NoIntervalError
	if errors.As(err, &none) {
		f.Notes.Add(note.TopicModel, nil, "no prediction intervals: %s", none.Message)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &intervalReport{real(found.Level), found.Covered, real(found.Share), real(found.From), real(found.To), real(found.Width), found.Low, found.High}, nil
}

// testRows returns the test rows: line, cells, prediction, and of numbers the error.
func testRows(f *estimator.Fitted, table *table.Table, intervals *intervalReport) *sheet {
	test, classes := f.Test(), f.Classes()
	lines, order := make([]float64, len(test.Line)), make([]int, len(test.Line))
	for i, line := range test.Line {
		lines[i], order[i] = float64(line), i
	}
	shift := 0
	if second := table.Test; second != nil { // whose lines follow those of the first file
		shift = table.Line(table.Training.Rows) - second.Line(0)
	}
	slices.SortFunc(order, func(a, b int) int { return test.Line[a] - test.Line[b] })
	columns := cellsOf(table, lines, f.Target())
	s := sheetLike(table)
	added := predictionHead(classes, intervals != nil)
	if classes == nil {
		added = append(added, "error")
	}
	s.add(columns.head(added...)...)
	for _, i := range order {
		row := append([]any{test.Line[i] - shift}, columns.row(i)...)
		p := prediction{Prediction: real(test.Predicted[i])}
		if intervals != nil {
			p.Lower, p.Upper = (*real)(&intervals.low[i]), (*real)(&intervals.high[i])
		}
		var own []float64 // probabilities
		if k := len(classes); k > 2 {
			own = test.Probabilities[i*k:][:k]
		}
		p.classify(classes, own)
		if row = append(row, p.cells(classes)...); classes == nil {
			row = append(row, real(test.Predicted[i]-test.Actual[i]))
		}
		s.add(row...)
	}
	return s
}

// mostAnswers is how many answers to a question are listed.
const mostAnswers = 25

// unanswered returns the error for open questions, with the settings that answer them.
func (c *call) unanswered(open *estimator.QuestionsError) error {
	var b strings.Builder
	fmt.Fprintf(&b, "ifm %s: %s can be read in more than one way; choose one of the settings below each question", c.name, open.File)
	for _, q := range open.Questions {
		b.WriteString("\n\n")
		for _, column := range q.Columns {
			b.WriteString(column + ": ")
		}
		b.WriteString(q.Text)
		for i, a := range q.Answers {
			if i == mostAnswers {
				fmt.Fprintf(&b, "\n  and %d more", len(q.Answers)-i)
				break
			}
			now := ""
			if a.Now {
				now = " (the guess)"
			}
			setting := "-set " + shell(string(a.Key)+"="+a.Value)
			if a.Key == "target" {
				setting = "-target " + shell(a.Value)
			}
			fmt.Fprintf(&b, "\n  %-40s %s%s", setting, a.Label, now)
		}
	}
	return usageError(b.String())
}

// shell quotes an argument for a shell if needed.
func shell(arg string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("=:,._-/%+", r)
	}
	if arg != "" && strings.IndexFunc(arg, func(r rune) bool { return !plain(r) }) < 0 {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// newReport returns the report without the scores.
func newReport(f *estimator.Fitted, table *table.Table, s spec.Spec) (*report, error) {
	plan, err := task.NewPlan(s, table)
	if err != nil {
		return nil, err
	}
	r := &report{
		Version: core.Version, File: table.Name, Rows: table.Rows, Target: f.Target(), Quantity: f.Quantity(), Settings: plan.Repeat(s).Encode(),
		Measure: f.Measure(), Train: plan.Train, Valid: plan.Valid, Folds: plan.Folds, Test: plan.Test, Features: len(f.Features()), Kept: f.Kind(),
		Unread: places(table.Bad, table.BadCount), Dropped: places(plan.Dropped, plan.DroppedCount),
		Notices: append(withUndo(table.Notes), f.Notes.Texts()...),
	}
	if table.Test != nil {
		r.TestFile = table.Test.Name
	}
	if n := plan.Codes; n > 0 {
		r.Notices = append(r.Notices, fmt.Sprintf("%s holds %d different whole numbers and is learnt as an amount; if they are codes, learn classes with -set %s", r.Target, n, shell("categorical="+r.Target)))
	}
	for _, s := range plan.Suggested {
		r.Notices = append(r.Notices, fmt.Sprintf("%s: %s; see it with -set by=%s", s.Columns[0], s.Text, shell(s.Columns[0])))
	}
	profiles := roles.Profiles(table)
	for i, use := range plan.Uses {
		column := columnReport{Name: use.Column, Role: string(plan.Roles[i]), Kind: string(plan.Kinds[i]), Reason: use.Reason}
		column.Decisions = withUndo(profiles[i].Notes)
		r.Columns = append(r.Columns, column)
	}
	for _, t := range f.Trained {
		r.Models = append(r.Models, modelReport{t.Kind, t.Rank, real(t.Lambda), real(t.Weights), t.Encoding, t.Iteration, real(t.Valid), real(t.Test)})
	}
	return r, nil
}

// withUndo returns what the notes say, each with the settings of its other answers.
func withUndo(notes note.Notes) []string {
	texts := []string{}
	for _, n := range notes {
		undo := "; undo with"
		for _, a := range n.Answers {
			if !a.Now && a.Value != "" {
				n.Text += undo + " -set " + shell(string(a.Key)+"="+a.Value)
				undo = " or"
			}
		}
		if n.Text != "" {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

// scores returns the test errors of the model and the baselines.
func scores(f *estimator.Fitted, trees func() (estimator.Baseline, error)) ([]scoreReport, error) {
	var all []scoreReport
	additive := func() (estimator.Baseline, error) {
		b, _ := f.Additive()
		return b, nil
	}
	for _, of := range []func() (estimator.Baseline, error){f.Mean, f.Ridge, additive, nil, trees} {
		if of == nil {
			all = append(all, scoreReport{Name: shortName(f.Kind()), Test: real(f.Test().Error), Chosen: chosen(f.Best)})
			continue
		}
		b, err := of()
		if err != nil {
			return nil, err
		}
		if b.Name == "" { // curves are no better than lines, or not tried
			continue
		}
		lead, err := f.Lead(b)
		if err != nil {
			return nil, err
		}
		all = append(all, scoreReport{Name: b.Name, Test: real(b.Error), Chosen: b.Choice, Lead: &leadReport{real(lead.By), real(lead.Low), real(lead.High), real(lead.P)}})
	}
	return all, nil
}

// classes returns the metrics of a classification, nil for other targets.
func classes(f *estimator.Fitted) (*classesReport, error) {
	if f.Classes() == nil {
		return nil, nil
	}
	c, err := f.ClassMetrics()
	if err != nil {
		return nil, err
	}
	r := &classesReport{Names: c.Names, Share: real(c.Share), Rows: c.Rows, Most: c.Names[c.Most], Always: real(c.Always())}
	for _, of := range []struct {
		name    string
		metrics *assess.ClassMetrics
	}{{"linear", &c.Ridge}, {shortName(f.Kind()), &c.Model}, {"boosted trees", c.Trees}} {
		if t := of.metrics; t != nil {
			m := classMetrics{
				Name: of.name, LogLoss: real(t.LogLoss), Calibrated: t.Calibration.Used, Brier: real(t.Brier), Right: real(t.Accuracy * c.Total()), Confusion: t.Confusion,
				AUC: real(t.AUC), AUCFrom: real(t.AUCLow), AUCTo: real(t.AUCHigh), Accuracy: real(t.Accuracy), From: real(t.AccuracyLow), To: real(t.AccuracyHigh),
			}
			for _, b := range t.Bins {
				m.Reliability = append(m.Reliability, reliability{b.Rows, real(b.Mean), real(b.Share), real(b.Low), real(b.High)})
			}
			r.Models = append(r.Models, m)
		}
	}
	return r, nil
}

func chosen(r train.Record) string {
	if r.Rank == 0 {
		return "without interactions, " + encodingName(r.Encoding)
	}
	return fmt.Sprintf("rank %d, λ = %g, %s", r.Rank, r.Lambda, encodingName(r.Encoding))
}

// print writes the report as text.
func (r *report) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	choose := fmt.Sprintf("%d validate", r.Valid)
	if r.Folds > 0 {
		choose = fmt.Sprintf("%d folds of them validate", r.Folds)
	}
	testFile := ""
	if r.TestFile != "" {
		testFile = " (" + r.TestFile + ")"
	}
	fmt.Fprintf(w, "%s: %d rows; %d train, %s, %d test%s; %s is predicted from %d features\n\n", r.File, r.Rows, r.Train, choose, r.Test, testFile, r.Quantity, r.Features)
	for _, c := range r.Columns {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", oneLine.Replace(c.Name), c.Role, c.Kind, c.Reason)
		for _, d := range c.Decisions {
			fmt.Fprintf(w, "\t\t\t%s\n", d)
		}
	}
	w.Flush()
	printList(out, "\nRows that could not be read:", r.Unread)
	printList(out, "\nRows left out:", r.Dropped)
	printList(out, "\nNotices:", r.Notices)
	if len(r.Models) > 1 {
		fmt.Fprintf(out, "\nValidation %s, by which one is kept:\n", measureName(r.Measure, r.Target))
		for _, m := range r.Models {
			fmt.Fprintf(w, "  %s\t%s\trank %d, λ = %g, %s\n", shortName(m.Kind), figures(float64(m.Valid), 4), m.Rank, float64(m.Lambda), encodingName(m.Encoding))
		}
		w.Flush()
	}
	fmt.Fprintf(out, "\nTest %s:\n", measureName(r.Measure, r.Target))
	for _, s := range r.Scores {
		lead := s.Lead.words(shortName(r.Kept))
		if r.TooFew != "" {
			lead = ""
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", s.Name, figures(float64(s.Test), 4), s.Chosen, lead)
	}
	w.Flush()
	if r.Splits > 1 {
		fmt.Fprintf(out, "\nMeans of %d splits:\n", r.Splits)
		for _, s := range r.Scores {
			fmt.Fprintf(w, "  %s\t%s\t%s\n", s.Name, figures(float64(s.Mean), 4), s.Splits.words(shortName(r.Kept)))
		}
		w.Flush()
	}
	fmt.Fprint(out, r.gain())
	if c := r.Classes; c != nil {
		told := "The likeliest class, with 95 % intervals"
		if len(c.Names) == 2 {
			told = fmt.Sprintf("With half as the threshold of %s = %s, and 95 %% intervals", r.Target, c.Names[1])
		}
		fmt.Fprintf(out, "\n%d of %d test rows have %s = %s; always saying so is right for %s. %s:\n", c.Rows[slices.Index(c.Names, c.Most)], r.Test, r.Target, c.Most, percent(c.Always), told)
		for _, t := range c.Models {
			auc := "no AUC" // all rows are of one class, which a notice says
			if !t.AUC.IsZero() {
				if auc = "mean AUC " + inside(t.AUC, 1, 3); len(c.Names) == 2 {
					auc = fmt.Sprintf("AUC %s (%s to %s)", inside(t.AUC, 1, 3), inside(t.AUCFrom, 1, 2), inside(t.AUCTo, 1, 2))
				}
			}
			calibrated := ""
			if t.Calibrated {
				calibrated = "calibrated"
			}
			fmt.Fprintf(w, "  %s\t%s right, %s (%s to %s %%)\t%s\tBrier score %.3f\t%s\n", t.Name, figures(float64(t.Right), 6), percent(t.Accuracy), inside(100*t.From, 100, 0), inside(100*t.To, 100, 0), auc, float64(t.Brier), calibrated)
		}
		w.Flush()
		c.printConfusion(out, w, shortName(r.Kept))
	}
	fmt.Fprintf(out, "\nRise of the test %s, if a column’s cells are permuted (for a pair: what it adds beyond both), with 95 %% intervals:\n", measureName(r.Measure, r.Target))
	for _, i := range r.Important[:min(listed, len(r.Important))] {
		interval := ""
		if r.TooFew == "" {
			interval = fmt.Sprintf("%s to %s", signed(i.Low, 3), signed(i.High, 3))
		}
		name := i.Column
		if i.With != "" {
			name += " × " + i.With
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\n", oneLine.Replace(name), signed(i.By, 3), interval)
	}
	if more := len(r.Important) - listed; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
	w.Flush()
	if r.ErrorsBy != nil {
		r.ErrorsBy.print(out, r)
	}
	if g := r.Intervals; g != nil {
		fmt.Fprintf(out, "\n%d of %d test rows, %s, lie within the %g %% prediction intervals, of rows like them %.0f to %.0f %%; these are %s wide on average.\n", g.Covered, r.Test, percent(g.Share), 100*float64(g.Level), 100*float64(g.From), 100*float64(g.To), figures(float64(g.Width), 4))
	}
	if r.Model != "" {
		takers := "and the page take"
		if r.Classes != nil && len(r.Classes.Names) > 2 {
			takers = "takes"
		}
		fmt.Fprintf(out, "\nThe model is in %s; ifm predict %s it. It is fitted to %s%s.\n", r.Model, takers, r.Fitted,
			map[fm.Fitted]string{fm.FittedAll: ", test rows included: the errors above are of the same choice without them"}[r.Fitted])
	}
	return nil
}

// printConfusion prints which classes a model of more than two confuses.
func (c *classesReport) printConfusion(out io.Writer, w *tabwriter.Writer, model string) {
	at := slices.IndexFunc(c.Models, func(m classMetrics) bool { return m.Name == model && m.Confusion != nil })
	if at < 0 {
		return
	}
	fmt.Fprintf(out, "\nTest rows of each class (down), by the class that %s predicts (across):\n", model)
	fmt.Fprintf(w, "\t%s\n", strings.Join(c.Names, "\t"))
	for class, counts := range c.Models[at].Confusion {
		fmt.Fprintf(w, "  %s", c.Names[class])
		for _, n := range counts {
			fmt.Fprintf(w, "\t%s", figures(n, 6))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}

// gain says what curves of single columns bring, and what interactions bring beyond, or why
// nothing is said; "" if there is no regression with curves.
func (r *report) gain() string {
	if r.TooFew != "" {
		return "\n" + r.TooFew + "\n"
	}
	at := slices.IndexFunc(r.Scores, func(s scoreReport) bool { return s.Name == "curves" })
	if at < 0 {
		return ""
	}
	linear, additive, model := r.Scores[at-1], r.Scores[at], r.Scores[at+1]
	clear, error, lead := "", func(s scoreReport) real { return s.Test }, additive.Lead
	if r.Splits > 1 {
		error, lead = func(s scoreReport) real { return s.Mean }, additive.Splits
	}
	if lead.Low <= 0 && lead.High >= 0 {
		clear = " (no clear difference)"
	}
	return fmt.Sprintf("\nCurves of single columns bring the error from %s to %s; interactions bring it to %s%s.\n",
		figures(float64(error(linear)), 4), figures(float64(error(additive)), 4), figures(float64(error(model)), 4), clear)
}

// tooFew says why nothing is concluded from these test rows, and what would do; "" if they are
// enough. Over many splits, the rows of the rarer class that a table has test in turn: ten of
// them are two a split.
func tooFew(target string, classes []string, actual, weight []float64, splits int) string {
	rarer, commonest := measure.Rarer(actual, weight)
	fewest := measure.FewestCompared
	if splits >= fewest {
		fewest = 2
	}
	switch {
	case rarer >= fewest:
		return ""
	case len(actual) < measure.FewestCompared:
		return fmt.Sprintf("%d test rows are too few to compare models; %d would do, as in a table of %d rows.", len(actual), measure.FewestCompared, 5*measure.FewestCompared)
	}
	what, of := "another "+target+" than "+figures(commonest, 6), fmt.Sprintf("Only %d of %d test rows have", rarer, len(actual))
	if len(classes) == 2 {
		what = target + " = " + classes[1-int(commonest)]
	}
	if rarer < 2 {
		of = fmt.Sprintf("%s of %d test rows has", []string{"None", "Only 1"}[rarer], len(actual))
	}
	return fmt.Sprintf("%s %s: too few to compare models. It takes about %d such rows in the table, or 10 and ten splits (ifm compare).", of, what, 5*measure.FewestCompared)
}

// words returns which model leads, and by how much.
func (l *leadReport) words(model string) string {
	if l == nil {
		return ""
	}
	ahead := "no clear difference from " + model
	switch {
	case l.Low > 0:
		ahead = "behind " + model
	case l.High < 0:
		ahead = "ahead of " + model
	}
	return fmt.Sprintf("%s: %s, 95 %% from %s to %s", ahead, signed(l.By, 3), signed(l.Low, 3), signed(l.High, 3))
}
