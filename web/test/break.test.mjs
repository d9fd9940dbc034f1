// @ts-check
/** The chapter in which a reader breaks FM: painted by mouse, finger and keys, its score that of ifm, its levels solved. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { follow, openPage, settled, tabTo } from "./lab.mjs";
import { details } from "./lesson.mjs";
import { ifm } from "./native.mjs";

/** @param {Page} page */
const score = async (page) => Number(await page.locator("[data-score]").getAttribute("data-score"));
/** @param {Page} page @param {number} i @param {number} j */
const cell = (page, i, j) => page.locator(`.mine [data-i="${i - 1}"][data-j="${j - 1}"]`);
/** @param {Page} page */
const painted = (page) => new URL(page.url()).searchParams.get("break.m");

test("a matrix is painted by keys, by mouse and by finger, and its link is its score", async (t) => {
  const page = await openPage(t, "/?speed=instant&d=8&k=2&n=100&iterations=20&chapter=break#break", { viewport: { width: 1280, height: 900 }, hasTouch: true });
  await page.locator("[data-score]:not([data-score=''])").waitFor(); // the chapter is fitted when it is seen
  await settled(page);
  assert.equal(await score(page), 1, "FM fits a lone negative pair as well as iFM");
  assert.equal(painted(page), null);

  await t.test("keys move, change and clear, and Undo takes each back", async () => {
    await tabTo(page, ".mine [tabindex='0']");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Space");
    await settled(page);
    assert.equal(await cell(page, 1, 3).locator(".full").innerText(), "−1");
    assert.equal(await cell(page, 3, 1).locator(".full").innerText(), "−1", "the mirror cell follows");
    assert.match((await cell(page, 1, 3).getAttribute("aria-label")) ?? "", /^x₁ and x₃: −1, negative$/);
    await page.keyboard.press("+");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("4");
    await settled(page);
    assert.equal(painted(page), "-1,-0.9,0,0,0,0.4,0,0,0,0,0,0,0,0,0");
    await page.keyboard.press("Delete");
    await page.keyboard.press("Control+z");
    await settled(page);
    assert.equal(painted(page), "-1,-0.9,0,0,0,0.4,0,0,0,0,0,0,0,0,0");
    assert.equal(await cell(page, 2, 3).locator(".full").innerText(), "0.4");
  });

  await t.test("a stroke of the mouse paints every cell that it crosses, as one change", async () => {
    await page.locator("button.reset").click();
    await settled(page);
    await page.locator(".mine").evaluate((mine) => mine.scrollIntoView({ block: "center" }));
    const [from, to] = [await cell(page, 4, 3).boundingBox(), await cell(page, 4, 1).boundingBox()];
    assert.ok(from && to);
    await page.mouse.move(from.x + 9, from.y + 9);
    await page.mouse.down();
    await page.mouse.move(to.x + 9, to.y + 9, { steps: 12 });
    await page.mouse.up();
    await settled(page);
    assert.equal(painted(page), "-1,0,-1,0,0,0,-1,0,0,-1,0,0,0,0,0");
    await page.keyboard.press("Control+z");
    await settled(page);
    assert.equal(painted(page), null);
  });

  await t.test("a finger paints with the brush that it chose", async () => {
    await page.getByRole("radio", { name: "0.5", exact: true }).last().tap();
    await cell(page, 5, 6).tap();
    await settled(page);
    assert.equal(await cell(page, 5, 6).getAttribute("data-value"), "0.5");
  });

  await t.test("an eigenvalue is asked for by keys, and what M makes of it is said", async () => {
    await page.locator("[data-part=eigenvalues] > summary").click();
    const slider = page.getByRole("slider", { name: "λ₁" });
    await slider.focus();
    const before = Number(await slider.inputValue());
    for (let i = 0; i < 2; i++) {
      await page.keyboard.press("ArrowLeft");
      await settled(page);
    }
    assert.ok(Number(await slider.inputValue()) < before);
    assert.match(await page.locator(".stemmed .bent").innerText(), /^You asked for λ₁ = .*the diagonal was then left out/i);
    assert.match(await page.locator("[role=status]").filter({ hasText: /^Score/ }).innerText(), /^Score \d+\.\d\d: FM misses [\d.]+ % of M, iFM [\d.]+ %\.$/);
  });
});

test("alone the chapter solves its levels, draws matrices and says what a link has wrong", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=break", { viewport: { width: 390, height: 844 } });
  await settled(page);
  await t.test("the drawn matrices answer as ifm counts them", async () => {
    await follow(page, "/?embed=1&chapter=break&break.draws=20&break.seed=3");
    await page.locator("[data-guess=ifm]").click();
    await settled(page);
    const [, ahead, behind] = /iFM is ahead on (\d+), FM on (\d+)/.exec(await ifm("break", "draws=20&seed=3")) ?? [];
    await details(page, "break");
    assert.match(await page.locator(".details .told").innerText(), new RegExp(`iFM is ahead on ${ahead} of 20 matrices, FM on ${behind};`));
  });

  await t.test("a link with another m says so and shows the first matrix", async () => {
    await follow(page, "/?embed=1&chapter=break&break.m=1,2&break.colour=red");
    await settled(page);
    assert.equal(await cell(page, 1, 2).locator(".full").innerText(), "−1");
    assert.match(await page.locator("body").innerText(), /m was "1,2", not 15 numbers/);
    assert.match(await page.locator("body").innerText(), /“colour” is not known in the chapter “Break it yourself”/);
  });
});
