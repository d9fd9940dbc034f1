package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// The shapes of one block of the page's larger figure: 128 rows, 100 columns.
const benchRows, benchColumns = 128, 100

func gaussian(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// eachBodyBench runs a benchmark on every body, one after the other.
func eachBodyBench(b *testing.B, bench func(b *testing.B)) {
	for _, body := range bodies {
		b.Run(body.name, func(b *testing.B) {
			defer body.use()()
			bench(b)
		})
	}
}

func BenchmarkGemm(b *testing.B) { eachBodyBench(b, benchGemm) }

func benchGemm(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	z := gaussian(rng, benchRows*benchColumns)
	for _, k := range []int{1, 2, 5, 8, 16} {
		p, r := gaussian(rng, benchColumns*k), gaussian(rng, benchRows*k)
		b.Run(fmt.Sprintf("forward/k=%d", k), func(b *testing.B) {
			dst := make([]float64, benchRows*k)
			for b.Loop() {
				clear(dst)
				Gemm(benchRows, k, benchColumns, 1, z, benchColumns, 1, p, k, 1, dst, k)
			}
			reportProducts(b, benchRows*benchColumns*k)
		})
		b.Run(fmt.Sprintf("adjoint/k=%d", k), func(b *testing.B) {
			acc := make([]float64, benchColumns*k)
			for b.Loop() {
				Gemm(benchColumns, k, benchRows, 1, z, 1, benchColumns, r, k, 1, acc, k)
			}
			reportProducts(b, benchRows*benchColumns*k)
		})
	}
}

// BenchmarkVectors times Z·v and Zᵀ·v over rows of 8 MB, which no second-level cache holds.
func BenchmarkVectors(b *testing.B) { eachBodyBench(b, benchVectors) }

func benchVectors(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, d := range []int{100, 300, 1000} {
		blocks := (1 << 20) / (benchRows * d)
		z, v, r := gaussian(rng, blocks*benchRows*d), gaussian(rng, d), gaussian(rng, benchRows)
		dst, acc := make([]float64, benchRows), make([]float64, d)
		b.Run(fmt.Sprintf("forward/d=%d", d), func(b *testing.B) {
			for b.Loop() {
				for at := 0; at < len(z); at += benchRows * d {
					Gemm(benchRows, 1, d, 1, z[at:], d, 1, v, 1, 1, dst, 1)
				}
			}
			reportProducts(b, len(z))
		})
		b.Run(fmt.Sprintf("adjoint/d=%d", d), func(b *testing.B) {
			for b.Loop() {
				for at := 0; at < len(z); at += benchRows * d {
					Gemm(d, 1, benchRows, 1, z[at:], 1, d, r, 1, 1, acc, 1)
				}
			}
			reportProducts(b, len(z))
		})
	}
}

func BenchmarkSquares(b *testing.B) { eachBodyBench(b, benchSquares) }

func benchSquares(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	z := gaussian(rng, benchRows*benchColumns)
	c, r := gaussian(rng, benchColumns), gaussian(rng, benchRows)
	b.Run("rows", func(b *testing.B) {
		dst := make([]float64, benchRows)
		for b.Loop() {
			RowSquares(dst, z, c)
		}
		reportProducts(b, benchRows*benchColumns)
	})
	b.Run("columns", func(b *testing.B) {
		acc := make([]float64, benchColumns)
		for b.Loop() {
			ColSquares(acc, z, r)
		}
		reportProducts(b, benchRows*benchColumns)
	})
}

func BenchmarkDot(b *testing.B) { eachBodyBench(b, benchDot) }

func benchDot(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	x, y := gaussian(rng, 1000), gaussian(rng, 1000)
	for b.Loop() {
		Dot(x, y)
	}
	reportProducts(b, len(x))
}

// reportProducts reports the time of one multiply-add of an operation of count.
func reportProducts(b *testing.B, count int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(count), "ns/product")
	b.ReportAllocs()
}
