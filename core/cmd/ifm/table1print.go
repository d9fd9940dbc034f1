package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"ifmlab/core/vtec"
)

// printTable1 prints a table as Markdown, in metres at L1, with the least error of a row
// in bold.
func printTable1(out io.Writer, t vtec.Table) {
	head(out, "day | windows | zero", t.Methods)
	for _, row := range append(t.Days, t.Average) {
		fmt.Fprintf(out, "| %s | %d | %.5f |", row.Day, row.Windows, row.Zero)
		cells(out, row.RMSE)
	}
	base := max(0, slices.Index(t.Methods, vtec.Ridge))
	groups := t.Groups
	blocks := "days"
	if groups.Hourly {
		blocks = "hours"
	}
	if len(t.Methods) > 1 && groups.All.Differences > 0 {
		fmt.Fprintf(out, "| less %s, ± 95 %% of %d %s | %d | |", t.Methods[base], len(groups.All.Blocks), blocks, t.Average.Windows)
		for k := range t.Methods {
			fmt.Fprintf(out, " %s |", lead(&groups, &groups.All, k, base))
		}
		fmt.Fprintln(out)
	}
	if fixed := t.Fixed; fixed.Tried > 0 {
		fmt.Fprintf(out, "| simulated RTK | %d | %.1f %% |", fixed.Windows, fixed.None)
		most := 0.0
		for _, v := range fixed.Percent {
			most = max(most, v)
		}
		for k, v := range fixed.Percent {
			fmt.Fprintf(out, " %s |", bold(plusMinus("%.1f %%", v, "%.1f", fixed.Error[k]), v == most))
		}
		fmt.Fprintf(out, "\n| less %s, points, ± 95 %% | %d | |", t.Methods[0], fixed.Windows)
		for k, v := range fixed.Percent {
			cell := ""
			if k > 0 {
				cell = plusMinus("%+.1f", v-fixed.Percent[0], "%.1f", 1.96*fixed.Lead[k])
			}
			fmt.Fprintf(out, " %s |", cell)
		}
		fmt.Fprintf(out, "\n\nRTK: positions within 1 cm; under zero with no correction. With the true delays it is %.1f %%: more no method can fix.\n", fixed.Perfect)
	}
	if slices.ContainsFunc(t.Methods, func(m vtec.Method) bool { return !m.InPaper() }) {
		fmt.Fprint(out, "\n\\* not in the paper\n")
	}
	for _, part := range []struct {
		name   string
		groups []vtec.Group
	}{{"station", groups.Stations}, {"hours", groups.Hours}, {"elevation", groups.Elevations}} {
		if len(part.groups) < 2 {
			continue
		}
		fmt.Fprintln(out)
		head(out, part.name+" | differences", t.Methods)
		for _, g := range part.groups {
			fmt.Fprintf(out, "| %s | %d |", g.Name, g.Differences)
			cells(out, g.RMSE)
			if len(t.Methods) > 1 {
				fmt.Fprintf(out, "| less %s | |", t.Methods[base])
				for k := range t.Methods {
					fmt.Fprintf(out, " %s |", lead(&groups, &g, k, base))
				}
				fmt.Fprintln(out)
			}
		}
	}
	if len(t.Unusable) > 0 {
		fmt.Fprintln(out)
	}
	for _, e := range t.Unusable {
		fmt.Fprintln(out, e)
	}
}

func head(out io.Writer, columns string, methods []vtec.Method) {
	fmt.Fprintf(out, "| %s |", columns)
	for _, m := range methods {
		star := ""
		if !m.InPaper() {
			star = "*"
		}
		fmt.Fprintf(out, " %s%s |", m, star)
	}
	fmt.Fprint(out, "\n|", strings.Repeat("---|", strings.Count(columns, "|")+1+len(methods)), "\n")
}

// cells prints the errors of a row, with the least in bold.
func cells(out io.Writer, rmse []float64) {
	least := math.Inf(1)
	for _, v := range rmse {
		least = min(least, v)
	}
	for _, v := range rmse {
		fmt.Fprintf(out, " %s |", bold(fmt.Sprintf("%.5f", v), v == least))
	}
	fmt.Fprintln(out)
}

// lead returns the difference between two methods, "" for a method and itself.
func lead(groups *vtec.Groups, g *vtec.Group, method, base int) string {
	if method == base {
		return ""
	}
	mean, half := groups.Lead(g, method, base)
	return plusMinus("%+.5f", mean, "%.5f", half)
}

// plusMinus writes a number and its uncertainty, if that is known: one day has none.
func plusMinus(format string, v float64, halfFormat string, half float64) string {
	text := fmt.Sprintf(format, v)
	if !math.IsNaN(half) {
		text += " ± " + fmt.Sprintf(halfFormat, half)
	}
	return text
}

func bold(text string, yes bool) string {
	if yes {
		return "**" + text + "**"
	}
	return text
}
