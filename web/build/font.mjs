// @ts-check
/**
 * Prints a part of a font as WOFF2: the font is the file that the first argument
 * names. With MathML on standard input, the part is what its formulas need: the
 * larger forms of their characters, and the pieces that a root or a brace of any
 * size is built from, come along, because the font's MATH table names them. With
 * nothing there, it is the letters of Western Europe and Greece, from regular to
 * bold, and figures of one width.
 */
import { readFileSync } from "node:fs";

import subsetFont from "subset-font";

const source = readFileSync(0, "utf8");
const font = readFileSync(process.argv[2] ?? "");
const part = source ? { characters: ofFormulas(source) } : { characters: ofText(), variationAxes: { wght: { min: 400, max: 700 } }, keepFeatures: ["ccmp", "kern", "locl", "mark", "mkmk", "tnum"] };
const { characters, ...options } = part;
process.stdout.write(await subsetFont(font, [...characters].sort().join(""), { targetFormat: "woff2", noHinting: true, ...options }));

/** The characters of the formulas in MathML. @param {string} source */
function ofFormulas(source) {
  const formulas = [...source.matchAll(/<math\b.*?<\/math>/gs)].join("");
  const text = formulas.replace(/<[^>]*>/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  const characters = new Set(text);
  if (/<m(?:sqrt|root)\b/.test(formulas)) characters.add("√");

  // A browser draws a letter that stands alone in <mi> as the italic of mathematics.
  const alone = new Set([...formulas.matchAll(/<mi>([^<])<\/mi>/gu)].map(([, letter = ""]) => letter.normalize("NFKC")));
  for (const italic of [[0x210e, 0x210e], [0x1d434, 0x1d467], [0x1d6a4, 0x1d6a5], [0x1d6e2, 0x1d71b]].flatMap(between))
    if (alone.has(italic.normalize("NFKC"))) characters.add(italic);
  return characters;
}

/** The characters of texts and of the reader's own columns. */
function ofText() {
  return [[0x20, 0x7e], [0xa0, 0xff], [0x391, 0x3c9], [0x2013, 0x2014], [0x2018, 0x201e], [0x2022, 0x2026], [0x2032, 0x2033], [0x20ac, 0x20ac], [0x2212, 0x2212]].flatMap(between);
}

/** @param {number[]} ends */
function between([first = 0, last = 0]) {
  return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));
}
