package main

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"time"

	"ifmlab/core"
	"ifmlab/core/read"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/trial"
)

// numbersFile returns 20 MB of 20 Gaussian columns.
func numbersFile() (file []byte, rows int) {
	const columns = 20
	for j := range columns {
		file = append(strconv.AppendInt(append(file, 'x'), int64(j), 10), ",\n"[j/(columns-1)])
	}
	rng := trial.Stream(1, 0, trial.StreamTrain)
	for ; len(file) < much.bytes; rows++ {
		for j := range columns {
			file = append(strconv.AppendFloat(file, rng.NormFloat64(), 'g', 8, 64), ",\n"[j/(columns-1)])
		}
	}
	return file, rows
}

// ratingsFile returns a million ratings of 4000 items by 6000 users.
func ratingsFile() (file []byte, rows int) {
	file = []byte("user,item,rating\n")
	rng := trial.Stream(1, 0, trial.StreamTrain)
	for ; rows < much.ratings; rows++ {
		file = fmt.Appendf(file, "u%d,i%d,%.4f\n", rng.IntN(6000), rng.IntN(4000), 3.6+rng.NormFloat64())
	}
	return file, rows
}

func readBench(file []byte) (*table.Table, error) {
	return read.Read(bytes.NewReader(file), read.Options{Name: "bench.csv"})
}

// readCSV returns the megabytes of a file that are read in a second.
func readCSV(file []byte, rows int) (float64, error) {
	began := time.Now()
	table, err := readBench(file)
	if err != nil {
		return 0, err
	}
	if table.Rows != rows {
		return 0, fmt.Errorf("bench: read %d rows, expected %d", table.Rows, rows)
	}
	return float64(len(file)) / 1e6 / time.Since(began).Seconds(), nil
}

// sweep returns the milliseconds of one record of ALS: a sweep over the 600,000 ratings
// that train, and the RMSE of the others.
func sweep() (float64, error) {
	file, _ := ratingsFile()
	table, err := readBench(file)
	if err != nil {
		return 0, err
	}
	s, notices := spec.Parse("source=table&target=rating&categorical=user,item&models=fm&solver=als&ranks=8&lambdaf=10&patience=0&trials=1")
	if len(notices) > 0 {
		return 0, errors.New(notices[0].Message)
	}
	run, err := core.Open(s, 0, table)
	if err != nil {
		return 0, err
	}
	for rank := 0; rank < 8; { // ridge comes first, then the start of the fit
		record, err := run.Next()
		if err != nil {
			return 0, err
		}
		rank = record.Rank
	}
	return fastest(much.repeats, func() error { _, err := run.Next(); return err })
}
