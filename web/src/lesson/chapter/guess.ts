// What a reader guessed: the first guess is kept, and the last one beside it
// where the mind was changed. Both stand in the address among a chapter's own
// settings, and are settings of no run.
import { escape, type Pair } from "../../state/spec.js";

export interface Guess {
  readonly first: string; // "": none before the answer was known
  readonly last: string; // "": the first stands
}

export const none: Guess = { first: "", last: "" };

/** The key that counts now, "" where there is none. */
export function present({ first, last }: Guess): string {
  return last || first;
}

/** The guess after another answer has been chosen; known tells that the run's was there to be read. */
export function choose(before: Guess, key: string, known: boolean): Guess {
  if (before.first === "" && !known && before.last === "") return { first: key, last: "" };
  return { ...before, last: key === before.first ? "" : key };
}

/** Takes the guess out of what is left of a chapter's settings; what is no answer of the chapter's stays there. */
export function take(rest: readonly Pair[], answers: readonly string[]): { readonly guess: Guess; readonly rest: Pair[] } {
  const fits = (name: string): Pair[] => rest.filter(([key, value]) => key === name && answers.includes(value));
  const [first, last] = [fits("guess"), fits("then")];
  const found = { first: first.at(-1)?.[1] ?? "", last: last.at(-1)?.[1] ?? "" };
  return { guess: { ...found, last: found.last === found.first ? "" : found.last }, rest: rest.filter((pair) => !first.includes(pair) && !last.includes(pair)) };
}

/** The guess as the address has it. */
export function write({ first, last }: Guess): string[] {
  return [...(first === "" ? [] : [`guess=${escape(first)}`]), ...(last === "" ? [] : [`then=${escape(last)}`])];
}

/** Which of the reader's guesses an answer is: the only one, the first of two, the last of two, or one that was made when the run's answer was known. */
export type Whose = "only" | "first" | "last" | "late";

export function whose({ first, last }: Guess, key: string): Whose | null {
  if (key === first) return last === "" ? "only" : "first";
  if (key !== last) return null;
  return first === "" ? "late" : "last";
}

/** What a chapter's part of an address calls its guesses, "" where there is none: nobody has held them against the chapter's answers. */
export function guessesOf(part: string): { readonly guess: string; readonly then: string } {
  const of = (key: string): string => part.split("&").findLast((pair) => pair.startsWith(`${key}=`))?.slice(key.length + 1).slice(0, 40).replace(/[^\w-]/g, "") ?? "";
  return { guess: of("guess"), then: of("then") };
}
