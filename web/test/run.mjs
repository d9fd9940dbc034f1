// @ts-check
/**
 * Runs the page's tests, a file in a process of its own, as many at a time as
 * there are cores; all of them share one server and one Chromium. The exit code
 * is 0 if every test has passed. Words after its name choose the files that have
 * one of them in their names.
 */
import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";

import { serve, share } from "./browser.mjs";

const folder = path.dirname(fileURLToPath(import.meta.url));
const words = process.argv.slice(2);
const wanted = (/** @type {string} */ name) => name.endsWith(".test.mjs") && (words.length === 0 || words.some((word) => name.includes(word)));
const found = (await readdir(folder)).filter(wanted).map((name) => path.join(folder, name));
const sized = await Promise.all(found.map(async (file) => ({ file, size: (await stat(file)).size })));
const files = sized.sort((a, b) => b.size - a.size).map(({ file }) => file); // the longest first, or one of them is alone at the end

const server = await serve();
const browser = await share();
Object.assign(process.env, { IFMLAB_ORIGIN: server.origin, IFMLAB_BROWSER: browser.wsEndpoint() });

const count = { passed: 0, skipped: 0 };
/** @type {string[]} */
const failed = [];
const began = performance.now();
const stream = run({ files, concurrency: os.availableParallelism() });
stream.on("test:pass", ({ nesting, skip, name }) => {
  if (nesting === 0 && !files.includes(name)) count[skip === undefined ? "passed" : "skipped"]++;
});
stream.on("test:fail", ({ name, nesting, file, details }) => {
  const told = path.isAbsolute(name) && /** @type {any} */ (details.error)?.failureType === "subtestsFailed"; // a file whose tests are told one by one
  if (nesting === 0 && !told) failed.push(`${path.basename(file ?? name)}: ${path.basename(name)}`);
});
for await (const text of stream.compose(new spec())) process.stdout.write(text);
await browser.close();
assert.equal(await server.stop(), 0, "the server stops with 0 when it is asked to");

for (const name of failed) console.log(`failed: ${name}`);
console.log(`${count.passed} passed, ${failed.length} failed, ${count.skipped} skipped in ${Math.round((performance.now() - began) / 1000)} s`);
process.exitCode = failed.length > 0 ? 1 : 0;
