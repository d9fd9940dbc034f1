// @ts-check
/** The offline file in WebKitGTK, as a reader of GNOME's browser has it; what is missing is skipped, and said. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "../test/lab.mjs";
import { offlineAddress, records, walkOffline } from "../test/offline.mjs";
import { openWebKit, skip } from "../test/webkit.mjs";

test("WebKitGTK walks through the offline file, tables and all, and its numbers are Chromium's to the last bit", { skip, timeout: 600_000 }, async (t) => {
  const address = `${await offlineAddress(t)}?speed=instant&ranks=2&lambdas=0.03&iterations=30`;
  const page = await openWebKit(t, address);
  t.diagnostic(`WebKitGTK ${page.version}`);
  const { figure, sample, own } = await walkOffline(/** @type {any} */ (page));
  assert.ok("curve of ifm" in sample && "curve of ifm" in own);
  const other = await openPage(t, "about:blank", { origins: ["null"], alone: true });
  await other.goto(address);
  assert.deepEqual(figure, await records(other, "ifm-figure"));
});
