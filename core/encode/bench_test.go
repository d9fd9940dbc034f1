package encode_test

import (
	"bytes"
	"testing"

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
		s := plan.Split(tabletest.Stream(1))
		e, _, err := encode.Encoding(plan, s)
		if err != nil {
			b.Fatal(err)
		}
		for name, f := range map[string]func(){
			"profile": func() { roles.Profiles(table) },
			"plan":    func() { roles.NewPlan(table, bench.s) },
			"split":   func() { plan.Split(tabletest.Stream(1)) },
			"encode":  func() { encode.Encoding(plan, s) },
			"fill":    func() { encode.Part(plan, e, s.Train) },
			"all":     func() { encode.Dataset(plan, tabletest.Stream(1)) },
		} {
			b.Run(bench.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(bench.file)))
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
	}
}
