// Which engine does what, as the pool hands them out.
import assert from "node:assert/strict";
import { test } from "node:test";

import type { Lease } from "./calls.js";
import type { Opened, Pool } from "./pool.js";
import type { EngineError } from "./protocol.js";
import { LOST, poolOf, world } from "./workers.test.js";

/** The programs of the workers that live, and what these were asked for. */
function workers(): string[] {
  return world.all.filter(({ alive }) => alive).map(({ program, asked }) => `${program}: ${asked.join(" ")}`);
}

const file = new File(["a,y"], "t.csv");
const never = new AbortController().signal;

test("what opens tables is started when the first one comes, and runs on both go on side by side", async () => {
  const pool = poolOf(1, "table");
  const drawn = pool.lease(null);
  await drawn.start("", 0);
  assert.deepEqual(workers(), ["figure: start"]);
  const opened = await pool.open(file, "", () => undefined, never);
  const onTable = pool.lease(opened);
  await onTable.start("source=table", 0);
  await drawn.call("next", { run: 1, ms: 0 });
  assert.deepEqual(workers(), ["figure: start next", "table: open start"]);
});

test("a worker that rests makes room for one that opens tables, and comes back when it is wanted", async () => {
  const pool = poolOf(2, "table");
  await Promise.all([0, 1].map(async () => {
    const lease = pool.lease(null);
    await lease.start("", 0);
    lease.release();
  }));
  await new Promise((resolve) => setTimeout(resolve, 5)); // their runs are closed
  assert.equal(workers().length, 2);
  const opened = await pool.open(file, "", () => undefined, never);
  assert.deepEqual(workers().map((worker) => worker.split(":")[0]), ["figure", "table"]);
  await pool.callOn(opened, "plan", { query: "" });
  assert.equal(workers().length, 2, "once it is there it ends no other");
  const [first, second] = [pool.lease(null), pool.lease(null)];
  await Promise.all([first, second].map((lease) => lease.start("", 0)));
  assert.deepEqual(workers().map((worker) => worker.split(":")[0]), ["figure", "table", "figure"]);
});

test("where one program does both, a table comes into a worker that is there", async () => {
  const pool = poolOf(1);
  await pool.up();
  await pool.open(file, "", () => undefined, never);
  assert.deepEqual(workers(), ["figure: info open"]);
});

test("a second file never waits behind a busy worker while another idles, even if both come at once", async () => {
  const pool = poolOf(2, "table");
  const ending = new AbortController();
  const stuck = assert.rejects(pool.open(new File(["a,y"], "stuck.csv"), "", () => undefined, ending.signal), { detail: { ...LOST, kind: "Cancelled" } });
  await pool.open(file, "", () => undefined, never);
  assert.deepEqual(workers(), ["table: open", "table: open"]);
  ending.abort();
  await stuck;
});

/** Has three models begin on a table, of which one at least goes to another engine than the table's own. Resolves with the engines, and with what has failed. */
async function run(pool: Pool, opened: Opened): Promise<{ engines: Set<unknown>; errors: string[] }> {
  const [engines, errors] = [new Set<unknown>(), new Array<string>()];
  const work = async (_: number, lease: Lease): Promise<void> => {
    await lease.start("source=table", 0);
    engines.add(lease.engine);
    await new Promise((resolve) => setTimeout(resolve)); // the others begin meanwhile
  };
  await pool.each(opened, [0, 1, 2], { signal: never, lanes: 3, work, failed: (_, error: EngineError) => errors.push(error.message) });
  return { engines, errors };
}

test("a table goes to a second engine for its models as long as its file is what it was", async () => {
  const pool = poolOf(2, "table");
  const { engines, errors } = await run(pool, await pool.open(file, "", () => undefined, never));
  assert.deepEqual([engines.size, errors], [2, []]);
});

for (const [what, rows] of [["holds other rows", 2], ["cannot be read any more", 0]] as const) {
  test(`where a file ${what}, its models are trained on what was read of it, and where no engine holds that are told so`, async () => {
    for (const isHeld of [true, false]) {
      const pool = poolOf(2, "table");
      const opened = await pool.open(file, "", () => undefined, never);
      world.rows = rows;
      if (!isHeld) opened.home.restart({ ...LOST, kind: "Stopped" });
      assert.equal(pool.stale(opened), false);
      const { engines, errors } = await run(pool, opened);
      assert.deepEqual([[...engines], errors.length, new Set(errors).size], isHeld ? [[opened.home], 0, 0] : [[], 3, 1]);
      for (const error of errors) assert.match(error, /^t\.csv has changed .* Drop the file again/);
      assert.deepEqual([pool.stale(opened), pool.spread(opened)], isHeld ? [true, 1] : [false, 2]);
    }
  });
}
