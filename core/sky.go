package core

import (
	"errors"
	"io"
	"strings"

	"ifmlab/core/data"
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

// mostIdle is how often in a row a reader may return neither bytes nor an error.
const mostIdle = 100

// ReadSky reads a file of either kind, which it tells by what stands at the
// beginning. Its errors are those of [vtec.ReadIONEX] and [vtec.ReadRecording]; of a
// file that is neither text, they say what kinds of text there are.
func ReadSky(name string, r io.Reader) (*Sky, error) {
	head := make([]byte, 4096)
	n, idle := 0, 0
	var err error
	for n < len(head) && err == nil {
		var k int
		k, err = r.Read(head[n:])
		n += k
		if idle++; k > 0 {
			idle = 0
		} else if idle == mostIdle && err == nil {
			err = io.ErrNoProgress
		}
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
		return nil, forSky(err)
	}
	return &Sky{Description: p.Describe(), points: p}, nil
}

// forSky returns the error with what is wanted of a sky in place of a table, where
// the file is of a type that is none. IONEX files are most often handed out
// compressed.
func forSky(err error) error {
	bad, ok := errors.AsType[*data.FileError](err)
	if !ok {
		return err
	}
	if is, advice, other := strings.Cut(bad.Message, "a table of text; "); other {
		if unpack, _, packed := strings.Cut(advice, " and drop the table inside"); packed {
			advice = unpack + ", as gunzip or 7-Zip does, and open the file inside"
		}
		bad.Message = is + "maps of the TEC in IONEX or a table of pierce points; " + advice
	}
	return err
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
