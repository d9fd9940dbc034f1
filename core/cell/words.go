package cell

import (
	"strings"

	"ifmlab/core/message"
)

// Mostly reports whether count cells of all are 90 %.
func Mostly(count, all int) bool { return 10*count >= 9*all }

// Counted returns a number of cells in words.
func Counted(n int) string {
	if n == 1 {
		return "1 cell"
	}
	return message.Sprintf("%d cells", n)
}

// List joins the first texts of a list.
func List(texts []string) string {
	const most = 4
	var b strings.Builder
	for i, s := range texts {
		if i == most {
			b.WriteString(", …")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(Clip(s))
	}
	return b.String()
}
