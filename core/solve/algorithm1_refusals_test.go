package solve

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/message"
)

func TestColumnsItIsNotMadeForAreRefused(t *testing.T) {
	const d, n = 8, 4000
	truth := newSecondOrder(fm.IFM, d, 2, true, random(1))
	start := func(x []float64) error {
		b := truth.targets(x)
		_, err := NewAlgorithm1().Start(Problem{Source: Whole(b.Z, b.Y)}, fm.New(fm.IFM, d, 2), nil)
		return err
	}
	x := gaussian(random(2), n*d)
	require.NoError(t, start(x))
	for name, c := range map[string]struct {
		change func(v float64) float64
		square float64
	}{
		"shifted": {func(v float64) float64 { return v + .3 }, 1.09},
		"longer":  {func(v float64) float64 { return 1.3 * v }, 1.69},
		"shorter": {func(v float64) float64 { return .7 * v }, .49},
	} {
		y := append([]float64{}, x...)
		for i := 5; i < len(y); i += d {
			y[i] = c.change(y[i])
		}
		var not *UnstandardizedError
		require.ErrorAs(t, start(y), &not, name)
		assert.Equal(t, 5, not.Column, name)
		assert.InDelta(t, c.square, not.Square, .15, name) // √(2/n) is .02, times 1.69
		assert.Contains(t, not.Error(), "solve: column 5 has mean")
		assert.Contains(t, not.Error(), "gauss-newton")
	}

	for _, v := range []float64{1, 0} {
		y := append([]float64{}, x...)
		for i := 5; i < len(y); i += d {
			y[i] = v
		}
		assert.EqualError(t, start(y), fmt.Sprintf("solve: column 5 is constant, %g in all rows; Algorithm 1 needs columns that vary, so drop it or ask for more rows", v))
	}

	ar := append([]float64{}, x...) // AR(1) along each row, ρ = .3
	for i := range ar {
		if i%d > 0 {
			ar[i] = .3*ar[i-1] + math.Sqrt(1-.09)*ar[i]
		}
	}
	var dependent *DependentColumnsError
	require.ErrorAs(t, start(ar), &dependent)
	assert.Equal(t, 1, dependent.Second-dependent.First)
	assert.InDelta(t, .3, dependent.Correlation, .06, "4/√n")
	assert.Contains(t, dependent.Error(), "independent columns, so use the solver gauss-newton")
}

func TestManyRowsShowFaultsOfAFewPercentAndThoseAreBorne(t *testing.T) {
	const d, n = 4, 40_000 // five standard errors are .025 of a mean, .035 of a mean square
	x := gaussian(random(2), n*d)
	for name, fault := range map[string]func(row []float64, by float64){
		"mean":        func(row []float64, by float64) { row[2] += by },
		"mean square": func(row []float64, by float64) { row[2] *= math.Sqrt(1 + by) },
		"correlation": func(row []float64, by float64) { row[2] = by*row[1] + math.Sqrt(1-by*by)*row[2] },
	} {
		for _, by := range []float64{.04, .15} {
			y := append([]float64{}, x...)
			for i := range n {
				fault(y[i*d:][:d], by)
			}
			err := describeColumns(design.NewDense(n, d, y), make([]float64, n)).check()
			assert.Equal(t, by > .1, err != nil, "%s off by %g: %v", name, by, err)
		}
	}
}

func TestIndependentColumnsAreNotTakenForDependentOnes(t *testing.T) {
	seeds := uint64(20)
	if testing.Short() {
		seeds = 5
	}
	// Two values, one of them in ten or twenty rows: of 435 pairs of columns, two or
	// nine have it in the same row, which is a correlation of a tenth or a twentieth.
	for _, share := range []float64{.0005, .001} {
		for seed := range seeds {
			const d, n = 30, 20_000
			rng, x := random(seed), make([]float64, d*n)
			for i := range x {
				x[i] = -math.Sqrt(share / (1 - share))
				if rng.Float64() < share {
					x[i] = math.Sqrt((1 - share) / share)
				}
			}
			assert.NoError(t, describeColumns(design.NewDense(n, d, x), make([]float64, n)).check(), "a share of %g, seed %d", share, seed)
		}
	}
}

func TestTooFewRowsDivergeAndSaySinceWhen(t *testing.T) {
	const d, k = 20, 3
	late := 0
	for seed := range uint64(20) {
		rng := random(seed)
		truth := newSecondOrder(fm.GFM, d, k, true, rng)
		b := truth.rows(gaussianColumns, 7*k*d, rng)
		a := NewAlgorithm1()
		p, err := a.Start(Problem{Source: Whole(b.Z, b.Y)}, fm.New(fm.GFM, d, k), nil)
		var losses []float64
		for range 500 {
			losses = append(losses, p.Loss)
			if err != nil {
				break
			}
			p, err = a.Step()
		}
		if err == nil {
			continue
		}
		var diverged *DivergedError
		require.ErrorAs(t, err, &diverged)
		last := len(losses) - 1
		assert.Equal(t, last, diverged.Iteration)
		assert.Equal(t, losses[0], diverged.Start)
		assert.Greater(t, diverged.Loss, 10*losses[0])
		for _, loss := range losses[:last] {
			assert.LessOrEqual(t, loss, 10*losses[0], "it stops at the first")
		}
		began := last
		for began > 1 && losses[began-1] > losses[began-2] {
			began--
		}
		assert.Equal(t, began, diverged.Began)
		if began > 1 {
			late++
		}
		assert.Contains(t, err.Error(), message.Sprintf("and has risen since iteration %d; use the solver gauss-newton, or more rows", began))
	}
	t.Logf("%d of 20 fall at first, then rise", late)
	assert.Positive(t, late)
}

func TestThePrintedFormIsLeftToGrow(t *testing.T) {
	const d, k = 12, 6
	rng := random(5)
	truth := newSecondOrder(fm.GFM, d, k, false, rng)
	b := truth.rows(gaussianColumns, 60*k*d, rng)
	a := &Algorithm1{Printed: true}
	p, err := a.Start(Problem{Source: Whole(b.Z, b.Y)}, fm.New(fm.GFM, d, k), nil)
	beyond := 0
	for p.Iteration < 500 && err == nil {
		if p, err = a.Step(); p.Loss > 1e3*a.start {
			beyond++
		}
	}
	assert.Greater(t, beyond, 10, "ten times its start does not stop it")
	var diverged *DivergedError
	require.ErrorAs(t, err, &diverged)
	assert.Greater(t, diverged.Loss, 1e30*diverged.Start)
	assert.Contains(t, err.Error(), "that is what the printed form does; use the corrected one")
}

func TestNumbersThatAreNotFiniteLaterEndAlgorithm1(t *testing.T) {
	const d, n = 3, 293
	for _, kind := range []fm.Kind{fm.GFM, fm.IFM} {
		for _, bad := range []float64{math.NaN(), math.Inf(1), 1e200} {
			for _, inTargets := range []bool{true, false} {
				rng, draws := random(1), 0
				truth := newSecondOrder(fm.IFM, d, 1, true, rng)
				a := NewAlgorithm1()
				run(t, a, Problem{Source: fresh(func() Batch {
					b := truth.rows(gaussianColumns, n, rng)
					if draws++; draws > 1 && inTargets {
						b.Y[5] = bad
					} else if draws > 1 {
						b.Z.(*design.Dense).Row(5)[1] = bad
					}
					return b
				})}, fm.New(kind, d, 1), 1, 0)
				_, err := a.Step()
				var diverged *DivergedError
				require.ErrorAs(t, err, &diverged, "%v, %g", kind, bad)
				assert.Equal(t, 1, diverged.Iteration)
				_, again := a.Step()
				assert.Equal(t, err, again)
			}
		}
	}
}

// On 180 rows for 30 columns the loss rises.
func TestThePrintedFormOfIFMIsGivenUpWhereTheCorrectedOneIs(t *testing.T) {
	rng := random(5)
	b := newSecondOrder(fm.IFM, 30, 3, true, rng).rows(gaussianColumns, 180, rng)
	var ends [2]error
	for i, printed := range []bool{false, true} {
		a := &Algorithm1{Printed: printed}
		_, ends[i] = a.Start(Problem{Source: Whole(b.Z, b.Y)}, fm.New(fm.IFM, 30, 3), nil)
		for range 500 {
			if ends[i] == nil {
				_, ends[i] = a.Step()
			}
		}
		require.ErrorAs(t, ends[i], new(*DivergedError))
	}
	assert.Equal(t, ends[0], ends[1])
}
