import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { heightOf } from "./heights.js";
import { pairs } from "./spec.js";

test("a frame's height is the one that core/spec says, which wrote the file", async () => {
  const lines = (await readFile(new URL("../../../core/spec/testdata/heights.txt", import.meta.url), "utf8")).trim().split("\n");
  assert.ok(lines.length > 50);
  for (const line of lines) {
    const [query = "", width, high] = line.split(" ");
    assert.equal(heightOf(pairs(`?${query}`), Number(width)), Number(high), line);
  }
});
