// @ts-check
/**
 * What it takes from the bytes of a file to the scaled design, in the page's own
 * worker, and what the page asks for with it: a few passes of ridge. Beside it
 * the programs that read a CSV file fastest in a browser, which stop at typed
 * columns.
 *
 * The folder beside this file is a page of its own, on a server without the
 * Content-Security-Policy of ours: uDSV compiles its parsers from text.
 */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { median } from "./median.mjs";

/**
 * @typedef {import("./main.mjs").Line} Line
 * @typedef {import("./loading/page.js").Loaded} Loaded
 */

/** The others, and their packages. @type {Record<string, string>} */
const packages = { uDSV: "udsv", PapaParse: "papaparse", DuckDB: "@duckdb/duckdb-wasm" };

/** @type {import("./main.mjs").Section} */
export default async function loading({ origin, browser, smoke, has }) {
  const rounds = smoke ? 1 : 3;
  const programs = ["ours", ...Object.keys(packages).filter((name) => has(packages[name] ?? ""))];
  const server = await serveBeside();
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${server.origin}/loading/`);
    /** @type {Line[]} */
    const lines = [];
    for (const kind of /** @type {const} */ (["numbers", "ratings"])) {
      const file = await page.evaluate(async (args) => (await import(String("./page.js"))).make(args), { kind, smoke });
      /** @type {Record<string, Loaded[]>} */
      const runs = Object.fromEntries(programs.map((name) => [name, []]));
      for (let round = 0; round < rounds; round++) {
        for (const [name, loaded] of Object.entries(runs)) {
          loaded.push(await page.evaluate(async (args) => (await import(String("./page.js"))).load(args), { name, kind, engine: await engine(origin) }));
        }
      }
      lines.push(...(kind === "numbers" ? numbers : ratings)(file.bytes / 1e6, runs));
    }
    return lines;
  } finally {
    await context.close();
    server.stop();
  }
}

/** @param {number} megabytes @param {Record<string, Loaded[]>} runs @returns {Line[]} */
function numbers(megabytes, runs) {
  const file = `${megabytes.toPrecision(3)} MB of numbers`;
  const ours = runs["ours"] ?? [];
  return [
    { name: `${file} to the scaled design: ours`, value: megabytes / median(ours.map((run) => run.seconds)), unit: "MB/s", aim: "≥ 100" },
    { name: "of it, to a table", value: megabytes / median(ours.map((run) => run.read ?? Number.NaN)), unit: "MB/s" },
    ...others(file, megabytes, runs, "≥ 1"),
    { name: "memory of the engine ÷ the design's", value: median(ours.map((run) => (run.memory ?? Number.NaN) / (run.design ?? Number.NaN))), unit: "×", aim: "≤ 3" },
  ];
}

/** @param {number} megabytes @param {Record<string, Loaded[]>} runs @returns {Line[]} */
function ratings(megabytes, runs) {
  const file = "1 M ratings"; // fewer in a smoke pass
  const ours = runs["ours"] ?? [];
  return [
    { name: `${file}, ${megabytes.toFixed(0)} MB, to the sparse design: ours`, value: median(ours.map((run) => run.seconds)), unit: "s", aim: "≤ 1.5" },
    { name: "of it, to a table", value: median(ours.map((run) => run.read ?? Number.NaN)), unit: "s" },
    ...others(file, megabytes, runs),
  ];
}

/**
 * The others, and how many times as fast ours is: the ratio within each round.
 *
 * @param {string} file @param {number} megabytes @param {Record<string, Loaded[]>} runs @param {string} [aim]
 * @returns {Line[]}
 */
function others(file, megabytes, runs, aim) {
  const ours = runs["ours"] ?? [];
  return Object.keys(runs).slice(1).flatMap((name) => {
    const theirs = runs[name] ?? [];
    return [
      { name: `${file} to typed columns: ${name}`, value: megabytes / median(theirs.map((run) => run.seconds)), unit: "MB/s" },
      { name: `ours, to the design ÷ ${name}`, value: median(theirs.map((run, round) => run.seconds / (ours[round]?.seconds ?? Number.NaN))), unit: "×", ...(aim ? { aim } : {}) },
      { name: `ours, to a table ÷ ${name}`, value: median(theirs.map((run, round) => run.seconds / (ours[round]?.read ?? Number.NaN))), unit: "×" },
    ];
  });
}

/** Where the page says that its worker and its engine are. @param {string} origin */
async function engine(origin) {
  const html = await (await fetch(`${origin}/`)).text();
  const [, worker, wasm] = html.match(/<ifm-app worker="([^"]+)" .*? table="([^"]+)"/) ?? [];
  if (worker === undefined || wasm === undefined) throw new Error(`${origin} names no worker and no engine`);
  return { worker: new URL(worker, `${origin}/`).href, wasm: new URL(wasm, `${origin}/`).href };
}

/** Serves the folder of this file. */
async function serveBeside() {
  const root = fileURLToPath(new URL(".", import.meta.url));
  /** @type {Record<string, string>} */
  const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
  const server = http.createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = path.join(root, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    const body = await readFile(file).catch(() => undefined);
    response.writeHead(body === undefined ? 404 : 200, { "content-type": types[path.extname(file)] ?? "application/octet-stream" });
    response.end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server beside has no port");
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${address.port}`, stop };
}
