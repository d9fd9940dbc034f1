// What is studied beside the models of a run, in which order, and what waits to be asked for, as one text:
// testdata/studies.txt, which UPDATE=1 writes anew.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import { answerOf } from "../engine/calls.js";
import { EngineFailure } from "../engine/engine.js";
import type { Opened, Pool } from "../engine/pool.js";
import { plan, table } from "../engine/tables.test.js";
import { LOST } from "../engine/workers.test.js";
import { parse } from "../state/spec.js";
import { Studies, type PostStudy } from "./study.js";

/** What a table takes: multiply-adds of its intervals and its pairs, additions of its trees, and the call that fails. */
interface Costs {
  readonly query?: string;
  readonly effort?: number;
  readonly work?: number;
  readonly trees?: number;
  readonly treesQuick?: boolean;
  readonly steps?: number;
  readonly hasTests?: boolean;
  readonly failing?: string;
  readonly acts?: readonly (readonly [what: PostStudy, go: boolean])[]; // once all is quiet
  readonly stops?: string; // the call at which the run is stopped
}

const opened = {} as Opened;
const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** Every state that the studies of such a run go through. */
async function log({ query = "source=table&models=fm,ifm", effort = 1, work = 1, trees = 1, treesQuick = true, steps = 1, hasTests = false, failing = "", acts = [], stops = "" }: Costs): Promise<string[]> {
  const ending = new AbortController();
  const told: string[] = [];
  let runs = 0;
  const slices = new Map<string, number>(); // by call and run
  const call = (name: string, { run = 0, ms = 0, intervals = false }: { readonly run?: number; readonly ms?: number; readonly intervals?: boolean } = {}): Promise<unknown> => {
    if (name === failing) return Promise.reject(new EngineFailure({ ...LOST, kind: "Failing" }));
    if (name === stops) {
      ending.abort();
      studies.stop();
    }
    const times = (slices.get(`${name} ${run}`) ?? 0) + 1;
    slices.set(`${name} ${run}`, times);
    const one = Float64Array.of(1);
    const records = { candidate: Int32Array.of(0), rank: one, lambda: one, weights: one, hats: one, iteration: Int32Array.of(0), valid: one, test: Float64Array.of(run), lead: Int32Array.of(0), done: true, final: run / 2, additive: Number.NaN, stop: "" };
    const answers: Record<string, unknown> = { next: records, quadratic: { error: run / 4, predicted: one }, log: { pays: false }, plan: plan(table(), { trees, treesQuick, steps, hasTests }) };
    return Promise.resolve(answers[name] ?? { done: times === 2, work, error: 7, step: times, intervals, ms });
  };
  const asked: string[] = [];
  const lease = {
    engine: { load: 1 },
    start(own: string, cell: number, on?: object) {
      asked.push(`${parse(own).spec.trials}:${cell}${on ? ` fold ${(on as { readonly fold: number }).fold}` : ""}`);
      const { models } = parse(own).spec;
      return Promise.resolve({ run: ++runs, model: models[cell % models.length], trial: Math.floor(cell / models.length), mean: 9, ridge: 8, candidates: 1 });
    },
    call,
    ask: (of: (engine: object) => unknown) => of({ call }),
    attempt: answerOf,
    close: () => undefined,
  };
  const pool = {
    spread: () => 1, settle: () => undefined, lease: () => lease, callOn: (_: unknown, name: string) => call(name), call,
    async each(_: unknown, tasks: readonly unknown[], { work, failed, signal }: { work(task: unknown, lease: object): Promise<void>; failed(task: unknown, error: object): void; signal: AbortSignal }) {
      for (const task of tasks) {
        const { error } = signal.aborted ? { error: null } : await answerOf(work(task, lease));
        if (error) failed(task, error);
      }
    },
  } as unknown as Pool;
  const states = (): string[] => Object.entries(studies.snapshot()).flatMap(([name, study]) => (study && typeof study === "object" && "state" in study && study.state !== "idle" ? [`${name} ${study.state}${study.seconds > 0 ? ` ${study.seconds.toPrecision(3)} s` : ""}${study.error ? ` ${study.error.kind}` : ""}`] : []));
  let seen: readonly string[] = [];
  const studies: Studies = new Studies(pool, () => {
    const now = states();
    told.push(...now.filter((state) => !seen.includes(state)));
    seen = now;
  });
  const subject = { query, planned: parse(query).spec.trials, opened, crossValidations: new Map([[0, { ridge: [], errors: [] }]]) };
  await studies.begin(subject, effort, ending.signal);
  await quiet();
  for (const [what, go] of acts) {
    told.push(`[${what}, ${go ? "go" : "stop"}]`);
    studies.study(what, go ? subject : null);
    await (go ? quiet() : undefined);
  }
  const { logged, trees: grown, pairs, intervals, everyRow, splits } = studies.snapshot();
  const answers = Object.entries({ grown, pairs, intervals, everyRow, splits }).map(([name, { answers }]) => `  ${name}: ${answers.size} ${JSON.stringify([...answers.values()].at(-1) ?? "")}`);
  return [`  ${told.join(", ")}`, `  asked ${asked.join(", ")}`, ...answers, `  logged: ${JSON.stringify(logged)}`];
}

/** Costs on both sides of what is done unasked. */
const runs: Readonly<Record<string, Costs>> = {
  "quick, and then on every row": { acts: [["everyRow", true]] },
  "no intervals to make": { effort: 0 },
  "intervals that take just as long as they may": { effort: 15 / 7e-9 - 1 },
  "intervals that take longer, asked for": { effort: 15.1 / 7e-9, acts: [["intervals", true], ["intervals", false]] },
  "pairs that take just as long as they may": { work: 9.99 / 5e-9 },
  "pairs that take longer, asked for": { work: 10.01 / 5e-9, acts: [["pairs", true]] },
  "trees of which nobody knows, then grown: the splits are repeated with them": { treesQuick: false, acts: [["trees", true]] },
  "trees of three trials that take as long as they may": { query: "source=table&models=ifm&trials=3", trees: 1.66 / 3.3e-9 },
  "trees of three trials that take longer": { query: "source=table&models=ifm&trials=3", trees: 1.68 / 3.3e-9 },
  "splits that take longer, asked for": { trees: 4 / 3.3e-9, acts: [["splits", true]] },
  "a split by time": { query: "source=table&models=ifm&split=time&by=when" },
  "test rows of a second file": { hasTests: true },
  folds: { query: "source=table&models=ifm&folds=3" },
  "a plan that fails": { failing: "plan" },
  "pairs that fail": { failing: "pairs" },
  "trees that fail, and splits without them": { failing: "trees" },
  "splits that fail": { failing: "next" },
  "references that fail on other splits": { failing: "quadratic" },
  "stopped at the trees": { stops: "trees" },
  "stopped at the intervals": { stops: "intervals" },
  "stopped at the plan": { stops: "plan" },
};

test("studies begin what is quick, offer what is not, and end where they fail or are stopped", async () => {
  const texts = [];
  for (const [name, costs] of Object.entries(runs)) texts.push(name, ...(await log(costs)));
  const file = "web/src/training/testdata/studies.txt";
  if (process.env["UPDATE"]) writeFileSync(file, `${texts.join("\n")}\n`);
  assert.equal(`${texts.join("\n")}\n`, readFileSync(file, "utf8"));
});
