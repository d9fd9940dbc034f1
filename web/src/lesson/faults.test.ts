// What works on the pool, under all that can happen to its workers.
import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { PATIENCE } from "../engine/calls.js";
import { same } from "../charts/drawn.test.js";
import type { Opened, OpenedSky, Pool } from "../engine/pool.js";
import { LONG, LOST, poolOf, sky, table, world } from "../engine/workers.test.js";
import "../training/study.js"; // the trainer asks for it once a table is trained: here it must not wait for the disk, whose time is not the clock of the tests
import { Trainer } from "../training/trainer.js";
import { over, Runner } from "./chapter/runner.js";
import { parse as parseIonosphere } from "./vtec/settings.js";
import { Surveyed } from "./vtec/surveyed.js";
import { isError, Windows } from "./vtec/windows.js";

const STEP = 250; // ms of the clock at a time

/** Lets so much time go by, and all that happens in it. */
async function pass(ms: number): Promise<void> {
  for (let gone = 0; gone <= ms; gone += STEP) {
    for (let i = 0; i < 6; i++) await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(gone < ms ? STEP : 0);
  }
  for (let i = 0; i < 6; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** A test whose clock stands still until pass lets it go on. */
function timed(name: string, body: () => Promise<void>): void {
  test(name, async (t) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    t.after(() => mock.timers.reset());
    await body();
  });
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
      timed(`${kind}: no run hangs and none is lost in silence, ${slow ? `while ${slow} takes long` : "while no call takes long"}, ${gap ? "one thing after the other" : "all at once"}`, async () => {
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

timed("a new run outlives the worker of the run before, whatever it waits for there", async () => {
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

timed("a run that is paused shows what it has learnt where it stands, and goes as far as steps let it, until it is played", async () => {
  const pool = poolOf(2);
  world.records = 9;
  const trainer = new Trainer(pool, "interaction", () => undefined);
  const acts: Readonly<Record<string, () => unknown>> = {
    "start paused": () => trainer.start("", null, 1e-3, true), step: () => trainer.step(), play: () => trainer.play(), pause: () => trainer.pause(), "step on": () => trainer.step(),
    watch: () => trainer.watch(true), "step watched": () => trainer.step(), "play on": () => trainer.play(), "step from a run": () => trainer.step(), "play fast": () => [trainer.play(), trainer.pace(Number.POSITIVE_INFINITY)],
    "step when done": () => trainer.step(), "start anew": () => trainer.start("", null, 1e-3, false), "start another": () => trainer.start("seed=2", null, 1e-3, false), stop: () => trainer.stop(), "play after a stop": () => trainer.play(), reset: () => trainer.reset(),
  };
  const said: string[] = [];
  for (const [name, act] of Object.entries(acts)) {
    const asked = world.all.map((worker) => worker.asked.length);
    void act();
    await pass(5000);
    const { phase, series, repeated, ghost } = trainer.snapshot();
    const calls = new Set(world.all.flatMap((worker, i) => worker.asked.slice(asked[i])));
    said.push(`${name}: ${phase} ${series.map(({ iteration }) => iteration.length).join()}${repeated ? " again" : ""}${ghost ? ` after ${ghost.query || "the first"}` : ""}: ${[...calls].sort().join(", ")}`);
  }
  same(`${said.join("\n")}\n`, "web/src/lesson/testdata/paused.txt");
});

timed("a worker that is gone is noticed in seconds, one that is busy is left alone", async () => {
  const pool = poolOf(1);
  world.slow = "info";
  const busy = pool.call("info", { query: "" });
  await pass(LONG + 1000);
  assert.equal((await busy).version, "1");
  assert.equal(world.all.length, 1);
  const told = assert.rejects(pool.call("info", { query: "" }), { name: "EngineFailure", detail: LOST });
  await pass(STEP);
  lose();
  await pass(4000);
  assert.equal(world.all.length, 2, "another was started, and is asked again");
  lose();
  await pass(4000);
  await told;
  assert.equal(world.all.length, 2);
});

timed("a worker that starts yet is not ended because a run gives way", async () => {
  const trainer = new Trainer(poolOf(1), "interaction", () => undefined);
  world.slow = "boot";
  void trainer.start("", null, Number.POSITIVE_INFINITY, false);
  await pass(1000);
  void trainer.start("seed=2", null, Number.POSITIVE_INFINITY, false);
  await pass(2 * LONG);
  assert.deepEqual([trainer.snapshot().phase, world.all.length], ["done", 1]);
});

timed("trees of which nobody can say how long they take are offered, and a table that was closed meanwhile is held nowhere", async () => {
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
