// @ts-check
/** The three places of the page: their addresses, old and new, and the ways between them. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { dropFile, openPage, origin, settled } from "./lab.mjs";
import { bring, finished, planned, role, rows, small, standings, tab, twice } from "./table.mjs";

/** What stands in the page. @param {Page} page */
const shown = (page) => page.locator("#main").evaluate((main) => ["ifm-figure", "ifm-data", "ifm-lesson"].filter((name) => main.querySelector(name) !== null));

/** The query of the page's address. @param {Page} page */
const query = (page) => page.evaluate(() => location.search + location.hash);

/** Goes to a place by its link in the header. @param {Page} page @param {string} place */
async function visit(page, place) {
  await settled(page, page.locator(`header [data-place=${place}]`).click());
}

/** Follows a link within the page. @param {Page} page @param {string} href */
async function follow(page, href) {
  await page.evaluate((href) => {
    const link = Object.assign(document.createElement("a"), { href });
    document.querySelector("ifm-app")?.append(link);
    link.click();
  }, href);
  await settled(page);
}

test("one place is shown at a time, at an address of its own, and nothing of the others is fetched before", async (t) => {
  /** @type {string[]} */
  const asked = [];
  const page = await openPage(t, `/?${small}`, { alone: true, before: async (page) => void page.on("request", (request) => asked.push(new URL(request.url()).pathname)) });
  const fetched = (/** @type {RegExp} */ name) => asked.some((path) => name.test(path));
  await settled(page);
  assert.deepEqual(await shown(page), ["ifm-figure"]);
  assert.ok(!fetched(/\/(table|section)-.*\.(js|wasm)$|stix.*woff2$/), `${asked}`);

  await visit(page, "table");
  assert.deepEqual([await shown(page), await query(page)], [["ifm-data"], "?source=table&speed=instant"]);
  assert.equal(await page.locator("header [aria-current=page]").getAttribute("data-place"), "table");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "main");
  assert.ok(fetched(/\/table-.*\.js$/) && !fetched(/\/section-.*\.js$/), `${asked}`);

  await visit(page, "lesson");
  assert.deepEqual([await shown(page), await query(page)], [["ifm-lesson"], "?chapter=interaction&speed=instant"]);
  assert.equal(await page.locator("ifm-chapter").count(), 1);

  await settled(page, page.goBack());
  assert.deepEqual([await shown(page), await query(page)], [["ifm-data"], "?source=table&speed=instant"]);
  await settled(page, page.goBack());
  assert.deepEqual([await shown(page), await query(page)], [["ifm-figure"], `?${small}`]);
  await settled(page, page.goForward());
  assert.deepEqual(await shown(page), ["ifm-data"]);
});

test("a file dropped on any place leads to the table in one step of the history, and a refused one too", async (t) => {
  const page = await openPage(t, "/?chapter=psd&speed=instant");
  await settled(page);
  await dropFile(page, "#main", { name: "sum.csv", bytes: `a,b,y\n${rows(60, (i) => [(i * 37) % 61, (i * 23) % 59, ((i * 37) % 61) + ((i * 23) % 59)])}` });
  await settled(page);
  assert.deepEqual(await shown(page), ["ifm-data"]);
  assert.match(await query(page), /^\?source=table&.*target=y/);
  await settled(page, page.goBack());
  assert.equal(await query(page), "?chapter=psd&speed=instant");
  await settled(page, dropFile(page, "#main", { name: "song.mp3", bytes: "ID3\u0003\u0000\u0000\u0000" }));
  assert.deepEqual(await shown(page), ["ifm-data"]);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "file-error");
});

test("a link to a built-in table trains it, as a click does", async (t) => {
  const page = await openPage(t, `/?source=table&sample=penguins&models=ifm&speed=instant&${twice}`);
  await settled(page);
  const linked = await standings(page);
  await settled(page, page.goto(`${await origin()}/?source=table&models=ifm&speed=instant&${twice}`));
  await settled(page, page.locator("[data-sample=penguins]").click());
  assert.ok(Object.keys(linked).length > 2);
  assert.deepEqual(await standings(page), linked);
  await follow(page, (await query(page)).replace(/target=[^&]*/, "target=Beak%20Length%20%28mm%29"));
  assert.notDeepEqual(await standings(page), linked);
  await settled(page, page.goBack());
  assert.deepEqual(await standings(page), linked, "and Back to another target trains for that");
  await follow(page, (await query(page)).replace("iterations=20", "iterations=2"));
  assert.notDeepEqual(await standings(page), linked, "and so does one with other settings for the table that is open");
});

test("another page of this site, and a link with a key, are left to the browser", async (t) => {
  const page = await openPage(t, `/?${small}`);
  await settled(page);
  const [opened] = await Promise.all([page.context().waitForEvent("page"), page.locator("header [data-place=lesson]").click({ modifiers: ["Control"] })]);
  await opened.waitForURL(/chapter=interaction/);
  await opened.close();
  await page.locator("footer a[href$='licenses.txt']").click();
  await page.waitForURL(`${await origin()}/licenses.txt`);
});

test("a link to a run on a reader's own table asks for the file, and repeats the run with it", async (t) => {
  const page = await openPage(t, `/?source=table&target=a&ignore=b&${small}&${twice}`);
  const asks = page.locator("ifm-data .asks");
  await settled(page);
  assert.match(await asks.innerText(), /^This link predicts a from a table\./);
  await bring(page, "sum.csv", `a,b,y\n${rows(60, (i) => [(i * 37) % 61, (i * 23) % 59, ((i * 37) % 61) + ((i * 23) % 59)])}`);
  await planned(page);
  assert.deepEqual(await Promise.all(["a", "b"].map((column) => role(page, column).inputValue())), ["target", "ignore"]);
  await finished(page);
  assert.equal(await asks.count(), 0);
});

test("in a long stay each press keeps the focus, and Back leads through every place as it was", async (t) => {
  const page = await openPage(t, `/?${small}&${twice}&models=ifm`, { alone: true, reducedMotion: "reduce" });
  const place = () => page.evaluate(() => [location.search + location.hash, document.title, document.documentElement.dataset["present"]]);
  /** @type {Awaited<ReturnType<typeof place>>[]} */
  const been = [];
  const press = (/** @type {string} */ selector) => page.locator(selector).press("Enter");
  const key = (/** @type {string} */ name) => page.keyboard.press(name);
  /** @type {(() => Promise<unknown>)[]} */
  const steps = [
    () => press("header [data-place=table]"),
    () => press("[data-sample=cars]"),
    () => tab(page, "columns"),
    () => role(page, "Year").selectOption("ignore"),
    () => press(".advice .start"),
    () => key("p"),
    () => key("PageDown"),
    () => key("PageDown"),
    () => key("PageDown"),
    () => key("PageDown"),
    () => key("Escape"),
    () => press("nav.contents a[href$='=break']"),
    () => press("#break [data-guess] >> nth=0"),
    () => page.evaluate(() => void (location.hash = "#handin=broken")).then(() => page.locator("#main").focus()), // a fragment takes it
    () => press("header [data-place=figure]"),
    () => press("header [data-place=table]"),
    () => press("header .sharer"),
    () => key("p"),
    () => key("Escape"),
  ];
  for (const [i, step] of [() => Promise.resolve(), ...steps].entries()) {
    await settled(page, step());
    been.length = Math.min(been.length, (await page.evaluate(() => history.length)) - 2); // about:blank is the first; a step that is none of the history changes the last
    been.push(await place());
    const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
    assert.deepEqual(ids.filter((id, i) => ids.indexOf(id) !== i), [], `after step ${i} no id is there twice`);
    if (i > 0) assert.ok(await page.evaluate(() => document.activeElement !== document.body), `step ${i} keeps the focus`);
  }
  assert.ok(been.length > 9);
  for (const at of [...been.keys()].reverse().slice(1)) {
    await settled(page, page.goBack());
    assert.deepEqual(await place(), been[at], `Back to ${at}`);
  }
});
