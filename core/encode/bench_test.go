package encode_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"ifmlab/core/encode"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

// BenchmarkRead times a file to a table.
func BenchmarkRead(b *testing.B) {
	for _, bench := range []struct {
		name string
		file []byte
	}{
		{"six digits 20 MB", tabletest.NumericFile(20, 6, 20<<20)},
		{"all digits 20 MB", tabletest.NumericFile(20, -1, 20<<20)},
		{"ratings 20 MB", tabletest.RatingsFile(20 << 20)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.file)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := read.Read(bytes.NewReader(bench.file), read.Options{}); err != nil {
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
		s    roles.Settings
	}{
		{"six digits 20 MB", tabletest.NumericFile(20, 6, 20<<20), roles.Settings{Target: "x0"}},
		{"all digits 20 MB", tabletest.NumericFile(20, -1, 20<<20), roles.Settings{Target: "x0"}},
		{"ratings 20 MB", tabletest.RatingsFile(20 << 20), roles.Settings{Target: "rating"}},
		{"whole numbers 20 MB", bytes.ReplaceAll(bytes.ReplaceAll(tabletest.RatingsFile(20<<20), []byte("u"), nil), []byte("i"), nil), roles.Settings{Target: "ratng", Categorical: []string{"ser", "tem"}}},
	} {
		table, err := read.Read(bytes.NewReader(bench.file), read.Options{})
		if err != nil {
			b.Fatal(err)
		}
		plan, err := roles.NewPlan(table, bench.s)
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
		e, _, err := encode.Encoding(plan, s)
		if err != nil {
			b.Fatal(err)
		}
		measure("plan", func() { roles.NewPlan(table, bench.s) })
		measure("split", func() { plan.Split(rand.New(rand.NewPCG(1, 2))) })
		measure("encode", func() { encode.Encoding(plan, s) })
		measure("fill", func() {
			encode.Part(plan, e, s.Train)
			encode.Part(plan, e, s.Valid)
			encode.Part(plan, e, s.Test)
		})
		measure("all", func() { encode.Dataset(plan, rand.New(rand.NewPCG(1, 2))) })
	}
}

func BenchmarkProfile(b *testing.B) {
	file := tabletest.NumericFile(20, 6, 20<<20)
	table, err := read.Read(bytes.NewReader(file), read.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		roles.Profiles(table)
	}
}
