// Which engine does what, as the pool hands them out.
import assert from "node:assert/strict";
import { test } from "node:test";

import type { Answer, Boot, Request } from "./messages.js";
import type { Program } from "./engine.js";
import { Pool } from "./pool.js";

/** A worker that answers every call at once. */
class FakeWorker {
  static all: FakeWorker[] = [];
  onmessage: ((event: { data: Answer }) => void) | null = null;
  alive = true;
  program = "";
  readonly calls: string[] = [];

  constructor() {
    FakeWorker.all.push(this);
  }

  postMessage(message: Boot | Request): void {
    if ("wasm" in message) {
      this.program = String(message.wasm);
      this.tell({ ready: true });
    } else {
      this.calls.push(message.call);
      this.tell({ id: message.id, result: message.call === "open" ? { table: 7, bytes: 1 } : { run: 1 } });
    }
  }

  terminate(): void {
    this.alive = false;
  }

  private tell(answer: Answer): void {
    setTimeout(() => this.onmessage?.({ data: answer }));
  }
}

Object.assign(globalThis, { self: { origin: "http://here" }, Worker: FakeWorker });

function program(wasm: string): Program {
  return { worker: new URL("http://here/worker.js"), boot: () => Promise.resolve({ wasm, module: null, readers: [] }), renew: () => Promise.resolve(false), explain: () => Promise.reject(new Error("it starts")) };
}

/** The programs of the workers that live, and what these were asked for. */
function workers(): string[] {
  return FakeWorker.all.filter(({ alive }) => alive).map(({ program, calls }) => `${program}: ${calls.join(" ")}`);
}

function pools(size: number): Pool {
  FakeWorker.all = [];
  return new Pool(program("figure"), size, program("table"));
}

const file = new File(["a,y"], "t.csv");
const never = new AbortController().signal;

test("what opens tables is started when the first one comes, and runs on both go on side by side", async () => {
  const pool = pools(1);
  const drawn = pool.lease(null);
  await drawn.start("", 0, await drawn.table());
  assert.deepEqual(workers(), ["figure: start"]);
  const opened = await pool.open(file, "", () => undefined, never);
  const onTable = pool.lease(opened);
  await onTable.start("source=table", 0, await onTable.table());
  await drawn.ask((engine) => engine.next(1, 0));
  assert.deepEqual(workers(), ["figure: start next", "table: open start"]);
});

test("a worker that rests makes room for one that opens tables, and comes back when it is wanted", async () => {
  const pool = pools(2);
  await Promise.all([0, 1].map(async () => {
    const lease = pool.lease(null);
    await lease.start("", 0, 0);
    lease.release();
  }));
  await new Promise((resolve) => setTimeout(resolve, 5)); // their runs are closed
  assert.equal(workers().length, 2);
  const opened = await pool.open(file, "", () => undefined, never);
  assert.deepEqual(workers().map((worker) => worker.split(":")[0]), ["figure", "table"]);
  await pool.plan(opened, "");
  assert.equal(workers().length, 2, "once it is there it ends no other");
  const [first, second] = [pool.lease(null), pool.lease(null)];
  await Promise.all([first, second].map((lease) => lease.start("", 0, 0)));
  assert.deepEqual(workers().map((worker) => worker.split(":")[0]), ["figure", "table", "figure"]);
});

test("where one program does both, a table comes into a worker that is there", async () => {
  FakeWorker.all = [];
  const pool = new Pool(program("all"), 1);
  await pool.up();
  await pool.open(file, "", () => undefined, never);
  assert.deepEqual(workers(), ["all: info open"]);
});
