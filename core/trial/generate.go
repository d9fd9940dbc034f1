package trial

import (
	"strconv"

	"ifmlab/core/message"
	"ifmlab/core/spec"
	"ifmlab/core/synth"
)

// MaxFile is the largest file of drawn rows, in bytes.
const MaxFile = 64 << 20

// DrawnFileError says that drawn rows do not fit into a file of [MaxFile] bytes.
type DrawnFileError struct {
	Rows, Features int
	Enough         int // rows that fit
}

func (e *DrawnFileError) Error() string {
	return message.Sprintf("trial: %d rows of %d features take more than %d MB as a CSV file; ask for fewer features, or for at most %d rows, test rows included", e.Rows, e.Features, MaxFile>>20, e.Enough)
}

func (*DrawnFileError) Kind() string { return "DrawnFileError" }

// Generate returns a CSV file of the rows that trial 0 of s draws, and its name. The header
// is x1 to xd and y. Training rows come first, then test rows. Numbers are in their drawn
// units, with the fewest digits that give back their bits. The Source of s is ignored, and
// for a sweep the rows are those of its first point.
//
// It returns a [*DrawnFileError] for more than [MaxFile] bytes, and a [*synth.ConfigError].
// It costs O((N + Test)·D·K), and no memory beyond the file and a few rows.
func Generate(s spec.Spec) (name string, file []byte, err error) {
	s.Source = "synthetic"
	s = PointAt(s, 0).Spec
	total := s.N + s.Test
	const atOnce = 128 // rows
	c := drawing(s)
	c.N, c.Test = 0, 0
	sample, err := synth.Generate(c, synth.Streams{Truth: Stream(s.Seed, 0, StreamTruth), Train: Stream(s.Seed, 0, StreamTrain), Test: Stream(s.Seed, 0, StreamTest)})
	if err != nil {
		return "", nil, err
	}
	const usual = 22 // bytes a number
	file = make([]byte, 0, min(MaxFile, (total+1)*(s.D+1)*usual))
	for j := range s.D {
		file = append(file, "x"+strconv.Itoa(j+1)+","...)
	}
	file = append(file, "y\n"...)
	written := 0
	c.N = atOnce
	for _, part := range []struct {
		rows    int
		purpose Purpose
	}{{s.N, StreamTrain}, {s.Test, StreamTest}} {
		drawer, err := synth.Fresh(c, sample.Truth, sample.SD, Stream(s.Seed, 0, part.purpose))
		if err != nil {
			return "", nil, err
		}
		for left := part.rows; left > 0; left -= atOnce {
			rows := drawer.Next()
			for i, y := range rows.Y[:min(left, atOnce)] {
				for _, x := range rows.X[i*s.D:][:s.D] {
					file = cell(file, x, ',')
				}
				file = cell(file, y, '\n')
				if len(file) > MaxFile {
					return "", nil, &DrawnFileError{Rows: total, Features: s.D, Enough: written}
				}
				written++
			}
		}
	}
	return "drawn-" + s.Scenario + "-seed-" + strconv.FormatUint(s.Seed, 10) + ".csv", file, nil
}

// cell appends a number and the byte that ends its cell.
func cell(file []byte, v float64, end byte) []byte {
	return append(strconv.AppendFloat(file, v, 'g', -1, 64), end)
}
