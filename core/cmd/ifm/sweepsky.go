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
// cell leaves one station out on one day. Its line has the day's sums over windows, from
// which the rows of the paper's Table 1 follow.
const skyChapter = "vtec"

// sweptSky returns the settings of the chapter, or why a sweep cannot run them.
func sweptSky(l spec.Link, own string) (*spec.Ionosphere, string) {
	if others := l.Spec.Encode(); others != "" {
		return nil, "the link has settings of the chapter vtec and others: " + others + "; leave one of the two out"
	}
	s, notices := spec.ParseIonosphere(own)
	for _, n := range notices {
		return nil, n.Message
	}
	switch {
	case s.Sky != "simulated":
		return nil, "the link's vtec.sky is " + s.Sky + ", which needs a file, and a sweep runs on the simulator alone; leave it out, or run ifm table1"
	case s.Fixes != 0:
		return nil, "the link asks for positions, which a sweep does not compute; set vtec.fixes=0, or run ifm table1"
	case s.Tune != "given":
		return nil, "the link's vtec.tune is " + s.Tune + ", which needs all windows at once; leave it out, or run ifm table1"
	}
	return &s, ""
}

const skyOpening = "chapter=" + skyChapter

// skyLink encodes a link to the chapter and nothing else.
func skyLink(s *spec.Ionosphere) string {
	l := spec.ParseLink(skyOpening)
	l.Parts[skyChapter] = s.Encode()
	return l.Encode()
}

func isSkyLink(encoded string) bool { return strings.HasPrefix(encoded, skyOpening) }

// skyCells returns the number of cells of a survey: days times stations.
func skyCells(s *survey.Survey) int { return len(s.Days()) * len(s.Stations()) }

// skyCell runs a cell of a link, counted from 0, and appends its line. It opens the survey
// anew, which takes less than a millisecond.
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
