// @ts-check
/** The offline file in WebKitGTK, as a reader of GNOME's browser has it; what is missing is skipped, and said. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { offlineAddress, records, walkOffline } from "../test/offline.mjs";
import { openPage } from "../test/lab.mjs";
import { openWebKit, skip } from "./webkit.mjs";

const walk = "?speed=instant&ranks=2&lambdas=0.03&iterations=30";

test("WebKitGTK opens the offline file, whose numbers are Chromium's to the last bit", { skip, timeout: 600_000 }, async (t) => {
  const address = (await offlineAddress(t)) + walk;
  const page = await openWebKit(t, address);
  t.diagnostic(`WebKitGTK ${page.version}`);
  const found = await walkOffline(/** @type {any} */ (page));
  const other = await openPage(t, "about:blank", { origins: ["null"], alone: true });
  await other.goto(address);
  assert.deepEqual(found.figure, await records(other, "ifm-figure"));
});
