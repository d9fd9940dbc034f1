package message

// Sprintf is as in sprintf.go, but does not refer to package fmt.
func Sprintf(format string, args ...any) string { return write(format, args) }
