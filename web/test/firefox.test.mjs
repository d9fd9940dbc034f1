// @ts-check
/** The page in Firefox: by itself, with the numbers that Chromium gets, and in frames of other sites. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { frameIn, openFirefox, skip } from "./firefox.mjs";
import { openPage, origin, serveHTML } from "./lab.mjs";

const sample = (/** @type {string} */ name) => fileURLToPath(new URL(`../samples/${name}`, import.meta.url));

/** Whether a panel has all of its run: what each model learnt comes after the curves. @param {string} name */
const whole = (name) => {
  const { phase, lines, matrices } = /** @type {any} */ (document.querySelector(name))?.training ?? {};
  return phase === "done" && matrices.size === lines.length;
};

/** Every number that a panel got of its run, by what it is. @param {any} panel @returns {Record<string, string>} */
const records = ({ training: { lines, matrices, trials } }) => ({
  trials: JSON.stringify(trials.map((/** @type {any} */ trial) => [trial.mean, trial.ridge])),
  ...Object.fromEntries(lines.map((/** @type {any} */ line) => [`curve of ${line.model}`, line.rmse.join(" ")])),
  ...Object.fromEntries([...matrices].map(([model, { values }]) => [`matrix of ${model}`, values.join(" ")])),
});

/** @param {Record<string, string>} got @param {Record<string, string>} wanted @param {number} models */
function assertSame(got, wanted, models) {
  const names = Object.keys(wanted).sort();
  assert.equal(names.length, 1 + 2 * models);
  assert.deepEqual(Object.keys(got).sort(), names);
  assert.ok(names.every((name) => /\d\.\d{10}/.test(wanted[name] ?? "")), "there is something to compare");
  assert.deepEqual(names.filter((name) => got[name] !== wanted[name]), [], "what has other bits");
}

test("Firefox draws the figure with Chromium's numbers, to the last bit", { skip }, async (t) => {
  const address = "/?scenario=mixed&models=fm,gfm,ifm&speed=instant";
  const theirs = await openFirefox(t, address);
  await theirs.waitForFunction(whole, {}, "ifm-figure");
  await theirs.waitForSelector("ifm-figure ifm-curve .plot svg");
  const page = await openPage(t, address);
  await page.waitForFunction(whole, "ifm-figure");
  assertSame(await theirs.$eval("ifm-figure", records), await page.locator("ifm-figure").evaluate(records), 3);
});

test("Firefox opens a reader's file and trains on it with Chromium's numbers", { skip }, async (t) => {
  const address = "/?speed=instant&iterations=30&ranks=2&lambdas=0.03#table";
  const theirs = await openFirefox(t, address);
  const input = await theirs.waitForSelector("input[data-file=table]");
  await /** @type {import("puppeteer-core").ElementHandle<HTMLInputElement>} */ (input).uploadFile(sample("cars.csv"));
  await (await theirs.waitForSelector(".plan[data-state=ready] button.start"))?.click();
  await theirs.waitForFunction(whole, {}, "ifm-result");
  const page = await openPage(t, address);
  await page.locator("input[data-file=table]").setInputFiles(sample("cars.csv"));
  await page.locator(".plan[data-state=ready] button.start").click();
  await page.waitForFunction(whole, "ifm-result");
  assertSame(await theirs.$eval("ifm-result", records), await page.locator("ifm-result").evaluate(records), 2);
});

/** A page of somebody else's around a frame, which keeps what it is told. @param {string} src @param {string} [attributes] */
const host = (src, attributes = "") => `<!doctype html><title>Host</title><link rel="icon" href="data:," /><script>
  heights = [];
  addEventListener("message", ({ data }) => heights.push(data));
</script><iframe title="iFM Lab" width="700" height="900" ${attributes} src="${src}"></iframe>`;

for (const [where, attributes] of Object.entries({ "another origin": "", "a sandbox without an origin": 'sandbox="allow-scripts"' })) {
  test(`in Firefox the embedded figure runs in a frame of ${where} and tells its height`, { skip }, async (t) => {
    const outside = await serveHTML(t, host(`${await origin()}/?embed=1&speed=instant`, attributes));
    const page = await openFirefox(t, outside, { origins: [outside] });
    const frame = await frameIn(page);
    await frame.waitForSelector(".verdict[data-phase=done]");
    assert.match(await frame.$eval("[data-verdict]", (says) => says.textContent ?? ""), /FM is stuck/);
    await frame.waitForSelector("ifm-curve .plot svg");
    const told = await page.evaluate(() => /** @type {any} */ (window).heights);
    assert.deepEqual([...new Set(told.map((/** @type {any} */ m) => m.type ?? m.subject))].sort(), ["ifm-lab.height", "ifm-lab.hello", "lti.frameResize", "org.imsglobal.lti.frameResize"]);
    assert.equal(told.findLast((/** @type {any} */ m) => m.type === "ifm-lab.height").height, await frame.$eval("ifm-app", (app) => Math.ceil(app.getBoundingClientRect().height)));
  });
}
