// @ts-check
/** The offline file in WebKitGTK, as a reader of GNOME's browser has it; what is missing is skipped, and said. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "../test/lab.mjs";
import { offlineAddress, records, until } from "../test/offline.mjs";
import { openWebKit, skip } from "./webkit.mjs";

test("WebKitGTK opens the offline file, computes Chromium's numbers to the last bit, and teaches", { skip, timeout: 600_000 }, async (t) => {
  const address = `${await offlineAddress(t)}?speed=instant&iterations=30&models=fm,gfm,ifm`;
  const page = /** @type {any} */ (await openWebKit(t, address));
  t.diagnostic(`WebKitGTK ${page.version}`);
  const found = await records(page, "ifm-figure");
  const other = await openPage(t, "about:blank", { origins: ["null"], alone: true });
  await other.goto(address);
  assert.deepEqual(found, await records(other, "ifm-figure"));
  await page.evaluate(() => (location.hash = "#interaction"));
  await until(page, "the lesson", () => document.querySelector("#interaction .chapter math") !== null);
  await until(page, "the formulas' font", () => [...document.fonts].some(({ family, status }) => /Formulas/.test(family) && status === "loaded"));
});
