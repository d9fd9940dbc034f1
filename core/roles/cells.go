package roles

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/table"
)

// CellsOf returns the cells of a column in the rows that start on these lines. A number is in
// units of the column, NaN for a cell without one and for a level that is stored as text. The
// text of such a cell is as written, and "" for a number and a missing cell. days are the days
// since 1970 of a column of dates, NaN for any other cell; nil if a date has a time. O(lines).
func CellsOf(t *table.Table, column int, lines []float64) (numbers []float64, texts []string, days []float64) {
	c := t.Columns[column]
	isLevels := (c.IsCode || guessAll(t).uses[column].Kind == design.Categorical) && !c.PlainNumbers
	isDated, isTimed := c.DateOrder != "" && c.Layout != "", false
	for _, line := range lines {
		row, _ := t.RowAt(int(line))
		number, text := c.Number(row), ""
		if isLevels {
			number = math.NaN()
		}
		if math.IsNaN(number) {
			text = c.Text(row)
		}
		numbers, texts = append(numbers, number), append(texts, text)
		if !isDated {
			continue
		}
		day := math.NaN()
		if at, _, ok := c.Layout.ReadAny(text); ok && !at.Dayless {
			day, isTimed = float64(at.Days()), isTimed || at.Timed
		}
		days = append(days, day)
	}
	if isTimed {
		days = nil
	}
	return numbers, texts, days
}
