// The words of sweeps that were run elsewhere.
import { options, settings } from "../../state/strings.js";
import { cell, count, number, percent } from "../../text/format.js";
import { counted, short } from "../../text/strings.js";
import type { Measure, Setting } from "./lay.js";

const again = "Merge the sweep again (ifm merge).";

export const reading = {
  at: (file: string, line: number, message: string) => `${file}, line ${line}: ${message}`,
  noJSON: `The line is no JSON object. ${again}`,
  noTitle: `The first line is not the title that ifm merge writes. ${again}`,
  part: (part: string, of: string) => `This is part ${part} of ${of} of a sweep. Merge the parts (ifm merge), and open what comes of it.`,
  order: (found: string, due: number) => `Cell ${found} stands where cell ${due} is due. ${again}`,
  version: (found: string, title: string) => `The cell is of version ${found}, the sweep of ${title}. ${again}`,
  noCell: `The line lacks the settings, the trial or the model of a run, or the day, the station or the sums of a day without a station. ${again}`,
  noRun: `The line is of a run, but its link is to the chapter on vTEC. ${again}`,
  noSky: `The line is of a day without a station, but its link is not to the chapter on vTEC. ${again}`,
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
  from: (runs: number, version: string) => `${counted(runs, "run")} that ifm sweep made elsewhere, with version ${version}. None of these numbers was computed on this page, and no file leaves it; press a place to run it here, live.`,
  other: (version: string, here: string) => `This page has version ${here}: its runs may differ from those of ${version}.`,
  mixed: (cells: number) => `The file has ${counted(cells, "cell")} on the ionosphere, too:`,
  toSky: "they stand beside the chapter on vTEC.",
  close: "Close",
  show: "Show",
  measures: { found: "how many found the truth", m: "median error of M", test: "median test RMSE", refused: "how many a solver refused" } satisfies Record<Measure, string>,
  caption: { found: "Runs that found the truth, of all, a place", m: "‖M − M*‖/‖M*‖ at the end, median of a place’s runs", test: "Test RMSE at the end, median of a place’s runs", refused: "Runs that a solver refused, of all, a place" } satisfies Record<Measure, string>,
  diverged: (caption: string) => `${caption}; one that diverged counts as ∞`,
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
  many: (rows: number) => `The table below has ${counted(rows, "row")}; so many lines would hide each other, so none are drawn.`,
};
