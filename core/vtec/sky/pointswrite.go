package sky

import (
	"errors"
	"io"
	"strconv"
	"strings"
)

// simulatedBy begins the comment in our files that gives the settings of a simulated sky.
const simulatedBy = "simulated by iFM Lab"

// simulatedNotice is the notice about such a file.
const simulatedNotice = "this file was " + simulatedBy + ", with the settings that its first lines name"

// WritePoints writes the snapshots of a day of s, with the given stride, as a table for
// [Read]: delays in TECU to 2·10⁻⁸ m, angles to 10⁻⁷ degrees. A comment gives the settings
// of a simulated sky, unless "". Unusable windows are left out; if all are, it returns the
// [*UnusableError] of the first. It returns the error of w. It costs a snapshot a window
// and about 90 bytes a point: 17 MB for all minutes of a simulated day.
func WritePoints(w io.Writer, s Source, day, stride int, settings string) error {
	net, d := s.Network(), s.Days()[day]
	number, dated := parseDate(d.Name)
	b := []byte("# pierce points of " + d.Name + "\n")
	if settings != "" {
		b = append(b, "# "+simulatedBy+": "+settings+"\n"...)
	}
	b = append(b, "# unit: TECU, vertical\n"...)
	if listable(net) {
		b = append(b, "# edges:"...)
		for _, e := range net.Edges {
			b = append(b, " "+net.Stations[e[0]].Name+"-"+net.Stations[e[1]].Name...)
		}
		b = append(b, "\n# test: "+net.Stations[net.Test].Name+"\n"...)
	}
	b = append(b, "time,sat,station,lat,lon,zenith,azimuth,elevation,vtec_tecu\n"...)
	var why error
	written := 0
	for _, at := range Every(max(1, stride), s.Days()[day:day+1]) {
		minute := at.Minute
		shot, err := s.Snapshot(day, minute)
		if _, unusable := errors.AsType[*UnusableError](err); unusable {
			if why == nil {
				why = err
			}
			continue
		}
		if err != nil {
			return err
		}
		time := strconv.Itoa(60 * minute)
		if dated {
			time = dateName(number) + "T" + clock(float64(60*minute)) + ":00Z"
		}
		for j, p := range shot.Points {
			if p.Unseen {
				continue
			}
			lon := p.Lon
			if lon < -180 {
				lon += 360
			}
			b = append(b, time+","+quoted(shot.Satellites[j/len(net.Stations)])+","+quoted(net.Stations[j%len(net.Stations)].Name)...)
			for _, v := range [...]float64{p.Lat, lon, p.Zenith / radian, p.Azimuth / radian, p.Elevation / radian, p.Delay / metresPerTECU} {
				b = strconv.AppendFloat(append(b, ','), v, 'f', 7, 64)
			}
			b = append(b, '\n')
			written++
		}
		if len(b) > 64<<10 {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	if written == 0 {
		if why == nil {
			why = &UnusableError{Day: d.Name, Reason: "no minute of the day has satellites"}
		}
		return why
	}
	_, err := w.Write(b)
	return err
}

// listable reports whether the names of stations can be in a list of edges.
func listable(net Network) bool {
	for _, s := range net.Stations {
		if s.Name == "" || strings.ContainsAny(s.Name, " ,;\t\r\n\"#") {
			return false
		}
	}
	return true
}

// quoted returns a cell of a CSV file.
func quoted(s string) string {
	if !strings.ContainsAny(s, ",;\t\r\n\" #'") {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
