package encode

import (
	"math/rand/v2"

	"ifmlab/core/design"
	"ifmlab/core/roles"
)

// Dataset splits the rows by the plan's cut with rng, settles the encoding from
// the training rows and encodes all. Its errors are those of [Encoding]. It
// costs O(rows·(columns + features)).
func Dataset(p *roles.Plan, rng *rand.Rand) (*design.Dataset, error) {
	return DatasetOf(p, p.Split(rng))
}

// DatasetOf does the same of rows that are split already. A part may have no rows, but
// training rows there must be.
func DatasetOf(p *roles.Plan, s *roles.Split) (*design.Dataset, error) {
	encoding, notes, err := Encoding(p, s)
	if err != nil {
		return nil, err
	}
	part := func(rows []int32) design.Part { return part(p, encoding, rows) }
	return &design.Dataset{Train: part(s.Train), Valid: part(s.Valid), Test: part(s.Test), Encoding: *encoding, Notes: notes}, nil
}

// part returns rows of the table as a part.
func part(p *roles.Plan, e *design.Encoding, rows []int32) design.Part {
	part := design.Part{Y: p.Targets(rows), Weight: p.Weights(rows), Line: make([]int, len(rows))}
	if e.Target.Log != design.LogNone || e.Target.Logistic {
		part.Raw = append([]float64(nil), part.Y...)
	}
	for i, row := range rows {
		part.Y[i] = e.Target.Scaled(part.Y[i])
		part.Line[i] = p.Table.Line(int(row))
	}
	part.Z = designRows(p, e, rows)
	return part
}

// Part returns rows of the table in the features of e, which [Encoding] has settled
// for a split of p. O(rows·(columns + features)).
func Part(p *roles.Plan, e *design.Encoding, rows []int32) design.Part { return part(p, e, rows) }
