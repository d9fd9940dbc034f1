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
	"runtime"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

// Aims, as core/cmd/bench/README.md states them.
const (
	smallAim  = .5  // requests a second ÷ nginx's, a file of 4 kB
	engineAim = 1.  // the same, the engine
	tailAim   = 1.5 // p99 ÷ nginx's, a file of 4 kB
	startAim  = 50 * time.Millisecond
	memoryAim = 30 // MB, at the most connections and after the load
)

// How many readers ask at the same time.
var (
	smallCrowds  = []int{64, 640}
	engineCrowds = []int{16}
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
	lasting := time.Duration(*seconds * float64(time.Second))
	nginx, err := startNginx(ctx, *files, temporary, ownHeaders(headers))
	switch {
	case errors.Is(err, errNoNginx):
		fmt.Fprintf(out, "not run: the comparison with nginx: %v\n", err)
	case err != nil:
		return err
	default:
		defer nginx.stop()
		fmt.Fprintf(out, "nginx has %d workers, ours GOMAXPROCS %d, and the load comes from the same cores\n", runtime.NumCPU(), runtime.GOMAXPROCS(0))
	}
	crowds := slices.Sorted(slices.Values(smallCrowds))
	if err := compare(out, ours, nginx, small, crowds, lasting, *rounds); err != nil {
		return err
	}
	crowded, err := memory(ours.cmd.Process.Pid)
	if err != nil {
		fmt.Fprintf(out, "not run: resident memory, which is read from Linux's /proc: %v\n", err)
	}
	known := err == nil
	if err := compare(out, ours, nginx, engine, engineCrowds, lasting, *rounds); err != nil {
		return err
	}
	if err := askForAll(ours.addr, *files); err != nil || !known {
		return err
	}
	after, err := memory(ours.cmd.Process.Pid)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "resident at %d connections, at most: %.1f MB, aim ≤ %d%s\n", crowds[len(crowds)-1], crowded.peak, memoryAim, missed(crowded.peak <= memoryAim))
	fmt.Fprintf(out, "resident after the load, and after each file was asked for in each coding: %.1f MB, aim ≤ %d%s; %.1f of it pages of the program's file\n", after.now, memoryAim, missed(after.now <= memoryAim), after.now-after.own)
	if nginx != nil {
		its, err := memory(nginx.cmd.Process.Pid)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "nginx's: %.1f MB, of which its processes share a part; the files are in the kernel's cache\n", its.now)
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
		if strings.HasPrefix(filepath.Base(name), "engine") {
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

// compare lets the servers take turns, each before a crowd of every size, and
// prints the medians, and the medians of each round's ratios. Without nginx it
// loads ours and prints nothing.
func compare(out io.Writer, ours, nginx *server, requests []asked, crowds []int, lasting time.Duration, rounds int) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "median of %d\tconnections\tkB\tours, nginx\t\tunit\tp50\tnginx\tp99\tnginx\trate, ours ÷ nginx\tp99, ours ÷ nginx\t\n", rounds)
	for _, crowd := range crowds {
		for _, what := range requests {
			var mine, its []load
			var rates, tails []float64
			for range rounds {
				a, err := send(ours.addr, what, crowd, lasting)
				if err != nil {
					return err
				}
				if nginx == nil {
					continue
				}
				b, err := send(nginx.addr, what, crowd, lasting)
				if err != nil {
					return err
				}
				mine, its = append(mine, a), append(its, b)
				rates, tails = append(rates, a.rate()/b.rate()), append(tails, a.p99.Seconds()/b.p99.Seconds())
			}
			if nginx == nil {
				continue
			}
			rate, tail := median(rates), median(tails)
			rateTold, tailTold := "", ""
			switch {
			case strings.HasSuffix(what.path, ".wasm"):
				rateTold = fmt.Sprintf(", aim ≥ %.1f%s", engineAim, missed(rate >= engineAim))
			case what.coding == "identity": // compressed it is half as large, and the aim is for 4 kB
				rateTold = fmt.Sprintf(", aim ≥ %.1f%s", smallAim, missed(rate >= smallAim))
				fallthrough
			default:
				tailTold = fmt.Sprintf(", aim ≤ %.1f%s", tailAim, missed(tail <= tailAim))
			}
			ms := func(loads []load, time func(load) time.Duration) float64 {
				return 1e3 * median(each(loads, time)).Seconds()
			}
			p50, p99 := func(l load) time.Duration { return l.p50 }, func(l load) time.Duration { return l.p99 }
			fmt.Fprintf(table, "%s, %s\t%d\t%.1f\t%.0f\t%.0f\t/s\t%.2f\t%.2f\t%.2f\t%.2f ms\t%.2f%s\t%.2f%s\t\n", filepath.Base(what.path), what.coding, crowd, float64(len(what.body))/1e3,
				median(each(mine, load.rate)), median(each(its, load.rate)), ms(mine, p50), ms(its, p50), ms(mine, p99), ms(its, p99), rate, rateTold, tail, tailTold)
		}
	}
	if nginx == nil {
		return nil
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
