// @ts-check
/**
 * Measures the processor time of a request that Go answers in workerd, beside
 * that of a Worker of one line of JavaScript, and prints a table:
 *
 *     node server/workerd/bench.mjs [--smoke] [path…]
 *
 * A smoke pass does all of it once or twice, for whether it runs at all.
 *
 * Each runs in a workerd of its own, without wrangler's proxy. The time is read
 * in Linux's /proc: of the thread that runs the Worker, connections included,
 * and of all threads, so with what V8 compiles and cleans up in the background.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";

const server = fileURLToPath(new URL("../", import.meta.url));
const compatibilityDate = /"compatibility_date": "([\d-]+)"/.exec(readFileSync(`${server}wrangler.jsonc`, "utf8"))?.[1];
if (compatibilityDate === undefined) throw new Error("wrangler.jsonc has no compatibility_date");

const smoke = process.argv.includes("--smoke");
const starts = smoke ? 1 : 5;
const warmUp = smoke ? 1 : 200;
const requests = smoke ? 2 : 1000;
const aim = 10; // milliseconds, on Cloudflare's free plan

/** @type {import("miniflare").WorkerOptions} */
const ours = {
  compatibilityDate,
  modulesRoot: server,
  modules: [
    { type: "ESModule", path: `${server}worker.mjs` },
    { type: "ESModule", path: `${server}build/wasm_exec.js` },
    { type: "CompiledWasm", path: `${server}build/app.wasm` },
    { type: "Text", path: `${server}build/assets/index.html` },
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

  /** Processor time so far, in milliseconds. */
  used() {
    const tasks = readdirSync(`/proc/${this.pid}/task`);
    const times = tasks.map((task) => Number(readFileSync(`/proc/${this.pid}/task/${task}/schedstat`, "utf8").split(" ")[0]) / 1e6);
    return { thread: times[tasks.indexOf(String(this.pid))] ?? NaN, all: times.reduce((sum, time) => sum + time, 0) };
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
    const { thread, all } = this.used();
    return { thread: (thread - used.thread) / times, all: (all - used.all) / times, wall: (performance.now() - began) / times };
  }
}

/** @param {string} name @param {{ thread: number, all: number, wall: number }} time @param {boolean} [limited] */
function print(name, { thread, all, wall }, limited = false) {
  const numbers = [thread, all, wall].map((value) => value.toFixed(2).padStart(8)).join("");
  console.log(`${name.padEnd(52)}${numbers}  ${limited ? `aim ≤ ${aim}${thread <= aim ? "" : ", missed"}` : ""}`.trimEnd());
}

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

console.log(`${`${requests} requests one after another, ms each`.padEnd(52)}  thread     all    wall`);
const named = process.argv.slice(2).filter((name) => name !== "--smoke");
const paths = named.length > 0 ? named : ["/", "/p/scenario=mixed&d=30", "/oembed?format=json&url=http%3A%2F%2FHOST%2F%3Fscenario%3Dmixed", "/version", "/healthz"];
for (const [name, options, asked] of /** @type {const} */ ([["one line of JavaScript", line, ["/"]], ["Go", ours, paths]])) {
  /** @type {Awaited<ReturnType<Host["ask"]>>[]} */
  const firsts = [];
  const begun = [];
  for (let i = 0; i < starts; i++) {
    const host = await Host.start(options);
    begun.push(host.used().thread);
    firsts.push(await host.ask(asked[0] ?? "/", 1));
    await host.miniflare.dispose();
  }
  const of = (/** @type {"thread" | "all" | "wall"} */ what) => median(firsts.map((time) => time[what]));
  console.log(`${`${name}, to start workerd with it`.padEnd(52)}${median(begun).toFixed(2).padStart(8)}`);
  print(`${name}, its first request, median of ${starts}`, { thread: of("thread"), all: of("all"), wall: of("wall") }, options === ours);
  const host = await Host.start(options);
  for (const path of asked) {
    await host.ask(path, warmUp);
    print(`${name}, ${path.slice(0, 32)}`, await host.ask(path, requests), options === ours);
  }
  await host.miniflare.dispose();
}
