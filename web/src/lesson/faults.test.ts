// What works on the pool, under all that can happen to its workers.
import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { PATIENCE } from "../engine/calls.js";
import type { Answer, Boot, Request } from "../engine/messages.js";
import { Pool, type Opened, type OpenedSky } from "../engine/pool.js";
import type { EngineError, Records, Sky, Started, Survey, Table } from "../engine/protocol.js";
import "../training/study.js"; // the trainer asks for it once a table is trained: here it must not wait for the disk, whose time is not the clock of the tests
import { Trainer } from "../training/trainer.js";
import { over, Runner } from "./chapter/runner.js";
import { parse as parseIonosphere } from "./vtec/settings.js";
import { Surveyed } from "./vtec/surveyed.js";
import { isError, Windows } from "./vtec/windows.js";

const LONG = 5000; // ms of a call that cannot be left
const STEP = 250; // ms of the clock at a time

const MODEL = '{"features":[{"scale":1}]}'; // as much of a model's file as is read here

const FAILURE: EngineError = { kind: "TargetError", message: "no", file: "", line: 0, column: 0, field: "", found: "" };

/** What all workers of a test have in common. */
const world = { all: [] as FakeWorker[], network: true, slow: "", failing: "" };

/** Answers as the engine does, one call after the other. */
class FakeWorker {
  onmessage: ((event: { data: Answer }) => void) | null = null;
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null;
  alive = true;
  seen = false; // its picture
  readonly calls: Request[] = [];
  private readonly picture = `blob:${world.all.length}`;
  private readonly pulled = new Map<number, number>(); // calls for records, by run
  private handles = 0;
  private busy = false;

  constructor() {
    world.all.push(this);
    setTimeout(() => (world.network ? this.tell({ picture: this.picture, held: false }) : this.onerror?.({ message: "", preventDefault: () => undefined })), 1);
  }

  postMessage(message: Boot | Request): void {
    if ("wasm" in message) {
      setTimeout(() => this.tell(world.network ? { ready: true, reads: true } : { crashed: "it could not be loaded" }), world.slow === "boot" ? LONG : 1);
    } else if (message.call !== "cancel") {
      this.calls.push(message);
      this.work();
    }
  }

  terminate(): void {
    this.alive = false;
  }

  shows(address: string): boolean {
    const shown = this.alive && address.split("#")[0] === this.picture;
    this.seen ||= shown;
    return shown;
  }

  private tell(answer: Answer): void {
    if (this.alive) this.onmessage?.({ data: answer });
  }

  private work(): void {
    const request = this.busy ? undefined : this.calls.shift();
    if (!request) return;
    this.busy = true;
    setTimeout(() => {
      this.busy = false;
      this.tell(request.call === world.failing ? { id: request.id, error: FAILURE } : { id: request.id, result: this.result(request) });
      this.work();
    }, request.call === world.slow ? LONG : 1);
  }

  private result({ call, args }: Request): unknown {
    const handle = ++this.handles;
    switch (call) {
      case "info":
        return { version: "1", body: "simd", cells: 2, points: [] };
      case "open":
        return table(handle);
      case "sky":
        return sky(handle);
      case "start":
        return { run: handle, model: "cell" in args && args.cell === 1 ? "ifm" : "fm", trial: 0, point: 0, candidates: 1, mean: 1, ridge: 1, ridgeLambda: 0, target: "y", quantity: "y", measure: "rmse", classes: null, features: ["a"], notes: [] } satisfies Started;
      case "next": {
        const run = "run" in args ? Number(args.run) : 0;
        const times = (this.pulled.get(run) ?? 0) + 1;
        this.pulled.set(run, times);
        return records(times);
      }
      case "survey":
        return { survey: handle, kind: "simulated", stations: [], latitude: new Float64Array(), longitude: new Float64Array(), test: 0, edges: new Int32Array(), methods: [], days: ["2010-12-04"], day: new Int32Array(4), minute: new Int32Array(4), station: new Int32Array(), tunings: 0, fixDay: new Int32Array(1), fixMinute: new Int32Array(1), notices: [] } satisfies Survey;
      case "window":
      case "fix":
        return { unusable: "" };
      default:
        return { d: 1, values: new Float64Array(1), eigenvalues: new Float64Array(1), bytes: new TextEncoder().encode(MODEL), names: [] };
    }
  }
}

function table(handle: number): Table {
  return { table: handle, name: "t.csv", rows: 1, bytes: 1, format: "text", charset: "utf-8", separator: ",", point: ".", header: true, columns: [], preview: [], bad: [], badCount: 0, notes: [], asks: 0 };
}

function sky(handle: number): Sky {
  return { sky: handle, name: "", kind: "maps", bytes: 1, simulated: false, days: [], facts: [], bad: [], badCount: 0, notices: [] };
}

function records(times: number): Records {
  const one = Float64Array.of(1 / times);
  return { candidate: Int32Array.of(0), rank: Int32Array.of(1), lambda: one, weights: one, hats: Int32Array.of(0), iteration: Int32Array.of(times - 1), train: one, valid: one, test: one, passes: one, errorW: one, errorM: one, lead: Int32Array.of(0), done: times === 3, final: Number.NaN, additive: Number.NaN, stop: "", rose: 0 };
}

class FakeImage {
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;

  removeAttribute(): void {
    this.onload = this.onerror = null;
  }

  set src(address: string) {
    const shown = world.all.some((worker) => worker.shows(address));
    setTimeout(() => (shown ? this.onload : this.onerror)?.(), 1);
  }
}

Object.assign(globalThis, { self: { origin: "http://here" }, Worker: FakeWorker, Image: FakeImage });

function poolOf(size: number): Pool {
  Object.assign(world, { all: [], network: true, slow: "", failing: "" });
  const lost = { message: "it could not be loaded", file: "", line: 0, column: 0, field: "", found: "" };
  return new Pool({ worker: new URL("http://here/worker.js"), boot: () => Promise.resolve({ wasm: "", module: null, readers: [] }), renew: () => Promise.resolve(false), explain: () => Promise.resolve({ ...lost, kind: "Unstarted" }) }, size);
}

/** Lets so much time go by, and all that happens in it. */
async function pass(ms: number): Promise<void> {
  for (let gone = 0; gone <= ms; gone += STEP) {
    for (let i = 0; i < 6; i++) await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(gone < ms ? STEP : 0);
  }
  for (let i = 0; i < 6; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** A scheduler, as all tests here use it. */
interface Work {
  start(table: boolean): void;
  stop(): void;
  /** How it stands: whole has all that was asked for. */
  stands(): "on" | "stopped" | "failed" | "whole" | "silent";
}

const file = new File(["a,y"], "t.csv");

/** A file that has been read by a worker that is gone since. */
function opened(pool: Pool): Opened {
  const lease = pool.lease(null);
  lease.release();
  return { file, query: "", table: table(1), home: lease.engine, copies: new Map() };
}

/** What has failed is told; what has not is whole. */
function stand(phase: string, whole: boolean, told: boolean): ReturnType<Work["stands"]> {
  if (phase === "stopped") return phase;
  if (phase !== "done" && phase !== "failed") return "on";
  return told ? "failed" : whole ? "whole" : "silent";
}

const kinds: Readonly<Record<string, (pool: Pool) => Work>> = {
  figure(pool) {
    const trainer = new Trainer(pool, "predictions", () => undefined);
    return {
      start: (onTable) => void trainer.start("", onTable ? opened(pool) : null, Number.POSITIVE_INFINITY, false),
      stop: () => trainer.stop(),
      stands: () => {
        const { phase, series, quadratic, error } = trainer.snapshot();
        return stand(phase, series.length === 2 && series.every(({ done }) => done) && quadratic !== null, error !== null);
      },
    };
  },
  chapter(pool) {
    const runner = new Runner(pool, () => undefined);
    const job = (group: string, cell: number, onTable: boolean) => ({ query: "", cell, group, begins: ["quadratic"] as const, ...(onTable ? { table: opened(pool) } : {}) });
    return {
      start: (onTable) => void runner.begin((signal) => runner.train([job("a", 0, onTable), job("a", 1, onTable), job("b", 0, onTable)], signal)),
      stop: () => runner.stop(),
      stands: () => stand(runner.phase, runner.tracks.every(({ done, iteration }) => done && iteration.length === 3), runner.tracks.some(({ error }) => error) && runner.tracks.every(over)),
    };
  },
  windows(pool) {
    const windows = new Windows(() => undefined);
    let asked = 0;
    let failed = false;
    return {
      start: (onTable) => {
        const own: OpenedSky | null = onTable ? { ...opened(pool), sky: sky(1) } : null;
        const surveyed = new Surveyed(pool, parseIonosphere("").ionosphere, own);
        const mine = ++asked;
        failed = false;
        windows.stop();
        surveyed.open().then((survey) => mine === asked && void windows.runAll(surveyed, survey), () => (failed ||= mine === asked));
      },
      stop: () => {
        asked++;
        windows.stop();
      },
      stands: () => {
        const found = [...(windows.results?.windows ?? []), ...(windows.results?.fixes ?? [])];
        if (failed) return "failed";
        return stand(windows.phase === "idle" ? "stopped" : windows.phase, found.length === 5 && found.every((one) => one !== null), found.some((one) => one !== null && isError(one)));
      },
    };
  },
};

/** The latest worker that has begun ends and says nothing. */
function lose(): void {
  for (const worker of world.all.filter(({ alive, seen }) => alive && seen).slice(-1)) worker.alive = false;
}

const happenings: Readonly<Record<string, (work: Work) => void>> = {
  restart: (work) => work.start(false),
  "new table": (work) => work.start(true),
  stop: (work) => work.stop(),
  "lost worker": lose,
  "lost network": () => (world.network = false),
};

/** All orders of so many of them, each as often as it likes. */
function orders(length: number): string[][] {
  return length === 0 ? [[]] : orders(length - 1).flatMap((order) => Object.keys(happenings).map((name) => [...order, name]));
}

const slows: Readonly<Record<string, readonly string[]>> = { figure: ["", "boot", "next", "quadratic"], chapter: ["", "boot", "next"], windows: ["", "boot", "window"] };

for (const [kind, make] of Object.entries(kinds)) {
  for (const slow of slows[kind] ?? []) {
    for (const gap of [0, 1000]) {
      test(`${kind}: no run hangs and none is lost in silence, ${slow ? `while ${slow} takes long` : "while no call takes long"}, ${gap ? "one thing after the other" : "all at once"}`, async (t) => {
        mock.timers.enable({ apis: ["setTimeout"] });
        t.after(() => mock.timers.reset());
        for (const order of [1, 2, ...(process.env["LONG"] ? [3] : [])].flatMap(orders)) {
          const work = make(poolOf(2));
          world.slow = slow;
          work.start(false);
          await pass(gap);
          for (const name of order) {
            happenings[name]?.(work);
            await pass(gap);
          }
          for (let gone = 0; gone < 20 * LONG && (gone < 3 * LONG || work.stands() === "on"); gone += LONG) await pass(LONG);
          const stands = work.stands();
          const told = order.join(", ");
          assert.ok(stands === "whole" || stands === "failed" || stands === "stopped", `${told}: ${stands}`);
          const last = order.findLast((name) => ["restart", "new table", "stop"].includes(name));
          if (stands === "stopped") assert.equal(last, "stop", told);
          if (!order.includes("lost network") && order.filter((name) => name === "lost worker").length < 2 && last !== "stop") assert.equal(stands, "whole", `${told}: ${stands}`);
        }
      });
    }
  }
}

test("a new run outlives the worker of the run before, whatever it waits for there", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const pool = poolOf(1);
  const trainer = new Trainer(pool, "interaction", () => undefined);
  world.slow = "next";
  void trainer.start("", null, Number.POSITIVE_INFINITY, false);
  await pass(2000);
  void trainer.start("seed=2", null, Number.POSITIVE_INFINITY, false);
  await pass(PATIENCE + STEP);
  assert.equal(world.all.length, 2, "its worker was ended");
  await pass(20 * LONG);
  const { phase, error, series } = trainer.snapshot();
  assert.deepEqual([phase, error, series.length], ["done", null, 2]);
  const ghosts: unknown[] = [];
  for (const queries of [["seed=3"], ["seed=4", "seed=3"]]) {
    for (const query of queries) void trainer.start(query, null, Number.POSITIVE_INFINITY, false);
    await pass(20 * LONG);
    ghosts.push(trainer.snapshot().ghost?.query);
  }
  assert.deepEqual(ghosts, ["seed=2", undefined], "no run is its own ghost");
});

test("a worker that is gone is noticed in seconds, one that is busy is left alone", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const pool = poolOf(1);
  world.slow = "info";
  const busy = pool.call("info", { query: "" });
  await pass(LONG + 1000);
  assert.equal((await busy).version, "1");
  assert.equal(world.all.length, 1);
  const told = assert.rejects(pool.call("info", { query: "" }), { name: "EngineFailure", detail: { kind: "Lost", message: "", file: "", line: 0, column: 0, field: "", found: "" } });
  await pass(STEP);
  lose();
  await pass(4000);
  assert.equal(world.all.length, 2, "another was started, and is asked again");
  lose();
  await pass(4000);
  await told;
  assert.equal(world.all.length, 2);
});

test("a worker that starts yet is not ended because a run gives way", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const trainer = new Trainer(poolOf(1), "interaction", () => undefined);
  world.slow = "boot";
  void trainer.start("", null, Number.POSITIVE_INFINITY, false);
  await pass(1000);
  void trainer.start("seed=2", null, Number.POSITIVE_INFINITY, false);
  await pass(2 * LONG);
  assert.deepEqual([trainer.snapshot().phase, world.all.length], ["done", 1]);
});

test("trees of which nobody can say how long they take are offered, and a table that was closed meanwhile is held nowhere", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const pool = poolOf(1);
  world.failing = "plan";
  const table = opened(pool);
  const trainer = new Trainer(pool, "predictions", () => undefined);
  let closed = false;
  const callOn = pool.callOn.bind(pool);
  pool.callOn = (on, ...asked) => { // plan
    pool.close(table); // another table has come
    closed = true;
    return callOn(on, ...asked);
  };
  void trainer.start("", table, Number.POSITIVE_INFINITY, false);
  await pass(10 * LONG);
  assert.equal(closed, true);
  const { phase, trees } = trainer.snapshot();
  assert.deepEqual([phase, trees.state, trees.seconds], ["done", "offered", 0]);
  assert.equal(table.copies.size, 0);
});
