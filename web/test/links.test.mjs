// @ts-check
/** Every state of the page is an address: of the figure, of a table and of each chapter. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { gate, openPage, origin, settled } from "./lab.mjs";
import { details } from "./lesson.mjs";

test("what is changed in a chapter stands in the address, and Undo, Back and Forward follow it", async (t) => {
  const page = await openPage(t, "/?speed=instant&chapter=psd&psd.rows=10&psd.test=100&psd.trials=1&psd.iterations=20");
  const d = (await details(page, "psd")).locator("[data-key=d]");
  const undo = page.locator(".undo");
  assert.ok(await undo.isDisabled(), "nothing has been changed");
  /** @param {string} value */
  const holds = async (value) => {
    await settled(page);
    assert.equal(await d.inputValue(), value);
    assert.equal(new URL(page.url()).searchParams.get("psd.d") ?? "100", value);
  };
  for (const value of ["50", "20"]) {
    await d.fill(value);
    await d.blur();
    await holds(value);
  }
  await page.goBack();
  await holds("50");
  await page.goForward();
  await holds("20");
  await undo.click();
  await holds("50");
  await page.getByText("The last change was undone.").waitFor({ state: "attached" });
  await d.press("Control+z"); // in a text box it is the box's own
  await holds("50");
  await d.blur();
  await page.locator("body").press("Control+z");
  await holds("100");
  assert.ok(await undo.isDisabled());
});

test("settings out of bounds are held, unknown ones ignored, and of repeated ones the last counts, each with a sentence, of the figure and of a chapter", async (t) => {
  const page = await openPage(t, "/?speed=instant&d=1e9&chapter=psd&psd.d=1e9&psd.k=3&psd.k=2&psd.colour=red&psd.colour=red&mood=1&mood=2&psd.solver=magic");
  for (const [key, text] of [["d", "1000"], ["d", "300"], ["colour", "ignored"], ["solver", "agd"], ["k", "more than once"]]) await page.locator(`.told [data-key=${key}]`, { hasText: text ?? "" }).waitFor();
  await page.waitForURL(/\?chapter=psd&speed=instant&psd\.d=300&psd\.k=2$/);
  assert.equal(await page.locator(".told li").count(), 6, "each sentence once, and of unknown settings one each");
  await page.locator(".told").getByRole("button").click();
  await page.locator(".told").waitFor({ state: "hidden" });
});

test("a link to a chapter shows its question before its script is there, and then the chapter in its place", async (t) => {
  for (const [link, name] of [["/#vtec", "vtec"], ["/?embed=1&chapter=samples", "samples"]]) {
    const page = await openPage(t, "about:blank");
    const script = await gate(page, "**/a/section-*.js");
    await page.goto(new URL(link ?? "", await origin()).href);
    await script.asked;
    const top = async (/** @type {Locator} */ of) => Math.round((await of.boundingBox())?.y ?? NaN);
    const coming = page.locator("ifm-coming .question");
    await coming.waitFor();
    const [said, before] = [await coming.innerText(), await top(coming)];
    script.open();
    const there = page.locator(`#${name} .question`).first();
    await page.locator(`#${name} .guesses button`).first().waitFor();
    assert.equal(await page.locator("ifm-coming").count(), 0);
    assert.ok((await there.innerText()).startsWith(said.slice(0, 50)), said);
    assert.ok(Math.abs((await top(there)) - before) <= 2, `${link}: the question stays where it is: ${before}, then ${await top(there)}`);
    await page.close();
  }
});
