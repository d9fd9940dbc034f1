// @ts-check
/** The page as one file, opened from a disk without a network. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { assertFits, openPage, origin, serveHTML } from "./lab.mjs";
import { built, offlineAddress, records, until, walkOffline } from "./offline.mjs";
import { savedChart, tab, twice } from "./table.mjs";

/** Opens a file in a profile without a network; it may ask only for itself and what it made. @param {TestContext} t @param {string} address @param {Parameters<typeof openPage>[2]} [options] */
async function openOffline(t, address, options = {}) {
  const page = await openPage(t, "about:blank", { ...options, origins: ["null"], alone: true });
  const context = page.context();
  await context.setOffline(true);
  await context.route(/^(?!file:|blob:|data:)/, (route) => route.abort());
  /** @type {string[]} */
  const asked = [];
  context.on("request", (request) => asked.push(request.url()));
  t.after(() => assert.deepEqual(asked.filter((url) => !/^(blob|data):/.test(url) && url.replace(/[?#].*/, "") !== address.replace(/[?#].*/, "")), [], "it asked for nothing"));
  await page.goto(address);
  return page;
}

/** The file with a state baked into it. @param {string} text @param {string} content */
function baked(text, content) {
  const attribute = content.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return text.replace('name="ifm-lab" content=""', () => `name="ifm-lab" content="${attribute}"`);
}

/** Bakes a state into the file as it lies on the disk. @param {string} address @param {string} content */
async function bake(address, content) {
  const file = fileURLToPath(address);
  await writeFile(file, baked(await readFile(file, "utf8"), content));
}

const tiny = "d=8&n=100&iterations=20&speed=instant"; // where the numbers do not matter
/** What shows a truth in the figure. @param {string} scenario */
const sign = (scenario) => `ifm-figure .switch input[value=${scenario}]`;
const walk = `?${tiny}&${twice}`;

test("the offline file shows the figure, trains on tables, teaches and goes back, and asks for nothing", async (t) => {
  const page = await openOffline(t, (await offlineAddress(t)) + walk);
  for (const found of Object.values(await walkOffline(page))) assert.ok("curve of ifm" in found);
  await assertFits(page);
  assert.equal(await page.locator("#unstarted").isVisible(), false, "nothing says that it has not started");

  await t.test("what is saved of a table does not tell where the file lies", async () => {
    await page.locator("header [data-place=table]").click();
    await tab(page, "training");
    for (const kind of ["svg", "png", "csv", "json"]) {
      const { bytes } = await savedChart(page, page.locator("ifm-result [data-chart=curve]"), kind);
      assert.ok(bytes.length > 500, `${kind} is there`);
      if (kind === "png") continue;
      assert.doesNotMatch(bytes.toString(), /ifmlab-offline|file:/, `${kind} names no folder`);
      if (kind === "json") assert.match(JSON.parse(bytes.toString()).link, /^ifm-lab\.html\?.*target=y/);
    }
  });
});

test("saved from the page it starts from the page's state, has its numbers to the last bit and knows its address; saved from there, from the new one", async (t) => {
  const page = await openPage(t, "/?scenario=mixed&models=fm,gfm,ifm&d=20&n=100&iterations=20&speed=instant");
  const take = async (/** @type {Page} */ from) => {
    const [download] = await Promise.all([from.waitForEvent("download"), from.getByRole("link", { name: /one file/ }).click()]);
    assert.equal(download.suggestedFilename(), "ifm-lab.html");
    const file = path.join(path.dirname(fileURLToPath(await offlineAddress(t))), "saved.html");
    await download.saveAs(file);
    return pathToFileURL(file).href;
  };
  const online = await records(page, "ifm-figure");
  const first = await take(page);
  const file = await openOffline(t, first);
  await until(file, "the state", () => /** @type {any} */ (document.querySelector("ifm-figure"))?.spec.d === 20);
  assert.ok(await file.locator(sign("mixed")).isChecked());
  assert.equal(Object.keys(online).length, 7);
  assert.deepEqual(await records(file, "ifm-figure"), online);

  await file.locator(sign("psd")).check();
  await file.waitForURL(/scenario=psd/);
  await file.evaluate(() => document.body.append(Object.assign(document.createElement("b"), { textContent: "an extension's" })));
  const second = await take(file);
  const [before, after] = await Promise.all([first, second].map((address) => readFile(fileURLToPath(address), "utf8")));
  assert.ok(before && after && Math.abs(before.length - after.length) < 500, "the copy is as large");
  assert.doesNotMatch(after, /an extension's|data-theme/);
  assert.ok(after.includes(`data-home="${await origin()}/"`), "it still knows where it came from");
  const copy = await openOffline(t, second);
  await until(copy, "the new state", () => /** @type {any} */ (document.querySelector("ifm-figure"))?.spec.scenario === "psd");
  await records(copy, "ifm-figure");
  await copy.goto(`${second}?scenario=flipped&d=12&n=100`);
  await until(copy, "the address's state", () => /** @type {any} */ (document.querySelector("ifm-figure"))?.spec.d === 12);
});

test("a reader who goes back to the plain settings stays there, whatever the file starts from", async (t) => {
  const address = await offlineAddress(t);
  await bake(address, "scenario=mixed&speed=instant");
  const page = await openOffline(t, address);
  await page.locator(sign("mixed")).waitFor();
  await page.evaluate(() => document.querySelector("ifm-app")?.dispatchEvent(new CustomEvent("ifm-view", { detail: { speed: "normal" } })));
  await page.locator(sign("flipped")).check();
  await until(page, "an address", () => location.search !== "");
  await page.reload();
  await page.locator(sign("flipped")).waitFor();
  assert.ok(await page.locator(sign("flipped")).isChecked());
  await page.goBack();
  await until(page, "where it started", () => /** @type {any} */ (document.querySelector("ifm-figure"))?.spec.scenario === "mixed");
});

test("its policy lets nothing run and nothing leave but what the build put there", async (t) => {
  const page = await openPage(t, await offlineAddress(t), { origins: ["null", "http://127.0.0.1:9"], expected: [/Content Security Policy/i] }); // Chromium tells of requests that its policy stops
  await page.locator("h1").waitFor();
  const got = await page.evaluate(async () => {
    /** @type {string[]} */
    const refused = [];
    const all = new Promise((resolve) => document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      refused.push(effectiveDirective);
      if (blockedURI.endsWith("/last.png")) resolve(null);
    }));
    const element = document.createElement("script");
    element.textContent = "window.hit = 1";
    document.head.append(element);
    const later = document.createElement("script");
    later.src = URL.createObjectURL(new Blob(["window.hit = 2"]));
    const ended = new Promise((resolve) => Object.assign(later, { onload: resolve, onerror: resolve }));
    document.head.append(later);
    await ended;
    document.body.append(Object.assign(new Image(), { src: "http://127.0.0.1:9/leak.png" }));
    await fetch("http://127.0.0.1:9/leak").catch(() => undefined);
    const own = await fetch(URL.createObjectURL(new Blob(["x"]))).then(() => "sent", () => "refused");
    new Image().src = "http://127.0.0.1:9/last.png"; // what was refused is told in its order
    await all;
    return { refused: [...new Set(refused)].sort(), own, hit: /** @type {any} */ (window).hit };
  });
  assert.deepEqual(got, { refused: ["connect-src", "img-src", "script-src-elem"], own: "refused", hit: undefined });
});

test("a file that was cut short says so, and where the engine alone is missing the page says that", async (t) => {
  const address = await offlineAddress(t);
  const text = await readFile(built, "utf8");
  await writeFile(fileURLToPath(address), text.slice(0, 150_000));
  const page = await openOffline(t, address);
  assert.match(await page.getByRole("alert").innerText(), /could not be unpacked.*incomplete: download it again/);
  await writeFile(fileURLToPath(address), text.slice(0, 900_000));
  await page.reload();
  await page.locator("ifm-figure").getByText(/engine could not start/).first().waitFor();
});

test("in a browser that cannot unpack it the file says what it takes", async (t) => {
  const before = (/** @type {Page} */ page) => page.addInitScript(() => Reflect.deleteProperty(window, "DecompressionStream"));
  const page = await openPage(t, await offlineAddress(t), { origins: ["null"], before });
  assert.match(await page.getByRole("alert").innerText(), /too old.*DecompressionStream.*2023 or later/);
});

test("a script that is not the one that was built into it does not run, and the file says so", async (t) => {
  const address = await offlineAddress(t);
  const text = await readFile(built, "utf8");
  await writeFile(fileURLToPath(address), text.replace(/('sha256-[^']+' 'sha256-)(.)/, (_, before, first) => before + (first === "A" ? "B" : "A")));
  const page = await openOffline(t, address, { expected: [/Content Security Policy/i] });
  assert.match(await page.getByRole("alert").innerText(), /its script has been changed/);
  assert.equal(await page.locator("h1").count(), 0);
});

test("where a server's policy forbids its script the file says so and how to open it", async (t) => {
  const text = await readFile(built, "utf8");
  for (const [policy, styled] of /** @type {const} */ ([["script-src 'none'", true], ["default-src 'none'", false]])) {
    const home = await serveHTML(text, { "content-security-policy": policy });
    const page = await openPage(t, `${home}/`, { origins: [home], expected: [/Content Security Policy/i] });
    const said = page.locator("#unstarted");
    if (styled) await said.evaluate((e) => e.getAnimations()[0]?.finish()); // it might still have started: its clock is put forward
    assert.ok(await said.isVisible(), policy);
    assert.match(await said.innerText(), /has not started.*something forbids that script.*Save the file/);
    assert.equal(await said.locator("a").getAttribute("download"), "ifm-lab.html");
  }
});

test("from a server that says nothing of it the file works in a sandbox without an origin", async (t) => {
  const home = await serveHTML(baked(await readFile(built, "utf8"), tiny));
  const host = await serveHTML(`<!doctype html><title>Host</title><iframe title="iFM Lab" width="900" height="900" sandbox="allow-scripts" src="${home}/"></iframe>`);
  const page = await openPage(t, host, { origins: [home, host, "null"] });
  await page.frameLocator("iframe").locator("ifm-figure .verdict[data-phase=done]").waitFor();
});
