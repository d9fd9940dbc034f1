package solve

// Held is what an iteration of Algorithm 1 held, in the units of its rows. Its
// matrices are written out, row-major.
type Held struct {
	Iteration int
	Mean      float64   // P0, of the residual
	H         []float64 // d×d: H(r), or H(r − P0) where that is centred
	M         []float64 // d×d: 𝓜(r), which is H but for its diagonal
	U         []float64 // d×k: V − 𝓜Ū
	Q         []float64 // d×k: Ū⁺ = qr(U)
	V         []float64 // d×k: V⁺; the model has learnt sym(Ū⁺V⁺ᵀ)
}

// estimates returns what an iteration holds before it orthonormalizes a.next,
// which is U; shift is what is taken from the residual before H is formed of it.
// O(n·d²).
func (a *algorithm1Fit) estimates(mean, shift float64) Held {
	d := a.model.D
	r := make([]float64, a.n)
	for i, v := range a.r {
		r[i] = v - shift
	}
	held := Held{Iteration: a.iteration, Mean: mean, H: describeColumns(a.z, r).h, U: append([]float64{}, a.next...)}
	for i := range d {
		for j := range i {
			held.H[j*d+i] = held.H[i*d+j]
		}
	}
	held.M = append(held.M, held.H...)
	for j, c := range a.c {
		held.M[j*d+j] -= c
	}
	return held
}
