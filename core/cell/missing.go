package cell

import (
	"slices"
	"strings"
)

// missingTokens stand for no value, in any case, where they are a whole cell.
// "unknown" and "missing" are none of them: they are levels.
var missingTokens = [...]string{"na", "n/a", "#n/a", "nan", "-nan", "null", "(null)", "#null!", "none", "nil", "?", "-", "--", "—", ".", "..", "...", `\n`, "<na>", "#div/0!"}

// LongestToken is the length of the longest token that stands for a missing cell, in bytes.
const LongestToken = 7

// BeginsToken marks the bytes with which such tokens begin.
var BeginsToken = func() (marked [256]bool) {
	for _, t := range missingTokens {
		marked[t[0]] = true
		if c := t[0]; c >= 'a' && c <= 'z' {
			marked[c-'a'+'A'] = true
		}
	}
	return marked
}()

// IsMissing reports whether a trimmed cell stands for no value: it is empty or
// one of missingTokens.
func IsMissing(s string) bool {
	if s == "" {
		return true
	}
	if len(s) > LongestToken || !BeginsToken[s[0]] {
		return false
	}
	for _, t := range missingTokens {
		if len(t) == len(s) && EqualFold(t, s) {
			return true
		}
	}
	return false
}

// Token is a text that cells have, and in how many.
type Token struct {
	Text  string
	Count int
}

// CountToken adds cells to those of a text. There are few texts.
func CountToken(tokens []Token, text string, cells int) []Token {
	i := slices.IndexFunc(tokens, func(t Token) bool { return t.Text == text })
	if i < 0 {
		i = len(tokens)
		tokens = append(tokens, Token{Text: strings.Clone(text)})
	}
	tokens[i].Count += cells
	return tokens
}

// MissingTokens returns the texts that stand for no value in any column, in lower
// case, beside the empty one.
func MissingTokens() []string { return append([]string(nil), missingTokens[:]...) }
