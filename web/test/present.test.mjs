// @ts-check
/** The presenter mode: a chapter a screen, led by keys, readable from the last row. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, settled } from "./lab.mjs";

const projector = { width: 1920, height: 1080 };

/** What of the screen is shown: the chapter and the step. @param {Page} page */
const place = (page) => page.evaluate(() => {
  const { searchParams } = new URL(location.href);
  return [searchParams.get("chapter") ?? "none", searchParams.get("present") ?? "0"].join(" ");
});

/** The height of the smallest letters that are seen of a screen, px. @param {Page} page */
const letters = (page) => page.evaluate(() => {
  const slide = document.querySelector("[data-slide]");
  const zoom = Number(getComputedStyle(document.documentElement).getPropertyValue("--enlarged"));
  const texts = [...(slide?.querySelectorAll("*") ?? [])].filter((e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0 && [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent?.trim()) && !e.closest("math, .seen-not, sup, sub, option"));
  return Math.min(...texts.map((e) => zoom * Number.parseFloat(getComputedStyle(e).fontSize)));
});

test("the keys lead from the figure to a chapter's question, its run, its answer and on, and the address says where", async (t) => {
  const page = await openPage(t, "/?speed=instant&interaction.n=60&interaction.test=20", { viewport: projector });
  const slide = page.locator("#interaction[data-slide]");
  await settled(page);
  /** @type {[key: string, place: string, shown: string, hidden: string][]} */
  const steps = [
    ["p", "none 1", "ifm-figure[data-slide]", "header, footer, ifm-data"],
    ["ArrowRight", "interaction 1", "#interaction[data-slide] [data-guess]", "#interaction ifm-surface"], // the question comes before its answer
    ["1", "interaction run", "#interaction ifm-surface", "#interaction .answer"], // what the room guesses; the answer is told when it is asked for
    ["PageDown", "interaction answer", "#interaction .answer", "header"],
  ];
  for (const [key, at, shown, hidden] of steps) {
    await page.keyboard.press(key);
    await page.locator(shown).first().waitFor();
    await settled(page);
    assert.equal(await place(page), at);
    assert.equal(await page.locator(hidden).evaluateAll((all) => all.filter((e) => e.checkVisibility()).length), 0, `${at} hides ${hidden}`);
    assert.ok((await letters(page)) >= 24, `letters at ${at}: ${await letters(page)} px`);
    if (at !== "none 1") assert.equal(await slide.locator(".chapter").getAttribute("data-phase"), at === "interaction 1" ? "idle" : "done");
  }

  await page.keyboard.press("PageDown");
  await page.locator("[data-slide]:not(#interaction)").waitFor();
  assert.match(await place(page), / 1$/);
  assert.equal(await slide.count(), 0, "one chapter at a time");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await place(page), "interaction answer");
  await page.reload();
  await slide.locator(".answer").waitFor();
  assert.equal(await place(page), "interaction answer", "a reload shows what was shown");
  await page.keyboard.press("p");
  await page.locator("header").waitFor();
  assert.equal(await page.locator("[data-slide]").count(), 0);
  assert.equal(await place(page), "interaction 0");
});

test("Space freezes what is shown while the run goes on, arrows stay those of a chart that has them, and a pointer reads the place under it", async (t) => {
  const page = await openPage(t, "/?speed=instant&chapter=algorithm&present=1&algorithm.d=8&algorithm.k=1", { viewport: projector });
  const slide = page.locator("#algorithm[data-slide]");
  await slide.locator("[data-guess]").first().waitFor();
  await page.keyboard.press(" ");
  await page.locator(".presenter .freeze[aria-pressed=true]").waitFor();
  await slide.locator(".go .run").dispatchEvent("click");
  await settled(page);
  assert.equal(await slide.locator(".chapter").getAttribute("data-phase"), "idle", "it stands still");
  await page.keyboard.press(" ");
  await slide.locator('.chapter[data-phase="done"]').waitFor();

  await page.keyboard.press("ArrowRight");
  assert.equal(await place(page), "algorithm run");
  const chart = slide.locator("ifm-chart").first();
  const box = await chart.locator(".over").boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2);
  const end = await chart.locator("input[type=range]").getAttribute("aria-valuetext");
  await page.mouse.move(box.x + 1, box.y + box.height / 2);
  const begin = await chart.locator("input[type=range]").getAttribute("aria-valuetext");
  await page.mouse.move(0, 0);
  await chart.locator("input[type=range]").focus();
  await page.keyboard.press("Home");
  assert.equal(await chart.locator("input[type=range]").getAttribute("aria-valuetext"), begin, "at the left end of the enlarged picture is its first place");
  await page.keyboard.press("End");
  assert.equal(await chart.locator("input[type=range]").getAttribute("aria-valuetext"), end, "and at the right end its last");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await place(page), "algorithm run", "the arrow moved the chart's cursor");
  await page.keyboard.press("PageDown");
  assert.equal(await place(page), "algorithm answer");
});
