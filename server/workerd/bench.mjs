// @ts-check
/**
 * Measures the processor time of a request that Go answers in workerd, beside
 * that of a Worker of one line of JavaScript, and prints a table:
 *
 *     node server/workerd/bench.mjs
 *
 * Each runs in a workerd of its own, without wrangler's proxy. The time is that
 * of all its threads, read in Linux's /proc, so it holds what compiling and
 * connections cost too.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";

const server = fileURLToPath(new URL("../", import.meta.url));
const compatibilityDate = /"compatibility_date": "([\d-]+)"/.exec(readFileSync(`${server}wrangler.jsonc`, "utf8"))?.[1];
if (compatibilityDate === undefined) throw new Error("wrangler.jsonc has no compatibility_date");

const starts = 5;
const warmUp = 200;
const requests = 1000;
const aim = 10; // milliseconds, on Cloudflare's free plan

/** @type {import("miniflare").WorkerOptions} */
const ours = {
  compatibilityDate,
  modulesRoot: server,
  modules: [
    { type: "ESModule", path: `${server}worker.mjs` },
    { type: "ESModule", path: `${server}build/wasm_exec.js` },
    { type: "CompiledWasm", path: `${server}build/app.wasm` },
  ],
};
/** @type {import("miniflare").WorkerOptions} */
const line = { compatibilityDate, modules: true, script: `export default { fetch: () => new Response("ok\\n") };` };

/** @returns {number[]} the processes that this one has started */
const children = () => readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);

/** One Worker in a workerd of its own. */
class Host {
  /** @param {import("miniflare").WorkerOptions} options */
  static async start(options) {
    const before = children();
    const miniflare = new Miniflare({ ...options, host: "127.0.0.1", port: 0 });
    const origin = await miniflare.ready;
    const pid = children().find((child) => !before.includes(child));
    if (pid === undefined) throw new Error("workerd did not start");
    return new Host(miniflare, origin, pid);
  }

  /** @param {Miniflare} miniflare @param {URL} origin @param {number} pid */
  constructor(miniflare, origin, pid) {
    this.miniflare = miniflare;
    this.origin = origin;
    this.pid = pid;
  }

  /** Processor time so far in milliseconds; the kernel counts in hundredths of a second. */
  used() {
    const [, rest = ""] = readFileSync(`/proc/${this.pid}/stat`, "utf8").split(") ");
    const fields = rest.split(" ");
    return 10 * (Number(fields[11]) + Number(fields[12]));
  }

  /** Asks again and again, and returns milliseconds a request. @param {string} path @param {number} times */
  async ask(path, times) {
    const url = new URL(path.replaceAll("HOST", this.origin.host), this.origin);
    const [used, began] = [this.used(), performance.now()];
    for (let i = 0; i < times; i++) {
      const answer = await fetch(url);
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${url}: the answer is ${answer.status}, want 200`);
    }
    return { processor: (this.used() - used) / times, wall: (performance.now() - began) / times };
  }
}

/** @param {string} name @param {{ processor: number, wall: number }} time @param {string} [note] */
function print(name, { processor, wall }, note = "") {
  console.log(`${name.padEnd(52)}${processor.toFixed(2).padStart(10)}${wall.toFixed(2).padStart(10)}  ${note}`.trimEnd());
}

console.log(`${`${requests} requests one after another, in workerd`.padEnd(52)}  processor      wall  ms each`);
const paths = process.argv.length > 2 ? process.argv.slice(2) : ["/healthz", "/version", "/p/scenario=mixed&d=30", "/oembed?format=json&url=http%3A%2F%2FHOST%2F%3Fscenario%3Dmixed"];
for (const [name, options, asked] of /** @type {const} */ ([["one line of JavaScript", line, ["/"]], ["Go", ours, paths]])) {
  const first = { processor: 0, wall: 0 };
  for (let i = 0; i < starts; i++) {
    const host = await Host.start(options);
    const time = await host.ask(asked[0] ?? "/", 1);
    first.processor += time.processor / starts;
    first.wall += time.wall / starts;
    await host.miniflare.dispose();
  }
  print(`${name}, its first request, mean of ${starts}`, first);
  const host = await Host.start(options);
  for (const path of asked) {
    await host.ask(path, warmUp);
    const time = await host.ask(path, requests);
    print(`${name}, ${path.slice(0, 32)}`, time, options === ours ? `aim ≤ ${aim}${time.processor <= aim ? "" : ", missed"}` : "");
  }
  await host.miniflare.dispose();
}
