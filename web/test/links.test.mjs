// @ts-check
/** Every state of the page is an address: of the figure, of a table and of each chapter. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { gate, openPage, origin, outdated, serveHTML, settled } from "./lab.mjs";

const small = "d=8&n=100&iterations=20&speed=instant"; // a figure that takes no time

/** Waits for the chapters. @param {Page} page @param {string} name */
async function chapter(page, name) {
  const found = page.locator(`#${name} .chapter`);
  await found.waitFor();
  return found;
}

/** Whether an element's upper edge is on the screen. @param {Page} page @param {string} selector */
const onScreen = (page, selector) =>
  page.waitForFunction((s) => {
    const top = document.querySelector(s)?.getBoundingClientRect().top;
    return top !== undefined && top >= -2 && top < innerHeight / 2;
  }, selector);

test("a chapter's link opens there, with its settings, and leaves the figure's as they are", outdated, async (t) => {
  const page = await openPage(t, `/?${small}&seed=4&chapter=samples&samples.d=12&samples.ratios=2,4`);
  const samples = await chapter(page, "samples");
  await onScreen(page, "#samples");
  await samples.getByText("Settings of this chapter").click();
  assert.equal(await samples.locator("[data-key=d]").inputValue(), "12");
  assert.equal(await samples.locator("[data-key=ratios]").inputValue(), "2, 4");
  await page.locator("h1").scrollIntoViewIfNeeded();
  await page.locator("ifm-figure .verdict[data-phase=done]").waitFor();
  assert.match(await page.locator("ifm-figure .live").first().innerText(), /d = 8.*seed 4/);
});

test("what is changed in a chapter stands in the address, and Undo, Back and Forward follow it", outdated, async (t) => {
  const page = await openPage(t, "/?speed=instant#psd");
  const psd = await chapter(page, "psd");
  const undo = page.locator(".undo");
  assert.ok(await undo.isDisabled(), "nothing has been changed");
  await psd.getByText("Settings of this chapter").click();
  const d = psd.locator("[data-key=d]");
  for (const value of ["50", "20"]) {
    await d.fill(value);
    await d.blur();
    await page.waitForURL(new RegExp(`chapter=psd.*psd\\.d=${value}`));
  }
  await page.goBack();
  await page.waitForFunction((e) => e instanceof HTMLInputElement && e.value === "50", await d.elementHandle());
  await page.goForward();
  await page.waitForFunction((e) => e instanceof HTMLInputElement && e.value === "20", await d.elementHandle());
  await undo.click();
  await page.waitForURL(/psd\.d=50/);
  await page.getByText("The last change is undone.").waitFor({ state: "attached" });
  await page.locator("body").press("Control+z");
  await page.waitForURL((url) => !url.search.includes("psd.d"));
  assert.equal(await d.inputValue(), "100");
  await page.waitForFunction(() => document.querySelector(".undo")?.hasAttribute("disabled"));
  const two = await openPage(t, `${await origin()}/?chapter=psd&psd.d=20`);
  const again = await chapter(two, "psd");
  await again.getByText("Settings of this chapter").click();
  assert.equal(await again.locator("[data-key=d]").inputValue(), "20");
});

test("undo takes back a change of the figure too, and Control+Z in a text box stays the box's own", outdated, async (t) => {
  const page = await openPage(t, `/?${small}`);
  await page.locator("ifm-figure .verdict[data-phase=done]").waitFor();
  await page.getByRole("radio", { name: "Both" }).check();
  await page.waitForURL(/scenario=mixed/);
  await page.getByRole("button", { name: /^More:/ }).click();
  await page.locator("ifm-figure").getByText("All settings").click();
  await page.locator("ifm-figure [data-key=seed]").press("Control+z");
  assert.match(page.url(), /scenario=mixed/);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForURL((url) => !url.search.includes("scenario"));
  assert.ok(await page.getByRole("radio", { name: "Signs clash" }).isChecked());
});

test("a chapter's settings out of bounds are held, unknown ones ignored, each with a sentence, in several chapters and the figure", outdated, async (t) => {
  const page = await openPage(t, "/?speed=instant&d=1e9&chapter=psd&psd.d=1e9&psd.colour=red&psd.solver=magic&samples.shape=round");
  await chapter(page, "psd");
  const told = page.locator(".told");
  for (const [key, text] of [["d", "1000"], ["d", "300"], ["colour", "ignored"], ["solver", "agd"], ["shape", "ignored"]]) await told.locator(`[data-key=${key}]`, { hasText: text ?? "" }).waitFor();
  await page.waitForURL(/\?d=1000&chapter=psd&speed=instant&psd\.d=300$/);
});

test("a link to a chapter shows its title and question before its script is there, and then the chapter in their place", outdated, async (t) => {
  for (const [link, name] of [["/?chapter=samples", "samples"], ["/#samples", "samples"], ["/?embed=1&chapter=samples", "samples"], ["/#vtec", "vtec"]]) {
    const page = await openPage(t, "about:blank");
    const script = await gate(page, name === "vtec" ? "**/a/chapter-*.js" : "**/a/section-*.js");
    await page.goto(new URL(link ?? "", await origin()).href);
    await script.asked;
    const title = page.locator("ifm-coming h3");
    await title.waitFor();
    const top = async (/** @type {Locator} */ of) => Math.round((await of.boundingBox())?.y ?? NaN);
    const before = await top(title);
    assert.ok(before > 0 && before < 400, `${link}: the title is in sight, ${before} px from the top`);
    const said = await page.locator("ifm-coming").innerText();
    script.open();
    await page.locator(`#${name} .guesses button`).first().waitFor();
    await settled(page);
    assert.equal(await page.locator("ifm-coming").count(), 0);
    const there = page.locator(`#${name} h3`);
    assert.ok(Math.abs((await top(there)) - before) <= 2, `${link}: the title stays where it is: ${before}, then ${await top(there)}`);
    for (const text of [await there.innerText(), ...(name === "vtec" ? ["Six methods learn the ionosphere"] : [await page.locator(`#${name} .question`).innerText()])]) assert.ok(said.includes(text), `${link}: ${text}`);
    await page.close();
  }
});

test("a chapter stands alone in a frame of another origin and in a sandbox without one, runs on a guess, and its snippet says how", outdated, async (t) => {
  const lesson = await openPage(t, "/?speed=instant&chapter=algorithm&algorithm.d=12");
  await (await chapter(lesson, "algorithm")).getByText("Link and embed").click();
  const snippet = await lesson.locator(".sharing textarea").inputValue();
  for (const attributes of ["", 'sandbox="allow-scripts"']) {
    const outside = await serveHTML(`<!doctype html><title>Host</title>${snippet.replace("<iframe", `<iframe ${attributes}`)}`);
    const page = await openPage(t, outside, { origins: [outside, "null"] });
    const frame = await (await page.locator("iframe").elementHandle())?.contentFrame();
    assert.ok(frame);
    await frame.locator("[data-guess=grows]").click();
    await frame.locator(".chapter[data-phase=done]").waitFor();
    assert.equal(await frame.locator(".answer[data-answer]").count(), 1);
    assert.match(await frame.locator(".live").innerText(), /d = 12/);
    assert.equal(await frame.locator("header, footer, ifm-figure, .contents").count(), 0, "the chapter is alone");
    assert.equal(await frame.evaluate(() => [...document.fonts].find(({ family }) => family.includes("Formulas"))?.status), "loaded", "its formulas have their font");
    await frame.getByText("Link and embed").click();
    assert.match(await frame.locator(".sharing .link input").inputValue(), /chapter=algorithm&algorithm\.d=12$/);
  }
});

test("a cell of a map in a frame opens its run in a page of its own, and the frame keeps its chapter", outdated, async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=samples&speed=instant&samples.d=10&samples.trials=1&samples.ratios=6&samples.ks=1");
  await page.locator("#samples [data-guess=falls]").click();
  await page.locator("#samples .chapter[data-phase=done]").waitFor();
  const [opened] = await Promise.all([page.waitForEvent("popup"), page.locator("#samples td a").click()]);
  await opened.locator("ifm-figure .verdict[data-phase=done]").waitFor();
  assert.match(await opened.locator("ifm-figure .live").first().innerText(), /d = 10/);
  assert.equal(await page.locator("#samples .chapter").count(), 1);
});
