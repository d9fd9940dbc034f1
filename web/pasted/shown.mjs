// @ts-check
/** What every test of pasted snippets starts from: the snippets as Share writes them, and the software that is there. */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";

import { heightOf } from "../emitted/state/heights.js";
import { openPage, origin } from "../test/lab.mjs";

export * as snippet from "../emitted/share/snippet.js";

export const run = promisify(execFile);
export const here = path.dirname(fileURLToPath(import.meta.url));

/** The software, or why it is not tried. @param {string} name */
export const software = (name) => import(name).catch(() => null);

/** @param {string} command */
export const has = (command) => {
  try {
    execFileSync(command, ["version"], { stdio: "ignore" });
    return true;
  } catch (reason) {
    return /** @type {NodeJS.ErrnoException} */ (reason).code !== "ENOENT";
  }
};
/** @param {unknown} found @param {string} what */
export const unless = (found, what) => ({ skip: found ? false : `${what} is not installed`, timeout: 300_000 });

export const title = "FM, iFM: \"both\" & {braces} <b>";
export const settings = /** @type {const} */ ([["scenario", "mixed"], ["models", "fm,gfm,ifm"], ["target", "a \"b\" {{c}} 100 %"], ["d", "10"], ["n", "200"], ["iterations", "30"], ["embed", "1"], ["hide", "matrices"], ["speed", "instant"]]);

export async function shown() {
  return { page: `${await origin()}/`, settings, link: settings.filter(([key]) => key !== "embed" && key !== "hide"), title, height: heightOf(settings, 720) };
}

/** A folder for a site, where the packages of this one, or of one in it, are found. @param {import("node:test").TestContext} t @param {Record<string, string>} files @param {string} [within] */
export async function site(t, files, within = here) {
  await mkdir(path.join(within, "node_modules"), { recursive: true });
  const folder = await mkdtemp(path.join(within, "node_modules", ".site-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

/** What a snippet says belongs into each of two files. @param {string} text */
export function divided(text) {
  const [first = "", second = "", ...more] = text.split(/\n\n(?:<!--|\{\/\*) page\.mdx? (?:-->|\*\/\})\n/);
  assert.deepEqual(more, []);
  return [first, second];
}

/** The frame or the element in a page of HTML, as a browser reads it. @param {import("node:test").TestContext} t @param {string} html */
export async function found(t, html) {
  const page = await openPage(t, "about:blank", { expected: [/./] });
  return page.evaluate((text) => {
    const made = new DOMParser().parseFromString(text, "text/html"); // which runs and loads nothing
    const attributes = (/** @type {Element | null} */ e) => e && Object.fromEntries([...e.attributes].map((a) => [a.name.toLowerCase(), a.value]));
    return { frame: attributes(made.querySelector("iframe")), lab: attributes(made.querySelector("ifm-lab")), links: [...made.querySelectorAll("a")].map((a) => [a.getAttribute("href"), a.textContent]) };
  }, html);
}
