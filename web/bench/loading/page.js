// @ts-check
/**
 * Runs in the page: gives one file to one program at a time, each in a worker of
 * its own that is ready before the clock starts, and checks what it made of it.
 */
import { numbers, ratings } from "./files.js";

/**
 * What a program did, in seconds and bytes. Rows and sum are checked here.
 *
 * @typedef {{ rows: number, sum: number, seconds: number, read?: number, memory?: number, design?: number }} Loaded
 * @typedef {{ worker: string, wasm: string }} Engine
 * @typedef {(made: import("./files.js").Made, engine: Engine, kind: string) => Promise<Loaded>} Program
 */

/** @type {Map<string, import("./files.js").Made>} */
const files = new Map();

/** @param {{ kind: "numbers" | "ratings", smoke: boolean }} args */
export function make({ kind, smoke }) {
  const made = { numbers, ratings }[kind](smoke ? 0.0025 : 1);
  files.clear();
  files.set(kind, made);
  return { bytes: made.file.size };
}

/** @type {Record<string, Program>} */
const programs = { ours, uDSV: beside("uDSV"), PapaParse: beside("PapaParse"), DuckDB };

/** @param {{ name: string, kind: "numbers" | "ratings", engine: Engine }} args */
export async function load({ name, kind, engine }) {
  const made = files.get(kind), program = programs[name];
  if (made === undefined || program === undefined) throw new Error(`no file of ${kind}, or no program ${name}`);
  const loaded = await program(made, engine, kind);
  // The sum is added up in another order by each.
  if (loaded.rows !== made.rows || !(Math.abs(loaded.sum - made.sum) < 1e-9 * made.rows) || !(loaded.seconds > 0)) {
    throw new Error(`${name} read ${loaded.rows} rows with the sum ${loaded.sum}, want ${made.rows} and ${made.sum}`);
  }
  return loaded;
}

/**
 * Ours, as the page calls it: open, then start, after which the design is there,
 * scaled and split. Start fits ridge too; a penalty beyond sense makes that a few
 * passes. In front of the worker's script stand lines that keep hold of its
 * memory.
 *
 * @type {Program}
 */
async function ours(made, engine, kind) {
  const script = `
    let memory;
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = async (...args) => {
      const made = await instantiate(...args);
      memory = made.instance.exports.mem;
      return made;
    };
    importScripts(${JSON.stringify(engine.worker)});
    const { onmessage } = self;
    self.onmessage = (event) => event.data.call === "memory" ? postMessage({ id: event.data.id, result: memory.buffer.byteLength }) : onmessage(event);`;
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(address);
  try {
    await answer(worker, { wasm: engine.wasm, module: null }, "ready");
    const call = (/** @type {string} */ call, /** @type {object} */ args) => answer(worker, { id: 1, call, args }, "result");
    const query = `source=table&target=${kind === "numbers" ? `x${made.column}` : "rating"}&models=ifm&ranks=1&lambdas=1000000`;
    const began = performance.now();
    const table = await call("open", { file: made.file, query });
    const read = performance.now();
    const started = await call("start", { query, cell: 0, table: table.table });
    const ended = performance.now();
    const memory = await call("memory", {});
    const plan = await call("plan", { query, table: table.table });
    if (started.features.length < made.features || started.features.length !== plan.features || plan.train + plan.valid + plan.test !== made.rows || !(started.mean > 0)) {
      throw new Error(`ours made a design of ${started.features.length} features and ${plan.train + plan.valid + plan.test} rows`);
    }
    const { mean } = table.columns[made.column];
    return { rows: table.rows, sum: mean * table.rows, seconds: (ended - began) / 1e3, read: (read - began) / 1e3, memory, design: plan.bytes };
  } finally {
    worker.terminate();
    URL.revokeObjectURL(address);
  }
}

/** A program of worker.js. @param {string} name @returns {Program} */
function beside(name) {
  return async ({ file, column }) => {
    const worker = new Worker(`worker.js?${name}`);
    try {
      await answer(worker, null, "ready");
      const began = performance.now();
      await answer(worker, file, "read");
      const seconds = (performance.now() - began) / 1e3;
      return { ...(await answer(worker, column, "sum")), seconds };
    } finally {
      worker.terminate();
    }
  };
}

/**
 * DuckDB, the build for browsers with WebAssembly's exceptions, in its own
 * worker. It reads the file by itself, through the browser, and stops at a table
 * of its own types.
 *
 * @type {Program}
 */
async function DuckDB({ file, columns, column }) {
  const duckdb = await import(String("@duckdb/duckdb-wasm"));
  const dist = "../node_modules/@duckdb/duckdb-wasm/dist/";
  const db = new duckdb.AsyncDuckDB(new duckdb.VoidLogger(), new Worker(`${dist}duckdb-browser-eh.worker.js`));
  try {
    await db.instantiate(new URL(`${dist}duckdb-eh.wasm`, import.meta.url).href);
    const connection = await db.connect();
    const began = performance.now();
    await db.registerFileHandle("read.csv", file, duckdb.DuckDBDataProtocol.BROWSER_FILEREADER, true);
    await connection.query("CREATE TABLE read AS SELECT * FROM read_csv('read.csv')");
    const seconds = (performance.now() - began) / 1e3;
    const types = (await connection.query("SELECT data_type FROM information_schema.columns WHERE table_name = 'read' ORDER BY ordinal_position")).toArray().map((/** @type {{ data_type: string }} */ row) => row.data_type);
    if (types.length !== columns || types[column] !== "DOUBLE") throw new Error(`DuckDB made columns of ${types}`);
    const name = column === 2 ? "rating" : `x${column}`;
    const [row] = (await connection.query(`SELECT count(*)::DOUBLE AS rows, sum(${name}) AS sum FROM read`)).toArray();
    return { rows: row.rows, sum: row.sum, seconds };
  } finally {
    await db.terminate();
  }
}

/**
 * Posts a message and waits for an answer that has the key; any other ends the
 * run, but for progress and the picture, which is a sign that the worker lives.
 *
 * @param {Worker} worker @param {unknown} message @param {string} key
 * @returns {Promise<any>}
 */
function answer(worker, message, key) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      if (key in data) resolve(data[key]);
      else if (!("progress" in data || "picture" in data)) reject(new Error(JSON.stringify(data)));
    };
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessageerror = () => reject(new Error("a message could not be read"));
    worker.postMessage(message);
  });
}
