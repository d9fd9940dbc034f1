package saved

import (
	"cmp"
	"math"
	"slices"

	"ifmlab/core/cell"
	"ifmlab/core/design"
)

// Shape is what a column adds to the prediction, by its cell, in units of [Model.Quantity]: the
// effect that [Model.Explain] gives for such a cell.
type Shape struct {
	Column string
	Source string  // the column of the file: that of dates for their parts, else the same
	IsDays bool    // its numbers are days since 1970
	Points []Point // of a number by rising numbers; then its missing cells
}

// Cell is a cell of a column. Number is NaN for a level and for a missing cell.
type Cell struct {
	Kind   design.FeatureKind // FeatureValue for a number
	Number float64
	Level  string // of a FeatureLevel
}

// Point is a cell of a column and its effect.
type Point struct {
	Cell
	Effect float64
	// Low and High are the lowest and the highest effect of the model and of the fits without a
	// part of its rows that [Band] has seen: how much the effect depends on the rows. A
	// confidence interval would be wider, because any two fits share most of their rows. They are
	// NaN if the file has none.
	Low, High float64
	// Share is the share of the training rows, by weight, that have this level or a missing cell
	// here. For a number it is the share of the rows near it: each row counts for the two knots
	// beside it, and a row with a missing cell for none, so that the shares of a column add up to
	// 1. Without knots, every fourth number stands for a knot. It is NaN at all other numbers,
	// and if the file does not have the shares.
	Share float64
}

// Date returns a number of the column as a date, or "" unless it counts days since 1970.
func (s *Shape) Date(number float64) string {
	if !s.IsDays {
		return ""
	}
	return cell.DayText(number)
}

// between is how many points stand between two knots, where factors bend the line. A number
// without knots has so many times as many as a number with the usual knots.
const between = 3

// Shapes returns the shape of each column of a model, with average reporting whether each
// averages 0 over the training rows, as the terms of [Explanation] do. A number has a point at
// each knot and some between, or from the least to the greatest of the training rows. A column
// of a sparse file that stands for many features has none. It returns a [*ScoresError].
// O(features·rank).
func (m *Model) Shapes() (shapes []Shape, average bool, err error) {
	if err := m.OneScore(); err != nil {
		return nil, false, err
	}
	c := m.centred()
	for p, g := range m.Encoding.Groups() {
		features := m.Encoding.Features[g.Lo:g.Hi]
		name := features[0].Column
		cells, of := cells(features)
		filled := make([]float64, len(features)) // shares of missing cells, at the knots beside the number that fills them
		if last := len(features) - 1; features[0].Kind == design.FeatureKnot && features[last].Kind == design.FeatureMissing {
			missing := written(c.mean[g.Lo+last], &features[last])
			left, t := design.Between(m.knots(g), features[0].Fill)
			filled[left], filled[left+1] = missing*(1-t), missing*t
		}
		effects, points := m.effects(c, p, g, cells), make([]Point, len(cells))
		for i := range points {
			point := &points[i]
			*point = Point{cells[i], effects[i], math.NaN(), math.NaN(), math.NaN()}
			if band := m.Model.Interval; band != nil && band.Lowest != nil {
				point.Low, point.High = min(effects[i], band.Lowest[p][i]), max(effects[i], band.Highest[p][i])
			}
			if j := of[i]; c.average && j >= 0 {
				point.Share = written(c.mean[g.Lo+j], &features[j])
				if features[j].Kind == design.FeatureKnot {
					point.Share = max(0, point.Share-filled[j])
				}
			} else if shares := features[0].Shares; shares != nil && i <= steps && i%(between+1) == 0 {
				point.Share = shares[i/(between+1)]
			}
		}
		shapes = append(shapes, Shape{Column: name, Source: cmp.Or(m.Encoding.DatesOf(name), name), IsDays: features[0].IsDays, Points: points})
	}
	return shapes, c.average, nil
}

// Band returns the lowest and the highest effect among some fits at each point of the shapes of
// an encoding: a list a column. The fits may have other encodings of the same columns.
func Band(on *design.Encoding, fits []*Model) (lowest, highest [][]float64) {
	for _, g := range on.Groups() {
		features := on.Features[g.Lo:g.Hi]
		cells, _ := cells(features)
		low, high := make([]float64, len(cells)), make([]float64, len(cells))
		for f, fit := range fits {
			p := slices.Index(fit.Encoding.Columns(), features[0].Column)
			if p < 0 {
				return nil, nil
			}
			for i, effect := range fit.effects(fit.centred(), p, fit.Encoding.Groups()[p], cells) {
				if low[i] = min(low[i], effect); f == 0 {
					low[i], high[i] = effect, effect
				}
				high[i] = max(high[i], effect)
			}
		}
		lowest, highest = append(lowest, low), append(highest, high)
	}
	return lowest, highest
}

// cells returns the cells of a column's shape, and of each the feature that is 1 there, or −1.
func cells(features []design.Feature) (all []Cell, of []int) {
	add := func(kind design.FeatureKind, number float64, level string, feature int) {
		all, of = append(all, Cell{kind, number, level}), append(of, feature)
	}
	for j, f := range features {
		switch f.Kind {
		case design.FeatureValue:
			least, most := span(f)
			for i := range steps + 1 {
				add(f.Kind, least+(most-least)*float64(i)/steps, "", -1)
			}
		case design.FeatureKnot:
			add(design.FeatureValue, f.Knot, "", j)
			for i := 1; i <= between && j+1 < len(features) && features[j+1].Kind == f.Kind; i++ {
				add(design.FeatureValue, f.Knot+(features[j+1].Knot-f.Knot)*float64(i)/(between+1), "", -1)
			}
		case design.FeatureMissing, design.FeatureLevel, design.FeatureOther:
			add(f.Kind, math.NaN(), f.Level, j)
		}
	}
	return all, of
}

// effects returns the effects of cells of column p, which has the features g.
func (m *Model) effects(c *centred, p int, g design.Group, cells []Cell) []float64 {
	centre := 0.0
	if c.columns != nil {
		centre = c.columns[p]
	}
	effects := make([]float64, len(cells))
	for i, own := range m.sums(c, g, cells) {
		effects[i] = m.Encoding.Target.Scale * (own.value() - centre)
	}
	return effects
}

// sums returns, for each cell of a column, the sums over the column's features g. A level
// without a feature counts as all other levels do, and a missing cell as the number that fills it.
func (m *Model) sums(c *centred, g design.Group, cells []Cell) []*sums {
	features, knots := m.Encoding.Features[g.Lo:g.Hi], m.knots(g)
	all := make([]*sums, len(cells))
	for i, cell := range cells {
		z, number, other := make([]float64, len(features)), cell.Number, -1
		for j, f := range features {
			if f.Kind == cell.Kind && f.Level == cell.Level {
				z[j], other = 1, -1
				break
			}
			if f.Kind == design.FeatureOther && cell.Kind == design.FeatureLevel {
				other = j
			}
		}
		if other >= 0 {
			z[other] = 1
		} else if z[0] != 0 && features[0].Kind == design.FeatureValue {
			z[0] = (number - features[0].Mean) / features[0].Scale
		} else if knots != nil {
			if cell.Kind == design.FeatureMissing {
				number = features[0].Fill
			}
			left, t := design.Between(knots, number)
			z[left], z[left+1] = 1-t, t
		}
		all[i] = c.effect(g, z)
	}
	return all
}

const steps = (between + 1) * (design.DefaultKnots - 1) // of a number without knots

// span returns the least and the greatest number of the training rows, which the bounds of a
// feature extend by its width on either side. Without bounds it is two standard deviations about the mean.
func span(f design.Feature) (least, most float64) {
	if !f.IsBounded() {
		return f.Mean - 2*f.Scale, f.Mean + 2*f.Scale
	}
	width := (f.Most - f.Least) / 3
	return f.Least + width, f.Most - width
}
