package title

import "ifmlab/core/message"

// Taken are the names that are taken, each with the last number that was put
// behind it to make another name of it.
type Taken map[string]int

// Unique returns name, or "name (2)" and so on, whichever is not taken, and
// takes it. It costs O(1) whatever the number of equal names.
func (taken Taken) Unique(name string) string {
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
