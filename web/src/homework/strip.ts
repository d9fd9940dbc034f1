// From a chapter of an assignment back to it: what is done and what is missing.
import { html, nothing, type TemplateResult } from "lit";
import type { Account } from "../lesson/chapter/account.js";
import { shortest } from "../lesson/chapter/definition.js";
import { guessesOf } from "../lesson/chapter/guess.js";
import { icon } from "../panel/icons.js";
import type { Chapter, Parts } from "../state/view.js";
import { readAssignment, seeded, type Chapters } from "./assignment.js";
import { strip as strings } from "./strings.js";

/** definitions has at least the chapters that have an account. */
export function strip(parts: Parts, here: Chapter, account: (chapter: Chapter) => Account | null, definitions: Partial<Chapters>): TemplateResult | typeof nothing {
  const assignment = readAssignment(parts.homework ?? "");
  if (!assignment?.chapters.includes(here)) return nothing;
  const { title, chapters, settings, seed } = assignment;
  const lacks = (chapter: Chapter): keyof typeof strings.lacks | null => {
    const part = parts[chapter] ?? "";
    const { guess, then } = guessesOf(part);
    const [ran, definition] = [account(chapter), definitions[chapter]];
    if (seed !== 0 && !/(^|&)seed=/.test(part)) return "name";
    if (guess === "" && then === "") return "guess";
    if (!ran || !definition) return "run";
    return seeded(ran.own, 0) === seeded(shortest(definition, settings[chapter] ?? "").own, 0) ? null : "settings";
  };
  const missing = chapters.filter((chapter) => lacks(chapter) !== null);
  const first = lacks(here);
  return html`<p class="strip">
    <a class="button" href="#homework">${icon("back")} ${strings.back(title)}</a>
    <span role="status">${strings.done(chapters.length - missing.length, chapters.length)} ${first === null ? nothing : strings.lacks[first]} ${strings.others(missing.filter((chapter) => chapter !== here))}</span>
  </p>`;
}
