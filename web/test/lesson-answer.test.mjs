// @ts-check
/** The answer where the guess was made: a sign and words, from the first runs at once, kept in the address; and the way from chapter to chapter. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { follow, openPage, serveHTML, settled, tabTo } from "./lab.mjs";

const small = "psd.d=12&psd.k=2&psd.rows=10&psd.test=100&psd.trials=2&psd.iterations=40";

/** What stands on each guess. @param {Locator} chapter */
const marks = async (chapter) => Object.fromEntries(await chapter.locator("[data-guess]").evaluateAll((all) => all.map((button) => [button.getAttribute("data-guess"), [button.querySelector("svg")?.getAttribute("class") ?? "", button.querySelector(".came")?.textContent?.trim() ?? ""]])));

/** The chapter's own settings in the address. @param {Page} page @param {string} name */
const own = (page, name) => [...new URL(page.url()).searchParams].filter(([key]) => key.startsWith(`${name}.`)).map(([key, value]) => `${key.slice(name.length + 1)}=${value}`).join("&");

test("a guess is answered where it was made, by a sign and in words, and a change of mind is told apart", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=interaction");
  const chapter = page.locator("#interaction .chapter");
  const outcome = chapter.locator(".outcome[role=status]");
  await settled(page);
  assert.equal(await chapter.getAttribute("data-phase"), "done", "it runs by itself");
  assert.equal(await chapter.locator(".answer, .told").count(), 0, "and tells nothing before the guess");
  assert.deepEqual(await marks(chapter), { all: ["", ""], half: ["", ""], nothing: ["", ""] });
  await tabTo(page, "[data-guess=half]");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.deepEqual(await marks(chapter), { all: ["", ""], half: ["cross", "Your guess: wrong"], nothing: ["tick", "The answer"] });
  assert.match(await outcome.innerText(), /^Not quite: /);
  assert.equal(own(page, "interaction"), "guess=half");
  await tabTo(page, "[data-guess=nothing]");
  await page.keyboard.press("Space");
  await settled(page);
  assert.deepEqual(await marks(chapter), { all: ["", ""], half: ["cross", "Your first guess: wrong"], nothing: ["tick", "Your last guess: right"] });
  assert.match(await outcome.innerText(), /^Correct/);
  assert.equal(own(page, "interaction"), "guess=half&then=nothing");

  await t.test("who opens the address again finds the guesses as they were made, and their answer", async () => {
    await page.reload();
    await settled(page);
    assert.equal((await marks(chapter))["nothing"]?.[1], "Your last guess: right");
    assert.equal(await chapter.locator("[aria-pressed=true]").getAttribute("data-guess"), "nothing");
  });
  await t.test("who looked first and chose then has not guessed", async () => {
    await follow(page, "/?embed=1&chapter=interaction");
    await page.reload();
    await settled(page);
    await chapter.locator(".run").click();
    await settled(page);
    assert.deepEqual((await marks(chapter))["nothing"], ["tick", "The answer"]);
    await chapter.locator("[data-guess=nothing]").click();
    await settled(page);
    assert.match(await outcome.innerText(), /^The answer: /);
    assert.equal(own(page, "interaction"), "then=nothing");
  });
  await t.test("a guess that is none of the answers is told of and left out", async () => {
    await follow(page, "/?embed=1&chapter=interaction&interaction.guess=rises&interaction.then=half");
    assert.match(await page.locator("main > .told").innerText(), /guess/);
    assert.equal(own(page, "interaction"), "then=half");
  });
});

test("a small run answers, the first trial does while the others go on, and a stop keeps what it said", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=psd&psd.d=30&psd.k=3&psd.test=1000&psd.trials=50", { viewport: { width: 390, height: 844 } });
  const chapter = page.locator("#psd .chapter");
  await settled(page);
  await chapter.locator("[data-guess=worse]").click();
  const answer = chapter.locator(".answer");
  await answer.waitFor();
  assert.equal(await answer.getAttribute("data-early"), "true");
  const box = await chapter.locator(".outcome").boundingBox();
  assert.ok(box && box.y >= 0 && box.y + box.height <= 844, `on a phone the answer is in sight: ${JSON.stringify(box)}`);
  await chapter.locator(".run").click();
  await chapter.locator(".stop").waitFor();
  await answer.waitFor();
  await chapter.locator(".stop").click();
  await settled(page);
  assert.equal(await chapter.getAttribute("data-phase"), "stopped");
  assert.match(await chapter.locator(".cost").innerText(), /^Stopped: \d+ of 300 runs/);
  assert.doesNotMatch(await chapter.innerText(), /will be added/);
  assert.equal(await answer.count(), 1);

  await t.test("in a frame the page around it stays where its reader is", async () => {
    const inside = new URL("/?embed=1&chapter=interaction", page.url()).href;
    const host = await serveHTML(`<!doctype html><title>Host</title><div style="height: 300px"></div><iframe src="${inside}" style="width: 380px; height: 3300px; border: 0"></iframe>`);
    const around = await openPage(t, host, { origins: [host, new URL(inside).origin], viewport: { width: 400, height: 500 } });
    const frame = around.frames()[1];
    assert.ok(frame);
    await frame.locator("[data-guess=all]").evaluate((button) => button.closest(".chapter")?.scrollIntoView());
    await frame.locator("[data-guess=all]").focus();
    const before = await around.evaluate(() => scrollY);
    await around.keyboard.press("Enter");
    await frame.locator(".answer").waitFor();
    await settled(frame);
    assert.equal(await around.evaluate(() => scrollY), before);
  });
});

test("one walks from chapter to chapter by keyboard, Back leads back, and what was run is there still", async (t) => {
  const page = await openPage(t, `/?chapter=interaction&${small}`);
  const lesson = page.locator("ifm-lesson");
  await settled(page);
  assert.equal(await lesson.locator("ifm-chapter").count(), 1);
  assert.match(await lesson.locator(".next").innerText(), /Skip/);
  await tabTo(page, "[data-guess=nothing]");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await lesson.locator("li[data-state=answered]").count(), 1);
  assert.ok(await lesson.locator(".next.primary").isVisible(), "the way on is the main button now");
  await tabTo(page, ".onward .next");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.match(page.url(), /chapter=reach/);
  assert.match(page.url(), /interaction\.guess=nothing/, "the guess stays in the address");
  assert.equal(await lesson.locator("ifm-chapter").getAttribute("id"), "reach");
  assert.equal(await page.evaluate(() => scrollY), 0);
  await page.goBack();
  await settled(page);
  const chapter = page.locator("#interaction .chapter");
  assert.equal(await chapter.getAttribute("data-phase"), "done");
  assert.equal(await chapter.locator(".answer").getAttribute("data-answer"), "nothing");

  await t.test("a run that is left waits, and goes on when one comes back", async () => {
    await follow(page, "/?chapter=psd&psd.trials=50&psd.d=30&psd.test=1000");
    const psd = page.locator("#psd .chapter");
    await settled(page);
    await psd.locator("[data-guess=stuck]").click();
    await psd.locator(".run").click();
    await psd.and(page.locator("[data-phase=running]")).waitFor();
    await page.locator(".contents a[href='?chapter=interaction']").click();
    await settled(page);
    await page.locator(".contents a[href='?chapter=psd']").click();
    await psd.and(page.locator("[data-phase=running]")).waitFor();
    await psd.locator(".stop").click();
    await settled(page);
  });
  await t.test("on a phone the contents open from a bar, and close with the choice", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const bar = page.locator(".drawer");
    assert.match(await bar.innerText(), /^\s*4 of 12: /);
    await bar.press("Enter");
    await page.locator(".contents a[href='?chapter=spectrum']").press("Enter");
    await settled(page);
    assert.match(await bar.innerText(), /^\s*3 of 12: /);
    assert.equal(await page.locator(".contents").isVisible(), false);
  });
  await t.test("a link's path leads along its chapters, until it is left", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await follow(page, `/?chapter=spectrum&path=short`);
    assert.equal(await lesson.locator(".contents li.off").count(), 9);
    assert.equal(await lesson.locator(".onward .next").count(), 0, "it ends here");
    await lesson.locator(".contents .path").click();
    await settled(page);
    assert.equal(new URL(page.url()).searchParams.get("path"), null);
    assert.equal(await lesson.locator(".onward .next").count(), 1);
  });
});

test("a guess while the whole run is on waits for it, and runs nothing a second time", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=break&break.draws=600");
  const chapter = page.locator("#break .chapter");
  await page.locator("#break .chapter[data-phase=running]").waitFor();
  await chapter.evaluate((element) => {
    const phases = /** @type {any} */ (window).phases = /** @type {(string | null)[]} */ ([]);
    new MutationObserver(() => phases.push(element.getAttribute("data-phase"))).observe(element, { attributeFilter: ["data-phase"] });
  });
  await chapter.locator("[data-guess]").first().click();
  await settled(page);
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).phases), ["done"]);
});
