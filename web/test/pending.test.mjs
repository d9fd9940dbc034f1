// @ts-check
/** What the other tests stand on: the page tells when it has nothing more to do, wherever it is, and its clock can be held. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { gate, openPage, origin, serveHTML, settled } from "./lab.mjs";

/** @param {Page | Frame} where */
const progress = (where) => where.locator("ifm-figure .progress").innerText();

/** @param {Page | Frame} where */
const busy = async (where) => (await where.locator("html[data-pending]").count()) === 1;

test("a script that is on its way is something to do", async (t) => {
  const page = await openPage(t, "about:blank");
  const charts = await gate(page, "**/a/plot-*.js");
  await page.goto(new URL("/?speed=instant", await origin()).href);
  await charts.asked;
  await page.locator("ifm-figure .verdict[data-phase=done]").waitFor();
  assert.ok(await busy(page));
  charts.open();
  await settled(page);
  assert.ok((await page.locator("ifm-figure .curve-svg").count()) > 0);
});

test("a frame that nobody sees has nothing to do, and something once it is seen", async (t) => {
  const host = await serveHTML(`<!doctype html><div style="height: 6000px"></div><iframe src="${await origin()}/?embed=1&speed=instant" height="800"></iframe>`);
  const page = await openPage(t, host, { origins: [host] });
  const frame = page.frames()[1];
  assert.ok(frame);
  await settled(frame);
  assert.equal(await frame.locator("ifm-figure .progress", { hasText: "150 of 150" }).count(), 0);
  await page.locator("iframe").scrollIntoViewIfNeeded();
  await settled(frame);
  assert.match(await progress(frame), /^Iteration 150 of 150/);
});
