package fm

import "ifmlab/core/design"

// Raw returns the coefficients in the reader's units: over columns that are encoded but not
// scaled (a number of the table, 0 or 1 for a level), and for the target in units of the
// table. For every row
//
//	enc.Target.Scale · Predict(z) = B + xᵀW + xᵀMx,    zⱼ = (xⱼ − meanⱼ)/scaleⱼ
//
// enc has D features. It costs O(D²·Rank).
//
// Entries of M for features that never meet in a row are 0, as in [Model.Observable].
func (m *Model) Raw(enc design.Encoding) Coefficients {
	mean, scale := make([]float64, m.D), make([]float64, m.D)
	for j, f := range enc.Features {
		mean[j], scale[j] = f.Mean, f.Scale
	}
	return Coefficients{B: m.B, W: m.W, M: m.Observable(enc.Features)}.unscale(mean, scale, enc.Target.Scale)
}
