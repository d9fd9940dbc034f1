// @ts-check
/**
 * Runs the page's tests, two files at a time, then once more, alone, those that
 * failed: on a busy machine some browser is late somewhere in hundreds of tests,
 * and what is wrong fails twice. What passed only alone is told at the end.
 */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

/** @typedef {{ file: string, name: string }} Failure */

const folder = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const files = (await readdir(folder)).filter((name) => name.endsWith(".test.mjs")).map((name) => path.join(folder, name));

const failed = await failures({ files, concurrency: 2 });
/** @type {Failure[]} */
const again = [];
for (const file of new Set(failed.map((failure) => failure.file))) {
  const names = failed.filter((failure) => failure.file === file).map(({ name }) => name);
  console.log(`\nonce more, alone: ${path.basename(file)}`);
  const whole = names.includes(file); // it ended by itself, not in one of its tests
  again.push(...(await failures({ files: [file], concurrency: 1, ...(whole ? {} : { testNamePatterns: names.map(exactly) }) })));
}
const told = (/** @type {Failure[]} */ list) => list.map(({ file, name }) => `  ${path.basename(file)}: ${name}`).join("\n");
const late = failed.filter((one) => !again.some(({ file, name }) => file === one.file && name === one.name));
if (again.length === 0 && late.length > 0) console.log(`\npassed only when run once more, alone:\n${told(late)}`);
if (again.length > 0) {
  console.log(`\nfailed twice:\n${told(again)}`);
  process.exitCode = 1;
}

/** Runs files, reports as it goes, and returns the tests that failed, those inside others left out. @param {NonNullable<Parameters<typeof run>[0]>} options */
async function failures(options) {
  /** @type {Failure[]} */
  const found = [];
  const stream = run(options);
  stream.on("test:fail", ({ name, nesting, file, details }) => {
    const todo = /** @type {any} */ (details.error)?.failureType === "subtestsFailed" && path.isAbsolute(name); // a file whose tests are told one by one
    if (nesting === 0 && !todo) found.push({ file: file ?? name, name });
  });
  const report = stream.compose(new spec());
  for await (const text of report) process.stdout.write(text);
  return found;
}

/** A pattern of this name and no other. @param {string} name */
function exactly(name) {
  return new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
}
