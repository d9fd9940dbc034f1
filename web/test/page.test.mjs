// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./lab.mjs";

test("the page opens without a complaint and names itself", async (t) => {
  const page = await openPage(t);
  assert.match(await page.title(), /iFM Lab/);
  await page.getByRole("heading", { level: 1 }).waitFor();
});
