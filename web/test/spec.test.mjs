// @ts-check
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { encode, fields, parse } from "./compiled/spec.js";

/** @type {{ query: string, encoded: string, notices: string[] }[]} */
const links = JSON.parse(await readFile(new URL("../../core/spec/testdata/links.json", import.meta.url), "utf8"));

test("the page reads links as core/spec does", () => {
  assert.ok(links.length > 0);
  for (const { query, encoded, notices: keys } of links) {
    const { spec, notices } = parse(query);
    assert.equal(encode(spec), encoded, `query ${query}`);
    assert.deepEqual(notices.map((notice) => notice.key).sort(), keys, `query ${query}`);
    assert.deepEqual(parse(encode(spec)), { spec, notices: [] }, `query ${query}`);
  }
});

test("a link without settings has the default of every field", () => {
  const { spec, notices } = parse("");
  assert.deepEqual(notices, []);
  assert.deepEqual(Object.keys(spec).sort(), fields.map((field) => field.key).sort());
  assert.equal(encode(spec), "");
});
