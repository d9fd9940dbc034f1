package message

import (
	"errors"
	"strings"
)

// Kind returns the name of the first typed error in a chain, such as "FileError" for a
// [*fault.FileError], and "Error" for a chain without one. Each type returns its name by a
// method, because fmt would add an eighth to the page.
func Kind(err error) string {
	for ; err != nil; err = errors.Unwrap(err) {
		if typed, ok := err.(interface{ Kind() string }); ok {
			return typed.Kind()
		}
	}
	return "Error"
}

// Sentence returns the message of an error for a reader. It removes the name of the package
// in front and begins with a capital.
func Sentence(message string) string {
	name, text, found := strings.Cut(message, ": ")
	if !found || !strings.Contains(packages, " "+name+" ") {
		return message
	}
	small := func(i int) bool { return i < len(text) && 'a' <= text[i] && text[i] <= 'z' }
	if small(0) && small(1) { // a word, and not a name such as λ or n
		text = string(text[0]-'a'+'A') + text[1:]
	}
	return text
}

// packages are those whose messages a reader may see. The name of a column or a file in front
// of a colon stays.
const packages = " assess core data design eigen engine fm interaction kernel linear moment pair population position saved script sky solve spec study survey synth task train trees trial triangular vtec "
