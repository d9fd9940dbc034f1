// @ts-check
/**
 * Times the page in Chromium beside other programs that do the same work, and
 * prints a table. A busy machine changes times more than ratios, so what is
 * compared takes turns in one run.
 *
 *     node web/bench/main.mjs [section…]
 */
import { launch, serve } from "../test/browser.mjs";

/**
 * One line of the table. `aim` says what is wanted, "≥ 4" for instance, and is
 * compared with `value`; a line without an aim is there to be read.
 *
 * @typedef {{ name: string, value: number, unit: string, aim?: string }} Line
 * @typedef {{ origin: string, browser: Awaited<ReturnType<typeof launch>> }} Bench
 * @typedef {(bench: Bench) => Promise<Line[]>} Section
 */

/** @type {Record<string, () => Promise<{ default: Section }>>} */
const sections = {
  compute: () => import("./compute.mjs"),
  loading: () => import("./loading.mjs"),
  page: () => import("./page.mjs"),
};

/** @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** @param {Line} line */
function print({ name, value, unit, aim }) {
  const [, sign, limit] = aim?.match(/^([≤≥]) ([\d.]+)/) ?? [];
  const met = sign === undefined || (sign === "≤" ? value <= Number(limit) : value >= Number(limit));
  console.log(`${name.padEnd(72)} ${value.toPrecision(3).padStart(8)} ${unit.padEnd(6)} ${aim === undefined ? "" : `aim ${aim}${met ? "" : ", missed"}`}`.trimEnd());
}

const asked = process.argv.slice(2);
for (const name of asked) if (!(name in sections)) throw new Error(`no section ${name}; there are ${Object.keys(sections).join(", ")}`);
const server = await serve();
const browser = await launch();
try {
  for (const [name, load] of Object.entries(sections)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    for (const line of await (await load()).default({ origin: server.origin, browser })) print(line);
  }
} finally {
  await browser.close();
  await server.stop();
}
