package data_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"ifmlab/core/data"
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

// BenchmarkRead times a file to a table.
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
				if _, err := data.Read(bytes.NewReader(bench.file), data.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDesign times what follows reading: rows drawn, the encoding settled
// and the rows encoded, in bytes of the file.
func BenchmarkDesign(b *testing.B) {
	for _, bench := range []struct {
		name string
		file []byte
		s    data.Settings
	}{
		{"six digits 20 MB", numericFile(20, 6, 20<<20), data.Settings{Target: "x0"}},
		{"all digits 20 MB", numericFile(20, -1, 20<<20), data.Settings{Target: "x0"}},
		{"ratings 20 MB", ratingsFile(20 << 20), data.Settings{Target: "rating"}},
		{"whole numbers 20 MB", bytes.ReplaceAll(bytes.ReplaceAll(ratingsFile(20<<20), []byte("u"), nil), []byte("i"), nil), data.Settings{Target: "ratng", Categorical: []string{"ser", "tem"}}},
	} {
		table, err := data.Read(bytes.NewReader(bench.file), data.Options{})
		if err != nil {
			b.Fatal(err)
		}
		plan, err := table.Plan(bench.s)
		if err != nil {
			b.Fatal(err)
		}
		measure := func(name string, f func()) {
			b.Run(bench.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(bench.file)))
				b.ReportAllocs()
				best := math.Inf(1)
				for b.Loop() {
					began := time.Now()
					f()
					best = min(best, time.Since(began).Seconds())
				}
				b.ReportMetric(float64(len(bench.file))/1e6/best, "MB/s-at-best")
			})
		}
		s := plan.Split(rand.New(rand.NewPCG(1, 2)))
		e, _, err := plan.Encode(s)
		if err != nil {
			b.Fatal(err)
		}
		measure("plan", func() { table.Plan(bench.s) })
		measure("split", func() { plan.Split(rand.New(rand.NewPCG(1, 2))) })
		measure("encode", func() { plan.Encode(s) })
		measure("fill", func() {
			plan.Part(e, s.Train)
			plan.Part(e, s.Valid)
			plan.Part(e, s.Test)
		})
		measure("all", func() { plan.Dataset(rand.New(rand.NewPCG(1, 2))) })
	}
}

func BenchmarkProfile(b *testing.B) {
	file := numericFile(20, 6, 20<<20)
	table, err := data.Read(bytes.NewReader(file), data.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		table.Profile()
	}
}
