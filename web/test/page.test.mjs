// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, settled } from "./lab.mjs";

test("the page opens without a complaint and names itself", async (t) => {
  const page = await openPage(t, "/?speed=instant&d=8&k=2&n=100");
  await settled(page);
  assert.match(await page.title(), /iFM Lab/);
  assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
});
