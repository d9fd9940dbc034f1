package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
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
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/shard"
	"ifmlab/core/spec"
)

const aboutSweep = `Sweep trains every cell of many links: of each link every point, trial and model. LINKS
is a file with a link or its settings on each line; # begins a comment. -shard 2/8 does
the second of eight parts; without it sweep does the part that a SLURM job array 1-N or a
Kubernetes Indexed Job says, or all. It trains as many cells at a time as there are
processors, or -workers.

FOLDER/2-of-8.jsonl gets a line of JSON for each cell as soon as it is done. Whenever it
is killed, the same command goes on: it loses the cells that it was at and repeats none
that is done. A line has the settings, the version, the first and the last record, why it
stopped, and a digest of the bits of every record; on a table also the record that the
search chose. A run that a solver refuses has the reason in its line, which is a result.
Links to tables train on the file that -table names. Links that would not run as they
stand are refused before anything runs. Of chapters only vtec is swept, on the simulator:
a cell is a day without a station.

-print NAME prints the links of one of the paper's sweeps at size: phase, tau,
failures or table1.

It ends with 0 once its part is done, with 2 where links or flags are wrong, else with 1.`

const aboutMerge = `Merge writes what ifm sweep has kept in a folder: a title, then the line of each cell in
the order of the links. These are the same bytes for any number of parts, machines and
workers. Where cells are missing it writes nothing and says which parts to run again;
it refuses parts of other links, of another version or of another number, a cell that is
there twice, and a line that is damaged, and names the file and the line.`

// sweepFlags are those of sweep and merge.
type sweepFlags struct {
	*asked
	folder, shard, table, print string
	workers                     int
}

func sweep(c *call) error {
	a := sweepFlags{asked: c.newAsked()}
	a.flags.StringVar(&a.folder, "out", "", "")
	a.flags.StringVar(&a.shard, "shard", "", "")
	a.flags.StringVar(&a.table, "table", "", "")
	a.flags.StringVar(&a.print, "print", "", "")
	a.flags.IntVar(&a.workers, "workers", runtime.GOMAXPROCS(0), "")
	a.flags.BoolVar(&a.progress, "progress", false, "")
	args, err := c.parse(a.asked)
	if err != nil {
		return err
	}
	if a.print != "" && len(args) == 0 {
		return c.printSweep(a.print)
	}
	if len(args) != 1 || a.folder == "" || a.print != "" {
		return c.usage()
	}
	if a.workers < 1 {
		return usageError(fmt.Sprintf("ifm sweep: -workers is %d, want at least 1", a.workers))
	}
	part, err := a.part()
	if err != nil {
		return usageError("ifm sweep: " + err.Error())
	}
	ctx, stop := interruptible()
	defer stop()
	l, err := c.links(args[0], a.table)
	if err != nil {
		return err
	}
	p := c.newProgress(a.progress)
	work := shard.Work{Title: l.title, Do: l.do,
		Told: func(done, all int) { p.tell("%d of %d cells of shard %s", done, all, part) },
		Warn: func(message string) { fmt.Fprintln(c.stderr, "ifm sweep:", message) }}
	err = work.Run(ctx, a.folder, part, a.workers)
	p.end()
	c.tellRefused(int(l.refused.Load()))
	if err != nil {
		return c.interrupted(ctx, fmt.Errorf("ifm sweep: %w", err))
	}
	return nil
}

// tellRefused tells of cells whose result is that a solver refused them.
func (c *call) tellRefused(cells int) {
	if cells > 0 {
		fmt.Fprintf(c.stderr, "ifm %s: %d cells were refused; their lines say why, under refused\n", c.name, cells)
	}
}

// part is what -shard says, else what an engine does.
func (a *sweepFlags) part() (shard.Part, error) {
	if a.shard != "" {
		return shard.Parse(a.shard)
	}
	return shard.Engine(os.Getenv)
}

func merge(c *call) error {
	a := c.newAsked()
	a.takesOutput()
	args, err := c.parse(a)
	if err != nil {
		return err
	}
	if len(args) != 1 {
		return c.usage()
	}
	parts, err := filepath.Glob(filepath.Join(args[0], "*.jsonl"))
	if err != nil {
		return err
	}
	out, err := c.output(a.out, parts...)
	if err != nil {
		return err
	}
	refused := 0
	begun := false // Gather calls nothing before it has checked all
	err = out.write(c.stdout, func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<16)
		if err := shard.Gather(args[0], nil, func(_ int, line []byte) error {
			begun = true
			if bytes.Contains(line, []byte(refusedKey)) {
				refused++
			}
			b.Write(line)
			return b.WriteByte('\n')
		}); err != nil {
			return err
		}
		return b.Flush()
	})
	if err != nil && begun && !out.whole {
		return fmt.Errorf("ifm merge: what was written is not whole: %w", err)
	}
	if err != nil {
		return fmt.Errorf("ifm merge: %w", err)
	}
	c.tellRefused(refused)
	return nil
}

// refusedKey stands in the line of a cell that a solver refused.
const refusedKey = `,"refused":`

// links are the cells of all links of a file, numbered through.
type links struct {
	specs []string // as Encode writes them
	first []int    // the number of each one's first cell
	table *data.Table
	title shard.Title

	refused atomic.Int64 // of those done here
}

// links reads a file of links, and the table that they train on. Of a link that would not
// run as it stands, whatever the reason, it says which, and runs nothing.
func (c *call) links(name, table string) (*links, error) {
	in := io.Reader(c.stdin)
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, usageError("ifm sweep: " + err.Error())
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
		if wrong == "" && (s.Source == "table") != (table != "") {
			wrong = "the link is about a table; name its file by -table"
			if table != "" {
				wrong = "the link is not about a table, and -table " + table + " is for those that are; leave it out, or give such links to another sweep"
			}
		}
		if wrong != "" {
			return nil, usageError(fmt.Sprintf("ifm sweep: %s:%d: %s", name, number, wrong))
		}
		if err := l.load(c, s, table, digest); err != nil {
			return nil, fmt.Errorf("ifm sweep: %s:%d: %w", name, number, err)
		}
		encoded, cells := s.Encode(), core.Cells(s)
		if sky != nil {
			survey, err := core.OpenSurvey(*sky, nil)
			if err != nil {
				return nil, usageError(fmt.Sprintf("ifm sweep: %s:%d: %v", name, number, err))
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
		return nil, usageError("ifm sweep: " + name + " holds no links; write one on each line")
	}
	l.title.Sweep, l.title.Version = hex.EncodeToString(digest.Sum(nil)[:16]), core.Version
	return l, nil
}

// sweptSpec returns the settings of a line, of a run or of the ionosphere, or what keeps
// them from running as they stand.
func sweptSpec(line string) (s spec.Spec, sky *spec.Ionosphere, wrong string) {
	query, _ := settings(line)
	if !strings.ContainsAny(query, ".%") && !strings.Contains(query, "chapter=") { // nothing of the page's
		if s, notices := spec.Parse(query); len(notices) == 0 {
			return s, nil, ""
		}
	}
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

// load reads the table, once, or checks that it has what a further link names.
func (l *links) load(c *call, s spec.Spec, name string, digest hash.Hash) error {
	switch {
	case name == "":
		return nil
	case l.table != nil:
		if !sameReading(s, l) {
			return errors.New("the link reads the table in another way than the first one does; give it to another sweep")
		}
		return core.CheckNames(s, l.table)
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	digest.Write(sum[:])
	l.table, err = c.table(s, name)
	return err
}

// sameReading reports whether a link reads a file as the first link does.
func sameReading(s spec.Spec, l *links) bool {
	first, _ := spec.Parse(l.specs[0])
	kind := func(s spec.Spec) string {
		return fmt.Sprintf("%q %q %q %q %q %q %q %q %q %q", s.Separator, s.Header, s.Charset, s.Decimal, s.MissingAs, s.NotMissing, s.Dates, s.Keep, s.Member, s.Sheet)
	}
	return kind(first) == kind(s)
}

// do trains a cell and writes its line; see [shard.Work].
func (l *links) do(ctx context.Context, cell int, line []byte) ([]byte, error) {
	at := sort.SearchInts(l.first, cell+1) - 1
	of := cell - l.first[at]
	if isSkyLink(l.specs[at]) {
		return skyCell(ctx, l.specs[at], of, line)
	}
	s, _ := spec.Parse(l.specs[at])
	c, err := core.CellAt(s, of)
	if err != nil {
		return nil, err
	}
	line = jsonText(append(line, `"version":`...), core.Version)
	line = jsonText(append(line, `,"spec":`...), l.specs[at])
	line = jsonInt(line, "of", of)
	if s.Sweep != "none" {
		line = jsonInt(line, "point", c.Point)
	}
	line = jsonInt(line, "trial", c.Trial)
	line = jsonText(append(line, `,"model":`...), c.Model.String())
	var first, best, last core.Record
	count, bits, sum := 0, []byte(nil), sha256.New()
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
			if count == 0 {
				first = last
			}
			if count++; !(best.Valid <= last.Valid) || count == 1 {
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
	line = jsonInt(line, "records", count)
	if count > 0 {
		line = record(append(line, `,"first":`...), &first, s.Source == "table")
		if s.Source == "table" {
			line = record(append(line, `,"best":`...), &best, true)
		}
		line = record(append(line, `,"last":`...), &last, s.Source == "table")
		line = jsonText(append(line, `,"stop":`...), last.Stop)
	}
	if refused != nil { // the same each time
		l.refused.Add(1)
		line = jsonText(append(line, refusedKey...), refused.Error())
		io.WriteString(sum, refused.Error())
	}
	line = append(line, `,"digest":"`...)
	line = hex.AppendEncode(line, sum.Sum(nil)[:16])
	return append(line, `"}`...), nil
}

// recordBits appends the bits of all that a record says.
func recordBits(dst []byte, r *core.Record) []byte {
	for _, v := range [...]float64{float64(r.Candidate), float64(r.Rank), r.Lambda, r.Weights, float64(r.Iteration), r.Train, r.Valid, r.Test, r.Passes, r.W, r.M, float64(r.Lead), float64(r.Rose)} {
		if math.IsNaN(v) {
			v = math.NaN() // one of them
		}
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	}
	dst = append(append(dst, r.Encoding...), 0)
	return append(append(dst, r.Stop...), 0)
}

// record appends a record as JSON; numbers that are none are left out.
func record(dst []byte, r *core.Record, table bool) []byte {
	dst = strconv.AppendInt(append(dst, `{"iteration":`...), int64(r.Iteration), 10)
	if table {
		dst = jsonText(append(dst, `,"encoding":`...), r.Encoding)
		dst = jsonInt(dst, "rank", r.Rank)
		dst = jsonReal(jsonReal(dst, "lambda", r.Lambda), "weights", r.Weights)
	}
	for _, v := range [...]struct {
		name  string
		value float64
	}{{"train", r.Train}, {"valid", r.Valid}, {"test", r.Test}, {"w", r.W}, {"m", r.M}} {
		dst = jsonReal(dst, v.name, v.value)
	}
	return append(dst, '}')
}

func jsonInt(dst []byte, name string, v int) []byte {
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return strconv.AppendInt(dst, int64(v), 10)
}

func jsonReal(dst []byte, name string, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return strconv.AppendFloat(dst, v, 'g', -1, 64)
}

// jsonText appends a string as JSON, with & and < as they are.
func jsonText(dst []byte, s string) []byte {
	plain := utf8.ValidString(s)
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] >= ' ' && s[i] != '"' && s[i] != '\\' && s[i] != 0x7f
	}
	if plain {
		return append(append(append(dst, '"'), s...), '"')
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		panic("a string is JSON")
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}
