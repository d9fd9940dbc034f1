package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"ifmlab/core"
	"ifmlab/core/spec"
	"ifmlab/core/survey"
)

// skyChapter is the only chapter that a sweep runs: the ionosphere, on the simulator. A
// cell is a day without one station. Its line has the sums over the day's windows from
// which every row of the paper's Table 1 follows.
const skyChapter = "vtec"

// sweptSky returns the settings of the chapter, or the reason why they cannot be swept.
func sweptSky(l spec.Link, own string) (*spec.Ionosphere, string) {
	if others := l.Spec.Encode(); others != "" {
		return nil, "the link is about the chapter vtec and about " + others + "; leave one of them out"
	}
	s, notices := spec.ParseIonosphere(own)
	for _, n := range notices {
		return nil, n.Message
	}
	switch {
	case s.Sky != "simulated":
		return nil, "the link's vtec.sky is " + s.Sky + ", which needs a file; a sweep has the simulator alone, so leave it out, or run ifm table1"
	case s.Fixes != 0:
		return nil, "the link asks for positions, which a sweep does not try; say vtec.fixes=0, or run ifm table1"
	case s.Tune != "given":
		return nil, "the link's vtec.tune is " + s.Tune + ", for which all windows are needed at once; leave it out, or run ifm table1"
	}
	return &s, ""
}

const skyOpening = "chapter=" + skyChapter

// skyLink encodes a link that has only the chapter.
func skyLink(s *spec.Ionosphere) string {
	l := spec.ParseLink(skyOpening)
	l.Parts[skyChapter] = s.Encode()
	return l.Encode()
}

func isSkyLink(encoded string) bool { return strings.HasPrefix(encoded, skyOpening) }

// skyCells returns the number of a survey's cells.
func skyCells(s *survey.Survey) int { return len(s.Days()) * len(s.Stations()) }

// skyCell runs the of-th cell of a link and appends its line. Opening a survey takes less
// than a millisecond.
func skyCell(ctx context.Context, link string, of int, line []byte) ([]byte, error) {
	s, _ := spec.ParseIonosphere(spec.ParseLink(link).Parts[skyChapter])
	survey, err := survey.Open(s, nil)
	if err != nil {
		return nil, err
	}
	stations := survey.Stations()
	day, station := of/len(stations), stations[of%len(stations)]
	windows, unusable, differences, zero := 0, 0, 0, 0.0
	squares := make([]float64, len(survey.Methods))
	reason, sum := "", sha256.New()
	for i, at := range survey.Windows() {
		if at.Day != day || survey.Station(i) != station {
			continue
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		r, err := survey.Window(i)
		if err != nil {
			return nil, err
		}
		sum.Write(binary.LittleEndian.AppendUint64(nil, uint64(r.Test)))
		sum.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(r.Zero)))
		for _, v := range r.Squares {
			sum.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
		switch {
		case r.Unusable != "":
			if unusable++; reason == "" {
				reason = r.Unusable
			}
		case r.Test > 0:
			windows++
			differences += r.Test
			zero += r.Zero
			for m, v := range r.Squares {
				squares[m] += v
			}
		}
	}
	var sums []string
	for m, method := range survey.Methods {
		if v := real(squares[m]); !v.IsZero() {
			number, _ := v.MarshalJSON()
			sums = append(sums, fmt.Sprintf("%q:%s", method, number))
		}
	}
	return appendJSON(line, struct {
		cellLine
		Day         int             `json:"day"`
		Station     int             `json:"station"`
		Windows     int             `json:"windows"`
		Unusable    int             `json:"unusable"`
		Reason      string          `json:"reason,omitempty"`
		Differences int             `json:"differences"`
		Zero        real            `json:"zero,omitzero"`
		Squares     json.RawMessage `json:"squares"`
		Digest      string          `json:"digest"`
	}{cellLine{core.Version, link, of}, day, station, windows, unusable, reason, differences, real(zero),
		json.RawMessage("{" + strings.Join(sums, ",") + "}"), hex.EncodeToString(sum.Sum(nil)[:16])})
}
