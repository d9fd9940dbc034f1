package data

import (
	"math"
	"slices"
	"strings"
)

// missingTokens stand for no value, in any case, where they are a whole cell.
// "unknown" and "missing" are none of them: they are levels.
var missingTokens = [...]string{"na", "n/a", "#n/a", "nan", "-nan", "null", "(null)", "#null!", "none", "nil", "?", "-", "--", "—", ".", "..", "...", `\n`, "<na>", "#div/0!"}

// longestToken is the length of the longest of them, in bytes.
const longestToken = 7

// beginsToken marks the bytes with which they begin.
var beginsToken = func() (marked [256]bool) {
	for _, t := range missingTokens {
		marked[t[0]] = true
		if c := t[0]; c >= 'a' && c <= 'z' {
			marked[c-'a'+'A'] = true
		}
	}
	return marked
}()

// isMissing reports whether a trimmed cell stands for no value: it is empty or
// one of missingTokens.
func isMissing(s string) bool {
	if s == "" {
		return true
	}
	if len(s) > longestToken || !beginsToken[s[0]] {
		return false
	}
	for _, t := range missingTokens {
		if len(t) == len(s) && alike(t, s) {
			return true
		}
	}
	return false
}

// token is a text that cells have, and in how many.
type token struct {
	text  string
	count int
}

// addMissing appends a missing cell, as it is written.
func (c *column) addMissing(cell string) {
	c.missing++
	c.rising = false
	if cell != "" {
		c.tokens = count(c.tokens, cell, 1)
	}
	if c.plain {
		c.values.add(math.NaN())
	} else {
		c.codes.add(missingCode)
	}
}

// count adds cells to those of a text. There are few texts.
func count(tokens []token, text string, cells int) []token {
	i := slices.IndexFunc(tokens, func(t token) bool { return t.text == text })
	if i < 0 {
		i = len(tokens)
		tokens = append(tokens, token{text: strings.Clone(text)})
	}
	tokens[i].count += cells
	return tokens
}

// MissingTokens returns the texts that stand for no value in any column, in lower
// case, beside the empty one.
func MissingTokens() []string { return append([]string(nil), missingTokens[:]...) }
