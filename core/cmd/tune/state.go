package main

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"strconv"
	"strings"

	"ifmlab/core/vtec"
)

// state is the file of what is done.
type state struct{ file *os.File }

// title is the line that says what is tuned; nothing else joins its windows. It
// begins with the format's name, which is older than this folder's. The
// hash is of the candidates: every field of each, in their order.
func (j *job) title() string {
	title := "# core/tune 2 " + strconv.Quote(j.query) + " stride=" + strconv.Itoa(j.stride) + " seeds="
	for i, seed := range j.seeds {
		if i > 0 {
			title += ","
		}
		title += strconv.FormatUint(seed, 10)
	}
	title += " linear=" + number(j.linear) + " candidates="
	hash := fnv.New64a()
	for m := range vtec.Methods {
		if m > 0 {
			title += ","
		}
		title += strconv.Itoa(len(j.candidates[m]))
		for i := range j.candidates[m] {
			fmt.Fprintf(hash, "%d %+v\n", m, j.candidates[m][i])
		}
	}
	return title + " hash=" + strconv.FormatUint(hash.Sum64(), 16)
}

// number writes v so that it is read as the same bits.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// openState reads what a file has, if there is one, and opens it for more. A last
// line without an end, which was being written when its run was stopped, is cut
// off.
func openState(name, title string, candidates [vtec.Methods][]vtec.Tuning, done map[window]outcome) (*state, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := read(file, title, candidates, done); err != nil {
		file.Close()
		return nil, err
	}
	return &state{file}, nil
}

func read(file *os.File, title string, candidates [vtec.Methods][]vtec.Tuning, done map[window]outcome) error {
	text, err := os.ReadFile(file.Name())
	if err != nil {
		return err
	}
	whole := bytes.LastIndexByte(text, '\n') + 1
	if whole == 0 && !strings.HasPrefix(title, string(text)) {
		return fmt.Errorf("%s:1: the file is none of this command; name another file", file.Name())
	}
	if err := parseLines(file.Name(), string(text[:whole]), title, candidates, done); err != nil {
		return err
	}
	if err := file.Truncate(int64(whole)); err != nil {
		return err
	}
	if _, err := file.Seek(int64(whole), 0); err != nil || whole > 0 {
		return err
	}
	_, err = file.WriteString(title + "\n")
	return err
}

// parseLines reads a title and windows.
func parseLines(name, text, title string, candidates [vtec.Methods][]vtec.Tuning, done map[window]outcome) error {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") || number == 1 {
			if line != title {
				return fmt.Errorf("%s:%d: the file holds windows of another run\n  found %s\n  want  %s\nname another file", name, number, line, title)
			}
			continue
		}
		w, o, err := parseLine(line, candidates)
		if err != nil {
			return fmt.Errorf("%s:%d: %w; delete the line", name, number, err)
		}
		done[w] = o
	}
	return nil
}

// add appends a window. The line is written by one call, so that it is whole or
// the file's last.
func (s *state) add(w window, o outcome) error {
	line := fmt.Sprintf("%d %d %d", w.seed, w.at.Day, w.at.Minute)
	if o.unusable != "" {
		line += " unusable " + strconv.Quote(o.unusable)
	} else {
		line += " " + strconv.Itoa(o.tests)
		for _, squares := range o.squares {
			for _, v := range squares {
				line += " " + number(v)
			}
		}
	}
	_, err := s.file.WriteString(line + "\n")
	return err
}

// parseLine reads a window.
func parseLine(line string, candidates [vtec.Methods][]vtec.Tuning) (w window, o outcome, err error) {
	place, rest, usable := strings.Cut(line, " unusable ")
	fields := strings.Split(place, " ")
	if len(fields) < 3 {
		return w, o, errors.New("found no seed, day and minute")
	}
	var wrong [4]error
	w.seed, wrong[0] = strconv.ParseUint(fields[0], 10, 64)
	w.at.Day, wrong[1] = strconv.Atoi(fields[1])
	w.at.Minute, wrong[2] = strconv.Atoi(fields[2])
	if usable {
		o.unusable, wrong[3] = strconv.Unquote(rest)
		return w, o, errors.Join(wrong[:]...)
	}
	want := 4
	for _, c := range candidates {
		want += len(c)
	}
	if len(fields) != want {
		return w, o, fmt.Errorf("found %d fields, want %d", len(fields), want)
	}
	o.tests, wrong[3] = strconv.Atoi(fields[3])
	err = errors.Join(wrong[:]...)
	fields = fields[4:]
	for m, c := range candidates {
		for _, field := range fields[:len(c)] {
			v, wrong := strconv.ParseFloat(field, 64)
			if wrong != nil || v < 0 || math.IsInf(v, 0) {
				err = errors.Join(err, fmt.Errorf("found %q, want a sum of squares", field))
			}
			o.squares[m] = append(o.squares[m], v)
		}
		fields = fields[len(c):]
	}
	return w, o, err
}
