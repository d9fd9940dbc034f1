package data

import "math/rand/v2"

// Split lists the rows of each part, in the order in which they were drawn.
type Split struct{ Train, Valid, Test []int32 }

// Rows returns the number of rows of all parts.
func (s *Split) Rows() int { return len(s.Train) + len(s.Valid) + len(s.Test) }

// Split draws three parts of the rows at random: a fifth each, rounded down, to
// validation and test, the rest to training. O(rows).
func (p *Plan) Split(rng *rand.Rand) *Split {
	rows := append([]int32(nil), p.rows...)
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	fifth := len(rows) / 5
	train := len(rows) - 2*fifth
	return &Split{Train: rows[:train:train], Valid: rows[train : train+fifth : train+fifth], Test: rows[train+fifth:]}
}

// Part is one of the three parts of a Dataset.
type Part struct {
	Z    Design
	Y    []float64 // raw target over Encoding.Target.Scale
	Line []int     // of the file, a row each; of drawn rows, their number from 1
}

// Dataset is what the solvers train on.
type Dataset struct {
	Train, Valid, Test Part
	Encoding           Encoding
	Notices            []string
}

// Dataset splits the rows with rng, settles the encoding from the training rows
// and encodes all. Its errors are those of [Plan.Encode]. It costs
// O(rows·(columns + features)).
func (p *Plan) Dataset(rng *rand.Rand) (*Dataset, error) {
	s := p.Split(rng)
	encoding, notices, err := p.Encode(s)
	if err != nil {
		return nil, err
	}
	part := func(rows []int32) Part { return p.encode(encoding, rows) }
	return &Dataset{Train: part(s.Train), Valid: part(s.Valid), Test: part(s.Test), Encoding: *encoding, Notices: notices}, nil
}

// encode returns rows of the table as a part.
func (p *Plan) encode(e *Encoding, rows []int32) Part {
	part := Part{Y: make([]float64, len(rows)), Line: make([]int, len(rows))}
	p.targets(part.Y, rows)
	for i, row := range rows {
		part.Y[i] /= e.Target.Scale
		part.Line[i] = p.Table.Line(int(row))
	}
	part.Z = p.design(e, rows)
	return part
}
