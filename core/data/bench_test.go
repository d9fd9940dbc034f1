package data

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"ifmlab/core/kernel"
)

// numericFile returns a CSV file of about size bytes: Gaussian columns written
// with so many digits, −1 for as many as are needed.
func numericFile(columns, digits, size int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var b []byte
	for j := range columns {
		b = fmt.Appendf(b, "x%d,", j)
	}
	b[len(b)-1] = '\n'
	for len(b) < size {
		for range columns {
			b = append(strconv.AppendFloat(b, rng.NormFloat64(), 'g', digits, 64), ',')
		}
		b[len(b)-1] = '\n'
	}
	return b
}

// ratingsFile returns a CSV file of about size bytes: user, item, rating.
func ratingsFile(size int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	b := []byte("user,item,rating\n")
	for len(b) < size {
		b = fmt.Appendf(b, "u%d,i%d,%.4f\n", rng.IntN(6000), rng.IntN(4000), 3.6+rng.NormFloat64())
	}
	return b
}

// BenchmarkRead times a file to a table, beside what encoding/csv in the
// scanner's place makes of it.
func BenchmarkRead(b *testing.B) {
	for _, bench := range []struct {
		name string
		file []byte
	}{
		{"six digits 20 MB", numericFile(20, 6, 20<<20)},
		{"all digits 20 MB", numericFile(20, -1, 20<<20)},
		{"ratings 20 MB", ratingsFile(20 << 20)},
	} {
		for _, by := range []struct {
			name string
			scan func(src *source, sep rune, point byte) scanner
		}{{"ours", newScanner}, {"encoding-csv", newOracle}} {
			b.Run(bench.name+"/"+by.name, func(b *testing.B) {
				b.SetBytes(int64(len(bench.file)))
				b.ReportAllocs()
				for b.Loop() {
					table, err := read(bytes.NewReader(bench.file), Options{}, by.scan)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(table.Size())/float64(len(bench.file)), "size/byte")
				}
			})
		}
	}
}

// BenchmarkElement times an element of a dense and of a sparse design in the two
// products of a factor of rank 4: it says from what share of zeros on a sparse
// one pays.
func BenchmarkElement(b *testing.B) {
	const n, d, perRow, k = 4000, 120, 20, 4
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	z := kernel.Sparse{Start: []int{0}}
	for range n {
		for e := range perRow {
			z.Column, z.Value = append(z.Column, int32(e*d/perRow+rng.IntN(d/perRow))), append(z.Value, 1)
		}
		z.Start = append(z.Start, len(z.Column))
	}
	for _, design := range []struct {
		name     string
		z        Design
		elements int
	}{{"dense", NewDense(n, d, draw(n*d)), n * d}, {"sparse", newCSR(d, z), n * perRow}} {
		b.Run(design.name, func(b *testing.B) {
			p, out, acc := draw(d*k), make([]float64, BlockRows*k), make([]float64, d*k)
			for b.Loop() {
				design.z.Each(BlockRows, func(lo, hi int, block Block) {
					block.Forward(out[:(hi-lo)*k], p, k)
					block.Adjoint(acc, out[:(hi-lo)*k], k)
				})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(design.elements), "ns/element")
		})
	}
}

func BenchmarkProfile(b *testing.B) {
	file := numericFile(20, 6, 20<<20)
	table, err := Read(bytes.NewReader(file), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		table.Profile()
	}
}
