// Package fm has the three factorization machines: their predictions, their interactions and
// their model file. Package solve fits them.
//
//	f(x) = b + xᵀw + xᵀMx        (Eq. 1: the sum over all i ≠ j, and i = j for gFM)
//	FM    M = UUᵀ − diag(UUᵀ)    (Eq. 2)
//	gFM   M = UVᵀ                (Eq. 4)
//	iFM   M = UVᵀ − diag(UVᵀ)    (Eq. 12)
//
// Only the symmetric part of M matters. Rendle's form, with the sum over i < j (Eq. 3), is
// half of Eq. 1, so that its factors are √2 times those here.
package fm

import (
	"strings"

	"ifmlab/core/message"
)

// Kind names a model.
type Kind uint8

// The kinds.
const (
	FM  Kind = iota // conventional: positive semi-definite before its diagonal is removed
	GFM             // generalized: decoupled, diagonal kept
	IFM             // improved: decoupled, zero diagonal
)

var kindNames = [...]string{"fm", "gfm", "ifm"}

// String returns "fm", "gfm" or "ifm".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return message.Sprintf("Kind(%d)", int(k))
}

// ParseKind is the inverse of String, in any case of letters. It returns a [*KindError] for
// other texts.
func ParseKind(s string) (Kind, error) {
	for k, name := range kindNames {
		if strings.EqualFold(s, name) {
			return Kind(k), nil
		}
	}
	return 0, &KindError{Found: s}
}

// KindError says that no model has this name.
type KindError struct{ Found string }

func (e *KindError) Error() string {
	return message.Sprintf(`fm: the model is %q, expected "fm", "gfm" or "ifm"`, e.Found)
}

func (*KindError) Kind() string { return "KindError" }

// Model is one factorization machine over D features. U and V are D×Rank,
// row-major; V is nil for FM, where it would be U.
type Model struct {
	Kind    Kind
	D, Rank int
	B       float64
	W       []float64 // D
	U, V    []float64 // D×Rank

	// Classes are the scores of more than two classes, each a model of this kind, dimension and
	// rank; B, W, U and V are then empty.
	Classes []*Model

	Interval *Interval // prediction intervals; nil if there are none
	Fitted   Fitted    // the rows that it was fitted to
	Centre   *Centre   // where explanations begin; nil if that is not known
}

// New returns the zero model of a kind, which predicts 0. d and rank must not be negative.
func New(kind Kind, d, rank int) *Model {
	m := &Model{Kind: kind, D: d, Rank: rank, W: make([]float64, d), U: make([]float64, d*rank)}
	if kind != FM {
		m.V = make([]float64, d*rank)
	}
	return m
}

// NewClasses returns zero models of the scores of so many classes; 1 is [New].
func NewClasses(kind Kind, d, rank, classes int) *Model {
	m := &Model{Kind: kind, D: d, Rank: rank}
	for range classes {
		m.Classes = append(m.Classes, New(kind, d, rank))
	}
	if classes == 1 {
		return m.Classes[0]
	}
	return m
}

// Scores returns the models of the scores of classes, or m alone.
func (m *Model) Scores() []*Model {
	if m.Classes == nil {
		return []*Model{m}
	}
	return m.Classes
}

// Set makes m equal to a model of the same kind, dimension and rank, without allocating. It
// panics if the shapes differ.
func (m *Model) Set(from *Model) {
	if m.Kind != from.Kind || m.D != from.D || m.Rank != from.Rank {
		panic(message.Sprintf("fm: cannot set a %v of %d×%d to a %v of %d×%d", m.Kind, m.D, m.Rank, from.Kind, from.D, from.Rank))
	}
	m.B = from.B
	copy(m.W, from.W)
	copy(m.U, from.U)
	copy(m.V, from.V)
	for c, of := range m.Classes {
		of.Set(from.Classes[c])
	}
}

// Right returns the second factor matrix: V, or U for FM.
func (m *Model) Right() []float64 {
	if m.Kind == FM {
		return m.U
	}
	return m.V
}
