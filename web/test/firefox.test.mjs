// @ts-check
/** The page in Firefox: by itself, with the numbers that Chromium gets, and in frames of other sites. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { frameIn, openFirefox, settled, skip } from "./firefox.mjs";
import { below, elementPolicy, elements, following, framed, isolated, policyOf, quiet, sandboxed, serveDist, strict } from "./hosts.mjs";
import { acceptance, laidOut, openPage, origin, serveHTML } from "./lab.mjs";
import { offlineAddress, records, walkOffline } from "./offline.mjs";
import { everyReader } from "./packing.mjs";

const sample = (/** @type {string} */ name) => fileURLToPath(new URL(`../samples/${name}`, import.meta.url));

/** @param {Record<string, string>} got @param {Record<string, string>} wanted @param {number} least */
function assertSame(got, wanted, least) {
  const names = Object.keys(wanted).sort();
  assert.ok(names.length >= least, `${names} are ${least} at least`);
  assert.deepEqual(Object.keys(got).sort(), names);
  assert.ok(names.every((name) => /\d\.\d{10}/.test(wanted[name] ?? "")), "there is something to compare");
  assert.deepEqual(names.filter((name) => got[name] !== wanted[name]), [], "what has other bits");
}

test("Firefox draws the figure with Chromium's numbers, to the last bit", { skip }, async (t) => {
  const address = "/?scenario=mixed&models=fm,gfm,ifm&d=12&n=200&iterations=30&speed=instant";
  const theirs = await openFirefox(t, address);
  const got = await records(theirs, "ifm-figure");
  await theirs.waitForSelector("ifm-figure [data-chart=curve] .plot svg");
  assertSame(got, await records(await openPage(t, address), "ifm-figure"), 7);
});

test("Firefox opens a reader's file and trains on it with Chromium's numbers", { skip }, async (t) => {
  const address = "/?speed=instant&iterations=30&ranks=2&lambdas=0.03&trials=2#table";
  const theirs = await openFirefox(t, address);
  const input = await theirs.waitForSelector("input[data-file=table]");
  await /** @type {import("puppeteer-core").ElementHandle<HTMLInputElement>} */ (input).uploadFile(sample("cars.csv"));
  const got = await records(theirs, "ifm-result");
  const page = await openPage(t, address);
  await page.locator("input[data-file=table]").setInputFiles(sample("cars.csv"));
  assertSame(got, await records(page, "ifm-result"), 3);
});

test("Firefox opens packed files of every kind, and they hold what they hold in Chromium", { skip: skip || acceptance.skip }, async (t) => {
  const address = `/?d=8&k=2&n=100&speed=instant&source=table&member=houses.xlsx#table`;
  const folder = await mkdtemp(path.join(os.tmpdir(), "ifmlab-packed-"));
  t.after(() => rm(folder, { recursive: true }));
  const opened = (/** @type {string} */ name) => document.querySelector("ifm-data .opened")?.getAttribute("data-table") === name;
  const table = () => (({ table, ...read }) => read)(/** @type {any} */ (document.querySelector("ifm-data")).loaded.table);
  for (const [name, title] of /** @type {const} */ ([["houses.zip", "houses.xlsx"], ["houses.parquet", "houses.parquet"]])) {
    const [theirs, page] = [await openFirefox(t, address), await openPage(t, address)];
    const file = path.join(folder, name);
    await writeFile(file, everyReader[name] ?? "");
    await /** @type {import("puppeteer-core").ElementHandle<HTMLInputElement>} */ (await theirs.waitForSelector("input[data-file=table]")).uploadFile(file);
    await theirs.waitForFunction(opened, {}, title);
    await page.locator("input[data-file=table]").setInputFiles(file);
    await page.waitForFunction(opened, title);
    const read = await theirs.evaluate(table);
    assert.deepEqual(read, await page.evaluate(table));
    assert.equal(read.rows, 60);
  }
});

/** Opens a page around the lab on an origin of its own. @param {TestContext} t @param {import("./hosts.mjs").Host} host @param {{ expected?: RegExp[], origins?: string[] }} [options] */
async function openHost(t, { html, headers }, { expected = [], origins = [] } = {}) {
  const outside = await serveHTML(html, headers);
  return openFirefox(t, outside, { origins: [outside, ...origins], expected });
}

/** What the page around has heard. @param {import("puppeteer-core").Page} page @returns {Promise<any[]>} */
const heard = (page) => page.evaluate(() => /** @type {any} */ (window).heard);

/** Waits until something is true of what was heard. @param {import("puppeteer-core").Page} page @param {string} condition of heard */
const until = (page, condition) => page.waitForFunction(`((heard) => ${condition})(window.heard)`);

/** Waits for the end of the run in a frame, and until the page around it has heard of it; returns its sentence. @param {import("puppeteer-core").Frame} frame */
async function ended(frame) {
  await quiet(frame, settled);
  await frame.waitForSelector(".verdict[data-phase=done]");
  await frame.waitForSelector("[data-chart=curve] .plot svg");
  return frame.$eval("[data-verdict]", (says) => says.textContent ?? "");
}

/** @param {import("puppeteer-core").Frame} frame */
const heightOf = (frame) => frame.$eval("ifm-app", (app) => Math.ceil(app.getBoundingClientRect().height));

const short = "embed=1&speed=instant&d=8&n=100&iterations=20";

/** @type {Record<string, (src: string) => import("./hosts.mjs").Host>} */
const hosts = {
  "a plain frame": framed,
  "a sandbox without an origin": sandboxed,
  "a page isolated by require-corp": (src) => isolated(src, "require-corp"),
  "a page isolated by credentialless": (src) => isolated(src, "credentialless"),
  "a strict page that names the lab": (src) => strict(src, new URL(src).origin),
};
for (const [where, around] of Object.entries(hosts)) {
  test(`in Firefox the figure runs in ${where} and tells its height`, { skip: skip || (/plain|isolated/.test(where) && acceptance.skip) }, async (t) => {
    const page = await openHost(t, around(`${await origin()}/?${short}`));
    const frame = await frameIn(page);
    assert.match(await ended(frame), /FM/);
    const told = await heard(page);
    assert.deepEqual([...new Set(told.map((m) => m.type ?? m.subject))].sort(), ["ifm-lab.height", "ifm-lab.hello", "lti.frameResize", "org.imsglobal.lti.frameResize"]);
    assert.equal(told.findLast((m) => m.type === "ifm-lab.height").height, await heightOf(frame));
    if (/isolated/.test(where)) assert.ok(await page.evaluate(() => crossOriginIsolated), "the page around is isolated");
  });
}

/** @type {Record<string, { policy: Record<string, string>, around: (src: string) => import("./hosts.mjs").Host, says: RegExp }>} */
const lacking = {
  "without WebAssembly": { policy: { "script-src": "'self'" }, around: framed, says: /forbids its WebAssembly.*script-src needs 'wasm-unsafe-eval'/ },
  "without workers": { policy: { "worker-src": "'none'" }, around: framed, says: /forbids its web worker.*worker-src needs 'self' blob:/ },
  "without a sandbox's workers": { policy: { "worker-src": "'self'" }, around: sandboxed, says: /forbids its web worker.*worker-src needs 'self' blob:/ },
  "without connections": { policy: { "connect-src": "'none'" }, around: framed, says: /forbids fetching it.*connect-src needs 'self'/ },
  "without scripts": { policy: { "script-src": "'none'" }, around: framed, says: /script-src 'self' 'wasm-unsafe-eval'/ },
};
for (const [what, { policy, around, says }] of Object.entries(lacking)) {
  test(`in Firefox a lab served under a policy ${what} says in the frame what is missing`, { skip: skip || (/WebAssembly|workers|connections/.test(what) && acceptance.skip) }, async (t) => {
    const home = await serveDist({ policy: policyOf(policy) });
    const page = await openHost(t, around(`${home}/?${short}`), { origins: [home], expected: [/Content-Security-Policy|Content Security Policy|CSP/] });
    const frame = await frameIn(page);
    await frame.waitForFunction((source) => new RegExp(source, "s").test(document.body.innerText), {}, says.source);
  });
}

test("in Firefox a frame that is not seen starts nothing, and a lazy one is not even loaded", { skip: skip || acceptance.skip }, async (t) => {
  const src = `${await origin()}/?${short}`;
  for (const loading of ["eager", "lazy"]) {
    const page = await openHost(t, below(src, `loading="${loading}"`));
    if (loading === "eager") await quiet(await frameIn(page), settled);
    else await laidOut(page);
    const loaded = page.frames().filter((frame) => frame.url().includes("embed=1"));
    assert.equal(loaded.length, loading === "eager" ? 1 : 0);
    for (const frame of loaded) assert.equal(await frame.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".wasm")).length), 0, "the engine was not asked for");
    await page.$eval("iframe", (element) => element.scrollIntoView());
    await until(page, 'heard.some((m) => m.type === "ifm-lab.hello")');
    assert.match(await ended(await frameIn(page)), /FM/);
  }
});

test("in Firefox a frame that follows its height settles, at any width", { skip: skip || acceptance.skip }, async (t) => {
  const page = await openHost(t, following(`${await origin()}/?${short}`, '`${h}px`'));
  const frame = await frameIn(page);
  await ended(frame);
  const heights = [];
  for (const width of [1000, 360, 700]) {
    await page.$eval("iframe", (element, width) => void (element.style.width = `${width}px`), width);
    await frame.waitForFunction((width) => innerWidth === width, {}, width);
    await quiet(frame, settled); // it is told no more once it stands
    assert.ok(await frame.evaluate(() => document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth), `all of it is seen at ${width} px`);
    assert.equal(await page.$eval("iframe", (element) => element.offsetHeight - 4), await heightOf(frame), "and nothing but it"); // 2 px of border
    heights.push(await heightOf(frame));
  }
  assert.ok((heights[1] ?? 0) > (heights[0] ?? 0), `a narrow one is higher: ${heights}`);
});

test("in Firefox two elements on a page of another origin share nothing", { skip: skip || acceptance.skip }, async (t) => {
  const page = await openHost(t, elements(await origin(), ['id="a" seed="1" hide="matrices" d="8" n="100" iterations="30" speed="instant"', 'id="b" seed="2" scenario="mixed" hide="matrices" d="8" n="100" iterations="30" speed="instant"']));
  await page.setViewport({ width: 1280, height: 2400 });
  await until(page, '["a", "b"].every((id) => heard.some((e) => e.of === id && e.type === "ifm-verdict"))');
  const [a = [], b = []] = await page.evaluate(() => [...document.querySelectorAll("ifm-lab")].map((lab) => /** @type {any} */ (lab).records.map((/** @type {any} */ record) => record.testRMSE)));
  assert.ok(a.length > 20 && b.length > 20 && !a.some((/** @type {number} */ v) => b.includes(v)), "each has its own records");
  const ofB = (await heard(page)).filter((e) => e.of === "b").length;
  await page.evaluate(() => /** @type {any} */ (document.querySelector("#a")).restart(5));
  await until(page, 'heard.some((e) => e.of === "a" && e.type === "ifm-verdict" && e.detail.run === 2)');
  assert.equal((await heard(page)).filter((e) => e.of === "b").length, ofB, "the other did not stir");
  await page.evaluate(() => document.querySelector("#a")?.setAttribute("scenario", "psd"));
  await until(page, 'heard.some((e) => e.of === "a" && e.type === "ifm-verdict" && e.detail.run === 3)');
});

test("in Firefox the element runs on a strict page that names the lab, and says so on one that does not", { skip }, async (t) => {
  const home = await origin();
  const allowed = await openHost(t, elements(home, ['speed="instant" d="8" n="100" iterations="20"'], { policy: elementPolicy(home, home) }));
  await until(allowed, 'heard.some((e) => e.type === "ifm-verdict")');
  const forbidden = await openHost(t, elements(home, ['d="20"'], { policy: elementPolicy(home, "'none'") }), { expected: [/frame-src/] });
  await until(forbidden, 'heard.some((e) => e.type === "ifm-error")');
  const said = await forbidden.$eval("ifm-lab", (lab) => lab.shadowRoot?.querySelector("[part=message]")?.textContent ?? "");
  assert.match(said, new RegExp(`Content-Security-Policy.*frame-src ${home}`));
});

test("Firefox opens the offline file from a disk, with the same numbers, and it asks for nothing", { skip }, async (t) => {
  const address = await offlineAddress(t);
  const page = await openFirefox(t, `${address}?speed=instant&ranks=2&lambdas=0.03&iterations=30`, { origins: [] });
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  const { figure, sample, own } = await walkOffline(page);
  assert.deepEqual(asked.filter((url) => !/^(blob|data|file):/.test(url)), []);
  assertSame(figure, await records(await openPage(t, "/?speed=instant&iterations=30"), "ifm-figure"), 5);
  for (const found of [sample, own]) assert.ok("curve of ifm" in found);
});
