package sky_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/spec"
	"ifmlab/core/vtec"
	"ifmlab/core/vtec/sky"
)

// What one could predict of a window who knew how the simulator draws a sky, though
// not what it has drawn: a Gaussian process with the mean and the covariance of that
// law, derived here once more from what background, newWaves and Snapshot say. It is
// told the hour and where the points are, nothing of the day, and has nothing to tune.
// On the average over all skies no affine function of the training differences has
// smaller squares of errors.

// usual is the sky of the page's first table.
var usual = sky.Config{Seed: 1, Systems: 1, Latitude: 30, Longitude: 115, Spacing: 75, Edge: 90, Waves: 1, Phase: 4}

// lognormal returns the mean of a power of lognormal(σ).
func lognormal(sigma, power float64) float64 { return math.Exp(power * power * sigma * sigma / 2) }

const (
	metresPerTECU = .162372
	radian        = math.Pi / 180
	degree        = 6371 * radian // of latitude on the sphere, km
)

// wave is a plane one.
type wave struct {
	amplitude   float64 // TECU
	east, north float64 // of the wave vector, rad/km
}

// spectrum returns plane waves whose sum has, with phases drawn at random, the
// covariance of a day's disturbances at a second: Σ ½a²·cos(k·d) over places d apart.
// Lengths and directions are at the quantiles of what they are drawn from.
func spectrum(second, lon float64) (waves []wave) {
	const n = 610 // with 377, a Fibonacci lattice in the unit square
	activity := lognormal(.35, 2)
	add := func(power, length, azimuth float64) {
		sin, cos := math.Sincos(azimuth * radian)
		k := 2 * math.Pi / length
		waves = append(waves, wave{math.Sqrt(2 * power), k * sin, k * cos})
	}
	// envelope returns the mean of its square over the centres between two hours of
	// 24 and over the widths between two numbers of hours.
	envelope := func(from, to, narrow, wide float64) (mean float64) {
		const hours, widths = 240, 20
		for i := range hours {
			d := math.Remainder(second/3600+lon/15-(from+(to-from)*(float64(i)+.5)/hours), 24)
			for j := range widths {
				width := narrow + (wide-narrow)*(float64(j)+.5)/widths
				mean += math.Exp(-d*d/(width*width)) / hours / widths
			}
		}
		return mean * (to - from) / 24
	}
	byDay, byNight := envelope(6, 18, .6, 1.5), envelope(18, 30, .6, 1.5)
	large := envelope(0, 24, 1, 2)
	sum := 0.0 // of what the heights of weak waves are as
	for i := range n {
		sum += math.Pow(100*math.Pow(15, (float64(i)+.5)/n), 1.6)
	}
	for i := range n {
		u, v := (float64(i)+.5)/n, (float64(i*377%n)+.5)/n
		normal := math.Sqrt2 * math.Erfinv(2*v-1)
		length := 150 * math.Pow(4, u)
		medium := 14 * .08 * .08 / 2 * activity * lognormal(.5, 2) * length / 250 / n
		add(medium*byDay, length, 150+25*normal)
		add(medium*byNight, length, 225+20*normal)
		add(3*.8*.8/2*activity*lognormal(.4, 2)*large/n, 1000+1000*u, 180+20*normal)
		length = 100 * math.Pow(15, u)
		add(.03*.03*activity*math.Pow(length, 1.6)/sum, length, 360*v)
	}
	return waves
}

// process is that Gaussian process on the points of a snapshot.
type process struct {
	mean       []float64     // of Delay, metres
	covariance *mat.SymDense // of Delay, m²
}

// newProcess derives it. The content of the sky is v + s·waves with s = .5 + v/60 and
// v = b·c, where b are three known functions of place and hour, and c = (night,
// active, active·crests) is drawn once a day, of known mean and E ccᵀ. The phases of
// waves are uniform, so that they have mean 0 and correlate with nothing:
//
//	E v = b·E c   cov(v, v′) = bᵀ(E ccᵀ)b′ − E v·E v′
//	cov(s·waves, s′·waves′) = (¼ + (E v + E v′)/120 + E vv′/3600)·Σ ½a²·cos(k·d)
//
// To that comes the noise of each link, of known variance. Left out is that no content
// is below 0.
func newProcess(c *sky.Config, s *sky.Snapshot, minute int) process {
	sigma := [3]float64{.1, .22, .25} // of night, active and crests
	powers := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 1, 1}}
	var first [3]float64     // E c
	var second [3][3]float64 // E ccᵀ
	for i := range 3 {
		first[i] = 1
		for k := range 3 {
			first[i] *= lognormal(sigma[k], powers[i][k])
		}
		for j := range 3 {
			second[i][j] = 1
			for k := range 3 {
				second[i][j] *= lognormal(sigma[k], powers[i][k]+powers[j][k])
			}
		}
	}
	n, at := len(s.Points), 60*float64(minute)
	waves := spectrum(at, c.Longitude)
	b := make([][3]float64, n)
	features := mat.NewDense(n, 2*len(waves), nil)
	p := process{make([]float64, n), mat.NewSymDense(n, nil)}
	for i, q := range s.Points {
		night, day, crest := sky.Background(1, 0, 0, at, q.Lat, q.Lon), sky.Background(0, 1, 0, at, q.Lat, q.Lon), sky.Background(0, 1, 1, at, q.Lat, q.Lon)
		b[i] = [3]float64{night, day, crest - day}
		for k := range 3 {
			p.mean[i] += metresPerTECU * b[i][k] * first[k]
		}
		east, north := math.Remainder(q.Lon-c.Longitude, 360)*degree*math.Cos(c.Latitude*radian), (q.Lat-c.Latitude)*degree
		for k, w := range waves {
			sin, cos := math.Sincos(w.east*east + w.north*north)
			features.Set(i, 2*k, w.amplitude/math.Sqrt2*cos)
			features.Set(i, 2*k+1, w.amplitude/math.Sqrt2*sin)
		}
	}
	var moving mat.SymDense
	moving.SymOuterK(c.Waves*c.Waves, features)
	for i := range n {
		for j := range i + 1 {
			vi, vj, vv := p.mean[i]/metresPerTECU, p.mean[j]/metresPerTECU, 0.0
			for k := range 3 {
				for l := range 3 {
					vv += b[i][k] * second[k][l] * b[j][l]
				}
			}
			tec := vv - vi*vj + (.25+(vi+vj)/120+vv/3600)*moving.At(i, j)
			p.covariance.SetSym(i, j, metresPerTECU*metresPerTECU*tec)
		}
		noise := c.Phase / 1e3 * math.Cos(s.Points[i].Zenith) / math.Sin(s.Points[i].Elevation)
		p.covariance.SetSym(i, i, p.covariance.At(i, i)+noise*noise)
	}
	return p
}

// signs are those of the four points of a double difference.
var signs = [4]float64{1, -1, -1, 1}

// functionals returns the matrix that takes double differences of what points have.
func functionals(of []vtec.Difference, points int) *mat.Dense {
	a := mat.NewDense(len(of), points, nil)
	for i, d := range of {
		for k, p := range d.Points {
			a.Set(i, int(p), a.At(i, int(p))+signs[k])
		}
	}
	return a
}

// spanning returns the training differences on edges of which none closes a loop.
// The others are sums of them, to the last bit of noise, and say nothing new.
func spanning(net sky.Network, train []vtec.Difference) (of []vtec.Difference) {
	part := make([]int, len(net.Stations))
	for i := range part {
		part[i] = i
	}
	keep := make([]bool, len(net.Edges))
	for k, e := range net.Edges {
		if from, to := part[e[0]], part[e[1]]; from != to && e[0] != net.Test && e[1] != net.Test {
			keep[k] = true
			for i := range part {
				if part[i] == from {
					part[i] = to
				}
			}
		}
	}
	for _, d := range train {
		if keep[d.Edge] {
			of = append(of, d)
		}
	}
	return of
}

// predict returns the conditional mean of the test differences given those of the
// training, A the functionals of the first and B of the latter:
//
//	A·m + A·C·Bᵀ·(B·C·Bᵀ)⁻¹·(y − B·m)
func (p *process) predict(t *testing.T, net sky.Network, s *sky.Snapshot, w *vtec.Window) (mean []float64) {
	a, b := functionals(w.Test, len(s.Points)), functionals(spanning(net, w.Train), len(s.Points))
	prior := mat.NewVecDense(len(p.mean), p.mean)
	observed := mat.NewVecDense(len(s.Points), nil)
	for i, q := range s.Points {
		observed.SetVec(i, q.Delay)
	}
	var left, y mat.VecDense
	left.SubVec(observed, prior)
	y.MulVec(b, &left)
	var ac, across, bc, full mat.Dense
	ac.Mul(a, p.covariance)
	across.Mul(&ac, b.T())
	bc.Mul(b, p.covariance)
	full.Mul(&bc, b.T())
	var weights mat.Dense
	require.NoError(t, weights.Solve(&full, across.T()))
	var base, known mat.VecDense
	base.MulVec(a, prior)
	known.MulVec(weights.T(), &y)
	for i := range w.Test {
		mean = append(mean, base.AtVec(i)+known.AtVec(i))
	}
	return mean
}

// pageTuning returns what the page fits the six methods with.
func pageTuning(t *testing.T) vtec.Tuning {
	t.Helper()
	s, notices := spec.ParseIonosphere("")
	require.Empty(t, notices)
	return vtec.Tuning{vtec.Ridge: {Penalty: s.Ridge}, vtec.LASSO: {Penalty: s.LASSO}, vtec.ElasticNet: {Penalty: s.ElasticNet, Shape: s.NetRatio}, vtec.Kernel: {Penalty: s.Kernel, Shape: s.Gamma}, vtec.FM: {Rank: s.FMRank, Penalty: s.FMLambda, Linear: s.FMLinear}, vtec.IFM: {Rank: s.IFMRank, Penalty: s.IFMLambda, Linear: s.IFMLinear}}
}

// The page says so of its table, whose stride is 20: there the process is off by
// .00830 m, iFM, the best of the six, by .01465. With a stride of 120 these are
// .00785 and .01514.
func TestAGaussianProcessThatKnowsTheSimulatorIsFarBelowTheSix(t *testing.T) {
	if testing.Short() {
		t.Skip("108 windows, each with a process and six methods, take some eight seconds")
	}
	sim, err := sky.NewSimulator(usual)
	require.NoError(t, err)
	six := []vtec.Method{vtec.Ridge, vtec.LASSO, vtec.ElasticNet, vtec.Kernel, vtec.FM, vtec.IFM}
	settings := vtec.Settings{Seed: 1, Stride: 120, Days: len(sim.Days()), Methods: six, Tuning: pageTuning(t)}
	e, err := vtec.NewExperiment(sim, settings)
	require.NoError(t, err)
	settings.Methods = make([]vtec.Method, 1) // a column of the table, for the process
	alone, err := vtec.NewExperiment(sim, settings)
	require.NoError(t, err)
	net, windows := sim.Network(), e.Windows()
	results, own := make([]vtec.Result, len(windows)), make([]vtec.Result, len(windows))
	for i, at := range windows {
		results[i], err = e.Window(i)
		require.NoError(t, err)
		own[i] = results[i]
		if results[i].Unusable != "" {
			continue
		}
		s, err := sim.Snapshot(at.Day, at.Minute)
		require.NoError(t, err)
		w, err := vtec.NewWindow(&net, &s)
		require.NoError(t, err)
		p := newProcess(&usual, &s, at.Minute)
		mean := p.predict(t, net, &s, w)
		sum := 0.0
		for k, y := range w.YTest {
			sum += (y - mean[k]) * (y - mean[k])
		}
		own[i].Squares, own[i].Bands = []float64{sum}, [vtec.Elevations]vtec.Band{}
	}
	process := alone.Tabulate(own, nil)
	for d, row := range e.Tabulate(results, nil).Days {
		for k, m := range six {
			assert.Less(t, process.Days[d].RMSE[0], row.RMSE[k], "%s, %s", row.Day, m)
		}
	}
	average := e.Tabulate(results, nil).Average
	for k, m := range six {
		assert.Less(t, process.Average.RMSE[0], .65*average.RMSE[k], "%s", m)
	}
}
