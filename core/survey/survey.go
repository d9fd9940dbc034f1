// Package survey opens the experiment on the ionosphere under settings, and shows the sky
// above its net.
package survey

import (
	"bytes"
	"slices"

	"ifmlab/core/message"
	"ifmlab/core/spec"
	"ifmlab/core/vtec"
	"ifmlab/core/vtec/sky"
)

// Survey is the experiment on the ionosphere under some settings, ready to be
// run window by window.
type Survey struct {
	*vtec.Experiment
	Source  sky.Source
	Network sky.Network
	Spec    spec.Ionosphere
	Methods []vtec.Method
	Notices []string // what was assumed

	days []sky.Day // of the source
}

// Open prepares the experiment. file may be nil where s.Sky is "simulated";
// where it is of another kind than s.Sky asks for, Open returns a
// [*SkyError]. Its other errors are those of [sky.NewSimulator],
// [sky.Recording.Source] and [vtec.NewExperiment].
func Open(s spec.Ionosphere, file *sky.File) (*Survey, error) {
	survey := &Survey{Spec: s}
	var err error
	if survey.Source, err = survey.source(file); err != nil {
		return nil, err
	}
	for m := range vtec.Methods {
		if slices.Contains(s.Methods, m.String()) {
			survey.Methods = append(survey.Methods, m)
		}
	}
	survey.Network, survey.days = survey.Source.Network(), survey.Source.Days()
	if have, used := len(survey.days), s.Days; s.Sky != "simulated" && have > used {
		survey.Notices = append(survey.Notices, message.Sprintf("the file holds %d days, of which the first %d are used", have, used))
	}
	tuning, both := tuningOf(s), tuningOfBoth(s)
	if s.Systems == 2 && s.Sky != "points" {
		tuning = both
	}
	settings := vtec.Settings{
		Seed: s.Seed, Stride: s.Stride, Fixes: s.Fixes, Days: s.Days, Methods: survey.Methods, All: s.Stations == "all", Blind: s.Angles == "no", OwnErrors: s.Trust == "own", Tuning: tuning, Fixing: both,
		Own: s.Tune == "own",
	}
	if simulator, ok := survey.Source.(*sky.Simulator); ok && s.Sky == "simulated" {
		settings.Before = simulator.TuningDays()
	}
	survey.Experiment, err = vtec.NewExperiment(survey.Source, settings)
	if err != nil {
		return nil, err
	}
	if left, all := len(survey.Stations()), len(survey.Network.Stations); s.Stations == "all" && left < all {
		survey.Notices = append(survey.Notices, message.Sprintf("%d of %d stations are left out in turn; the others are joined to none", left, all))
	}
	return survey, nil
}

// SkyError says that the settings ask for a file of a kind that is not there.
type SkyError struct {
	Want string // spec's Sky: "maps", "disturbed" or "points"
	Have string // the file's name, or ""
}

func (e *SkyError) Error() string {
	want, have := "an IONEX file", "no file is open"
	if e.Want == "points" {
		want = "a table of pierce points"
	}
	if e.Have != "" {
		have = e.Have + " is not one"
	}
	return message.Sprintf("survey: the settings need %s, but %s. Open one, or simulate the ionosphere", want, have)
}

func (*SkyError) Kind() string { return "SkyError" }

// tuningOf returns the penalties and ranks of settings.
func tuningOf(s spec.Ionosphere) vtec.Tuning {
	return vtec.Tuning{
		vtec.Ridge: {Penalty: s.Ridge}, vtec.LASSO: {Penalty: s.LASSO}, vtec.ElasticNet: {Penalty: s.ElasticNet, Shape: s.NetRatio}, vtec.Kernel: {Penalty: s.Kernel, Shape: s.Gamma},
		vtec.FM:      {Rank: s.FMRank, Penalty: s.FMLambda, Linear: s.FMLinear},
		vtec.IFM:     {Rank: s.IFMRank, Penalty: s.IFMLambda, Linear: s.IFMLinear},
		vtec.GFM:     {Rank: s.GFMRank, Penalty: s.GFMLambda, Linear: s.GFMLinear},
		vtec.Kriging: {Penalty: s.Noise, Shape: s.Length},
	}
}

// tuningOfBoth returns those for windows with both systems of satellites, as are
// those in which positions are tried.
func tuningOfBoth(s spec.Ionosphere) vtec.Tuning {
	t := tuningOf(s)
	t[vtec.FM].Rank, t[vtec.FM].Penalty = s.FixFMRank, s.FixFMLambda
	t[vtec.IFM].Rank, t[vtec.IFM].Penalty = s.FixIFMRank, s.FixIFMLambda
	return t
}

// Tuned returns the settings with what tuning has chosen, from the sums of
// [vtec.Tuned].Squares over all of Tunings. Its error is that of
// [vtec.Experiment.Choose].
func (s *Survey) Tuned(sums []float64) (spec.Ionosphere, error) {
	q := s.Spec
	t, err := s.Choose(sums)
	if err != nil {
		return q, err
	}
	fm, ifm, gfm := t[vtec.FM], t[vtec.IFM], t[vtec.GFM]
	q.Ridge, q.LASSO, q.ElasticNet, q.NetRatio = t[vtec.Ridge].Penalty, t[vtec.LASSO].Penalty, t[vtec.ElasticNet].Penalty, t[vtec.ElasticNet].Shape
	q.Kernel, q.Gamma, q.FMLinear, q.IFMLinear = t[vtec.Kernel].Penalty, t[vtec.Kernel].Shape, fm.Linear, ifm.Linear
	q.GFMRank, q.GFMLambda, q.GFMLinear = gfm.Rank, gfm.Penalty, gfm.Linear
	q.Length, q.Noise = t[vtec.Kriging].Shape, t[vtec.Kriging].Penalty
	if both := q.Systems == 2 && q.Sky != "points"; !both {
		q.FMRank, q.FMLambda, q.IFMRank, q.IFMLambda = fm.Rank, fm.Penalty, ifm.Rank, ifm.Penalty
	}
	if q.Systems == 2 || q.Sky == "points" {
		q.FixFMRank, q.FixFMLambda, q.FixIFMRank, q.FixIFMLambda = fm.Rank, fm.Penalty, ifm.Rank, ifm.Penalty
	}
	return q, nil
}

func (s *Survey) source(file *sky.File) (sky.Source, error) {
	q := &s.Spec
	e := &SkyError{Want: q.Sky}
	if file != nil {
		e.Have = file.Name
	}
	if q.Sky == "points" {
		if file == nil || file.Points == nil {
			return nil, e
		}
		r, err := file.Points.Source(sky.RecordingOptions{Station: q.Station, Unit: q.Unit, Mapping: q.Mapping, Edge: q.Edge})
		if err != nil {
			return nil, err
		}
		s.Notices = r.Notices
		if q.Fixes > 0 {
			s.Notices = append(s.Notices, "nobody knows the delays without noise, so positions are right where they agree with what was observed")
		}
		return r, nil
	}
	c := sky.Config{
		Seed: q.Seed, Systems: q.Systems, Latitude: q.Latitude, Longitude: q.Longitude,
		Spacing: q.Spacing, Edge: q.Edge, Waves: q.Waves, Phase: q.Phase,
	}
	if q.Sky != "simulated" {
		if file == nil || file.Maps == nil {
			return nil, e
		}
		c.Maps = file.Maps.Days()
		if q.Sky == "maps" {
			c.Waves = 0
		}
	}
	return sky.NewSimulator(c)
}

// Days returns the names of the days that the experiment has.
func (s *Survey) Days() (names []string) {
	for _, d := range s.days[:min(len(s.days), s.Spec.Days)] {
		names = append(names, d.Name)
	}
	return names
}

// Write returns one of the survey's days as a file that [sky.Read] reads: its TEC
// around the net as IONEX, or with what == "points" the pierce points of its
// windows as CSV.
func (s *Survey) Write(day int, what string) (name string, file []byte, err error) {
	var b bytes.Buffer
	name = s.days[day].Name
	settings := "" // of what is simulated in it
	if s.Spec.Sky == "simulated" || s.Spec.Sky == "disturbed" {
		settings = s.Spec.Encode()
		if settings == "" {
			settings = "the default settings"
		}
	}
	if what == "points" {
		err = sky.WritePoints(&b, s.Source, day, s.Spec.Stride, settings)
		return name + ".csv", b.Bytes(), err
	}
	err = sky.WriteIONEX(&b, s.Source, day, sky.GridAround(s.Network), settings)
	return name + ".inx", b.Bytes(), err
}
