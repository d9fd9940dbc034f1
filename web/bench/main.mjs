// @ts-check
/**
 * Times the page in Chromium beside other programs that do the same work, and
 * prints a table. A busy machine changes times more than ratios, so what is
 * compared takes turns in one run.
 *
 *     node web/bench/main.mjs [section…]
 *     node web/bench/main.mjs --smoke    once, on little, for whether it runs at all
 *
 * A smoke pass leaves out Lighthouse and what npm has not installed here, and says so.
 */
import { createRequire } from "node:module";

import { launch, serve } from "../test/browser.mjs";

/**
 * One line of the table. `aim` says what is wanted, "≥ 4" for instance, and is
 * compared with `value`; a line without an aim is there to be read.
 *
 * @typedef {{ name: string, value: number, unit: string, aim?: string }} Line
 * @typedef {{ origin: string, browser: Awaited<ReturnType<typeof launch>>, smoke: boolean, has: (name: string) => boolean }} Bench
 * @typedef {(bench: Bench) => Promise<Line[]>} Section
 */

/** @type {Record<string, () => Promise<{ default: Section }>>} */
const sections = {
  compute: () => import("./compute.mjs"),
  loading: () => import("./loading.mjs"),
  page: () => import("./page.mjs"),
};

/** @param {Line[]} lines */
function print(lines) {
  const names = Math.max(...lines.map(({ name }) => name.length));
  for (const { name, value, unit, aim } of lines) {
    const [, sign, limit] = aim?.match(/^([≤≥]) ([\d.]+)$/) ?? [];
    if (aim !== undefined && sign === undefined) throw new Error(`${name}: the aim "${aim}" cannot be compared`);
    const met = sign === undefined || (sign === "≤" ? value <= Number(limit) : value >= Number(limit));
    const number = value >= 1000 ? value.toFixed(0) : value.toPrecision(3);
    console.log(`${name.padEnd(names)}  ${number.padStart(6)} ${unit.padEnd(4)}  ${aim === undefined ? "" : `aim ${aim}${met ? "" : ", missed"}`}`.trimEnd());
  }
}

const { resolve } = createRequire(import.meta.url);

/** Whether a package is here. All of them have to be where times are taken. @param {string} name */
function has(name) {
  try {
    resolve(`${name}/package.json`);
    return true;
  } catch (reason) {
    if (/** @type {any} */ (reason).code === "ERR_PACKAGE_PATH_NOT_EXPORTED") return true;
    if (!smoke) throw new Error(`${name} is not installed; run npm ci in web/bench`);
    console.log(`not run: what needs ${name}, which is not installed in web/bench`);
    return false;
  }
}

const smoke = process.argv.includes("--smoke");
const asked = process.argv.slice(2).filter((name) => name !== "--smoke");
for (const name of asked) if (!(name in sections)) throw new Error(`no section ${name}; there are ${Object.keys(sections).join(", ")}`);
const server = await serve();
const browser = await launch();
try {
  for (const [name, load] of Object.entries(sections)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const lines = await (await load()).default({ origin: server.origin, browser, smoke, has });
    const wrong = lines.find(({ value }) => !Number.isFinite(value));
    if (wrong !== undefined) throw new Error(`${wrong.name}: ${wrong.value}`);
    if (smoke) console.log(`the bench's section ${name} runs: ${lines.length} lines`);
    else print(lines);
  }
} finally {
  await browser.close();
  await server.stop();
}
