// How high a frame has to be for what it shows, in px: core/spec's Height, in the page.
import { frame, measured, widths } from "./heights.gen.js";
import type { Pair } from "./spec.js";

/** Nothing of a frame so wide is cut off or scrolls. The whole page scrolls in itself, and a slide fits itself into what it gets. */
export function heightOf(settings: Iterable<Pair>, width: number): number {
  const { embed, chapter, sample, source, hide = "" } = Object.fromEntries(settings);
  const [lesson, table] = [chapter && chapter !== "none", source === "table"];
  if (embed === "slide" && !lesson && !table) return frame.slide;
  if (embed === "lab" || (table && !lesson && (!sample || sample === "none"))) return frame.lab;
  const high = lesson ? at(`chapter:${chapter}`, width) : table ? at(`table:${sample}`, width) : figure(hide.split(","), width);
  return Math.ceil((high + Math.floor(high / 50)) / 10) * 10;
}

/** What stands in rows of its own, and what stands side by side, which was measured together. The maps are shown where no chart is. */
function figure(hide: readonly string[], width: number): number {
  const shown = (name: string): boolean => !hide.includes(name) && !(hide.includes("matrices") && (name === "maps" || name === "spectrum"));
  const beside = ["switch", "curve", "spectrum"].filter(shown);
  const charted = shown("curve") || shown("spectrum");
  const rows = [beside.join("+"), ...["title", "verdict", "controls", "maps"].filter((name) => shown(name) && !(name === "maps" && charted))];
  return rows.reduce<number>((high, name) => high + (name === "" ? 0 : at(name, width) - frame.padding), frame.padding);
}

/** Between two measured widths the higher of both, beyond the last that of the last. */
function at(name: string, width: number): number {
  const row = measured[name] ?? [];
  const found = widths.findIndex((other) => other >= width);
  const next = found < 0 ? widths.length - 1 : found;
  const before = found <= 0 || widths[next] === width ? next : next - 1;
  return Math.max(row[before] ?? frame.lab, row[next] ?? frame.lab);
}
