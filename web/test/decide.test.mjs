// @ts-check
/** What the page decides of a table by itself, what it asks, and how each is overruled. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { holdCall, pass } from "./calls.mjs";
import { assertAccessible, assertFits, openPage, settled, tabTo } from "./lab.mjs";
import { drop as dropOn, phase, role, rows, small, tab, title, twice } from "./table.mjs";

const quick = `${small}&${twice}&models=ifm`;
const sure = `bill,kind,size,tip\n${rows(80, (i) => [`${(i * 7) % 11}.5`, "abc".charAt(i % 3), (i * 5) % 13, `${(i * 3) % 17}.25`])}`;
const daily = `date,x,z,sales\n${rows(120, (i) => [new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10), `${(i * 7) % 11}.5`, `${(i * 5) % 13}.25`, `${i / 10 + ((i * 7) % 11)}`])}`;

/** Columns of numbers whose mark may be decimal or thousands, and one that is sure. @param {...string} names */
const doubtful = (...names) => `${names.join(";")};tip\n${rows(90, (i) => [...names.map((_, at) => `${1 + (i % (9 - 2 * at))}.${100 + ((i * (37 + 16 * at)) % 900)}`), (i * 7) % 11], ";")}`;

/** @param {Page} page @param {string} name @param {string} bytes */
async function drop(page, name, bytes) {
  await dropOn(page, name, bytes);
  assert.ok((await title(page)).startsWith(name));
}

/** @param {Page} page */
const trained = async (page) => (await phase(page)) === "done";

/** Whether the page says that settings have changed since its run. @param {Page} page */
const changed = async (page) => (await page.locator("[data-advice=stale]").count()) > 0;

/** @param {Page} page */
const waits = (page) => page.locator("#asked").getAttribute("data-waits");

/** @param {Page} page */
const focus = (page) => page.evaluate(() => document.activeElement?.id);

/** Presses a button and waits for an address and what comes of it. @param {Page} page @param {Locator} within @param {string | RegExp} name @param {(url: URL) => boolean} address */
async function press(page, within, name, address) {
  await within.getByRole("button", { name }).click();
  await page.waitForURL(address);
  await settled(page);
}

test("a file that is sure trains, one in doubt asks first, and each answer starts it", async (t) => {
  const page = await openPage(t, `/?${quick}#table`);

  await t.test("a file whose target is sure trains by itself, says what it predicts, and another target is a choice away", async () => {
    await drop(page, "tips.csv", sure);
    assert.ok(await trained(page));
    assert.equal(await title(page), "tips.csv: 80 rows, 4 columns; predicting tip");
    assert.equal(await page.locator("#asked").count(), 0, "nothing is asked");
    await page.getByRole("button", { name: "Change target" }).click();
    await page.locator("#asked").getByRole("button", { name: "Predict size" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/target=size/);
    await settled(page);
    assert.ok(await trained(page));
    assert.match(await title(page), /predicting size$/);
    assert.equal(await page.locator("#asked").count(), 0);
    assert.equal(await changed(page), false);
  });

  await t.test("a file with two likely targets waits for a word, by keyboard too, and the other can be taken with one press", async () => {
    await drop(page, "two.csv", `a,b,town\n${rows(80, (i) => [`${(i * 7) % 11}.5`, `${(i * 5) % 13}.25`, "xyz".charAt(i % 3)])}`);
    assert.equal(await phase(page), "idle");
    assert.equal(await waits(page), "target");
    assert.match(await page.locator("[data-asks=target]").innerText(), /^Predict b\?/);
    assert.equal(await role(page, "a").inputValue(), "feature", "what it can show is there");
    await assertAccessible(page, { include: ["ifm-data"] });
    await page.locator("#file").focus();
    await tabTo(page, "#asked .answers button:last-of-type");
    await settled(page, page.keyboard.press("Enter"));
    assert.ok(await trained(page));
    assert.match(await title(page), /predicting a$/);
    assert.equal(await page.locator("#asked").count(), 0);
    assert.equal(await focus(page), "file");
  });

  await t.test("who answers by keyboard comes to the next question, and a key that repeats does not answer it", async () => {
    await drop(page, "two.csv", doubtful("one", "two"));
    assert.deepEqual([await waits(page), await page.locator("button.start").isDisabled()], ["answers", true], "never trained on numbers that may be a thousand times too large");
    await page.locator("[data-asks=one] button").last().focus();
    await settled(page, page.keyboard.press("Enter"));
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-asks")), "two");
    await settled(page, page.keyboard.press("Enter"));
    assert.equal(await page.locator("[data-asks=two]").count(), 1);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/(decimal|thousands)=/);
    await settled(page);
    assert.ok(await trained(page));
    assert.equal(await focus(page), "file");
  });
});

test("a table in time is offered the split by time, which one press takes, and the random one stays beside it", async (t) => {
  const page = await openPage(t, `/?${quick}#table`);
  await drop(page, "daily.csv", daily);
  await tab(page, "columns");
  await press(page, page.locator("[data-suggested=time]"), "Split by date", (url) => url.search.includes("split=time&by=date"));
  assert.ok(await trained(page));
  assert.deepEqual(await Promise.all(["split", "by"].map((name) => page.locator(`select[name=${name}]`).inputValue())), ["time", "date"]);
  assert.equal(await page.locator("[data-note=split] [data-value]").count(), 2, "what the random split said and what this one does");
  await settled(page, page.setViewportSize({ width: 390, height: 800 }));
  await assertFits(page);
  await assertAccessible(page, { include: ["ifm-data"] });
});

test("while a file is read again nothing starts on what it was, and what is changed meanwhile stays", async (t) => {
  const page = await openPage(t, `/?${quick}#table`, { before: (page) => holdCall(page, "open") });
  await pass(page);
  await drop(page, "tips.csv", sure);
  assert.ok(await trained(page));
  await pass(page, 0);
  await tab(page, "columns");
  await page.getByLabel("First row").selectOption("yes");
  await page.locator("#reading").waitFor();
  await page.locator("#tab-training").click();
  await page.locator(".tuning summary").click();
  await page.locator(".tuning").getByLabel("Stop after so many iterations").fill("7");
  await page.keyboard.press("Tab");
  await page.waitForURL(/patience=7/);
  await page.locator(".result[data-plan=ready]").waitFor();
  const query = () => page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-app")).lab.runs.table.snapshot().query);
  const before = await query();
  await page.locator("button.start").click();
  await page.getByText("Training starts once the file is read.").waitFor();
  assert.equal(await query(), before, "nothing has begun");
  await pass(page);
  await settled(page);
  assert.ok(await trained(page));
  assert.match(await query(), /header=yes.*patience=7|patience=7.*header=yes/);
  assert.match(page.url(), /patience=7/, "what was changed meanwhile is not taken back");
  assert.equal(await changed(page), false);
});
