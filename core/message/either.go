package message

// Either returns a if yes, else b.
func Either(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}
