//go:build figure || ionosphere

package solve

import (
	"math/rand/v2"

	"ifmlab/core/fm"
)

// Engines without tables have no classes.

func (s *ALS) beginClasses(Problem, *fm.Model, *rand.Rand) (Progress, error) {
	return Progress{}, unknownLoss("ALS")
}

func (s *ALS) stepClasses() (Progress, error) { return Progress{}, s.err }
