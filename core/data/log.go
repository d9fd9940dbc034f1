package data

import (
	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/message"
	"ifmlab/core/note"
)

// settleLog settles which logarithm models learn, from all rows that are used, so
// that it is the same for every split and defined for every row. It returns a
// [*TargetError] that names the first negative target.
func (p *Plan) settleLog() error {
	if !p.settings.Log {
		return nil
	}
	if p.levels != nil {
		p.Notes.Add(note.TopicTarget, []string{p.Target}, "%s has two values, so that its logarithm is only another name for them; it is learnt as it is", p.Target)
		return nil
	}
	log, ok := design.LogOf(p.least)
	if !ok {
		t, c := p.Table, p.Table.columns[p.target]
		for _, row := range p.Rows {
			if v := c.number(int(row)); v < 0 {
				found := cell.FormatNumber(v)
				return &TargetError{File: t.Name, Field: p.Target, Found: found,
					Message: message.Sprintf("%s is %s on line %d, want no number below 0, whose logarithm there is none of; learn %s itself (log=no) or choose another target", p.Target, found, t.Line(int(row)), p.Target)}
			}
		}
	}
	p.log = log
	return nil
}

// logTarget settles a target that is learnt as a logarithm.
func (e *encoder) logTarget() error {
	raw := e.plan.Targets(e.rows)
	e.out.Target = design.LogTarget(e.plan.Target, raw, e.plan.Weights(e.rows), e.plan.log)
	if e.out.Target.Scale > 0 {
		return nil
	}
	found := cell.FormatNumber(raw[0])
	return &TargetError{File: e.plan.Table.Name, Field: e.plan.Target, Found: found,
		Message: message.Sprintf("the logarithm of %s is that of %s in every training row, want one that varies; learn %s itself (log=no)", e.plan.Target, found, e.plan.Target)}
}
