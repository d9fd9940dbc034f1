// What `ifm merge` writes of a sweep: a title, then a line of JSON for each cell, in
// their order. core/shard says what stands in it.
import { EngineFailure, unusable } from "../../engine/engine.js";
import { turn } from "../../engine/pending.js";
import type { Info } from "../../engine/protocol.js";
import { encode, parse } from "../../state/spec.js";
import { readLink } from "../../state/view.js";
import { models } from "../../training/series.js";
import { reading as strings } from "./strings.js";
import type { Absence, Link, Named, Run, SkyLink, Sweep } from "./sweep.js";

const AT_ONCE = 1000; // lines between two turns of the browser

/** What the engines say of links. */
export interface Asked {
  readonly info: (query: string) => Promise<Info>;
  readonly net: (part: string) => Promise<Named>; // of settings of the chapter on vTEC
}

/** Reads a merged file. Rejects with the line and what is wrong there. */
export async function readSweep(file: File, asked: Asked): Promise<Sweep> {
  const refuse = (line: number, message: string): never => {
    throw new EngineFailure(unusable(strings.at(file.name, line, message)));
  };
  let title: { readonly version: string; readonly cells: number } | undefined;
  const cells: (Run | Absence)[] = [];
  const queries = new Map<string, { readonly query: string; readonly line: number }>(); // each text held once, with the line that first has it
  const at: number[] = []; // the line of each cell
  let line = 1;
  for await (const { number, text } of lines(file)) {
    line = number;
    const found = object(text) ?? refuse(line, strings.noJSON);
    if (title === undefined) {
      const { sweep, version, cells, shard, of } = found;
      if (typeof sweep !== "string" || typeof version !== "string" || !isCount(cells) || cells === 0) refuse(line, strings.noTitle);
      if (shard !== undefined) refuse(line, strings.part(String(shard), String(of)));
      title = { version: String(version), cells: Number(cells) };
      continue;
    }
    if (found["cell"] !== cells.length) refuse(line, strings.order(String(found["cell"]), cells.length));
    if (found["version"] !== title.version) refuse(line, strings.version(String(found["version"]), title.version));
    const cell = runOf(found) ?? absenceOf(found) ?? refuse(line, strings.noCell);
    const held = queries.get(cell.query) ?? { query: cell.query, line };
    queries.set(cell.query, held);
    cells.push({ ...cell, query: held.query });
    at.push(line);
    if (cells.length % AT_ONCE === 0) await turn();
  }
  if (title === undefined) return refuse(1, strings.noTitle);
  if (cells.length !== title.cells) refuse(line, strings.cut(cells.length, title.cells));
  const links = new Map<string, Link>();
  const skies = new Map<string, SkyLink>();
  for (const { query, line } of queries.values()) {
    const link = readLink(query);
    const sky = link.view.chapter === "vtec" && encode(link.spec) === "";
    const part = link.parts.vtec ?? "";
    const { spec, notices } = sky ? { spec: link.spec, notices: link.notices } : parse(query);
    const net = sky ? await asked.net(part) : null;
    const [notice] = [...notices, ...(net?.notices ?? [])];
    if (notice) refuse(line, notice.message);
    if (net) skies.set(query, { part, methods: net.methods, days: net.days, stations: net.stations });
    else links.set(query, { spec, points: spec.sweep === "none" ? [] : (await asked.info(query)).points });
  }
  cells.forEach((cell, i) => {
    const wrong = "trial" in cell ? strayRun(cell, links.get(cell.query)) : strayAbsence(cell, skies.get(cell.query));
    if (wrong !== "") refuse(at[i] ?? 0, wrong);
  });
  return { name: file.name, version: title.version, here: (await asked.info("")).version, runs: cells.filter((cell) => "trial" in cell), links, absences: cells.filter((cell) => "station" in cell), skies };
}

/** What a cell has that its link has not; "": nothing. */
function strayRun({ point }: Run, link: Link | undefined): string {
  if (!link) return strings.noRun;
  return point > 0 && point >= link.points.length ? strings.noPoint(point) : "";
}

function strayAbsence({ day, station, squares }: Absence, link: SkyLink | undefined): string {
  if (!link) return strings.noSky;
  if (day >= link.days.length) return strings.noDay(day);
  if (station >= link.stations.length) return strings.noStation(station);
  const method = Object.keys(squares).find((method) => !link.methods.includes(method));
  return method === undefined ? "" : strings.noMethod(method);
}

/** The lines of a file that are not empty, with their numbers. */
async function* lines(file: File): AsyncGenerator<{ readonly number: number; readonly text: string }, void, void> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let number = 0;
  for (let part = await reader.read(); ; part = await reader.read()) {
    const whole = (rest + (part.value ?? "")).split("\n");
    rest = part.done ? "" : (whole.pop() ?? "");
    for (const text of whole) {
      number++;
      if (text.trim() !== "") yield { number, text };
    }
    if (part.done) return;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function object(text: string): Fields | null {
  try {
    return fields(JSON.parse(text));
  } catch {
    return null;
  }
}

function fields(value: unknown): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** A number, or NaN: what is none is left out of a line. */
function real(value: unknown): number {
  return typeof value === "number" ? value : Number.NaN;
}

/** The line of a run, or null where it is none. */
function runOf({ spec, point = 0, trial, model, last, refused = "" }: Fields): Run | null {
  const known = models.find((one) => one === model);
  if (typeof spec !== "string" || !isCount(point) || !isCount(trial) || known === undefined || typeof refused !== "string") return null;
  const { test, w, m } = fields(last) ?? {};
  return { query: spec, point, trial, model: known, test: real(test), w: real(w), m: real(m), refused };
}

/** The line of a day without a station, or null where it is none. */
function absenceOf({ spec, day, station, windows, unusable, reason = "", differences, zero, squares }: Fields): Absence | null {
  const sums = fields(squares);
  if (typeof spec !== "string" || !isCount(day) || !isCount(station) || !isCount(windows) || !isCount(unusable) || typeof reason !== "string" || !isCount(differences) || !sums) return null;
  return { query: spec, day, station, windows, unusable, reason, differences, zero: real(zero), squares: Object.fromEntries(Object.entries(sums).map(([method, sum]) => [method, real(sum)])) };
}
