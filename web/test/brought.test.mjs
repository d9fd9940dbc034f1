// @ts-check
/** Files that change or go while the page has them, that are too large, too many, or models of any size: what the page says, and what the reader has still. */
import assert from "node:assert/strict";
import { appendFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { dropFile, inWorkers, openPage, settled } from "./lab.mjs";
import { finished, folder, phase, refusal, rows as lines, sample, small, tab, title, twice } from "./table.mjs";

const cars = sample("cars.csv");
const brief = `${small}&${twice}&models=ifm`;
const rows = lines(60, (i) => [(i * 7) % 11, (i * 5) % 13, `${(i * 3) % 17}.5`]);

test("a file that changed is trained as it was read, all models alike; read anew it is told, and so it is when it is gone", async (t) => {
  const file = path.join(folder(t), "own.csv");
  writeFileSync(file, `a,b,c\n${rows}`); // no name says which is the target: training waits for the reader
  const page = await openPage(t, `/?${small}&${twice}#table`, { processors: 2 });
  await settled(page, dropFile(page, "#main", { path: file }));
  assert.equal(await phase(page), "idle");
  appendFileSync(file, "1,2,3\n");
  await page.locator("button.start").click();
  await finished(page);
  assert.deepEqual(await page.locator("ifm-result").evaluate((panel) => /** @type {any} */ (panel).training.lines.map((/** @type {any} */ line) => [line.model, line.done])), [["fm", true], ["ifm", true]]);
  assert.match((await page.locator("ifm-result .panel").allTextContents()).join(" "), /own\.csv has changed or can no longer be read/);
  await tab(page, "columns");
  await settled(page, page.locator("select[name=separator]").selectOption("tab"));
  assert.match(await refusal(page), /own\.csv has changed since you chose it/);
  rmSync(file);
  await settled(page, page.locator("select[name=separator]").selectOption("semicolon"));
  assert.match(await refusal(page), /own\.csv was moved, renamed or deleted/);
  assert.match(await title(page), /^own\.csv: 60 rows/, "what was read is still open");
  await finished(page);
});

/** Holds what reads a file after three slices, in a page or a worker, until `open` is called there: else the file may have been read before Cancel is pressed. It is held once `held` resolves. */
function holdSlices() {
  const opened = new Promise((resolve) => Object.assign(globalThis, { open: resolve }));
  let hold = () => {};
  Object.assign(globalThis, { held: new Promise((resolve) => (hold = () => resolve(null))) });
  const read = Blob.prototype.arrayBuffer;
  let slices = 0;
  Blob.prototype.arrayBuffer = async function () {
    if (this.size === 2 << 20 && ++slices > 3) {
      hold();
      await opened;
    }
    return read.call(this);
  };
}

test("a file of 2 GB tells how far it is and can be cancelled, even where its worker no longer listens; of five files the first is taken", async (t) => {
  const file = path.join(folder(t), "large.csv");
  writeFileSync(file, `a,b,y\n${rows.repeat(200)}`); // more than is looked at before reading
  truncateSync(file, 2 ** 31);
  const page = await openPage(t, `/?${brief}`, { before: (page) => inWorkers(page, `(${String(holdSlices)})()`) });
  await settled(page, dropFile(page, "#main", { path: cars }));
  const lives = () => page.evaluate(() => String(/** @type {any} */ (document.querySelector("ifm-app")).pool.tables.map((/** @type {any} */ engine) => engine.life)));
  for (const listens of [false, true]) {
    const born = await lives();
    await dropFile(page, "#main", { path: file });
    await page.getByText(/Reading large\.csv: [1-9].* of 2\.1 GB/).waitFor();
    assert.ok(Number(await page.locator("progress#reading").getAttribute("value")) > 0);
    await Promise.any(page.workers().map((worker) => worker.evaluate(() => /** @type {any} */ (globalThis).held)));
    await page.getByRole("button", { name: "Cancel" }).click();
    if (listens) for (const worker of page.workers()) await worker.evaluate(() => /** @type {any} */ (globalThis).open());
    await settled(page);
    assert.equal(await page.locator("ifm-data p[role=status].note").innerText(), "Reading large.csv was cancelled.");
    assert.match(await title(page), /^cars\.csv: 406 rows/);
    assert.equal((await lives()) === born, listens, "a worker that listens stays, one that does not is ended");
  }
  await page.evaluate(() => scrollTo(0, 1e4));
  await page.locator("#main").evaluate((door, text) => {
    const dataTransfer = new DataTransfer();
    for (const name of ["one", "two", "three", "four", "five"]) dataTransfer.items.add(new File([text], `${name}.csv`));
    door.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true, composed: true }));
  }, `a,b,y\n${rows}`);
  await settled(page);
  assert.match(await title(page), /^one\.csv: 60 rows/);
  const { y = -1 } = (await page.getByText("You dropped several files").boundingBox()) ?? {};
  assert.ok(y > 56 && y < 400, `told in the window, at ${y} px`);
});

test("a link with 7,000 unknown parameters is told in ten sentences and one that counts the others", async (t) => {
  const page = await openPage(t, `/?${brief}&${Array.from({ length: 7000 }, (_, i) => `u${i}=1`).join("&")}`);
  await settled(page);
  const told = await page.locator(".told li").allInnerTexts();
  assert.deepEqual([told.length, told[10]], [11, "… 6,990 more"]);
});
