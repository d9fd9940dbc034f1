package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progress is a line on stderr that says how far a run is. It is written anew ten
// times a second at most, and gone at the end.
type progress struct {
	out  io.Writer // nil: none is wanted
	last time.Time
	wide int
}

// newProgress returns one where a reader sees it, or asks for it.
func (c *call) newProgress(asked bool) *progress {
	p := &progress{}
	if file, is := c.stderr.(*os.File); asked || is && terminal(file) {
		p.out = c.stderr
	}
	return p
}

func terminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// tell writes the line, unless it did so just now.
func (p *progress) tell(format string, args ...any) {
	if p.out == nil || time.Since(p.last) < 100*time.Millisecond {
		return
	}
	p.last = time.Now()
	line := fmt.Sprintf(format, args...)
	fmt.Fprintf(p.out, "\r%-*s", p.wide, line)
	p.wide = len([]rune(line))
}

// end takes the line away.
func (p *progress) end() {
	if p.out != nil && p.wide > 0 {
		fmt.Fprintf(p.out, "\r%*s\r", p.wide, "")
		p.wide = 0
	}
}
