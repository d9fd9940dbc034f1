// All that the chapters say and draw of runs that were made up, as one text:
// testdata/chapters.txt, which UPDATE=1 writes anew.
import assert from "node:assert/strict";
import { test } from "node:test";

import type { Pool } from "../engine/pool.js";
import type { Predictions, Quadratic, Started } from "../engine/protocol.js";
import { LOST, sky as skyOf, table } from "../engine/workers.test.js";
import { element, fresh, instead, lined, noise, same, sentence, tells, type Drawn } from "../charts/drawn.test.js";
import { parse } from "../state/spec.js";
import { readLink } from "../state/view.js";
import { parsed, type Chapter, type Common, type Run, type Shown } from "./chapter/definition.js";
import type { Job, Track } from "./chapter/runner.js";
import { failed, track } from "./chapter/tracks.test.js";
import "./chapter/element.js";
import { all } from "./chapters.js";
import { tabulate } from "./vtec/tally.js";
import { results } from "./vtec/tally.test.js";
import type { Around, Followup, Rounds } from "./followups/followup.js";

const row = (length: number, from = 0): number[] => Array.from({ length }, (_, i) => noise(from + i));
const symmetric = (d: number, from: number): Float64Array => Float64Array.from({ length: d * d }, (_, at) => noise(from + Math.min(at % d, Math.floor(at / d)) * d + Math.max(at % d, Math.floor(at / d))) - 0.6);

/** Where runs end: anywhere, at the truth, or only iFM's do; or many are refused. */
const worlds = {
  "": (run: number): number => (noise(run) < 0.4 ? 0.01 : noise(run)),
  found: (run: number, model: string): number => (model === "ifm" ? 3e-4 : 1e-5 * noise(run)),
  "iFM finds": (run: number, model: string, tau: number): number => (model === "ifm" || (model === "gfm" && tau > 1) ? 1e-4 : 0.6 + 0.1 * noise(run)),
  refused: (run: number): number => (noise(run) < 0.5 ? Number.NaN : 0.3),
};

const nothing = (): void => undefined;

/** Engines that know what there is to run, and run contests alone. */
const pool = {
  size: 2,
  spread: () => 1,
  settle: nothing,
  lease: () => ({ engine: { call: () => new Promise(nothing) }, start: () => new Promise(nothing), release: nothing }),
  openSky: () => new Promise(nothing),
  handle: () => new Promise(nothing),
  open: (file: File) => Promise.resolve({ file, query: "", table: table(1), copies: new Map() }),
  each: (_: unknown, groups: readonly unknown[], { work }: { work(group: unknown, lease: unknown): unknown }) => Promise.all(groups.filter((group) => typeof group === "number").map((group) => work(group, pool))),
  call(name: string, { query = "", number = 0 }: { readonly query?: string; readonly number?: number }): Promise<unknown> {
    const { d, k, ks, tau, taus, sweep, ratios } = parse(query).spec;
    const fit = (share: number, hidden: readonly number[]) => ({ pairs: row(15, 9 * share), rmse: share, share, hidden: Int32Array.from(hidden) });
    if (name === "contest") return Promise.resolve({ d: 6, rmse: 1, pairs: row(15, number), eigenvalues: row(6), vectors: symmetric(6, 2), fm: fit(0.4, [2]), ifm: fit(0.1, []), score: 0.6 + noise(number) });
    const along = sweep === "tau" ? taus.map((tau) => ({ tau, k })) : ks.map((k) => ({ tau, k }));
    return Promise.resolve({ points: along.flatMap((place) => ratios.map((ratio) => ({ query, ratio, n: ratio * d * place.k, clipped: ratio > 20, ...place }))) });
  },
};

/** What a job could have given. */
function given({ query, cell }: Job, at: number, ends: (typeof worlds)["iFM finds"]): Partial<Track> {
  const { d, k, rank, models, iterations, sweep, taus, ratios, trials, solver } = parse(query).spec;
  const tau = sweep === "tau" ? (taus[Math.floor(cell / trials / ratios.length)] ?? 0) : 0;
  const share = ends(at, models[cell % models.length] ?? "", tau) * (solver === "printed" ? 9 : 1);
  if (Number.isNaN(share)) return failed(at % 3 ? "SingularMomentError" : "DivergedError");
  const names = Array.from({ length: d }, (_, i) => `x${i + 1}`);
  const matrix = (from: number) => ({ d, values: symmetric(d, from), eigenvalues: Float64Array.from(row(d, from)).map((v) => 2 * v - 1).sort().reverse(), names, rank: k, lambda: 0, iteration: 1 });
  const factors = (from: number) => names.map((_, i) => row(rank || k, from + i));
  const curve = (factor: number): number[] => Array.from({ length: 12 }, (_, i) => factor * (share + Math.exp(models[0] === "ifm" ? -4 * i : -3 * i)));
  return {
    started: { mean: 2, ridge: 1 + noise(at) / 9 } as Started, theory: { secondOrder: 2, sd: 3, floor: 0.1, tau: Float64Array.from(row(d, at)) },
    iteration: curve(1).map((_, i) => Math.ceil((i / 11) * iterations)), test: curve(2), errorW: curve(0.7), errorM: curve(1), path: [0, 1, 2].map((i) => matrix(at + i)),
    truth: matrix(0), interaction: matrix(at), predictions: { error: 0.8 + share } as Predictions, quadratic: { error: 0.8 } as Quadratic,
    model: { name: "", bytes: new TextEncoder().encode(JSON.stringify({ b: 0.5, w: row(d, 5), u: factors(0), v: factors(9), target: { scale: 2 }, features: names.map(() => ({ scale: 1 })) })) },
    done: true,
  };
}

/** What a follow-up says and draws. */
function followed(definition: Followup, { values }: Around): unknown {
  const settings = definition.settings(values);
  const choices = definition.choice ? Object.keys(definition.choice.options) : [""];
  const measure = (choice: string): Rounds => {
    const rounds: Track[][] = [];
    for (let left = definition.runs(settings); left > 0; left -= rounds.at(-1)?.length || left) {
      rounds.push(definition.jobs(settings, rounds, choice).map((job, at) => track({ job, ...given(job, at, worlds[""]) })));
    }
    return rounds;
  };
  const rounds = Object.fromEntries(choices.map((choice) => [choice, measure(choice)]));
  const all = choices.map((choice) => definition.read({ settings, choice, rounds }));
  return [definition.cost(9), definition.live(settings), ...all.map((numbers) => [sentence(definition.told(numbers)), definition.picture(numbers, "")])];
}

const points = [0, 1, 2, 3].map((i) => ({ lat: 45.2 + 1.3 * i, lon: 6.1 + 1.7 * i }));
const survey = {
  survey: 1, kind: "simulated", stations: ["AAAA", "BBBB", "CCCC", "DDDD"], latitude: Float64Array.from(points, ({ lat }) => lat), longitude: Float64Array.from(points, ({ lon }) => lon - 20), test: 1,
  edges: Int32Array.of(0, 1, 1, 2, 2, 3), days: ["2010-12-04", "2010-12-05"], day: new Int32Array(4), minute: Int32Array.of(0, 60, 100, 1439), notices: ["no height"],
};
const scene = {
  latitude: Float64Array.from(row(6), (_, i) => 45 + i), longitude: Float64Array.from(row(9), (_, i) => -15 + i), tec: Float64Array.from(row(54)).map((v) => 30 * v), bend: Float64Array.from(row(54, 7)).map((v) => v - 0.5),
  satellites: ["G01", "G12"], satellite: Int32Array.of(0, 1, 0, 1), station: Int32Array.of(0, 1, 2, 3), pointLatitude: Float64Array.of(45, 46, 47, 60), pointLongitude: Float64Array.of(-14, -10, -9, -8), delay: Float64Array.of(1, 2, 3, 4), unusable: "",
};
const unknown = { ...scene, tec: new Float64Array(54).fill(Number.NaN), bend: new Float64Array(54).fill(Number.NaN), unusable: "no satellite" };
const unread = { ...LOST, message: "No station has a position.", file: "a.inx", line: 7 };

/** The work of the chapter of the sky, whose windows are over, on the simulator or on a file that has been opened. */
function skyWork(values: Common): object {
  const sky = String(values["sky"]) as "maps";
  const kind = String(sky) === "points" ? "points" : "maps";
  const opened = String(sky) === "simulated" ? null : { file: new File(["abc"], "a.inx"), sky: { ...skyOf(1), name: "a.inx", kind, days: survey.days, facts: [["grid", "5 by 7"]], bad: [{ file: "a.inx", line: 9, column: 1, message: "no number", field: "", found: "x" }], badCount: 3, notices: ["no heights"] } };
  const surveyed = { survey: { ...survey, kind: sky }, settings: values, source: sky, query: "sky", name: "vtec-sky", opened, ask: () => new Promise(nothing), scales: new Map(), error: opened && kind === "points" ? unread : null };
  const tally = tabulate(results);
  const unusable = (["window", "fix"] as const).map((what) => ({ what, day: "A", minute: 61, reason: "no satellite" }));
  const outcome = { surveyed, survey, tally: opened ? { ...tally, unusable } : tally, over: 30, of: 60 };
  return { run: { settings: values, plan: outcome, tracks: [], phase: "done", whole: true }, present: surveyed, opened, wantsFile: opened !== null, taken: new WeakSet(), over: 30, of: 60, share: 0.5, seconds: 9, errors: [], start: nothing, jobs: () => Promise.resolve([]), use: tells("use"), show: nothing };
}

instead.set("ifm-skymap", (own, given) => {
  const surveyed = given.get("surveyed") as { readonly survey: object; readonly settings: { readonly sky: string } };
  const picture = { surveyed, survey: surveyed.survey, day: 1, minute: 100, view: "net", scene: surveyed.settings.sky === "points" ? unknown : scene, scale: { low: 3, high: 28, bend: 0.4 } };
  const states = [{}, { picture, size: [400, 300], open: true }, { cursor: { row: 2, column: 3 }, chosenWhat: "tec", chosenMinute: 1439, playing: false, said: "a.csv" }, { failed: unread }];
  return states.map((state) => lined(element(Object.assign(own, state)), true));
});
instead.set("ifm-tuning", (own) => [{}, { of: 9, over: 3, note: "Stopped" }, { of: 0, failed: unread }].map((state) => lined(element(Object.assign(own, state)), true)));
instead.set("ifm-skyfile", (own) => [{}, { failed: { file: new File([], "b.inx"), error: unread } }, { failed: null, reading: { name: "c.inx", loaded: 3, total: 9 } }].map((state) => lined(element(Object.assign(own, state)), true)));
instead.set("ifm-followup", (_, given) => followed(given.get("definition") as Followup, given.get("around") as Around));

/** Few and small runs of each. Of the settings after the first, only what is said. */
const small: Partial<Record<string, readonly string[]>> = {
  algorithm: ["d=4&k=2&rows=60&iterations=12", "k=3&rows=126&d=4&iterations=12", "k=1&batches=reused&d=4&iterations=12", "tau=0.02&features=slider&inverse=pseudo&d=4&iterations=12"],
  break: ["draws=3"],
  data: ["trials=2", "trials=1"],
  diagonal: ["d=4&trials=2&taus=2,0.1&ratios=10,30", "d=4&trials=1&taus=2,0&solver=gauss-newton", "d=4&trials=1&taus=2&solver=algorithm1"],
  loophole: ["d=4"],
  matter: ["columns=3&levels=2"],
  psd: ["d=6&k=1&trials=2&rows=10&test=20&iterations=40"],
  reach: ["iterations=12", "m12=-0.9&m13=-0.7&m23=0.5", "m23=0"],
  samples: ["d=4&trials=2&ks=1,2&ratios=1,2,3", "d=4&trials=2&sweep=tau&features=threepoint&taus=0,2&ratios=6,8"],
  spectrum: ["d=5&k=3&ranks=1,2"],
  vtec: ["fixes=60", "sky=maps&methods=ridge,kriging,ifm&stations=all", "sky=points&methods=ifm&tune=own", "days=1&methods=ridge,ifm&waves=0"],
};

/** How far a run is, what its reader has done, and what has failed. */
const moments: Readonly<Record<string, object>> = {
  "before a guess": {},
  "guessed right": { guess: 0, opened: true },
  "guessed wrong, then right": { guess: 1, then: 0, run: { phase: "done", whole: false } },
  "guessed late": { guess: 1, run: { phase: "running" } },
  paused: { run: { phase: "paused" }, asked: true, opened: true },
  stopped: { run: { phase: "stopped", whole: false }, asked: true },
  "under other settings": { seed: { seed: 2 }, asked: true, opened: true },
  "smaller settings": { reduced: true, guess: 0, opened: true },
  failed: { failed: LOST },
  "runs that failed": { errors: [1, 1, 2, 3, 4].map((i) => ({ ...LOST, message: `e${i}` })) },
  framed: { view: readLink("embed=1").view, asked: true, opened: true },
  starting: { made: null, starting: true },
};
const known = new Set<string>();

/** What stands around a chapter's picture at such a moment, without what stood there before. */
function drawnAround(chapter: Chapter, work: object, run: Run<Common, unknown>, own: string, { guess = -1, then = -1, seed = {}, run: other = {}, made: anew = {}, errors = [], starting = false, ...more }: any): string {
  const keys = [...Object.keys(chapter.words.guesses)];
  const part = [own, ...(guess < 0 ? [] : [`guess=${keys[guess]}`]), ...(then < 0 ? [] : [`then=${keys[then]}`])].filter((pair) => pair !== "").join("&");
  const made = Object.create(work, Object.getOwnPropertyDescriptors({
    run: anew && { ...run, ...other, settings: { ...run.settings, ...seed } }, errors, starting, over: 3, of: 9, share: 1 / 3, seconds: 12, differs: () => false, show: nothing,
    start: tells("start", Promise.resolve(true)), finish: tells("finish", Promise.resolve()), stop: tells("stop"), close: nothing,
  }));
  const shown = Object.assign(new (customElements.get("ifm-chapter") as unknown as new () => Drawn)(), { chapter, pool, view: readLink("").view, own: part, made, begin: nothing, ...more });
  shown.willUpdate?.(new Map([["own", ""]]));
  return fresh(lined(element(shown), true), known);
}

/** What a chapter shows of its whole run under these settings. */
async function shows(chapter: Chapter, own: string, world: keyof typeof worlds, isAll: boolean): Promise<string> {
  const { values } = parsed(chapter, own);
  const work = chapter.id === "vtec" ? (skyWork(values) as ReturnType<Chapter["work"]>) : chapter.work(pool as unknown as Pool, nothing);
  await work.start(values);
  const { run } = work;
  assert.ok(run, chapter.id);
  run.tracks.forEach((track, at) => Object.assign(track, given(track.job, at, worlds[world])));
  const shown: Shown<Common, unknown> = { run, values, revealed: true, stale: false, look: chapter.look?.initial ?? "", position: 1, own, pool: pool as unknown as Pool, view: readLink("").view, framed: false, brought: { table: null, sky: null }, work, failed: null, change: tells("change"), move: tells("move"), changeAll: tells("changeAll"), rerun: tells("rerun"), redraw: tells("redraw") };
  const none = { ...run, plan: chapter.id === "vtec" ? null : run.plan, tracks: [], phase: "running" } as const;
  const numbers = chapter.read(run);
  const parts = {
    settings: (chapter.inputs?.(values) ?? chapter.settings.inputs).map((input) => ({ ...input, initial: parsed(chapter, "").values[input.key] })),
    jobs: (await work.jobs(values)).map(({ query, cell, begins, asks }) => [query, cell, begins, asks]),
    answer: chapter.answer(numbers),
    told: [chapter.reason?.(numbers) ?? [], ...(chapter.explains?.(numbers) ?? []), chapter.told(numbers, shown.look)].map(sentence).join(" "),
    cost: [chapter.cost(shown), chapter.live(run)],
    waits: chapter.picture(chapter.read(none), { ...shown, run: none }),
    picture: [false, true].map((revealed) => chapter.picture(numbers, { ...shown, revealed })),
    controls: chapter.controls?.(shown),
    details: [chapter.details?.(shown, numbers), chapter.after?.(numbers, shown)],
  };
  const asked = Object.entries(parts).filter(([name]) => isAll || (run.tracks.length > 0 && ["answer", "told"].includes(name)));
  const around = isAll ? Object.entries(moments).filter(([moment]) => moment === "guessed right" || ["data", "matter", "samples"].includes(chapter.id)).map(([moment, more]) => `${chapter.id}, ${moment}: ${drawnAround(chapter, work, run, own, more)}\n`) : [];
  return [...asked.map(([name, part]) => `${[chapter.id, own, world, name].filter((part) => part !== "").join(", ")}: ${lined(part, true)}\n`), ...around].join("");
}

test("chapters say and draw what they did of runs that end anywhere, at the truth, far from it or by an error", async () => {
  const chapters = Object.values(await all());
  const names = Object.keys(worlds) as (keyof typeof worlds)[];
  const texts = [];
  for (const chapter of chapters) {
    for (const [at, own] of (small[chapter.id] ?? [""]).entries()) for (const world of chapter.id === "vtec" ? ([""] as const) : names) texts.push(await shows(chapter, own, world, (at === 0 || chapter.id === "vtec") && world === ""));
  }
  same(texts.join("\n"), "web/src/lesson/testdata/chapters.txt");
});
