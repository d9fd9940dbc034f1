//go:build js && wasm && (ionosphere || (!figure && !table))

package main

import (
	"io"
	"syscall/js"

	"ifmlab/core"
	"ifmlab/core/spec"
	"ifmlab/core/vtec/sky"
)

// largestScene is how many rows and columns a scene has at most, 250 a second.
const largestScene = 256

func init() {
	parts = append(parts, func() part { return &surveys{skies: map[int]*sky.File{}, open: map[int]*core.Survey{}} })
}

// surveys is the part that runs the ionosphere experiment.
type surveys struct {
	skies map[int]*sky.File
	open  map[int]*core.Survey
}

func (u *surveys) call(name string, args js.Value, next func() int) (result any, known bool, err error) {
	switch name {
	case callSurvey:
		result, err = u.survey(args, next)
	case callWindow, callTune, callChoose, callFix, callScene, callWrite:
		result, err = u.look(name, args)
	default:
		return nil, false, nil
	}
	return result, true, err
}

func (u *surveys) reader(call, _ string) func(name string, file io.Reader) (func(handle int) any, error) {
	if call != callSky {
		return nil
	}
	return func(name string, r io.Reader) (func(handle int) any, error) {
		file, err := sky.Read(name, r)
		return func(handle int) any {
			u.skies[handle] = file
			return skyObject(handle, file)
		}, err
	}
}

func (u *surveys) close(kind string, id int) (known bool) {
	switch kind {
	case "sky":
		delete(u.skies, id)
	case "survey":
		delete(u.open, id)
	default:
		return false
	}
	return true
}

func (u *surveys) survey(args js.Value, next func() int) (any, error) {
	s, notices := spec.ParseIonosphere(text(args, "query"))
	var file *sky.File
	if id := args.Get("sky").Int(); id != 0 {
		if file = u.skies[id]; file == nil {
			return nil, &unknownHandle{"sky", id}
		}
	}
	survey, err := core.OpenSurvey(s, file)
	if err != nil {
		return nil, err
	}
	for _, n := range notices {
		survey.Notices = append(survey.Notices, n.Message)
	}
	id := next()
	u.open[id] = survey
	return surveyObject(id, survey), nil
}

// look answers the calls about an open survey.
func (u *surveys) look(name string, args js.Value) (any, error) {
	id := args.Get("survey").Int()
	s := u.open[id]
	if s == nil {
		return nil, &unknownHandle{"survey", id}
	}
	// number returns an argument that counts what the survey has.
	number := func(what string, have int) (int, error) {
		i := args.Get(what).Int()
		if i < 0 || i >= have {
			return 0, &outside{what, i, have}
		}
		return i, nil
	}
	switch name {
	case callWindow:
		i, err := number("window", len(s.Windows()))
		if err != nil {
			return nil, err
		}
		r, err := s.Window(i)
		var tests []int32
		var squares []float64
		for _, b := range r.Bands {
			tests, squares = append(tests, int32(b.Test)), append(squares, b.Squares...)
		}
		return object(
			"satellites", r.Satellites, "train", r.Train, "test", r.Test, "zero", r.Zero, "squares", r.Squares,
			"bandTest", tests, "bandSquares", squares, "unusable", core.Sentence(r.Unusable),
		), err
	case callTune:
		i, err := number("window", len(s.Tunings()))
		if err != nil {
			return nil, err
		}
		r, err := s.Tune(i)
		return object("test", r.Test, "squares", r.Squares, "unusable", core.Sentence(r.Unusable)), err
	case callChoose:
		sums := make([]float64, args.Get("sums").Length())
		for i := range sums {
			sums[i] = args.Get("sums").Index(i).Float()
		}
		q, err := s.Tuned(sums)
		return object("query", q.Encode()), err
	case callFix:
		i, err := number("window", len(s.Fixes()))
		if err != nil {
			return nil, err
		}
		f, err := s.Fix(i)
		return object("satellites", f.Satellites, "tried", f.Tried, "fixed", f.Fixed, "none", f.None, "perfect", f.Perfect, "unfinished", f.Unfinished, "unusable", core.Sentence(f.Unusable)), err
	}
	day, err := number("day", len(s.Days()))
	if err != nil {
		return nil, err
	}
	if name == callWrite {
		name, file, err := s.Write(day, text(args, "what"))
		return object("name", name, "bytes", file), err
	}
	second, err := number("second", 24*60*60)
	if err != nil {
		return nil, err
	}
	rows, columns := args.Get("rows").Int(), args.Get("columns").Int()
	for _, n := range [...]int{rows, columns} {
		if n < 2 || n > largestScene {
			return nil, &outside{"rows and columns", n, largestScene}
		}
	}
	return sceneObject(s.Scene(day, second, rows, columns, args.Get("whole").Truthy()), len(s.Network.Stations)), nil
}

func skyObject(handle int, f *sky.File) any {
	facts := make([]any, len(f.Facts))
	for i := range facts {
		facts[i] = f.Facts[i][:]
	}
	return object(
		"sky", handle, "name", f.Name, "kind", f.Kind(), "bytes", f.Bytes, "simulated", f.Simulated(), "days", f.Description.Days, "facts", facts,
		"bad", places(f.Bad), "badCount", f.BadCount, "notices", f.Notices,
	)
}

func surveyObject(handle int, s *core.Survey) any {
	var names, methods []string
	var lat, lon []float64
	var edges []int32
	for _, station := range s.Network.Stations {
		names = append(names, station.Name)
		lat, lon = append(lat, station.Lat), append(lon, station.Lon)
	}
	for _, edge := range s.Network.Edges {
		edges = append(edges, int32(edge[0]), int32(edge[1]))
	}
	for _, m := range s.Methods {
		methods = append(methods, m.String())
	}
	o := object(
		"survey", handle, "kind", s.Spec.Sky, "stations", names, "latitude", lat, "longitude", lon, "test", s.Network.Test, "edges", edges,
		"methods", methods, "days", s.Days(), "tunings", len(s.Tunings()), "notices", s.Notices,
	)
	var station []int32
	for i := range s.Windows() {
		station = append(station, int32(s.Station(i)))
	}
	o.Set("station", station)
	for _, of := range [...]struct {
		day, minute string
		at          []sky.At
	}{{"day", "minute", s.Windows()}, {"fixDay", "fixMinute", s.Fixes()}} {
		var day, minute []int32
		for _, at := range of.at {
			day, minute = append(day, int32(at.Day)), append(minute, int32(at.Minute))
		}
		o.Set(of.day, day)
		o.Set(of.minute, minute)
	}
	return o
}

// sceneObject needs to know how many stations a satellite's points belong to.
func sceneObject(s core.Scene, stations int) any {
	var satellite, station []int32
	var lat, lon, delay []float64
	for i, p := range s.Points {
		if p.Unseen {
			continue
		}
		satellite, station = append(satellite, int32(i/stations)), append(station, int32(i%stations))
		lat, lon, delay = append(lat, p.Lat), append(lon, p.Lon), append(delay, p.Delay)
	}
	return object(
		"latitude", s.Latitude, "longitude", s.Longitude, "tec", s.TEC, "bend", s.Bend,
		"satellites", s.Satellites, "satellite", satellite, "station", station,
		"pointLatitude", lat, "pointLongitude", lon, "delay", delay, "unusable", s.Unusable,
	)
}
