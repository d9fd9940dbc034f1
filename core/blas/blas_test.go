package blas

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// oracle is gonum's own.
var oracle blas.Float64 = gonum.Implementation{}

var (
	triangles  = []blas.Uplo{blas.Upper, blas.Lower}
	transposes = []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}
	scales     = []float64{0, 1, -1.3}
	increments = []int{1, 3, -1, -2}
	lengths    = []int{0, 1, 2, 5, 15, 16, 17, 33, 40, 130} // around the leaf and the kernels' panel
)

func gaussian(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// rows returns an m×n matrix with a few numbers between its rows, and none
// after the last.
func rows(rng *rand.Rand, m, n int) (a []float64, lda int) {
	lda = max(1, n) + rng.IntN(3)
	return gaussian(rng, max(0, (m-1)*lda+n)), lda
}

// stored returns an A whose op(A) is m×n.
func stored(rng *rand.Rand, t blas.Transpose, m, n int) (a []float64, lda int) {
	if t != blas.NoTrans {
		m, n = n, m
	}
	return rows(rng, m, n)
}

// vector returns n numbers an increment apart.
func vector(rng *rand.Rand, n, inc int) []float64 {
	if n == 0 {
		return nil
	}
	if inc < 0 {
		inc = -inc
	}
	return gaussian(rng, (n-1)*inc+1)
}

// alike runs a routine of both on copies of what it writes and compares all of
// it, the numbers between the rows included: sums of up to 130 products of
// Gaussians, whose order differs, agree to 1e-12.
//
// Where what was there is overwritten, because beta = 0, ours finds a NaN first.
// (Some of gonum's routines would keep it.)
func alike(t *testing.T, overwritten bool, written []float64, call func(b blas.Float64, written []float64), format string, args ...any) {
	t.Helper()
	want, got := slices.Clone(written), slices.Clone(written)
	call(oracle, want)
	if overwritten {
		got[0] = math.NaN()
	}
	call(Kernels{}, got)
	for i := range want {
		if !(math.Abs(want[i]-got[i]) <= 1e-12*(1+math.Abs(want[i]))) {
			require.Equal(t, want[i], got[i], "element %d of %s", i, fmt.Sprintf(format, args...))
		}
	}
}

func TestToImportThePackageIsToUseTheKernels(t *testing.T) {
	assert.Equal(t, Kernels{}, blas64.Implementation())
}

func TestLevelOneIsGonums(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 60))
	for _, n := range lengths {
		for _, incX := range increments {
			for _, incY := range increments {
				x, y := vector(rng, n, incX), vector(rng, n, incY)
				assert.InDelta(t, oracle.Ddot(n, x, incX, y, incY), Kernels{}.Ddot(n, x, incX, y, incY), 1e-12, "n = %d", n)
				for _, alpha := range scales {
					alike(t, false, y, func(b blas.Float64, y []float64) { b.Daxpy(n, alpha, x, incX, y, incY) }, "Daxpy, n = %d", n)
				}
			}
		}
	}
}

func TestLevelTwoIsGonums(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 61))
	for _, m := range lengths {
		for _, incX := range increments {
			for _, incY := range increments {
				for _, alpha := range scales {
					for _, n := range []int{0, 1, 3, 40} {
						if incX < 0 || incY < 0 {
							continue // gonum's assembly for amd64 adds what lies beside x
						}
						a, lda := rows(rng, m, n)
						x, y := vector(rng, m, incX), vector(rng, n, incY)
						alike(t, false, a, func(b blas.Float64, a []float64) { b.Dger(m, n, alpha, x, incX, y, incY, a, lda) }, "Dger, %d×%d", m, n)
					}
					for _, beta := range scales {
						for _, n := range []int{0, 1, 3, 40} {
							for _, tr := range transposes {
								a, lda := stored(rng, tr, m, n)
								am, an := m, n
								if tr != blas.NoTrans {
									am, an = n, m
								}
								x, y := vector(rng, n, incX), vector(rng, m, incY)
								alike(t, beta == 0 && m > 0 && n > 0, y, func(b blas.Float64, y []float64) {
									b.Dgemv(tr, am, an, alpha, a, lda, x, incX, beta, y, incY)
								}, "Dgemv %c, %d×%d, α = %g, β = %g, %d, %d", tr, am, an, alpha, beta, incX, incY)
							}
						}
						for _, ul := range triangles {
							a, lda := rows(rng, m, m)
							x, y := vector(rng, m, incX), vector(rng, m, incY)
							alike(t, beta == 0 && m > 0, y, func(b blas.Float64, y []float64) { b.Dsymv(ul, m, alpha, a, lda, x, incX, beta, y, incY) },
								"Dsymv %c, %d, α = %g, β = %g, %d, %d", ul, m, alpha, beta, incX, incY)
						}
					}
				}
			}
		}
	}
}

func TestDgemmIsGonums(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 62))
	for _, shape := range [][3]int{{0, 3, 3}, {3, 0, 3}, {3, 3, 0}, {1, 1, 1}, {2, 3, 4}, {1, 9, 17}, {9, 1, 17}, {16, 16, 16}, {33, 17, 130}, {70, 66, 65}} {
		m, n, k := shape[0], shape[1], shape[2]
		for _, tA := range transposes {
			for _, tB := range transposes {
				for _, alpha := range scales {
					for _, beta := range scales {
						a, lda := stored(rng, tA, m, k)
						x, ldx := stored(rng, tB, k, n)
						c, ldc := rows(rng, m, n)
						alike(t, beta == 0 && m > 0 && n > 0 && k > 0, c, func(b blas.Float64, c []float64) {
							b.Dgemm(tA, tB, m, n, k, alpha, a, lda, x, ldx, beta, c, ldc)
						}, "Dgemm %c%c, %v, α = %g, β = %g", tA, tB, shape, alpha, beta)
					}
				}
			}
		}
	}
}

func TestProductsIntoATriangleAreGonums(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 63))
	for _, n := range lengths {
		for _, k := range []int{0, 1, 7, 130} {
			for _, ul := range triangles {
				for _, tr := range transposes {
					for _, alpha := range scales {
						for _, beta := range scales {
							a, lda := stored(rng, tr, n, k)
							x, ldx := stored(rng, tr, n, k)
							c, ldc := rows(rng, n, n)
							alike(t, beta == 0 && n > 0 && k > 0, c, func(b blas.Float64, c []float64) { b.Dsyrk(ul, tr, n, k, alpha, a, lda, beta, c, ldc) },
								"Dsyrk %c%c, %d×%d, α = %g, β = %g", ul, tr, n, k, alpha, beta)
							alike(t, beta == 0 && n > 0 && k > 0, c, func(b blas.Float64, c []float64) {
								b.Dsyr2k(ul, tr, n, k, alpha, a, lda, x, ldx, beta, c, ldc)
							}, "Dsyr2k %c%c, %d×%d, α = %g, β = %g", ul, tr, n, k, alpha, beta)
						}
					}
				}
			}
		}
	}
}

func TestTriangularRoutinesAreGonums(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 64))
	for _, size := range lengths {
		for _, other := range []int{0, 1, 3, 20} {
			for _, side := range []blas.Side{blas.Left, blas.Right} {
				m, n := size, other
				if side == blas.Right {
					m, n = other, size
				}
				for _, ul := range triangles {
					for _, tr := range transposes {
						for _, diag := range []blas.Diag{blas.Unit, blas.NonUnit} {
							for _, alpha := range scales {
								a, lda := rows(rng, size, size)
								for i := range a { // rows that leave X about as large as B
									a[i] /= float64(size)
								}
								for i := range size {
									a[i*lda+i] = 1 + rng.Float64()
								}
								x, ldx := rows(rng, m, n)
								alike(t, false, x, func(b blas.Float64, x []float64) {
									b.Dtrsm(side, ul, tr, diag, m, n, alpha, a, lda, x, ldx)
								}, "Dtrsm %c%c%c%c, %d×%d, α = %g", side, ul, tr, diag, m, n, alpha)
								alike(t, false, x, func(b blas.Float64, x []float64) {
									b.Dtrmm(side, ul, tr, diag, m, n, alpha, a, lda, x, ldx)
								}, "Dtrmm %c%c%c%c, %d×%d, α = %g", side, ul, tr, diag, m, n, alpha)
							}
						}
					}
				}
			}
		}
	}
}

// The other triangle may hold anything: lapack keeps vectors there.
func TestTheOtherTriangleIsNotRead(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 65))
	const n = 40
	for _, ul := range triangles {
		a := gaussian(rng, n*n)
		for i := range n {
			for j := range n {
				if i < j && ul == blas.Lower || i > j && ul == blas.Upper {
					a[i*n+j] = math.NaN()
				}
			}
			a[i*n+i] += n
		}
		for _, tr := range transposes {
			x, y := gaussian(rng, 2*n), make([]float64, n)
			Kernels{}.Dtrsm(blas.Left, ul, tr, blas.NonUnit, n, 2, 1, a, n, x, 2)
			Kernels{}.Dtrmm(blas.Right, ul, tr, blas.NonUnit, 2, n, 1, a, n, x, n)
			Kernels{}.Dsymv(ul, n, 1, a, n, x, 1, 0, y, 1)
			for _, v := range append(x, y...) {
				require.False(t, math.IsNaN(v))
			}
		}
	}
}

func TestWrongArgumentsPanicAsGonumDoes(t *testing.T) {
	four, three := make([]float64, 4), make([]float64, 3)
	big, short := make([]float64, 40*40), make([]float64, 40*40-1)
	for name, call := range map[string]func(b blas.Float64){
		"Ddot n":          func(b blas.Float64) { b.Ddot(-1, four, 1, four, 1) },
		"Ddot short":      func(b blas.Float64) { b.Ddot(4, four, 1, three, 1) },
		"Ddot increment":  func(b blas.Float64) { b.Ddot(4, four, 0, four, 1) },
		"Daxpy short":     func(b blas.Float64) { b.Daxpy(4, 1, three, 1, four, 1) },
		"Dgemv transpose": func(b blas.Float64) { b.Dgemv('x', 2, 2, 1, four, 2, four, 1, 0, four, 1) },
		"Dgemv lda":       func(b blas.Float64) { b.Dgemv(blas.NoTrans, 2, 2, 1, four, 1, four, 1, 0, four, 1) },
		"Dgemv y":         func(b blas.Float64) { b.Dgemv(blas.Trans, 2, 2, 1, four, 2, four, 1, 0, four[:1], 1) },
		"Dger a":          func(b blas.Float64) { b.Dger(2, 2, 1, four, 1, four, 1, three, 2) },
		"Dsymv triangle":  func(b blas.Float64) { b.Dsymv('x', 2, 1, four, 2, four, 1, 0, four, 1) },
		"Dgemm m":         func(b blas.Float64) { b.Dgemm(blas.NoTrans, blas.NoTrans, -1, 2, 2, 1, four, 2, four, 2, 0, four, 2) },
		"Dgemm transpose": func(b blas.Float64) { b.Dgemm(blas.NoTrans, 'x', 2, 2, 2, 1, four, 2, four, 2, 0, four, 2) },
		"Dgemm b":         func(b blas.Float64) { b.Dgemm(blas.Trans, blas.Trans, 2, 2, 2, 1, four, 2, three, 2, 0, four, 2) },
		"Dgemm c":         func(b blas.Float64) { b.Dgemm(blas.Trans, blas.Trans, 2, 2, 2, 1, four, 2, four, 2, 0, three, 2) },
		"Dsyrk k":         func(b blas.Float64) { b.Dsyrk(blas.Lower, blas.NoTrans, 2, -1, 1, four, 2, 0, four, 2) },
		"Dsyrk ldc":       func(b blas.Float64) { b.Dsyrk(blas.Lower, blas.NoTrans, 2, 2, 1, four, 2, 0, four, 1) },
		"Dsyr2k b":        func(b blas.Float64) { b.Dsyr2k(blas.Lower, blas.NoTrans, 2, 2, 1, four, 2, three, 2, 0, four, 2) },
		"Dtrsm side":      func(b blas.Float64) { b.Dtrsm('x', blas.Lower, blas.NoTrans, blas.Unit, 40, 40, 1, big, 40, big, 40) },
		"Dtrsm diagonal": func(b blas.Float64) {
			b.Dtrsm(blas.Left, blas.Lower, blas.NoTrans, 'x', 40, 40, 1, slices.Clone(big), 40, slices.Clone(big), 40)
		},
		"Dtrsm a": func(b blas.Float64) {
			b.Dtrsm(blas.Left, blas.Lower, blas.NoTrans, blas.Unit, 40, 40, 1, short, 40, big, 40)
		},
		"Dtrmm b": func(b blas.Float64) {
			b.Dtrmm(blas.Right, blas.Lower, blas.NoTrans, blas.Unit, 40, 40, 1, big, 40, short, 40)
		},
	} {
		t.Run(name, func(t *testing.T) {
			want := panicOf(func() { call(oracle) })
			require.NotNil(t, want)
			assert.Equal(t, want, panicOf(func() { call(Kernels{}) }))
		})
	}
}

func panicOf(call func()) (value any) {
	defer func() { value = recover() }()
	call()
	return nil
}

// decompose returns what lapack makes of a random n×n matrix A: the eigenvalues
// and vectors of A + Aᵀ, the Cholesky factor of AᵀA + 1 and the QR form of A.
func decompose(t *testing.T, n int) (a, values, vectors, factor, qr, tau []float64) {
	was := blas64.Implementation()
	t.Cleanup(func() { blas64.Use(was) })
	blas64.Use(Kernels{})
	rng := rand.New(rand.NewPCG(1, 66))
	a = gaussian(rng, n*n)
	vectors, factor, qr = make([]float64, n*n), make([]float64, n*n), slices.Clone(a)
	general := blas64.General{Rows: n, Cols: n, Stride: n, Data: a}
	for i := range n {
		for j := range n {
			vectors[i*n+j] = a[i*n+j] + a[j*n+i]
		}
		factor[i*n+i] = 1
	}
	gram := blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: factor}
	blas64.Syrk(blas.Trans, 1, general, 1, gram)
	_, ok := lapack64.Potrf(gram)
	require.True(t, ok)
	values, tau = make([]float64, n), make([]float64, n)
	work := make([]float64, 64*n)
	require.True(t, lapack64.Syev(lapack.EVCompute, blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: n, Data: vectors}, values, work, len(work)))
	lapack64.Geqrf(blas64.General{Rows: n, Cols: n, Stride: n, Data: qr}, tau, work, len(work))
	return a, values, vectors, factor, qr, tau
}

func TestDecompositionsMultiplyBack(t *testing.T) {
	for _, n := range []int{1, 10, 100, 150} {
		a, values, vectors, factor, qr, tau := decompose(t, n)
		for i := range n {
			for j := range i + 1 {
				var gram, product, eigen float64
				for k := range n {
					gram += a[k*n+i] * a[k*n+j]
					eigen += vectors[i*n+k] * values[k] * vectors[j*n+k]
				}
				for k := range j + 1 {
					product += factor[i*n+k] * factor[j*n+k]
				}
				if i == j {
					gram++
				}
				require.InDelta(t, gram, product, 1e-10, "Potrf, n = %d", n)
				require.InDelta(t, a[i*n+j]+a[j*n+i], eigen, 1e-10, "Syev, n = %d", n)
			}
		}
		// QᵀA is R.
		work := make([]float64, 64*n)
		lapack64.Ormqr(blas.Left, blas.Trans, blas64.General{Rows: n, Cols: n, Stride: n, Data: qr}, tau, blas64.General{Rows: n, Cols: n, Stride: n, Data: a}, work, len(work))
		for i := range n {
			for j := range n {
				want := 0.0
				if i <= j {
					want = qr[i*n+j]
				}
				require.InDelta(t, want, a[i*n+j], 1e-10, "Geqrf, n = %d", n)
			}
		}
	}
}

// Ridge's factor: a fit that starts from it is the same natively and in a browser.
func TestTheFactorHasTheSameBitsEverywhere(t *testing.T) {
	digest := fnv.New64a()
	for _, n := range []int{30, 64, 65, 100} {
		_, _, _, factor, _, _ := decompose(t, n)
		for i := range n {
			for _, v := range factor[i*n:][:i+1] {
				digest.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
			}
		}
	}
	assert.Equal(t, uint64(0x9a3911f84145b8ce), digest.Sum64())
}

// The same constant with SIMD and without, in every browser. Natively what is not
// in Kernels is assembly, which adds in an order of its own.
func TestTheBitsAreThoseOfEveryBrowser(t *testing.T) {
	if runtime.GOOS != "js" {
		t.Skip("this is not js/wasm")
	}
	digest := fnv.New64a()
	_, values, vectors, factor, qr, tau := decompose(t, 100)
	for _, result := range [][]float64{values, vectors, factor, qr, tau} {
		for _, v := range result {
			digest.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	assert.Equal(t, uint64(0x1e16a79a14500ca3), digest.Sum64())
}

func BenchmarkBLAS(b *testing.B) {
	defer blas64.Use(blas64.Implementation())
	rng := rand.New(rand.NewPCG(1, 67))
	for _, n := range []int{30, 100, 300} {
		a, c, gram := gaussian(rng, n*n), make([]float64, n*n), make([]float64, n*n)
		for i := range n {
			gram[i*n+i] = float64(n)
		}
		oracle.Dsyrk(blas.Lower, blas.NoTrans, n, n, 1, a, n, 1, gram, n)
		oracle.Dsyrk(blas.Upper, blas.NoTrans, n, n, 1, a, n, 1, gram, n)
		tau, values, work := make([]float64, n), make([]float64, n), make([]float64, 64*n)
		for name, implementation := range map[string]blas.Float64{"gonum": oracle, "kernels": Kernels{}} {
			blas64.Use(implementation)
			for routine, call := range map[string]func(){
				"Gemm": func() {
					implementation.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a, n, gram, n, 0, c, n)
				},
				"Gemv": func() { implementation.Dgemv(blas.NoTrans, n, n, 1, a, n, tau, 1, 0, values, 1) },
				"Potrf": func() {
					copy(c, gram)
					lapack64.Potrf(blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: c})
				},
				"Geqrf": func() {
					copy(c, a)
					lapack64.Geqrf(blas64.General{Rows: n, Cols: n, Stride: n, Data: c}, tau, work, len(work))
				},
				"Syev": func() {
					copy(c, gram)
					lapack64.Syev(lapack.EVCompute, blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: n, Data: c}, values, work, len(work))
				},
			} {
				b.Run(fmt.Sprintf("%s/n=%d/%s", routine, n, name), func(b *testing.B) {
					for b.Loop() {
						call()
					}
				})
			}
		}
	}
}
