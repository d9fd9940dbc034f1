//go:build figure || ionosphere

package fm

import "ifmlab/core/design"

// Engines without tables write no averages of training rows, and read no model file.

func (*file) centreOf() object { return nil }

func (*Centre) check(*Model, *design.Encoding) error { return nil }
