//go:build !js

package main

import (
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// mostConnections bounds the memory of all connections, of some 20 kB each. A
// class of 150 whose browsers open six connections each is below it.
const mostConnections = 1024

// limited is a listener with at most as many open connections as fit into room.
// Further ones wait. While one waits, each open connection closes as soon as it
// has its answer, and idle ones close at once.
type limited struct {
	net.Listener
	server *http.Server
	room   chan struct{}
	stall  time.Duration // of each connection
	closed chan struct{}
}

func limit(listener net.Listener, server *http.Server, most int) *limited {
	return &limited{listener, server, make(chan struct{}, most), stallTime, make(chan struct{})}
}

// Accept implements [net.Listener].
func (l *limited) Accept() (net.Conn, error) {
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
	return &connection{c, l.stall, sync.OnceFunc(func() { <-l.room })}, nil
}

// Close implements [net.Listener]. A server calls it once.
func (l *limited) Close() error {
	close(l.closed)
	return l.Listener.Close()
}

// connection ends a write once its reader has taken nothing for the time stall,
// and goes on as long as the reader takes anything.
type connection struct {
	net.Conn
	stall time.Duration
	leave func()
}

// attempts is how often a write is tried in the time stall. Linux reports room
// for more bytes only once there is much of it, but a new attempt uses any room.
const attempts = 12

// Write implements [io.Writer]. For a reader that has stalled, it drops the bytes that the
// system has not sent.
func (c *connection) Write(p []byte) (sent int, err error) {
	for idle := 1; idle <= attempts; idle++ {
		c.SetWriteDeadline(time.Now().Add(c.stall / attempts))
		var n int
		n, err = c.Conn.Write(p[sent:])
		sent += n
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return sent, err
		}
		if n > 0 {
			idle = 0
		}
	}
	if tcp, is := c.Conn.(*net.TCPConn); is {
		tcp.SetLinger(0)
	}
	return sent, err
}

// CloseWrite lets net/http end its answer and still read from the client.
func (c *connection) CloseWrite() error {
	if half, is := c.Conn.(interface{ CloseWrite() error }); is {
		return half.CloseWrite()
	}
	return nil
}

// Close makes room for another connection.
func (c *connection) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// withoutBodies ends the connection of a request with a body. The server reads no bodies,
// so none can hide another request.
func withoutBodies(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			w.Header().Set("Connection", "close")
		}
		handler.ServeHTTP(w, r)
	})
}
