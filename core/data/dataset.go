package data

import "math/rand/v2"

// Part is one of the three parts of a Dataset.
type Part struct {
	Z    Design
	Y    []float64 // what models learn of the target: [Target.Scaled]
	Raw  []float64 // the target in units of the table, where models learn its logarithm or log-odds; else nil
	Line []int     // of the file, a row each; of drawn rows, their number from 1
	// Weight is what each row counts, finite and at least 0; nil for 1 each.
	Weight []float64
}

// Dataset is what the solvers train on.
type Dataset struct {
	Train, Valid, Test Part
	Encoding           Encoding
	Notes              Notes
}

// Dataset splits the rows by the plan's cut with rng, settles the encoding from
// the training rows and encodes all. Its errors are those of [Plan.Encode]. It
// costs O(rows·(columns + features)).
func (p *Plan) Dataset(rng *rand.Rand) (*Dataset, error) { return p.DatasetOf(p.Split(rng)) }

// DatasetOf does the same of rows that are split already. A part may have no rows, but
// training rows there must be.
func (p *Plan) DatasetOf(s *Split) (*Dataset, error) {
	encoding, notes, err := p.Encode(s)
	if err != nil {
		return nil, err
	}
	part := func(rows []int32) Part { return p.encode(encoding, rows) }
	return &Dataset{Train: part(s.Train), Valid: part(s.Valid), Test: part(s.Test), Encoding: *encoding, Notes: notes}, nil
}

// encode returns rows of the table as a part.
func (p *Plan) encode(e *Encoding, rows []int32) Part {
	part := Part{Y: make([]float64, len(rows)), Weight: p.Weights(rows), Line: make([]int, len(rows))}
	p.targets(part.Y, rows)
	if e.Target.Log != LogNone || e.Target.Logistic {
		part.Raw = append([]float64(nil), part.Y...)
	}
	for i, row := range rows {
		part.Y[i] = e.Target.Scaled(part.Y[i])
		part.Line[i] = p.Table.Line(int(row))
	}
	part.Z = p.design(e, rows)
	return part
}
