package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// asked is what is requested, and what must come back.
type asked struct {
	path, coding string // coding as in Accept-Encoding; "identity" for the plain form
	body         []byte
}

// load is what a server made of a number of requests.
type load struct {
	requests int
	seconds  float64
	p50, p99 time.Duration // from the request's first byte to the answer's last
}

func (l load) rate() float64 { return float64(l.requests) / l.seconds }

// send has as many readers as there are connections, each on one that it keeps,
// ask the server at addr for the same thing again and again for a time, and
// returns how it went. An answer that is not 200, or whose coding or body is
// another than was asked for, is an error.
func send(addr string, what asked, connections int, lasting time.Duration) (load, error) {
	var group sync.WaitGroup
	times := make([][]time.Duration, connections)
	failed := make([]error, connections)
	open := make([]net.Conn, connections)
	for i := range open {
		conn, err := net.DialTimeout("tcp", addr, 10*time.Second)
		if err != nil {
			return load{}, err
		}
		defer conn.Close()
		open[i] = conn
	}
	began := time.Now()
	end := began.Add(lasting)
	for i, conn := range open {
		group.Go(func() { times[i], failed[i] = ask(conn, addr, what, end) })
	}
	group.Wait()
	seconds := time.Since(began).Seconds()
	if err := cmp.Or(failed...); err != nil {
		return load{}, err
	}
	all := slices.Concat(times...)
	slices.Sort(all)
	return load{len(all), seconds, quantile(all, .5), quantile(all, .99)}, nil
}

// quantile returns the q-quantile of sorted times, of which there is at least one.
func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[int(q*float64(len(sorted)-1))]
}

// ask is one reader: it returns the time of each of its answers, at least one.
func ask(conn net.Conn, addr string, what asked, end time.Time) (times []time.Duration, err error) {
	conn.SetDeadline(end.Add(10 * time.Second))
	request := fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept-Encoding: %s\r\nUser-Agent: bench\r\n\r\n", what.path, addr, what.coding)
	answers := bufio.NewReaderSize(conn, min(64<<10, 4096+len(what.body)))
	buffer := make([]byte, min(256<<10, len(what.body)))
	for len(times) == 0 || time.Now().Before(end) {
		began := time.Now()
		if _, err := conn.Write(request); err != nil {
			return nil, err
		}
		if err := check(answers, what, buffer); err != nil {
			return nil, fmt.Errorf("%s%s as %s: %w", addr, what.path, what.coding, err)
		}
		times = append(times, time.Since(began))
	}
	return times, nil
}

// check reads one answer through the buffer and compares it with what was asked for.
func check(answers *bufio.Reader, what asked, buffer []byte) error {
	status, err := answers.ReadString('\n')
	if err != nil {
		return err
	}
	if !strings.HasPrefix(status, "HTTP/1.1 200 ") {
		return fmt.Errorf("the answer is %q, want 200", strings.TrimSpace(status))
	}
	length, coding := -1, "identity"
	for {
		line, err := answers.ReadSlice('\n')
		if err != nil {
			return err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		case bytes.EqualFold(name, []byte("Content-Encoding")):
			coding = string(bytes.TrimSpace(value))
		}
	}
	if coding != what.coding {
		return fmt.Errorf("the answer's coding is %s, want %s", coding, what.coding)
	}
	if length != len(what.body) {
		return fmt.Errorf("the answer is of %d bytes, want %d", length, len(what.body))
	}
	for left := what.body; len(left) > 0; {
		n, err := answers.Read(buffer[:min(len(buffer), len(left))])
		if !bytes.Equal(buffer[:n], left[:n]) {
			return fmt.Errorf("the answer is wrong somewhere after byte %d", len(what.body)-len(left))
		}
		if left = left[n:]; err != nil && len(left) > 0 {
			if err == io.EOF {
				return io.ErrUnexpectedEOF
			}
			return err
		}
	}
	return nil
}
