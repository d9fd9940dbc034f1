//go:build js && wasm && (table || (!figure && !ionosphere))

package main

import (
	"ifmlab/core/read"
	"ifmlab/core/saved"
	"ifmlab/core/table"
	"ifmlab/wasm/protocol"
)

// widest is the most features for which Describe returns the interaction matrix: the page
// draws no larger one.
const widest = 1000

// mostTerms is the most terms of a prediction that Explain lists; it sums up the rest.
const mostTerms = 8

// myTable is the table of an exported SELECT, a name that readers replace.
const myTable = "my_table"

// models answers the calls about model files.
type models struct{ tables *tables }

func (m *models) Describe(of protocol.OfModel) (protocol.Described, error) {
	k, err := saved.Read(of.Model)
	if err != nil {
		return protocol.Described{}, err
	}
	target, written, said := k.Encoding.Target, k.Encoding.FileStyle, read.AnswersOf(&k.Encoding)
	d := protocol.Described{
		Model: protocol.ModelKind(k.Model.Kind.String()), Rank: k.Model.Rank, Target: target.Name, Quantity: k.Quantity(), Levels: target.Levels,
		Measure: protocol.Measure(k.Measure()), Fitted: k.Model.Fitted, Classes: namesOf(k.Classes()), Columns: k.Encoding.Needs(), Features: k.Features(), Bytes: len(of.Model),
		Separator: string(written.Separator), Header: written.Header, Places: k.ByPlace(),
		Decimal: said.Decimal, MissingAs: said.MissingAs, Present: said.Present, Dates: said.Dates,
	}
	if k.Model.Interval != nil {
		d.Level = k.Model.Interval.Level
	}
	if len(d.Features) <= widest {
		if len(k.Classes()) > 2 {
			k = k.Score(of.Class)
		}
		i, err := k.Interaction()
		if err != nil {
			return d, err
		}
		matrix := matrixOf(i)
		d.Interaction = &matrix
	}
	return d, nil
}

func (m *models) Predict(of protocol.Predict) (protocol.Predicted, error) {
	table, err := m.tables.table(of.Table)
	if err != nil {
		return protocol.Predicted{}, err
	}
	k, err := saved.Read(of.Model)
	if err != nil {
		return protocol.Predicted{}, err
	}
	p, err := k.Predict(table)
	if err != nil {
		return protocol.Predicted{}, err
	}
	return protocol.Predicted{
		Line: p.Line, Predicted: p.Predicted, Probabilities: p.Probabilities, Actual: p.Actual, Error: p.Error, Low: p.Low, High: p.High, Far: p.Far, Compared: p.Compared, Covered: p.Covered,
		Rows: len(p.Line), Notes: p.Notes, Skipped: placesOf(p.Skipped), SkippedCount: p.SkippedCount,
	}, nil
}

func (m *models) Explain(of protocol.Explain) (e protocol.Explained, err error) {
	var table *table.Table // without one the average row
	if of.Line > 0 {
		if table, err = m.tables.table(of.Table); err != nil {
			return e, err
		}
	}
	k, err := saved.Read(of.Model)
	if err != nil {
		return e, err
	}
	changes := map[string]string{}
	for i := 0; i+1 < len(of.Changes); i += 2 {
		changes[of.Changes[i]] = of.Changes[i+1]
	}
	found, err := k.WhatIf(table, of.Line, changes, mostTerms)
	if err != nil {
		return e, err
	}
	return *found, nil
}

func (m *models) Shapes(of protocol.OfModel) (protocol.Shapes, error) {
	k, err := saved.Read(of.Model)
	if err != nil {
		return protocol.Shapes{}, err
	}
	if len(k.Classes()) > 2 {
		k = k.Score(of.Class)
	}
	shapes, average, err := k.Shapes()
	all := protocol.Shapes{Average: average, Quantity: k.Quantity()}
	for _, s := range shapes {
		shape := protocol.Shape{Column: s.Column, Source: s.Source, Days: s.IsDays}
		for _, p := range s.Points {
			shape.Points = append(shape.Points, protocol.ShapePoint{Kind: p.Kind, Number: p.Number, Level: p.Level, Effect: p.Effect, Low: p.Low, High: p.High, Share: p.Share})
		}
		all.Shapes = append(all.Shapes, shape)
	}
	return all, err
}

func (m *models) Export(of protocol.Export) (protocol.Exported, error) {
	k, err := saved.Read(of.Model)
	if err != nil {
		return protocol.Exported{}, err
	}
	files, notices, err := k.Export(string(of.Form), myTable)
	x := protocol.Exported{Notices: notices}
	for _, f := range files {
		x.Files = append(x.Files, protocol.ModelFile(f))
	}
	return x, err
}
