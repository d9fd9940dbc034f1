package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progress is a line on stderr. It is rewritten at most ten times a second and erased at
// the end.
type progress struct {
	out  io.Writer // nil: no line
	last time.Time
	wide int
}

// newProgress returns a line if stderr is a terminal or -progress is given.
func (c *call) newProgress() *progress {
	p := &progress{}
	if file, is := c.stderr.(*os.File); c.progress || is && terminal(file) {
		p.out = c.stderr
	}
	return p
}

func terminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// update writes the line, unless it was written a moment ago.
func (p *progress) update(format string, args ...any) {
	if p.out == nil || time.Since(p.last) < 100*time.Millisecond {
		return
	}
	p.last = time.Now()
	line := fmt.Sprintf(format, args...)
	fmt.Fprintf(p.out, "\r%-*s", p.wide, line)
	p.wide = len([]rune(line))
}

// end erases the line.
func (p *progress) end() {
	if p.out != nil && p.wide > 0 {
		fmt.Fprintf(p.out, "\r%*s\r", p.wide, "")
		p.wide = 0
	}
}
