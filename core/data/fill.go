package data

import (
	"math"

	"ifmlab/core/kernel"
)

// A row has at most one element that is not 0 for each column of the table: its
// number, its level or its flag. Where that is a tenth of the features or less,
// the design is a [CSR], else a [Dense] one. BenchmarkElement measures why: in a
// browser with SIMD an element of a dense design costs a twelfth of one of a
// sparse design, natively a little more than half.
const sparseFrom = 10

// columns returns the number of columns of the table that became features.
func (e *Encoding) columns() (n int) {
	for j, f := range e.Features {
		if j == 0 || f.Column != e.Features[j-1].Column {
			n++
		}
	}
	return n
}

func (e *Encoding) sparse() bool { return sparseFrom*e.columns() <= len(e.Features) }

// Bytes returns the memory that the design of so many rows takes at most.
func (e *Encoding) Bytes(rows int) int64 {
	if e.sparse() {
		return int64(rows) * int64(12*e.columns()+8)
	}
	return 8 * int64(rows) * int64(len(e.Features))
}

// design encodes rows of the table.
func (p *Plan) design(e *Encoding, rows []int32) Design {
	d := len(e.Features)
	if !e.sparse() {
		x := make([]float64, len(rows)*d)
		p.fill(e, rows, func(i, j int, v float64) { x[i*d+j] = v })
		return NewDense(len(rows), d, x)
	}
	z := kernel.Sparse{Start: make([]int, len(rows)+1)}
	p.fill(e, rows, func(i, _ int, _ float64) { z.Start[i+1]++ })
	for i := range rows {
		z.Start[i+1] += z.Start[i]
	}
	z.Column, z.Value = make([]int32, z.Start[len(rows)]), make([]float64, z.Start[len(rows)])
	next := append([]int(nil), z.Start[:len(rows)]...)
	p.fill(e, rows, func(i, j int, v float64) {
		z.Column[next[i]], z.Value[next[i]] = int32(j), v
		next[i]++
	})
	return newCSR(d, z)
}

// fill calls put for all elements that may not be 0, those of a row in the order
// of features.
func (p *Plan) fill(e *Encoding, rows []int32, put func(i, j int, v float64)) {
	byName := map[string]*column{}
	for _, c := range p.Table.columns {
		byName[c.name] = c
	}
	for lo := 0; lo < len(e.Features); {
		hi := lo + 1
		for hi < len(e.Features) && e.Features[hi].Column == e.Features[lo].Column {
			hi++
		}
		fillColumn(byName[e.Features[lo].Column], e.Features[lo:hi], rows, func(i, j int, v float64) { put(i, lo+j, v) })
		lo = hi
	}
}

// fillColumn is fill for the features of one column of the table.
func fillColumn(c *column, features []Feature, rows []int32, put func(i, j int, v float64)) {
	value, other, flag := -1, -1, -1
	levels := map[string]int{}
	for j, f := range features {
		switch f.Kind {
		case FeatureValue:
			value = j
		case FeatureLevel:
			levels[f.Level] = j
		case FeatureOther:
			other = j
		case FeatureMissing:
			flag = j
		}
	}
	if value >= 0 || len(levels) == 0 && other < 0 { // a column of numbers
		for i, row := range rows {
			v := c.number(int(row))
			switch {
			case math.IsNaN(v) && flag >= 0:
				put(i, flag, 1)
			case !math.IsNaN(v) && value >= 0:
				put(i, value, (v-features[value].Mean)/features[value].Scale)
			}
		}
		return
	}
	texts, codes := c.levels(rows)
	at := make([]int, len(texts))
	for code, t := range texts {
		j, ok := levels[t]
		if !ok {
			j = other
		}
		at[code] = j
	}
	for i, code := range codes {
		j := flag
		if code != missingCode {
			j = at[code]
		}
		if j >= 0 {
			put(i, j, 1)
		}
	}
}
