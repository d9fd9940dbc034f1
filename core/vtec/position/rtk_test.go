package position

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// spread returns count directions, evenly over the sky above 15° but for chance.
const delaySD = .015

func spread(count int, rng *rand.Rand) []Direction {
	d := make([]Direction, count)
	for i := range d {
		sine := math.Sin(15*math.Pi/180) + (1-math.Sin(15*math.Pi/180))*(float64(i)+rng.Float64())/float64(count)
		d[i] = Direction{2 * math.Pi * math.Mod(float64(i)*.618034+.1*rng.Float64(), 1), math.Asin(sine)}
	}
	return d
}

// dense is the model in full, with a column for every unknown: position, delays and
// 2m integers; and a row for every double difference: both codes, both phases, the
// predicted delays. Its weights are the inverse of D·S·Dᵀ, differences written out.
func dense(d []Direction, reference int) (a, weights *mat.Dense) {
	m := len(d) - 1
	a = mat.NewDense(5*m, 3+3*m, nil)
	difference := mat.NewDense(m, m+1, nil) // D
	row := 0
	unit := func(d Direction) []float64 {
		return []float64{math.Sin(d.Azimuth) * math.Cos(d.Elevation), math.Cos(d.Azimuth) * math.Cos(d.Elevation), math.Sin(d.Elevation)}
	}
	for i := range d {
		if i == reference {
			continue
		}
		difference.Set(row, i, 1)
		difference.Set(row, reference, -1)
		for f, mhz := range []float64{1575.42, 1227.60} {
			mu := math.Pow(1575.42/mhz, 2)
			for k := range 3 { // a range shortens by the line of sight
				a.Set(f*m+row, k, unit(d[reference])[k]-unit(d[i])[k])
				a.Set((2+f)*m+row, k, unit(d[reference])[k]-unit(d[i])[k])
			}
			a.Set(f*m+row, 3+row, mu)
			a.Set((2+f)*m+row, 3+row, -mu)
			a.Set((2+f)*m+row, 3+m+f*m+row, 299.792458/mhz)
		}
		a.Set(4*m+row, 3+row, 1)
		row++
	}
	weights = mat.NewDense(5*m, 5*m, nil)
	variances := mat.NewDense(m+1, m+1, nil)
	for i := range d {
		variances.Set(i, i, 2/math.Pow(math.Sin(d[i].Elevation), 2)) // of the difference of two stations
	}
	var covariance, inverse mat.Dense
	covariance.Product(difference, variances, difference.T())
	inverse.Inverse(&covariance)
	for f, sd := range []float64{.15, .15, .001, .001} {
		for i := range m {
			for j := range m {
				weights.Set(f*m+i, f*m+j, inverse.At(i, j)/sd/sd)
			}
		}
	}
	for i := range m {
		weights.Set(4*m+i, 4*m+i, 1/(.015*.015))
	}
	return a, weights
}

// leastSquares returns (AᵀWA)⁻¹ and that times AᵀWy.
func leastSquares(a mat.Matrix, weights *mat.Dense, y []float64) (covariance *mat.Dense, x []float64) {
	var normal, right mat.Dense
	normal.Product(a.T(), weights, a)
	right.Product(a.T(), weights, mat.NewDense(len(y), 1, y))
	covariance = new(mat.Dense)
	covariance.Inverse(&normal)
	var solution mat.Dense
	solution.Mul(covariance, &right)
	return covariance, mat.Col(nil, 0, &solution)
}

func join(parts ...[]float64) (all []float64) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func TestTheFloatAndTheFixedSolutionAreThoseOfDenseLeastSquares(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, count := range []int{4, 5, 8, 14} {
		d := spread(count, rng)
		reference := rng.IntN(count)
		b, err := NewBaseline(d, reference, delaySD)
		require.NoError(t, err)
		m := count - 1
		code, phase, delay := make([]float64, 2*m), make([]float64, 2*m), make([]float64, m)
		b.draw(code, codeSD, rng)
		b.draw(phase, phaseSD, rng)
		for i := range delay {
			delay[i] = .02 * rng.NormFloat64()
		}
		p := b.newPart()
		b.float(p, code, phase, delay)

		a, weights := dense(d, reference)
		y := join(code, phase, delay)
		q, x := leastSquares(a, weights, y)
		qz := q.Slice(3+m, 3+3*m, 3+m, 3+3*m).(*mat.Dense)
		// The dense normal matrix has phases' weights of 1e6 beside integers that take
		// them up: ten digits of sixteen are left.
		assert.InDeltaSlice(t, x[3+m:], p.z, 1e-7*mat.Norm(mat.NewVecDense(len(x), x), 2), "%d satellites", count)
		assert.InDeltaSlice(t, mat.DenseCopyOf(qz).RawMatrix().Data, b.covariance(), 1e-7*mat.Norm(qz, 2))

		// The position for given integers: with their columns gone, and by the
		// textbook's x − Qxz·Qz⁻¹(z − ž).
		given := make([]float64, 2*m)
		for i := range given {
			given[i] = math.Round(3 * rng.NormFloat64())
		}
		less := append([]float64(nil), y...)
		for i, v := range given {
			less[2*m+i] -= v * wavelength[i/m]
		}
		_, fixed := leastSquares(a.Slice(0, 5*m, 0, 3+m), weights, less)
		var off, solved, correction mat.Dense
		off.Sub(mat.NewDense(2*m, 1, x[3+m:]), mat.NewDense(2*m, 1, append([]float64(nil), given...)))
		require.NoError(t, solved.Solve(qz, &off))
		correction.Mul(q.Slice(0, 3, 3+m, 3+3*m), &solved)
		got := b.fixed(p, given)
		for k := range 3 {
			assert.InDelta(t, fixed[k], got[k], 1e-8*(1+math.Abs(fixed[k])))
			assert.InDelta(t, x[k]-correction.At(k, 0), got[k], 1e-5*(1+math.Abs(x[k])), "it goes through the inverse of Qz")
		}
	}
}

func TestEveryPositionIsFixedWithoutAnyError(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for count := 4; count <= 20; count++ {
		b, err := NewBaseline(spread(count, rng), count/2, delaySD)
		require.NoError(t, err)
		p := b.newPart()
		b.float(p, nil, nil, nil)
		success, ok := b.try(p)
		assert.True(t, ok)
		assert.True(t, success, "%d satellites", count)
		// Whole wavelengths in the phase are what the integers are for.
		phase := make([]float64, 2*b.m)
		for i := range phase {
			phase[i] = wavelength[i/b.m] * math.Round(1000*rng.NormFloat64())
		}
		b.float(p, nil, phase, nil)
		success, ok = b.try(p)
		assert.True(t, ok)
		assert.True(t, success, "%d satellites", count)
		assert.InDelta(t, phase[b.m]/wavelength[1], p.z[b.m], 1e-6)
	}
}

// successes returns how many of the draws are successes with errors of a prediction
// of the given size; the noise is the same for every size.
func successes(t *testing.T, count, draws int, size float64) (won int) {
	noise, errors := rand.New(rand.NewPCG(3, 2)), rand.New(rand.NewPCG(4, 2))
	b, err := NewBaseline(spread(count, rand.New(rand.NewPCG(5, 2))), count-1, delaySD)
	require.NoError(t, err)
	code, phase, delay := make([]float64, 2*b.m), make([]float64, 2*b.m), make([]float64, b.m)
	p := b.newPart()
	for range draws {
		b.draw(code, codeSD, noise)
		b.draw(phase, phaseSD, noise)
		for i := range delay {
			delay[i] = size * errors.NormFloat64()
		}
		b.float(p, code, phase, delay)
		for _, v := range p.z {
			require.False(t, math.IsNaN(v) || math.IsInf(v, 0))
		}
		success, ok := b.try(p)
		require.True(t, ok)
		squares, _ := b.ambiguities.search(p.z)
		x := b.fixed(p, best(b.ambiguities, 0))
		require.Equal(t, squares[1]/squares[0] >= 2 && math.Hypot(math.Hypot(x[0], x[1]), x[2]) <= .01, success)
		if success {
			won++
		}
	}
	return won
}

func TestFewerPositionsAreFixedTheWorseThePrediction(t *testing.T) {
	const draws, chance = 400, 20 // two standard deviations of a difference of two counts
	before := draws
	for _, size := range []float64{0, .01, .02, .03, .04, .08} {
		won := successes(t, 13, draws, size)
		t.Logf("errors of %g m: %d of %d", size, won, draws)
		assert.LessOrEqual(t, won, before+chance)
		if size >= .03 {
			assert.Less(t, won, before-chance)
		}
		before = won
	}
	for _, size := range []float64{1, 1e3, 1e9} {
		assert.LessOrEqual(t, successes(t, 13, 50, size), 1, "an error of %g m is hardly ever taken for a good position", size)
	}
}

func TestPartsOfAFloatSolutionAddUp(t *testing.T) {
	b, err := NewBaseline(spread(9, rand.New(rand.NewPCG(6, 2))), 3, delaySD)
	require.NoError(t, err)
	code, phase, delay := make([]float64, 2*b.m), make([]float64, 2*b.m), []float64{.01, -.02, 0, .03, .01, 0, 0, -.01}
	rng := rand.New(rand.NewPCG(7, 2))
	b.draw(code, codeSD, rng)
	b.draw(phase, phaseSD, rng)
	all, noise, predicted := b.newPart(), b.Noise(b.Draw(rand.New(rand.NewPCG(7, 2)))), b.Delays(delay)
	b.float(all, code, phase, delay)
	for i, v := range all.right {
		assert.InDelta(t, v, noise.right[i]+predicted.right[i], 1e-9*math.Abs(v)+1e-6)
	}
	for i, v := range all.z {
		assert.InDelta(t, v, noise.z[i]+predicted.z[i], 1e-9)
	}
	want, _ := b.try(all)
	got, ok := b.Try(noise, predicted)
	assert.True(t, ok)
	assert.Equal(t, want, got)
}

func TestNoiseIsThatOfDoubleDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 2))
	d := spread(5, rng)
	b, err := NewBaseline(d, 2, delaySD)
	require.NoError(t, err)
	const draws = 40000
	sums, v := make([]float64, 16), make([]float64, 8)
	for range draws {
		b.draw(v, 1, rng)
		for i := range 4 {
			for j := range 4 {
				sums[4*i+j] += v[i] * v[j] / draws
			}
		}
	}
	// W times the covariance is the identity.
	for j := range 4 {
		column := []float64{sums[j], sums[4+j], sums[8+j], sums[12+j]}
		b.weigh(column)
		for i, v := range column {
			want := 0.0
			if i == j {
				want = 1
			}
			assert.InDelta(t, want, v, .06, "a variance of 40000 draws is known to .7 %%, and W weighs elevations 15 to 1")
		}
	}
}

func TestSatellitesInOneDirectionAreRefused(t *testing.T) {
	d := []Direction{{0, .5}, {0, .5}, {0, .5}, {0, .5}}
	_, err := NewBaseline(d, 0, delaySD)
	require.ErrorAs(t, err, new(*CovarianceError))
}
