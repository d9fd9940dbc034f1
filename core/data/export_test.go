package data

// UsedRows returns how many rows a plan uses.
func UsedRows(p *Plan) int { return len(p.rows) }

// Size estimates the memory that a table takes, in bytes.
func Size(t *Table) int64 {
	n := int64(16 * len(t.lines))
	for _, c := range t.columns {
		n += int64(16 * len(c.odd))
		if c.block != nil {
			n += int64(4*cap(c.block.starts) + 4*cap(c.block.places) + 8*cap(c.block.values) + 4*cap(c.block.numbers))
		}
		for _, e := range c.entries {
			n += int64(len(e.text)) + 80 // the entry, and its share of the map
		}
		for _, b := range c.codes {
			n += int64(4 * cap(b))
		}
		for _, b := range c.values {
			n += int64(8 * cap(b))
		}
	}
	return n
}
