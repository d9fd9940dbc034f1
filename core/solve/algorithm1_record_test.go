package solve

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/design"
	"ifmlab/core/fm"
)

// The oracle writes every matrix of the iteration out from its definition: H from
// n outer products, 𝓜 from moments, U from 𝓜 and not from products of rows.
func TestAnIterationHoldsWhatItsDefinitionSays(t *testing.T) {
	const d, k, n = 6, 2, design.BlockRows + 41
	for _, kind := range []fm.Kind{fm.GFM, fm.IFM} {
		for _, form := range []string{"corrected", "centred", "printed"} {
			rng := random(5)
			truth := newSecondOrder(kind, d, k, false, rng)
			var batches []Batch
			for range 4 {
				batches = append(batches, truth.rows(gaussianColumns, n, rng))
			}
			at := -1
			held := new(IterationMatrices)
			a := &Algorithm1{Printed: form == "printed", Centred: form == "centred", Kappa: repeat(.3, d), Phi: repeat(2.5, d), Record: held}
			m := fm.New(kind, d, k)
			_, err := a.Start(Problem{Source: fresh(func() Batch { at++; return batches[at] })}, m, nil)
			require.NoError(t, err)
			slow := stepped{printed: a.Printed, centred: a.Centred, kind: kind, kappa: a.Kappa, phi: a.Phi}
			for i, b := range batches[1:] {
				before := clone(m)
				_, err := a.Step()
				require.NoError(t, err)
				x, c := dense(b.Z.(*design.Dense)), coefficients(before)
				r, mean := make([]float64, n), 0.0
				for row := range r {
					r[row] = predict(c, x.RawRowView(row)) - b.Y[row]
					mean += r[row] / n
				}
				assert.Equal(t, i+1, held.Iteration)
				assert.InDelta(t, mean, held.Mean, 1e-12)
				shift := 0.0
				if slow.centred && kind == fm.GFM {
					shift = mean
				}
				h, outer := mat.NewDense(d, d, nil), mat.NewDense(d, d, nil)
				for row := range r {
					z := mat.NewVecDense(d, x.RawRowView(row))
					outer.Outer((r[row]-shift)/(2*n), z, z)
					h.Add(h, outer)
				}
				estimate, _ := slow.moments(x, r)
				u := mat.NewDense(d, k, nil)
				u.Mul(estimate, mat.NewDense(d, k, before.U))
				u.Sub(mat.NewDense(d, k, before.V), u)
				// Means over n rows of products of size about 10, summed in another order.
				const near = 1e-11
				assert.InDeltaSlice(t, h.RawMatrix().Data, held.H, near, "%v %s: H", kind, form)
				assert.InDeltaSlice(t, estimate.RawMatrix().Data, held.M, near, "%v %s: M", kind, form)
				assert.InDeltaSlice(t, u.RawMatrix().Data, held.U, near, "%v %s: U", kind, form)
				assert.Equal(t, m.U, held.Q)
				assert.Equal(t, m.V, held.V)
			}
		}
	}
}

func TestHoldingAnIterationChangesNoBitOfTheFit(t *testing.T) {
	const d, k = 9, 2
	for _, centred := range []bool{false, true} {
		rng := random(5)
		b := newSecondOrder(fm.GFM, d, k, true, rng).rows(uniformColumns, 1500, rng)
		var ends [2]*fm.Model
		for i, hold := range []*IterationMatrices{nil, new(IterationMatrices)} {
			ends[i] = fm.New(fm.GFM, d, k)
			a := &Algorithm1{Centred: centred, Record: hold}
			_, err := a.Start(Problem{Source: Whole(b.Z, b.Y)}, ends[i], nil)
			for range 6 {
				require.NoError(t, err)
				_, err = a.Step()
			}
			require.NoError(t, err)
		}
		assert.Equal(t, ends[0], ends[1])
	}
}
