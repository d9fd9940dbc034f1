// @ts-check
/**
 * Runs the page's tests at one server. Words choose the files with one of them in their names;
 * LONG=1 adds the acceptance runs. The exit code is 0 if all have passed. Several files share a
 * process and its Chromium, whose start takes more than a second of processor time, but no profile.
 * One Chromium for all took a sixth longer.
 */
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath, pathToFileURL } from "node:url";

import { serve } from "./browser.mjs";

const folder = path.dirname(fileURLToPath(import.meta.url));
const words = process.argv.slice(2);
const wanted = (/** @type {string} */ name) => name.endsWith(".test.mjs") && (words.length === 0 || words.some((word) => name.includes(word)));
const found = (await readdir(folder)).filter(wanted).map((name) => path.join(folder, name));
const sized = await Promise.all(found.map(async (file) => ({ file, size: (await stat(file)).size })));
const files = sized.sort((a, b) => b.size - a.size).map(({ file }) => file); // the longest first, or one of them is alone at the end

const workers = os.availableParallelism() + 1;
const shares = Math.min(files.length, 5 * workers); // few enough to spare starts, enough for all workers to end at about the same time
const scratch = await mkdtemp(path.join(os.tmpdir(), "ifmlab-run-"));
const batches = Array.from({ length: shares }, (_, share) => path.join(scratch, `${share}.mjs`));
for (const [share, batch] of batches.entries()) {
  const own = files.filter((_, i) => i % shares === share);
  await writeFile(batch, own.map((file) => `import ${JSON.stringify(pathToFileURL(file))};\n`).join(""));
}

const server = await serve();
process.env["IFMLAB_ORIGIN"] = server.origin;

let passed = 0;
/** @type {Map<string, number>} */
const skipped = new Map(); // by why
/** @type {string[]} */
const failed = [];
const began = performance.now();
const stream = run({ files: batches, concurrency: workers });
stream.on("test:pass", ({ nesting, skip, name }) => {
  if (nesting > 0 || batches.includes(name)) return;
  if (skip === undefined) passed++;
  else skipped.set(String(skip), (skipped.get(String(skip)) ?? 0) + 1);
});
stream.on("test:fail", ({ name, nesting, file, details }) => {
  const told = path.isAbsolute(name) && /** @type {any} */ (details.error)?.failureType === "subtestsFailed"; // a batch whose tests are told one by one
  if (nesting === 0 && !told) failed.push(`${path.basename(file ?? name)}: ${path.basename(name)}`);
});
for await (const text of stream.compose(new spec())) process.stdout.write(text);
await rm(scratch, { recursive: true });
assert.equal(await server.stop(), 0, "the server stops with 0 when it is asked to");

for (const name of failed) console.log(`failed: ${name}`);
for (const [why, tests] of skipped) console.log(`not run: ${tests} of the page's tests, ${why}`);
console.log(`${passed} passed, ${failed.length} failed in ${Math.round((performance.now() - began) / 1000)} s`);
process.exitCode = failed.length > 0 ? 1 : 0;
