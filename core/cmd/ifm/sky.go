package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strings"

	"ifmlab/core"
	"ifmlab/core/spec"
)

// skyChapter is the one that a sweep runs: the ionosphere, on the simulator. A cell is a
// day without one of the stations that are left out, and its line has the sums over the
// day's windows of which every row of the paper's Table 1 is made.
const skyChapter = "vtec"

// sweptSky returns the settings of the chapter, or what keeps them from being swept.
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

// skyLink is a link's encoding, which has nothing but the chapter.
func skyLink(s *spec.Ionosphere) string {
	l := spec.ParseLink(skyOpening)
	l.Parts[skyChapter] = s.Encode()
	return l.Encode()
}

func isSkyLink(encoded string) bool { return strings.HasPrefix(encoded, skyOpening) }

// skyCells is the number of a survey's cells.
func skyCells(s *core.Survey) int { return len(s.Days()) * len(s.Stations()) }

// skyCell does the of-th cell of a link and writes its line; see [shard.Work]. A survey
// is opened in less than a millisecond.
func skyCell(ctx context.Context, link string, of int, line []byte) ([]byte, error) {
	s, _ := spec.ParseIonosphere(spec.ParseLink(link).Parts[skyChapter])
	survey, err := core.OpenSurvey(s, nil)
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
	line = jsonText(append(line, `"version":`...), core.Version)
	line = jsonText(append(line, `,"spec":`...), link)
	line = jsonInt(line, "of", of)
	line = jsonInt(jsonInt(line, "day", day), "station", station)
	line = jsonInt(jsonInt(line, "windows", windows), "unusable", unusable)
	if reason != "" {
		line = jsonText(append(line, `,"reason":`...), reason)
	}
	line = jsonInt(line, "differences", differences)
	line = append(jsonReal(line, "zero", zero), `,"squares":`...)
	begin := len(line)
	for m, method := range survey.Methods {
		line = jsonReal(line, method.String(), squares[m])
	}
	if len(line) == begin { // no sum is a number
		line = append(line, ' ')
	}
	line[begin] = '{' // for the comma before the first
	line = append(line, `},"digest":"`...)
	line = hex.AppendEncode(line, sum.Sum(nil)[:16])
	return append(line, `"}`...), nil
}
