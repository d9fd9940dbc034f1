// Workers that answer as the engine does, for the tests of what works on the pool.
import type { Answer, Boot, Request } from "./messages.js";
import { Pool } from "./pool.js";
import { table as tableOf } from "./tables.test.js";
import type { EngineError, Records, Sky, Started, Survey, Table } from "./protocol.js";

export const LONG = 5000; // ms of a call that cannot be left

const MODEL = '{"features":[{"scale":1}]}'; // as much of a model's file as is read here

export const LOST: EngineError = { kind: "Lost", message: "", file: "", line: 0, column: 0, field: "", found: "" };

/** What all workers of a test have in common. rows are those of every file, 0 where it cannot be read; a run has so many records. */
export const world = { all: [] as FakeWorker[], network: true, slow: "", failing: "", rows: 1, records: 3 };

/** Answers one call after the other, and never has read a file called stuck.csv. */
export class FakeWorker {
  onmessage: ((event: { data: Answer }) => void) | null = null;
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null;
  alive = true;
  seen = false; // its picture
  program = "";
  readonly asked: string[] = [];
  private readonly calls: Request[] = [];
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
      this.program = String(message.wasm);
      setTimeout(() => this.tell(world.network ? { ready: true, reads: true } : { crashed: "it could not be loaded" }), world.slow === "boot" ? LONG : 1);
    } else if (message.call !== "cancel") {
      this.asked.push(message.call);
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
    if ("file" in request.args && request.args.file.name === "stuck.csv") return;
    setTimeout(() => {
      this.busy = false;
      this.tell(request.call === world.failing || (request.call === "open" && world.rows === 0) ? { id: request.id, error: { ...LOST, kind: "TargetError" } } : { id: request.id, result: this.result(request) });
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
        return { unusable: "no satellite" };
      default:
        return { d: 1, values: new Float64Array(1), eigenvalues: new Float64Array(1), bytes: new TextEncoder().encode(MODEL), names: [] };
    }
  }
}

export function table(handle: number): Table {
  return { ...tableOf(), table: handle, rows: world.rows };
}

export function sky(handle: number): Sky {
  return { sky: handle, name: "", kind: "maps", bytes: 1, simulated: false, days: [], facts: [], bad: [], badCount: 0, notices: [] };
}

function records(times: number): Records {
  const one = Float64Array.of(1 / times);
  return { candidate: Int32Array.of(0), rank: Int32Array.of(1), lambda: one, weights: one, hats: Int32Array.of(0), iteration: Int32Array.of(times - 1), train: one, valid: one, test: one, passes: one, errorW: one, errorM: one, lead: Int32Array.of(0), done: times === world.records, final: Number.NaN, additive: Number.NaN, stop: "", rose: 0 };
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

/** A pool of so many workers, which run one program, or one beside that of tables. */
export function poolOf(size: number, tables?: string): Pool {
  Object.assign(world, { all: [], network: true, slow: "", failing: "", rows: 1, records: 3 });
  const program = (wasm: string) => ({ worker: new URL("http://here/worker.js"), boot: () => Promise.resolve({ wasm, module: null, readers: [] }), renew: () => Promise.resolve(false), explain: () => Promise.resolve({ ...LOST, kind: "Unstarted" }) });
  const own = program("figure");
  return new Pool(own, size, tables === undefined ? own : program(tables));
}
