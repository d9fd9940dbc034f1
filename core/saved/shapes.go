package saved

import (
	"cmp"
	"math"

	"ifmlab/core/design"
)

// Shape is what a column adds to the prediction, by its cell, in units of [Model.Quantity]: the
// effect that [Model.Explain] gives for such a cell.
type Shape struct {
	Column string
	Source string  // the column of the file: that of dates for their parts, else the same
	Points []Point // of a number by rising numbers; then its missing cells
}

// Point is a cell of a column and its effect. Number is NaN for a level and for a missing cell.
type Point struct {
	Kind   design.FeatureKind // FeatureValue for a number
	Number float64
	Level  string // of a FeatureLevel
	Effect float64
	// Share is the share of the training rows by weight: of a level or of missing cells those
	// that have it; of a knot those near it, each shared by its two neighbours. It is NaN
	// elsewhere, and if the file has no averages.
	Share float64
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
	c, scale := m.centred(), m.Encoding.Target.Scale
	for p, g := range m.Encoding.Groups() {
		features := m.Encoding.Features[g.Lo:g.Hi]
		name := features[0].Column
		shape, centre := Shape{Column: name, Source: cmp.Or(m.Encoding.DatesOf(name), name)}, 0.0
		if c.columns != nil {
			centre = c.columns[p]
		}
		knots := m.knots(g)
		// add adds the point of a cell, whose features set changes.
		add := func(point Point, set func(z []float64)) {
			z := make([]float64, len(features))
			set(z)
			point.Effect = scale * (c.effect(g, z).value() - centre)
			shape.Points = append(shape.Points, point)
		}
		share := func(j int) float64 {
			if !c.average {
				return math.NaN()
			}
			return c.mean[g.Lo+j]*features[j].Scale + features[j].Mean
		}
		hat := func(z []float64, number float64) {
			left, t := design.Between(knots, number)
			z[left], z[left+1] = 1-t, t
		}
		for j, f := range features {
			switch f.Kind {
			case design.FeatureValue:
				least, most := span(f)
				for i := range steps + 1 {
					number := least + (most-least)*float64(i)/steps
					add(Point{Kind: f.Kind, Number: number, Share: math.NaN()}, func(z []float64) { z[j] = (number - f.Mean) / f.Scale })
				}
			case design.FeatureKnot:
				add(Point{Kind: design.FeatureValue, Number: f.Knot, Share: share(j)}, func(z []float64) { hat(z, f.Knot) })
				for i := 1; i <= between && j+1 < len(knots); i++ {
					number := f.Knot + (knots[j+1]-f.Knot)*float64(i)/(between+1)
					add(Point{Kind: design.FeatureValue, Number: number, Share: math.NaN()}, func(z []float64) { hat(z, number) })
				}
			case design.FeatureMissing:
				add(Point{Kind: f.Kind, Number: math.NaN(), Share: share(j)}, func(z []float64) {
					if z[j] = 1; knots != nil {
						hat(z, features[0].Fill)
					}
				})
			case design.FeatureLevel, design.FeatureOther:
				add(Point{Kind: f.Kind, Number: math.NaN(), Level: f.Level, Share: share(j)}, func(z []float64) { z[j] = 1 })
			}
		}
		shapes = append(shapes, shape)
	}
	return shapes, c.average, nil
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
