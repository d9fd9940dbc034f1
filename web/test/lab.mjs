// @ts-check
/// <reference path="types.d.ts" />
/**
 * What every test of the page starts from: the server, Chromium, pages that fail
 * their test when they complain or ask another host, and gestures that Playwright lacks.
 *
 * The files share the server of run.mjs, and some of them a browser; a file that is run
 * alone starts its own. No test waits for a time to pass: it waits for what it wants to
 * see, or for `settled`. Where nothing may happen, it holds the page's clock and
 * lets time pass by `still`. It holds what comes too fast to be seen at a `gate`.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

import { AxeBuilder } from "@axe-core/playwright";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

import { launch, patience, serve, together, WORK } from "./browser.mjs";

/** @typedef {import("playwright-core").BrowserContextOptions} BrowserContextOptions */

const here = path.dirname(fileURLToPath(import.meta.url));
const update = process.env["UPDATE"] === "1";
const SHARE = 0.01;

/** @type {(() => Promise<void> | void)[]} */
const closers = [];
after(async () => {
  for (const close of closers.reverse()) await close();
});

/** @template T @param {() => Promise<T>} make @returns {() => Promise<T>} */
function lazily(make) {
  /** @type {Promise<T> | undefined} */
  let made;
  return () => (made ??= make());
}

/** How large a page is seen where a test does not say. */
const usual = { width: 1280, height: 900 };

/** The address of the page on the server of these tests, without a slash at its end. */
export const origin = lazily(async () => {
  if (process.env["IFMLAB_ORIGIN"]) return process.env["IFMLAB_ORIGIN"];
  const server = await serve();
  closers.push(async () => assert.equal(await server.stop(), 0, "the server stops with 0 when it is asked to"));
  return server.origin;
});

/** @param {string[]} flags */
const closing = async (...flags) => {
  const launched = await launch(...flags);
  closers.push(() => launched.close());
  return launched;
};
const browser = lazily(() => closing(together));
const oldBrowser = lazily(() => closing(together, "--js-flags=--no-enable-sse4-1")); // V8 needs SSE 4.1 for WebAssembly's SIMD

/** A profile for pages. @param {boolean} simd @param {BrowserContextOptions} options */
async function profile(simd, options) {
  const made = await (await (simd ? browser() : oldBrowser())).newContext({ viewport: usual, ...options });
  made.setDefaultTimeout(patience());
  return made;
}

/** The profiles that pages share, by what these are asked for beyond a size and a look. @type {Map<string, ReturnType<typeof profile>>} */
const profiles = new Map();

/** The file of tests that these profiles are of. */
let owner = "";

/** Closes the profiles of another file of tests than the one that asks for a page. */
async function leave() {
  const [file = ""] = /[\w-]+\.test\.mjs/.exec(new Error().stack ?? "") ?? [];
  if (file === "" || file === owner) return;
  owner = file;
  const left = [...profiles.values()];
  profiles.clear();
  for (const profile of left) await (await profile).close();
}

/**
 * A profile, and so a process, that the pages of a file share. Its first page holds the
 * compiled engines for the others: four trainings took 8.7 s of processor time, not 10.1 s.
 *
 * @type {typeof profile}
 */
function shared(simd, options) {
  const name = JSON.stringify([simd, options]);
  const known = profiles.get(name);
  if (known) return known;
  const made = profile(simd, options).then(async (profile) => {
    const [first, home] = [await profile.newPage(), await origin()];
    await first.goto(`${home}/licenses.txt`);
    const held = new Set();
    profile.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${home}/a/`) || !url.endsWith(".wasm") || held.has(url)) return;
      held.add(url);
      const hold = async (/** @type {string} */ url) => void (/** @type {any} */ (window)[url] = await WebAssembly.compileStreaming(fetch(url)));
      first.evaluate(hold, url).catch(() => held.delete(url)); // as when a test's browser ends
    });
    return profile;
  });
  profiles.set(name, made);
  return made;
}

/** The options of a test, or of a part of one, that asks again what another asks more cheaply: at another size, in other colours, of another table, on a longer way. LONG=1 runs them; a part that is skipped leaves nothing that a later one needs. */
export const acceptance = { skip: process.env["LONG"] ? false : "long runs: make acceptance" };

/** What the page that was opened last is told of: pages that it opens are its own. @type {object} */
let latest = {};

/**
 * Opens a page of the server, "/?d=30" for instance, or a whole address. The test
 * fails if the page writes to the console, throws, crashes, or asks an origin other
 * than the server's and `origins`. `expected` are console messages that belong to the
 * test. `simd` false: a browser without SIMD, on x64. `held`: the clock stands but in
 * `settled` and `still`. `alone`: a profile of its own, as with a held clock. `before`
 * prepares the page. `processors`: how many the page believes the machine to have.
 *
 * @param {TestContext} t
 * @param {string} [address]
 * @param {BrowserContextOptions & { origins?: string[], expected?: RegExp[], simd?: boolean, held?: boolean, alone?: boolean, before?: (page: Page) => Promise<unknown>, processors?: number }} [options]
 * @returns {Promise<Page>}
 */
export async function openPage(t, address = "/", { origins = [], expected = [], simd = true, held = false, alone = false, before, processors, viewport = usual, colorScheme = "light", reducedMotion = "no-preference", ...options } = {}) {
  const home = await origin();
  const own = alone || held;
  await leave();
  const context = await (own ? profile : shared)(simd, options);
  /** @type {string[]} */
  const troubles = [];
  /** @type {Set<Page | null>} */
  const mine = new Set([null]);
  const came = (/** @type {Page} */ page) => {
    if (latest !== mine) return;
    mine.add(page);
    page.on("crash", () => troubles.push("the page crashed"));
  };
  const asked = (/** @type {import("playwright-core").Request} */ request) => {
    const url = new URL(request.url());
    if (!["blob:", "data:"].includes(url.protocol) && ![home, ...origins].includes(url.origin) && mine.has(whose(request))) troubles.push(`asked ${url.origin} for ${url.pathname}`);
  };
  const wrote = (/** @type {import("playwright-core").ConsoleMessage} */ message) => {
    const text = message.text();
    if (mine.has(message.page()) && !expected.some((pattern) => pattern.test(text))) troubles.push(`console ${message.type()}: ${text} (${message.location().url})`);
  };
  const threw = (/** @type {import("playwright-core").WebError} */ error) => {
    if (mine.has(error.page())) troubles.push(`uncaught ${error.error().stack ?? error.error()}`);
  };
  context.on("page", came).on("request", asked).on("console", wrote).on("weberror", threw);
  const tell = async (/** @type {any} */ ended) => {
    if (ended.passed === false) for (const page of mine) if (page && !page.isClosed()) t.diagnostic(`${ended.name}: ${page.url()} ${await condition(page)}`);
  };
  t.afterEach(tell); // a test whose part has failed goes on
  t.after(async () => {
    await tell(t);
    if (own) await context.close();
    else for (const page of mine) await page?.close();
    context.off("page", came).off("request", asked).off("console", wrote).off("weberror", threw);
    assert.deepEqual(troubles, [], "the page ran without a complaint and stayed at home");
  });
  latest = mine;
  context.setDefaultTimeout(patience());
  const page = await context.newPage();
  if (viewport && viewport !== usual) await page.setViewportSize(viewport);
  if (colorScheme !== "light" || reducedMotion !== "no-preference") await page.emulateMedia({ colorScheme, reducedMotion });
  if (held) await hold(page);
  if (processors) await page.addInitScript((n) => Object.defineProperty(navigator, "hardwareConcurrency", { value: n }), processors);
  await before?.(page);
  await page.goto(new URL(address, home).href);
  return page;
}

/** Whose page a request is: null while there is none. @param {import("playwright-core").Request} request */
function whose(request) {
  try {
    return request.frame().page();
  } catch {
    return null;
  }
}

/** The pages whose clock is held. @type {WeakSet<Page>} */
const holding = new WeakSet();

/** Holds the clock of a page, and of what is opened in it from now on. @param {Page} page */
async function hold(page) {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  holding.add(page);
}

/** Lets the clock of a page go on by itself again. @param {Page} page */
export async function release(page) {
  holding.delete(page);
  await page.clock.resume();
}

/** Resolves when a page or a frame has been laid out and drawn; rejects after some ms. @param {{ evaluate: (f: any) => Promise<unknown> }} where */
export async function laidOut(where, ms = patience()) {
  const drawn = where.evaluate(() => new Promise((resolve) => new IntersectionObserver((_, once) => (once.disconnect(), resolve(null))).observe(document.documentElement)));
  await within(ms, drawn, "was not drawn");
}

/** Resolves as a promise does, or rejects once it has been waited for so long. @template T @param {number} ms @param {Promise<T>} promise @param {string} why @returns {Promise<T>} */
async function within(ms, promise, why) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`the page ${why} for ${Math.round(ms / 1000)} s`)), ms)));
  try {
    return /** @type {T} */ (await Promise.race([promise, late]));
  } finally {
    clearTimeout(timer);
  }
}

/** The state of a page whose test has failed: whether it answers, is seen, is busy, moves, and is drawn, without which Playwright presses nothing. @param {Page} page */
async function condition(page) {
  const told = () => ({ seen: document.visibilityState, pending: document.documentElement.hasAttribute("data-pending"), moving: document.getAnimations().length });
  try {
    const says = await within(10_000, page.evaluate(told), "did not answer");
    const drawn = await laidOut(page, 10_000).then(() => "is drawn", String);
    return `answers ${JSON.stringify(says)} and ${drawn}`;
  } catch (error) {
    return String(error);
  }
}

/**
 * Resolves when a page or a frame has nothing more to do, after a gesture if there is one: no call of the
 * engine, no timer, no drawing, no script on its way. A paused run is nothing to do. A held clock goes on until then.
 *
 * @param {Page | Frame} where
 * @param {Promise<unknown>} [gesture]
 */
export async function settled(where, gesture) {
  await gesture;
  await laidOut(where);
  const page = "page" in where ? where.page() : where;
  const quiet = where.locator("html:not([data-pending])");
  if (!holding.has(page)) return quiet.waitFor({ state: "attached", timeout: WORK });
  const end = Date.now() + WORK;
  do {
    while ((await quiet.count()) === 0) {
      assert.ok(Date.now() < end, "the page has settled in time");
      await page.clock.runFor(20);
    }
    for (let y = NaN, at = 0, seen = 0; seen < 3; seen = at === y ? seen + 1 : 0, y = at) {
      await laidOut(where); // frames of a held clock are none in which anything comes into sight
      at = await page.evaluate(() => scrollY);
    }
  } while ((await quiet.count()) === 0);
}

/** Goes to another link of the page without loading it anew, as back and forward do: a tenth of the cost of a new page. @param {Page} page @param {string} link */
export async function follow(page, link) {
  await page.evaluate((link) => {
    history.pushState(null, "", link);
    dispatchEvent(new PopStateEvent("popstate"));
  }, link);
  await settled(page);
}

/** Lets some ms of a held clock pass and the page settle: what comes by then has come. @param {Page} page @param {number} ms */
export async function still(page, ms) {
  assert.ok(holding.has(page), "its clock is held");
  await settled(page);
  await page.clock.runFor(ms);
  await settled(page);
}

/**
 * Holds the requests that match a pattern until it is opened. `asked` resolves when there is one.
 *
 * @param {Page} page
 * @param {Parameters<Page["route"]>[0]} pattern
 */
export async function gate(page, pattern) {
  let [open, came] = [() => {}, () => {}];
  const opened = new Promise((resolve) => (open = () => resolve(null)));
  const asked = new Promise((resolve) => (came = () => resolve(null)));
  await page.route(pattern, async (route) => {
    came();
    await opened;
    await route.continue().catch(() => undefined); // who asked may have gone
  });
  return { asked, open };
}

/** Has each engine's worker run a script before its own, from the page's next load on. @param {Page} page @param {string} script */
export async function inWorkers(page, script) {
  await page.route("**/a/worker-*.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${script};\n${await response.text()}` });
  });
}

/** @typedef {{ name: string, bytes: string | Uint8Array } | { path: string }} Brought a file, made or as it lies on the disk */

/** Drops a file on an element, by the events of a drag. @param {Page} page @param {string | Locator} target @param {Brought} file */
export async function dropFile(page, target, file) {
  const locator = typeof target === "string" ? page.locator(target) : target;
  const devtools = await page.context().newCDPSession(page);
  try {
    const { result } = await devtools.send("Runtime.evaluate", { expression: `globalThis.carried = Object.assign(document.createElement("input"), { type: "file" })` });
    await devtools.send("DOM.setFileInputFiles", { files: [await placed(file)], objectId: result.objectId ?? "" }); // its bytes stay on the disk
    const taken = await locator.evaluate((element) => {
      const dataTransfer = new DataTransfer();
      for (const carried of /** @type {any} */ (globalThis).carried.files) dataTransfer.items.add(carried);
      delete /** @type {any} */ (globalThis).carried;
      const tell = (/** @type {string} */ type) => !element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true }));
      tell("dragenter");
      return tell("dragover") && (tell("drop"), true);
    });
    assert.ok(taken, "the page takes what is over it");
  } finally {
    await devtools.detach();
  }
}

/**
 * Drops a file or a folder on an element as a reader does, from outside the page.
 * Chromium loses a drag while the page is laid out anew, so only one test does it.
 *
 * @param {Page} page
 * @param {string} target
 * @param {Brought} file
 */
export async function dragFile(page, target, file) {
  await settled(page);
  const { x, y } = (await page.locator(target).boundingBox()) ?? assert.fail(`${target} is on the page and visible`);
  const devtools = await page.context().newCDPSession(page);
  try {
    const data = { items: [], files: [await placed(file)], dragOperationsMask: 1 };
    for (const type of /** @type {const} */ (["dragEnter", "dragOver", "drop"])) await devtools.send("Input.dispatchDragEvent", { type, x: x + 9, y: y + 9, data });
  } finally {
    await devtools.detach();
  }
}

/** Where a file is on the disk. @param {Brought} file @returns {Promise<string>} */
async function placed(file) {
  return "path" in file ? path.resolve(file.path) : temporaryFile(file.name, file.bytes);
}

/** The bytes of what a page has saved. @param {import("playwright-core").Download} download */
export async function downloaded(download) {
  return buffer(await download.createReadStream());
}

/** @param {string} name @param {string | Uint8Array} bytes */
async function temporaryFile(name, bytes) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "ifmlab-test-"));
  closers.push(() => rm(folder, { recursive: true }));
  const file = path.join(folder, name);
  await writeFile(file, bytes);
  return file;
}

/**
 * Serves one HTML text on an origin of its own, which it returns.
 *
 * @param {string} html
 * @param {http.OutgoingHttpHeaders} [headers]
 */
export async function serveHTML(html, headers = {}) {
  const server = http.createServer((request, response) => {
    const found = request.url === "/";
    response.writeHead(found ? 200 : 204, { "content-type": "text/html; charset=utf-8", ...headers });
    response.end(found ? html : undefined); // 204: a browser asks for /favicon.ico
  });
  return listen(server);
}

/** Has a server listen on a port of its own until the file of tests ends: a page may ask for something as long as it is open. @param {http.Server} server @returns {Promise<string>} the origin */
export async function listen(server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return `http://127.0.0.1:${address.port}`;
}

/** Moves an element to a whole pixel, or what is above it decides how many of them it covers. @param {HTMLElement | SVGElement} element */
function onWholePixels(element) {
  const { left, top } = element.getBoundingClientRect();
  const [x, y] = [left + scrollX, top + scrollY];
  element.style.translate = `${Math.ceil(x) - x}px ${Math.ceil(y) - y}px`;
}

/**
 * Compares what is seen with reference/NAME.png; UPDATE=1 writes it. SHARE of the pixels
 * may differ, as versions of Chromium do. What differs is put into actual/. `scale`: pixels
 * of CSS or of the screen.
 *
 * @param {Page | Locator} seen
 * @param {string} name
 * @param {{ folder?: string, scale?: "css" | "device", write?: (picture: PNG) => Buffer }} [options]
 */
export async function matchPicture(seen, name, { folder = path.join(here, "reference"), scale = "css", write = (picture) => PNG.sync.write(picture) } = {}) {
  if (!("goto" in seen)) await seen.evaluate(onWholePixels);
  const actual = PNG.sync.read(await seen.screenshot({ animations: "disabled", caret: "hide", scale }));
  const reference = path.join(folder, `${name}.png`);
  if (update) {
    await mkdir(path.dirname(reference), { recursive: true });
    await writeFile(reference, write(actual));
    return;
  }
  const wanted = PNG.sync.read(await readFile(reference).catch(() => assert.fail(`there is no picture ${reference}; run make update`)));
  /** @param {string} suffix @param {PNG} picture */
  const keep = async (suffix, picture) => {
    await mkdir(path.join(here, "actual"), { recursive: true });
    await writeFile(path.join(here, "actual", `${name}${suffix}.png`), PNG.sync.write(picture));
  };
  if (actual.width !== wanted.width || actual.height !== wanted.height) {
    await keep("", actual);
    assert.fail(`${name} is ${actual.width}×${actual.height}, want ${wanted.width}×${wanted.height}; see web/test/actual, and run make update if that is how it should look`);
  }
  const difference = new PNG({ width: wanted.width, height: wanted.height });
  const pixels = pixelmatch(actual.data, wanted.data, difference.data, wanted.width, wanted.height, { threshold: 0.15 });
  const differs = pixels / (wanted.width * wanted.height);
  if (differs > SHARE) {
    await keep("", actual);
    await keep(".difference", difference);
    assert.fail(`${name} differs in ${(100 * differs).toFixed(2)} % of its pixels, want at most ${100 * SHARE} %; see web/test/actual, and run make update if that is how it should look`);
  }
}

/**
 * Fails unless the page, or some parts of it, keeps axe's rules.
 *
 * @param {Page} page
 * @param {{ include?: string[], exclude?: string[] }} [options]
 */
export async function assertAccessible(page, { include = [], exclude = [] } = {}) {
  const builder = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ["violations"] }); // without a page of its own and a list of all that is well: a third of the time
  for (const selector of include) builder.include(selector);
  for (const selector of exclude) builder.exclude(selector);
  const { violations } = await builder.analyze();
  const lines = violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help} at ${node.target.join(" ")}`));
  assert.deepEqual(lines, [], "the page keeps axe's rules");
}

/** Fails if the page is wider than what it is seen through. @param {Page} page */
export async function assertFits(page) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `nothing sticks out to the right (${overflow} px)`);
}

/** Presses Tab until what has the focus fits the selector, as a reader without a mouse does. @param {Page} page @param {string} selector */
export async function tabTo(page, selector) {
  for (let i = 0; i < 400; i++) {
    if (await page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not lead to ${selector}`);
}
