import assert from "node:assert/strict";
import { test } from "node:test";

import type { Pool } from "../../engine/pool.js";
import { cells } from "./cells.js";

/** Work without runs, whose plans hold what they are named, and the plans that were closed. */
function work(plan: (name: string, before: string | null) => Promise<string>) {
  const closed: string[] = [];
  const declared = { plan: async (name: string, _: Pool, before: string | null) => ({ jobs: [], plan: await plan(name, before) }), close: (name: string) => closed.push(name) };
  return { closed, work: cells<string, string>(declared)({ each: () => Promise.resolve(), spread: () => 1 } as unknown as Pool, () => undefined) };
}

test("a plan is handed on from run to run, and closed once with the work", async () => {
  const { closed, work: made } = work((name, before) => Promise.resolve(`${before ?? ""}${name}`));
  assert.equal(await made.start("a"), true);
  await made.start("b");
  assert.deepEqual([made.run?.plan, made.run?.phase, closed], ["ab", "done", []]);
  made.close();
  made.close();
  assert.deepEqual([made.run?.plan, closed], ["ab", ["ab"]], "what is shown stays");
});

test("a stop while a plan is made starts nothing, and what it opens late is closed", async () => {
  let resolve: (name: string) => void = () => undefined;
  const { closed, work: made } = work(() => new Promise((done) => (resolve = done)));
  const started = made.start("a");
  assert.equal(made.starting, true);
  made.stop();
  resolve("late");
  assert.equal(await started, false, "no run began");
  assert.deepEqual([made.starting, made.run, closed], [false, null, ["late"]]);
});

test("a plan that fails is told, unless it was stopped", async () => {
  let fail: (reason: Error) => void = () => undefined;
  const { work: made } = work(() => new Promise((_, reject) => (fail = reject)));
  const told = assert.rejects(made.start("a"), /lost/);
  fail(new Error("lost"));
  await told;
  const stopped = made.start("a");
  made.stop();
  fail(new Error("lost"));
  await stopped;
  assert.equal(made.run, null);
});
