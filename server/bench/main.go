// Command bench times the server that make build made beside nginx, on the same
// files, in turns, and prints a table:
//
//	go run ./server/bench [-binary bin/ifmlab] [-files web/dist] [-seconds 1] [-rounds 5]
//
// The load comes from this program, over the loopback interface and so on the
// same cores: read the ratios. Every body is compared with the file.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

// Aims, as core/cmd/bench/README.md states them.
const (
	smallAim  = .5 // requests a second ÷ nginx's, a file of 4 kB
	engineAim = 1. // the same, the engine
	startAim  = 50 * time.Millisecond
	memoryAim = 30 // MB after the load
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "server/bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	binary := flags.String("binary", "bin/ifmlab", "the server, a `program` that make build made")
	files := flags.String("files", "web/dist", "the `folder` with the files that are in it")
	seconds := flags.Float64("seconds", 1, "how long each server is asked for each file in a round")
	rounds := flags.Int("rounds", 5, "how often the servers take turns")
	if err := flags.Parse(args); err != nil {
		return err
	}
	small, engine, err := choose(*files)
	if err != nil {
		return err
	}

	ours, start, err := starts(ctx, *binary, 11)
	if err != nil {
		return err
	}
	defer ours.stop()
	fmt.Fprintf(out, "from exec to the first page, median of 11: %.0f ms, aim < %.0f%s\n", 1e3*start.Seconds(), 1e3*startAim.Seconds(), missed(start < startAim))

	temporary, err := os.MkdirTemp("", "ifmlab-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	headers, err := get(ours.addr, engine[0].path, "identity")
	if err != nil {
		return err
	}
	requests := slices.Concat(small, engine)
	lasting := time.Duration(*seconds * float64(time.Second))
	nginx, err := startNginx(ctx, *files, temporary, ownHeaders(headers))
	switch {
	case errors.Is(err, errNoNginx):
		fmt.Fprintf(out, "not run: the comparison with nginx: %v\n", err)
		for _, what := range requests {
			if _, err := send(ours.addr, what, lasting); err != nil {
				return err
			}
		}
	case err != nil:
		return err
	default:
		defer nginx.stop()
		if err := compare(out, ours.addr, nginx.addr, requests, lasting, *rounds); err != nil {
			return err
		}
	}
	if err := askForAll(ours.addr, *files); err != nil {
		return err
	}
	now, peak, err := memory(ours.cmd.Process.Pid)
	if err != nil {
		fmt.Fprintf(out, "not run: resident memory, which is read from Linux's /proc: %v\n", err)
		return nil
	}
	fmt.Fprintf(out, "resident after the load, and after each file was asked for in each coding: %.1f MB, aim < %d%s; %.1f at most\n", now, memoryAim, missed(now < memoryAim), peak)
	if nginx != nil {
		now, _, err := memory(nginx.cmd.Process.Pid)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "nginx's: %.1f MB, of which its processes share a part; the files are in the kernel's cache\n", now)
	}
	return nil
}

// choose returns what is asked for: of the files that are stored compressed the
// one whose plain form is nearest to 4 kB, and the engine, both as they are and
// as gzip.
func choose(folder string) (small, engine []asked, err error) {
	names, err := filepath.Glob(filepath.Join(folder, "a", "*.gz"))
	if err != nil {
		return nil, nil, err
	}
	var nearest, wasm string
	least := int64(1 << 62)
	for _, name := range names {
		name = strings.TrimSuffix(name, ".gz")
		info, err := os.Stat(name)
		if err != nil {
			return nil, nil, err
		}
		if filepath.Ext(name) == ".wasm" {
			wasm = name
		} else if off := max(info.Size()-4096, 4096-info.Size()); off < least {
			nearest, least = name, off
		}
	}
	if nearest == "" || wasm == "" {
		return nil, nil, fmt.Errorf("%s has no page; run make build", folder)
	}
	for _, c := range []struct {
		to   *[]asked
		name string
	}{{&small, nearest}, {&engine, wasm}} {
		for _, coding := range []struct{ name, suffix string }{{"identity", ""}, {"gzip", ".gz"}} {
			body, err := os.ReadFile(c.name + coding.suffix)
			if err != nil {
				return nil, nil, err
			}
			*c.to = append(*c.to, asked{"/a/" + filepath.Base(c.name), coding.name, body})
		}
	}
	return small, engine, nil
}

// askForAll has every file sent, as it is and in both codings, so that the
// server has whatever it keeps.
func askForAll(addr, folder string) error {
	return fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") || path.Ext(name) == ".br" || path.Ext(name) == ".gz" {
			return err
		}
		for _, coding := range []string{"identity", "gzip", "br"} {
			if _, err := get(addr, "/"+name, coding); err != nil {
				return err
			}
		}
		return nil
	})
}

// starts starts the server a number of times and returns the last one, and the
// median of the times it took.
func starts(ctx context.Context, binary string, times int) (s *server, took time.Duration, err error) {
	var all []time.Duration
	for range times {
		if s != nil {
			s.stop()
		}
		if s, took, err = startOurs(ctx, binary); err != nil {
			return nil, 0, err
		}
		all = append(all, took)
	}
	return s, median(all), nil
}

// compare lets the two servers take turns and prints the medians, and the
// median of each round's ratio.
func compare(out io.Writer, ours, nginx string, requests []asked, lasting time.Duration, rounds int) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "median of %d, %d connections\tkB\tours\tnginx\tunit\tp50\tnginx\tp99\tnginx\tours ÷ nginx\t\n", rounds, connections)
	for _, what := range requests {
		var mine, its []load
		var ratios []float64
		for range rounds {
			a, err := send(ours, what, lasting)
			if err != nil {
				return err
			}
			b, err := send(nginx, what, lasting)
			if err != nil {
				return err
			}
			mine, its, ratios = append(mine, a), append(its, b), append(ratios, a.rate()/b.rate())
		}
		ratio := median(ratios)
		told := ""
		switch {
		case strings.HasSuffix(what.path, ".wasm"):
			told = fmt.Sprintf(", aim ≥ %.1f%s", engineAim, missed(ratio >= engineAim))
		case what.coding == "identity": // compressed it is half as large, and the aim is for 4 kB
			told = fmt.Sprintf(", aim ≥ %.1f%s", smallAim, missed(ratio >= smallAim))
		}
		ms := func(loads []load, time func(load) time.Duration) float64 {
			return 1e3 * median(each(loads, time)).Seconds()
		}
		p50, p99 := func(l load) time.Duration { return l.p50 }, func(l load) time.Duration { return l.p99 }
		fmt.Fprintf(table, "%s, %s\t%.1f\t%.0f\t%.0f\t/s\t%.2f\t%.2f\t%.2f\t%.2f ms\t%.2f%s\t\n", filepath.Base(what.path), what.coding, float64(len(what.body))/1e3,
			median(each(mine, load.rate)), median(each(its, load.rate)), ms(mine, p50), ms(its, p50), ms(mine, p99), ms(its, p99), ratio, told)
	}
	return table.Flush()
}

func each[T any](loads []load, value func(load) T) (values []T) {
	for _, l := range loads {
		values = append(values, value(l))
	}
	return values
}

func median[T float64 | time.Duration](x []T) T {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}

func missed(met bool) string {
	if met {
		return ""
	}
	return ", missed"
}
