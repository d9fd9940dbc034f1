// @ts-check
/** The page in Firefox: by itself, with the numbers that Chromium gets, and in frames of other sites. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { frameIn, openFirefox, settled, skip } from "./firefox.mjs";
import { quiet, sandboxed, strict } from "./hosts.mjs";
import { openPage, origin, serveHTML } from "./lab.mjs";
import { offlineAddress, records, walkOffline } from "./offline.mjs";

const quick = "speed=instant&d=12&n=200&trials=2&iterations=30";

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

/** What the page around has heard. @param {import("puppeteer-core").Page} page @returns {Promise<any[]>} */
const heard = (page) => page.evaluate(() => /** @type {any} */ (window).heard);

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
  "a sandbox without an origin": sandboxed,
  "a strict page that names the lab": (src) => strict(src, new URL(src).origin),
};
for (const [where, around] of Object.entries(hosts)) {
  test(`in Firefox the figure runs in ${where} and tells its height`, { skip }, async (t) => {
    const { html, headers } = around(`${await origin()}/?${short}`);
    const outside = await serveHTML(html, headers);
    const page = await openFirefox(t, outside, { origins: [outside] });
    const frame = await frameIn(page);
    assert.match(await ended(frame), /FM/);
    const told = await heard(page);
    assert.deepEqual([...new Set(told.map((m) => m.type ?? m.subject))].sort(), ["ifm-lab.height", "ifm-lab.hello", "lti.frameResize", "org.imsglobal.lti.frameResize"]);
    assert.equal(told.findLast((m) => m.type === "ifm-lab.height").height, await heightOf(frame));
  });
}

test("Firefox opens the offline file from a disk, with the same numbers, and it asks for nothing", { skip }, async (t) => {
  const address = await offlineAddress(t);
  const page = await openFirefox(t, `${address}?${quick}&ranks=2&lambdas=0.03`, { origins: [] });
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  const { figure, sample, own } = await walkOffline(page);
  assert.deepEqual(asked.filter((url) => !/^(blob|data|file):/.test(url)), []);
  assertSame(figure, await records(await openPage(t, `/?${quick}`), "ifm-figure"), 5);
  assertSame(sample, await records(await openPage(t, `/?source=table&sample=penguins&${quick}&ranks=2&lambdas=0.03`), "ifm-result"), 3);
  assert.ok("curve of ifm" in own);
});
