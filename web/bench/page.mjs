// @ts-check
/**
 * What a reader waits for: the first curve, a page that answers while a large
 * file is read and trained on, and what Lighthouse says of it on a phone.
 */
import { execFile } from "node:child_process";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { findChromium, flags } from "../test/browser.mjs";
import { median } from "./median.mjs";

/** @typedef {import("./main.mjs").Line} Line */
/** @typedef {import("./main.mjs").Bench} Bench */
/** @typedef {Awaited<ReturnType<Bench["browser"]["newPage"]>>} Page */

const ROUNDS = 5;
const COLUMNS = 20;
const LARGE = { bytes: 100e6, times: 3, trains: 4000 }; // trains: ms that are watched from the first iteration on
const SMALL = { bytes: 30e6, times: 1, trains: 300 }; // in a smoke pass: less is read before it can be cancelled

/** @type {import("./main.mjs").Section} */
export default async function page(bench) {
  const lines = [await firstCurve(bench), ...(await largeFile(bench))];
  if (!bench.smoke) return [...lines, ...(await lighthouse(bench))];
  console.log("not run: Lighthouse, which takes a minute");
  return lines;
}

/** @param {Bench} bench @returns {Promise<Line>} */
async function firstCurve({ origin, browser, smoke }) {
  const times = [];
  for (let round = 0; round < (smoke ? 1 : ROUNDS); round++) {
    times.push(
      await within(browser, async (seen) => {
        await seen.goto(`${origin}/`);
        return moment(seen, "figure");
      }),
    );
  }
  return { name: "navigation → first curve, on this machine, nothing cached", value: median(times) / 1000, unit: "s", aim: "≤ 1" };
}

/** @param {Bench} bench @returns {Promise<Line[]>} */
async function largeFile({ origin, browser, smoke }) {
  const { bytes, times, trains } = smoke ? SMALL : LARGE;
  const folder = await mkdtemp(path.join(os.tmpdir(), "ifmlab-bench-"));
  try {
    const file = path.join(folder, "large.csv");
    await writeTable(file, bytes);
    /** @type {Awaited<ReturnType<typeof trainOn>>[]} */
    const rounds = [];
    for (let round = 0; round < times; round++) rounds.push(await within(browser, (seen) => trainOn(seen, origin, file, trains)));
    /** @param {keyof typeof rounds[number]} key */
    const of = (key) => median(rounds.map((round) => round[key]));
    const cancels = [];
    for (let round = 0; round < times; round++) cancels.push(await within(browser, (seen) => cancel(seen, origin, file, bytes / 5)));
    const during = `while ${bytes / 1e6} MB × ${COLUMNS} columns are dropped, read and trained on`;
    return [
      { name: `longest main-thread task ${during}`, value: of("wall"), unit: "ms", aim: "≤ 50" },
      { name: "… its like in CPU time, which waiting for a core does not count", value: of("cpu"), unit: "ms", aim: "≤ 50" },
      { name: "… tasks over 50 ms", value: of("long"), unit: "" },
      { name: "drop → table and plan on the page", value: of("planned") / 1000, unit: "s" },
      { name: "drop → first trained iteration on the page", value: of("trained") / 1000, unit: "s" },
      { name: "states of the progress bar seen on the way", value: of("progress"), unit: "" },
      { name: "stop while it trains → no worker is busy", value: of("stopped"), unit: "ms" },
      { name: "cancel while it is read → the page is as before", value: median(cancels), unit: "ms" },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Drops the file, trains on it for a while and stops. Everything in ms. @param {Page} seen @param {string} origin @param {string} file @param {number} trains */
async function trainOn(seen, origin, file, trains) {
  const browser = seen.context().browser();
  if (browser === null) throw new Error("the page has no browser");
  await seen.goto(`${origin}/`);
  await seen.locator("ifm-figure .controls[data-phase=done]").waitFor({ timeout: 60_000 });
  await browser.startTracing(seen, { categories: ["toplevel", "blink.user_timing", "disabled-by-default-devtools.timeline"] });
  await drop(seen, file);
  const planned = await moment(seen, "plan");
  await seen.locator("#tab-training").click(); // where the curves are
  const trained = await moment(seen, "table");
  await seen.waitForTimeout(trains);
  await seen.evaluate(() => {
    performance.mark("bench.stop");
    const buttons = [...document.querySelectorAll("ifm-result .controls button")];
    const stop = buttons.find((button) => button.textContent?.includes("Stop"));
    if (!(stop instanceof HTMLButtonElement) || stop.disabled) throw new Error("there is no training to stop");
    stop.click();
  });
  await seen.waitForTimeout(1500);
  const phase = await seen.locator("ifm-result .controls").getAttribute("data-phase");
  if (phase !== "stopped") throw new Error(`the training is ${phase}, want stopped`);
  const trace = read(await browser.stopTracing());
  const dropped = await moment(seen, "drop");
  const progress = await moment(seen, "progress");
  if (!(progress > 0)) throw new Error("the page showed no progress");
  return { ...trace, planned: planned - dropped, trained: trained - dropped, progress };
}

/** @param {Page} seen @param {string} origin @param {string} file @param {number} bytes that are read before */
async function cancel(seen, origin, file, bytes) {
  await seen.goto(`${origin}/`);
  await seen.locator("ifm-figure .controls[data-phase=done]").waitFor({ timeout: 60_000 });
  await drop(seen, file);
  await seen.waitForFunction((bytes) => Number(document.querySelector("progress")?.getAttribute("value")) > bytes, bytes);
  return seen.evaluate(async () => {
    const began = performance.now();
    const button = document.querySelector("ifm-data .reading button");
    if (!(button instanceof HTMLButtonElement)) throw new Error("nothing is being read");
    button.click();
    while (document.querySelector("ifm-data .reading") !== null) await new Promise((resolve) => requestAnimationFrame(resolve));
    if (document.querySelector("ifm-data .door .ways") === null) throw new Error("there is no place to drop a file after the reading was cancelled");
    return performance.now() - began;
  });
}

/**
 * Runs on an empty profile of its own, with a watch on the page that notes when
 * things are first seen, in ms since the navigation began: a frame that shows
 * them has been drawn. A page that complains is no page to time.
 *
 * @template T
 * @param {Bench["browser"]} browser
 * @param {(seen: Page) => Promise<T>} run
 * @returns {Promise<T>}
 */
async function within(browser, run) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    /** @type {string[]} */
    const troubles = [];
    context.on("console", (message) => troubles.push(`console ${message.type()}: ${message.text()}`));
    context.on("weberror", (error) => troubles.push(`uncaught ${error.error()}`));
    const seen = await context.newPage();
    await seen.addInitScript(() => {
      /** @type {Record<string, number>} */
      const moments = (Reflect.set(window, "benchMoments", {}), Reflect.get(window, "benchMoments"));
      /** @param {string} name */
      const note = (name) => {
        if (name in moments) return;
        moments[name] = Number.NaN; // until a frame with it has been drawn
        requestAnimationFrame(() => setTimeout(() => (moments[name] = performance.now())));
      };
      /** A line has its first two points. @param {string} panel */
      const drawn = (panel) => [...document.querySelectorAll(`${panel} [data-chart=curve] .plot svg [aria-label=line] path`)].some((line) => line.getAttribute("d")?.includes("L"));
      let [told, states] = ["", 0];
      const look = () => {
        if (!("figure" in moments) && drawn("ifm-figure")) note("figure");
        if (!("table" in moments) && drawn("ifm-result")) note("table");
        const planned = document.querySelector("ifm-data .result[data-plan=ready]") !== null;
        if (!("plan" in moments) && planned) {
          note("plan"); // and it trains by itself
        }
        const value = document.querySelector("ifm-data progress")?.getAttribute("value") ?? "";
        if (value !== "" && value !== told) moments["progress"] = ++states;
        told = value;
      };
      new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["d", "data-plan", "value"] });
      addEventListener("drop", () => {
        moments["drop"] = performance.now();
        performance.mark("bench.drop");
      }, { capture: true });
    });
    const result = await run(seen);
    if (troubles.length > 0) throw new Error(`the page complained:\n${troubles.join("\n")}`);
    return result;
  } finally {
    await context.close();
  }
}

/** @param {Page} seen @param {string} name @returns {Promise<number>} */
async function moment(seen, name) {
  const found = await seen.waitForFunction((/** @type {string} */ name) => {
    const failed = document.querySelector("ifm-app .error[role=alert]");
    if (failed !== null) return failed.textContent ?? "an error";
    const at = Reflect.get(window, "benchMoments")[name];
    return at > 0 ? at : null;
  }, name, { timeout: 120_000, polling: 20 });
  const at = await found.jsonValue();
  if (typeof at !== "number") throw new Error(`the page says: ${at}`);
  return at;
}

/** @param {Page} seen @param {string} file */
async function drop(seen, file) {
  const devtools = await seen.context().newCDPSession(seen);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of /** @type {const} */ (["dragEnter", "dragOver", "drop"])) await devtools.send("Input.dispatchDragEvent", { type, x: 640, y: 450, data });
  await devtools.detach();
}

/**
 * The tasks of the page's main thread from the drop to the stop, and when the
 * last worker was done after it.
 *
 * @param {Buffer} trace
 */
function read(trace) {
  /** @typedef {{ name: string, cat: string, ph: string, pid: number, tid: number, ts: number, dur?: number, tdur?: number, args: { name?: string } }} Event */
  /** @type {{ traceEvents: Event[] }} */
  const { traceEvents: events } = JSON.parse(trace.toString());
  const at = (/** @type {string} */ name) => {
    const mark = events.find((event) => event.name === name && event.cat.includes("blink.user_timing"));
    if (mark === undefined) throw new Error(`the trace does not hold ${name}`);
    return mark;
  };
  const [from, to] = [at("bench.drop"), at("bench.stop")];
  const tasks = events.filter(({ name, ph, pid }) => ph === "X" && pid === from.pid && (name === "RunTask" || name === "ThreadControllerImpl::RunTask"));
  const main = tasks.filter(({ tid, ts, dur = 0 }) => tid === from.tid && ts + dur >= from.ts && ts <= to.ts);
  if (main.length < 100) throw new Error(`the trace holds ${main.length} tasks of the main thread, want hundreds`);
  const wall = main.map(({ dur = 0 }) => dur / 1000);
  const cpu = main.map(({ dur = 0, tdur }) => {
    if (tdur === undefined && dur > 1000) throw new Error("the trace tells no CPU time");
    return (tdur ?? dur) / 1000;
  });
  const workers = new Set(events.filter(({ name, pid, args }) => name === "thread_name" && pid === from.pid && args.name?.startsWith("DedicatedWorker")).map(({ tid }) => tid));
  const last = tasks.filter(({ tid, ts, dur = 0 }) => workers.has(tid) && ts <= to.ts + 1e6 && dur > 500).map(({ ts, dur = 0 }) => ts + dur);
  if (last.length === 0) throw new Error("the trace holds no work of a worker");
  return { wall: Math.max(...wall), cpu: Math.max(...cpu), long: wall.filter((ms) => ms > 50).length, stopped: Math.max(0, Math.max(...last) - to.ts) / 1000 };
}

/** Numbers with six digits in COLUMNS columns; the target depends on pairs of the others. @param {string} file @param {number} size */
async function writeTable(file, size) {
  const out = await open(file, "w");
  try {
    let state = 1;
    const uniform = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32 - 0.5;
    };
    let text = `y,${Array.from({ length: COLUMNS - 1 }, (_, j) => `x${j + 1}`).join(",")}\n`;
    for (let bytes = 0; bytes < size; ) {
      for (let row = 0; row < 5000; row++) {
        const x = Array.from({ length: COLUMNS - 1 }, uniform);
        const [a = 0, b = 0, c = 0, d = 0] = x;
        text += `${[a + 4 * a * b - 4 * c * d + 0.1 * uniform(), ...x].map((v) => v.toFixed(6)).join(",")}\n`;
      }
      bytes += (await out.write(text)).bytesWritten;
      text = "";
    }
  } finally {
    await out.close();
  }
}

/** Lighthouse as its own program, on a phone with a slow network, as it sets them up. @param {Bench} bench @returns {Promise<Line[]>} */
async function lighthouse({ origin }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "ifmlab-lighthouse-"));
  try {
    const asked = /** @type {const} */ ({ performance: 98, accessibility: 100, "best-practices": 100, seo: 100 });
    const metrics = /** @type {const} */ ({ "first-contentful-paint": "ms", "largest-contentful-paint": "ms", "total-blocking-time": "ms", "speed-index": "ms", "cumulative-layout-shift": "" });
    /** @type {Record<string, number[]>} */
    const seen = {};
    for (let round = 0; round < ROUNDS; round++) {
      const report = path.join(folder, `${round}.json`);
      await promisify(execFile)(
        process.execPath,
        [fileURLToPath(new URL("node_modules/lighthouse/cli/index.js", import.meta.url)), `${origin}/`, "--quiet", "--output=json", `--output-path=${report}`, `--only-categories=${Object.keys(asked)}`, `--chrome-flags=--headless=new ${flags.join(" ")}`, "--no-enable-error-reporting"],
        { env: { ...process.env, CHROME_PATH: await findChromium(["chromium", "chromium-headless-shell"]) }, timeout: 180_000 },
      );
      const { categories, audits, runtimeError, runWarnings } = JSON.parse(await readFile(report, "utf8"));
      if (runtimeError !== undefined) throw new Error(`Lighthouse: ${runtimeError.message}`);
      if (runWarnings.length > 0) throw new Error(`Lighthouse: ${runWarnings.join("; ")}`);
      for (const name of Object.keys(asked)) (seen[name] ??= []).push(number(categories[name]?.score, name) * 100);
      for (const name of Object.keys(metrics)) (seen[name] ??= []).push(number(audits[name]?.numericValue, name));
    }
    return [
      ...Object.entries(asked).map(([name, aim]) => ({ name: `Lighthouse on a phone: ${name}`, value: median(seen[name] ?? []), unit: "", aim: `≥ ${aim}` })),
      ...Object.entries(metrics).map(([name, unit]) => ({ name: `… ${name.replaceAll("-", " ")}`, value: median(seen[name] ?? []), unit })),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param {unknown} value @param {string} name */
function number(value, name) {
  if (typeof value !== "number" || Number.isNaN(value)) throw new Error(`Lighthouse gave no ${name}`);
  return value;
}
