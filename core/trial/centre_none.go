//go:build figure || ionosphere

package trial

import "ifmlab/core/fm"

// CentreOf returns nil: engines without tables explain no prediction.
func (*Trial) CentreOf(*fm.Model) *fm.Centre { return nil }
