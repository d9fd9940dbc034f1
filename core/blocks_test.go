package core_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/fm"
	"ifmlab/core/runtest"
)

// The tests of what package core says of one-hot columns. Levels of a column are a block
// of features; a row never sees M within one.

// signed has a sign for each two of m columns, and 0 on its diagonal.
func signed(m int, sign func(g, h int) float64) *mat.SymDense {
	s := mat.NewSymDense(m, nil)
	for g := range m {
		for h := range g {
			s.SetSym(h, g, sign(h, g))
		}
	}
	return s
}

// kronecker returns the factors A_g ⊗ c_g of all columns: the product of two rows is that
// of their levels' times that of their columns'.
func kronecker(a, c mat.Matrix) []float64 {
	rows, k := a.Dims()
	m, r := c.Dims()
	var u []float64
	for i := range rows {
		for f := range k {
			for e := range r {
				u = append(u, a.At(i, f)*c.At(i/(rows/m), e))
			}
		}
	}
	return u
}

// assertWrites compares the blocks between columns with S_gh·A_g·A_hᵀ.
func assertWrites(t *testing.T, m *fm.Model, s, a mat.Matrix, what string, args ...any) {
	t.Helper()
	var product mat.Dense
	product.Mul(a, a.T())
	columns, _ := s.Dims()
	levels, found := m.D/columns, m.Interaction()
	for i := range m.D {
		for j := range m.D {
			if g, h := i/levels, j/levels; g != h {
				require.InDelta(t, s.At(g, h)*product.At(i, j), found[i*m.D+j], 1e-12, fmt.Sprintf(what, args...))
			}
		}
	}
}

// gramOf returns r columns c with cᵀc' = S off the diagonal: the roots of S − λmin·I.
func gramOf(s *mat.SymDense) *mat.Dense {
	m, _ := s.Dims()
	var e mat.EigenSym
	e.Factorize(s, true)
	values, vectors := e.Values(nil), new(mat.Dense)
	e.VectorsTo(vectors)
	c := mat.NewDense(m, m-1, nil)
	for f := 1; f < m; f++ { // the first is the lowest, and now 0
		for g := range m {
			c.Set(g, f-1, math.Sqrt(values[f]-values[0])*vectors.At(g, f))
		}
	}
	return c
}

const levelsOfBlocks, rankOfBlocks = 5, 2

func factorsOf(columns int, seed uint64) *mat.Dense {
	return mat.NewDense(columns*levelsOfBlocks, rankOfBlocks, gaussian(rand.New(rand.NewPCG(seed, 54)), columns*levelsOfBlocks*rankOfBlocks))
}

// All patterns of up to four columns, and random ones of more: two groups exactly where no
// triangle has a negative product, and then FM of the truth's rank. m − 1 times the rank
// does for all.
func TestFMWritesBalancedBlocksAtTheirRankAndAllAtOneTimesTheColumnsLessOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 54))
	balanced := 0
	for columns := 2; columns <= 6; columns++ {
		pairs := columns * (columns - 1) / 2
		for try := range min(1<<pairs, 200) {
			bits := uint64(try)
			if columns > 4 {
				bits = rng.Uint64()
			}
			at := -1
			s := signed(columns, func(int, int) float64 {
				at++
				return 1 - 2*float64(bits>>at&1)
			})
			a := factorsOf(columns, uint64(try))
			m := fm.New(fm.FM, columns*levelsOfBlocks, (columns-1)*rankOfBlocks)
			m.U = kronecker(a, gramOf(s))
			assertWrites(t, m, s, a, "%d columns, pattern %b", columns, bits)

			camp := mat.NewDense(columns, 1, nil)
			isBalanced := true
			camp.Set(0, 0, 1)
			for g := 1; g < columns; g++ {
				camp.Set(g, 0, s.At(0, g))
			}
			for g := range columns {
				for h := range g {
					isBalanced = isBalanced && s.At(g, h) == camp.At(g, 0)*camp.At(h, 0)
				}
			}
			assert.Equal(t, !anyTriangle(s), isBalanced, "Harary's theorem, %d columns, pattern %b", columns, bits)
			if isBalanced {
				balanced++
				m := fm.New(fm.FM, columns*levelsOfBlocks, rankOfBlocks)
				m.U = kronecker(a, camp)
				assertWrites(t, m, s, a, "%d columns in two groups, pattern %b", columns, bits)
			}
		}
	}
	assert.GreaterOrEqual(t, balanced, 2+4+8, "2^(m − 1) of m columns")
}

// anyTriangle reports whether three columns have a negative product of signs.
func anyTriangle(s mat.Matrix) bool {
	m, _ := s.Dims()
	for g := range m {
		for h := range g {
			for i := range h {
				if s.At(g, h)*s.At(g, i)*s.At(h, i) < 0 {
					return true
				}
			}
		}
	}
	return false
}

// Any FM of rank q that writes the blocks of three columns has U_g = A_g·T_g with
// T_gT_hᵀ = S_gh·I. So T_1T_1ᵀ = P is positive definite, and what is left of columns 2
// and 3 after column 1 has the block S_23·I − S_12·S_13·P⁻¹ between them. Where the product of
// the signs is negative, that is ±(I + P⁻¹), of rank k, and q is at least 2k.
// Training agrees: at less than twice the rank error is left, from every start.
func TestAnUnbalancedTriangleTakesFMTwiceTheRank(t *testing.T) {
	for _, c := range []struct {
		rank     int
		from, to float64 // of the linear model's error, the least of all iterations
	}{{2, .15, 1}, {3, .03, 1}, {4, 0, 1e-6}} {
		for seed := range 4 {
			query := fmt.Sprintf("features=onehot&levels=6&d=18&k=2&scenario=mixed&pairs=1,1,-1&n=1000&test=300&models=fm&solver=scaled&iterations=400&rank=%d&seed=%d", c.rank, seed+1)
			run, records := runtest.Train(t, query, 0, nil)
			theory, _ := run.Theory()
			least := math.Inf(1)
			for _, r := range records {
				least = min(least, r.Test/theory.SecondOrder)
			}
			assert.GreaterOrEqual(t, least, c.from, "rank %d, seed %d", c.rank, seed+1)
			assert.LessOrEqual(t, least, c.to, "rank %d, seed %d", c.rank, seed+1)
		}
	}
}

// One flipped block takes two columns of c whatever the number of table columns: (1, √2), (1, −√2)
// and (1, 0) for all others. It takes iFM one positive and one negative.
func TestOneFlippedBlockTakesFMTwiceTheRankAndIFMTheSame(t *testing.T) {
	for columns := 3; columns <= 7; columns++ {
		s := signed(columns, func(g, h int) float64 {
			if g == 0 && h == 1 {
				return -1
			}
			return 1
		})
		a := factorsOf(columns, uint64(columns))
		c, positive, negative := mat.NewDense(columns, 2, nil), mat.NewDense(columns, 1, nil), mat.NewDense(columns, 1, nil)
		for g := range columns {
			c.Set(g, 0, 1)
			positive.Set(g, 0, 1)
			if g < 2 {
				c.Set(g, 1, math.Sqrt2*float64(1-2*g))
				negative.Set(g, 0, math.Sqrt2)
			}
		}
		m := fm.New(fm.FM, columns*levelsOfBlocks, 2*rankOfBlocks)
		m.U = kronecker(a, c)
		assertWrites(t, m, s, a, "FM, %d columns", columns)
		assertWrites(t, signedModel(kronecker(a, positive), kronecker(a, negative)), s, a, "iFM, %d columns", columns)
	}
}

// Where all blocks are negative, T_gT_hᵀ = −I makes FM's Gram matrix a positive definite one
// of mk rows less one of rank k. Its rank is (m − 1)k at least, and m − 1 times does. iFM has −U.
func TestAllBlocksFlippedTakeFMOneTimesTheColumnsLessOneAndIFMTheSame(t *testing.T) {
	for columns := 3; columns <= 6; columns++ {
		s := signed(columns, func(int, int) float64 { return -1 })
		a := factorsOf(columns, uint64(columns))
		all := mat.NewDense(columns, 1, nil)
		for g := range columns {
			all.Set(g, 0, 1)
		}
		assertWrites(t, signedModel(nil, kronecker(a, all)), s, a, "iFM, %d columns", columns)
	}
	for _, c := range []struct {
		fit      string
		from, to float64
	}{{"models=fm&rank=2", .1, 1}, {"models=fm&rank=3", 0, 1e-6}, {"models=ifm&rank=1", 0, 1e-6}} { // FM of rank 2 has iFM's numbers
		run, records := runtest.Train(t, "features=onehot&levels=6&d=24&k=1&scenario=mixed&pairs=-1,-1,-1,-1,-1,-1&n=1000&test=300&solver=scaled&iterations=400&"+c.fit, 0, nil)
		theory, _ := run.Theory()
		end := records[len(records)-1].Test / theory.SecondOrder
		assert.GreaterOrEqual(t, end, c.from, c.fit)
		assert.LessOrEqual(t, end, c.to, c.fit)
	}
}

// signedModel returns the iFM PPᵀ − QQᵀ. Either may be nil.
func signedModel(p, q []float64) *fm.Model {
	n := max(len(p), len(q))
	p, q = append(make([]float64, n-len(p)), p...), append(make([]float64, n-len(q)), q...)
	m := fm.New(fm.IFM, n/rankOfBlocks, rankOfBlocks)
	for i := range n {
		m.U[i], m.V[i] = p[i]+q[i], p[i]-q[i]
	}
	return m
}

// At half of the truth's rank iFM has as many columns as the truth, one of each sign, and
// T_1·diag(1, −1)·T_1ᵀ = ±I has none.
func TestAtHalfOfTheRankIFMDoesNotWriteThreeColumns(t *testing.T) {
	for _, pairs := range []string{"1,1,1", "1,1,-1"} {
		for rank, bounds := range map[int][2]float64{1: {.05, 1}, 2: {0, 1e-3}} {
			query := fmt.Sprintf("features=onehot&levels=6&d=18&k=2&scenario=mixed&pairs=%s&n=1000&test=300&models=ifm&solver=gauss-newton&iterations=100&rank=%d", pairs, rank)
			run, records := runtest.Train(t, query, 0, nil)
			theory, _ := run.Theory()
			end := records[len(records)-1].Test / theory.SecondOrder
			assert.GreaterOrEqual(t, end, bounds[0], "%s, rank %d", pairs, rank)
			assert.LessOrEqual(t, end, bounds[1], "%s, rank %d", pairs, rank)
		}
	}
}
