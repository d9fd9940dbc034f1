package vtec

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/linear"
	"ifmlab/core/vtec/sky"
)

// dot is the sum of products, term by term.
func dot(x, y []float64) (sum float64) {
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

// rmsOf is how large numbers are.
func rmsOf(x []float64) float64 { return math.Sqrt(dot(x, x) / float64(len(x))) }

// solveSlowly returns (A + λI)⁻¹b by gonum.
func solveSlowly(a []float64, n int, lambda float64, b []float64) []float64 {
	m := mat.NewDense(n, n, append([]float64{}, a...))
	for i := range n {
		m.Set(i, i, m.At(i, i)+lambda)
	}
	x := mat.NewVecDense(n, nil)
	if err := x.SolveVec(m, mat.NewVecDense(n, b)); err != nil && x.AtVec(0) == 0 {
		panic(err)
	}
	return x.RawVector().Data
}

func TestRidgeOnAWindowSolvesItsNormalEquations(t *testing.T) {
	for seed := range uint64(5) {
		w := fakeWindow(t, seed, 7, 13)
		n, d := len(w.Train), w.D
		gram, right := make([]float64, d*d), make([]float64, d)
		for i := range n {
			z := w.Z[i*d:][:d]
			for j := range d {
				right[j] += z[j] * w.Y[i]
				for k := range d {
					gram[j*d+k] += z[j] * z[k]
				}
			}
		}
		for _, lambda := range []float64{1e-4, .01, 1, 1e6} {
			want, got := solveSlowly(gram, d, lambda, right), make([]float64, len(w.Test))
			require.NoError(t, w.Predict(got, Ridge, Parameters{Penalty: lambda}, nil))
			for i := range got {
				// The condition number is that of an angle beside its sine, 1e4/λ or so.
				require.InDelta(t, dot(w.ZTest[i*d:][:d], want), got[i], 1e-9*rmsOf(w.Y), "λ = %g", lambda)
			}
		}
	}
}

// netSlowly is coordinate descent on rows and residuals, as scikit-learn does it,
// until nothing moves.
func netSlowly(w *Window, alpha, ratio float64) []float64 {
	n, d := len(w.Train), w.D
	weights, residual := make([]float64, d), append([]float64{}, w.Y...)
	for range 200000 {
		moved := 0.0
		for j := range d {
			slope, square := 0.0, 0.0
			for i := range n {
				slope += w.Z[i*d+j] * residual[i]
				square += w.Z[i*d+j] * w.Z[i*d+j]
			}
			if square == 0 {
				continue
			}
			target := slope + square*weights[j]
			v := math.Copysign(max(math.Abs(target)-float64(n)*alpha*ratio, 0), target) / (square + float64(n)*alpha*(1-ratio))
			for i := range n {
				residual[i] -= w.Z[i*d+j] * (v - weights[j])
			}
			moved = max(moved, math.Abs(v-weights[j])*math.Sqrt(square))
			weights[j] = v
		}
		if moved < 1e-14 {
			break
		}
	}
	return weights
}

func TestElasticNetsOnAWindowAreThoseOfSlowSweepsOverItsRows(t *testing.T) {
	w := fakeWindow(t, 3, 5, 10)
	got := make([]float64, len(w.Test))
	for _, alpha := range []float64{1e-4, 1e-3, .01, 1e9} {
		for _, ratio := range []float64{.1, .5, 1} {
			want := netSlowly(w, alpha, ratio)
			require.NoError(t, w.Predict(got, ElasticNet, Parameters{Penalty: alpha, Shape: ratio}, nil))
			for i := range got {
				require.InDelta(t, dot(w.ZTest[i*w.D:][:w.D], want), got[i], 1e-8*rmsOf(w.Y), "α = %g, ρ = %g", alpha, ratio)
			}
		}
	}
}

func TestKernelRidgeOnAWindowSolvesItsEquation(t *testing.T) {
	w := fakeWindow(t, 5, 7, 13)
	n, d := len(w.Train), w.D
	bump := func(a, b []float64, gamma float64) float64 {
		sum := 0.0
		for j := range a {
			sum += (a[j] - b[j]) * (a[j] - b[j])
		}
		return math.Exp(-gamma * sum)
	}
	got := make([]float64, len(w.Test))
	for _, gamma := range []float64{1e-3, .1, 10} {
		for _, alpha := range []float64{1e-4, .1, 1e3} {
			k := make([]float64, n*n)
			for i := range n {
				for j := range n {
					k[i*n+j] = bump(w.Z[i*d:][:d], w.Z[j*d:][:d], gamma)
				}
			}
			c := solveSlowly(k, n, alpha, w.Y)
			require.NoError(t, w.kernelRidge(got, alpha, gamma))
			for i := range got {
				want := 0.0
				for j := range n {
					want += c[j] * bump(w.ZTest[i*d:][:d], w.Z[j*d:][:d], gamma)
				}
				// The condition number is n/α at most, 2e6.
				require.InDelta(t, want, got[i], 1e-9*rmsOf(w.Y), "α = %g, γ = %g", alpha, gamma)
			}
		}
	}
}

func TestColumnsThatDoNotVaryAndNoPenaltyLeaveABaselineFinite(t *testing.T) {
	w := fakeWindow(t, 8, 5, 13)
	for i := range w.Train {
		w.Z[i*w.D+2*w.M] = 0
		w.Z[i*w.D+2*w.M+1] = w.Z[i*w.D+2*w.M+2]
	}
	got := make([]float64, len(w.Test))
	for name, fit := range map[string]func() error{
		"ridge":  func() error { return w.Predict(got, Ridge, Parameters{Penalty: 0}, nil) },
		"lasso":  func() error { return w.Predict(got, ElasticNet, Parameters{Penalty: 0, Shape: 1}, nil) },
		"kernel": func() error { return w.kernelRidge(got, 1e-6, 1e-4) },
	} {
		require.NoError(t, fit(), name)
		assert.Less(t, rmsOf(got), 100*rmsOf(w.Y), name)
	}
}

func TestATuningThatNoFitCanUseIsRefused(t *testing.T) {
	w := fakeWindow(t, 9, 5, 13)
	dst := make([]float64, len(w.Test))
	for _, c := range []struct {
		method Method
		of     Parameters
		says   string
	}{
		{Ridge, Parameters{Penalty: -1}, "linear: the penalty is -1, expected a finite number of at least 0"},
		{ElasticNet, Parameters{Penalty: math.Inf(1), Shape: .5}, "linear: the penalty is +Inf, expected a finite number of at least 0"},
		{ElasticNet, Parameters{Penalty: 1, Shape: -.1}, "linear: the share of the first norm in the penalty is -0.1, expected 0 to 1"},
		{Kernel, Parameters{Penalty: -1, Shape: 1}, "linear: the penalty is -1, expected a finite number of at least 0"},
		{Kernel, Parameters{Penalty: 1}, "linear: γ is 0, expected a finite number above 0"},
		{Kernel, Parameters{Shape: 1e-9}, "linear: the matrix of the kernel is singular with a penalty of 0: rows are alike, or nearly; raise the penalty, 1e-10 is enough, or γ"},
		{IFM, Parameters{Penalty: 1, Linear: 1}, "vtec: rank of ifm is 0, expected a finite number of at least 1"},
		{IFM, Parameters{Rank: 1, Penalty: -1, Linear: 1}, "vtec: λ of ifm is -1, expected a finite number of at least 0"},
		{IFM, Parameters{Rank: 1, Penalty: math.NaN(), Linear: 1}, "vtec: λ of ifm is NaN, expected a finite number of at least 0"},
		{IFM, Parameters{Rank: 1, Penalty: 1, Linear: math.Inf(1)}, "vtec: λ of w of ifm is +Inf, expected a finite number of at least 0"},
		{GFM, Parameters{}, "vtec: rank of gfm is 0, expected a finite number of at least 1"},
		{Kriging, Parameters{Shape: .5, Penalty: .1}, "vtec: length of kriging is 0.5, expected a finite number of at least 1"},
		{Kriging, Parameters{Shape: math.Inf(1), Penalty: .1}, "vtec: length of kriging is +Inf, expected a finite number of at least 1"},
		{Kriging, Parameters{Shape: 100}, "vtec: noise of kriging is 0, expected a finite number of at least 0.001"},
		{Kriging, Parameters{Shape: 100, Penalty: math.NaN()}, "vtec: noise of kriging is NaN, expected a finite number of at least 0.001"},
	} {
		assert.EqualError(t, w.Predict(dst, c.method, c.of, rand.New(rand.NewPCG(1, 2))), c.says)
	}
	w.Y[0], w.normalEquations = math.Inf(1), nil
	assert.ErrorAs(t, w.Predict(dst, Ridge, Parameters{Penalty: 1}, nil), new(*linear.UnsettledError))
}

// slowKriging is universal kriging as its doc states it, by dense matrices: a row for
// each way from the first training station of a piece of the net to another, instead
// of a forest of edges; generalized least squares by an inverse; places by haversines.
func slowKriging(w *Window, pieces []int, length, noise float64) []float64 {
	var rows [][4]int
	for s := range w.M {
		for k, piece := range pieces {
			if first := firstOf(pieces, piece, w.test); s != w.Reference && k != w.test && k != first {
				rows = append(rows, [4]int{s*w.stations + first, s*w.stations + k, w.Reference*w.stations + first, w.Reference*w.stations + k})
			}
		}
	}
	n, points := len(rows), len(w.points)
	a := mat.NewDense(n+len(w.Test), points, nil)
	add := func(i int, p [4]int) {
		for k, v := range p {
			a.Set(i, v, a.At(i, v)+signs[k])
		}
	}
	for i, p := range rows {
		add(i, p)
	}
	for i, d := range w.Test {
		add(n+i, [4]int{int(d.Points[0]), int(d.Points[1]), int(d.Points[2]), int(d.Points[3])})
	}
	stretch := func(p int) float64 {
		if w.slant {
			return 1 / math.Cos(w.points[p].Zenith)
		}
		return 1
	}
	const degree = math.Pi / 180
	covariance, values := mat.NewDense(points, points, nil), mat.NewDense(points, 1, nil)
	for p, x := range w.points {
		values.Set(p, 0, x.Delay)
		for q, y := range w.points {
			h := math.Pow(math.Sin((x.Lat-y.Lat)*degree/2), 2) + math.Cos(x.Lat*degree)*math.Cos(y.Lat*degree)*math.Pow(math.Sin((x.Lon-y.Lon)*degree/2), 2)
			r := 2 * (6371 + 400) * math.Sqrt(h)
			v := (1 + math.Sqrt(3)*r/length) * math.Exp(-math.Sqrt(3)*r/length)
			if p == q {
				v += math.Pow(noise*math.Cos(x.Zenith)/math.Sin(x.Elevation), 2)
			}
			covariance.Set(p, q, v*stretch(p)*stretch(q))
		}
	}
	// Any two coordinates that span the same plane have the same trends: here those of
	// the plane through the middle at right angles to it, turned by 40°.
	var middle [3]float64
	at := make([][3]float64, points)
	for p, x := range w.points {
		at[p] = [3]float64{math.Cos(x.Lat*degree) * math.Cos(x.Lon*degree), math.Cos(x.Lat*degree) * math.Sin(x.Lon*degree), math.Sin(x.Lat * degree)}
		if p%w.stations != w.test {
			for c, v := range at[p] {
				middle[c] += v
			}
		}
	}
	lat, lon := math.Atan2(middle[2], math.Hypot(middle[0], middle[1])), math.Atan2(middle[1], middle[0])
	trend := mat.NewDense(points, 5, nil)
	for p, x := range at {
		east := -x[0]*math.Sin(lon) + x[1]*math.Cos(lon)
		north := x[2]*math.Cos(lat) - (x[0]*math.Cos(lon)+x[1]*math.Sin(lon))*math.Sin(lat)
		u, v := 20*(east*math.Cos(.7)+north*math.Sin(.7)), 20*(north*math.Cos(.7)-east*math.Sin(.7))
		for t, f := range [5]float64{u, v, u * u, u * v, v * v} {
			trend.Set(p, t, f*stretch(p))
		}
	}
	var s, all, f, y, inverse, fs, fsf, beta, fitted, rest, weights, c, answer, ft, of mat.Dense
	all.Product(a, covariance, a.T())
	s.CloneFrom(all.Slice(0, n, 0, n))
	c.CloneFrom(all.Slice(n, n+len(w.Test), 0, n))
	f.Mul(a, trend)
	ft.CloneFrom(f.Slice(n, n+len(w.Test), 0, 5))
	of.Mul(a, values)
	y.CloneFrom(of.Slice(0, n, 0, 1))
	train := f.Slice(0, n, 0, 5)
	if err := inverse.Inverse(&s); err != nil {
		panic(err)
	}
	fs.Mul(train.T(), &inverse)
	fsf.Mul(&fs, train)
	var right mat.Dense
	right.Mul(&fs, &y)
	if err := beta.Solve(&fsf, &right); err != nil {
		panic(err)
	}
	fitted.Mul(train, &beta)
	rest.Sub(&y, &fitted)
	weights.Mul(&inverse, &rest)
	answer.Mul(&c, &weights)
	var more mat.Dense
	more.Mul(&ft, &beta)
	answer.Add(&answer, &more)
	return mat.Col(nil, 0, &answer)
}

func firstOf(pieces []int, piece, test int) int {
	for k, v := range pieces {
		if v == piece && k != test {
			return k
		}
	}
	return -1
}

// pieces numbers the pieces that the training stations fall into.
func (w *Window) pieces() []int {
	of := make([]int, w.stations)
	for i := range of {
		of[i] = i
	}
	for range of {
		for _, e := range w.edges {
			if e[0] != w.test && e[1] != w.test {
				least := min(of[e[0]], of[e[1]])
				of[e[0]], of[e[1]] = least, least
			}
		}
	}
	return of
}

func TestKrigingIsDenseGeneralizedLeastSquares(t *testing.T) {
	for name, w := range oddWindows(t) {
		if name == "one edge" || name == "one place" {
			continue // the trend is open there, and any will do
		}
		for _, slant := range []bool{false, true} {
			w.slant = slant
			for _, c := range [][2]float64{{600, .03}, {150, .3}, {3000, .01}} {
				got := make([]float64, len(w.Test))
				require.NoError(t, w.Predict(got, Kriging, Parameters{Shape: c[0], Penalty: c[1]}, nil))
				want := slowKriging(w, w.pieces(), c[0], c[1])
				// The inverse of S loses ten digits of 16 and the penalty of 1e-9 is ours.
				assert.InDeltaSlice(t, want, got, 1e-5*math.Sqrt(squared(w.Y)/float64(len(w.Y))), "%s, slant %v, %v", name, slant, c)
			}
		}
		w.slant = false
	}
}

// With the least parameters that are allowed, and stations in a line, which leave the
// trend across it open, there is still a prediction.
func TestKrigingBearsANetInALine(t *testing.T) {
	net := fakeNet(9)
	for i := range net.Stations {
		net.Stations[i].Lat, net.Stations[i].Lon = 30, 115+.8*float64(i)
	}
	net.Edges = nil
	for i := range net.Stations[1:] {
		net.Edges = append(net.Edges, [2]int{i, i + 1})
	}
	s := fakeSnapshot(rand.New(rand.NewPCG(2, 2)), net, 5)
	w := must(NewWindow(&net, &s))
	dst := make([]float64, len(w.Test))
	require.NoError(t, w.Predict(dst, Kriging, Parameters{Shape: 1e5, Penalty: leastNoise}, nil))
}

func TestABlindWindowLearnsNothingFromAngles(t *testing.T) {
	net := fakeNet(13)
	s := fakeSnapshot(rand.New(rand.NewPCG(6, 1)), net, 6)
	turned := sky.Snapshot{Satellites: s.Satellites, Points: append([]sky.Point{}, s.Points...)}
	for p := range turned.Points {
		turned.Points[p].Azimuth = math.Mod(turned.Points[p].Azimuth+1+.1*float64(p%13), 2*math.Pi)
	}
	tuning := Tuning{Ridge: {Penalty: .01}, Kernel: {Penalty: .1, Shape: .01}, IFM: {Rank: 2, Penalty: .1, Linear: .1}, GFM: {Rank: 2, Penalty: .1}}
	for _, m := range []Method{Ridge, Kernel, IFM, GFM} {
		var blind, seeing [2][]float64
		for i, shot := range []*sky.Snapshot{&s, &turned} {
			for _, c := range []struct {
				make func(*sky.Network, *sky.Snapshot) (*Window, error)
				to   *[]float64
			}{{NewBlindWindow, &blind[i]}, {NewWindow, &seeing[i]}} {
				w := must(c.make(&net, shot))
				*c.to = make([]float64, len(w.Test))
				require.NoError(t, w.Predict(*c.to, m, tuning[m], rand.New(rand.NewPCG(1, 1))))
			}
		}
		assert.Equal(t, blind[0], blind[1], m)
		assert.NotEqual(t, seeing[0], seeing[1], m)
	}
}
