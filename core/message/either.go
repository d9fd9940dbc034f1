package message

func Either(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}
