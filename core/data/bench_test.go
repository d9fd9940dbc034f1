package data

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
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

func BenchmarkRead(b *testing.B) {
	for _, bench := range []struct {
		name string
		file []byte
	}{
		{"six digits 20 MB", numericFile(20, 6, 20<<20)},
		{"all digits 20 MB", numericFile(20, -1, 20<<20)},
		{"ratings 20 MB", ratingsFile(20 << 20)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.file)))
			b.ReportAllocs()
			for b.Loop() {
				table, err := Read(bytes.NewReader(bench.file), Options{})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(table.Size())/float64(len(bench.file)), "size/byte")
			}
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
