package protocol

import "ifmlab/core"

// Engine are calls.
type Engine interface {
	// Read reads.
	Read(Query) (Answer, error)
	Close(Query) error
}

type Query struct {
	Query  string
	Sums   []float64
	Nested [][]float64
	ROC    *Line
}

// Line is another name.
type Line = core.Row

type Answer struct {
	LogP  float64
	Rows  core.Rows
	Why   core.Why
	Pair  *[2]string
	Codes []int
	Wide  []int32
	File  []byte
	Texts [][]string
}
