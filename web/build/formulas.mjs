// @ts-check
/**
 * Makes MathML of the TeX formulas on its standard input, a line each: a name,
 * a tab, the formula. Prints them as one JSON object by name.
 */
import { readFileSync } from "node:fs";

import temml from "temml";

/** @type {Record<string, string>} */
const formulas = {};
readFileSync(0, "utf8")
  .split("\n")
  .forEach((line, i) => {
    if (line === "" || line.startsWith("#")) return;
    const [name = "", tex = ""] = line.split("\t");
    if (!/^[a-z]+$/.test(name) || tex === "") throw new Error(`line ${i + 1}: found ${JSON.stringify(line)}, want a name, a tab and a formula`);
    // Temml's classes belong to a style sheet that the page does not have.
    formulas[name] = temml.renderToString(tex, { displayMode: true, throwOnError: true, strict: true }).replace(/ (class|style)="[^"]*"/g, "");
  });
process.stdout.write(JSON.stringify(formulas));
