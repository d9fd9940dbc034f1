// @ts-check
/** The figure in a frame of another site. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, origin, serveHTML } from "./lab.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @param {string} src @param {string} [attributes] */
function host(src, attributes = "") {
  return `<!doctype html><title>Host</title><script>
    window.heights = [];
    addEventListener("message", ({ data }) => window.heights.push(data));
  </script><iframe title="iFM Lab" width="700" height="900" ${attributes} src="${src}"></iframe>`;
}

/** @param {Page} page */
async function frameOf(page) {
  const frame = await (await page.locator("iframe").elementHandle())?.contentFrame();
  assert.ok(frame);
  return frame;
}

for (const [where, attributes] of Object.entries({ "another origin": "", "a sandbox without an origin": 'sandbox="allow-scripts"' })) {
  test(`the embedded figure runs in a frame of ${where} and tells its height`, async (t) => {
    const home = await origin();
    const outside = await serveHTML(t, host(`${home}/?embed=1`, attributes));
    const page = await openPage(t, outside, { origins: [outside, "null"] });
    const frame = await frameOf(page);
    await frame.locator(".verdict[data-phase=done]").waitFor({ timeout: 30_000 });
    assert.match(await frame.locator("[data-verdict]").innerText(), /FM is stuck/);
    assert.equal(await frame.locator("header, footer, ifm-data").count(), 0, "the figure is alone");
    const told = await page.evaluate(() => /** @type {any} */ (window).heights);
    const height = told.findLast((/** @type {any} */ m) => m.type === "ifm-lab.height").height;
    assert.ok(height > 300, `it is ${height} px high`);
    assert.deepEqual([...new Set(told.map((/** @type {any} */ m) => m.type ?? m.subject))].sort(), ["ifm-lab.height", "ifm-lab.hello", "lti.frameResize", "org.imsglobal.lti.frameResize"]);
    await frame.getByRole("radio", { name: /Mixed/ }).check();
    await frame.locator(".verdict:not([data-phase=done])").waitFor();
    await frame.locator(".verdict[data-phase=done]").waitFor({ timeout: 30_000 });
  });
}

test("an embed leaves out what its address hides", async (t) => {
  const page = await openPage(t, "/?embed=1&hide=title,switch,matrices&speed=instant");
  await page.locator(".verdict[data-phase=done]").waitFor();
  assert.equal(await page.locator("h1, .switch, ifm-matrix").count(), 0);
  assert.equal(await page.locator("ifm-curve").count(), 1);
});

for (const [part, selector] of Object.entries({ curve: "ifm-curve", verdict: "ifm-verdict", maps: "ifm-matrix", spectrum: "ifm-spectrum", controls: "ifm-controls", switch: ".switch" })) {
  test(`a frame that hides all but the ${part} shows that alone, from edge to edge`, async (t) => {
    const parts = ["title", "switch", "curve", "controls", "verdict", "maps", "spectrum"].filter((other) => other !== part);
    const page = await openPage(t, `/?embed=1&hide=${parts.join(",")}&speed=instant`, { viewport: { width: 640, height: 480 } });
    const shown = page.locator(selector);
    await shown.waitFor();
    if (part !== "switch") await page.waitForFunction((s) => (document.querySelector(s)?.getBoundingClientRect().height ?? 0) > 30, selector);
    const all = page.locator("ifm-figure").locator("ifm-curve, ifm-verdict, ifm-matrix, ifm-spectrum, ifm-controls, .switch, h1, details.fold");
    assert.equal(await all.count(), 1);
    if (part === "maps") await page.locator("ifm-matrix canvas").first().waitFor();
    const box = await shown.boundingBox();
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(box && box.x <= 16 && box.y <= 24, `it begins at ${box?.x}, ${box?.y}`);
    assert.ok(box.y + box.height > (await page.evaluate(() => document.querySelector("ifm-app")?.getBoundingClientRect().height ?? 0)) - 32, "nothing stands below it");
    assert.ok(height < 900, `${height} px high`);
  });
}

test("hiding matrices hides the maps and the spectrum, and a frame that hides everything says so", async (t) => {
  const page = await openPage(t, "/?embed=1&hide=matrices");
  await page.locator("ifm-curve").waitFor();
  assert.equal(await page.locator("ifm-matrix, ifm-spectrum").count(), 0);
  await page.goto(`${await origin()}/?embed=1&hide=title,switch,curve,controls,verdict,matrices`);
  assert.match(await page.locator("ifm-figure").innerText(), /hides every part/);
});

test("a run whose controls are hidden comes to its end for a reader who wants nothing to move", async (t) => {
  const page = await openPage(t, "/?embed=1&hide=controls", { reducedMotion: "reduce" });
  await page.locator(".verdict[data-phase=done]").waitFor({ timeout: 20_000 });
});

test("an embed of a built-in table trains on it by itself", async (t) => {
  const page = await openPage(t, "/?embed=1&source=table&sample=penguins&speed=instant");
  await page.locator("ifm-result .verdict[data-phase=done]").waitFor({ timeout: 30_000 });
  assert.match(await page.locator("[data-verdict]").innerText(), /Body Mass|predicts best|wins/);
});
