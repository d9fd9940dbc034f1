package trees

// node is a leaf, which has a value, or asks for the bin of a column: up to bin
// goes left. Node 0 of a tree is its root.
type node struct {
	left, right int32 // nodes; 0 of a leaf, since no node leads to the root
	column      int32
	bin         uint8 // at least 1
	missingLeft bool
	value       float64
}

// goesLeft reports whether a row with that bin of the node's column does.
func (n *node) goesLeft(bin uint8) bool {
	if bin == 0 {
		return n.missingLeft
	}
	return bin <= n.bin
}

// tree is a regression tree.
type tree []node

// add adds to f what the tree predicts for rows given by columns of bins.
// O(rows·depth).
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
