package interaction

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fm"
)

func TestAMatrixIsInTheUnitsOfItsFeaturesAndHasAllEigenvaluesOfItsForm(t *testing.T) {
	enc := design.Encoding{Target: design.Target{Scale: 3}}
	for i, name := range []string{"a", "b", "c"} {
		enc.Features = append(enc.Features, design.Feature{Name: name, Column: name, Scale: float64(1 + i)})
	}
	for name, c := range map[string]struct {
		kind        fm.Kind
		rank        int
		u, v        []float64
		ofAB        float64 // the value of a and b
		eigenvalues []float64
	}{
		"a product":         {fm.IFM, 1, []float64{1, 0, 0}, []float64{0, 2, 0}, 1.5, []float64{3, -3}},
		"a square":          {fm.IFM, 1, []float64{1, 0, 0}, []float64{1, 0, 0}, 0, []float64{3, 0}},
		"a negative square": {fm.GFM, 1, []float64{1, 1, 0}, []float64{-1, -1, 0}, -1.5, []float64{0, -6}},
		"more than columns": {fm.IFM, 2, []float64{1, 0, 0, 0, 0, 0}, []float64{0, 0, 2, 0, 0, 0}, 1.5, []float64{3, 0, -3}},
		"FM's own":          {fm.FM, 1, []float64{1, 1, 0}, nil, 1.5, []float64{6}},
	} {
		m := fm.New(c.kind, 3, c.rank)
		copy(m.U, c.u)
		copy(m.V, c.v)
		got, err := Of(m, enc, nil)
		require.NoError(t, err)
		assert.Equal(t, []string{"a", "b", "c"}, got.Names)
		assert.InDelta(t, c.ofAB, got.Values[1], 1e-14, name)
		assert.InDeltaSlice(t, c.eigenvalues, got.Eigenvalues, 1e-14, name)
		assert.Equal(t, c.rank, got.Rank)
	}
	_, err := Of(fm.New(fm.FM, MaxFeatures+1, 1), enc, nil)
	assert.EqualError(t, err, "interaction: the interactions of 2001 features are 4004001 numbers, expected at most 2000 features. Use the model file, which contains the factors")
	enc.Features = make([]design.Feature, MaxFeatures)
	for i := range enc.Features {
		enc.Features[i].Scale = 1
	}
	_, err = Of(fm.New(fm.FM, MaxFeatures, 1), enc, nil)
	assert.NoError(t, err)
}
