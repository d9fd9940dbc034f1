// What `ifm merge` writes of a sweep: a title, then a line of JSON for each cell, in
// their order. core/shard says what stands in it.
import { EngineFailure, unusable } from "../../engine/engine.js";
import { turn } from "../../engine/pending.js";
import type { Info } from "../../engine/protocol.js";
import { parse } from "../../state/spec.js";
import { models } from "../../training/series.js";
import { reading as strings } from "./strings.js";
import type { Link, Run, Sweep } from "./sweep.js";

const AT_ONCE = 1000; // lines between two turns of the browser

/** Reads a merged file; info asks the engine of a link. Rejects with the line and what is wrong there: nothing of it is used then. */
export async function readSweep(file: File, info: (query: string) => Promise<Info>): Promise<Sweep> {
  const refuse = (line: number, message: string): never => {
    throw new EngineFailure(unusable(strings.at(file.name, line, message)));
  };
  let title: { readonly version: string; readonly cells: number } | undefined;
  const runs: Run[] = [];
  const queries = new Map<string, string>(); // each text held once
  let at = 0;
  for await (const text of lines(file)) {
    const found = object(text) ?? refuse(++at, strings.noJSON);
    if (title === undefined) {
      at = 1;
      const { sweep, version, cells, shard, of } = found;
      if (typeof sweep !== "string" || typeof version !== "string" || !isCount(cells)) refuse(at, strings.noTitle);
      if (shard !== undefined) refuse(at, strings.part(String(shard), String(of)));
      title = { version: String(version), cells: Number(cells) };
      continue;
    }
    const line = ++at;
    if (found["cell"] !== runs.length) refuse(line, strings.order(String(found["cell"]), runs.length));
    if (found["version"] !== title.version) refuse(line, strings.version(String(found["version"]), title.version));
    const run = runOf(found) ?? refuse(line, strings.noRun);
    const query = queries.get(run.query) ?? run.query;
    queries.set(query, query);
    runs.push({ ...run, query });
    if (runs.length % AT_ONCE === 0) await turn();
  }
  if (title === undefined) return refuse(1, strings.noTitle);
  if (runs.length !== title.cells) refuse(at, strings.cut(runs.length, title.cells));
  const links = new Map<string, Link>();
  for (const query of queries.keys()) {
    const { spec, notices } = parse(query);
    const [notice] = notices;
    if (notice) refuse(2 + runs.findIndex((run) => run.query === query), notice.message);
    links.set(query, { spec, points: spec.sweep === "none" ? [] : (await info(query)).points });
  }
  const stray = runs.findIndex(({ query, point }) => point > 0 && point >= (links.get(query)?.points.length ?? 0));
  if (stray >= 0) refuse(2 + stray, strings.noPoint(runs[stray]?.point ?? 0));
  return { name: file.name, version: title.version, here: (await info("")).version, runs, links };
}

/** The lines of a file that are not empty. */
async function* lines(file: File): AsyncGenerator<string, void, void> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const whole = (rest + part.value).split("\n");
    rest = whole.pop() ?? "";
    yield* whole.filter((line) => line.trim() !== "");
  }
  if (rest.trim() !== "") yield rest;
}

type Found = Readonly<Record<string, unknown>>;

function object(text: string): Found | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Found) : null;
  } catch {
    return null;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** A cell's line, or null where it is none. */
function runOf({ spec, point = 0, trial, model, last, refused = "" }: Found): Run | null {
  const known = models.find((one) => one === model);
  if (typeof spec !== "string" || !isCount(point) || !isCount(trial) || known === undefined || typeof refused !== "string") return null;
  const { test, w, m } = (typeof last === "object" && last !== null ? last : {}) as Found;
  const real = (value: unknown): number => (typeof value === "number" ? value : Number.NaN); // what is no number is left out
  return { query: spec, point, trial, model: known, test: real(test), w: real(w), m: real(m), refused };
}
