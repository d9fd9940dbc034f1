// What the charts use of Observable Plot, most of the page's bytes: a script of
// its own, so that the page is there before it.
export { areaY, axisX, axisY, dot, gridX, gridY, line, plot, ruleX, ruleY, text } from "@observablehq/plot";
export type { AxisXOptions, AxisYOptions, Markish, PlotOptions, ScaleOptions, TextOptions } from "@observablehq/plot";
