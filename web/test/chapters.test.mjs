// @ts-check
/** What single chapters let a reader do: their pictures are read, turned, painted and built by keyboard, mouse and finger. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, settled, tabTo } from "./lab.mjs";
import { answered, details, open, over, run, value } from "./lesson.mjs";
import { records } from "./native.mjs";

test("chapters follow one another in a frame, each with its answer, and their pictures are read by keyboard", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=interaction");

  await t.test("a plane explains nothing of a product, and only the saddle makes the lines cross", async () => {
    const chapter = await details(page, "interaction");
    assert.equal(await page.locator("ifm-figure, ifm-data, nav").count(), 0, "a frame has nothing but the chapter");
    await run(chapter, "half");
    assert.deepEqual(await answered(chapter), ["nothing", "false"]);
    const slopes = () => chapter.locator(".graph line.held").evaluateAll((all) => all.map((line) => parseFloat(line.getAttribute("y2") ?? "") - parseFloat(line.getAttribute("y1") ?? "")));
    const crossing = await slopes();
    assert.equal(crossing.length, 3);
    assert.ok(Math.abs((crossing[0] ?? 0) - (crossing[2] ?? 0)) > 10, `the slopes differ: ${crossing}`);
    assert.match(await chapter.locator(".cut .title").innerText(), /The lines cross at x₁ = /);
    await tabTo(page, "[data-axis=y]");
    await page.keyboard.press("ArrowLeft");
    await tabTo(page, ".surface input[type=checkbox]");
    await settled(page, page.keyboard.press("Space"));
    assert.match(await chapter.locator(".cut .title").innerText(), /Parallel/);
    const parallel = await slopes();
    for (const slope of parallel) assert.ok(Math.abs(slope - (parallel[0] ?? NaN)) < 1e-9, `parallel: ${parallel}`); // per cent of a picture
    assert.match(await chapter.locator(".sums .product").innerText(), /\b0$/);
  });

  await t.test("a slider takes a column from Gaussian to ±1, and its place is marked on the run's chart, and told in words", async () => {
    const moments = await open(page, "diagonal", { d: 10, k: 1, taus: "2,0.5,0.1", ratios: 30, trials: 2, iterations: 10 });
    const piece = page.locator("ifm-distribution");
    const slider = piece.locator(".slide input");
    await slider.press("End");
    assert.equal(await value(piece.locator("[data-moment=tau]")), 0);
    await run(moments);
    const mark = moments.locator("ifm-chart[data-chart=curve] .here");
    const left = async () => Number.parseFloat((await mark.getAttribute("style"))?.split(":")[1] ?? "");
    await slider.fill("80"); // a = 0.96, τ = 0.301
    await settled(page);
    assert.match(await piece.locator(".beside").innerText(), /\(0\.5\)/);
    const between = await left();
    await settled(page, slider.fill("99"));
    assert.match(await piece.locator(".beside").innerText(), /\(0\.1\)/);
    assert.ok((await left()) < between, "the mark goes to the left as τ does");
  });

  await t.test("FM fails on three one-hot columns whose signs conflict, and not once a block is turned", async () => {
    const chapter = await open(page, "matter", { levels: 5, k: 1, n: 600, test: 300, iterations: 200 });
    await tabTo(page, "[data-guess=conflict]");
    await page.keyboard.press("Enter");
    await over(chapter);
    assert.deepEqual(await answered(chapter), ["conflict", "true"]);
    await tabTo(page, "[data-block='2']");
    await page.keyboard.press("Enter");
    await over(chapter);
    assert.equal(await chapter.locator("[data-block='2']").getAttribute("aria-pressed"), "false");
    assert.deepEqual((await answered(chapter))[0], "never", "all blocks are positive");
    assert.match(page.url(), /matter\.blocks=1,1,1/);
  });

  await t.test("the experiment on the rank is run by its button, and the centred form starts nearer", async () => {
    await open(page, "algorithm", { d: 8, ranks: "1,3" });
    const ranks = page.locator("ifm-followup");
    await settled(page, ranks.locator(".measure").click());
    const first = (/** @type {string} */ form) => value(ranks.locator(`[data-first="${form} 3"]`));
    assert.ok((await first("centred")) < (await first("algorithm1")));
  });
});

test("a table that cannot be had is that row's error, and without any the chapter says why, and can be run again", async (t) => {
  const page = await openPage(t, `/?embed=1&chapter=data&data.trials=1&data.ranks=2&data.lambdas=0.1&data.iterations=40`, { expected: [/Failed to load resource/], before: (page) => page.route("**/samples/*.csv", (route) => route.abort()) });
  const tables = await details(page, "data");
  await over(tables, "idle");
  assert.equal(await tables.locator(".seen > .error").count(), 1);
  await page.unroute("**/samples/*.csv");
  await page.route("**/samples/cars.csv", (route) => route.fulfill({ status: 404 }));
  await run(tables, "none");
  assert.equal(await tables.locator(".seen > .error").count(), 0);
  assert.match(await tables.locator("tr[data-table=cars] [role=alert]").innerText(), /cars\.csv could not be loaded/);
  assert.ok((await value(tables.locator('[data-ratio="ifm diabetes"]'))) > 0);
});

test("FM's loophole is asked and built by keyboard: c grows by itself once asked to, in few steps where nothing is to move, and a slider takes it anywhere", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=loophole&loophole.d=6&loophole.n=200&loophole.test=100&loophole.iterations=120", { reducedMotion: "reduce" });
  const chapter = await details(page, "loophole");
  const building = chapter.locator("ifm-crosses");
  await tabTo(page, "[data-guess=none]");
  await page.keyboard.press("Enter");
  await over(chapter);

  const slider = building.locator("[data-slider=c]");
  assert.equal(await slider.inputValue(), "42", "the cross is seen, and it waits to be asked");
  await tabTo(page, "button.play");
  await settled(page, page.keyboard.press("Enter"));
  assert.equal(await slider.inputValue(), "60");
  assert.equal(await building.locator("button.play").getAttribute("aria-pressed"), "false");
  await slider.focus();
  await settled(page, page.keyboard.press("Home"));
  assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /^\d\.\d+ on the hidden diagonal, up to \d\.?\d* spilt elsewhere$/);
  await building.locator("[data-slider=columns]").focus();
  await settled(page, page.keyboard.press("End"));
  const crosses = (/** @type {any} */ matrix) => matrix.panels.find((/** @type {any} */ panel) => panel.key === "whole").crosses.length;
  assert.equal(await building.locator("ifm-matrix").evaluate(crosses), 5);
});

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
    await settled(page, page.keyboard.press("Space"));
    assert.equal(await cell(page, 1, 3).locator(".full").innerText(), "−1");
    assert.equal(await cell(page, 3, 1).locator(".full").innerText(), "−1", "the mirror cell follows");
    assert.match((await cell(page, 1, 3).getAttribute("aria-label")) ?? "", /^x₁ and x₃: −1, negative$/);
    await page.keyboard.press("+");
    await page.keyboard.press("ArrowDown");
    await settled(page, page.keyboard.press("4"));
    assert.equal(painted(page), "-1,-0.9,0,0,0,0.4,0,0,0,0,0,0,0,0,0");
    await page.keyboard.press("Delete");
    await settled(page, page.keyboard.press("Control+z"));
    assert.equal(painted(page), "-1,-0.9,0,0,0,0.4,0,0,0,0,0,0,0,0,0");
    assert.equal(await cell(page, 2, 3).locator(".full").innerText(), "0.4");
  });

  await t.test("a stroke of the mouse paints every cell that it crosses, as one change", async () => {
    await settled(page, page.locator("button.reset").click());
    await page.locator(".mine").evaluate((mine) => mine.scrollIntoView({ block: "center" }));
    const [from, to] = [await cell(page, 4, 3).boundingBox(), await cell(page, 4, 1).boundingBox()];
    assert.ok(from && to);
    await page.mouse.move(from.x + 9, from.y + 9);
    await page.mouse.down();
    await page.mouse.move(to.x + 9, to.y + 9, { steps: 12 });
    await page.mouse.up();
    await settled(page);
    assert.equal(painted(page), "-1,0,-1,0,0,0,-1,0,0,-1,0,0,0,0,0");
    await settled(page, page.keyboard.press("Control+z"));
    assert.equal(painted(page), null);
  });

  await t.test("a finger paints with the brush that it chose", async () => {
    await page.getByRole("radio", { name: "0.5", exact: true }).last().tap();
    await settled(page, cell(page, 5, 6).tap());
    assert.equal(await cell(page, 5, 6).getAttribute("data-value"), "0.5");
  });
});

/** Where the picture stands, in degrees. @param {Locator} space */
const turn = (space) => space.evaluate((/** @type {HTMLElement} */ e) => [Number(e.dataset["about"]), Number(e.dataset["tilt"])].map((angle) => (180 * angle) / Math.PI));

/** @param {readonly number[]} found @param {readonly number[]} wanted @param {string} what */
const stands = (found, wanted, what) => {
  for (const [i, want] of wanted.entries()) assert.ok(Math.abs((found[i] ?? NaN) - want) < 1e-6, `${what}: ${found}, want ${wanted}`); // degrees, of a few additions
};

test("the space that FM reaches is tried, turned by keys and run with other truths", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=reach");
  await page.locator(".trial").waitFor(); // a script of its own
  const chapter = await details(page, "reach");
  const space = page.locator(".space");

  await t.test("before the answer the reader is the FM and never gets more than two signs right", async () => {
    const picture = page.locator("ifm-trio");
    const right = picture.locator("[role=status]");
    assert.equal(await right.innerText(), "You, as FM: 2 of 3 right");
    for (const at of [0, 1, 0, 2, 0, 1, 0]) { // a Gray code: all eight
      await picture.locator(".press").nth(at).press("Enter");
      assert.match(await right.innerText(), /: [02] of 3 right$/);
    }
    await picture.getByText("8 of 8 choices tried").waitFor();
  });
  assert.match((await space.getAttribute("aria-label")) ?? "", /true point is at \(\+0\.900, \+0\.700, −0\.500\), outside of them.*arrow keys/);
  assert.equal(await space.locator("[data-path=fm]").count(), 0);
  await run(chapter, "never");
  assert.deepEqual(await answered(chapter), ["never", "true"]);

  await t.test("then every pattern can be tried, and changes no answer", async () => {
    assert.equal(await chapter.locator("ifm-trio .model .wrong").count(), 1, "FM has one wrong sign");
    await chapter.locator("ifm-trio button.sign").first().press("Enter");
    await settled(page);
    assert.equal(await chapter.locator("ifm-trio .model .wrong").count(), 0, "two minus signs suit FM");
    assert.deepEqual(await answered(chapter), ["never", "true"]);
  });

  await t.test("keys turn it, Home brings the first view back, and it says how it stands", async () => {
    const first = await turn(space);
    await space.focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await settled(page, page.keyboard.press("ArrowDown"));
    stands(await turn(space), [(first[0] ?? NaN) + 10, (first[1] ?? NaN) + 5], "two steps about and one up");
    assert.match(await page.locator(".turns [role=status]").innerText(), /^Turned by 10° .* 29° above/);
    await settled(page, page.keyboard.press("Home"));
    stands(await turn(space), first, "the first view");
  });

  await t.test("a truth with its signs flipped is run at once and reached, and one on the boundary is approached", async () => {
    await page.locator(".flip").click();
    await over(chapter);
    assert.match(page.url(), /reach\.m12=-0\.9&reach\.m13=-0\.7&reach\.m23=0\.5/);
    assert.equal((await answered(chapter))[0], "yes");
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

test("Algorithm 1 is stepped through by buttons and keys, as printed and mended, with the engine's own numbers", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=algorithm&algorithm.seed=2", { viewport: { width: 390, height: 800 }, colorScheme: "dark" });
  await details(page, "algorithm");
  const picture = page.locator("ifm-iteration");
  const error = (/** @type {string} */ form, /** @type {number} */ i) => value(picture.locator(`[data-error="${form} ${i}"]`));
  await tabTo(page, "ifm-iteration .forth");
  await settled(page);
  assert.match(await picture.locator(".leg").innerText(), /^Iteration 1 of 5, step 1 of 4: estimate/);
  await page.keyboard.press("ArrowRight");
  await picture.getByLabel("with the missing term").check();
  assert.match(await picture.locator(".leg").innerText(), /step 2 of 4: correct/, "the same step of the other form");
  await picture.getByLabel("as printed").check();
  await picture.locator(".forth").click();
  assert.ok(Number.isNaN(await error("printed", 1)), "what has not been stepped through is not told yet");
  await page.keyboard.press("ArrowRight");
  await tabTo(page, "ifm-iteration .forth");
  for (let i = 4; i < 25; i++) await page.keyboard.press("ArrowRight"); // more than there are
  assert.match(await picture.locator(".leg").innerText(), /^Iteration 5 of 5, step 4 of 4: update/);
  assert.equal(await picture.locator(".forth").getAttribute("aria-disabled"), "true");
  for (const form of ["printed", "algorithm1"]) {
    const rows = await records(`d=8&k=3&n=1440&test=10&iterations=5&tolerance=0&seed=2&solver=${form}&batches=fresh&models=gfm&scenario=psd&truth=orthonormal&diagonal=kept`);
    for (const [i, row] of rows.entries()) assert.ok(Math.abs((await error(form, i)) / Number(row["errorM"]) - 1) < 1e-9, `${form}, iteration ${i}`);
  }
});
