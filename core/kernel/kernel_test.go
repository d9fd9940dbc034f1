package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
)

// Lengths around every grouping of the kernels: 0, 1, the tile's 2 and 4, the
// eight running sums, the panel of 128.
var lengths = []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 100, 127, 128, 129, 256, 300}

// eachBody runs a test on every body that this build has, the SIMD one from the
// smallest sizes on.
func eachBody(t *testing.T, test func(t *testing.T)) {
	for _, body := range bodies {
		t.Run(body.name, func(t *testing.T) {
			defer body.use()()
			assert.Equal(t, body.name, Body())
			test(t)
		})
	}
}

// ordered is the order that Dot promises, read literally: terms[i] goes into
// running sum i mod 8.
func ordered(terms []float64) float64 {
	var s [8]float64
	whole := len(terms) / 8 * 8
	for i, v := range terms[:whole] {
		s[i%8] += v
	}
	sum := ((s[0] + s[2]) + (s[4] + s[6])) + ((s[1] + s[3]) + (s[5] + s[7]))
	for _, v := range terms[whole:] {
		sum += v
	}
	return sum
}

func TestDotAddsInTheStatedOrder(t *testing.T) { eachBody(t, dotAddsInTheStatedOrder) }

func dotAddsInTheStatedOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range lengths {
		x, y := gaussian(rng, n), gaussian(rng, n)
		terms := make([]float64, n)
		for i := range terms {
			terms[i] = x[i] * y[i]
		}
		assert.Equal(t, ordered(terms), Dot(x, y), "n = %d", n)
		assert.Equal(t, ordered(x), Sum(x), "n = %d", n)
	}
}

func TestAxpyIsTheObviousLoop(t *testing.T) { eachBody(t, axpyIsTheObviousLoop) }

func axpyIsTheObviousLoop(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for _, n := range lengths {
		x, y := gaussian(rng, n), gaussian(rng, n)
		want := append([]float64{}, y...)
		for i := range want {
			want[i] += float64(-1.7 * x[i])
		}
		Axpy(-1.7, x, y)
		assert.Equal(t, want, y, "n = %d", n)
	}
}

// matrix is an m×n matrix stored with some strides and gaps between its rows.
type matrix struct {
	data             []float64
	rowStep, colStep int
}

func (m matrix) at(i, j int) float64 { return m.data[i*m.rowStep+j*m.colStep] }

// layouts returns one random m×n matrix as rows, as columns, and with both
// strides above 1, without a number to spare after the last element; and matrices
// whose rows are one and the same, or overlap.
func layouts(rng *rand.Rand, m, n int) map[string]matrix {
	result := map[string]matrix{
		"rows":    {rowStep: n, colStep: 1},
		"gaps":    {rowStep: n + 3, colStep: 1},
		"columns": {rowStep: 1, colStep: m + 1},
		"strided": {rowStep: 2*n + 1, colStep: 2},
		"one row": {rowStep: 0, colStep: 1},
		"overlap": {rowStep: 1, colStep: 1},
	}
	values := gaussian(rng, m*n)
	for name, x := range result {
		if m > 0 && n > 0 {
			x.data = gaussian(rng, (m-1)*x.rowStep+(n-1)*x.colStep+1)
		}
		for i := range m {
			for j := range n {
				x.data[i*x.rowStep+j*x.colStep] = values[i*n+j]
			}
		}
		result[name] = x
	}
	return result
}

// literalGemm is Gemm's contract read literally: the stated order for each
// element of C, nothing else.
func literalGemm(m, n, k int, alpha float64, a, b matrix, c []float64, ldc int) {
	for i := range m {
		for j := range n {
			for p0 := 0; p0 < k; p0 += 128 {
				var s float64
				for p := p0; p < min(p0+128, k); p++ {
					s += float64(a.at(i, p) * b.at(p, j))
				}
				c[i*ldc+j] += float64(alpha * s)
			}
		}
	}
}

func TestGemmAddsInTheStatedOrder(t *testing.T) { eachBody(t, gemmAddsInTheStatedOrder) }

func gemmAddsInTheStatedOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	shapes := [][3]int{{128, 8, 100}, {100, 8, 128}, {9, 40, 257}, {33, 17, 130}, {1100, 1, 131}, {523, 5, 7}, {1, 1, 1}, {0, 3, 3}, {3, 0, 3}, {3, 3, 0}}
	for _, m := range []int{1, 2, 3, 4, 5, 8, 11} {
		for _, n := range []int{1, 2, 3, 16, 17} {
			for _, k := range []int{1, 2, 7, 128, 129} {
				shapes = append(shapes, [3]int{m, n, k})
			}
		}
	}
	for _, shape := range shapes {
		m, n, k := shape[0], shape[1], shape[2]
		for nameA, a := range layouts(rng, m, k) {
			for nameB, b := range layouts(rng, k, n) {
				ldc := n + rng.IntN(3)
				c := gaussian(rng, m*ldc)
				want := append([]float64{}, c...)
				literalGemm(m, n, k, -1.3, a, b, want, ldc)
				Gemm(m, n, k, -1.3, a.data, a.rowStep, a.colStep, b.data, b.rowStep, b.colStep, c, ldc)
				require.Equal(t, want, c, "%d×%d×%d, A by %s, B by %s", m, n, k, nameA, nameB)
			}
		}
	}
}

func TestGemmKeepsOtherNumbersOutOfASum(t *testing.T) { eachBody(t, gemmKeepsOtherNumbersOutOfASum) }

func gemmKeepsOtherNumbersOutOfASum(t *testing.T) {
	// Padding must not let an Inf or NaN of one row or column reach another.
	for _, bad := range []float64{math.Inf(1), math.NaN()} {
		a := []float64{1, 2, bad, 3, 4, 5}                // 3×2, bad in row 1
		b := []float64{1, 0, bad, 0, 1, 1}                // 2×3, bad in column 2
		c := make([]float64, 9)                           // 3×3
		Gemm(3, 3, 2, 1, a, 2, 1, b, 3, 1, c, 3)          // rows 0 and 2, columns 0 and 1 see neither
		assert.Equal(t, []float64{1, 2}, c[:2])           // row 0
		assert.Equal(t, []float64{4, 5}, c[6:8])          // row 2
		assert.False(t, math.Abs(c[2]) < math.MaxFloat64) // and column 2 is not finite
	}
}

func TestGemmPanicsBeforeWritingWhenASliceIsShort(t *testing.T) {
	eachBody(t, gemmPanicsBeforeWritingWhenASliceIsShort)
}

func gemmPanicsBeforeWritingWhenASliceIsShort(t *testing.T) {
	c := make([]float64, 4)
	assert.Panics(t, func() { Gemm(2, 2, 2, 1, make([]float64, 3), 2, 1, make([]float64, 4), 2, 1, c, 2) })
	assert.Panics(t, func() { Gemm(2, 2, 2, 1, make([]float64, 4), 2, 1, make([]float64, 3), 2, 1, c, 2) })
	assert.Panics(t, func() { Gemm(2, 2, 2, 1, []float64{1, 1, 1, 1}, 2, 1, []float64{1, 1, 1, 1}, 2, 1, c[:3:3], 2) })
	four := []float64{1, 1, 1, 1}
	assert.Panics(t, func() { Gemm(2, 2, 2, 1, four, -2, 1, four, 2, 1, c, 2) })
	assert.Panics(t, func() { Gemm(2, -2, 2, 1, four, 2, 1, four, 2, 1, c, 2) })
	assert.Panics(t, func() { Gemm(2, 2, 2, 1, four, 2, 1, four, 2, 1, c, 1) })
	assert.Panics(t, func() { Dot(four, four[:3:3]) })
	assert.Panics(t, func() { Axpy(1, four, c[:3:3]) })
	assert.Panics(t, func() { RowSquares(c, four, four) })
	assert.Panics(t, func() { ColSquares(c, four, four) })
	assert.Panics(t, func() { RowDots(c, four, four, 2) })
	assert.Panics(t, func() { RowScale(c, four, four, 2) })
	assert.Equal(t, make([]float64, 4), c)
}

func TestSquaresAddInTheStatedOrder(t *testing.T) { eachBody(t, squaresAddInTheStatedOrder) }

func squaresAddInTheStatedOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for _, n := range []int{0, 1, 2, 3, 4, 5, 9, 128, 131} {
		for _, d := range []int{0, 1, 2, 7, 8, 9, 16, 100} {
			x, c, r := gaussian(rng, n*d), gaussian(rng, d), gaussian(rng, n)
			want, got := make([]float64, n), gaussian(rng, n)
			for i := range want {
				terms := make([]float64, d)
				for j := range terms {
					terms[j] = float64(c[j]*x[i*d+j]) * x[i*d+j]
				}
				want[i] = ordered(terms)
			}
			RowSquares(got, x, c)
			require.Equal(t, want, got, "RowSquares, n = %d, d = %d", n, d)

			got = gaussian(rng, d)
			want = append([]float64{}, got...)
			for j := range want {
				for i := range n {
					want[j] += float64(float64(r[i]*x[i*d+j]) * x[i*d+j])
				}
			}
			ColSquares(got, x, r)
			require.Equal(t, want, got, "ColSquares, n = %d, d = %d", n, d)
		}
	}
}

func TestRowOperationsAreTheObviousLoops(t *testing.T) { eachBody(t, rowOperationsAreTheObviousLoops) }

func rowOperationsAreTheObviousLoops(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 6))
	for _, n := range []int{0, 1, 5, 128} {
		for _, k := range []int{0, 1, 2, 3, 8, 11} {
			a, b, r := gaussian(rng, n*k), gaussian(rng, n*k), gaussian(rng, n)
			dots, scaled := make([]float64, n), make([]float64, n*k)
			for i := range n {
				for f := range k {
					dots[i] += float64(a[i*k+f] * b[i*k+f])
					scaled[i*k+f] = r[i] * a[i*k+f]
				}
			}
			got := gaussian(rng, n)
			RowDots(got, a, b, k)
			require.Equal(t, dots, got, "RowDots, n = %d, k = %d", n, k)
			RowScale(a, r, a, k) // in place
			require.Equal(t, scaled, a, "RowScale, n = %d, k = %d", n, k)
		}
	}
}

func gaussian(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func TestNothingAllocates(t *testing.T) {
	eachBody(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 7))
		const n, d, k = 13, 9, 3
		x, p, r := gaussian(rng, n*d), gaussian(rng, d*k), gaussian(rng, n*k)
		ones, _ := sparse(rng, n, d, .3)
		for name, f := range map[string]func(){
			"Gemm":       func() { Gemm(n, k, d, 1, x, d, 1, p, k, 1, r, k) },
			"RowSquares": func() { RowSquares(r[:n], x, p[:d]) },
			"ColSquares": func() { ColSquares(p[:d], x, r[:n]) },
			"RowDots":    func() { RowDots(x[:n], r, r, k) },
			"RowScale":   func() { RowScale(r, x[:n], r, k) },
			"Axpy":       func() { Axpy(1e-3, x[:n], r[:n]) },
			"Forward":    func() { ones.Rows(2, n).Forward(r[:(n-2)*k], p, k) },
			"Adjoint":    func() { ones.Adjoint(p, r, k) },
		} {
			assert.Zero(t, testing.AllocsPerRun(10, f), name)
		}
	})
}

func TestTheLogLossIsThatOfItsDefinition(t *testing.T) {
	for _, f := range []float64{0, .3, -.3, 1, -2, 5, -8, 20, -20} {
		p := 1 / (1 + math.Exp(-f))
		assert.InEpsilon(t, p, Logistic(f), 1e-15)
		for y, of := range []float64{1 - p, p} {
			loss, slope, bend := LogLossSlopes(f, float64(y))
			// 1 − p has lost 9 digits to p at f = 20, of which 1e-16/2e-9 is left.
			assert.InEpsilon(t, -math.Log(of), loss, 1e-7, "f %g, y %d", f, y)
			assert.Equal(t, loss, LogLoss(f, float64(y)))
			assert.InDelta(t, p-float64(y), slope, 1e-15)
			assert.InDelta(t, p*(1-p), bend, 1e-15)
			at := func(f float64) float64 { return LogLoss(f, float64(y)) }
			// Central differences with steps of 6e-6 are good to 1e-16·loss/6e-6.
			assert.InDelta(t, fd.Derivative(at, f, &fd.Settings{Formula: fd.Central}), slope, 1e-8)
			at = func(f float64) float64 { _, s, _ := LogLossSlopes(f, float64(y)); return s }
			assert.InDelta(t, fd.Derivative(at, f, &fd.Settings{Formula: fd.Central}), bend, 1e-8)
		}
	}
}

func TestTheLogLossHasItsDigitsFarOut(t *testing.T) {
	for _, f := range []float64{50, 300, 700} {
		small := math.Exp(-f)
		for sign, y := range map[float64]float64{1: 1, -1: 0} { // right
			loss, slope, bend := LogLossSlopes(sign*f, y)
			assert.InEpsilon(t, small, loss, 1e-15)
			assert.InEpsilon(t, -sign*small, slope, 1e-15)
			assert.InEpsilon(t, small, bend, 1e-15)
			loss, slope, _ = LogLossSlopes(-sign*f, y) // wrong
			assert.Equal(t, f, loss)
			assert.Equal(t, -sign, slope)
		}
		assert.InEpsilon(t, small, Logistic(-f), 1e-15)
	}
	assert.Equal(t, 1e300, LogLoss(1e300, 0), "no exponential overflows")
	assert.Zero(t, LogLoss(1e300, 1))
	assert.Equal(t, 1.0, Logistic(1e300))
	assert.Zero(t, Logistic(-1e300))
	assert.True(t, math.IsNaN(LogLoss(math.NaN(), 1)))
}

func TestTheSoftmaxIsThatOfItsDefinition(t *testing.T) {
	for _, f := range [][]float64{{0}, {1, -2, .5}, {700, 690, -700, 705}, {-800, -801}} {
		p, at := make([]float64, len(f)), slices.Max(f)
		Softmax(p, f)
		for without := -1; without < len(f) && len(f) > 1; without++ {
			sum := 0.0
			for c, v := range f {
				if c != without {
					sum += math.Exp(v - at)
				}
			}
			assert.InDelta(t, at+math.Log(sum), LogSumExp(f, without), 1e-12*math.Abs(at), "%v without %d", f, without)
		}
		assert.InDelta(t, 1, Sum(p), 1e-12)
		for c, v := range f {
			assert.InDelta(t, math.Exp(v-at), p[c]/slices.Max(p), 1e-12, "%v, %d", f, c)
		}
	}
}

// sparse draws m×d zeros and ones, some rows without a one, as a Sparse that is
// cut out of a longer one, and written out.
func sparse(rng *rand.Rand, m, d int, share float64) (Sparse, []float64) {
	start, column, dense := []int32{0}, []int32(nil), make([]float64, (m+2)*d)
	for i := range m + 2 {
		for j := range d {
			if rng.Float64() < share && i%5 != 3 {
				column = append(column, int32(j))
				dense[i*d+j] = 1
			}
		}
		start = append(start, int32(len(column)))
	}
	return NewSparse(d, start, column, nil).Rows(1, m+1), dense[d : (m+1)*d]
}

// The SIMD body trusts what was checked here: it must never leave its slices.
func TestSparseRefusesWhatDoesNotFit(t *testing.T) { eachBody(t, sparseRefusesWhatDoesNotFit) }

func sparseRefusesWhatDoesNotFit(t *testing.T) {
	assert.Panics(t, func() { NewSparse(3, nil, nil, nil) })
	assert.PanicsWithValue(t, "kernel: element 0 of a sparse matrix is in column 3 of 3", func() { NewSparse(3, []int32{0, 1}, []int32{3}, nil) })
	assert.PanicsWithValue(t, "kernel: row 1 of a sparse matrix starts at 2, after 0 and of 1", func() { NewSparse(3, []int32{0, 2}, []int32{1}, nil) })
	assert.Panics(t, func() { NewSparse(3, []int32{0, 1}, []int32{-1}, nil) })
	assert.Panics(t, func() { NewSparse(3, []int32{0, 2}, []int32{1}, nil) })
	assert.Panics(t, func() { NewSparse(3, []int32{-1, 1}, []int32{1}, nil) })
	assert.Panics(t, func() { NewSparse(3, []int32{0, 1, 0, 1}, []int32{1}, nil) })
	z := NewSparse(3, []int32{0, 1, 2}, []int32{0, 2}, nil)
	dst, acc := make([]float64, 4), make([]float64, 6)
	assert.Panics(t, func() { z.Forward(dst, make([]float64, 5), 2) })
	assert.Panics(t, func() { z.Forward(dst[:3:3], make([]float64, 6), 2) })
	assert.Panics(t, func() { z.Adjoint(acc[:5:5], make([]float64, 4), 2) })
	assert.Panics(t, func() { z.Adjoint(acc, make([]float64, 3), 2) })
	assert.Panics(t, func() { z.Forward(dst, acc, -1) })
	assert.Equal(t, make([]float64, 4), dst)
	assert.Equal(t, make([]float64, 6), acc)
	columns, values := z.Row(1)
	assert.Equal(t, []int32{2}, columns)
	assert.Nil(t, values, "all are 1")
}

func TestSparseProductsAddInTheStatedOrder(t *testing.T) {
	eachBody(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for _, m := range []int{0, 1, 4, 9, 128} {
			for _, d := range []int{1, 3, 17, 70} {
				for _, k := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 31} {
					for _, valued := range []bool{false, true} {
						z, x := sparse(rng, m, d, .4)
						if valued {
							value := gaussian(rng, len(z.column))
							e := z.start[0]
							for i := range x {
								if x[i] != 0 {
									x[i] = value[e]
									e++
								}
							}
							z = NewSparse(d, z.start, z.column, value)
						}
						p, r := gaussian(rng, d*k), gaussian(rng, m*k)
						got := [][]float64{gaussian(rng, m*k), gaussian(rng, d*k), gaussian(rng, m), gaussian(rng, d)}
						var want [][]float64
						for _, of := range got {
							want = append(want, append([]float64{}, of...))
						}
						z.Forward(got[0], p, k)
						z.Adjoint(got[1], r, k)
						z.SquaresForward(got[2], p[:d])
						z.SquaresAdjoint(got[3], r[:m])
						for i := range m {
							for j := range d {
								v := x[i*d+j]
								want[2][i] += float64(float64(v*v) * p[j])
								want[3][j] += float64(float64(v*v) * r[i])
								for f := range k {
									want[0][i*k+f] += float64(v * p[j*k+f])
									want[1][j*k+f] += float64(v * r[i*k+f])
								}
							}
						}
						// The order is the same and adding 0 changes nothing: the same bits.
						require.Equal(t, want, got, "m = %d, d = %d, k = %d, valued %v", m, d, k, valued)
					}
				}
			}
		}
	})
	assert.Panics(t, func() { NewSparse(2, []int32{0, 1}, []int32{2}, []float64{1}) })
	assert.Panics(t, func() { NewSparse(2, []int32{0, 1}, []int32{1}, []float64{1, 2}) })
}

// hats draws m rows of hats over columns of 2 to 4 knots each, cut out of a longer
// matrix, and written out.
func hats(rng *rand.Rand, m, columns int) (Hats, []float64, int) {
	first, d := make([]int, columns), 0
	knots := make([]int, columns)
	for c := range columns {
		first[c], knots[c] = d, 2+rng.IntN(3)
		d += knots[c]
	}
	var left []int32
	var at []float64
	dense := make([]float64, (m+2)*d)
	for i := range m + 2 {
		for c := range columns {
			j, t := first[c]+rng.IntN(knots[c]-1), float64(rng.IntN(5))/4
			left, at = append(left, int32(j)), append(at, t)
			dense[i*d+j] += 1 - t
			dense[i*d+j+1] += t
		}
	}
	return NewHats(d, columns, left, at).Rows(1, m+1), dense[d : (m+1)*d], d
}

func TestHatsMultiplyAsTheMatrixWrittenOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, m := range []int{0, 1, 7, 130} {
		for _, columns := range []int{1, 3, 8} {
			for _, k := range []int{0, 1, 2, 5, 9} {
				z, x, d := hats(rng, m, columns)
				p, r, c, s := gaussian(rng, d*k), gaussian(rng, m*k), gaussian(rng, d), gaussian(rng, m)
				forward, adjoint := make([]float64, m*k), make([]float64, d*k)
				squares, squaresAdjoint := make([]float64, m), make([]float64, d)
				z.Forward(forward, p, k)
				z.Adjoint(adjoint, r, k)
				z.SquaresForward(squares, c)
				z.SquaresAdjoint(squaresAdjoint, s)
				for i := range m {
					for j := range d {
						v := x[i*d+j]
						for f := range k {
							forward[i*k+f] -= v * p[j*k+f]
							adjoint[j*k+f] -= v * r[i*k+f]
						}
						squares[i] -= v * v * c[j]
						squaresAdjoint[j] -= v * v * s[i]
					}
				}
				// Sums of some hundred products of size 1, in another order.
				for _, left := range [][]float64{forward, adjoint, squares, squaresAdjoint} {
					for _, v := range left {
						require.InDelta(t, 0, v, 1e-12)
					}
				}
			}
		}
	}
}

func TestHatsRefuseWhatIsNoMatrix(t *testing.T) {
	assert.NotPanics(t, func() { NewHats(2, 1, []int32{0}, []float64{.5}) })
	assert.Panics(t, func() { NewHats(2, 1, []int32{1}, []float64{.5}) }, "t has no column")
	assert.Panics(t, func() { NewHats(2, 1, []int32{-1}, []float64{.5}) })
	assert.Panics(t, func() { NewHats(2, 2, []int32{0}, []float64{.5}) })
	assert.Panics(t, func() { NewHats(2, 0, nil, nil) })
	assert.Panics(t, func() { NewHats(2, 1, []int32{0, 0}, []float64{.5}) })
}
