// A seed for each student, which follows from the assignment's and the name alone:
// neither the list of a class nor anybody's place in it stands in a link.
import { Digest } from "../engine/digest.js";
import { plainName } from "./clean.js";

const SEEDS = 999_999; // short enough to tell somebody

/** A student's seed, 1 to 999,999: FNV-1a of the assignment's seed and the name, whose capitals and spaces do not count. NaN where there is no name. */
export function seedOf(assignment: number, name: string): number {
  const plain = plainName(name);
  if (plain === "") return Number.NaN;
  const digest = new Digest();
  digest.text(`${assignment}:${plain}`);
  return 1 + (Number.parseInt(digest.hex.slice(-13), 16) % SEEDS);
}

/** The names of a list, a line each, and each one once. */
export function namesIn(text: string): string[] {
  const seen = new Set<string>();
  return text.split(/[\r\n]+/).map((line) => line.trim()).filter((name) => {
    const plain = plainName(name);
    const fresh = plain !== "" && !seen.has(plain);
    seen.add(plain);
    return fresh;
  });
}

/** Names of a list that have the same seed as one before them. */
export function clashes(assignment: number, names: readonly string[]): string[] {
  const seen = new Set<number>();
  return names.filter((name) => {
    const seed = seedOf(assignment, name);
    const again = seen.has(seed);
    seen.add(seed);
    return again;
  });
}
