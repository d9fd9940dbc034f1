// @ts-check
/** The chapter on vTEC: its table, the map, a reader's own sky, and what is saved. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { holdCall, pass } from "./calls.mjs";
import { dropFile, follow, openPage, settled, still, tabTo } from "./lab.mjs";
import { details, over, run } from "./lesson.mjs";
import { openData, saved } from "./table.mjs";

const short = "vtec.days=2&vtec.stride=240&vtec.fixes=720"; // 12 windows, and positions in 4
const frame = `/?embed=1&chapter=vtec&${short}`;
const quiet = /** @type {const} */ ({ reducedMotion: "reduce" }); // else the map plays for ever

/** The chapter, once it has settled, with its details and the door for a file open. @param {Page} page */
async function chapter(page) {
  const own = await details(page, "vtec");
  await own.locator("[data-part=sky]").evaluate((/** @type {HTMLDetailsElement} */ part) => void (part.open = true));
  await settled(page);
  return own;
}

/** The chapter after its run. @param {Page} page */
async function ran(page) {
  const own = await details(page, "vtec");
  await run(own);
  return own;
}

/** Every number of the table, at full precision. @param {Locator} own @returns {Promise<Record<string, (string | null)[]>>} */
function numbers(own) {
  return own.locator(".own table.tally").evaluate((table) =>
    Object.fromEntries(Array.from(table.querySelectorAll("tr[data-row]"), (row) => [row.getAttribute("data-row"), Array.from(row.querySelectorAll("td[data-value]"), (cell) => cell.getAttribute("data-value"))])),
  );
}

/** Saves the map's day as a file. @param {Page} page @param {Locator} own @param {"maps" | "points"} what */
async function written(page, own, what) {
  await openData(own.locator("ifm-skymap"));
  return saved(page, own.locator(`[data-write=${what}]`));
}

/** @param {Locator} own @param {{ name: string, bytes: Uint8Array | string }} file */
async function choose(own, { name, bytes }) {
  await own.locator("input[data-file=sky]").setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
  await settled(own.page());
}

test("a net whose stations are too far from each other is told once, by the chapter or by its map", async (t) => {
  const page = await openPage(t, `${frame}&vtec.edge=1`, quiet);
  await settled(page);
  await run(await details(page, "vtec")).catch(() => undefined); // it fails
  assert.equal(await page.getByText(/^no station is within 1 km/).count(), 1);
});

test("a link about a file of the reader's opens where that is chosen, and is understood without it", async (t) => {
  const page = await openPage(t, "/?chapter=vtec&vtec.sky=maps", quiet);
  await settled(page);
  assert.ok(await page.locator("#vtec [data-simulated]").isVisible());
  assert.equal(await page.locator("#vtec .error").count(), 0, "nothing is refused before the reader has done anything");
  await follow(page, "/?embed=1&chapter=vtec&vtec.sky=disturbed");
  const own = await chapter(page);
  assert.match(await own.locator(".own-sky .asks").innerText(), /IONEX maps/);
  await settled(page, own.locator("button.run").click());
  assert.equal(await own.locator(".seen > .error").count(), 1);
  await settled(page, own.locator("[data-simulated]").click());
  assert.equal(await own.locator("[data-simulated], .error[role=alert]").count(), 0, "there is nothing in the way any more");
  assert.doesNotMatch(page.url(), /vtec\.sky/);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "own-sky-title", "the focus stays in the section");
});

test("the table fills, the best of each day is told, and a link repeats it bit for bit on one worker", async (t) => {
  const page = await openPage(t, frame, quiet);
  const own = await details(page, "vtec");
  assert.equal(await own.locator(".own tbody tr").count(), 2, "the rows are there before their numbers");
  assert.deepEqual(await own.locator(".winners b").allInnerTexts(), ["?", "?"]);
  await run(own, "most");
  const found = await numbers(own);
  assert.deepEqual(Object.keys(found), ["TestDay1", "TestDay2", "average", "rtk"]);
  for (const values of Object.values(found)) assert.ok(values.length === 7 && values.every((value) => Number(value) > 0), JSON.stringify(found));
  assert.match(await own.locator("tr[data-row=TestDay1] .counts").innerText(), /^6\/6\*?/);
  const days = ["TestDay1", "TestDay2"].map((day) => (found[day] ?? []).map(Number));
  const names = ["Ridge", "LASSO", "Elastic net", "Kernel", "FM", "iFM"];
  assert.deepEqual(await own.locator(".winners b").allInnerTexts(), days.map((day) => names[day.indexOf(Math.min(...day.slice(0, 6)))]));

  const again = await openPage(t, page.url(), { ...quiet, processors: 1 });
  assert.deepEqual(await numbers(await ran(again)), found, "the same bits, whatever the order of the windows");
});

test("a pause loses nothing", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=vtec&vtec.days=3&vtec.stride=180&vtec.fixes=0", { ...quiet, before: (page) => holdCall(page, "window", "all") });
  const own = await details(page, "vtec");
  await pass(page, 9); // of 24: a fast engine is not done before the press
  await own.locator("button.run").click();
  await own.locator(".own td[data-value]:not([data-value=NaN])").first().waitFor();
  await own.locator("button.pause").click();
  await pass(page);
  await over(own, "paused");
  const share = (await own.locator("tbody .counts").allInnerTexts()).filter((text) => text.includes("/")).map((text) => Number(text.split("/")[0]));
  assert.ok(Math.max(...share) < 8 && Math.max(...share) - Math.min(...share) <= 2, `all days are about as far: ${share}`);
  await own.locator("button.pause").click();
  await over(own);
  const whole = await numbers(own);
  await run(own);
  assert.deepEqual(await numbers(own), whole, "the pause has changed nothing");
});

test("the map moves with its slider, is read by the arrow keys, says in words what it shows, and rests out of sight", async (t) => {
  const page = await openPage(t, frame, { ...quiet, held: true });
  const own = await details(page, "vtec");
  const map = own.locator("svg.map-svg");
  await map.scrollIntoViewIfNeeded();
  const time = () => own.locator(".sky figcaption .num").innerText();
  const raster = () => own.locator(".raster").innerHTML();
  const first = await raster();
  await still(page, 5000);
  assert.equal(await raster(), first, "it does not play by itself where motion is not wanted");
  assert.match((await map.getAttribute("aria-label")) ?? "", /Map of 17 stations.*TEC goes from [\d.]+ to [\d.]+ TECU.*\d+ satellites.*farthest from the plane around it at/);
  await own.locator(".sky input.minute").focus();
  const then = await time();
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.notEqual(await raster(), first);
  assert.notEqual(await time(), then);
  await tabTo(page, ".sky .over input");
  const cursor = own.locator(".sky .over input");
  const said = async () => (await cursor.getAttribute("aria-valuetext")) ?? "";
  const middle = await said();
  assert.match(middle, /° N.*TEC [\d.]+ TECU, [\d.× ⁻⁰-⁹]+ TECU (above|below) the plane/);
  await page.keyboard.press("ArrowUp");
  const above = await said();
  assert.ok(Number.parseFloat(above) > Number.parseFloat(middle), `up is north: ${middle}, then ${above}`);
  assert.equal(await own.locator(".sky .readout").innerText(), above);
  const bends = await raster();
  await own.locator(".sky .whats label").last().click();
  assert.notEqual(await raster(), bends, "what bends the content comes first, then the content");
  await openData(own.locator("ifm-skymap"));
  assert.ok((await own.locator(".sky .under table").last().locator("tbody tr").count()) >= 4 * 17, "every pierce point is in the table");
  await cursor.focus();
  const scrolled = await page.evaluate(() => scrollY);
  await page.keyboard.press("Space");
  assert.equal(await own.locator(".sky .play").getAttribute("aria-pressed"), "true", "Space plays where the cursor has the focus");
  assert.equal(await page.evaluate(() => scrollY), scrolled, "and scrolls nothing");
  const playing = await time();
  await still(page, 5000);
  assert.notEqual(await time(), playing, "it plays");
  await own.locator(".source").scrollIntoViewIfNeeded();
  await still(page, 1000);
  const away = await time();
  await still(page, 5000);
  assert.equal(await time(), away, "out of sight it rests");
});

test("a table of pierce points that is dropped anywhere opens in the chapter, asks for its unit, and has its bad rows listed", async (t) => {
  const made = await openPage(t, "/?embed=1&chapter=vtec&vtec.stride=240&vtec.fixes=0", quiet);
  const frame = await chapter(made);
  const file = await written(made, frame, "points");
  await settled(made, dropFile(made, "#vtec-title", file));
  assert.match(await frame.locator(".found h4").innerText(), /pierce points/);

  const page = await openPage(t, `/?speed=instant&d=8&k=2&n=100&iterations=20&${short}`, quiet);
  await settled(page, dropFile(page, "h1", { name: "notmaps.10i", bytes: "nothing of the kind\n" }));
  const own = page.locator("#vtec .chapter");
  assert.match(await own.locator("[data-error=sky]").innerText(), /notmaps\.10i/);
  /** Folds the details and unfolds them again. */
  const unfold = async () => {
    for (const open of [false, true]) {
      await own.locator(".details").evaluate((/** @type {HTMLDetailsElement} */ more, to) => void (more.open = to), open);
      await settled(page);
    }
  };
  await unfold();
  assert.equal(await own.locator("[data-error=sky]").count(), 0, "a refused file is not read again");
  await choose(own, { name: "chosen.csv", bytes: file.bytes });
  await unfold();
  assert.ok(await own.locator(".found[data-sky='chosen.csv']").isVisible(), "the file dropped before does not come back");
  const lines = file.text.replaceAll(/^#.*\n/gm, "").replace("vtec_tecu", "tec").split("\n");
  const bare = lines.map((line, i) => (i === 40 ? line.replace(/^([^,]*,[^,]*,[^,]*,)[^,]*/, "$1north") : line)).join("\n"); // its lat
  for (const [name, bytes] of /** @type {const} */ ([["mine.csv", file.bytes], ["bare.csv", bare]])) {
    await settled(page, dropFile(page, "#vtec-title", { name, bytes }));
    assert.ok(await own.locator(`.found[data-sky="${name}"]`).isVisible());
  }
  assert.match(await own.locator("[data-error=survey]").innerText(), /unit/, "what it lacks is asked for");
  assert.match(await own.locator(".door [role=status]").innerText(), /bare\.csv replaces mine\.csv/);
  await own.locator("[data-key=unit]").first().selectOption("tecu");
  await settled(page, own.locator("[data-key=mapping]").first().selectOption("vertical"));
  assert.equal(await own.locator("[data-error]").count(), 0);
  assert.match((await own.locator(".found .places li").first().textContent()) ?? "", /bare\.csv:41:\d+: .*north/);
  await own.locator("[name=station]").selectOption("S03");
  await settled(page, own.locator(".sky").scrollIntoViewIfNeeded());
  assert.equal(await own.locator(".sky text.name.test").textContent(), "S03", "each station can be the test station");
  await run(own, "few");
  assert.match(await own.locator(".own caption").innerText(), /^Your data/);
  assert.doesNotMatch(page.url(), /bare\.csv/, "the file's name is in no address");
});
