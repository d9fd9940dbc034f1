//go:build js && wasm && (ionosphere || (!figure && !table))

package main

import (
	"io"

	"ifmlab/core/message"
	"ifmlab/core/spec"
	"ifmlab/core/survey"
	"ifmlab/core/vtec/sky"
	"ifmlab/wasm/protocol"
)

// largestScene is how many rows and columns a scene has at most, 250 a second.
const largestScene = 256

func init() {
	parts = append(parts, func(e *engine) {
		i := &ionosphere{e, map[int]*sky.File{}, map[int]*survey.Survey{}}
		e.answer(i.answers())
		e.readers["sky"] = reads(i.read, writeSky)
		e.closers = append(e.closers, func(handle int) {
			delete(i.skies, handle)
			delete(i.surveys, handle)
		})
	})
}

// ionosphere is the part that runs the ionosphere experiment.
type ionosphere struct {
	engine  *engine
	skies   map[int]*sky.File
	surveys map[int]*survey.Survey
}

func (i *ionosphere) read(_, name string, r io.Reader) (protocol.Sky, error) {
	f, err := sky.Read(name, r)
	if err != nil {
		return protocol.Sky{}, err
	}
	id := i.engine.next()
	i.skies[id] = f
	return protocol.Sky{
		Sky: id, Name: f.Name, Kind: protocol.SkyKind(f.Kind()), Bytes: f.Bytes, Simulated: f.Simulated(), Days: f.Description.Days, Facts: f.Facts,
		Bad: placesOf(f.Bad), BadCount: f.BadCount, Notices: f.Notices,
	}, nil
}

// survey returns the survey of a handle.
func (i *ionosphere) survey(handle int) (*survey.Survey, error) {
	return lookUp(i.surveys, "survey", handle)
}

// within returns an error unless 0 ≤ found < have.
func within(what string, found, have int) error {
	if found < 0 || found >= have {
		return &outside{what, found, have}
	}
	return nil
}

func (i *ionosphere) Survey(on protocol.OnSky) (protocol.Survey, error) {
	settings, notices := spec.ParseIonosphere(on.Query)
	var file *sky.File
	var err error
	if on.Sky != 0 {
		if file, err = lookUp(i.skies, "sky", on.Sky); err != nil {
			return protocol.Survey{}, err
		}
	}
	s, err := survey.Open(settings, file)
	if err != nil {
		return protocol.Survey{}, err
	}
	for _, n := range notices {
		s.Notices = append(s.Notices, n.Message)
	}
	id := i.engine.next()
	i.surveys[id] = s
	survey := protocol.Survey{Survey: id, Kind: protocol.SurveyKind(s.Spec.Sky), Test: s.Network.Test, Days: s.Days(), Tunings: len(s.Tunings()), Notices: s.Notices}
	for _, station := range s.Network.Stations {
		survey.Stations = append(survey.Stations, station.Name)
		survey.Latitude, survey.Longitude = append(survey.Latitude, station.Lat), append(survey.Longitude, station.Lon)
	}
	for _, edge := range s.Network.Edges {
		survey.Edges = append(survey.Edges, edge[:]...)
	}
	for _, m := range s.Methods {
		survey.Methods = append(survey.Methods, m.String())
	}
	for window, at := range s.Windows() {
		survey.Day, survey.Minute, survey.Station = append(survey.Day, at.Day), append(survey.Minute, at.Minute), append(survey.Station, s.Station(window))
	}
	for _, at := range s.Fixes() {
		survey.FixDay, survey.FixMinute = append(survey.FixDay, at.Day), append(survey.FixMinute, at.Minute)
	}
	return survey, nil
}

func (i *ionosphere) Window(of protocol.OfSurvey) (protocol.Window, error) {
	s, err := i.survey(of.Survey)
	if err == nil {
		err = within("window", of.Window, len(s.Windows()))
	}
	if err != nil {
		return protocol.Window{}, err
	}
	r, err := s.Window(of.Window)
	w := protocol.Window{Satellites: r.Satellites, Train: r.Train, Test: r.Test, Zero: r.Zero, Squares: r.Squares, Unusable: message.Sentence(r.Unusable)}
	for _, b := range r.Bands {
		w.BandTest, w.BandSquares = append(w.BandTest, b.Test), append(w.BandSquares, b.Squares...)
	}
	return w, err
}

func (i *ionosphere) Tune(of protocol.OfSurvey) (tuned protocol.Tuned, err error) {
	s, err := i.survey(of.Survey)
	if err == nil {
		err = within("window", of.Window, len(s.Tunings()))
	}
	if err != nil {
		return tuned, err
	}
	tuned, err = s.Tune(of.Window)
	tuned.Unusable = message.Sentence(tuned.Unusable)
	return tuned, err
}

func (i *ionosphere) Choose(of protocol.Choose) (protocol.Query, error) {
	s, err := i.survey(of.Survey)
	if err != nil {
		return protocol.Query{}, err
	}
	q, err := s.Tuned(of.Sums)
	return protocol.Query{Query: q.Encode()}, err
}

func (i *ionosphere) Fix(of protocol.OfSurvey) (fix protocol.Fix, err error) {
	s, err := i.survey(of.Survey)
	if err == nil {
		err = within("window", of.Window, len(s.Fixes()))
	}
	if err != nil {
		return fix, err
	}
	fix, err = s.Fix(of.Window)
	fix.Unusable = message.Sentence(fix.Unusable)
	return fix, err
}

func (i *ionosphere) Write(of protocol.Day) (protocol.ModelFile, error) {
	s, err := i.survey(of.Survey)
	if err == nil {
		err = within("day", of.Day, len(s.Days()))
	}
	if err != nil {
		return protocol.ModelFile{}, err
	}
	name, file, err := s.Write(of.Day, string(of.What))
	return protocol.ModelFile{Name: name, Bytes: file}, err
}

func (i *ionosphere) Scene(of protocol.Instant) (scene protocol.Scene, err error) {
	survey, err := i.survey(of.Survey)
	if err != nil {
		return scene, err
	}
	for _, number := range [...]outside{{"day", of.Day, len(survey.Days())}, {"second", of.Second, 24 * 60 * 60}} {
		if err := within(number.what, number.found, number.have); err != nil {
			return scene, err
		}
	}
	for _, n := range [...]int{of.Rows, of.Columns} {
		if n < 2 || n > largestScene {
			return scene, &outside{"rows and columns", n, largestScene}
		}
	}
	s := survey.Scene(of.Day, of.Second, of.Rows, of.Columns, of.Whole)
	scene = protocol.Scene{Latitude: s.Latitude, Longitude: s.Longitude, TEC: s.TEC, Bend: s.Bend, Satellites: s.Satellites, Unusable: s.Unusable}
	stations := len(survey.Network.Stations)
	for at, p := range s.Points {
		if p.Unseen {
			continue
		}
		scene.Satellite, scene.Station = append(scene.Satellite, at/stations), append(scene.Station, at%stations)
		scene.PointLatitude, scene.PointLongitude = append(scene.PointLatitude, p.Lat), append(scene.PointLongitude, p.Lon)
		scene.Delay = append(scene.Delay, p.Delay)
	}
	return scene, nil
}
