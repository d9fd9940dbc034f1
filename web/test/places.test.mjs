// @ts-check
/** The three places of the page: their addresses, old and new, and the ways between them. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { dropFile, openPage, origin, settled } from "./lab.mjs";
import { drop, rows, small, standings, twice } from "./table.mjs";

/** What stands in the page. @param {Page} page */
const shown = (page) => page.locator("#main").evaluate((main) => ["ifm-figure", "ifm-data", "ifm-lesson"].filter((name) => main.querySelector(name) !== null));

/** The query of the page's address. @param {Page} page */
const query = (page) => page.evaluate(() => location.search + location.hash);

/** Goes to a place by its link in the header. @param {Page} page @param {string} place */
async function visit(page, place) {
  await page.locator(`header [data-place=${place}]`).click();
  await settled(page);
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

  await page.goBack();
  await settled(page);
  assert.deepEqual([await shown(page), await query(page)], [["ifm-data"], "?source=table&speed=instant"]);
  await page.goBack();
  await settled(page);
  assert.deepEqual([await shown(page), await query(page)], [["ifm-figure"], `?${small}`]);
  await page.goForward();
  await settled(page);
  assert.deepEqual(await shown(page), ["ifm-data"]);
});

test("a place is found as it was left, also when it was left by a link", async (t) => {
  const page = await openPage(t, `/?${small}&chapter=psd&psd.d=20`);
  await settled(page);
  assert.match((await page.locator("header [data-place=figure]").getAttribute("href")) ?? "", new RegExp(`\\?${small}$`), "the link's settings of the figure are kept for it");
  await visit(page, "figure");
  assert.equal(await query(page), `?${small}`);
  await visit(page, "lesson");
  assert.equal(await query(page), "?chapter=psd&speed=instant&psd.d=20");
});

test("a link of an earlier version leads to the same place", async (t) => {
  const page = await openPage(t, "about:blank");
  for (const [link = "", place, at] of [
    ["/#table", "ifm-data", "?source=table"],
    ["/#lesson", "ifm-lesson", "?chapter=interaction"],
    ["/?embed=0&speed=instant&chapter=reach#reach", "ifm-lesson", "?chapter=reach&speed=instant"],
    ["/#homework", "ifm-lesson", "?chapter=interaction#homework"],
    ["/?homework.id=a1&homework.chapters=psd", "ifm-lesson", "?chapter=interaction&homework.id=a1&homework.chapters=psd#homework"],
    [`/?${small}#figure`, "ifm-figure", `?${small}`],
  ]) {
    await page.goto("about:blank"); // else an address that differs after its # loads nothing
    await page.goto(new URL(link, await origin()).href);
    await settled(page);
    assert.deepEqual([await shown(page), await query(page)], [[place], at], link);
    assert.equal(await page.locator("ifm-homework:visible").count(), link.includes("homework") ? 1 : 0, link);
  }
});

test("a file dropped on any place leads to the table in one step of the history, and a refused one too", async (t) => {
  const page = await openPage(t, "/?chapter=psd&speed=instant");
  await settled(page);
  await dropFile(page, "#main", { name: "sum.csv", bytes: `a,b,y\n${rows(60, (i) => [(i * 37) % 61, (i * 23) % 59, ((i * 37) % 61) + ((i * 23) % 59)])}` });
  await settled(page);
  assert.deepEqual(await shown(page), ["ifm-data"]);
  assert.match(await query(page), /^\?source=table&.*target=y/);
  await page.goBack();
  await settled(page);
  assert.equal(await query(page), "?chapter=psd&speed=instant");
  await dropFile(page, "#main", { name: "song.mp3", bytes: "ID3\u0003\u0000\u0000\u0000" });
  await settled(page);
  assert.deepEqual(await shown(page), ["ifm-data"]);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "file-error");
});

test("Back from a second table finds the first, trained as it was", async (t) => {
  const page = await openPage(t, `/?source=table&models=ifm&${twice}`);
  const table = (/** @type {number} */ factor) => `a,b,y\n${rows(60, (i) => [(i * 37) % 61, (i * 23) % 59, factor * ((i * 37) % 61) + ((i * 23) % 59)])}`;
  await settled(page);
  await dropFile(page, "#main", { name: "one.csv", bytes: table(1) });
  await settled(page);
  const first = await standings(page);
  assert.ok(Object.keys(first).length > 2);
  await drop(page, "two.csv", table(2));
  assert.notDeepEqual(await standings(page), first);
  await page.goBack();
  await settled(page);
  assert.deepEqual(await standings(page), first);
});

test("a link to a built-in table trains it, as a click does", async (t) => {
  const page = await openPage(t, `/?source=table&sample=penguins&models=ifm&speed=instant&${twice}`);
  await settled(page);
  const linked = await standings(page);
  await page.goto(`${await origin()}/?source=table&models=ifm&speed=instant&${twice}`);
  await settled(page);
  await page.locator("[data-sample=penguins]").click();
  await settled(page);
  assert.ok(Object.keys(linked).length > 2);
  assert.deepEqual(await standings(page), linked);
  await follow(page, (await query(page)).replace(/target=[^&]*/, "target=Beak%20Length%20%28mm%29"));
  assert.notDeepEqual(await standings(page), linked);
  await page.goBack();
  await settled(page);
  assert.deepEqual(await standings(page), linked, "and Back to another target trains for that");
  await follow(page, (await query(page)).replace("iterations=20", "iterations=2"));
  const brief = await standings(page);
  assert.notDeepEqual(brief, linked, "and so does one with other settings for the table that is open");
  await follow(page, `${await query(page)}&missingas=Sex:MALE`);
  assert.notDeepEqual(await standings(page), brief, "also where they read it anew");
});

test("a link with another seed for a drawn table trains it", async (t) => {
  const page = await openPage(t, `/?source=table&sample=signs&seed=3&models=ifm&speed=instant&${twice}`);
  await settled(page);
  const before = await standings(page);
  await follow(page, (await query(page)).replace("seed=3", "seed=4"));
  assert.notDeepEqual(await standings(page), before);
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
