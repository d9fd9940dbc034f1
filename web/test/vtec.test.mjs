// @ts-check
/** The chapter on vTEC: its table and what it says of it, the map, a reader's own sky, and what is saved. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, assertFits, dropFile, follow, openPage, outdated, settled, still, tabTo } from "./lab.mjs";
import { details, over, run } from "./lesson.mjs";
import { saved, savedChart } from "./table.mjs";

const short = "vtec.days=2&vtec.stride=240&vtec.fixes=720"; // 12 windows, and positions in 4
const frame = `/?embed=1&chapter=vtec&${short}`;
const quiet = /** @type {const} */ ({ reducedMotion: "reduce" }); // else the map plays for ever

/** The chapter, once it has settled, with all its parts open. @param {Page} page */
async function chapter(page) {
  const own = await details(page, "vtec");
  for (const part of await own.locator("details:is(.part, .honest)").all()) {
    if ((await part.getAttribute("open")) === null) await part.locator(":scope > summary").click();
  }
  await settled(page);
  return own;
}

/** The chapter after its run. @param {Page} page @param {string} [guess] */
async function done(page, guess = "most") {
  const own = await chapter(page);
  await run(own, guess);
  return own;
}

/** Every number of the table, at full precision. @param {Locator} own @returns {Promise<Record<string, (string | null)[]>>} */
function numbers(own) {
  return own.locator(".own table.tally").evaluate((table) =>
    Object.fromEntries(Array.from(table.querySelectorAll("tr[data-row]"), (row) => [row.getAttribute("data-row"), Array.from(row.querySelectorAll("td[data-value]"), (cell) => cell.getAttribute("data-value"))])),
  );
}

/** Gives a setting another value. @param {Locator} own @param {string} key @param {string} value */
async function set(own, key, value) {
  const input = own.locator(`[data-key=${key}]`).first();
  await input.evaluate((e) => e.closest("details")?.setAttribute("open", ""));
  await input.fill(value);
  await input.press("Enter");
  await settled(own.page());
}

/** Saves the map's day as a file. @param {Page} page @param {Locator} own @param {"maps" | "points"} what */
async function written(page, own, what) {
  const button = own.locator(`[data-write=${what}]`);
  await button.scrollIntoViewIfNeeded();
  await settled(page);
  return saved(page, button);
}

/** @param {Locator} own @param {{ name: string, bytes: Uint8Array | string }} file */
async function choose(own, { name, bytes }) {
  await own.locator("input[data-file=sky]").setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
}

test("a reader who arrives sees the map, the button and where the verdict comes; the rest is folded, and opens by keyboard", outdated, async (t) => {
  const page = await openPage(t, frame, { ...quiet, viewport: { width: 1280, height: 800 } });
  await settled(page);
  const own = page.locator("#vtec .chapter");
  for (const selector of [".map-svg", "button.run", ".outcome", "[data-guess]:last-child"]) {
    const box = await own.locator(selector).first().boundingBox();
    assert.ok(box && box.y < 720, `${selector} begins at ${box?.y} px`);
  }
  assert.equal(await own.locator("table.tally").first().isVisible(), false);
  assert.equal(await own.locator("input[data-file=sky]").isVisible(), false);
  assert.equal(await own.locator("details[open]").count(), 0, "nothing but map and question is open");
  await own.locator("[data-guess=most]").click();
  await over(own);
  assert.equal(await own.locator("table.tally").first().isVisible(), false, "the verdict comes without the table");
  await tabTo(page, "#vtec [data-part=days] > summary");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await own.locator("table.tally").first().isVisible(), true);
  assert.ok(await own.locator("ifm-chart svg").first().isVisible(), "the chart is drawn once its part is open");
  await own.locator("[data-part=sky] > summary").click();
  assert.equal(await own.locator("input[data-file=sky]").count(), 1);
  assert.match(await own.locator(".door").innerText(), /Choose a file/);
});

test("a link about a file of the reader's is understood without the file", outdated, async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=vtec&vtec.sky=maps", quiet);
  await settled(page);
  assert.ok(await page.locator("#vtec [data-simulated]").isVisible(), "its part is open");
  await follow(page, "/?embed=1&chapter=vtec&vtec.sky=disturbed");
  const own = await chapter(page);
  assert.match(await own.locator(".own-sky .asks").innerText(), /IONEX maps/);
  assert.match(await own.locator(".sky .empty").innerText(), /a file of yours/);
  await own.locator("button.run").click();
  await settled(page);
  assert.match(await own.locator(".error[role=alert]").first().innerText(), /Open it below, or press “Use the simulated sky” there/);
  await own.locator("[data-simulated]").click();
  await settled(page);
  assert.equal(await own.locator("[data-simulated]").count(), 0);
  assert.equal(await own.locator(".error[role=alert]").count(), 0, "there is nothing in the way any more");
  assert.doesNotMatch(page.url(), /vtec\.sky/);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "own-sky-title", "the focus stays in the section");
});

test("the table fills, says which method is best, and a link repeats it bit for bit on one worker", async (t) => {
  const page = await openPage(t, frame, quiet);
  const own = await chapter(page);
  assert.equal(await own.locator(".own tbody tr").count(), 2, "the rows are there before their numbers");
  const before = await own.locator(".twin").evaluate((e) => e.getBoundingClientRect().height);
  await done(page);
  const found = await numbers(own);
  assert.deepEqual(Object.keys(found), ["TestDay1", "TestDay2", "average", "rtk"]);
  for (const values of Object.values(found)) assert.ok(values.length === 8 && values.every((value) => Number(value) > 0), JSON.stringify(found));
  const after = await own.locator(".twin").evaluate((e) => e.getBoundingClientRect().height);
  assert.ok(Math.abs(after - before) < 2, `nothing moved when it filled: ${before}, ${after} px`);
  assert.match(await own.locator("tr[data-row=TestDay1] .counts").innerText(), /^6\/6\*?/);
  const rows = ["TestDay1", "TestDay2", "average"];
  for (const row of rows) {
    const printed = (found[row] ?? []).map((value) => Number(value).toFixed(5));
    const least = printed.toSorted()[0];
    const marked = await own.locator(`tr[data-row=${row}] .best`).evaluateAll((cells) => cells.map((cell) => cell.textContent?.trim()));
    assert.deepEqual(marked, printed.filter((value) => value === least).map((value) => `${value} best`), `what is best as printed is marked in ${row}, in words too`);
  }
  assert.equal(await own.locator("tr[data-row=rtk] .best").count(), 0, "positions of four windows say nothing");
  const days = ["TestDay1", "TestDay2"].map((day) => Number(found[day]?.[5]));
  assert.ok(Math.abs(Number(found["average"]?.[5]) - ((days[0] ?? 0) + (days[1] ?? 0)) / 2) < 1e-15, "the average is that of the days");
  assert.match(await own.locator(".own thead").innerText(), /Kriging\s+not in the paper/i);
  assert.match(await own.locator("tr[data-less] [data-method=kriging]").innerText(), /^−0\.0\d{4}\s±\s0\.0\d{4}$/);
  assert.match(await own.locator("tr[data-row=rtk] .zero").innerText(), /^\d+\.\d %$/, "positions with no correction");

  await t.test("the paper's table stands beside it as quoted, ties and losses included", async () => {
    const paper = own.locator("table.quoted");
    assert.match(await paper.locator("caption").innerText(), /Quoted/);
    const best = async (/** @type {number} */ row) => paper.locator(`tbody tr:nth-child(${row}) td.best`).evaluateAll((cells) => cells.map((cell) => cell.textContent?.trim()));
    assert.deepEqual(await best(1), ["0.02161 best"], "ridge regression on TestDay1");
    assert.deepEqual(await best(3), ["0.01484 best", "0.01484 best"], "FM and iFM are level on TestDay3");
    assert.deepEqual(await best(11), ["64.4 % best"]);
    assert.match(await own.locator(".own caption").innerText(), /Simulated/);
  });

  const again = await openPage(t, "about:blank", quiet);
  await again.addInitScript("Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 1 })");
  await again.goto(page.url());
  assert.deepEqual(await numbers(await done(again)), found, "the same bits, whatever the order of the windows");
});

test("every station is left out in turn, and the table says how each fares", acceptance, async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=vtec&vtec.days=1&vtec.stride=720&vtec.fixes=0&vtec.methods=ridge,ifm,kriging&vtec.stations=all", quiet);
  const own = await done(page, "few");
  assert.equal(await own.locator("tr[data-row=TestDay1] .counts").innerText(), "34/34");
  await own.locator(".parts summary").click();
  const stations = own.locator(".parts table").first();
  assert.match(await stations.locator("caption").innerText(), /station that is left out/);
  assert.equal(await stations.locator("tbody tr").count(), 17);
  const best = await stations.locator(".best").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-method")));
  assert.ok(best.filter((method) => method === "kriging").length >= 15, `kriging is ahead at nearly every station: ${best}`);
  assert.equal(await own.locator(".parts table").count(), 3, "by station, hour and elevation");
  await page.setViewportSize({ width: 390, height: 800 });
  await settled(page);
  assert.deepEqual((await own.locator(".own > .scroll thead th").allInnerTexts()).slice(1, 3).map((name) => name.split("\n")[0]), ["iFM", "Kriging"], "on a phone iFM comes first, and what it is judged by");
  await assertFits(page);
});

test("penalties are chosen on windows that are not tested on, with progress and a stop", acceptance, async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=vtec&vtec.days=1&vtec.stride=240&vtec.fixes=0&vtec.methods=ridge,kriging", quiet);
  const own = await chapter(page);
  await own.locator(".folds > details > summary").click();
  await own.locator("summary", { hasText: "Penalties and ranks" }).click();
  const tuning = own.locator("ifm-tuning");
  await tuning.locator("[data-tune=start]").click();
  await tuning.locator("progress").waitFor();
  await tuning.locator("[data-tune=stop]").click();
  assert.match(await tuning.locator("[role=status]").innerText(), /nothing has changed/);
  assert.doesNotMatch(page.url(), /tune=own/);
  await tuning.locator("[data-tune=start]").click();
  await tuning.locator("[role=status]", { hasText: "Chosen on 30 windows" }).waitFor();
  assert.match(page.url(), /vtec\.tune=own/);
  assert.notEqual(await own.locator("[data-key=length]").inputValue(), "1000", "six windows of five other days say otherwise");
  await run(own);
  assert.equal(await own.locator("tr[data-row=TestDay1] .counts").innerText(), "6/6", "the simulator has days of its own to tune on");
  await tuning.locator("[data-tune=given]").click();
  await settled(page);
  assert.doesNotMatch(page.url(), /tune=own/);
});

test("a pause loses nothing, a stop keeps what has come, and new settings keep the table until there is another", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=vtec&vtec.days=3&vtec.stride=90&vtec.fixes=0", quiet);
  const own = await chapter(page);
  const came = async () => Number((await own.locator(".cost").innerText()).match(/(\d+) of/)?.[1] ?? "NaN");
  await own.locator("button.run").click();
  await own.locator(".own td[data-value]:not([data-value=NaN])").first().waitFor();
  await own.locator("button.pause").click();
  await over(own, "paused");
  const paused = await came();
  assert.ok(paused > 0 && paused < 48, `${paused} of 48`);
  const counts = (await own.locator("tbody .counts").allInnerTexts()).filter((text) => text.includes("/"));
  const share = counts.map((text) => Number(text.split("/")[0]));
  assert.ok(Math.max(...share) - Math.min(...share) <= 2, `all days are about as far: ${counts}`);
  await own.locator("button.pause").click();
  await over(own);
  const whole = await numbers(own);
  await run(own);
  assert.deepEqual(await numbers(own), whole, "the pause has changed nothing");

  await set(own, "waves", "2");
  assert.deepEqual(await numbers(own), whole, "the settings have changed, and not what was computed");
  assert.match(await own.locator(".cost").innerText(), /settings have changed/);
  await own.locator("button.run").click();
  await own.locator(`tr[data-row=average] [data-method=ifm]:not([data-value="${whole["average"]?.[5]}"])`).waitFor();
  await own.locator("button.stop").click();
  await over(own, "stopped");
  const kept = await own.locator("tbody .counts").allInnerTexts();
  assert.match(await own.locator(".cost").innerText(), /Stopped/);
  const ended = kept.map((text) => Number(text.split("/")[0])).reduce((sum, n) => sum + n, 0);
  assert.match(await own.locator(".told").innerText(), new RegExp(`^After ${ended} of 48 windows: iFM is`));
  assert.match(await own.locator(".live").innerText(), new RegExp(`after ${ended} of 48 windows`));
});

test("every window is run once, and the settings stay", acceptance, async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=vtec&vtec.days=1&vtec.stride=720&vtec.fixes=0&vtec.methods=ridge,ifm&vtec.waves=0&vtec.phase=2", quiet);
  const own = await chapter(page);
  await done(page, "all");
  assert.match(await own.locator(".own caption").innerText(), /noise of 2 mm .* about 0\.0044 m/);
  await own.locator("button.every").click();
  await own.locator("tr[data-row=TestDay1] .counts", { hasText: /\/1,440\*?$/ }).waitFor();
  await own.locator("button.stop").click();
  await over(own, "stopped");
  assert.match(await own.locator(".live").innerText(), /after \d+ of 1,440 windows, one every minute/);
  assert.match(await own.locator(".cost").innerText(), /Stopped/, "the settings have not changed");
  assert.equal(await own.locator("[data-key=stride]").inputValue(), "720");
  assert.match(page.url(), /vtec\.stride=720/);
  await run(own);
  assert.equal(await own.locator("tr[data-row=TestDay1] .counts").innerText(), "2/2");
});

test("a worker that dies in the middle of a run costs nothing but time", acceptance, async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=vtec&vtec.days=2&vtec.stride=120&vtec.fixes=0", quiet);
  const own = await chapter(page);
  await own.locator("button.run").click();
  await own.locator(".own td[data-value]:not([data-value=NaN])").first().waitFor();
  await page.evaluate(() => {
    for (const engine of /** @type {any} */ (document.querySelector("ifm-app")).pool.engines) engine.restart({ kind: "Crashed", message: "killed by a test", file: "", line: 0, column: 0, field: "", found: "" });
  });
  await over(own);
  assert.equal(await own.locator("[role=alert], .unused li").count(), 0);
  const found = await numbers(own);
  await run(own);
  assert.deepEqual(await numbers(own), found);
});

test("the map moves with its slider, is read by the arrow keys, and says in words what it shows", outdated, async (t) => {
  const page = await openPage(t, frame, { ...quiet, held: true });
  const own = await chapter(page);
  const map = own.locator("svg.map-svg");
  await map.scrollIntoViewIfNeeded();
  const time = () => own.locator(".sky figcaption .num").innerText();
  const raster = () => own.locator(".raster").innerHTML();
  const first = await raster();
  await still(page, 5000);
  assert.equal(await raster(), first, "it does not play by itself where motion is not wanted");
  assert.equal(await own.locator(".sky .play").getAttribute("aria-pressed"), "false");
  assert.match((await map.getAttribute("aria-label")) ?? "", /Map of 17 stations.*TEC goes from [\d.]+ to [\d.]+ TECU.*\d+ satellites.*bends most at/);
  await tabTo(page, ".sky input.minute");
  const then = await time();
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.notEqual(await raster(), first);
  assert.notEqual(await time(), then);
  await tabTo(page, ".sky .grid");
  const cursor = own.locator(".sky .grid");
  const said = async () => (await cursor.getAttribute("aria-valuetext")) ?? "";
  const middle = await said();
  assert.match(middle, /° N.*TEC [\d.]+ TECU, [\d.× ⁻⁰-⁹]+ TECU (above|below) the plane/);
  await page.keyboard.press("ArrowUp");
  const above = await said();
  assert.ok(Number.parseFloat(above) > Number.parseFloat(middle), `up is north: ${middle}, then ${above}`);
  const extremes = await own.locator(".sky .extreme").allTextContents();
  assert.ok(extremes.some((text) => text.startsWith("+")) && extremes.some((text) => text.startsWith("−")), `the strongest bends in numbers: ${extremes}`);
  const grid = await raster();
  await own.locator(".sky .whats label").last().click();
  assert.notEqual(await raster(), grid, "what bends the content comes first, then the content");
  assert.equal(await own.locator(".sky .extreme").count(), 0);
  await own.locator(".sky details > summary").click();
  await settled(page);
  assert.ok((await own.locator("table.pierced tbody tr").count()) >= 4 * 17, "every pierce point is in the table");

  await cursor.focus();
  const scrolled = await page.evaluate(() => scrollY);
  await page.keyboard.press("Space");
  assert.equal(await own.locator(".sky .play").getAttribute("aria-pressed"), "true", "Space plays where the cursor has the focus");
  await page.keyboard.press("Space");
  assert.equal(await own.locator(".sky .play").getAttribute("aria-pressed"), "false");
  assert.equal(await page.evaluate(() => scrollY), scrolled, "and scrolls nothing");

  await own.locator(".sky .play").click();
  const playing = await time();
  await still(page, 5000);
  assert.notEqual(await time(), playing, "it plays");
  await own.locator(".source").scrollIntoViewIfNeeded();
  await still(page, 1000);
  const away = await time();
  await still(page, 5000);
  assert.equal(await time(), away, "out of sight it rests");
});

test("the map shows what there is, large or whole, and nothing where there is nothing", acceptance, async (t) => {
  const page = await openPage(t, frame, quiet);

  await t.test("the map shows the net large, or all signals, and no name hides a station", async () => {
    const own = await chapter(page);
    const map = own.locator("svg.map-svg");
    for (const [width, height] of /** @type {const} */ ([[1280, 900], [390, 800]])) {
      await page.setViewportSize({ width, height });
      await map.scrollIntoViewIfNeeded();
      await settled(page);
      for (const view of ["net", "whole"]) {
        await own.locator(`.sky .views label:has([value=${view}])`).click();
        await settled(page);
        const { stations, names, frame: box } = await map.evaluate((svg) => {
          const boxes = (/** @type {string} */ of) => Array.from(svg.querySelectorAll(of), (e) => { const { left, right, top, bottom } = e.getBoundingClientRect(); return { left, right, top, bottom, text: e.textContent ?? "" }; });
          return { stations: boxes("circle.station, rect.test"), names: boxes(".name, .satellite, .extreme"), frame: boxes(".border")[0] };
        });
        assert.equal(stations.length, 17);
        const wide = Math.max(...stations.map(({ bottom }) => bottom)) - Math.min(...stations.map(({ top }) => top));
        const share = wide / ((box?.bottom ?? 0) - (box?.top ?? 0));
        if (view === "net") assert.ok(share > 0.5, `the net fills the map: ${share} of its height`);
        else assert.ok(share < 0.2, `all signals are there: ${share}`);
        for (const name of names) {
          const middle = (name.top + name.bottom) / 2; // its letters, without the room above and below
          for (const at of stations) {
            const [x, y] = [(at.left + at.right) / 2, (at.top + at.bottom) / 2];
            assert.ok(x < name.left - 1 || x > name.right + 1 || Math.abs(y - middle) > 6, `${name.text} hides a station in ${view} at ${width} px`);
          }
          assert.ok(name.left >= (box?.left ?? 0) - 1 && name.right <= (box?.right ?? 0) + 1, `${name.text} is whole at ${width} px`);
        }
        assert.ok(names.some(({ text }) => text === "S01"), "the test station has its name");
        if (view === "net" && width === 1280) assert.ok(names.filter(({ text }) => /^S\d\d$/.test(text)).length === 17, "and so has every other");
      }
    }
  });

  await t.test("where there is no experiment the map shows nothing of the one before", async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    const own = await chapter(page);
    await own.locator(".sky").scrollIntoViewIfNeeded();
    await settled(page);
    assert.match(await own.locator(".sky .readout").innerText(), /satellites/);
    await set(own, "edge", "1");
    await own.locator(".sky").scrollIntoViewIfNeeded();
    await settled(page);
    assert.equal(await own.locator(".sky .empty[role=alert]").count(), 1);
    assert.equal(await own.locator(".sky .readout").innerText(), "");
    assert.equal(await own.locator(".sky .legend.blank").count(), 1);
    assert.equal(await own.locator(".sky figcaption .num").innerText(), "");
  });
});

test("a day that the page has written as IONEX is a reader's own sky, alone and with disturbances", acceptance, async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=vtec&vtec.stride=360&vtec.fixes=0", quiet);
  const own = await chapter(page);
  const marked = await written(page, own, "maps");
  assert.match(marked.bytes.toString("latin1"), /IONEX VERSION \/ TYPE/);
  assert.match(marked.bytes.toString("latin1"), /simulated by iFM Lab:/);
  await choose(own, marked);
  await settled(page);
  assert.equal(await own.locator(".found").count(), 1);
  assert.match(await own.locator(".own caption").innerText(), /^Simulated \(file\) RMSE/, "its own file is nobody’s data");
  await own.locator("ifm-skymap").scrollIntoViewIfNeeded();
  await settled(page);
  const table = await savedChart(page, own.locator("ifm-skymap"), "csv");
  assert.match(table.text, /"Simulated \(file\)\. Live: .*A file that iFM Lab has simulated/);
  await own.locator("[data-close]").click();
  await settled(page);
  assert.equal(await own.locator(".found").count(), 0);
  const file = { name: marked.name, bytes: Buffer.from(marked.bytes.toString("latin1").split("\n").filter((line) => !/COMMENT\s*$/.test(line)).join("\n"), "latin1") };
  await dropFile(page, own.locator(".own-sky .drop"), file);
  await settled(page);
  assert.equal(await own.locator(".found").count(), 1);
  assert.match(await own.locator(".found h5").innerText(), /IONEX maps/);
  assert.ok((await own.locator(".found .facts dt").count()) >= 2, "what was read is told");
  assert.match(page.url(), /vtec\.sky=maps/);
  assert.match(await own.locator(".guess").innerText(), /Will it be the best of the six on that day\?/);
  await done(page, "all");
  assert.match(await own.locator(".own caption").innerText(), /^Your data RMSE/);
  const alone = await numbers(own);
  assert.match(await own.locator(".live").innerText(), /your own IONEX maps, 1 day/i);
  await own.locator("[name=sky-use][value=disturbed]").check();
  await run(own);
  assert.match(await own.locator(".own caption").innerText(), /Your data, simulated disturbances/);
  const csv = await savedChart(page, own.locator("ifm-tally"), "csv");
  assert.match(csv.text, /simulated disturbances/, "and so does what is saved of it");
  const ridge = (/** @type {Record<string, (string | null)[]>} */ of) => Number(of["average"]?.[0]);
  assert.ok(ridge(await numbers(own)) > ridge(alone), "disturbances are harder to follow than smooth maps");

  const before = await numbers(own);
  await choose(own, { name: "broken.10i", bytes: file.bytes.subarray(0, Math.floor(file.bytes.length * 0.6)) });
  await settled(page);
  const error = own.locator("[data-error=sky]");
  assert.match(await error.innerText(), /broken\.10i/);
  assert.match(await error.locator(".facts").innerText(), /Line/, "the error has its place");
  assert.match(await error.innerText(), /is still in use/);
  assert.deepEqual(await numbers(own), before, "what was there stays");
  assert.equal(await own.locator(".found").getAttribute("data-sky"), file.name);
  assert.equal(await own.locator("svg.map-svg").count(), 1);
  await own.locator("[data-close]").click();
  await settled(page);
  assert.equal(await own.locator(".found").count(), 0);
  assert.doesNotMatch(page.url(), /sky=/);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "own-sky-title");
  const top = await own.locator("#own-sky-title").evaluate((e) => e.getBoundingClientRect().top);
  assert.ok(top >= 0 && top < 900, `the reader stays at the section: ${top}`);
});

test("a table of pierce points that is dropped anywhere opens in the chapter, beside it and in its frame", outdated, async (t) => {
  const made = await openPage(t, "/?embed=1&chapter=vtec&vtec.stride=240&vtec.fixes=0", quiet);
  const frame = await chapter(made);
  const file = await written(made, frame, "points");
  assert.match(await frame.locator(".days [role=status]").innerText(), /Saved as/);
  await set(frame, "waves", "2");
  await settled(made);
  assert.equal((await frame.locator(".days [role=status]").innerText()).trim(), "");
  await dropFile(made, "#vtec-title", file);
  await settled(made);
  assert.match(await frame.locator(".found h5").innerText(), /pierce points/);
  await choose(frame, { name: "junk.csv", bytes: "a,b\n1,2\n3,4\n" });
  await settled(made);
  assert.equal(await frame.locator("[data-error=sky] select").count(), 0, "no unit is asked of what is no such table");
  assert.match(await frame.locator("[data-error=sky]").innerText(), /TestDay1\.csv is still in use/);

  const page = await openPage(t, "/?speed=instant&d=8&k=2&n=100&iterations=20", quiet);
  await t.test("maps of the ionosphere that are dropped anywhere on the page are opened here", async () => {
    await dropFile(page, "h1", { name: "notmaps.10i", bytes: "nothing of the kind\n" });
    await settled(page);
    assert.match(await page.locator("#vtec [data-error=sky]").innerText(), /notmaps\.10i/);
  });
  for (const [name, bytes] of /** @type {const} */ ([["mine.csv", file.bytes], ["bare.csv", file.bytes.toString("utf8").replaceAll(/^#.*\n/gm, "").replace("vtec_tecu", "tec")]])) {
    await dropFile(page, "h1", { name, bytes });
    await settled(page);
    assert.equal(await page.locator(`#vtec .found[data-sky="${name}"]`).count(), 1);
  }
  assert.match(await page.locator("#vtec [data-error=survey]").innerText(), /unit/, "what it lacks is asked for");
  assert.match(await page.locator("#vtec .door [role=status]").innerText(), /bare\.csv has taken the place of mine\.csv/);
  await choose(page.locator("#vtec .chapter"), { name: "junk.csv", bytes: "a,b\n1,2\n3,4\n" });
  await settled(page);
  assert.match(await page.locator("#vtec [data-error=sky]").innerText(), /bare\.csv is still open/);
});

test("a table of pierce points without a unit asks for it, and its bad rows and windows are listed", acceptance, async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=vtec&vtec.stride=30&vtec.fixes=0", quiet);
  const own = await chapter(page);
  const file = await written(page, own, "points");
  const lines = file.bytes.toString("utf8").split("\n").filter((line) => !/^# (unit|test|simulated)/.test(line));
  const head = lines.findIndex((line) => line.startsWith("time,"));
  const rows = lines.slice(head + 1).filter((line) => line !== "");
  const minutes = [...new Set(rows.map((line) => line.split(",")[0]))];
  const few = minutes.slice(0, 4); // four windows, in the first of which three satellites are left
  const left = new Set([...new Set(rows.filter((line) => line.startsWith(`${few[0]},`)).map((line) => line.split(",")[1]))].slice(0, 3));
  const some = rows.filter((line) => few.includes(line.split(",")[0]) && (!line.startsWith(`${few[0]},`) || left.has(line.split(",")[1])));
  const at = some.length - 5;
  const broken = (some[at] ?? "").replace(/^([^,]*,[^,]*,[^,]*,)[^,]*/, "$1north"); // its lat
  const text = [...lines.slice(0, head), (lines[head] ?? "").replace(/[a-z]+_tecu/, "tec"), ...some.slice(0, at), broken, ...some.slice(at + 1), ""].join("\n");
  await choose(own, { name: "points.csv", bytes: text });
  await settled(page);
  assert.match(await own.locator(".own-sky").innerText(), /unit/i);
  await own.locator("[data-key=unit]").first().selectOption("tecu");
  await own.locator("[data-key=mapping]").first().selectOption("vertical");
  await settled(page);
  if (await own.locator("[data-again]").isVisible()) await own.locator("[data-again]").click();
  await settled(page);
  assert.equal(await own.locator(".found").count(), 1);
  assert.equal(await own.locator("[data-error]").count(), 0);
  await own.locator(".found .places summary").click();
  assert.match(await own.locator(".found .places li").first().innerText(), /points\.csv:\d+:\d+: .*north/);
  await own.locator(".sky").scrollIntoViewIfNeeded();
  await settled(page);
  assert.ok((await own.locator(".sky .point[style^=fill]").count()) > 0); // where no field is known the signals have its colours
  assert.equal(await own.locator(".sky input.minute").getAttribute("max"), "3", "the times are the file's");
  await done(page, "all");
  assert.match(await own.locator(".own caption").innerText(), /^Your data/);
  await own.locator(".unused summary").click();
  assert.match(await own.locator(".unused li").first().innerText(), /\d\d:\d\d UT: .*3.*want at least 4/);
  const options = await own.locator("[data-key=station] option").allInnerTexts();
  assert.equal(options.length, 18, "each station can be the test station");
  await own.locator("[data-key=station]").selectOption({ index: 3 });
  await own.locator(".sky").scrollIntoViewIfNeeded();
  await settled(page);
  assert.equal(await own.locator(".sky text.name.test").textContent(), options[3]);
  assert.equal(await own.locator(".own caption .floor").count(), 0, "the noise of a reader's points is not known");
  assert.doesNotMatch(page.url(), /points\.csv/, "the file's name is in no address");
});

test("line-of-sight TEC as Madrigal exports it is opened from anywhere, says what it found, and is predicted", acceptance, async (t) => {
  const page = await openPage(t, `/?d=8&k=2&n=100&speed=instant&iterations=20&${short}`, quiet);
  await dropFile(page, "h1", { path: "core/vtec/sky/testdata/los.csv.gz" });
  await settled(page);
  const own = page.locator("#vtec .chapter");
  assert.match(await own.locator(".found h5").innerText(), /^los\.csv: line-of-sight TEC/);
  const facts = await own.locator(".found .facts").innerText();
  assert.match(facts, /47 of 10 minutes or more, without a gap above 5 minutes/);
  assert.match(facts, /1, jumps beyond 1 TECU, in 1 of 63 pairs/);
  assert.match(await own.locator(".found").innerText(), /what is predicted is the change of the TEC/);
  await own.locator(".sky").scrollIntoViewIfNeeded();
  await settled(page);
  assert.ok(await own.locator(".sky .views [value=whole]").isChecked(), "all signals, as nothing is known between them");
  assert.ok(await own.locator(".sky .whats [value=tec]").isChecked());
  assert.ok((await own.locator(".sky .point[style^=fill]").count()) > 20, "signals are there from the first minute on");
  await page.locator("#vtec [data-key=stride]").evaluate((e) => e.closest("details")?.setAttribute("open", ""));
  await set(own, "stride", "10");
  await done(page, "all");
  assert.match(await own.locator(".own caption").innerText(), /^Your data/);
  const found = await numbers(own);
  assert.ok((found["2011-06-06"] ?? []).every((value) => Number(value) > 0 && Number(value) < 1), JSON.stringify(found));
  await set(own, "edge", "20");
  await settled(page);
  assert.match(await own.locator("[data-error=survey]").innerText(), /no station is within 20 km of the test station; join stations up to \d+ km apart/i);

  const text = "ut1_unix gps_site sat_id los_tec azm elm gdlat\n1307361600.0 aaaa 5 20.5 10.5 40.5 31.5\n";
  await dropFile(page, "h1", { name: "los.txt", bytes: text });
  await settled(page);
  assert.match(await page.locator("#vtec [data-error=sky]").innerText(), /this table has no glon; have it written with that column, too/);
});

test("the table is saved for a paper, for a page and for a spreadsheet, with its source, seed and link", acceptance, async (t) => {
  const page = await openPage(t, frame, quiet);
  const own = await done(page);
  const found = await numbers(own);
  const tally = own.locator("ifm-tally");
  const tex = await savedChart(page, tally, "tex");
  assert.match(tex.name, /^ifm-lab-vtec-table-seed-1\.tex$/);
  assert.match(tex.text, /^% Live: computed in this browser\. .*a simulated sky.*seed 1\.\n% http.*vtec\.days=2/i);
  assert.equal(tex.text.match(/\\textbf/g)?.length, await own.locator(".own .best").count(), "what is best is bold");
  const md = await savedChart(page, tally, "md");
  assert.match(md.text, /\| TestDay1 \| [\d.]+ \|[^]*seed 1\. <http/);
  const csv = await savedChart(page, tally, "csv");
  const [head = "", ...rows] = csv.text.trim().split("\r\n");
  assert.match(head, /^Day,unit,windows done,windows,Zero,Ridge,LASSO,Elastic net,Kernel,FM,iFM,Cubics,Kriging,source,link$/);
  assert.equal(rows.length, 4);
  assert.deepEqual((rows[0] ?? "").split(",").slice(5, 13), found["TestDay1"], "at full precision");
  assert.match(csv.text, /\r\n[^\r]*"Simulated\. Live: computed in this browser\. .*seed 1\.",http[^\r]*vtec\.days=2/, "what the numbers are stands beside them");
  const table = (await savedChart(page, tally, "svg")).text;
  assert.equal(table.match(/text-decoration="underline"/g)?.length, await own.locator(".own .best").count(), "what is best is underlined in a picture too");
  assert.doesNotMatch(table, /best</, "what is read aloud is not written");
  assert.match(table, /text-anchor="start"[^>]*>TestDay1</, "names stand on the left");
  const chart = await savedChart(page, own.locator("ifm-chart"), "csv");
  assert.match(chart.text, /,source,link\r\n.*"Simulated\. Live: /);
});

test("a map that is saved states the settings that it shows, its day and its time", acceptance, async (t) => {
  const page = await openPage(t, `${frame}&vtec.waves=0`, quiet);
  const own = await done(page);
  await set(own, "waves", "1");
  const map = own.locator("ifm-skymap");
  await map.scrollIntoViewIfNeeded();
  await settled(page);
  const svg = await savedChart(page, map, "svg");
  assert.match(svg.name, /^ifm-lab-vtec-bend-map-testday1-\d\d-\d\d-seed-1\.svg$/);
  const said = [...svg.text.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text).join(" ");
  assert.match(said, /Simulated\. Live: .*TestDay1, \d\d:\d\d UT.*disturbances × 1, seed 1\./);
  assert.doesNotMatch(said, /waves=0/);
  assert.match(svg.text, /rotate\(45 18 10\)/, "the test station is a diamond in the legend too");
  assert.equal(svg.text.match(/<g[^>]*data-part="ramp".*?<\/g>/)?.[0].match(/<rect/g)?.length, 41, "the colours and what they mean");
  const csv = await savedChart(page, map, "csv");
  const [head, first] = csv.text.split("\r\n");
  assert.equal(head, 'day,"time, UT","latitude, °","longitude, °","TEC, TECU","TEC less the plane around it, TECU",source,link');
  assert.match(first ?? "", /^TestDay1,\d\d:\d\d,.*"Simulated\. Live: .*disturbances × 1, seed 1\.",http/);
  const table = await savedChart(page, own.locator("ifm-tally"), "csv");
  assert.equal(table.name, "ifm-lab-vtec-waves-0-table-seed-1.csv");
  assert.match(table.text, /disturbances × 0/, "the table is of the run");
});
