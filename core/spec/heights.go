package spec

import "slices"

// What the height of a frame is put together from, in px.
const (
	FramePadding = 36  // above and below what a frame shows
	PartGap      = 8   // between two parts of the figure
	LearntGap    = 32  // above the eigenvalues
	BesideFrom   = 993 // the width from which the verdict, or the maps, stand beside the curve
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

func figureHeight(hide []string, width int) int {
	part := func(name string) int {
		if slices.Contains(hide, name) || (name == "maps" || name == "spectrum") && slices.Contains(hide, "matrices") {
			return 0
		}
		return measuredHeight(name, width) - FramePadding + PartGap
	}
	curve, controls, verdict, maps, spectrum := part("curve"), part("controls"), part("verdict"), part("maps"), part("spectrum")
	high := FramePadding + part("title") + part("switch")
	switch beside := width >= BesideFrom && curve > 0; {
	case beside && maps > 0:
		high += measuredHeight("mapped", width) - FramePadding
	case beside && verdict > 0:
		high += max(curve+controls, verdict)
	default:
		high += curve + controls + verdict + maps
	}
	if spectrum > 0 {
		high += spectrum + LearntGap - PartGap
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
