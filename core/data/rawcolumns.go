package data

import "math"

// Raw is one column of some rows as the table has it, for methods that make
// features of their own.
type Raw struct {
	Name string
	Kind Kind
	// Numbers holds the cells of a numeric column, NaN for one that is missing or
	// no number; nil for a column of levels.
	Numbers []float64
	// Codes holds the cells of a column of levels as indices into Levels, −1 for one
	// that is missing; nil for a column of numbers.
	Codes  []int32
	Levels []string // some may be in none of the rows; other rows may have another list
}

// Raw returns the columns that are features, in the order of the table, of the
// given rows, such as a [Split] lists; none of kind Sparse. O(rows·columns).
func (p *Plan) Raw(rows []int32) (all []Raw) {
	for i, c := range p.Table.columns {
		if p.Roles[i] != RoleFeature || c.block != nil {
			continue
		}
		raw := Raw{Name: c.name, Kind: p.Kinds[i]}
		if raw.Kind == Numeric {
			raw.Numbers = make([]float64, len(rows))
			c.gather(raw.Numbers, rows)
			for j, v := range raw.Numbers {
				if math.Abs(v) > largest { // counts as missing, as in a design
					raw.Numbers[j] = math.NaN()
				}
			}
		} else {
			raw.Levels, raw.Codes = c.levels(rows)
		}
		all = append(all, raw)
	}
	return all
}
