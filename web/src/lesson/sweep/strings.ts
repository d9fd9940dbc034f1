// The words of sweeps that were run elsewhere.
import { options, settings } from "../../state/settings-strings.js";
import { cell, count, number, percent } from "../../text/format.js";
import { counted, short } from "../../text/strings.js";
import type { Measure, Setting } from "./lay.js";

const again = "Merge the sweep again (ifm merge).";

export const reading = {
  at: (file: string, line: number, message: string) => `${file}, line ${line}: ${message}`,
  noJSON: `The line is not a JSON object. ${again}`,
  noTitle: `The first line is not the title line of ifm merge. ${again}`,
  part: (part: string, of: string) => `This is part ${part} of ${of} of a sweep. Merge the parts (ifm merge) and open the result.`,
  order: (found: string, due: number) => `Found cell ${found} instead of cell ${due}. ${again}`,
  version: (found: string, title: string) => `The cell has version ${found}, the sweep ${title}. ${again}`,
  noCell: `The line is incomplete: a run needs settings, trial and model; a day without a station needs day, station and sums. ${again}`,
  noRun: `The line is a run, but its link is to the chapter on vTEC. ${again}`,
  noSky: `The line is a day without a station, but its link is not to the chapter on vTEC. ${again}`,
  noPoint: (point: number) => `The link has no point ${point}. ${again}`,
  noDay: (day: number) => `The link has no day ${day}. ${again}`,
  noStation: (station: number) => `The link has no station ${station}. ${again}`,
  noMethod: (method: string) => `The link has no method “${method}”. ${again}`,
  cut: (found: number, cells: number) => `The file ends here, with ${count(found)} of ${counted(cells, "cell")}. ${again}`,
};

const names: Readonly<Record<string, string>> = { ...settings, model: "Model", ratio: "n/(dk)", tau: "τ", n: "n", k: "k", d: "d" };

/** What a setting is called. */
export function named(key: string): string {
  return names[key] ?? key;
}

/** A setting in words: solver: Gauss–Newton. */
export function said({ key, value }: Setting): string {
  const word = options[value] ?? short[value as keyof typeof short] ?? written(value);
  return key === "model" ? word : ["k", "d", "n", "tau", "ratio"].includes(key) ? `${named(key)}\u00a0=\u00a0${word}` : `${named(key)}: ${word}`;
}

/** A value that has no word of its own. */
function written(value: string): string {
  return Number.isFinite(Number(value)) && value !== "" ? cell(Number(value)) : value;
}

export const swept = {
  badge: "swept",
  from: (runs: number, version: string) => `${counted(runs, "run")} from ifm sweep, version ${version}. None was computed on this page, and no file leaves it. Press a cell to run it here, live.`,
  other: (version: string, here: string) => `This page has version ${here}, so its runs may differ from those of ${version}.`,
  mixed: (cells: number) => `The file also has ${counted(cells, "cell")} on the ionosphere:`,
  toSky: "see the chapter on vTEC.",
  close: "Close",
  show: "Show",
  measures: { found: "runs that found the true M", m: "median error of M", test: "median test RMSE", refused: "runs refused by a solver" } satisfies Record<Measure, string>,
  caption: { found: "Share of runs per cell that found the true M", m: "‖M − M*‖/‖M*‖ at the end, median per cell", test: "Test RMSE at the end, median per cell", refused: "Share of runs per cell refused by a solver" } satisfies Record<Measure, string>,
  diverged: (caption: string) => `${caption}; a diverged run counts as ∞`,
  same: (same: readonly string[]) => `In common: ${same.join(", ")}.`,
  tied: (by: string, settings: readonly string[]) => `${by} goes with ${settings.join(", ")}.`,
  part: "Lines of",
  what: "what was swept",
  all: "all runs",
  across: (value: number) => cell(Number(value.toPrecision(6))),
  of: (part: number, all: number) => `${count(part)}/${count(all)}`,
  value: (value: number) => number(value),
  none: "·",
  open: (named: string, said: string) => `${named}: ${said}. Run it here`,
  place: (axis: string, value: string) => `${axis} = ${value}`,
  share: (value: number) => percent(value),
  many: (rows: number) => `The table below has ${counted(rows, "row")}, too many lines to draw.`,
};
