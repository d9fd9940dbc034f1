package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"ifmlab/core"
	"ifmlab/core/shard"
	"ifmlab/core/vtec"
)

// kept is the line of a window that is done, behind its number.
type kept struct {
	Seed     uint64                  `json:"seed"`
	Day      int                     `json:"day"`
	Minute   int                     `json:"minute"`
	Unusable string                  `json:"unusable,omitempty"`
	Tests    int                     `json:"tests,omitempty"`
	Squares  [vtec.Methods][]*number `json:"squares"`
}

// number is a sum of squares; null is one that no fit has.
type number float64

// title names what is tuned: the settings, the windows, and every field of each
// candidate.
func (j *job) title() shard.Title {
	hash := sha256.New()
	fmt.Fprintf(hash, "tune %q %d %v %s\n", j.query, j.stride, j.seeds, exact(j.linear))
	for m := range vtec.Methods {
		for i := range j.candidates[m] {
			fmt.Fprintf(hash, "%d %+v\n", m, j.candidates[m][i])
		}
	}
	return shard.Title{Sweep: hex.EncodeToString(hash.Sum(nil)[:16]), Version: core.Version, Cells: len(j.windows)}
}

// exact writes v so that it is read as the same bits.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// appendOutcome writes a window's line behind its number.
func appendOutcome(line []byte, w window, o outcome) ([]byte, error) {
	k := kept{Seed: w.seed, Day: w.at.Day, Minute: w.at.Minute, Unusable: o.unusable, Tests: o.tests}
	for m, squares := range o.squares {
		k.Squares[m] = []*number{}
		for _, v := range squares {
			if math.IsNaN(v) {
				k.Squares[m] = append(k.Squares[m], nil)
			} else {
				k.Squares[m] = append(k.Squares[m], (*number)(&v))
			}
		}
	}
	text, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	return append(line, text[1:]...), nil // the object has begun
}

// readOutcome reads a window's line, which has a number for each candidate.
func (j *job) readOutcome(cell int, line []byte) (o outcome, err error) {
	var k kept
	if err := json.Unmarshal(line, &k); err != nil {
		return o, fmt.Errorf("window %d: %w", cell, err)
	}
	o.unusable, o.tests = k.Unusable, k.Tests
	if o.unusable != "" {
		return o, nil
	}
	for m, squares := range k.Squares {
		if len(squares) != len(j.candidates[m]) {
			return o, fmt.Errorf("window %d has %d sums of squares of %s, want %d", cell, len(squares), vtec.Method(m), len(j.candidates[m]))
		}
		for _, v := range squares {
			sum := math.NaN()
			if v != nil {
				sum = float64(*v)
			}
			o.squares[m] = append(o.squares[m], sum)
		}
	}
	return o, nil
}
