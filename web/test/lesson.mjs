// @ts-check
/** What a reader does with a chapter of the lesson, as tests of the page do it. */
import assert from "node:assert/strict";

import { follow, settled } from "./lab.mjs";

/** @typedef {Record<string, string | number>} Settings a chapter's own */

/** The chapters, in the order of core/spec. */
export const chapters = ["interaction", "reach", "spectrum", "psd", "loophole", "break", "matter", "data", "vtec", "diagonal", "samples", "algorithm"];

/** Settings that make each chapter short; what they teach is left to the tests of each. */
export const quick = [
  "psd.d=12&psd.k=2&psd.rows=10&psd.test=100&psd.trials=2&psd.iterations=8",
  "reach.n=200&reach.test=100&reach.iterations=40",
  "break.draws=10",
  "diagonal.d=10&diagonal.trials=2&diagonal.taus=2,0.1,0&diagonal.solver=gauss-newton&diagonal.iterations=8",
  "samples.d=12&samples.trials=2&samples.ratios=1,4,8",
  "spectrum.d=12&spectrum.n=400&spectrum.test=200&spectrum.ranks=1,3,8&spectrum.iterations=60",
  "matter.levels=5&matter.n=400&matter.test=100&matter.iterations=100",
  "loophole.d=6&loophole.n=100&loophole.test=50&loophole.iterations=60",
  "algorithm.d=12&algorithm.iterations=8",
  "vtec.days=2&vtec.stride=360&vtec.fixes=720",
  "data.trials=1&data.ranks=2&data.lambdas=0.1&data.iterations=40",
].join("&");

/** A number of the page, at full precision. @param {Locator} locator @param {string} [name] */
export const value = async (locator, name = "data-value") => Number(await locator.getAttribute(name));

/** Fails unless two numbers agree: wasm and amd64 round exp and log differently. @param {number} found @param {number | undefined} wanted @param {string} what @param {number} [share] */
export function near(found, wanted, what, share = 1e-9) {
  assert.ok(wanted !== undefined && Math.abs(found - wanted) <= share * Math.abs(wanted), `${what} is ${found}, want ${wanted}`);
}

/** A chapter's settings as a link has them. @param {string} name @param {Settings} settings */
export const own = (name, settings) => Object.entries(settings).map(([key, setting]) => `&${name}.${key}=${setting}`).join("");

/** Opens a chapter alone, as a frame shows it. @param {Page} page @param {string} name @param {Settings} [settings] */
export async function open(page, name, settings = {}) {
  await follow(page, `/?embed=1&chapter=${name}${own(name, settings)}`);
  return details(page, name);
}

/** Opens what a chapter has behind "Details", once its first runs are over. @param {Page | Frame} page @param {string} name */
export async function details(page, name) {
  await settled(page);
  const chapter = page.locator(`#${name} .chapter`);
  await chapter.locator(".details").evaluate((/** @type {HTMLDetailsElement} */ more) => void (more.open = true));
  await settled(page);
  return chapter;
}

/** Fails unless a chapter's run is over once the page has settled. @param {Locator} chapter @param {string} [phase] */
export async function over(chapter, phase = "done") {
  await settled(chapter.page());
  assert.equal(await chapter.getAttribute("data-phase"), phase);
}

/** Runs all of a chapter, by a guess or without one. @param {Locator} chapter @param {string} [guess] */
export async function run(chapter, guess) {
  await settled(chapter.page());
  await chapter.locator(guess === undefined ? ".run" : `[data-guess=${guess}]`).click();
  await over(chapter);
}

/** What the run says to the question, and whether the guess was right. @param {Locator} chapter */
export async function answered(chapter) {
  const answer = chapter.locator(".answer");
  return [await answer.getAttribute("data-answer"), await answer.getAttribute("data-right")];
}
