// @ts-check
/** The chapter on three features: the reader is the FM; behind Details its numbers are those of the native runs, and a picture is turned by mouse, touch and keys. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, settled, tabTo } from "./lab.mjs";
import { answered, details, over, run } from "./lesson.mjs";
import { records } from "./native.mjs";
import { openData } from "./table.mjs";

const query = "scenario=mixed&truth=orthonormal&pairs=0.9,0.7,-0.5&d=3&k=1&rank=1&n=2000&test=2000&iterations=300";

/** Where the picture stands, in degrees. @param {Locator} space */
const turn = (space) => space.evaluate((/** @type {HTMLElement} */ e) => [Number(e.dataset["about"]), Number(e.dataset["tilt"])].map((angle) => (180 * angle) / Math.PI));

/** @param {readonly number[]} found @param {readonly number[]} wanted @param {string} what */
const near = (found, wanted, what) => {
  for (const [i, want] of wanted.entries()) assert.ok(Math.abs((found[i] ?? NaN) - want) < 1e-6, `${what}: ${found}, want ${wanted}`); // degrees, of a few additions
};

/** The rows of the paths' table: of FM and of iFM three pairs, their product and the size. @param {Page} page */
const table = async (page) => {
  if ((await page.locator(".reach table").count()) === 0) await openData(page.locator("ifm-space"));
  await settled(page);
  return page.locator(".reach tbody tr").evaluateAll((rows) => rows.map((tr) => [tr.getAttribute("data-row"), ...[...tr.querySelectorAll("td")].map((td) => td.getAttribute("data-value"))].map((v) => (v === null ? NaN : Number(v)))));
};

test("before the answer the reader is the FM and never gets more than two signs right; then every pattern can be tried", async (t) => {
  const page = await openPage(t, "/?chapter=reach");
  await settled(page);
  const picture = page.locator("ifm-trio");
  const right = picture.locator("[role=status]");
  assert.equal(await right.innerText(), "You, as FM: 2 of 3 right");
  for (const at of [0, 1, 0, 2, 0, 1, 0]) { // a Gray code: all eight
    await picture.locator(".press").nth(at).press("Enter");
    assert.match(await right.innerText(), /: [02] of 3 right$/);
  }
  await picture.getByText("8 of 8 choices tried").waitFor();
  const chapter = page.locator("#reach .chapter");
  await run(chapter, "larger");
  assert.deepEqual(await answered(chapter), ["never", "false"]);
  assert.equal(await picture.locator(".model .wrong").count(), 1, "FM has one wrong sign");
  await picture.locator("button.sign").first().press("Enter");
  await settled(page);
  assert.equal(await picture.locator(".model .wrong").count(), 0, "two minus signs suit FM");
  assert.deepEqual(await answered(chapter), ["never", "false"], "what is tried here changes no answer");
});

test("FM stays where the product is not negative and its U grows, iFM finds the true pairs, with the errors of the native runs", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=reach");
  await page.locator(".trial").waitFor(); // a script of its own
  const chapter = await details(page, "reach");
  const space = page.locator(".space");
  await t.test("before the guess it shows the octants and the truth", async () => {
    assert.deepEqual(await space.locator(".octant").evaluateAll((all) => all.map((g) => g.getAttribute("data-signs")).sort()), ["+ + +", "+ − −", "− + −", "− − +"].sort());
    assert.match((await space.getAttribute("aria-label")) ?? "", /true point is at \(\+0\.900, \+0\.700, −0\.500\), outside of them.*arrow keys/);
    assert.equal(await space.locator("[data-path=fm]").count(), 0);
  });
  await run(chapter, "never");
  assert.deepEqual(await answered(chapter), ["never", "true"]);

  await t.test("the path is that of the engine, iteration by iteration", async () => {
    const rows = await table(page);
    const native = await records(query);
    for (const [model, at] of /** @type {const} */ ([["fm", 1], ["ifm", 6]])) {
      const own = native.filter((row) => row["model"] === model);
      for (const row of rows) {
        const m = row.slice(at, at + 3);
        const want = own[row[0] ?? NaN];
        if (!want) {
          assert.ok(m.every(Number.isNaN), "it had stopped before");
          continue;
        }
        // ‖M − M*‖/‖M*‖ of the record, from the three pairs.
        const error = Math.hypot(...[0.9, 0.7, -0.5].map((truth, i) => (m[i] ?? NaN) - truth)) / Math.hypot(0.9, 0.7, 0.5);
        const exact = Number(want["errorM"]);
        assert.ok(Math.abs(error - exact) <= 1e-9 * exact + 1e-14, `${model} at ${row[0]}: ${error}, want ${exact}`); // other rounding, and the last digits of what has been found
        assert.ok(Math.abs((row[at + 3] ?? NaN) - (m[0] ?? NaN) * (m[1] ?? NaN) * (m[2] ?? NaN)) < 1e-12, "the product is theirs");
      }
    }
    const fm = rows.map((row) => ({ product: row[4] ?? NaN, size: row[5] ?? NaN }));
    assert.equal(rows[0]?.[0], 0);
    assert.equal(rows.at(-1)?.[0], 300);
    assert.ok(fm.every(({ product }) => product >= -1e-15), "(u₁u₂u₃)², up to the rounding of M"); // products of numbers below 1
    const late = fm.slice(-20);
    assert.ok(late.every(({ size }, i) => i === 0 || size > (late[i - 1]?.size ?? NaN)), "‖u‖ grows at the end, too");
  });

  await t.test("keys turn it, Home brings the first view back, and it says how it stands", async () => {
    const first = await turn(space);
    await space.focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowDown");
    await settled(page);
    near(await turn(space), [(first[0] ?? NaN) + 10, (first[1] ?? NaN) + 5], "two steps about and one up");
    assert.match(await page.locator(".turns [role=status]").innerText(), /^Turned by 10° .* 29° above/);
    await page.keyboard.press("Home");
    await settled(page);
    near(await turn(space), first, "the first view");
    await page.locator("[data-turn=right]").click();
    await settled(page);
    near(await turn(space), [(first[0] ?? NaN) - 5, first[1] ?? NaN], "a button does what a key does");
    await page.locator("[data-turn=home]").click();
  });

  await t.test("a truth with its signs flipped is run at once and reached, and one on the boundary is approached", async () => {
    await page.locator(".flip").click();
    await over(chapter);
    assert.match(page.url(), /reach\.m12=-0\.9&reach\.m13=-0\.7&reach\.m23=0\.5/);
    assert.equal((await answered(chapter))[0], "yes");
    const last = (await table(page)).at(-1) ?? [];
    assert.ok(Math.hypot((last[1] ?? NaN) + 0.9, (last[2] ?? NaN) + 0.7, (last[3] ?? NaN) - 0.5) < 1e-6, "FM is there");
    const slider = page.locator("[data-pair=m23]");
    await slider.focus();
    for (let i = 0; i < 10; i++) await page.keyboard.press("ArrowLeft");
    await over(chapter);
    assert.match(page.url(), /reach\.m23=0(&|$)/);
  });
});

test("a finger turns it sideways and scrolls the page up and down, and nothing turns by itself for who wants none of it", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=reach&reach.n=100&reach.iterations=20", { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, reducedMotion: "reduce" });
  await page.locator(".trial").waitFor(); // a script of its own
  await details(page, "reach");
  assert.equal(await page.locator("[data-turn=spin]").count(), 0);
  await page.locator("[data-guess=never]").tap();
  await over(page.locator("#reach .chapter"));
  const space = page.locator(".space");
  await space.scrollIntoViewIfNeeded();
  const box = await space.boundingBox();
  assert.ok(box);
  const devtools = await page.context().newCDPSession(page);
  /** @param {number} dx @param {number} dy */
  const swipe = async (dx, dy) => {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
    for (let i = 1; i <= 10; i++) await devtools.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: x + (dx * i) / 10, y: y + (dy * i) / 10 }] });
    await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await settled(page);
  };
  const [before, from] = [await turn(space), await page.evaluate(() => scrollY)];
  await swipe(100, 0);
  const after = await turn(space);
  assert.ok((before[0] ?? NaN) - (after[0] ?? NaN) > 30, `it was turned from ${before} to ${after}`);
  assert.equal(await page.evaluate(() => scrollY), from);
  await swipe(0, -150);
  assert.ok((await page.evaluate(() => scrollY)) > from + 50, "the page has scrolled");
  assert.ok(Math.abs(((await turn(space))[0] ?? NaN) - (after[0] ?? NaN)) < 3, "and the picture has not been turned");
});

test("a truth without interactions is one, and the paths are a table", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=reach&reach.m12=0&reach.m13=0&reach.m23=0&reach.n=100&reach.iterations=5");
  await page.locator(".trial").waitFor(); // a script of its own
  await details(page, "reach");
  assert.match((await page.locator(".space").getAttribute("aria-label")) ?? "", /\(0, 0, 0\), which FM reaches/);
  await run(page.locator("#reach .chapter"));
  assert.equal(await page.locator("#reach [role=alert]").count(), 0);
  for (const selector of ["[data-pair=m23]", ".space", ".when"]) await tabTo(page, selector);
  await openData(page.locator("ifm-space"));
  const names = await page.locator(".reach thead th").allInnerTexts();
  assert.deepEqual(names.slice(1, 6), ["FM m₁₂", "FM m₁₃", "FM m₂₃", "FM product", "FM ‖u‖"]);
});
