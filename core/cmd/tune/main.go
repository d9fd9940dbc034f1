// Command tune chooses, as the paper does, with what the methods of the ionosphere
// experiment are fitted: on the simulator's first five days, which are not those
// that the page tests on. For each method it prints the RMSE of all candidates and,
// at the end, the lines that core/spec/ionosphere.go holds as defaults.
//
//	go run ./core/cmd/tune                              every 120th minute of four seeds
//	go run ./core/cmd/tune -stride 20 -seeds 7 'systems=2'
//	go run ./core/cmd/tune -out tuned                may be killed and started again
//	go run ./core/cmd/tune -out tuned -shard 1/2    half of the windows
//	go run ./core/cmd/tune -out tuned -shard 2/2    the others, and the result
//
// Windows are the cells of a sweep: they are divided, kept, resumed and gathered as those
// of ifm sweep are (package shard), and the results are the same bits however they are
// divided.
//
// A few windows of many worlds say more than many of one: errors are largest in the
// few hours in which a large disturbance passes.
//
// The penalty of w in FM and iFM is ridge's, which is chosen first, on all windows.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"ifmlab/core/shard"
	"ifmlab/core/spec"
	"ifmlab/core/vtec"
)

// options say what is tuned and how.
type options struct {
	query      string // the settings of a link
	stride     int    // minutes between two windows
	seeds      []uint64
	out        string // a folder to keep what is done; none where it is empty
	part       shard.Part
	workers    int
	candidates func(m vtec.Method, linear float64) []vtec.Tuning
}

func main() {
	o, err := parse(os.Args[1:])
	if err == nil {
		err = run(o, os.Stdout, os.Stderr)
	}
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tune:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	o := options{candidates: vtec.Candidates}
	flags := flag.NewFlagSet("tune", flag.ContinueOnError)
	flags.IntVar(&o.stride, "stride", 120, "minutes between two windows")
	seeds := flags.String("seeds", "1,2,3,4", "seeds of the simulator, separated by commas")
	flags.StringVar(&o.out, "out", "", "`folder` to keep what is done, and to go on from")
	part := flags.String("shard", "", "which `part` of the windows, such as 1/8; else what a SLURM job array or a Kubernetes Indexed Job says")
	flags.IntVar(&o.workers, "workers", runtime.GOMAXPROCS(0), "windows at a time")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 1 {
		return o, fmt.Errorf("found %d arguments, want one at most, the settings of a link", flags.NArg())
	}
	o.query = flags.Arg(0)
	if o.stride < 1 || o.stride > 1440 {
		return o, fmt.Errorf("the stride is %d, want 1 to 1440 minutes", o.stride)
	}
	if o.workers < 1 {
		return o, fmt.Errorf("-workers is %d, want at least 1", o.workers)
	}
	for part := range strings.SplitSeq(*seeds, ",") {
		seed, err := strconv.ParseUint(part, 10, 64)
		if err != nil {
			return o, fmt.Errorf("-seeds has %q, want whole numbers, separated by commas", part)
		}
		o.seeds = append(o.seeds, seed)
	}
	var err error
	if *part != "" {
		o.part, err = shard.Parse(*part)
	} else {
		o.part, err = shard.Engine(os.Getenv)
	}
	if err != nil {
		return o, err
	}
	if o.part != shard.Whole && o.out == "" {
		return o, errors.New("-shard without -out would lose what it does; name a folder")
	}
	return o, nil
}

// run tunes and prints the result, or what is left to do.
func run(o options, out, progress io.Writer) error {
	settings, notices := spec.ParseIonosphere(o.query)
	for _, n := range notices {
		return errors.New(n.Message)
	}
	if settings.Sky != "simulated" {
		return fmt.Errorf("the sky is %q, want simulated: only that has days of its own to tune on", settings.Sky)
	}
	j, err := newJob(o, settings)
	if err != nil {
		return err
	}
	folder := o.out
	if folder == "" {
		if folder, err = os.MkdirTemp("", "tune"); err != nil {
			return err
		}
		defer os.RemoveAll(folder)
	}
	if err := j.work(folder, progress); err != nil {
		return err
	}
	outcomes, err := j.gather(folder)
	if missing, is := errors.AsType[*shard.MissingError](err); is && o.part != shard.Whole {
		_, err := fmt.Fprintln(out, missing) // this part is done
		return err
	}
	if err != nil {
		return err
	}
	return j.report(out, outcomes)
}
