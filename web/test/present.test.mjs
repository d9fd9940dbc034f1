// @ts-check
/** The presenter mode: a chapter a screen, led by keys, and nothing to scroll. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, openPage, settled } from "./lab.mjs";
import { measured, outside } from "./measure.mjs";

/** The chapter and the step that the address names. @param {Page} page */
const place = (page) => page.evaluate(() => {
  const { searchParams } = new URL(location.href);
  return `${searchParams.get("chapter") ?? "none"} ${searchParams.get("present") ?? "0"}`;
});

/** Fails unless the slide is wholly above the bar. @param {Page} page */
async function assertWhole(page) {
  await settled(page);
  const at = await place(page);
  const boxes = at.startsWith("none") ? ["main ifm-figure"] : [".chapter > .seen", ".chapter > .ask"];
  assert.deepEqual(await outside(page, boxes), [], at);
  const bottom = await page.evaluate((boxes) => Math.max(...boxes.map((box) => document.querySelector(box)?.getBoundingClientRect().bottom ?? Infinity)) - (document.querySelector(".presenter")?.getBoundingClientRect().top ?? 0), boxes);
  assert.ok(bottom <= 0, `${at} ends ${bottom} px below the bar`);
  const { scrolls } = await measured(page);
  assert.deepEqual(scrolls.filter((scroll) => !scroll.endsWith(" 0 down")), [], at);
}

test("the keys lead from the figure to a chapter's question, its run, its answer and on, and the address says where", async (t) => {
  const page = await openPage(t, "/?speed=instant", { viewport: { width: 1920, height: 1080 } });
  await settled(page);
  /** @type {[key: string, place: string, shown: string, hidden: string][]} */
  const steps = [
    ["Shift+P", "none 1", "main ifm-figure", "header, footer"],
    ["ArrowRight", "interaction 1", "#interaction [data-guess]", ".answer, .presenter + footer"],
    ["2", "interaction run", "#interaction .seen", ".outcome"], // what the room guesses; the answer is told when it is asked for
    [" ", "interaction answer", "#interaction .answer", "header"],
  ];
  for (const [key, at, shown, hidden] of steps) {
    await page.keyboard.press(key);
    await page.locator(shown).first().waitFor();
    await assertWhole(page);
    assert.equal(await place(page), at);
    assert.equal(await page.locator(hidden).evaluateAll((all) => all.filter((e) => e.checkVisibility({ visibilityProperty: true })).length), 0, `${at} hides ${hidden}`);
  }
  assert.ok((await measured(page, ".chapter > .ask")).smallest >= 18, "who sits at the back can read it");

  await page.keyboard.press("?");
  assert.match(await page.locator(".key-list").innerText(), /next slide/);
  await page.keyboard.press("Escape");
  await page.locator(".key-list").waitFor({ state: "detached" });
  assert.equal(await place(page), "interaction answer", "Escape closes the list alone");

  await page.keyboard.press("PageDown");
  await page.locator("#interaction").waitFor({ state: "hidden" });
  assert.match(await place(page), / 1$/);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await place(page), "interaction answer");
  await page.reload();
  await page.locator("#interaction .answer").waitFor();
  assert.equal(await place(page), "interaction answer", "a reload shows what was shown");
  await page.keyboard.press("p");
  await page.locator("header").waitFor();
  assert.equal(await place(page), "interaction 0");
  assert.equal(await page.locator(".chapter > .seen").evaluate((seen) => getComputedStyle(seen).zoom), "1");
});

test("arrows stay those of a chart that has them, and keys do nothing behind an open dialog", async (t) => {
  const page = await openPage(t, "/?speed=instant&chapter=psd&present=1", { viewport: { width: 1280, height: 720 } });
  const chart = page.locator("#psd ifm-chart").first();
  await chart.locator("svg").first().waitFor();
  await settled(page);
  const range = chart.locator("input[type=range]");
  await range.focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal(await place(page), "psd 1", "the arrow moved the chart's cursor");
  await page.evaluate(() => {
    const dialog = document.body.appendChild(document.createElement("dialog"));
    dialog.showModal();
  });
  for (const key of ["PageDown", "p", "1"]) await page.keyboard.press(key);
  assert.equal(await place(page), "psd 1");
  await page.keyboard.press("Escape");
  await page.keyboard.press("PageDown");
  assert.equal(await place(page), "psd run");
});

for (const [width, height] of /** @type {const} */ ([[1280, 720], [1920, 1080]])) {
  test(`no slide scrolls at ${width}×${height}`, { ...acceptance, timeout: 900_000 }, async (t) => {
    const page = await openPage(t, "/?speed=instant&present=1", { viewport: { width, height } });
    const of = Number(/\d+$/.exec(await page.locator(".presenter .at").innerText())?.[0]);
    for (let at = 1; at <= of; at++) {
      await page.locator(".presenter .at").getByText(`${at} of ${of}`).waitFor();
      await assertWhole(page);
      await page.keyboard.press("PageDown");
    }
    assert.ok(of > 30);
  });
}
