package spec

import (
	"slices"
	"strings"
)

// What the height of a frame is put together from, in px.
const (
	FramePadding = 40  // above and below what a frame of the figure shows
	LabHeight    = 900 // the whole page scrolls in itself
	SlideHeight  = 600 // a slide fits itself into what it gets
)

// Height returns how high, in px, a frame with what the link shows has to be, so that
// nothing of it is cut off or scrolls: the page as it was measured, between two
// measured widths the higher, and a fiftieth more, since other systems have other
// letters. A link to the whole page is that of a frame that scrolls in itself. The
// page computes the same; testdata/heights.txt holds the two together.
func (l Link) Height(width int) int {
	high := 0
	switch v := l.View; {
	case v.Embed == "slide" && v.Chapter == "none" && l.Spec.Source != "table":
		return SlideHeight
	case v.Embed == "lab" || l.Spec.Source == "table" && v.Chapter == "none" && v.Sample == "none":
		return LabHeight
	case v.Chapter != "none":
		high = measuredHeight("chapter:"+v.Chapter, width)
	case l.Spec.Source == "table":
		high = measuredHeight("table:"+v.Sample, width)
	default:
		high = figureHeight(v.Hide, width)
	}
	return (high + high/50 + 9) / 10 * 10
}

// figureHeight adds up the rows of the figure. Parts that stand side by side are one
// row and were measured together. Maps are shown only where no chart is.
func figureHeight(hide []string, width int) int {
	shown := func(name string) bool {
		return !slices.Contains(hide, name) && !(slices.Contains(hide, "matrices") && (name == "maps" || name == "spectrum"))
	}
	var beside, rows []string
	for _, name := range []string{"switch", "curve", "spectrum"} {
		if shown(name) {
			beside = append(beside, name)
		}
	}
	if len(beside) > 0 {
		rows = append(rows, strings.Join(beside, "+"))
	}
	for _, name := range []string{"title", "verdict", "controls", "maps"} {
		if shown(name) && (name != "maps" || !shown("curve") && !shown("spectrum")) {
			rows = append(rows, name)
		}
	}
	high := FramePadding
	for _, name := range rows {
		high += measuredHeight(name, width) - FramePadding
	}
	return high
}

// measuredHeight returns what was measured at a width: between two the higher of
// both, beyond the last that of the last.
func measuredHeight(name string, width int) int {
	for _, row := range Measured {
		if row.Name == name {
			next, _ := slices.BinarySearch(MeasuredWidths[:], width)
			before, after := max(0, next-1), min(next, len(MeasuredWidths)-1)
			if MeasuredWidths[after] == width || next == 0 {
				before = after
			}
			return max(row.Px[before], row.Px[after])
		}
	}
	return LabHeight
}
