package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync/atomic"

	"ifmlab/core"
	"ifmlab/core/shard"
	"ifmlab/core/spec"
	"ifmlab/core/survey"
	"ifmlab/core/table"
	"ifmlab/core/task"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

//go:embed sweeps/*.txt
var paperSweeps embed.FS

const sweepDetails = `Sweep trains every cell of many links: every point, trial and model of each link. LINKS
is a file with a link or its settings on each line; # begins a comment. -shard 2/8 runs
the second of eight parts. Without it, sweep runs the part that a SLURM job array 1-N or
a Kubernetes Indexed Job assigns, or everything.

FOLDER/2-of-8.jsonl gets a line of JSON when a cell is done. After a kill, the same
command continues: it loses the cells in progress and repeats none that is done. A line
has the settings, the version, the first and the last record, the reason why the run
stopped, and a digest of the bits of every record. On a table it also has the record
that the search chose. If a solver refuses a run, the line has the reason.

Links to tables train on the file of -table. If a link would not run exactly as
written, nothing runs. Of the chapters, only vtec can be swept, on the simulator: a
cell is one day without one station.

With -print NAME in place of LINKS it prints the links of a sweep of the paper: failures,
phase, table1 or tau.

The exit status is 0 when the part is done, 2 if links or flags are wrong, else 1.`

const mergeDetails = `Merge writes the results of ifm sweep: a title, then the line of each cell in the order
of the links. The bytes are the same for any number of parts, machines and workers. If
cells are missing, it writes nothing and prints which parts to run again. It refuses
parts of other links, of another version or of another number of parts, duplicate cells
and damaged lines, and names the file and the line.`

func sweep(c *call, args []string) error {
	if c.print != "" && len(args) == 0 {
		return c.printSweep()
	}
	if len(args) != 1 || c.folder == "" || c.print != "" {
		return c.usage()
	}
	if c.workers < 1 {
		return c.wrong("-workers is %d, expected at least 1", c.workers)
	}
	part, err := shard.Engine(os.Getenv)
	if c.shard != "" {
		part, err = shard.Parse(c.shard)
	}
	if err != nil {
		return c.wrong("%v", err)
	}
	l, err := c.links(args[0])
	if err != nil {
		return err
	}
	p := c.newProgress()
	work := shard.Work{Title: l.title, Do: l.do,
		Progress: func(done, all int) { p.update("%d of %d cells of shard %s", done, all, part) },
		Warn:     func(message string) { fmt.Fprintln(c.stderr, "ifm sweep:", message) }}
	err = work.Run(c.context(), c.folder, part, c.workers)
	p.end()
	c.reportRefused(int(l.refused.Load()))
	if err != nil {
		return fmt.Errorf("ifm sweep: %w", err)
	}
	return nil
}

// printSweep prints the links of a sweep of the paper.
func (c *call) printSweep() error {
	content, err := paperSweeps.ReadFile("sweeps/" + c.print + ".txt")
	if err != nil {
		return c.wrong("-print is %q, expected failures, phase, table1 or tau", c.print)
	}
	_, err = c.stdout.Write(content)
	return err
}

// reportRefused reports how many cells a solver refused.
func (c *call) reportRefused(cells int) {
	if cells > 0 {
		fmt.Fprintf(c.stderr, "ifm %s: %d cells were refused; their lines say why, under refused\n", c.name, cells)
	}
}

func merge(c *call, args []string) error {
	parts, err := filepath.Glob(filepath.Join(args[0], "*.jsonl"))
	if err != nil {
		return err
	}
	out, err := c.output(parts...)
	if err != nil {
		return err
	}
	refused := 0
	err = out.write(c.stdout, func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<16)
		if err := shard.Gather(args[0], func(_ int, line []byte) error {
			if bytes.Contains(line, []byte(`,"refused":`)) {
				refused++
			}
			b.Write(line)
			return b.WriteByte('\n')
		}); err != nil {
			return err
		}
		return b.Flush()
	})
	if err != nil {
		return fmt.Errorf("ifm merge: %w", err)
	}
	c.reportRefused(refused)
	return nil
}

// links are the cells of all links of a file, numbered in order.
type links struct {
	specs []string // as Encode writes them
	first []int    // cell of each
	table *table.Table
	title shard.Title

	refused atomic.Int64 // cells of this process
}

// links reads a file of links, and the table that they train on. It returns an error for
// the first link that would not run exactly as written.
func (c *call) links(name string) (*links, error) {
	in := io.Reader(c.stdin)
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, c.wrong("%v", err)
		}
		defer file.Close()
		in = file
	}
	l, digest := &links{}, sha256.New()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<22)
	for number := 1; lines.Scan(); number++ {
		text := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		s, sky, wrong := sweptSpec(text)
		if wrong == "" && (s.Source == "table") != (c.table != "") {
			wrong = "the link is about a table; name its file by -table"
			if c.table != "" {
				wrong = "the link is not about a table, and -table " + c.table + " is for those that are; leave it out, or give such links to another sweep"
			}
		}
		if wrong != "" {
			return nil, c.wrong("%s:%d: %s", name, number, wrong)
		}
		if err := l.load(c, s, digest); err != nil {
			return nil, fmt.Errorf("ifm sweep: %s:%d: %w", name, number, err)
		}
		encoded, cells := s.Encode(), core.Cells(s)
		if sky != nil {
			survey, err := survey.Open(*sky, nil)
			if err != nil {
				return nil, c.wrong("%s:%d: %v", name, number, err)
			}
			encoded, cells = skyLink(sky), skyCells(survey)
		}
		io.WriteString(digest, encoded+"\n")
		l.specs, l.first = append(l.specs, encoded), append(l.first, l.title.Cells)
		l.title.Cells += cells
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("ifm sweep: %s: %w", name, err)
	}
	if len(l.specs) == 0 {
		return nil, c.wrong("%s holds no links; write one on each line", name)
	}
	l.title.Sweep, l.title.Version = hex.EncodeToString(digest.Sum(nil)[:16]), core.Version
	return l, nil
}

// sweptSpec returns the settings of a line, of a run or of the ionosphere, or the reason
// why they cannot run exactly as written.
func sweptSpec(line string) (s spec.Spec, sky *spec.Ionosphere, wrong string) {
	query, _ := settings(line)
	l := spec.ParseLink(query)
	for _, n := range l.Notices {
		return l.Spec, nil, n.Message
	}
	for _, chapter := range spec.Chapters {
		own := spec.Unguessed(l.Parts[chapter.Name])
		switch {
		case l.View.Chapter != chapter.Name && own == "":
		case chapter.Name == skyChapter && sky == nil:
			if sky, wrong = sweptSky(l, own); wrong != "" {
				return l.Spec, nil, wrong
			}
		default:
			return l.Spec, nil, "the link is about the chapter " + chapter.Name + ", which a sweep does not run; leave it out"
		}
	}
	return l.Spec, sky, ""
}

// load reads the table for the first link, and checks that it has the columns of each.
func (l *links) load(c *call, s spec.Spec, digest hash.Hash) error {
	switch {
	case c.table == "":
		return nil
	case l.table != nil:
		if !sameReading(s, l) {
			return errors.New("the link reads the table in another way than the first one does; give it to another sweep")
		}
		return task.CheckNames(s, l.table)
	}
	content, err := os.ReadFile(c.table)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	digest.Write(sum[:])
	l.table, err = c.readTable(s, c.table)
	return err
}

// sameReading reports whether a link reads the table in the same way as the first link.
func sameReading(s spec.Spec, l *links) bool {
	first, _ := spec.Parse(l.specs[0])
	kind := func(s spec.Spec) string {
		return fmt.Sprintf("%q %q %q %q %q %q %q %q %q %q", s.Separator, s.Header, s.Charset, s.Decimal, s.MissingAs, s.NotMissing, s.Dates, s.Keep, s.Member, s.Sheet)
	}
	return kind(first) == kind(s)
}

// runLine is the line of a run; package shard writes its beginning.
type runLine struct {
	cellLine
	Point   *int        `json:"point,omitempty"` // in a grid of runs
	Trial   int         `json:"trial"`
	Model   string      `json:"model"`
	Records int         `json:"records"`
	First   *recordLine `json:"first,omitempty"`
	Best    *recordLine `json:"best,omitempty"` // on a table
	Last    *recordLine `json:"last,omitempty"`
	Stop    *string     `json:"stop,omitempty"`
	Refused string      `json:"refused,omitempty"`
	Digest  string      `json:"digest"`
}

// cellLine is what all lines have in common.
type cellLine struct {
	Version string `json:"version"`
	Spec    string `json:"spec"`
	Of      int    `json:"of"` // number of the cell in its link
}

type recordLine struct {
	Iteration int `json:"iteration"`
	*candidate
	Train real `json:"train,omitzero"`
	Valid real `json:"valid,omitzero"`
	Test  real `json:"test,omitzero"`
	W     real `json:"w,omitzero"`
	M     real `json:"m,omitzero"`
}

// candidate is the part of a record that only tables have.
type candidate struct {
	Encoding string `json:"encoding"`
	Rank     int    `json:"rank"`
	Lambda   real   `json:"lambda,omitzero"`
	Weights  real   `json:"weights,omitzero"`
}

func newRecordLine(r *train.Record, table bool) *recordLine {
	line := &recordLine{r.Iteration, nil, real(r.Train), real(r.Valid), real(r.Test), real(r.W), real(r.M)}
	if table {
		line.candidate = &candidate{r.Encoding, r.Rank, real(r.Lambda), real(r.Weights)}
	}
	return line
}

// appendJSON appends an object to a line that begins with one.
func appendJSON(line []byte, v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	object := bytes.TrimSpace(b.Bytes())
	return append(line, bytes.TrimPrefix(object, []byte("{"))...), err
}

// do trains a cell and appends its line, for [shard.Work].
func (l *links) do(ctx context.Context, cell int, line []byte) ([]byte, error) {
	at := sort.SearchInts(l.first, cell+1) - 1
	of := cell - l.first[at]
	if isSkyLink(l.specs[at]) {
		return skyCell(ctx, l.specs[at], of, line)
	}
	s, _ := spec.Parse(l.specs[at])
	c, err := trial.CellAt(s, of)
	if err != nil {
		return nil, err
	}
	run := runLine{cellLine: cellLine{core.Version, l.specs[at], of}, Trial: c.Trial, Model: c.Model.String()}
	if s.Sweep != "none" {
		run.Point = &c.Point
	}
	var first, best, last train.Record
	bits, sum := []byte(nil), sha256.New()
	refused := func() error {
		r, err := core.Open(s, of, l.table)
		if err != nil {
			return err
		}
		for !r.Done() && ctx.Err() == nil {
			last, err = r.Next()
			if err != nil {
				return err
			}
			if last.Last && last.Stop == "" { // the last fit is on its way
				continue
			}
			if run.Records == 0 {
				first = last
			}
			if run.Records++; !(best.Valid <= last.Valid) || run.Records == 1 {
				best = last
			}
			bits = recordBits(bits[:0], &last)
			sum.Write(bits)
		}
		return nil
	}()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if table := s.Source == "table"; run.Records > 0 {
		run.First, run.Last, run.Stop = newRecordLine(&first, table), newRecordLine(&last, table), &last.Stop
		if table {
			run.Best = newRecordLine(&best, true)
		}
	}
	if refused != nil { // the same each time
		l.refused.Add(1)
		run.Refused = refused.Error()
		io.WriteString(sum, run.Refused)
	}
	run.Digest = hex.EncodeToString(sum.Sum(nil)[:16])
	return appendJSON(line, run)
}

// recordBits appends the bits of a whole record.
func recordBits(dst []byte, r *train.Record) []byte {
	for _, v := range [...]float64{float64(r.Candidate), float64(r.Rank), r.Lambda, r.Weights, float64(r.Iteration), r.Train, r.Valid, r.Test, r.Passes, r.W, r.M, float64(r.Lead), float64(r.Rose)} {
		if math.IsNaN(v) {
			v = math.NaN() // one of many NaNs
		}
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	}
	dst = append(append(dst, r.Encoding...), 0)
	return append(append(dst, r.Stop...), 0)
}
