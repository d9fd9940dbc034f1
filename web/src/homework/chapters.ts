// What homework takes of the chapters: their definitions, and what they have given on this page.
import type { Account } from "../lesson/chapter/account.js";
import type { Chapter } from "../lesson/chapter/definition.js";
import type { Chapter as Id } from "../state/view.js";

export type Chapters = Readonly<Record<Id, Chapter>>;

/** What the run of a chapter on this page gave; null before it is over. */
export function accountOnPage(chapter: Id): Account | null {
  const element = document.querySelector<HTMLElement & { readonly account?: Account | null }>(`ifm-lesson > #${chapter}`);
  return element?.account ?? null;
}

/** A guess in the words of its chapter. */
export function guessIn({ words }: Chapter, key: string): string {
  return words.guesses[key] ?? key;
}
