// Sentences with numbers in them that a panel can mark and a test can read.
import { number } from "./format.js";

export type Whose = "fm" | "gfm" | "ifm" | "mean" | "ridge" | "additive" | "quadratic" | "trees" | "none";

export interface Quantity {
  readonly whose: Whose;
  readonly value: number;
  readonly text: string;
}

export type Phrase = readonly (string | Quantity)[];

/** A number of whose, written with three digits unless text says how. */
export function quantity(whose: Whose, value: number, text = number(value)): Quantity {
  return { whose, value, text };
}

/** A template: say`FM is at ${quantity("fm", 0.03)}.` */
export function say(texts: TemplateStringsArray, ...parts: readonly (string | Quantity | Phrase)[]): Phrase {
  return texts.flatMap((text, i) => {
    const part = parts[i];
    return part === undefined ? [text] : typeof part === "object" && !("whose" in part) ? [text, ...part] : [text, part];
  });
}

/** Sentences one after the other, without those that are empty or do not apply. */
export function sentences(all: readonly (Phrase | false)[]): Phrase {
  return all.filter((phrase): phrase is Phrase => phrase && phrase.length > 0).flatMap((phrase, i) => (i === 0 ? phrase : [" ", ...phrase]));
}

export function plain(phrase: Phrase): string {
  return phrase.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}
