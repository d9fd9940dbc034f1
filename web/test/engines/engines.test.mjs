// @ts-check
/**
 * Every experiment wherever it can run: what core/testdata/golden.txt pins is found
 * to the bit by the page's own workers in every browser here and by Node, and to the
 * bounds of the table in core/doc.go by native builds. Prints who found what.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, test } from "node:test";
import { createInterface } from "node:readline";

import { onPath } from "../browser.mjs";
import { openFirefox, skip as noFirefox, settled as settledInFirefox } from "../firefox.mjs";
import { openPage, origin, settled } from "../lab.mjs";
import { openWebKit, skip as noWebKit } from "../webkit.mjs";
import { body, digest, number, pinned, recordsOf, repository, sampleOf } from "./golden.mjs";

const LONG = { timeout: 3_600_000 };
const DIGITS = 11; // of a value in the file
const experiments = await pinned();

/** What each engine says of each experiment, in the order in which they ran. @type {Map<string, Map<string, string>>} */
const said = new Map();

after(() => {
  const names = [...said.keys()];
  const rows = [["", ...names], ...experiments.map(({ name }) => [name, ...names.map((engine) => said.get(engine)?.get(name) ?? "not run")])];
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  console.log(`\n${rows.map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  ")).join("\n")}\n`);
  console.log("=: the same bits as under js/wasm; a number: the largest difference from its eleven digits, as a share of the value or of its curve's start\n");
});

/** Begins a column of the table. @param {string} engine @returns {Map<string, string>} */
function column(engine) {
  const made = new Map();
  said.set(engine, made);
  return made;
}

/**
 * Has a page's workers find every record, and compares the bits. The page itself sums the ionosphere's windows.
 *
 * @param {TestContext} t
 * @param {string} engine
 * @param {{ evaluate: (f: any, arg?: any) => Promise<any> }} page
 * @param {string} loops that it has to run
 */
async function findsAll(t, engine, page, loops) {
  assert.equal(await page.evaluate(body), loops);
  const found = column(engine);
  let compared = 0;
  for (const { name, blocks } of experiments) {
    for (const link of new Set(blocks.map((block) => block.link))) {
      const all = await page.evaluate(recordsOf, { link, sample: await sampleOf(link) });
      const wanted = blocks.filter((block) => block.link === link && !block.name.endsWith(" table"));
      assert.deepEqual(Object.keys(all).sort(), wanted.map((block) => block.name).sort());
      for (const block of wanted) {
        const records = /** @type {import("./golden.mjs").Found[]} */ (all[block.name]);
        if (records.length > block.pins.length && records.at(-1)?.at) records.pop(); // no last fit, whose error it would be
        assert.equal(records.length, block.pins.length, `${block.name} has as many records as are pinned`);
        records.forEach((record, i) => {
          const { digest: pin, values } = /** @type {import("./golden.mjs").Pin} */ (block.pins[i]);
          if (record.at) assert.deepEqual(record.values.map((bits) => number(bits).toPrecision(DIGITS)), record.at.map((at) => Number(values[at]).toPrecision(DIGITS)), `${block.name}, record ${i}, as far as a page hears it`);
          else assert.equal(digest(record), pin, `${block.name}, record ${i}: its values are ${record.values.map(number)}`);
        });
        compared += records.length;
      }
    }
    found.set(name, "=");
  }
  t.diagnostic(`${compared} records, each the same to the bit: ${await page.evaluate(() => navigator.userAgent)}`);
}

/** Has Go's tests find every record, and tells how far they are off. @param {TestContext} t @param {string} engine @param {boolean} exact @param {Record<string, string>} env @param {string} [exec] what runs it */
async function goFindsAll(t, engine, exact, env, exec) {
  const found = column(engine);
  const go = spawn("go", ["test", "-json", "-vet=off", "-count=1", "-timeout=1h", "-run=GoldenRecords", ...(exec ? [`-exec=${exec}`] : []), "./core"], { cwd: repository, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => go.on("close", resolve));
  let output = "";
  /** @type {Map<string, number>} by link, as tests are called */
  const off = new Map();
  for await (const line of createInterface(go.stdout)) {
    const { Action, Test = "", Key, Value, Output = "" } = JSON.parse(line);
    output += Output;
    if (Action === "attr" && Key === "off") off.set(Test.slice(Test.indexOf("/") + 1), Number(Value));
  }
  assert.equal(await ended, 0, output);
  for (const { name, blocks } of experiments) {
    const links = [...new Set(blocks.map(({ link }) => link))];
    const far = links.map((link) => off.get(link.replaceAll(" ", "_")) ?? assert.fail(`go test says nothing of ${link}`));
    found.set(name, exact ? "=" : Math.max(...far).toExponential(0));
  }
  t.diagnostic(`${off.size} Specs, ${exact ? "each record the same to the bit" : "each record within its bound"}`);
}

const quiet = "/?speed=instant&d=8&k=2&n=100&iterations=5";
const x64 = process.arch === "x64";
const simd = "simd";
const plain = "go";

test("Chromium finds every record to the bit", LONG, async (t) => {
  const page = await openPage(t, quiet, { alone: true });
  await settled(page);
  await findsAll(t, "Chromium", page, simd);
});

test("Chromium without SIMD finds every record to the bit", { ...LONG, skip: x64 ? false : "V8 can be told to go without SIMD on an x64 machine alone" }, async (t) => {
  const page = await openPage(t, quiet, { alone: true, simd: false });
  await settled(page);
  await findsAll(t, "Chromium, no SIMD", page, plain);
});

test("Firefox finds every record to the bit", { ...LONG, skip: noFirefox }, async (t) => {
  const page = await openFirefox(t, quiet);
  await settledInFirefox(page);
  await findsAll(t, "Firefox", page, simd);
});

test("WebKitGTK finds every record to the bit", { ...LONG, skip: noWebKit }, async (t) => {
  const page = await openWebKit(t, `${await origin()}${quiet}`);
  await page.waitForFunction(() => document.querySelector("ifm-app")?.shadowRoot !== undefined && document.querySelector("html:not([data-pending])") !== null, {});
  await findsAll(t, "WebKitGTK", page, simd);
});

const wasm = { GOOS: "js", GOARCH: "wasm" };
const node = `${repository}wasm/exec`;

test("Node finds every record to the bit", LONG, (t) => goFindsAll(t, "Node", true, wasm, node));

test("Node without SIMD finds every record to the bit", LONG, (t) => goFindsAll(t, "Node, no SIMD", true, { ...wasm, IFMLAB_SIMD: "0" }, node));

for (const [arch, own] of /** @type {const} */ ([["amd64", "x64"], ["arm64", "arm64"]])) {
  const here = process.arch === own;
  const emulator = here || arch !== "arm64" ? undefined : "qemu-aarch64-static";
  const skip = here || (emulator && (await onPath(emulator))) ? false : emulator ? `${emulator} is not installed; apt-get install qemu-user-static` : `this machine is no ${arch}`;
  test(`a native build for ${arch} comes as near as package core says`, { ...LONG, skip }, (t) => goFindsAll(t, arch, false, { GOARCH: arch, CGO_ENABLED: "0" }, emulator));
}
