package encode

import (
	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/note"
	"ifmlab/core/order"
	"ifmlab/core/table"
)

func (e *encoder) categorical(c *table.Column) {
	texts, counts, missing := c.TallyLevels(e.rows, e.trains)
	var levels []string
	rare := 0 // rows whose level is
	for code, n := range counts {
		if n >= e.plan.Settings.Rare {
			levels = append(levels, texts[code])
		} else {
			rare += n
		}
	}
	order.Sort(levels, func(a, b string) int { return cell.CompareLevels(a, b, c.Point) })
	if len(levels) > 1 || len(levels) == 1 && rare+missing > 0 {
		for _, level := range levels {
			e.feature(design.Feature{Name: c.Name + "=" + level, Column: c.Name, Kind: design.FeatureLevel, Level: level, Scale: 1})
		}
	}
	if rare > 0 && rare < len(e.rows) {
		e.feature(design.Feature{Name: c.Name + "=other", Column: c.Name, Kind: design.FeatureOther, Scale: 1})
		if 2*rare > len(e.rows) {
			e.notes.Add(note.TopicFeatures, []string{c.Name}, "%s has frequent levels in %d of %d training rows; its levels seen fewer than %d times share one feature", c.Name, len(e.rows)-rare-missing, len(e.rows), e.plan.Settings.Rare)
		}
	}
	e.flag(c, missing)
	if len(levels) > 0 {
		e.noteUnseen(c, texts, counts, missing > 0, rare > 0)
	}
}

// noteUnseen adds notes on validation and test cells that training rows lack: missing
// cells, and levels if no feature stands for other ones.
func (e *encoder) noteUnseen(c *table.Column, texts []string, counts []int, missing, other bool) {
	seen := make(map[string]bool, len(texts))
	for code, n := range counts {
		seen[texts[code]] = n > 0
	}
	rows, count := 0, 0
	for _, part := range e.others {
		rows += len(part)
		texts, codes := c.Levels(part)
		for _, code := range codes {
			if code == table.MissingCode && !missing || code != table.MissingCode && !other && !seen[texts[code]] {
				count++
			}
		}
	}
	if count > 0 {
		e.notes.Add(note.TopicFeatures, []string{c.Name}, "%s has levels that no training row has in %d of %d validation and test rows; the mean of its levels is used there", c.Name, count, rows)
	}
}
