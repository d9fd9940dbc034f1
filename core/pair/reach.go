package pair

import (
	"math"

	"ifmlab/core/kernel"
)

// stretch returns the length over which rows are alike in both columns of a pair, if main
// effects outnumber the stretches of such a length, and 0 otherwise. So many main effects
// explain all that the rows of a stretch have in common: residuals do not tell whether rows
// depend on each other.
func (s *Search) stretch(c *candidate) (length int) {
	if s.rows.Group != nil || s.rows.Place == nil {
		return 0
	}
	turn := s.clusters(1)
	z, second := s.columns[c.p].alike(turn), s.columns[c.q].alike(turn)
	least := leastAlike * math.Sqrt(float64(len(turn)))
	for k := range z {
		z[k] = min(z[k], second[k])
		least = max(least, z[k]/2)
	}
	for k, v := range z {
		if v > least {
			length = 1 << k
		}
	}
	if length*s.basis.rank() <= len(turn) {
		return 0
	}
	return length
}

// alike compares each row with those before it, as [memory] has it, in the features of the
// column less their means. For each length it returns how many standard deviations more
// alike rows are than independent ones: at most about √n. O(n·features·log n).
func (c *column) alike(turn [][]int32) (z []float64) {
	n, now, mean := len(turn), make([]float64, c.features), make([]float64, c.features)
	read := func(row int) {
		var e entries
		clear(now)
		for j := range min(c.row(row, &e), 2) {
			now[e.index[j]] = e.value[j]
		}
	}
	for row := range n {
		read(row)
		kernel.Axpy(1/float64(n), now, mean)
	}
	for length := 1; length <= n/blockLengths; length *= 2 {
		before, sum, squares := make([]float64, len(now)), 0.0, 0.0
		for _, rows := range turn {
			read(int(rows[0]))
			kernel.Axpy(-1, mean, now)
			v := kernel.Dot(before, now)
			sum += v
			squares += float64(v * v)
			for j, v := range now {
				before[j] = (before[j] + v) * float64(length) / float64(length+1)
			}
		}
		z = append(z, sum/math.Sqrt(squares))
	}
	return z
}
