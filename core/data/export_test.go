package data

// Size estimates the memory that the cells of a table take, in bytes.
func Size(t *Table) int64 {
	n := int64(16 * len(t.lines))
	for _, c := range t.columns {
		if c.block != nil {
			n += int64(float64(t.rows) * (4 + 12*c.block.perRow()))
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
