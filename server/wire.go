//go:build !js

package main

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// joined is a connection that can hold one write back, to send it together
// with the next. net/http's buffer has 4 kB, so an answer of 5 goes out in two
// pieces, each of which the system delivers and wakes the reader up for.
// It is deliberately no io.ReaderFrom, which would go past Write.
type joined struct {
	net.Conn
	hold bool
	held *[]byte // nil: nothing is held back
	left func()  // tells that it was closed
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
		return c.Conn.Write(p)
	}
	held := c.held
	c.held = nil
	both := net.Buffers{*held, p}
	n, err := both.WriteTo(c.Conn)
	n -= int64(len(*held))
	holders.Put(held)
	return int(max(n, 0)), err
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
	closed chan struct{}
	close  func() error
}

func newJoining(listener net.Listener, server *http.Server, most int) *joining {
	l := &joining{listener, server, make(chan struct{}, most), make(chan struct{}), nil}
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
	return &joined{Conn: c, left: sync.OnceFunc(func() { <-l.room })}, nil
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
