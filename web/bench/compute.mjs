// @ts-check
/**
 * What an iteration of iFM costs in the page's own worker, beside TensorFlow.js
 * and beside a kernel written for nothing else (fused.ts), and how long the work
 * of the paper's Figure 1 takes.
 *
 * @typedef {import("./main.mjs").Line} Line
 * @typedef {Awaited<ReturnType<import("./main.mjs").Bench["browser"]["newContext"]>>} BrowserContext
 * @typedef {Awaited<ReturnType<BrowserContext["newPage"]>>} Page
 *
 * What the workers here are asked first; they answer once they have checked,
 * over `check` iterations, that they do what they should.
 * @typedef {{ n: number, d: number, k: number, check: number, program?: "plain" | "kept" | "exact" }} Load
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { median } from "./median.mjs";

const n = 15000, d = 100, k = 8;

/** @type {import("./main.mjs").Section} */
export default async function compute({ origin, browser, smoke, has }) {
  const context = await browser.newContext();
  const tensorflow = has("@tensorflow/tfjs-core") && has("@tensorflow/tfjs-backend-wasm");
  const beside = await serveBeside(tensorflow);
  try {
    return [...(await iteration(context, origin, beside.origin, tensorflow, smoke)), ...(await figure(await context.newPage(), origin, smoke))];
  } finally {
    await context.close();
    beside.stop();
  }
}

/**
 * @param {BrowserContext} context
 * @param {string} origin @param {string} beside @param {boolean} tensorflow @param {boolean} smoke
 * @returns {Promise<Line[]>}
 */
async function iteration(context, origin, beside, tensorflow, smoke) {
  const rounds = smoke ? 1 : 9;
  const page = await context.newPage(), other = await context.newPage();
  await openEngines(page, origin, 1);
  // One iteration a time, the RMSE of ten test rows in it. Noise keeps it from ending.
  const query = `scenario=mixed&d=${d}&k=${k}&n=${n}&test=10&noise=0.1&models=ifm&iterations=100000&tolerance=0`;
  const { run } = await call(page, 0, "start", { query, cell: 0, table: 0 });
  const ours = async () => {
    const { train, done, elapsed } = await call(page, 0, "next", { run, ms: 150 });
    if (done || train.length === 0 || !train.every(Number.isFinite)) throw new Error(`ours: ${train.length} records of RMSE ${train}`);
    return elapsed / train.length;
  };
  await other.goto(beside);
  /** @type {Record<string, () => Promise<number>>} */
  const programs = { ours };
  /** @type {Load} */
  const load = { n, d, k, check: 20 };
  programs["fused"] = await openWorker(other, "fused.js", smoke ? { ...load, check: 2 } : load, smoke ? 1 : 20);
  if (tensorflow) {
    programs["plain"] = await openWorker(other, "tensorflow.js", { ...load, program: "plain" }, smoke ? 1 : 5);
    programs["kept"] = await openWorker(other, "tensorflow.js", { ...load, program: "kept" }, smoke ? 1 : 15);
    programs["exact"] = await openWorker(other, "tensorflow.js", { ...load, program: "exact" }, smoke ? 1 : 10);
  }

  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [name, time] of Object.entries(programs)) {
      const ms = await time();
      if (round >= 0) times[name]?.push(ms); // the first round only warms up
    }
  }
  await page.close();
  await other.close();
  const ms = (/** @type {string} */ name) => median(times[name] ?? []);
  /** Within each round, where the machine was about equally busy. @param {string} a @param {string} b */
  const ratio = (a, b) => median((times[a] ?? []).map((time, round) => time / (times[b]?.[round] ?? Number.NaN)));
  const shape = `iFM iteration ${n}×${d}, k = ${k}`;
  /** @type {Line[]} */
  const others = [
    { name: `${shape}: TensorFlow.js, float32, gradient descent`, value: ms("plain"), unit: "ms" },
    { name: `${shape}: the same, Zᵀ kept and every layout tuned`, value: ms("kept"), unit: "ms" },
    { name: `${shape}: the same, our algorithm`, value: ms("exact"), unit: "ms" },
    { name: `TensorFlow.js ÷ ours`, value: ratio("plain", "ours"), unit: "×", aim: "≥ 4" },
    { name: `TensorFlow.js with Zᵀ kept and every layout tuned ÷ ours`, value: ratio("kept", "ours"), unit: "×" },
    { name: `TensorFlow.js tuned, our algorithm ÷ ours`, value: ratio("exact", "ours"), unit: "×" },
  ];
  return [
    { name: `${shape}: ours, float64`, value: ms("ours"), unit: "ms" },
    { name: `${shape}: fused kernel for this shape alone, float64`, value: ms("fused"), unit: "ms" },
    ...(tensorflow ? others : []),
    { name: `ours ÷ fused kernel`, value: ratio("ours", "fused"), unit: "×", aim: "≤ 1.12" },
  ];
}

/**
 * FM and iFM on the three scenarios of Figure 1, ten trials each: 60 runs of
 * 100 iterations in two workers. As on the page a trial's models are in one
 * worker, where they share its rows. Tolerance 0: none stops earlier.
 *
 * @param {Page} page @param {string} origin @param {boolean} smoke
 * @returns {Promise<Line[]>}
 */
async function figure(page, origin, smoke) {
  const iterations = smoke ? 3 : 100, workers = 2, models = 2, size = smoke ? "d=10&k=5&n=300&test=100" : "d=100&k=5&n=15000&test=10000";
  const trials = ["psd", "flipped", "mixed"].flatMap((scenario) => {
    const query = `scenario=${scenario}&${size}&models=fm,ifm&trials=10&iterations=${iterations}&tolerance=0`;
    return Array.from({ length: 10 }, (_, trial) => Array.from({ length: models }, (_, model) => ({ query, cell: models * trial + model, table: 0 })));
  });
  await openEngines(page, origin, workers);
  let starting = 0, training = 0, done = 0;
  const began = performance.now();
  await Promise.all(Array.from({ length: workers }, async (_, worker) => {
    for (let trial = trials.shift(); trial !== undefined; trial = trials.shift()) {
      const runs = [];
      for (const cell of trial) {
        const { run, elapsed } = await call(page, worker, "start", cell);
        starting += elapsed;
        runs.push({ run, name: `${cell.query}, cell ${cell.cell}` });
      }
      for (const { run, name } of runs) {
        /** @type {number | undefined} */
        let last;
        for (let over = false; !over;) {
          const records = await call(page, worker, "next", { run, ms: 500 });
          training += records.elapsed;
          last = records.iteration.at(-1);
          over = records.done;
          if (!records.test.every(Number.isFinite)) throw new Error(`${name}: a test RMSE is not finite`);
        }
        if (last !== iterations) throw new Error(`${name} ended after ${last} iterations, want ${iterations}`);
        await call(page, worker, "close", { handle: run });
        done++;
      }
    }
  }));
  const seconds = (performance.now() - began) / 1000;
  await page.close();
  return [
    { name: `Figure 1, d = 100, k = 5: ${done} runs of ${iterations} iterations, ${workers} workers`, value: seconds, unit: "s", aim: "≤ 25" },
    { name: `of it drawing the rows and fitting ridge`, value: (100 * starting) / (starting + training), unit: "%" },
  ];
}

/**
 * Starts workers as the page does, from the addresses that its HTML names. The
 * page itself stays closed: it would train beside them.
 *
 * @param {Page} page @param {string} origin @param {number} count
 */
async function openEngines(page, origin, count) {
  const html = await (await fetch(`${origin}/`)).text();
  const [, worker, wasm] = html.match(/<ifm-app worker="([^"]+)" wasm="([^"]+)"/) ?? [];
  if (worker === undefined || wasm === undefined) throw new Error(`${origin} names no worker and no engine`);
  await page.goto(`${origin}/licenses.txt`);
  await page.evaluate(async ({ worker, wasm, count }) => {
    const scope = /** @type {any} */ (globalThis);
    const address = new URL(wasm, location.origin).href, module = await WebAssembly.compileStreaming(fetch(address));
    scope.engines = Array.from({ length: count }, () => new Worker(new URL(worker, location.origin)));
    await Promise.all(scope.engines.map((/** @type {Worker} */ engine) => new Promise((resolve, reject) => {
      engine.onmessage = ({ data }) => {
        if (data.ready) resolve(null);
        else if (!("picture" in data)) reject(new Error(data.crashed)); // the picture is a sign that the worker lives
      };
      engine.onerror = ({ message }) => reject(new Error(message));
      engine.postMessage({ wasm: address, module });
    })));
    scope.call = (/** @type {number} */ which, /** @type {string} */ call, /** @type {object} */ args) => new Promise((resolve, reject) => {
      const engine = scope.engines[which], began = performance.now();
      engine.onmessage = (/** @type {MessageEvent} */ { data }) => {
        const elapsed = performance.now() - began;
        if (!("result" in data)) return reject(new Error(data.error?.message ?? data.crashed));
        const { run, done, iteration = [], train = [], test = [] } = data.result ?? {};
        resolve({ run, done, iteration: [...iteration], train: [...train], test: [...test], elapsed });
      };
      engine.postMessage({ id: 1, call, args });
    });
  }, { worker, wasm, count });
}

/**
 * One call of the protocol; `elapsed` is what the page waited for it, ms.
 *
 * @param {Page} page @param {number} worker @param {string} name @param {object} args
 * @returns {Promise<{ run: number, done: boolean, iteration: number[], train: number[], test: number[], elapsed: number }>}
 */
function call(page, worker, name, args) {
  return page.evaluate(([worker, name, args]) => /** @type {any} */ (globalThis).call(worker, name, args), /** @type {const} */ ([worker, name, args]));
}

/**
 * Starts one of the workers beside this file and returns what times so many
 * iterations in it, ms for one.
 *
 * @param {Page} page @param {string} script @param {Load} load @param {number} iterations
 */
async function openWorker(page, script, load, iterations) {
  const ask = await page.evaluateHandle((script) => {
    const worker = new Worker(script);
    return (/** @type {object} */ message) => new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => ("result" in data ? resolve(data.result) : reject(new Error(data.error)));
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(message);
    });
  }, script);
  await ask.evaluate((ask, load) => ask(load), load);
  return async () => {
    const { ms, losses } = /** @type {{ ms: number, losses: number[] }} */ (await ask.evaluate((ask, run) => ask({ run }), iterations));
    if (!losses.every(Number.isFinite)) throw new Error(`${script}: losses ${losses}`);
    return ms;
  };
}

/** Serves the workers beside this file, what they load and an empty page, on an origin of their own. @param {boolean} tensorflow */
async function serveBeside(tensorflow) {
  const here = path.dirname(fileURLToPath(import.meta.url)), bin = path.join(here, "../../bin"), packages = createRequire(import.meta.url);
  const fused = path.join(bin, "fused.wasm");
  await promisify(execFile)(path.join(here, "../test/node_modules/.bin/asc"), [path.join(here, "fused.ts"), "-o", fused, "-O3", "--runtime", "stub", "--noAssert", "--enable", "simd", "--initialMemory", "320"]);
  /** @type {Record<string, string>} */
  const files = {
    "/problem.js": path.join(here, "problem.js"),
    "/fused.js": path.join(here, "fused.js"),
    "/fused.wasm": fused,
    "/tensorflow.js": path.join(here, "tensorflow.js"),
  };
  if (tensorflow) {
    const backend = path.dirname(packages.resolve("@tensorflow/tfjs-backend-wasm"));
    files["/tf-core.min.js"] = path.join(path.dirname(packages.resolve("@tensorflow/tfjs-core")), "tf-core.min.js");
    files["/tf-backend-wasm.min.js"] = path.join(backend, "tf-backend-wasm.min.js");
    files["/tfjs-backend-wasm-simd.wasm"] = path.join(backend, "tfjs-backend-wasm-simd.wasm"); // and not the one without SIMD
  }
  const server = http.createServer(async (request, response) => {
    const file = files[request.url ?? ""];
    const type = request.url?.endsWith(".wasm") ? "application/wasm" : request.url?.endsWith(".js") ? "text/javascript; charset=utf-8" : "text/html; charset=utf-8";
    response.writeHead(file !== undefined || request.url === "/" ? 200 : 404, { "content-type": type });
    response.end(file === undefined ? "" : await readFile(file));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${port}`, stop };
}
