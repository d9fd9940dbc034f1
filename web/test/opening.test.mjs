// @ts-check
/** The opening: a page with no settings of its own begins with +UUᵀ and flips its sign before the reader's eyes, unless the reader acts first. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, assertAccessible, dropFile, follow, openPage, origin, release, settled, still, tabTo } from "./lab.mjs";
import { rows } from "./table.mjs";

const figure = "ifm-figure";

/**
 * What is seen at one moment: the sign, where the curves are, and the shares of the truth's
 * stronger entries that have the colour of +UUᵀ and of −UUᵀ.
 *
 * @param {Page} page
 * @param {boolean} [colours] whether these are wanted, once `keep` has been asked
 */
const look = (page, colours = false) =>
  page.evaluate((wanted) => {
    const reference = wanted ? /** @type {number[]} */ (/** @type {any} */ (window).first) : undefined;
    const panel = /** @type {any} */ (document.querySelector("ifm-figure"));
    const { phase, lines, query } = panel.training;
    const [fm, ifm] = ["fm", "ifm"].map((model) => lines.find((/** @type {any} */ line) => line.model === model)?.error.at(-1) ?? NaN);
    const canvas = /** @type {HTMLCanvasElement | null} */ (panel.querySelector("canvas[data-key=truth]"));
    const truth = /** @type {any} */ (panel.querySelector("ifm-matrix"))?.panels?.[0]?.values;
    const entries = reference;
    const copy = reference && canvas && canvas.width ** 2 === reference.length ? new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true }) : null;
    if (copy && canvas) copy.drawImage(canvas, 0, 0);
    const colours = copy?.getImageData(0, 0, copy.canvas.width, copy.canvas.height).data;
    const most = Math.max(...(entries ?? [0]).map(Math.abs));
    const strong = (entries ?? []).map((value, at) => ({ value, at })).filter(({ value }) => Math.abs(value) > most / 4);
    const warmth = strong.map(({ value, at }) => ((colours?.[4 * at] ?? 0) - (colours?.[4 * at + 2] ?? 0)) * Math.sign(value)); // orange is above zero
    const { lab } = /** @type {any} */ (document.querySelector("ifm-app"));
    return {
      at: performance.now(),
      sign: document.querySelector("input[name=scenario]:checked")?.getAttribute("value") ?? "",
      phase: /** @type {string} */ (phase),
      query: /** @type {string} */ (query),
      iteration: Math.max(0, ...lines.map((/** @type {any} */ line) => line.iteration.at(-1) ?? 0)),
      fm: Number(fm), ifm: Number(ifm), drawn: truth !== undefined,
      same: warmth.filter((w) => w > 20).length / strong.length,
      turned: warmth.filter((w) => w < -20).length / strong.length,
      address: location.search,
      shared: /** @type {string} */ (lab.page.query),
    };
  }, colours);

/** Keeps the entries of the truth that is shown, in the page. @param {Page} page */
const keep = (page) =>
  page.evaluate(() => {
    /** @type {any} */ (window).first = [.../** @type {any} */ (document.querySelector("ifm-figure ifm-matrix")).panels[0].values.values];
  });

/** Lets a held clock go on until what is seen is so. @param {Page} page @param {(seen: Awaited<ReturnType<typeof look>>) => boolean} so */
async function until(page, so) {
  for (let frames = 0; frames < 3000; frames++) {
    const seen = await look(page);
    if (so(seen)) return seen;
    await page.clock.runFor(40);
  }
  return assert.fail("it is seen in time");
}

/** In the middle of the opening. @param {Page} page */
const middle = (page) => until(page, ({ sign, phase, iteration }) => sign === "psd" && phase === "running" && iteration > 30);

/** The verdict once the page has settled. @param {Page} page */
async function ending(page) {
  await settled(page);
  const { query, phase, fm, ifm } = await look(page);
  return { query, phase, fm, ifm };
}

test("the opening begins by itself where nothing else is asked for, and gives way to whoever acts", async (t) => {
  const page = await openPage(t, "about:blank", { held: true });

  await t.test("the page opens on +UUᵀ, both curves fall, and after two seconds the sign flips before one's eyes: FM sticks, iFM does not", async () => {
    await page.goto(`${await origin()}/`);
    const first = await until(page, ({ phase, drawn }) => phase === "running" && drawn);
    await keep(page);
    assert.equal(first.sign, "psd");
    assert.ok(await page.getByRole("button", { name: "Watch the sign" }).isDisabled());
    /** @type {Awaited<ReturnType<typeof look>>[]} */
    const seen = [await look(page, true)];
    for (let frames = 0; seen.at(-1)?.phase !== "done" || seen.at(-1)?.sign !== "flipped"; frames++) {
      assert.ok(frames < 3000, "the run after the flip ends");
      await page.clock.runFor(40);
      seen.push(await look(page, true));
    }
    assert.ok(seen.every(({ address, shared }) => address === "" && shared === ""), "neither the address nor what is shared changes");

    const flip = seen.findIndex(({ sign }) => sign === "flipped");
    const [before, after] = [seen.slice(0, flip), seen.slice(flip)];
    assert.ok(before.every(({ sign, query }) => sign === "psd" && /scenario=psd/.test(query)), "what is drawn is a run of the sign that is chosen");
    assert.ok(after.every(({ sign, query }) => sign === "flipped" && query === ""), "and then one of the default settings");
    const lasted = (before.at(-1)?.at ?? 0) - first.at;
    assert.ok(lasted > 1800, `the first sign is seen for two seconds, give or take two redraws: ${lasted} ms`);
    assert.ok(before.filter(({ at }) => at - first.at > 2300).every(({ phase }) => phase === "running"), "and longer only while a busy machine has not ended its run");
    const fell = before.filter(({ fm, ifm }) => fm > 0 && ifm > 0);
    for (const model of /** @type {const} */ (["fm", "ifm"])) assert.ok((fell.at(-1)?.[model] ?? NaN) < 0.1 * (after.at(-1)?.fm ?? NaN), `${model} falls, far below where FM will stick: ${fell[0]?.[model]} … ${fell.at(-1)?.[model]}`);

    assert.ok(before.at(-1)?.same === 1, "the map shows the first sign");
    assert.ok(after.at(-1)?.turned === 1, "and at the end the other in every entry");
    const between = after.filter(({ turned }) => turned > 0.05 && turned < 0.95);
    assert.ok(between.length >= 5, `its entries turn one after another: ${between.length} pictures are between`);
    assert.ok(after.every(({ turned }, i) => i === 0 || turned >= (after[i - 1]?.turned ?? 0)), "and none turns back");

    assert.match(await page.locator(`${figure} [data-verdict]`).innerText(), /^FM is stuck/);
    assert.match(await page.locator(`${figure} .readout`).first().innerText(), /Faint: the run before \(PSD\)/);
    const staged = await ending(page);
    await page.goto(`${await origin()}/?scenario=flipped&speed=instant`);
    assert.deepEqual(await ending(page), staged, "the run after the flip is the one that the settings give");
  });

  await t.test("whoever acts during the opening ends it, and what they want is done", async (t) => {
    const run = page.locator(`${figure} .controls`);
    const scroll = (/** @type {string} */ to) => page.locator(to).scrollIntoViewIfNeeded();
    /** What a reader does in the middle of the opening, and the sign, the phase and the address that come of it; all of it runs but the first in LONG=1. @type {[name: string, address: string, act: () => Promise<unknown>, sign: string, phase: string, left: RegExp][]} */
    const acts = [
      ["pause holds what is seen, which is in the address now", "/", () => run.getByRole("button", { name: "Pause" }).click(), "psd", "paused", /^\?scenario=psd$/],
      ["a sign that is chosen runs, and no other after it", "/", () => page.locator("input[value=mixed]").check(), "mixed", "done", /^\?scenario=mixed$/],
      ["the flip itself comes at once", "/", () => page.locator("input[value=flipped]").check(), "flipped", "done", /^$/],
      ["another seed is one of the sign that is seen", "/", () => run.getByRole("button", { name: "New seed" }).click(), "psd", "done", /^\?scenario=psd&seed=\d+$/],
      ["restart keeps the sign that is seen", "/?theme=dark", () => run.getByRole("button", { name: "Restart" }).click(), "psd", "done", /^\?scenario=psd&theme=dark$/],
      ["another axis keeps it, too", "/", () => run.getByRole("radio", { name: "linear" }).check(), "psd", "done", /^\?scenario=psd&scale=linear$/],
      ["who scrolls away finds the run of the settings, from its start", "/", () => scroll("footer"), "flipped", "paused", /^$/],
      ["who drops a table is led to it, and the figure is that of the settings", "/", () => dropFile(page, figure, { name: "two.csv", bytes: `a,b,y\n${rows(40, (i) => [i % 7, i % 5, (i % 7) * (i % 5)])}` }), "flipped", "", /^(?!.*scenario)/],
    ];
    for (const [name, address, act, sign, phase, left] of acts) {
      await t.test(name, act === acts[0]?.[2] ? {} : acceptance, async () => {
        await page.goto("about:blank");
        await page.goto(`${await origin()}${address}`);
        await middle(page);
        await act();
        await still(page, 3000);
        const seen = await look(page);
        assert.deepEqual([seen.sign, phase && seen.phase], [sign, phase]);
        assert.match(seen.address, left);
        if (phase !== "paused") return;
        if (sign === "psd") await run.getByRole("button", { name: "Step" }).click();
        else await scroll("h1");
        await settled(page);
        const after = await look(page);
        assert.deepEqual([after.sign, after.iteration], [sign, sign === "psd" ? seen.iteration + 1 : 150], "and goes on from there");
      });
    }
  });

  await t.test("a link with settings of its own shows those from its first moment on", acceptance, async () => {
    for (const [query, sign] of [["scenario=flipped", "flipped"], ["embed=1&speed=slow&d=8&k=2&n=100", "flipped"], ["scenario=mixed&d=8&k=2&n=100", "mixed"]]) {
      await page.goto(`${await origin()}/?${query}`);
      assert.equal((await until(page, ({ phase }) => phase === "running")).sign, sign, query);
      await page.clock.runFor(3000);
      assert.equal((await look(page)).sign, sign, query);
    }
  });

  await t.test("who wants nothing to move sees before and after the flip side by side, at rest, with the numbers of real runs", async () => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(`${await origin()}/`);
    await still(page, 3000);
    const pictures = page.locator(`${figure} .picture`);
    assert.equal(await pictures.count(), 2);
    const [before, after] = await pictures.locator("[data-verdict]").allInnerTexts();
    assert.match(before ?? "", /FM’s assumption holds, and it wins/);
    assert.match(after ?? "", /^FM is stuck/);
    for (const picture of [0, 1]) {
      assert.equal(await pictures.nth(picture).locator(".curve-svg").count(), 1);
      assert.equal(await pictures.nth(picture).locator(".map .cells").count(), 3);
    }
    assert.equal((await look(page)).address, "");
    await release(page);
    await assertAccessible(page, { include: [figure] });
    await page.getByRole("button", { name: "Flip it yourself" }).click();
    await settled(page);
    assert.equal(await pictures.count(), 0, "then there is one figure again");
    const { sign, address } = await look(page);
    assert.deepEqual([sign, address], ["psd", "?scenario=psd"]);
  });
});

test("one button flips the sign, all is in sight, and a word tells what it means where it stands", async (t) => {
  const page = await openPage(t, "/?speed=instant&d=8&k=2&n=200&test=100&iterations=20", { viewport: { width: 1280, height: 800 } });

  await t.test("one button flips the sign each time, by keyboard too, and the address follows", async () => {
    await settled(page);
    await tabTo(page, ".flip");
    for (const sign of ["psd", "flipped", "psd"]) {
      await page.keyboard.press("Enter");
      await page.waitForURL(sign === "psd" ? /scenario=psd/ : (url) => !url.search.includes("scenario"));
      await settled(page);
      assert.equal((await look(page)).sign, sign);
      assert.ok(await page.locator(".flip").evaluate((button) => button === document.activeElement), "the focus stays on it");
    }
  });
  
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    await t.test(`curve, maps, verdict and Play are seen without scrolling on 1280×800, ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme });
      await follow(page, "/?scenario=flipped&theme=auto&speed=instant");
      const low = await page.locator(`${figure} :is(.frame, .map .cells, .stand, .says[data-verdict], .controls .main, .flip)`).evaluateAll((all) => all.filter((e) => !e.closest("ifm-spectrum")).map((e) => [e.className, Math.round(e.getBoundingClientRect().bottom + scrollY)]));
      assert.ok(low.length >= 8, `${low}`);
      assert.deepEqual(low.filter(([, bottom]) => Number(bottom) > 800), []);
    });
  }

  await t.test("a word opens what it means where it stands, by keyboard, and Escape closes it; nothing moves", async () => {
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 360, height: 740 });
    await follow(page, "/?speed=instant&d=8&k=2&n=200&test=100&iterations=20");
    await settled(page);
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    const before = await height();
    for (const word of ["fm", "rank", "ifm", "interaction", "psd", "rmse", "eigenvalue"]) {
      const term = page.locator(`${figure} ifm-term[word=${word}]`).first();
      await term.locator("button").focus();
      await page.keyboard.press("Enter");
      const meaning = term.locator(".meaning");
      await meaning.filter({ hasText: /\w{3}/ }).waitFor();
      await settled(page);
      const box = await meaning.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 360, `${word} is within the page`);
      assert.equal(await height(), before, `${word} moves nothing`);
      if (word === "fm") await assertAccessible(page, { include: [figure] });
      await page.keyboard.press("Escape");
      await meaning.waitFor({ state: "hidden" });
      assert.ok(await term.locator("button").evaluate((button) => button === document.activeElement), "the focus stays on the word");
    }
  });
});
