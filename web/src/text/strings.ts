// The words that every room uses, and how sentences are made. What a sentence
// says is chosen where it is said; a translation is one more strings.ts a room.
import { count } from "./format.js";
import type { Phrase, Whose } from "./phrase.js";

export const product = "iFM Lab";

export const models: Readonly<Record<Exclude<Whose, "none">, string>> = { fm: "FM", gfm: "gFM", ifm: "iFM", mean: "the mean", ridge: "linear regression", additive: "regression with curves", quadratic: "regression with pairs", trees: "boosted trees" };

export const short: typeof models = joined(models, { mean: "mean", ridge: "linear", additive: "curves", quadratic: "pairs" });

/** What errors are measured in: the engine’s Measure. */
export const measured = { rmse: "RMSE", "log-loss": "log-loss" } as const;

/** Texts with others added. Unlike a spread, the bundler leaves it out where none is used. */
/* @__NO_SIDE_EFFECTS__ */
export function joined<A extends object, B extends object>(texts: A, others: B): Omit<A, keyof B> & B {
  return { ...texts, ...others };
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A sentence with its full stop. */
export function ended(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`;
}

/** How many of what: 1 row, 1,937 rows. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** a, b and c. */
export function list(phrases: readonly Phrase[]): Phrase {
  return phrases.flatMap((phrase, i) => (i === 0 ? phrase : i < phrases.length - 1 ? [", ", ...phrase] : [" and ", ...phrase]));
}

/** A rough time, as a reader plans with it. */
export function duration(seconds: number): string {
  if (seconds < 3) return "a few seconds";
  if (seconds < 50) return `about ${count(5 * Math.ceil(seconds / 5))} seconds`;
  if (seconds < 90) return "about a minute";
  return seconds < 5400 ? `about ${count(Math.round(seconds / 60))} minutes` : `about ${count(Math.round(seconds / 3600))} hours`;
}
