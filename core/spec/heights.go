package spec

import (
	"slices"
	"strings"
)

// Parts of the height of a frame, in px.
const (
	FramePadding = 40  // of a frame of the figure
	LabHeight    = 900 // the whole page, which scrolls inside
	SlideHeight  = 600 // a slide, which adapts to its height
)

// Height returns the height in px at which a frame of the link needs no scrolling. It
// is the measured height, or the larger one of the two neighbouring widths, and 2 % more
// for the fonts of other systems. A frame of the whole page scrolls inside. The page
// computes the same height, which testdata/heights.txt checks.
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

// figureHeight adds up the rows of the figure. Parts that are side by side are one row
// and were measured together. The maps are shown only without a chart.
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

// measuredHeight returns the height at a width: between two measured widths the larger
// height, beyond the last width its height.
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
