// @ts-check
/** The answer where the guess was made: a sign and words, from the first runs at once, kept in the address; and the guided path from chapter to chapter. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, follow, openPage, serveHTML, settled, tabTo } from "./lab.mjs";

const small = "psd.d=12&psd.k=2&psd.rows=10&psd.test=100&psd.trials=2&psd.iterations=40";
const figure = "speed=instant&d=8&k=2&n=100&iterations=20"; // takes no time

/** What stands on each guess. @param {Locator} chapter */
const marks = async (chapter) => Object.fromEntries(await chapter.locator("[data-guess]").evaluateAll((all) => all.map((button) => [button.getAttribute("data-guess"), [button.querySelector("svg")?.getAttribute("class") ?? "", button.querySelector(".sign")?.textContent ?? ""]])));

/** The chapter's own settings in the address. @param {Page} page @param {string} name */
const own = (page, name) => [...new URL(page.url()).searchParams].filter(([key]) => key.startsWith(`${name}.`)).map(([key, value]) => `${key.slice(name.length + 1)}=${value}`).join("&");

test("a guess is answered where it was made, by a sign and in words, and a change of mind is told apart", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=interaction");
  const chapter = page.locator("#interaction .chapter");
  const outcome = chapter.locator(".outcome[role=status]");
  await settled(page);
  assert.equal(await chapter.locator("[role=status]").count(), 1, "what is told is told once");
  assert.deepEqual(await marks(chapter), { all: ["", ""], half: ["", ""], nothing: ["", ""] });
  await tabTo(page, "[data-guess=half]");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.deepEqual(await marks(chapter), { all: ["", ""], half: ["cross", "Your guess: wrong"], nothing: ["tick", "The answer"] });
  assert.match(await outcome.innerText(), /^You guessed “About half of it”; this run says “Nothing”\.\s+A plane’s predictions are off by 1\.\d+; those of iFM, which has a weight for the product, by 0\.\d+\.$/);
  const brief = await chapter.locator(".brief").innerText();
  assert.ok(!(await chapter.locator(".told").innerText()).includes(brief), "the explanation does not say it again");
  assert.equal(own(page, "interaction"), "guess=half");
  await tabTo(page, "[data-guess=nothing]");
  await page.keyboard.press("Space");
  await settled(page);
  assert.deepEqual(await marks(chapter), { all: ["", ""], half: ["cross", "Your first guess: wrong"], nothing: ["tick", "Your last guess: right"] });
  assert.match(await outcome.innerText(), /^You guessed “About half of it” first, then “Nothing”, and this run says so too\./);
  assert.equal(own(page, "interaction"), "guess=half&then=nothing");
  assert.doesNotMatch(await chapter.locator(".cost").innerText(), /have changed/, "a guess is no setting of a run");

  await t.test("who opens the address again finds the guesses as they were made", async () => {
    await page.reload();
    await settled(page);
    assert.deepEqual(await marks(chapter), { all: ["", ""], half: ["", "Your first guess"], nothing: ["", "Your last guess"] });
    assert.equal(await chapter.locator("[aria-pressed=true]").getAttribute("data-guess"), "nothing");
    await chapter.locator(".run").click();
    await settled(page);
    assert.match(await outcome.innerText(), /first, then “Nothing”/);
  });
  await t.test("a shared link does not give them away", async () => {
    await chapter.getByText("Link and embed").click();
    for (const box of [".sharing .link input", ".sharing textarea"]) assert.doesNotMatch(await page.locator(box).inputValue(), /guess|then/);
    await page.keyboard.press("Escape");
  });
  await t.test("who looked first and chose then has not guessed", async () => {
    await follow(page, "/?embed=1&chapter=interaction");
    assert.deepEqual((await marks(chapter))["nothing"], ["tick", "The answer"]);
    await chapter.locator("[data-guess=nothing]").click();
    await settled(page);
    assert.equal(await chapter.locator(".answer").innerText(), "You chose “Nothing” after this run had said so.");
    assert.equal(own(page, "interaction"), "then=nothing");
  });
  await t.test("a guess that is none of the answers is told of and left out", async () => {
    await follow(page, "/?embed=1&chapter=interaction&interaction.guess=rises&interaction.then=half");
    assert.match(await page.locator("main > .told").innerText(), /guess/);
    assert.equal(own(page, "interaction"), "then=half");
  });
});

test("the first trial answers while the others go on, and says so", acceptance, async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=psd&psd.d=40&psd.k=3&psd.test=1000&psd.trials=3", { viewport: { width: 390, height: 844 } });
  const chapter = page.locator("#psd .chapter");
  await chapter.locator(".outcome").evaluate((outcome) => {
    const told = /** @type {string[]} */ ((/** @type {any} */ (window).told = []));
    new MutationObserver(() => {
      const text = outcome.textContent?.replace(/\s+/g, " ").trim() ?? "";
      if (text !== told.at(-1)) told.push(text);
    }).observe(outcome, { childList: true, characterData: true, subtree: true });
  });
  await chapter.locator("[data-guess=worse]").click();
  await settled(page);
  const told = /** @type {string[]} */ (await page.evaluate(() => /** @type {any} */ (window).told));
  assert.equal(told.length, 2, `first the first answer, then that of all: ${told.join(" | ")}`);
  assert.match(told[0] ?? "", /^A first answer, from the first of 3 trials; 2 more will be added\. You guessed/);
  assert.match(told[1] ?? "", /^You guessed/);
  const [first, all] = told.map((text) => text.slice(text.indexOf("FM’s")));
  assert.notEqual(first, all, "the other trials have moved the mean");
  const box = await chapter.locator(".outcome").boundingBox();
  assert.ok(box && box.y >= 0 && box.y + box.height <= 844, `on a phone the answer is in sight: ${JSON.stringify(box)}`);

  await t.test("who has scrolled away meanwhile is left alone", async () => {
    await follow(page, "/?embed=1&chapter=psd&psd.d=12&psd.k=2&psd.test=100&psd.trials=2&psd.seed=2");
    await chapter.locator("[data-guess=stuck]").click();
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
    await settled(page);
    assert.equal(await chapter.getAttribute("data-phase"), "done");
    const away = await chapter.locator(".outcome").evaluate((outcome) => outcome.getBoundingClientRect().bottom);
    assert.ok(away < 0, `the answer is above what is seen, at ${away} px`);
  });
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

test("a path is chosen by keyboard, leads from heading to heading, and stands in the address", async (t) => {
  const page = await openPage(t, `/?${figure}&${small}#lesson`, { reducedMotion: "reduce" });
  const lesson = page.locator("ifm-lesson");
  await settled(page);
  assert.equal(await lesson.locator(".far").innerText(), "");
  await tabTo(page, "[data-path=short]");
  assert.match(await lesson.locator("[data-path=short]").innerText(), /^5 minutes\s+2 chapters, about 5 minutes$/);
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(new URL(page.url()).searchParams.get("path"), "short");
  assert.match(await lesson.locator(".far").innerText(), /^\s*0 of 2 chapters answered\s+Begin: What an interaction is$/);
  assert.equal(await lesson.locator(".contents li.off").count(), (await lesson.locator(".contents li").count()) - 2, "the other chapters are there, and said to be beside the path");
  await tabTo(page, ".begin");
  await page.keyboard.press("Enter");
  await settled(page);
  const focused = () => page.evaluate(() => document.activeElement?.id);
  assert.equal(await focused(), "interaction-title");
  await tabTo(page, "#interaction [data-guess=nothing]");
  await page.keyboard.press("Enter");
  await settled(page);
  const end = lesson.locator("#interaction + .onward");
  assert.match(await end.innerText(), /^\s*Chapter 1 of 2 on your path; 1 of 2 chapters answered\.\s+To the start of the lesson\s+Next: The PSD bias$/);
  await tabTo(page, "#interaction + .onward .next");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await focused(), "psd-title");
  assert.match(page.url(), /chapter=psd&.*path=short/);
  assert.ok(await page.locator("#psd-title").evaluate((heading) => heading.getBoundingClientRect().top < innerHeight), "it is in sight");
  assert.match(await lesson.locator("#psd + .onward").innerText(), /^\s*Chapter 2 of 2 on your path; 1 of 2 chapters answered\. Here the path ends\./);
  assert.match(await lesson.locator("#spectrum + .onward").innerText(), /^\s*This chapter is not on your path; .*\s+Back: The PSD bias/);
  await page.reload();
  await settled(page);
  assert.equal(await lesson.locator("[data-path=short]").getAttribute("aria-pressed"), "true");
  assert.equal(await lesson.locator("li[data-state=guessed] b").innerText(), "What an interaction is", "a guess stands in the address, what came of it does not");

  await t.test("without a path next and back lead through all chapters, to one that is loaded on the way too", async () => {
    await follow(page, `/?${figure}`);
    assert.match(await lesson.locator("#interaction + .onward").innerText(), /^\s*Chapter 1 of \d+; /);
    for (const [from, which, to] of /** @type {const} */ ([["algorithm", "next", "vtec"], ["spectrum", "back", "reach"]])) {
      await lesson.locator(`#${from} + .onward .${which}`).click();
      await page.waitForFunction((id) => document.activeElement?.id === id, `${to}-title`);
    }
  });
});
