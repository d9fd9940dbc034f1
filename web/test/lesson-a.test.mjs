// @ts-check
/** Two chapters of the lesson, what an interaction is and the spectrum: their numbers are those of the native runs, and any reader can ask, run and read them. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, assertAccessible, assertFits, follow, openPage, settled } from "./lab.mjs";
import { records } from "./native.mjs";

/** wasm and amd64 round exp, log and the like differently; a hundred iterations do not make that larger than this. */
const CLOSE = 1e-9;

/** The last record of a query's only run, as the same engine computes it natively. @param {string} query */
async function native(query) {
  const last = (await records(query)).at(-1) ?? {};
  return Object.fromEntries(Object.entries(last).map(([name, cell]) => [name, Number(cell)]));
}

/** @param {number} found @param {number | undefined} wanted @param {string} what @param {number} [share] */
function near(found, wanted, what, share = CLOSE) {
  assert.ok(wanted !== undefined && Math.abs(found - wanted) <= share * Math.abs(wanted), `${what} is ${found}, want ${wanted}`);
}

/** @param {Locator} locator @param {string} [name] */
const value = async (locator, name = "data-value") => Number(await locator.getAttribute(name));

const titles = /** @type {const} */ ({ interaction: "What an interaction is", spectrum: "The spectrum" });

/**
 * A chapter alone, as a frame shows it: there is nothing else.
 *
 * @param {Page} page
 * @param {keyof typeof titles} name
 * @param {Record<string, string | number>} [settings]
 */
async function open(page, name, settings = {}) {
  await follow(page, `/?embed=1&chapter=${name}${own(name, settings)}`);
  const chapter = page.locator("ifm-lesson .chapter");
  assert.equal(await chapter.locator("h3").innerText(), titles[name]);
  assert.equal(await page.locator("ifm-figure, ifm-data, h1").count(), 0);
  return chapter;
}

/** A chapter's settings as they stand in an address. @param {string} name @param {Record<string, string | number>} settings */
const own = (name, settings) => Object.entries(settings).map(([key, setting]) => `&${name}.${key}=${setting}`).join("");

/** Presses a guess, and waits for what the run says to it. @param {Locator} chapter @param {string} key */
async function guess(chapter, key) {
  await chapter.locator(`[data-guess=${key}]`).click();
  await over(chapter);
}

/** What the run says to the question, and whether the guess was right. @param {Locator} chapter */
async function answered(chapter) {
  const answer = chapter.locator(".answer");
  return [await answer.getAttribute("data-answer"), await answer.getAttribute("data-right")];
}

/** @param {Locator} chapter */
async function over(chapter) {
  await settled(chapter.page());
  assert.equal(await chapter.getAttribute("data-phase"), "done");
}

const few = { d: 12, k: 4, ranks: "1,3,8", n: 400, test: 200, iterations: 60 };
const asked = "scenario=mixed&truth=orthonormal&d=12&k=4&n=400&test=200&noise=0.1&solver=agd&iterations=60";

test("two chapters, each alone, are asked, answered, stopped and read, and say what their runs say", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=interaction");
  await settled(page);

  await t.test("by keyboard alone the first chapter is asked, answered and read", async () => {
    const chapter = await open(page, "interaction");
    const focus = async (/** @type {(e: Element) => boolean} */ wanted) => {
      for (let i = 0; i < 30; i++) {
        await page.keyboard.press("Tab");
        if (await page.locator("*:focus").evaluate(wanted)) return;
      }
      assert.fail("it cannot be reached by Tab");
    };
    await focus((e) => e.getAttribute("data-guess") === "nothing");
    await page.keyboard.press("Enter");
    await over(chapter);
    assert.equal(await chapter.locator(".answer").count(), 1);
    await focus((e) => e.getAttribute("data-axis") === "y");
    const slider = chapter.locator("[data-axis=y]");
    await page.keyboard.press("ArrowLeft");
    await settled(page);
    const [, linear, product, sum] = /^x₁ = \+1\.0, x₂ = \+1\.4: Linear part (\S+), Interaction (\S+), Their sum (\S+)$/.exec((await slider.getAttribute("aria-valuetext")) ?? "")?.map((s) => Number(s.replace("−", "-"))) ?? [];
    assert.ok(Math.abs((linear ?? NaN) + (product ?? NaN) - (sum ?? NaN)) < 0.02, `${linear} and ${product} make ${sum}, each written with three digits`);
    await focus((e) => e instanceof HTMLInputElement && e.type === "checkbox");
    await page.keyboard.press("Space");
    await settled(page);
    assert.match(await chapter.locator(".cut .title").innerText(), /Parallel/);
    await page.keyboard.press("Space");
    await settled(page);
    assert.match(await chapter.locator(".cut .title").innerText(), /They cross/);
    await slider.press("ArrowRight");
  });

  await t.test("a plane explains nothing of a product, FM and iFM all of it, with the numbers of the native runs", async (t) => {
    const chapter = await open(page, "interaction");
    await guess(chapter, "half");
    const answer = chapter.locator(".answer");
    assert.deepEqual([await answer.getAttribute("data-answer"), await answer.getAttribute("data-right")], ["nothing", "false"]);
    for (const model of ["fm", "ifm"]) {
      const { test: rmse } = await native(`scenario=mixed&truth=orthonormal&d=2&k=2&rank=1&n=500&test=10000&noise=0.1&iterations=100&models=${model}`);
      near(await value(chapter.locator(`[data-row=${model}] [data-rmse]`), "data-rmse"), rmse, `${model}'s test RMSE`);
      // 500 rows with a noise of a tenth of sd y tell a weight to .1·1.8/√500 = .008, 1 % of it in twice that.
      near(await value(chapter.locator(`[data-row=${model}] [data-weight]`), "data-weight"), await value(chapter.locator("[data-row=truth] [data-weight]"), "data-weight"), `${model}'s m`, 0.02);
    }
    const told = chapter.locator(".told");
    const [sd, second] = await told.locator("b[data-of=none]").evaluateAll((all) => all.map((b) => Number(b.getAttribute("data-value"))));
    // Where y = w·x + m·x₁x₂, ‖w‖ = 1, its variance is 1 + m².
    near(second ?? NaN, Math.abs(await value(chapter.locator("[data-row=truth] [data-weight]"), "data-weight")), "the sd of the product");
    near((sd ?? NaN) ** 2, 1 + (second ?? NaN) ** 2, "the variance of y");
    const share = await value(told.locator("b[data-of=ridge]").nth(1));
    assert.ok(Math.abs(share) < 0.1, `the plane explains ${share} of the product`);
    assert.match(await told.innerText(), /one slope for both\..*two columns FM’s m = 2u₁u₂ can have either sign/s);
    await guess(chapter, "nothing");
    assert.equal(await answer.getAttribute("data-right"), "true", "another guess needs no other run");

    await t.test("the plane and the saddle add up to y, and only the saddle makes the lines cross", async () => {
      await chapter.getByText("These pictures as a table").click();
      await settled(page);
      const rows = await chapter.locator(".surface tbody tr").evaluateAll((all) => all.map((tr) => [...tr.querySelectorAll("td[data-value]")].slice(1).map((td) => Number(td.getAttribute("data-value")))));
      assert.equal(rows.length, 25);
      for (const [linear = NaN, product = NaN, sum = NaN] of rows) assert.ok(Math.abs(linear + product - sum) < 1e-12, `${linear} + ${product} = ${sum}`); // values below 10, added once
      // At x₁ = x₂ = 2 the product is 4m; the sd of 500 rows is off by 3 % of itself, the product of two of them by 4.5 %.
      near(rows.at(-1)?.[1] ?? NaN, 4 * (await value(chapter.locator("[data-row=ifm] [data-weight]"), "data-weight")), "the product in the corner", 0.15);
      const slopes = () => chapter.locator(".graph line.held").evaluateAll((all) => all.map((line) => parseFloat(line.getAttribute("y2") ?? "") - parseFloat(line.getAttribute("y1") ?? "")));
      const crossing = await slopes();
      assert.equal(crossing.length, 3);
      assert.ok(Math.abs((crossing[0] ?? 0) - (crossing[2] ?? 0)) > 10, `the slopes differ: ${crossing}`);
      assert.match(await chapter.locator(".cut .title").innerText(), /They cross at x₁ = /);
      await chapter.getByLabel("Leave the interaction out").check();
      await settled(page);
      assert.match(await chapter.locator(".cut .title").innerText(), /Parallel/);
      const parallel = await slopes();
      for (const slope of parallel) assert.ok(Math.abs(slope - (parallel[0] ?? NaN)) < 1e-9, `parallel: ${parallel}`); // per cent of a picture
      assert.match(await chapter.locator(".sums .product").innerText(), /\b0$/);
      const at = async () => (await chapter.locator("[data-axis=x]").getAttribute("aria-valuetext")) ?? "";
      await chapter.locator("[data-part=sum] .square").hover({ position: { x: 1, y: 1 } });
      await settled(page);
      assert.match(await at(), /^x₁ = −2\.0, x₂ = \+2\.0/);
      await page.mouse.move(0, 0);
      await settled(page);
      assert.match(await at(), /^x₁ = \+1\.0, x₂ = \+1\.5/);
    });

    await t.test("few rows under much noise leave the question of the plane open", async () => {
      await follow(page, `/?embed=1&chapter=interaction${own("interaction", { n: 20, noise: 2, test: 100 })}`);
      await guess(chapter, "nothing");
      assert.equal(await answer.getAttribute("data-answer"), "");
      assert.match(await told.innerText(), /chance is too large to tell/);
    });
  });

  await t.test("by keyboard alone the spectrum is asked, stopped, run again and read", async () => {
    const chapter = await open(page, "spectrum", { ...few, n: 20000, iterations: 2000, solver: "gauss-newton" });
    await chapter.locator("[data-guess=never]").focus();
    await page.keyboard.press("Enter");
    await chapter.and(page.locator("[data-phase=running]")).waitFor();
    const stop = chapter.locator(".stop");
    await stop.focus();
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await chapter.getAttribute("data-phase"), "stopped");
    assert.match(await chapter.locator(".cost").innerText(), /^Stopped: \d+ of 11 runs came to an end/);
    assert.equal(await chapter.locator(".answer").count(), 0, "what is stopped answers nothing");
    await chapter.getByText("Settings of this chapter").focus();
    await page.keyboard.press("Enter");
    for (const [key, setting] of Object.entries({ ...few, solver: "agd" })) {
      const input = chapter.locator(`[data-key=${key}]`);
      if (key === "solver") await input.selectOption(String(setting));
      else {
        await input.fill(String(setting));
        await input.press("Tab");
      }
    }
    await chapter.locator(".run").focus();
    await page.keyboard.press("Enter");
    await over(chapter);
    const slider = chapter.getByRole("slider", { name: /^rank of the model/ });
    await slider.focus();
    await page.keyboard.press("Home");
    assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /^Rank 1: FM 0\.\d+, iFM 0\.\d+/);
    const stems = chapter.getByRole("slider", { name: "Eigenvalue, largest first" });
    await stems.focus();
    await page.keyboard.press("End");
    assert.match((await stems.getAttribute("aria-valuetext")) ?? "", /^Eigenvalue 4 of 4; True M\* −10\.0, negative; FM, rank 4 \+/);
  });

  await t.test("FM finds none of the negative eigenvalues, iFM all of them, and each rank ends where its native run does", async () => {
    const chapter = await open(page, "spectrum", few);
    await guess(chapter, "early");
    assert.deepEqual(await answered(chapter), ["late", "false"]);
    const spectra = await chapter.locator("ifm-spectrum").evaluate((stems) => /** @type {any} */ (stems).panels.map((/** @type {any} */ panel) => [...panel.values.eigenvalues]));
    const [truth, fm, ifm] = /** @type {number[][]} */ (spectra);
    assert.ok(truth && fm && ifm);
    // Orthonormal factors: eigenvalues evenly from 1 down to ½ times d, their signs taking turns.
    for (const [i, wanted] of [12, 8, -6, -10].entries()) near(truth[i] ?? NaN, wanted, `the truth's eigenvalue ${i + 1}`);
    assert.equal(fm.length, 4);
    assert.ok(fm.every((v) => v >= 0), `FM has none below zero: ${fm}`);
    assert.deepEqual(ifm.map(Math.sign), [1, 1, -1, -1]);
    for (const [model, rank] of /** @type {const} */ ([["fm", 1], ["fm", 4], ["fm", 12], ["ifm", 2], ["ifm", 4]])) {
      const run = await native(`${asked}&models=${model}&rank=${rank}`);
      near(await value(chapter.locator(`[data-off="${model} ${rank}"]`)), run["errorM"], `the error of M of ${model} at rank ${rank}`);
      const base = await native(`${asked}&models=ifm&rank=2`);
      near((await value(chapter.locator(`[data-left="${model} ${rank}"]`))) / (await value(chapter.locator('[data-left="ifm 2"]'))), (run["test"] ?? NaN) / (base["test"] ?? NaN), `the test RMSE of ${model} at rank ${rank}, in units of iFM's`);
    }
    assert.match(await chapter.locator(".told").innerText(), /^FM, rank 4, has 4 eigenvalues clearly above zero and 0 clearly below\. iFM, rank 2, has 2 eigenvalues clearly above zero and 2 clearly below\. Each has 48 numbers/);
  });

  await t.test("with enough rank FM is level with iFM, for more numbers; with too few iterations it is not, and that is said", acceptance, async () => {
    const chapter = await open(page, "spectrum", { d: 10, k: 4, ranks: "1,2,3,6,8,9", n: 600, test: 500, noise: 0, iterations: 600 });
    await guess(chapter, "late");
    assert.deepEqual(await answered(chapter), ["late", "true"]);
    const told = await chapter.locator(".told").innerText();
    const [, rank, numbers] = /From rank (\d+) on FM is level with that iFM: .* takes (\d+) numbers instead of 40,/.exec(told) ?? [];
    assert.ok(Number(rank) > 5 && Number(rank) <= 9, told); // nine are enough for any matrix without its diagonal
    assert.equal(Number(numbers), 10 * Number(rank));
    assert.match(told, /The paper does not say so/);
    const iterations = chapter.locator("[data-key=iterations]");
    await iterations.evaluate((input) => input.closest("details")?.setAttribute("open", ""));
    await iterations.fill("3");
    await iterations.blur();
    await chapter.locator(".run").click();
    await over(chapter);
    assert.deepEqual(await answered(chapter), ["never", "false"]);
    assert.match(await chapter.locator(".told").innerText(), /Up to rank 10 FM does not come level: .* or the iterations, are too few/);
  });

  await t.test("a run whose worker is ended has its matrices all the same", async () => {
    const chapter = await open(page, "spectrum", { ...few, n: 4000 });
    await chapter.locator("[data-guess=never]").click();
    await page.waitForFunction(() => {
      const { tracks } = /** @type {any} */ (document.querySelector("#spectrum"));
      const half = tracks.some((/** @type {any} */ track) => track.done) && !tracks.every((/** @type {any} */ track) => track.done);
      if (half) /** @type {any} */ (document.querySelector("ifm-app")).pool.engines[0].restart({ kind: "Stopped", message: "", file: "", line: 0, column: 0, field: "", found: "" });
      return half;
    }, undefined, { polling: 1 }); // between its messages: a busy machine may draw no frame while it is half done
    await over(chapter);
    assert.equal(await chapter.locator(".error").count(), 0);
    assert.equal(await chapter.locator("ifm-spectrum .stems").count(), 3);
    assert.match((await answered(chapter))[0] ?? "", /^(never|early|late)$/);
  });
});

test("the settings of a chapter stand in the address, and what it cannot mean is told", async (t) => {
  const page = await openPage(t, "/?speed=instant&d=8&k=2&n=100&iterations=20&chapter=spectrum&spectrum.d=12&interaction.seed=7");
  const chapter = page.locator("#spectrum");
  await settled(page);
  assert.equal(await chapter.locator("[data-key=d]").inputValue(), "12");
  assert.equal(await page.locator("#interaction [data-key=seed]").inputValue(), "7");
  await chapter.getByText("Settings of this chapter").click();
  const k = chapter.locator("[data-key=k]");
  await k.fill("4");
  await k.blur();
  await page.waitForURL(/chapter=spectrum.*interaction\.seed=7&spectrum\.d=12&spectrum\.k=4$/);
  await follow(page, "/?embed=1&chapter=spectrum&spectrum.d=1000&spectrum.colour=red");
  const notices = page.locator("main > .told");
  assert.match(await notices.innerText(), /1000/);
  assert.match(await notices.innerText(), /colour/);
  assert.equal(await chapter.locator("[data-key=d]").inputValue(), "60");
});

for (const [colorScheme, width] of /** @type {const} */ ([["light", 320], ["light", 360], ["dark", 1440]])) {
  test(`both chapters keep axe's rules, the page's width and their places, ${colorScheme}, ${width} px`, acceptance, async (t) => {
    const page = await openPage(t, `/?speed=instant&d=8&k=2&n=100&iterations=20&chapter=interaction${own("spectrum", few)}`, { colorScheme, viewport: { width, height: 800 } });
    const stays = async () => {
      if (width !== 360) await assertAccessible(page, { include: ["#interaction", "#spectrum"] }); // the rules are the same there as at 320
      await assertFits(page);
    };
    await settled(page);
    await stays();
    for (const [name, key] of /** @type {const} */ ([["interaction", "nothing"], ["spectrum", "never"]])) {
      const chapter = page.locator(`#${name} .chapter`);
      const places = () => chapter.evaluate((section) => [...section.children].map((child) => child.getBoundingClientRect().top - section.getBoundingClientRect().top));
      const before = await places();
      await guess(chapter, key);
      const after = await places();
      const most = Math.max(...after.map((top, i) => Math.abs(top - (before[i] ?? NaN))));
      assert.ok(most <= 24, `nothing in “${name}” moves by a line of text: ${most} px`);
      for (const fold of await chapter.locator("details.under summary, .spectrum details summary").all()) await fold.click();
    }
    await settled(page);
    await stays();
  });
}
