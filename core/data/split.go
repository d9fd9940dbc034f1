package data

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/cell"
)

// SplitKind is how rows come into training, validation and test rows.
type SplitKind string

// The kinds of a split.
const (
	SplitRandom SplitKind = "random" // each by itself
	SplitTime   SplitKind = "time"   // the last fifth tests, the fifth before validates
	SplitGroup  SplitKind = "group"  // all rows of one value are in one part
)

// Cut says how rows are split.
type Cut struct {
	Kind SplitKind
	By   string // the column, unless at random
}

// fewestGroups is how many a split by group needs: a fifth each.
const fewestGroups = 5

// SplitError says why rows cannot be split as they should be.
type SplitError struct {
	File    string
	Field   string // the column's name, or "" where none is named
	Found   string // what it holds
	Message string // what was found, what is wanted, what to do
}

func (e *SplitError) Error() string { return place(e.File, 0, 0) + e.Message }

func (*SplitError) Kind() string { return "SplitError" }

// Split lists the rows of each part: as they were drawn, in the order of time, or
// of groups in that of the file.
type Split struct{ Train, Valid, Test []int32 }

// Rows returns the number of rows of all parts.
func (s *Split) Rows() int { return len(s.Train) + len(s.Valid) + len(s.Test) }

// Split returns three parts of the rows by the plan's own cut, as SplitBy does; that
// it can be done was seen when the plan was made.
func (p *Plan) Split(rng *rand.Rand) *Split {
	s, err := p.SplitBy(p.Cut, rng)
	if err != nil {
		panic(err)
	}
	return s
}

// SplitBy returns three parts of the rows that are used. None is empty, unless a
// program asked for it.
//
// SplitRandom draws a fifth each, rounded down, to validation and test, the rest
// to training; of a target of two values, with the same share of both in each part; or
// takes the parts of [Numbers]. SplitTime sorts the rows by a column of numbers, or of dates,
// by their instants in UTC, and takes a fifth each from the end, or what is nearest to it, as
// rows of one time stay together, unless there are fewer than three times; it
// draws nothing. SplitGroup draws the values of a column to test and validation
// until both are near a fifth. Rows that miss the column's cell are in no part.
//
// Any cut may be asked for, whatever the plan's own. SplitBy returns a
// [*SplitError] if the column is not there, is the target, is no time, or holds
// fewer than five groups. O(rows), and O(values·log² values) for SplitTime.
func (p *Plan) SplitBy(cut Cut, rng *rand.Rand) (*Split, error) {
	switch {
	case cut.Kind != SplitTime && cut.Kind != SplitGroup:
		return p.splitRandom(rng), nil
	case p.timed != nil && cut == p.Cut:
		return p.timed, nil
	}
	by, err := p.column(cut)
	if err != nil {
		return nil, err
	}
	if cut.Kind == SplitGroup {
		return p.splitGroups(by, rng)
	}
	times, err := p.timesOf(by)
	if err != nil {
		return nil, err
	}
	return times.split(p, by)
}

func (p *Plan) splitRandom(rng *rand.Rand) *Split {
	rows := append([]int32(nil), p.Rows...)
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	n := float64(len(rows))
	valid, test := int(p.Table.shares[0]*n), int(p.Table.shares[1]*n)
	if p.levels != nil {
		return p.splitClasses(rows, valid, test)
	}
	return cutAt(rows, len(rows)-valid-test, len(rows)-test)
}

// cutAt returns rows as three parts, the second and the third from these places on.
func cutAt(rows []int32, valid, test int) *Split {
	return &Split{Train: rows[:valid:valid], Valid: rows[valid:test:test], Test: rows[test:]}
}

// column returns the place of the column that rows are split by.
func (p *Plan) column(cut Cut) (int, error) {
	for i, c := range p.Table.columns {
		if c.name != cut.By {
			continue
		}
		if i == p.target {
			return 0, p.cannot(c.name, "", "rows are split by %s, which is the target; split by another column", c.name)
		}
		return i, nil
	}
	if cut.By == "" {
		return 0, p.cannot("", "", "rows are split by %s and no column for it is named or suggests itself; name one in by", string(cut.Kind))
	}
	return 0, p.cannot(cut.By, "", "rows are split by %s, which the table does not have; split by another column", cell.Quote(cut.By))
}

// splitGroups draws groups. Each goes to the smaller of test and validation, else
// to the other, if that brings it nearer to a fifth, else to training. Of five
// groups three are below two fifths, so that neither stays empty, and none takes
// two fifths, so that training does not.
func (p *Plan) splitGroups(by int, rng *rand.Rand) (*Split, error) {
	group, first := p.Table.columns[by].classes(p.Rows)
	if err := p.enoughGroups(by, len(first)); err != nil {
		return nil, err
	}
	sizes, rows := make([]int, len(first)), 0
	for _, g := range group {
		if g >= 0 {
			sizes[g]++
			rows++
		}
	}
	turn := rng.Perm(len(first))
	fifth := float64(rows) / 5
	part, size := make([]int, len(first)), [3]int{} // 0 trains, 1 validates, 2 tests
	for _, g := range turn {
		least, most := 2, 1
		if size[1] < size[2] {
			least, most = 1, 2
		}
		for _, k := range [...]int{least, most, 0} {
			now, then := float64(size[k])-fifth, float64(size[k]+sizes[g])-fifth
			if k == 0 || math.Abs(then) < math.Abs(now) {
				part[g] = k
				size[k] += sizes[g]
				break
			}
		}
	}
	var parts [3][]int32
	for i, g := range group {
		if g >= 0 {
			parts[part[g]] = append(parts[part[g]], p.Rows[i])
		}
	}
	return &Split{Train: parts[0], Valid: parts[1], Test: parts[2]}, nil
}

func (p *Plan) enoughGroups(by, groups int) error {
	if groups >= fewestGroups {
		return nil
	}
	name := p.Table.columns[by].name
	return p.cannot(name, "", "%s holds %d different values in the rows that can be used, want at least %d groups to split by; split by another column, or at random", name, groups, fewestGroups)
}

// classes numbers the cells of rows by their values, in the order in which these
// come, −1 for a missing one, and returns the row in which each value comes first.
// O(rows), and O(distinct cells).
func (c *column) classes(rows []int32) (of, first []int32) {
	of = make([]int32, len(rows))
	var numbers map[uint64]int32
	var place []int32 // of an entry, +1
	if c.plain {
		numbers = map[uint64]int32{}
	} else {
		place = make([]int32, len(c.entries))
	}
	for i, row := range rows {
		var at int32 // +1
		var key uint64
		if c.plain {
			key = c.key(int(row))
			at = numbers[key]
		} else if code := c.codes.at(int(row)); code != missingCode {
			key = uint64(code)
			at = place[code]
		} else {
			key = missingKey
		}
		if key == missingKey {
			of[i] = -1
			continue
		}
		if at == 0 {
			first = append(first, row)
			at = int32(len(first))
			if c.plain {
				numbers[key] = at
			} else {
				place[key] = at
			}
		}
		of[i] = at - 1
	}
	return of, first
}

// missingKey is the key of a missing cell; like those of texts it is no number's.
const missingKey = 0x7ff8_0000_0000_0000

// key returns what tells the values of a column in its second form apart.
func (c *column) key(row int) uint64 {
	v := c.values.at(row)
	if v == v {
		return math.Float64bits(v + 0) // −0 is 0
	}
	if o := c.oddAt(row); o != nil {
		return missingKey + 1 + uint64(o.code)
	}
	return missingKey
}
