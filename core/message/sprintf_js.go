package message

// Sprintf is as in sprintf.go, without package fmt: go vet has seen the callers.
func Sprintf(format string, args ...any) string { return write(format, args) }
