// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, origin, settled } from "./lab.mjs";

test("the page opens without a complaint and names itself", async (t) => {
  const page = await openPage(t, "/?speed=instant&d=8&k=2&n=100");
  await settled(page);
  assert.match(await page.title(), /iFM Lab/);
  assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
});

test("what is on the page stays where it is while the page comes and its figure runs", async (t) => {
  for (const viewport of [{ width: 412, height: 823 }, { width: 1280, height: 900 }]) {
    const page = await openPage(t, "about:blank", { viewport });
    await page.addInitScript(() => {
      /** @type {number[]} */
      const shifts = (Reflect.set(window, "shifts", []), Reflect.get(window, "shifts"));
      new PerformanceObserver((list) => shifts.push(...list.getEntries().map((entry) => Number(Reflect.get(entry, "value"))))).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(new URL("/?d=8&k=2&n=100&speed=instant", await origin()).href);
    await settled(page);
    const shifts = /** @type {number[]} */ (await page.evaluate(() => Reflect.get(window, "shifts")));
    // Texts that are centred or at the right, such as a number that grows, count by their size.
    assert.ok(shifts.every((shift) => shift < 0.001), `shifts of ${shifts}, as Chromium counts them`);
  }
});
