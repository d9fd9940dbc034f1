package core

import (
	"io"

	"ifmlab/core/message"
	"ifmlab/core/vtec"
)

// Sky is a file for the experiment on the ionosphere: maps of the TEC in IONEX,
// or a table of pierce points. It does not change, so any number of surveys may
// use it at once.
type Sky struct {
	vtec.Description
	maps   *vtec.Maps      // or nil
	points *vtec.Recording // or nil
}

// Kind returns "maps" or "points".
func (s *Sky) Kind() string {
	if s.maps != nil {
		return "maps"
	}
	return "points"
}

// ReadSky reads a file of either kind, which it tells by what stands at the
// beginning. Its errors are those of [vtec.ReadIONEX] and [vtec.ReadRecording].
func ReadSky(name string, r io.Reader) (*Sky, error) {
	head := make([]byte, 4096)
	n := 0
	var err error
	for n < len(head) && err == nil {
		var k int
		k, err = r.Read(head[n:])
		n += k
	}
	head = head[:n]
	whole := &prefixed{head, err, r}
	if vtec.IsIONEX(head) {
		m, err := vtec.ReadIONEX(name, whole)
		if err != nil {
			return nil, err
		}
		return &Sky{Description: m.Describe(), maps: m}, nil
	}
	p, err := vtec.ReadRecording(name, whole)
	if err != nil {
		return nil, err
	}
	return &Sky{Description: p.Describe(), points: p}, nil
}

// prefixed is a reader whose first bytes have been read, up to an error if there
// was one.
type prefixed struct {
	head []byte
	err  error
	rest io.Reader
}

func (p *prefixed) Read(b []byte) (int, error) {
	if len(p.head) > 0 {
		n := copy(b, p.head)
		p.head = p.head[n:]
		return n, nil
	}
	if p.err != nil {
		return 0, p.err
	}
	return p.rest.Read(b)
}

// SkyError says that the settings ask for a file of a kind that is not there.
type SkyError struct {
	Want string // spec's Sky: "maps", "disturbed" or "points"
	Have string // the file's name, or ""
}

func (e *SkyError) Error() string {
	want, have := "an IONEX file", "none is open"
	if e.Want == "points" {
		want = "a table of pierce points"
	}
	if e.Have != "" {
		have = e.Have + " is none"
	}
	return message.Sprintf("core: %s is needed, and %s; open one, or let the simulator make the ionosphere", want, have)
}
