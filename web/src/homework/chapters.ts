// The chapters' elements on the page, and twins of them that are on none.
import type { Pool } from "../engine/pool.js";
import type { Accounting } from "../lesson/chapter/account.js";
import type { Chapter, View } from "../state/view.js";

/** A chapter's element; null while its script is not there. */
export function onPage(chapter: Chapter): Accounting | null {
  const element = document.querySelector(`ifm-lesson > #${chapter}`);
  return element && isAccounting(element) ? element : null;
}

/** Another element of the same chapter, which is on no page and shows nothing. */
export function twinOf(chapter: Chapter, pool: Pool, view: View): Accounting | null {
  const shown = onPage(chapter);
  if (!shown) return null;
  const twin = document.createElement(shown.localName) as Accounting;
  return Object.assign(twin, { pool, view });
}

function isAccounting(element: Element): element is Accounting {
  return "account" in element && "settle" in element;
}

/** A guess in the words of its chapter, where it is there. */
export function guessIn(chapter: Chapter, key: string): string {
  const shown = onPage(chapter);
  return shown?.options[key] ?? key;
}
