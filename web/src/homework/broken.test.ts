// Broken texts by the hundred, always the same, for the tests of what reads them.

import { draws as evenly } from "../training/results.test.js";

/** How many; INPUTS=100000 makes more. */
export const inputs = Number(process.env["INPUTS"] ?? 200);

const pieces = ["null", "[]", "{}", "-0", "1e999", "9007199254740993", '"\\ud800"', '"\\u0000"', "\u202e", '"__proto__":', '"psd"', "[".repeat(20_000) + "]".repeat(20_000), " ".repeat(5000), "x".repeat(5000), "]", "}", ",", '"'];

/** Whole numbers from 0 to below most. */
export function draws(seed: number): (most: number) => number {
  const draw = evenly(1 + seed);
  return (most) => Math.floor(most * draw());
}

/** The text with a few of its pieces cut out, put twice, or replaced: from one value of its JSON to another as often as anywhere. */
export function broken(whole: string, draw: (most: number) => number): string {
  let found = whole;
  for (let i = draw(2); i >= 0; i--) {
    const ends = [...found.matchAll(/[,:[\]{}]/g)].map(({ index }) => index + 1);
    const at = draw(2) ? (ends[draw(ends.length || 1)] ?? 0) : draw(found.length + 1);
    const to = draw(2) ? (ends.find((end) => end > at + 1) ?? at + 1) - 1 : at + draw(20);
    const piece = draw(3) ? pieces[draw(pieces.length)] : draw(2) ? found.slice(at, to).repeat(2) : "";
    found = found.slice(0, at) + piece + found.slice(to);
  }
  return found;
}
