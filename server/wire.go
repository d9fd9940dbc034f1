//go:build !js

package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// joined is a connection that can hold one write back, to send it together
// with the next. net/http's buffer has 4 kB, so an answer of 5 goes out in two
// pieces, each of which the system delivers and wakes the reader up for.
// It is deliberately no io.ReaderFrom, which would go past Write.
//
// It sends as long as its reader takes something of it, however little, and ends
// where that is nothing for as long as stall says.
type joined struct {
	net.Conn
	hold  bool
	held  *[]byte       // nil: nothing is held back
	left  func()        // tells that it was closed
	stall time.Duration // what its reader may take nothing for
}

// holders are buffers for what is held back, for as long as it is: a connection
// that waits for its reader's next question needs none.
var holders = sync.Pool{New: func() any { return new([]byte) }}

// Write implements [io.Writer].
func (c *joined) Write(p []byte) (int, error) {
	if c.hold {
		c.hold = false
		c.held = holders.Get().(*[]byte)
		*c.held = append((*c.held)[:0], p...)
		return len(p), nil
	}
	if c.held == nil {
		return c.send(func() (int64, error) {
			n, err := c.Conn.Write(p)
			p = p[n:]
			return int64(n), err
		})
	}
	held := c.held
	c.held = nil
	both := net.Buffers{*held, p}
	n, err := c.send(func() (int64, error) { return both.WriteTo(c.Conn) })
	n -= len(*held)
	holders.Put(held)
	return max(n, 0), err
}

// looks is how often a reader is looked at before it counts as stalled, which is at
// most one look late. The system tells of room only once there is much of it, and a
// new try takes what there is: a reader of some hundred bytes a second moves on.
const looks = 12

// send calls more until all is sent, or its reader has stalled; what the system still
// holds for that one is given up. more goes on where it was.
func (c *joined) send(more func() (int64, error)) (sent int, err error) {
	for still := 0; ; {
		c.Conn.SetWriteDeadline(time.Now().Add(c.stall / looks))
		n, err := more()
		sent += int(n)
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return sent, err
		}
		if still++; n > 0 {
			still = 0
		}
		if still == looks {
			if tcp, is := c.Conn.(*net.TCPConn); is {
				tcp.SetLinger(0)
			}
			return sent, err
		}
	}
}

// CloseWrite lets net/http say that it is done and still hear the reader.
func (c *joined) CloseWrite() error {
	if half, is := c.Conn.(interface{ CloseWrite() error }); is {
		return half.CloseWrite()
	}
	return nil
}

// Close gives the connection's room to another.
func (c *joined) Close() error {
	err := c.Conn.Close()
	c.left()
	return err
}

// mostConnections is how many connections are served at a time, so that what
// the server keeps for them, some 20 kB each, has a bound. A class of 150 whose
// browsers open six each is below it.
const mostConnections = 1024

// joining accepts connections that can join writes, as long as there is room.
// One that finds none waits, and the others in the system's queue; meanwhile
// each connection is closed as soon as it has its answer, idle ones at once.
type joining struct {
	net.Listener
	server *http.Server
	room   chan struct{} // holds as much as connections are open
	stall  time.Duration // of each
	closed chan struct{}
	close  func() error
}

func newJoining(listener net.Listener, server *http.Server, most int) *joining {
	l := &joining{listener, server, make(chan struct{}, most), stallTime, make(chan struct{}), nil}
	l.close = sync.OnceValue(func() error {
		close(l.closed)
		return listener.Close()
	})
	return l
}

// Accept implements [net.Listener].
func (l *joining) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	select {
	case l.room <- struct{}{}:
	default:
		l.server.SetKeepAlivesEnabled(false)
		defer l.server.SetKeepAlivesEnabled(true)
		select {
		case l.room <- struct{}{}:
		case <-l.closed:
			c.Close()
			return nil, net.ErrClosed
		}
	}
	return &joined{Conn: c, stall: l.stall, left: sync.OnceFunc(func() { <-l.room })}, nil
}

// Close implements [net.Listener].
func (l *joining) Close() error { return l.close() }

type connection struct{}

func rememberConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connection{}, c)
}

// joinWrites holds the first write of each answer back. Another one follows in
// any case: while a handler that never flushes runs, net/http writes out only
// when its buffer is full and more is to come. A request with a body, which
// nobody here reads, is the last of its connection: so none can be hidden in it.
func joinWrites(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			w.Header().Set("Connection", "close")
		}
		if c, is := r.Context().Value(connection{}).(*joined); is {
			c.hold = true
			defer func() { c.hold = false }()
		}
		handler.ServeHTTP(w, r)
	})
}
