//go:build !js

package main

import (
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// newLog returns a log in JSON, of everything or of warnings only.
func newLog(w io.Writer, everything bool) *slog.Logger {
	level := slog.LevelWarn
	if everything {
		level = slog.LevelInfo
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
}

// withLog logs each answer: method, path, status, bytes of the body and milliseconds. It
// logs no address of a reader and no settings, which may name a reader's columns: no
// query, and /p/ alone for a share card.
func withLog(handler http.Handler, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		a := &recorder{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			log.LogAttrs(r.Context(), slog.LevelInfo, "request",
				slog.String("method", cut(r.Method, 10)), slog.String("path", logPath(r.URL.Path)),
				slog.Int("status", a.status), slog.Int64("bytes", a.bytes), slog.Float64("ms", float64(time.Since(began).Microseconds())/1000))
		}()
		handler.ServeHTTP(a, r)
	})
}

func logPath(path string) string {
	if strings.HasPrefix(path, "/p/") {
		return "/p/"
	}
	path, _, _ = strings.Cut(path, "=") // it may be a share card's, mistyped
	return cut(path, 100)
}

func cut(text string, most int) string {
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// recorder records the status and the bytes of an answer.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (a *recorder) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

func (a *recorder) Write(p []byte) (int, error) {
	n, err := a.ResponseWriter.Write(p)
	a.bytes += int64(n)
	return n, err
}

// Unwrap lets [http.ResponseController] reach the response.
func (a *recorder) Unwrap() http.ResponseWriter { return a.ResponseWriter }
