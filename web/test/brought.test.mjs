// @ts-check
/** Files that change or go while the page has them, that are too large, too many, or models of any size: what the page says, and what the reader has still. */
import assert from "node:assert/strict";
import { appendFile, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { acceptance, dropFile, inWorkers, openPage, origin, settled } from "./lab.mjs";

/** @typedef {import("playwright-core").Page} Page */

const cars = fileURLToPath(new URL("../samples/cars.csv", import.meta.url));
const small = "d=8&k=2&n=100&iterations=20&ranks=2&lambdas=0.1&speed=instant";
const rows = Array.from({ length: 60 }, (_, i) => `${(i * 7) % 11},${(i * 5) % 13},${(i * 3) % 17}.5\n`).join("");

/** A folder of the test's own. @param {import("node:test").TestContext} t */
async function folder(t) {
  const made = await mkdtemp(path.join(os.tmpdir(), "ifmlab-brought-"));
  t.after(() => rm(made, { recursive: true }));
  return made;
}

/** What the page says of the file that could not be used. @param {Page} page */
const refused = (page) => page.locator("[data-error=file]").innerText();

test("a file that changed is trained as it was read, all models alike; read anew it is told, and so it is when it is gone", async (t) => {
  const file = path.join(await folder(t), "own.csv");
  await writeFile(file, `a,b,c\n${rows}`); // no name says which is the target: training waits for the reader
  const page = await openPage(t, "about:blank");
  await page.addInitScript(() => Object.defineProperty(navigator, "hardwareConcurrency", { value: 2 }));
  await page.goto(new URL(`/?${small}&models=fm,ifm#table`, await origin()).href);
  await dropFile(page, "ifm-data .door", { path: file });
  await settled(page);
  assert.equal(await page.locator("ifm-result").count(), 0);
  await appendFile(file, "1,2,3\n");
  await page.locator("button.start").click();
  await settled(page);
  assert.equal(await page.locator("ifm-result .verdict").getAttribute("data-phase"), "done");
  assert.deepEqual(await page.locator("ifm-result").evaluate((panel) => /** @type {any} */ (panel).training.lines.map((/** @type {any} */ line) => [line.model, line.done])), [["fm", true], ["ifm", true]]);
  assert.match(await page.locator("ifm-result .notices").innerText(), /own\.csv has changed since it was read, or cannot be read any more\. All models of this run are trained on what was read of it then/);
  await page.locator("select[name=separator]").selectOption("tab");
  await settled(page);
  assert.match(await refused(page), /own\.csv cannot be read: it has changed since it was chosen, or you may not read it/);
  await rm(file);
  await page.locator("select[name=separator]").selectOption("semicolon");
  await settled(page);
  assert.match(await refused(page), /own\.csv is not where it was: it was moved, renamed or deleted/);
  assert.match(await page.locator("#file").innerText(), /^own\.csv: 60 rows/, "what was read is still open");
  assert.equal(await page.locator("ifm-result .verdict").getAttribute("data-phase"), "done", "and so is the run");
});

/** Holds what reads a file after three slices, in a page or a worker, until `open` is called there: else the file may have been read before Cancel is pressed. */
function holdSlices() {
  const opened = new Promise((resolve) => Object.assign(globalThis, { open: resolve }));
  const read = Blob.prototype.arrayBuffer;
  let slices = 0;
  Blob.prototype.arrayBuffer = async function () {
    if (this.size === 2 << 20 && ++slices > 3) await opened;
    return read.call(this);
  };
}

test("a file of 2 GB tells how far it is and can be cancelled; of five files the first is taken", async (t) => {
  const file = path.join(await folder(t), "large.csv");
  await writeFile(file, `a,b,y\n${rows.repeat(200)}`); // more than is looked at before reading
  await truncate(file, 2 ** 31);
  const page = await openPage(t, "about:blank");
  await inWorkers(page, `(${String(holdSlices)})()`);
  await page.goto(new URL(`/?${small}`, await origin()).href);
  await dropFile(page, "ifm-data .door", { path: cars });
  await settled(page);
  await dropFile(page, "ifm-data .door", { path: file });
  await page.getByText(/Reading large\.csv: .* of 2\.1 GB/).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  for (const worker of page.workers()) await worker.evaluate(() => /** @type {any} */ (globalThis).open());
  await settled(page);
  assert.equal(await page.locator("ifm-data [role=status].note").innerText(), "Reading large.csv was cancelled.");
  assert.match(await page.locator("#file").innerText(), /^cars\.csv: 406 rows/);
  await page.locator("ifm-data .door").evaluate((door, text) => {
    const dataTransfer = new DataTransfer();
    for (const name of ["one", "two", "three", "four", "five"]) dataTransfer.items.add(new File([text], `${name}.csv`));
    door.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true, composed: true }));
  }, `a,b,y\n${rows}`);
  await settled(page);
  assert.match(await page.locator("#file").innerText(), /^one\.csv: 60 rows/);
  assert.match(await page.locator("ifm-data").innerText(), /More than one file was dropped; the first was taken/);
});

/** A model of two features. @param {string} target what it predicts */
const model = (target) => JSON.stringify({
  format: "ifmlab model", version: 1, model: "fm", rank: 1, b: 0, w: [1, 2], u: [[1], [2]],
  target: { name: target, mean: 1, scale: 1 },
  features: ["a", "b"].map((name) => ({ name, column: name, kind: "value", mean: 0, scale: 1 })),
});

test("a model of 38 MB shows how far it is and can be cancelled, and one whose target has 3,000 letters stays within the page", acceptance, async (t) => {
  const page = await openPage(t, "about:blank", { viewport: { width: 390, height: 800 } });
  await page.addInitScript(holdSlices);
  await page.goto(new URL(`/?${small}`, await origin()).href);
  await dropFile(page, "ifm-data .door", { path: cars });
  await settled(page);
  const large = { name: "large.json", bytes: model("y") + " ".repeat(38e6) };
  await dropFile(page, "ifm-data .door", large);
  await page.getByText(/Reading large\.json: 6\.3 MB of 38\.0 MB/).waitFor();
  assert.equal(Number(await page.locator("progress#reading").getAttribute("value")), 3 * 2 ** 21);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.evaluate(() => /** @type {any} */ (window).open());
  await settled(page);
  assert.equal(await page.locator("ifm-data [role=status].note").innerText(), "Reading large.json was cancelled.");
  assert.equal(await page.locator("ifm-model").count(), 0);
  assert.match(await page.locator("#file").innerText(), /^cars\.csv: 406 rows/);
  await dropFile(page, "ifm-data .door", large);
  await settled(page);
  assert.match(await page.locator("#saved-title").innerText(), /that predicts y/);
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  const before = await width();
  await dropFile(page, "ifm-data .door", { name: "long.json", bytes: model("y".repeat(3000)) });
  await settled(page);
  assert.match(await page.locator("#saved-title").innerText(), /that predicts y{9}/);
  assert.equal(await width(), before, "the page is no wider");
  assert.ok((await page.locator("#saved-title").boundingBox())?.height ?? 1e9 < 400, "its title is no page of letters");
});

test("a link with 7,000 unknown parameters is told in ten sentences and one that counts the others", async (t) => {
  const page = await openPage(t, `/?${small}&${Array.from({ length: 7000 }, (_, i) => `u${i}=1`).join("&")}`);
  await settled(page);
  const told = await page.locator(".told li").allInnerTexts();
  assert.deepEqual([told.length, told[10]], [11, "… 6,990 more"]);
});
