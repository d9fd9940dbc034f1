//go:build !js

package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorded is a connection that keeps what is written to it.
type recorded struct {
	net.Conn
	bytes.Buffer
	fail error
}

func (r *recorded) Write(p []byte) (int, error) {
	if r.fail != nil {
		return 0, r.fail
	}
	return r.Buffer.Write(p)
}

func (r *recorded) SetWriteDeadline(time.Time) error { return nil }

func (r *recorded) Read(p []byte) (int, error) { return r.Buffer.Read(p) }

func TestTheFirstWriteOfAnAnswerGoesOutWithTheSecond(t *testing.T) {
	wire := &recorded{}
	c := &joined{Conn: wire}
	for range 2 { // twice: a connection has many answers
		wire.Reset()
		c.hold = true
		for _, step := range []struct{ write, sent string }{{"head ", ""}, {"body ", "head body "}, {"more", "head body more"}} {
			n, err := c.Write([]byte(step.write))
			require.NoError(t, err)
			assert.Equal(t, len(step.write), n)
			assert.Equal(t, step.sent, wire.String())
		}
	}
}

func TestAWriteThatFailsIsToldOnce(t *testing.T) {
	c := &joined{Conn: &recorded{fail: io.ErrClosedPipe}, hold: true}
	_, err := c.Write([]byte("head"))
	require.NoError(t, err)
	n, err := c.Write([]byte("body"))
	assert.ErrorIs(t, err, io.ErrClosedPipe)
	assert.Zero(t, n)
}

// Whatever is written, in however many pieces, arrives whole on a connection
// that stays open; the sizes are those around net/http's buffers.
func TestAnswersOfEverySizeArriveWhole(t *testing.T) {
	content := strings.Repeat("0123456789abcdef", 1<<14)
	address := serveLocally(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size, _ := strconv.Atoi(r.URL.Query().Get("size"))
		pieces, _ := strconv.Atoi(r.URL.Query().Get("pieces"))
		for i := range pieces {
			io.WriteString(w, content[size*i/pieces:size*(i+1)/pieces])
		}
	}))
	for _, size := range []int{0, 1, 1500, 2047, 2048, 2049, 3900, 3950, 4000, 4050, 4095, 4096, 4097, 5000, 8191, 8192, 8193, 70000, 1 << 18} {
		for _, pieces := range []int{1, 2, 7} {
			r, err := http.Get(fmt.Sprintf("%s?size=%d&pieces=%d", address, size, pieces))
			require.NoError(t, err)
			assert.True(t, body(t, r) == content[:size], "%d bytes in %d pieces", size, pieces)
			r.Body.Close()
		}
	}
	for size := 3700; size < 4200; size++ { // where head and body fill the buffer to the last byte
		r, err := http.Get(fmt.Sprintf("%s?size=%d&pieces=1", address, size))
		require.NoError(t, err)
		require.True(t, body(t, r) == content[:size], "%d bytes", size)
		r.Body.Close()
	}
}
