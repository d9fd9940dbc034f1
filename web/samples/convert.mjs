// @ts-check
// Writes the sample tables of this folder from their sources. Run it when a
// source changes; the tables are committed.
//
//	npm install --no-save --prefix /tmp/vega vega-datasets@3.2.1
//	python3 -c "from sklearn.datasets import load_diabetes as d; d(as_frame=True, scaled=False).frame.to_csv('/tmp/diabetes.csv', index=False)"
//	node web/samples/convert.mjs /tmp/vega/node_modules/vega-datasets /tmp/diabetes.csv
//
// The column to predict is put last, where the page looks for it first.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [vega, diabetes] = process.argv.slice(2);
if (!vega || !diabetes) {
  console.error("usage: node convert.mjs VEGA_DATASETS_FOLDER DIABETES_CSV");
  process.exit(2);
}

/** @typedef {Record<string, string | number | null>} Row */

/** @returns {Row[]} */
function rows(/** @type {string} */ name) {
  return JSON.parse(readFileSync(join(vega, "data", `${name}.json`), "utf8"));
}

/** Writes rows as CSV: null is an empty cell, quotes only where a cell needs them. */
function write(/** @type {string} */ name, /** @type {string[]} */ columns, /** @type {Row[]} */ table) {
  const cell = (/** @type {string | number | null} */ v) => {
    const s = v === null ? "" : String(v);
    return /[",\n]/.test(s) ? `"${s.replaceAll('"', '""')}"` : s;
  };
  const lines = [columns.map(cell), ...table.map((row) => columns.map((c) => cell(row[c] ?? null)))];
  writeFileSync(new URL(`${name}.csv`, import.meta.url), lines.map((l) => l.join(",") + "\n").join(""));
}

// One penguin's sex is ".", the source's slip for a missing value.
write(
  "penguins",
  ["Species", "Island", "Beak Length (mm)", "Beak Depth (mm)", "Flipper Length (mm)", "Sex", "Body Mass (g)"],
  rows("penguins").map((p) => ({ ...p, Sex: p.Sex === "." ? null : p.Sex })),
);

// A model year is written as its first of January.
write(
  "cars",
  ["Name", "Cylinders", "Displacement", "Horsepower", "Weight_in_lbs", "Acceleration", "Year", "Origin", "Miles_per_Gallon"],
  rows("cars").map((c) => ({ ...c, Year: Number(String(c.Year).slice(0, 4)) })),
);

const [header, ...patients] = readFileSync(diabetes, "utf8").trim().split("\n").map((line) => line.split(","));
write(
  "diabetes",
  header,
  patients.map((p) => Object.fromEntries(p.map((v, i) => [header[i], Number(v)]))),
);
