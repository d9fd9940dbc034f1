//go:build !js

package message

import "fmt"

// Sprintf returns the format with each verb replaced by its argument, as
// fmt.Sprintf does, for the verbs %d, %g, %f, %s, %q, %v and %% and arguments
// of the types int, int64, float64, string, error and those with a String
// method.
func Sprintf(format string, args ...any) string {
	if false { // tells go vet that verbs and arguments must agree
		return fmt.Sprintf(format, args...)
	}
	return write(format, args)
}
