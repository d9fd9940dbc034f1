package script_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/fault"
	"ifmlab/core/read"
	"ifmlab/core/tabletest"
)

// noDates are texts that are dates in no layout of package cell.
var noDates = []string{"", "2024", "12", "Jan", "2024-02-30", "31.4.2024", "2024-1-1 24:00", "2024-01-01 10:60", "2024-01-01T", "Jano 2 2006", "2 Jan 20066",
	"1.2.3", "1.2.31.4", "10.0.0.1", "192.168.10.24", "1/2", "3/4", "10:30", "10:30:15", "2024-0001", "2024-001", "555-12-3456", "123-45-6789", "+49 30 1234567", "01-02-03", "1 2 2024",
	"2024-01-01 10", "2024-01-01 10:", "2024-01-01 10:00:00.", "2024-01-01 10:00:00.1234567890", "2024-01-01 13:00 PM", "2024-01-01 10:00 am x", "2024-01-01 10:00 CET", "2024-01-01 10:00+2", "2024-01-01 10:00+15:00", "2024-01-01+02:00",
	"Monday", "Mon 10:30", "May", "MAY5", "5 May", "1.2-2024", "1/2-2024", "model 2024-01-01", "12-Dez-2024", "2024-W05", "2024-13-01", "2024-00-10",
	"2024.05", "2024/05", "20240131 10:00", "18991231", "Sundry 2024-05-01", "2024-05-01   10:00", "2024-05-01 10:00:75", "2024 JanT10:00", "Jan122024", "2024-05-0110:00", "2024-05-01 10:0000"}

// Dates of digits in the orders that a model may have, dates with names, and parts of
// times, some of them wrong.
var (
	digitDates = map[string][]string{
		"ymd": {"2024-05-31", "2024/5/1", "2024.05.01", "2024-02", "2024-5"},
		"dmy": {"31.5.2024", "31-05-2024", "5/6/2024", "5-6-2024", "1.2.24", "3/4/68", "3/4/69"},
		"mdy": {"5/31/24", "5/6/2024", "5-6-2024", "05-31-2024", "3/4/68", "3/4/69"},
	}
	namedDates = []string{"2 Jan 2024", "02Jan24", "Jan 2, 2024", "2024 Sept", "2024Jan02", "Sept-2024", "Fri, 2 February 2024", "Mond 2024-05-01", "Octo 29 23"}
	timeParts  = [][]string{
		{" ", "T", ", ", "  ", ":", ",", "   ", "", "-"},
		{"10:00", "9:5", "0:00", "23:59:60", "12:30:61", "1:2:3", "00:59:07.123456789", "11:06:39,5", "10:00:00.1234567890", "10:00:62", "10:66", "24:00", "10:00.5", "13", "7"},
		{"", "", " AM", "pm", " p.m.", "\u202fPM", "xm"},
		{"", "", "Z", " UTC", "GMT", " CET"},
		{"", "", "+02", " -0330", "+14:00", "-1400", "+01:59", "+13:06", "+15:00", "+01:60", "-0160", "+2", "+20"},
	}
)

func TestScriptsTakeForADateWhatTheEngineDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	dates := slices.Concat(digitDates["ymd"], digitDates["dmy"], digitDates["mdy"], namedDates)
	texts := slices.Concat(noDates, dates)
	for i := range 1200 {
		text := dates[i%len(dates)]
		for _, parts := range timeParts {
			text += parts[min(random.IntN(len(parts)), random.IntN(len(parts)))]
		}
		texts = append(texts, strings.TrimSpace(text))
	}
	for form, order := range map[string]string{"2006-01-02 15:04": "ymd", "2.1.2006 15:04": "dmy", "1/2/2006 15:04": "mdy", "20060102": "ymd"} {
		texts, train := slices.Clone(texts), "date,y\n"
		if form != "2006-01-02 15:04" { // what is midnight in one cell, and no hour in a column of numbers
			texts = append(texts, "20240131", "20240131.0", "19000101", "21001231", "18991231", "21010101", "20240230")
		}
		for i := range 150 {
			at := time.Date(2019, 1, 28, 0, 0, 0, 0, time.UTC).Add(time.Duration(i*i%977) * 37 * time.Hour)
			train += fmt.Sprintf("%s,%d\n", at.Format(form), i%5+3*at.Hour()+int(at.Month())*(i%3)+at.Day())
		}
		k, s := kept(t, "models=ifm&ranks=2&target=y", train)
		require.Equal(t, []string{"date:" + order}, k.Encoding.FileStyle.Dates)
		s.Dates, s.Header = read.AnswersOf(&k.Encoding).Dates, "yes"
		predicted := func(text string) []float64 {
			p, err := k.Predict(readTable(t, s, text))
			var lacks *fault.MissingColumnsError // no part of a date, since there is none
			if errors.As(err, &lacks) {
				return nil
			}
			require.NoError(t, err)
			return p.Predicted
		}
		missing := predicted("date,y\n" + time.Time{}.AddDate(2000, 0, 0).Format(form) + ",1\n\"\",1\n")[1]
		var file bytes.Buffer
		out, want := csv.NewWriter(&file), []float64{}
		out.Write([]string{"date", "y"})
		for i, text := range texts {
			out.Write([]string{text, "1"})
			want = append(want, missing)
			if p := predicted(fmt.Sprintf("date,y\n\"%s\",1\n\"%[1]s\",2\n\"%[1]s 0:00\",3\n", text)); p != nil {
				want[i] = p[0]
				require.True(t, p[0] == missing || i >= len(noDates), text)
			}
		}
		out.Flush()
		_, python := scripted(t, k, file.String())
		found := 0
		for i, text := range texts {
			got := tabletest.Must(strconv.ParseFloat(python[strconv.Itoa(i+2)][0], 64))
			near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9*max(1, math.Abs(b)) }
			if !near(want[i], missing) {
				found++
			}
			assert.True(t, near(want[i], got), "Python, %s: %q", order, text)
		}
		assert.Greater(t, found, len(texts)/4, "texts that are dates")
	}
}
