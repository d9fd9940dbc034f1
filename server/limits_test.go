//go:build !js

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wires is a listener whose connections are pipes in memory, which hold nothing:
// what is written waits until it is read. So synctest's clock is that of both ends.
type wires struct {
	ends chan net.Conn
	gone chan struct{}
	once sync.Once
}

func newWires() *wires { return &wires{ends: make(chan net.Conn), gone: make(chan struct{})} }

func (l *wires) Accept() (net.Conn, error) {
	select {
	case c := <-l.ends:
		return c, nil
	case <-l.gone:
		return nil, net.ErrClosed
	}
}

func (l *wires) Close() error {
	l.once.Do(func() { close(l.gone) })
	return nil
}

func (l *wires) Addr() net.Addr { return &net.TCPAddr{} }

// call returns the reader's end of a new connection.
func (l *wires) call() net.Conn {
	here, there := net.Pipe()
	l.ends <- there
	return here
}

// largeSite has a file that no buffer holds.
func largeSite(t *testing.T) http.Handler {
	t.Helper()
	s, err := newSite(fstest.MapFS{
		"index.html": {Data: []byte(`<head><meta property="og:type" x><meta name="color-scheme" y>`)}, "404.html": {Data: []byte("lost")},
		"a/large-AAAAAAAA.wasm": {Data: []byte(strings.Repeat("0123456789abcdef", 1<<16))},
	})
	require.NoError(t, err)
	return s
}

// atOnce is as long as net/http stays to see that a client has had the answer.
const atOnce = time.Second / 2

var statusLine = regexp.MustCompile(`HTTP/1\.[01] (\d{3})[^\r]*\r\n`)

// What a client gets that asks in an ugly way: the status of each answer, in order,
// and how long the server keeps its connection, which is idleTime where it may ask
// again. What is smuggled stands where a proxy in front sees no request of its own:
// it is never answered.
func TestWhatEachUglyRequestGets(t *testing.T) {
	const at = " HTTP/1.1\r\nHost: lab.example\r\n"
	const file = "GET /a/large-AAAAAAAA.wasm" + at
	const smuggled = "GET /smuggled" + at + "\r\n"
	many := func(n int, text func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(text(i))
		}
		return b.String()
	}
	for _, c := range []struct {
		name, sent string
		answers    string        // status codes
		ends       time.Duration // after the connection was opened
	}{
		{"a proper request", "GET /healthz" + at + "\r\n", "200", idleTime},
		{"two at once", "GET /healthz" + at + "\r\nGET /healthz" + at + "\r\n", "200 200", idleTime},
		{"a thousand at once", strings.Repeat("GET /healthz"+at+"\r\n", 1000), strings.TrimSpace(strings.Repeat("200 ", 1000)), idleTime},

		{"a link of 7,000 unknown parameters", "GET /?" + many(7000, func(i int) string { return fmt.Sprintf("u%d=1&", i) }) + at + "\r\n", "200", idleTime},

		// Slow ones.
		{"nothing at all", "", "", headTime},
		{"half a head", "GET /healthz" + at, "", headTime},
		{"half a head after a whole one", "GET /healthz" + at + "\r\nGET /", "200 400", headTime},
		{"half a body", "POST /healthz" + at + "Content-Length: 10\r\n\r\n12345", "405", headTime},
		{"half a chunk", "GET /healthz" + at + "Transfer-Encoding: chunked\r\n\r\n5\r\n12", "200", headTime},

		// Too much.
		{"a long address", "GET /" + strings.Repeat("x", 80<<10) + at + "\r\n", "431", atOnce},
		{"a long header", file + "X: " + strings.Repeat("x", 80<<10) + "\r\n\r\n", "431", atOnce},
		{"a large body, announced", "POST /" + at + "Content-Length: 99999999999\r\n\r\n", "405", atOnce},

		// Requests within requests.
		{"one in a body", "GET /healthz" + at + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(smuggled)) + smuggled, "200", atOnce},
		{"one behind a chunked body", "POST /" + at + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled, "405", atOnce},
		{"a body by length and by chunks", "POST /" + at + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled, "405", atOnce},
		{"a body of two lengths", "GET /healthz" + at + "Content-Length: 0\r\nContent-Length: 50\r\n\r\n" + smuggled, "400", atOnce},
		{"a coding that is none", "GET /healthz" + at + "Transfer-Encoding: xchunked\r\n\r\n" + smuggled, "501", atOnce},
		{"a space before the colon", "GET /healthz" + at + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + smuggled, "400", atOnce},
		{"a header with a line's end in it", "GET /healthz" + at + "X: a\rContent-Length: 5\r\n\r\n" + smuggled, "400", atOnce},

		// Hosts.
		{"no host", "GET /healthz HTTP/1.1\r\n\r\n", "400", atOnce},
		{"two hosts", "GET /healthz" + at + "Host: evil.example\r\n\r\n", "400", atOnce},
		{"a card for an empty host", "GET /p/d=5 HTTP/1.1\r\nHost:\r\n\r\n", "400", idleTime},
		{"a host of 300 letters", "GET /p/d=5 HTTP/1.1\r\nHost: " + strings.Repeat("x", 300) + "\r\n\r\n", "400", idleTime},

		// Methods and versions.
		{"a method of one's own", "BREW /" + at + "\r\n", "405", idleTime},
		{"a way through", "CONNECT evil.example:443" + at + "\r\n", "405", idleTime},
		{"HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n", "200", atOnce},
		{"HTTP/2 without being asked", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "405", atOnce},
		{"HTTP/2 by an upgrade", "GET /healthz" + at + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n", "200", idleTime},

		// Parts.
		{"two thousand parts", file + "Range: bytes=" + many(2000, func(i int) string { return fmt.Sprintf("%d-%d,", 2*i, 2*i) }) + "9999-\r\n\r\n", "200", idleTime},
		{"the same part again and again", file + "Range: bytes=" + strings.Repeat("0-,", 2000) + "0-\r\n\r\n", "200", idleTime},
		{"several parts of the page", "GET /" + at + "Range: bytes=0-1,4-5\r\n\r\n", "200", idleTime},
		{"a part beyond all numbers", file + "Range: bytes=99999999999999999999-\r\n\r\n", "416", idleTime},
		{"a part that ends before it begins", file + "Range: bytes=9-1\r\n\r\n", "416", idleTime},

		// Paths.
		{"up and out", "GET /../../../../etc/passwd" + at + "\r\n", "404", idleTime},
		{"up and out, escaped", "GET /%2e%2e/%2e%2e/etc/passwd" + at + "\r\n", "404", idleTime},
		{"up and out by way of a file", "GET /a/large-AAAAAAAA.wasm/../../../etc/passwd" + at + "\r\n", "404", idleTime},
		{"a broken escape", "GET /%zz" + at + "\r\n", "400", atOnce},
		{"a star", "GET *" + at + "\r\n", "404", idleTime},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				answers, ends := exchange(t, c.sent)
				assert.Equal(t, c.answers, answers)
				assert.InDelta(t, c.ends, ends, float64(atOnce), "%v, want %v", ends, c.ends)
			})
		})
	}
}

// served serves a site over wires until stop, which waits for its end.
func served(t *testing.T, server *http.Server) (listener *wires, stop func()) {
	t.Helper()
	listener = newWires()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, server, listener, slog.New(slog.DiscardHandler)) }()
	return listener, func() {
		cancel()
		require.NoError(t, <-ended)
	}
}

// largeServer serves largeSite.
func largeServer(t *testing.T) *http.Server {
	return newServer(largeSite(t), slog.New(slog.DiscardHandler), false)
}

// exchange sends bytes to a server, and returns the status of each answer, and how
// long the server kept the connection.
func exchange(t *testing.T, sent string) (answers string, ends time.Duration) {
	t.Helper()
	listener, stop := served(t, largeServer(t))
	began := time.Now()
	c := listener.call()
	go io.WriteString(c, sent)
	got, _ := io.ReadAll(c)
	ends = time.Since(began)
	c.Close()
	stop()
	var codes []string
	for _, found := range statusLine.FindAllStringSubmatch(string(got), -1) {
		codes = append(codes, found[1])
	}
	return strings.Join(codes, " "), ends
}

func TestConnectionsBeyondTheMostWaitForRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most = 3
		inside := newWires()
		server := newServer(largeSite(t), slog.New(slog.DiscardHandler), false)
		listener := limit(inside, server, most)
		ended := make(chan error, 1)
		go func() { ended <- server.Serve(listener) }()
		ask := func(c net.Conn) (status string, closed bool) {
			go io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
			answer := bufio.NewReader(c)
			r := must(http.ReadResponse(answer, nil))
			_, err := io.Copy(io.Discard, r.Body)
			require.NoError(t, err)
			return r.Status, r.Close
		}
		var kept []net.Conn
		for range most {
			c := inside.call()
			kept = append(kept, c)
			status, closed := ask(c)
			assert.Equal(t, "200 OK", status)
			assert.False(t, closed, "there is room: it may stay")
		}
		for range 2 * most { // one after the other, where all room is taken by who has had an answer
			status, _ := ask(inside.call())
			assert.Equal(t, "200 OK", status)
		}
		for _, c := range kept {
			_, err := c.Read(make([]byte, 1))
			assert.ErrorIs(t, err, io.EOF, "it was closed to make room")
		}

		for range most { // who only calls has headTime
			inside.call()
		}
		began := time.Now()
		status, _ := ask(inside.call())
		assert.Equal(t, "200 OK", status)
		assert.LessOrEqual(t, time.Since(began), headTime)

		for range most {
			go io.CopyN(inside.call(), strings.NewReader("GET /a/large-AAAAAAAA.wasm HTTP/1.1\r\nHost: x\r\n\r\n"), 54)
		}
		synctest.Wait()
		waiting := inside.call()
		go server.Close() // ends who waits, too
		_, err := waiting.Read(make([]byte, 1))
		assert.ErrorIs(t, err, io.EOF)
		assert.ErrorIs(t, <-ended, http.ErrServerClosed)
	})
}

func TestWhoTakesNothingIsCutOffAndWhoIsSlowIsNot(t *testing.T) {
	const most = stallTime - time.Second
	whole := strings.Repeat("0123456789abcdef", 1<<16)
	read := func(c net.Conn, n int64) bool {
		_, err := io.CopyN(io.Discard, c, n)
		return err == nil
	}
	for _, reader := range []struct {
		name  string
		reads func(c net.Conn) // before it reads all that is still to come
		ends  time.Duration    // 0: its answer is whole
	}{
		{"reads nothing", func(net.Conn) { time.Sleep(2 * stallTime) }, stallTime},
		{"stops in the head", func(c net.Conn) { read(c, 10); time.Sleep(2 * stallTime) }, stallTime},
		{"stops in the middle", func(c net.Conn) { time.Sleep(most); read(c, 5000); time.Sleep(2 * stallTime) }, most + stallTime},
		{"stops once and goes on", func(c net.Conn) { read(c, 5000); time.Sleep(most) }, 0},
		{"stops before it begins", func(net.Conn) { time.Sleep(most) }, 0},
		{"reads a byte a minute for an hour", func(c net.Conn) {
			for range 60 {
				time.Sleep(most)
				read(c, 1)
			}
		}, 0},
		{"reads a little a minute", func(c net.Conn) {
			for range 50 {
				time.Sleep(most)
				read(c, 20_000)
			}
		}, 0},
	} {
		t.Run(reader.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, cut := largeServer(t), make(chan time.Duration, 1)
				began := time.Now()
				server.ConnState = func(_ net.Conn, now http.ConnState) {
					if now == http.StateClosed {
						cut <- time.Since(began)
					}
				}
				listener, stop := served(t, server)
				c := listener.call()
				io.WriteString(c, "GET /a/large-AAAAAAAA.wasm HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
				reader.reads(c)
				rest := must(io.ReadAll(c))
				took := <-cut
				if reader.ends == 0 {
					assert.NotEmpty(t, rest)
					assert.True(t, strings.HasSuffix(whole, string(rest[max(0, len(rest)-100):])), "the end of the file")
				} else {
					assert.Empty(t, rest)
					assert.GreaterOrEqual(t, took, reader.ends)
					assert.LessOrEqual(t, took, reader.ends+stallTime/attempts+time.Second)
				}
				stop()
			})
		})
	}

	t.Run("waits long and asks again", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			listener, stop := served(t, largeServer(t))
			c := listener.call()
			for range 3 {
				go io.WriteString(c, "GET /a/large-AAAAAAAA.wasm HTTP/1.1\r\nHost: x\r\n\r\n")
				assert.True(t, whole == body(t, must(http.ReadResponse(bufio.NewReader(c), nil))))
				time.Sleep(idleTime - time.Second)
			}
			c.Close()
			stop()
		})
	})
}

func TestWhatIsHeldForAStalledReaderIsGivenUp(t *testing.T) {
	socket := must(net.Listen("tcp", "127.0.0.1:0"))
	server := newServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write(make([]byte, 64<<20)) // more than any system holds
	}), slog.New(slog.DiscardHandler), false)
	cut := make(chan bool, 1)
	server.ConnState = func(_ net.Conn, now http.ConnState) {
		if now == http.StateClosed {
			cut <- true
		}
	}
	listener := limit(socket, server, 1)
	listener.stall = 40 * time.Millisecond
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	c := must(net.Dial("tcp", socket.Addr().String()))
	defer c.Close()
	_, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	require.NoError(t, err)
	<-cut
	_, err = io.Copy(io.Discard, c)
	assert.ErrorIs(t, err, syscall.ECONNRESET)
}

func TestAClientThatClosesItsHalfGetsItsAnswer(t *testing.T) {
	address := serveLocally(t, largeSite(t))
	c := must(net.Dial("tcp", strings.Trim(strings.TrimPrefix(address, "http://"), "/")))
	defer c.Close()
	_, err := io.WriteString(c, "GET /a/large-AAAAAAAA.wasm HTTP/1.1\r\nHost: x\r\n\r\n")
	require.NoError(t, err)
	require.NoError(t, c.(*net.TCPConn).CloseWrite())
	got := must(io.ReadAll(c))
	assert.Contains(t, string(got), "HTTP/1.1 200 OK\r\n")
	assert.Contains(t, string(got), strings.Repeat("0123456789abcdef", 1<<16))
}

// Whatever its readers do, the server ends in leaveTime, which is less than the ten
// seconds that whoever stops it may wait; who has asked and reads gets all of it.
func TestTheServerEndsInTimeWhateverReadersDo(t *testing.T) {
	const asked = "GET /a/large-AAAAAAAA.wasm HTTP/1.1\r\nHost: x\r\n\r\n"
	for _, c := range []struct {
		name   string
		reader func(c net.Conn) // until its connection ends
		took   time.Duration    // at most
	}{
		{"reads nothing of its answer", func(c net.Conn) { io.WriteString(c, asked) }, leaveTime},
		{"stops in the middle", func(c net.Conn) { io.WriteString(c, asked); io.CopyN(io.Discard, c, 1000) }, leaveTime},
		{"reads a byte a second", func(c net.Conn) {
			io.WriteString(c, asked)
			for _, err := c.Read(make([]byte, 1)); err == nil; _, err = c.Read(make([]byte, 1)) {
				time.Sleep(time.Second)
			}
		}, leaveTime},
		{"writes a byte of its request a second", func(c net.Conn) {
			for _, b := range []byte(asked) {
				if _, err := c.Write([]byte{b}); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}, leaveTime},
		{"asks again and again", func(c net.Conn) {
			go io.Copy(io.Discard, c)
			for err := error(nil); err == nil; time.Sleep(time.Millisecond) {
				_, err = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
			}
		}, time.Second},
		{"has asked and keeps its connection", func(c net.Conn) {
			io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
			io.Copy(io.Discard, c)
		}, time.Second},
		{"has only called", func(c net.Conn) {}, leaveTime},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				listener, stop := served(t, largeServer(t))
				conn := listener.call()
				var reading sync.WaitGroup
				reading.Go(func() { c.reader(conn) })
				time.Sleep(3 * time.Second)
				told := time.Now()
				stop()
				assert.LessOrEqual(t, time.Since(told), c.took)
				conn.Close()
				reading.Wait()
			})
		})
	}
	assert.Less(t, leaveTime, 10*time.Second)
}
