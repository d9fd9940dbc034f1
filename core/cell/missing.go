package cell

import (
	"slices"
	"strings"
)

// missingTokens mean a missing value if they are a whole cell, in any case of letters.
// "unknown" and "missing" are levels instead.
var missingTokens = [...]string{"na", "n/a", "#n/a", "nan", "-nan", "null", "(null)", "#null!", "none", "nil", "?", "-", "--", "—", ".", "..", "...", `\n`, "<na>", "#div/0!"}

// LongestToken is the length in bytes of the longest token for a missing value.
const LongestToken = 7

// BeginsToken is true for the first bytes of tokens for a missing value.
var BeginsToken = func() (marked [256]bool) {
	for _, t := range missingTokens {
		marked[t[0]] = true
		if c := t[0]; c >= 'a' && c <= 'z' {
			marked[c-'a'+'A'] = true
		}
	}
	return marked
}()

// IsMissing reports whether a trimmed cell is empty or a token for a missing value.
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

// Token is a text and the number of cells that hold it.
type Token struct {
	Text  string
	Count int
}

// CountToken adds cells to the count of a text, and the text if it is new.
func CountToken(tokens []Token, text string, cells int) []Token {
	i := slices.IndexFunc(tokens, func(t Token) bool { return t.Text == text })
	if i < 0 {
		i = len(tokens)
		tokens = append(tokens, Token{Text: strings.Clone(text)})
	}
	tokens[i].Count += cells
	return tokens
}

// DigitForm returns a text with 9 for each run of digits.
func DigitForm(text string) string {
	form := make([]byte, 0, len(text))
	for i := range len(text) {
		switch {
		case text[i]-'0' > 9:
			form = append(form, text[i])
		case len(form) == 0 || form[len(form)-1] != '9':
			form = append(form, '9')
		}
	}
	return string(form)
}

// MissingTokens returns the tokens for a missing value in lower case, without the empty
// text.
func MissingTokens() []string { return append([]string(nil), missingTokens[:]...) }
