// @ts-check
/** The offline file as a reader has it: alone in a folder, without a network; and a walk through it that any browser's driver can take. */
import assert from "node:assert/strict";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** @typedef {Page | import("puppeteer-core").Page} Driven */

/** Where the build put it. */
export const built = fileURLToPath(new URL("../dist/offline.html", import.meta.url));

/** Its address, as ifm-lab.html in a folder of its own. @param {TestContext} t */
export async function offlineAddress(t) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "ifmlab-offline-"));
  t.after(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "ifm-lab.html");
  await copyFile(built, file);
  return pathToFileURL(file).href;
}

/** Waits until a function that runs in the page says yes. @param {Driven} page @param {string} what @param {(arg: any) => unknown} f @param {unknown} [arg] */
export async function until(page, what, f, arg) {
  const came = "waitForURL" in page ? page.waitForFunction(f, arg) : page.waitForFunction(/** @type {any} */ (f), {}, arg);
  await came.catch((error) => assert.fail(`${what}: it did not come; ${error}`));
}

/** Whether a panel has all of its run, which is not the one before it: that is shown until the page is drawn again. What each model learnt comes after the curves. @param {string} panel */
const whole = (panel) => {
  const { phase, lines, matrices, started } = /** @type {any} */ (document.querySelector(panel))?.training ?? {};
  return phase === "done" && started !== /** @type {any} */ (window).before && (panel !== "ifm-figure" || matrices.size === lines.length);
};

/** Every number that a panel got of its run, by what it is, once it has all. @param {Driven} page @param {string} panel @returns {Promise<Record<string, string>>} */
export async function records(page, panel) {
  await until(page, `the run of ${panel}`, whole, panel);
  const found = await /** @type {Page} */ (page).evaluate((/** @type {string} */ name) => {
    const { lines, matrices, trials } = /** @type {any} */ (document.querySelector(name)).training;
    return {
      trials: JSON.stringify(trials.map((/** @type {any} */ trial) => [trial.mean, trial.ridge])),
      ...Object.fromEntries(lines.map((/** @type {any} */ line) => [`curve of ${line.model}`, line.error.join(" ")])),
      ...Object.fromEntries([...matrices].map(([model, { values }]) => [`matrix of ${model}`, values.join(" ")])),
    };
  }, panel);
  assert.ok(Object.keys(found).length > 2 && /\d\.\d{10}/.test(Object.values(found).join()), "there are numbers");
  return found;
}

/** Walks through the file, opened at ?speed=instant: figure, sample, dropped table, chapter, colours, and back; returns what it finds. @param {Driven} page */
export async function walkOffline(page) {
  const click = async (/** @type {string} */ selector) => {
    await until(page, selector, (s) => document.querySelector(s) !== null, selector);
    await /** @type {Page} */ (page).evaluate((s) => /** @type {HTMLElement} */ (document.querySelector(s)).click(), selector);
  };
  const figure = await records(page, "ifm-figure");

  await click("header [data-place=table]");
  await click("[data-sample=penguins]");
  await until(page, "penguins", () => /penguins\.csv: 344 rows/.test(document.querySelector("#file")?.textContent ?? ""));
  const sample = await records(page, "ifm-result"); // a table is trained as soon as it can be

  await /** @type {Page} */ (page).evaluate(() => {
    Object.assign(window, { before: /** @type {any} */ (document.querySelector("ifm-result")).training.started });
    const rows = Array.from({ length: 60 }, (_, i) => `${i % 7},${(i * i) % 11},${(i % 7) * ((i * i) % 11) + i / 100}`);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([["a,b,y", ...rows, ""].join("\n")], "mine.csv"));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
  });
  await until(page, "the reader's table", () => /mine\.csv: 60 rows/.test(document.querySelector("#file")?.textContent ?? ""));
  const own = await records(page, "ifm-result");

  await /** @type {Page} */ (page).evaluate(() => (location.hash = "#interaction"));
  await until(page, "the lesson", () => document.querySelector("#interaction .chapter[data-phase=done]") !== null);
  await until(page, "the formulas' font", () => [...document.fonts].some(({ family, status }) => /Formulas/.test(family) && status === "loaded"));

  await click("header .theme");
  await until(page, "dark colours", () => document.documentElement.dataset["theme"] === "dark" && location.search.includes("theme=dark"));

  await click("header [data-place=figure]");
  await click("ifm-figure .switch label:last-of-type input");
  await until(page, "another address", () => location.search.includes("scenario=mixed"));
  await /** @type {Page} */ (page).evaluate(() => history.back());
  await until(page, "Back", () => !location.search.includes("scenario=mixed") && /** @type {any} */ (document.querySelector("ifm-figure")).spec.scenario !== "mixed");
  await /** @type {Page} */ (page).evaluate(() => history.forward());
  await until(page, "Forward", () => /** @type {any} */ (document.querySelector("ifm-figure")).spec.scenario === "mixed");
  return { figure, sample, own };
}
