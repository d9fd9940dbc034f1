package fm

import (
	"ifmlab/core/design"
	"ifmlab/core/kernel"
)

// Interaction returns the symmetric part of the interaction matrix:
//
//	FM    UUᵀ − diag(UUᵀ)
//	gFM   (UVᵀ + VUᵀ)/2
//	iFM   (UVᵀ + VUᵀ)/2 − diag
//
// It is D×D, row-major and symmetric to the last bit, in units of the scaled columns and
// target. It costs O(D²·Rank).
func (m *Model) Interaction() []float64 {
	d, k := m.D, m.Rank
	out := make([]float64, d*d)
	if m.Kind == FM {
		kernel.Gemm(d, d, k, 1, m.U, k, 1, m.U, 1, k, out, d)
	} else {
		kernel.Gemm(d, d, k, .5, m.U, k, 1, m.V, 1, k, out, d)
		kernel.Gemm(d, d, k, .5, m.V, k, 1, m.U, 1, k, out, d)
	}
	if m.Kind != GFM {
		for i := range d {
			out[i*d+i] = 0
		}
	}
	return out
}

// Observable is [Model.Interaction] with 0 for every two features that never meet in a row:
// two levels of one column, or a column's number and the flag that it is missing. No row
// determines these entries, and no prediction depends on them. features has length D.
// O(D²·Rank).
func (m *Model) Observable(features []design.Feature) []float64 {
	out := m.Interaction()
	for i := range features {
		for j := range i {
			if !meet(&features[i], &features[j]) {
				out[i*m.D+j], out[j*m.D+i] = 0, 0
			}
		}
	}
	return out
}

// meet reports whether a row can have a value other than 0 for both features.
func meet(f, g *design.Feature) bool {
	return f.Column != g.Column || f.Kind == design.FeatureKnot || g.Kind == design.FeatureKnot || f.Kind == design.FeatureEntry
}

// Coefficients are a model written out: f(x) = B + xᵀW + xᵀMx.
type Coefficients struct {
	B float64
	W []float64 // d
	M []float64 // d×d, row-major, symmetric
}

// unscale returns the coefficients over x, where c is over z = (x − mean)/scale,
// with the prediction multiplied by target:
//
//	M = M_z / (s sᵀ)    w = w_z/s − 2Mμ    b = b_z − μᵀ(w_z/s) + μᵀMμ
//
// All scales are positive. It costs O(d²).
func (c Coefficients) unscale(mean, scale []float64, target float64) Coefficients {
	d := len(c.W)
	out := Coefficients{B: c.B, W: make([]float64, d), M: make([]float64, d*d)}
	for i := range d {
		row := out.M[i*d:][:d]
		for j := range row {
			row[j] = c.M[i*d+j] / (scale[i] * scale[j])
		}
		w, mu := c.W[i]/scale[i], kernel.Dot(row, mean)
		out.W[i] = (w - float64(2*mu)) * target
		out.B += float64(mean[i] * (mu - w))
	}
	for i := range out.M {
		out.M[i] *= target
	}
	out.B *= target
	return out
}
