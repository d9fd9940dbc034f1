//go:build js && wasm && (figure || (!table && !ionosphere))

package main

import (
	"syscall/js"

	"ifmlab/core/population"
)

// contest fits FM and iFM, of as many numbers, to the interactions of its
// arguments, or to drawn ones of six features.
func (r *runs) contest(args js.Value) (any, error) {
	var pairs []float64
	if given := args.Get("pairs"); given.Type() == js.TypeObject {
		pairs = make([]float64, given.Length())
		for i := range pairs {
			pairs[i] = given.Index(i).Float()
		}
	} else {
		pairs = population.Drawn(6, uint64(args.Get("seed").Float()), args.Get("number").Int())
	}
	c, err := population.Compare(pairs, 1)
	if err != nil {
		return nil, err
	}
	return object(
		"pairs", c.Pairs, "eigenvalues", c.Eigenvalues, "vectors", c.Vectors,
		"fm", fitObject(c.FM), "ifm", fitObject(c.IFM), "score", c.Score,
	), nil
}

func fitObject(f population.Fit) any {
	var hidden []int32
	for _, h := range f.Hidden {
		hidden = append(hidden, int32(h))
	}
	return object("pairs", f.Pairs, "share", f.Share, "hidden", hidden)
}
