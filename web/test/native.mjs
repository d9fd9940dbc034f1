// @ts-check
/** What the page computes, computed natively by the command that make build has built. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** @typedef {Record<string, string>} Row */

const run = promisify(execFile);
const program = fileURLToPath(new URL("../../bin/ifm", import.meta.url));

/** What ifm prints for a word and its arguments. @param {string[]} args */
export async function ifm(...args) {
  const { stdout } = await run(program, args, { maxBuffer: 1 << 28 });
  return stdout;
}

/** The records of all runs of a link, each by its column's name. @param {string} query @param {string[]} files @returns {Promise<Row[]>} */
export async function records(query, ...files) {
  const [head = "", ...lines] = (await ifm("curve", query, ...files)).trim().split("\n");
  const names = head.split(",");
  const cells = (/** @type {string} */ line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].slice(0, names.length).map(([, cell = ""]) => cell);
  return lines.map((line) => Object.fromEntries(cells(line).map((value, i) => [names[i] ?? "", value])));
}

/** A link's runs on a table, one a model and trial, without those on folds: of the candidate that leads; kept is its test RMSE: of a table that of the last fit, else at its best iteration. @param {string} query @param {string[]} files */
export async function runs(query, ...files) {
  /** @type {Map<string, Row[]>} */
  const cells = new Map();
  for (const row of await records(query, ...files)) {
    if (row["fold"] !== "") continue; // it helps to choose
    const cell = `${row["model"]} ${row["trial"]}`;
    cells.set(cell, [...(cells.get(cell) ?? []), row]);
  }
  return [...cells.values()].map((all) => {
    const fitted = all.find(({ stop = "" }) => stop.includes("the choice, fitted again")); // to validation rows, too
    const led = all.filter((row) => row["candidate"] === all.at(-1)?.["lead"] && row !== fitted);
    const best = led.reduce((least, row) => (Number(row["valid"]) < (Number(least["valid"]) || Infinity) ? row : least));
    return { model: best["model"] ?? "", trial: Number(best["trial"]), rank: Number(best["rank"]), lambda: Number(best["lambda"]), kept: Number((fitted ?? best)["test"]), errors: led.map((row) => Number(row["test"])) };
  });
}
