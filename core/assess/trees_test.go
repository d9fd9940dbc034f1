package assess_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/assess"
	"ifmlab/core/measure"
	"ifmlab/core/runtest"
	"ifmlab/core/spec"
	"ifmlab/core/task"
)

// Validation rows calibrate trees as they count.
func TestTreesOfWeightedClassesAreCalibratedByTheWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	var b strings.Builder
	b.WriteString("x,z,counts,y\n")
	for range 500 {
		x, z, counts, y := rng.NormFloat64(), rng.NormFloat64(), 1, "no"
		if rng.Float64() < 1/(1+math.Exp(-x)) {
			y, counts = "yes", 1+rng.IntN(4)
		}
		fmt.Fprintf(&b, "%.4f,%.4f,%d,%s\n", x, z, counts, y)
	}
	const query = "source=table&target=y&models=ifm&ranks=1&lambdaf=10&iterations=1&weight=counts"
	s, _ := spec.Parse(query)
	grown := runtest.Result(t, must(core.Open(s, 0, must(task.Read(s, "t.csv", strings.NewReader(b.String()))))).Trees)
	seen := assess.Unseen(grown)
	for !grown.Done {
		require.NoError(t, grown.Next())
	}
	f, y, weight := seen()
	assert.Equal(t, measure.Platt(f, y, weight), grown.Metrics.Calibration)
	assert.NotEqual(t, platt(f, y), grown.Metrics.Calibration)
}
