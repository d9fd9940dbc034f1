package trees

// node is a leaf with a value, or a split of a column's bins. Node 0 is the root.
type node struct {
	left, right int32 // nodes; 0 in a leaf, since the root is no child
	column      int32
	bin         uint8 // the last one on the left, at least 1
	missingLeft bool
	value       float64
}

// goesLeft reports whether a row with this bin of the node's column goes left.
func (n *node) goesLeft(bin uint8) bool {
	if bin == 0 {
		return n.missingLeft
	}
	return bin <= n.bin
}

// tree is a regression tree.
type tree []node

// add adds the tree's predictions for rows, given as columns of bins, to f. O(rows·depth).
func (t tree) add(f []float64, bins [][]uint8) {
	for i := range f {
		n := &t[0]
		for n.left != 0 {
			next := n.right
			if n.goesLeft(bins[n.column][i]) {
				next = n.left
			}
			n = &t[next]
		}
		f[i] += n.value
	}
}
