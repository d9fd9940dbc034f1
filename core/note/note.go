// Package note holds what a reader should know about a table, and the questions that
// the table leaves open.
package note

import (
	"slices"

	"ifmlab/core/message"
)

// Topic names what a [Note] is about.
type Topic string

// What is decided of a column as it is read.
const (
	TopicMissing  Topic = "missing"  // cells that stand for no value
	TopicSentinel Topic = "sentinel" // a number that stands for none
	TopicMarks    Topic = "marks"    // of fractions and thousands
	TopicUnit     Topic = "unit"     // taken off the numbers
	TopicCode     Topic = "code"     // digits that are no number
	TopicDates    Topic = "dates"    // that became columns of their own
)

// What is odd about features and a reader should judge. Nothing is left out for it.
const (
	TopicLeak  Topic = "leak"       // a column is almost the target
	TopicParts Topic = "parts"      // columns add up to the target; of these the two heaviest
	TopicCopy  Topic = "copy"       // columns of numbers say the same
	TopicPairs Topic = "one to one" // columns of levels say the same
	TopicCase  Topic = "capitals"   // levels of a column differ in nothing but capitals
)

// What else a reader should know.
const (
	TopicFile     Topic = "file"     // how the file is written
	TopicSetting  Topic = "setting"  // a setting that was not used, or not as it stands
	TopicRole     Topic = "role"     // what a column is taken for, and why, though nobody asked for it
	TopicSearch   Topic = "search"   // where oddities were not looked for
	TopicTarget   Topic = "target"   // what models learn of it
	TopicWeight   Topic = "weight"   // what rows count
	TopicSplit    Topic = "split"    // which rows train, validate and test
	TopicFeatures Topic = "features" // what the encoding makes of columns
	TopicModel    Topic = "model"    // that could not be trained, or has no intervals
)

// What a model makes of cells that training rows did not have.
const (
	TopicUnseen Topic = "unseen" // levels that it does not tell apart
	TopicOdd    Topic = "odd"    // no numbers, in a column of numbers, or too large to square
	TopicBeyond Topic = "beyond" // what training rows hold
)

// What speaks for another split of the rows, by a column.
const (
	TopicTime  Topic = "time"  // it is a time
	TopicGroup Topic = "group" // it is an identifier
)

// Note is one thing that a reader should know about a table, or a question.
type Note struct {
	Topic   Topic
	Columns []string // that it is about, if it is about some
	Cells   int      // that it is about, if it is about some
	Text    string   // what was done or found and why, or the question; a sentence without its full stop. "" where the cells say all
	// Ask says that the cells can be read in two ways and nothing in the file says
	// which: training should wait for an answer. They are read as Answers says.
	Ask bool
	// Answers are what the reader can say to it; none where there is nothing to say.
	Answers []Answer
}

// Answer is one way to take what a [Note] is about. Whoever chooses it takes the
// values of all the note's answers out of the lists that are their settings, adds its
// own, and has the file read again.
type Answer struct {
	Label string // short
	Key   Key
	Value string // such as "price:comma", or a column's name; "" where nothing need be said
	Now   bool   // this is how the cells are read
}

// Key is a setting, as package spec names it, that answers are given by.
type Key string

// The settings.
const (
	KeyDecimal     Key = "decimal"
	KeyMissingAs   Key = "missingas"
	KeyNotMissing  Key = "notmissing"
	KeyDates       Key = "dates"
	KeyCategorical Key = "categorical"
	KeyNumeric     Key = "numeric"
	KeyKeep        Key = "keep"
)

// Notes are what a reader should know, in the order to say it in.
type Notes []Note

// Texts returns what the notes say, apart from those that only count cells.
func (n Notes) Texts() []string {
	var texts []string
	for i := range n {
		if n[i].Text != "" {
			texts = append(texts, n[i].Text)
		}
	}
	return texts
}

// Questions returns the notes that ask.
func (n Notes) Questions() (open Notes) {
	for i := range n {
		if n[i].Ask {
			open = append(open, n[i])
		}
	}
	return open
}

// Has reports whether a note on the topic is about a column.
func (n Notes) Has(topic Topic, column string) bool {
	return slices.ContainsFunc(n, func(one Note) bool { return one.Topic == topic && slices.Contains(one.Columns, column) })
}

// Add adds a note about columns.
func (n *Notes) Add(topic Topic, columns []string, format string, args ...any) {
	*n = append(*n, Note{Topic: topic, Columns: columns, Text: message.Sprintf(format, args...)})
}
