package main

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestALoadCountsAnswersAndTimesThem(t *testing.T) {
	body := []byte(strings.Repeat("0123456789abcdef", 40_000)) // more than the buffers hold
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "identity", r.Header.Get("Accept-Encoding"))
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	}))
	defer server.Close()
	l, err := send(server.Listener.Addr().String(), asked{"/file", "identity", body}, 16, 50*time.Millisecond)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, l.requests, 16)
	assert.GreaterOrEqual(t, l.seconds, .05)
	assert.Positive(t, l.p50)
	assert.LessOrEqual(t, l.p50, l.p99)
	assert.LessOrEqual(t, l.p99.Seconds(), l.seconds)
}

func TestAWrongAnswerEndsTheLoad(t *testing.T) {
	for name, c := range map[string]struct {
		head, body, want string
	}{
		"another body":   {"200 OK\r\nContent-Length: 5", "right"[:4] + "!", "the answer is wrong somewhere after byte 0"},
		"another length": {"200 OK\r\nContent-Length: 4", "righ", "the answer is of 4 bytes, want 5"},
		"no length":      {"200 OK", "", "the answer is of -1 bytes, want 5"},
		"another coding": {"200 OK\r\ncontent-encoding: gzip\r\nContent-Length: 5", "right", "the answer's coding is gzip, want identity"},
		"no file":        {"404 Not Found\r\nContent-Length: 5", "right", `the answer is "HTTP/1.1 404 Not Found", want 200`},
		"half a body":    {"200 OK\r\nContent-Length: 5", "ri", "unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				conn, _, err := w.(http.Hijacker).Hijack()
				if assert.NoError(t, err) {
					conn.Write([]byte("HTTP/1.1 " + c.head + "\r\n\r\n" + c.body))
					conn.Close()
				}
			}))
			defer server.Close()
			_, err := send(server.Listener.Addr().String(), asked{"/file", "identity", []byte("right")}, 16, time.Millisecond)
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func TestAQuantileIsOneOfTheTimes(t *testing.T) {
	times := make([]time.Duration, 101)
	for i := range times {
		times[i] = time.Duration(i)
	}
	assert.EqualValues(t, 50, quantile(times, .5))
	assert.EqualValues(t, 99, quantile(times, .99))
	assert.EqualValues(t, 0, quantile(times[:1], .99))
}
