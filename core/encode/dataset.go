package encode

import (
	"math/rand/v2"

	"ifmlab/core/design"
	"ifmlab/core/roles"
)

// Dataset splits the rows by the plan's cut with rng, learns the encoding from the training
// rows and encodes all parts. Its errors are those of [Encoding].
// O(rows·(columns + features)).
func Dataset(p *roles.Plan, rng *rand.Rand) (*design.Dataset, error) {
	return DatasetOf(p, p.Split(rng))
}

// DatasetOf is Dataset for rows that are split already. Validation and test may be empty.
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

// Part encodes rows of the table. e is the result of [Encoding] for a split of p.
// O(rows·(columns + features)).
func Part(p *roles.Plan, e *design.Encoding, rows []int32) design.Part { return part(p, e, rows) }
