//go:build !js

package main

import (
	"fmt"
	"math"
	"runtime"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// plainAGD is AGD of package solve for iFM without penalty, written on gonum as a reader
// of the paper would write it: with whole matrices, and Z∘Z computed once.
type plainAGD struct {
	z, z2            blas64.General // n×d
	u, v, g          blas64.General // d×k
	zu, zv, zg, part blas64.General // n×k
	w, gw            blas64.Vector  // d
	r, p, ones       blas64.Vector  // n
	b                float64
}

// newPlainAGD starts from u. It keeps x.
func newPlainAGD(n, d, k int, x, y, u []float64) *plainAGD {
	general := func(rows, columns int) blas64.General {
		return blas64.General{Rows: rows, Cols: columns, Stride: columns, Data: make([]float64, rows*columns)}
	}
	a := &plainAGD{
		z: blas64.General{Rows: n, Cols: d, Stride: d, Data: x}, z2: general(n, d),
		u: general(d, k), v: general(d, k), g: general(d, k),
		zu: general(n, k), zv: general(n, k), zg: general(n, k), part: general(n, k),
		w: vector(make([]float64, d)), gw: vector(make([]float64, d)),
		r: vector(make([]float64, n)), p: vector(make([]float64, n)), ones: vector(make([]float64, n)),
	}
	for i, v := range x {
		a.z2.Data[i] = v * v
	}
	for i := range a.ones.Data {
		a.ones.Data[i] = 1
	}
	copy(a.u.Data, u)
	blas64.Axpy(-1, vector(y), a.r)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, a.z, a.u, 0, a.zu)
	return a
}

// step does one iteration and returns ½‖r‖².
func (a *plainAGD) step() float64 {
	mean := blas64.Dot(a.ones, a.r) / float64(a.r.N)
	a.b -= mean
	blas64.Axpy(-mean, a.ones, a.r)

	blas64.Gemv(blas.Trans, 1, a.z, a.r, 0, a.gw)
	blas64.Gemv(blas.NoTrans, 1, a.z, a.gw, 0, a.p)
	eta := a.exact(a.gw)
	blas64.Axpy(-eta, a.gw, a.w)
	blas64.Axpy(-eta, a.p, a.r)

	a.along(a.v, a.u, a.zv, a.zu)
	a.along(a.u, a.v, a.zu, a.zv)
	return blas64.Dot(a.r, a.r) / 2
}

// along moves a block along its negative gradient.
func (a *plainAGD) along(block, held, zblock, zheld blas64.General) {
	for i, r := range a.r.Data {
		to := row(a.part, i)
		blas64.Copy(row(zheld, i), to)
		blas64.Scal(r, to)
	}
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, a.z, a.part, 0, a.g)
	squares := vector(make([]float64, held.Rows))
	blas64.Gemv(blas.Trans, 1, a.z2, a.r, 0, squares)
	weights := vector(make([]float64, held.Rows))
	for j, s := range squares.Data {
		blas64.Axpy(-s, row(held, j), row(a.g, j))
		weights.Data[j] = blas64.Dot(row(held, j), row(a.g, j))
	}
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, a.z, a.g, 0, a.zg)
	for i := range a.p.Data {
		a.p.Data[i] = blas64.Dot(row(zheld, i), row(a.zg, i))
	}
	blas64.Gemv(blas.NoTrans, -1, a.z2, weights, 1, a.p)
	eta := a.exact(vector(a.g.Data))
	blas64.Axpy(-eta, vector(a.g.Data), vector(block.Data))
	blas64.Axpy(-eta, vector(a.zg.Data), vector(zblock.Data))
	blas64.Axpy(-eta, a.p, a.r)
}

// exact returns ‖g‖²/‖p‖².
func (a *plainAGD) exact(g blas64.Vector) float64 {
	ratio := blas64.Nrm2(g) / blas64.Nrm2(a.p)
	return ratio * ratio
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

func row(m blas64.General, i int) blas64.Vector { return vector(m.Data[i*m.Stride:][:m.Cols]) }

// gonumStep returns the milliseconds of a step on gonum, on one core. It fails unless five
// iterations from the same start are those of package solve.
func gonumStep() (float64, error) {
	const d, k = 100, 8
	n := much.rows
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	z, x, y := drawn(n, d)
	ours, model, err := start(z, y, k)
	if err != nil {
		return 0, err
	}
	plain := newPlainAGD(n, d, k, x, y, model.U)
	for i := range 5 {
		progress, err := ours.Step()
		if err != nil {
			return 0, err
		}
		if loss := plain.step(); !(math.Abs(loss-progress.Loss) <= 1e-9*progress.Loss) {
			return 0, fmt.Errorf("bench: loss %g of AGD on gonum after iteration %d, expected %g", loss, i+1, progress.Loss)
		}
	}
	return fastest(much.steps, func() error { plain.step(); return nil })
}
