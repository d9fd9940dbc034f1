// Package script writes kept models as programs that predict elsewhere, without
// iFM Lab.
package script
