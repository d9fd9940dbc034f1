package title

import "ifmlab/core/message"

// UniqueNames are names in use, each with the last number that was appended to it.
type UniqueNames map[string]int

// Unique returns name, or "name (2)" and so on if that is in use, and marks the result as
// used. O(1).
func (taken UniqueNames) Unique(name string) string {
	n, twice := taken[name]
	if !twice {
		taken[name] = 1
		return name
	}
	for {
		n++
		unique := message.Sprintf("%s (%d)", name, n)
		if _, twice := taken[unique]; !twice {
			taken[name], taken[unique] = n, 1
			return unique
		}
	}
}
