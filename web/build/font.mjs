// @ts-check
/**
 * Prints a part of a mathematical font as WOFF2: the font is the file that the
 * first argument names, the part is what the MathML on standard input needs. The
 * larger forms of its characters, and the pieces that a root or a brace of any
 * size is built from, come along, because the font's MATH table names them.
 */
import { readFileSync } from "node:fs";

import subsetFont from "subset-font";

const source = readFileSync(0, "utf8");
const formulas = [...source.matchAll(/<math\b.*?<\/math>/gs)].join("");
const characters = new Set(formulas.replace(/<[^>]*>/g, ""));
if (/<m(?:sqrt|root)\b/.test(formulas)) characters.add("√");

// A browser draws a letter that stands alone in <mi> as the italic of mathematics.
const alone = new Set([...formulas.matchAll(/<mi>([^<])<\/mi>/gu)].map(([, letter = ""]) => letter.normalize("NFKC")));
for (const [first, last] of [[0x210e, 0x210e], [0x1d434, 0x1d467], [0x1d6a4, 0x1d6a5], [0x1d6e2, 0x1d71b]])
  for (let code = first; code <= last; code++) {
    const italic = String.fromCodePoint(code);
    if (alone.has(italic.normalize("NFKC"))) characters.add(italic);
  }

const font = readFileSync(process.argv[2] ?? "");
process.stdout.write(await subsetFont(font, [...characters].sort().join(""), { targetFormat: "woff2", noHinting: true }));
