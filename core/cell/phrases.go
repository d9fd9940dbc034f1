package cell

import (
	"strings"

	"ifmlab/core/message"
)

// Mostly reports whether count is at least 90 % of all.
func Mostly(count, all int) bool { return 10*count >= 9*all }

// CellCount returns "1 cell", "2 cells" and so on.
func CellCount(n int) string {
	if n == 1 {
		return "1 cell"
	}
	return message.Sprintf("%d cells", n)
}

// List joins the first texts of a list for a message.
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
