//go:build !js

package main

import (
	"context"
	"net"
	"net/http"
)

// joined is a connection that can hold one write back, to send it together
// with the next. net/http's buffer has 4 kB, so an answer of 5 goes out in two
// pieces, each of which the system delivers and wakes the reader up for.
// It is deliberately no io.ReaderFrom, which would go past Write.
type joined struct {
	net.Conn
	hold bool
	held []byte
}

// Write implements [io.Writer].
func (c *joined) Write(p []byte) (int, error) {
	if c.hold {
		c.hold = false
		c.held = append(c.held, p...)
		return len(p), nil
	}
	if len(c.held) == 0 {
		return c.Conn.Write(p)
	}
	both := net.Buffers{c.held, p}
	n, err := both.WriteTo(c.Conn)
	n -= int64(len(c.held))
	c.held = c.held[:0]
	return int(max(n, 0)), err
}

// CloseWrite lets net/http say that it is done and still hear the reader.
func (c *joined) CloseWrite() error {
	if half, is := c.Conn.(interface{ CloseWrite() error }); is {
		return half.CloseWrite()
	}
	return nil
}

// joining accepts connections that can join writes.
type joining struct{ net.Listener }

// Accept implements [net.Listener].
func (l joining) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &joined{Conn: c}, nil
}

type connection struct{}

func rememberConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connection{}, c)
}

// joinWrites holds the first write of each answer back. Another one follows in
// any case: while a handler that never flushes runs, net/http writes out only
// when its buffer is full and more is to come.
func joinWrites(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, is := r.Context().Value(connection{}).(*joined); is {
			c.hold = true
			defer func() { c.hold = false }()
		}
		handler.ServeHTTP(w, r)
	})
}
