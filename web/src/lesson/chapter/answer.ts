// The answers to choose from, and what a run says to the one that was chosen.
import { html, nothing, type TemplateResult } from "lit";
import { sentence } from "../../panel/panel.js";
import type { Phrase } from "../../text/phrase.js";
import { present, whose, type Guess } from "./guess.js";
import { chapter as strings } from "./strings.js";

const TICK = "M2 8.5 6 12.5 14 3.5";
const CROSS = "M3 3 13 13M13 3 3 13";
const MOVED = 40; // px, by which a reader has scrolled on purpose
const MARGIN = 16; // px, kept around an answer that is brought into sight

/** The answer of a run, with the numbers that decide it. */
export interface RunAnswer {
  readonly answer: string | null; // null where they decide nothing
  readonly brief: Phrase;
  readonly early: boolean; // the first runs say so, and there are others
}

/** Each answer that there is to choose from, what was guessed, and what came of it; null before that is shown. */
export function answers(guesses: Readonly<Record<string, string>>, guess: Guess, found: RunAnswer | null, label: string, choose: (key: string) => void): TemplateResult {
  return html`<div class="guesses" role="group" aria-labelledby=${label}>
    ${Object.entries(guesses).map(
      ([key, text]) => html`<button data-guess=${key} aria-pressed=${present(guess) === key} ?data-right=${found?.answer === key} @click=${() => choose(key)}>
        <span class="text">${text}</span>
        <span class="came">${mark(guess, key, found)}</span>
      </button>`,
    )}
  </div>`;
}

/** What a guess has turned out to be. */
function mark(guess: Guess, key: string, found: RunAnswer | null): TemplateResult | string {
  const who = whose(guess, key);
  const right = found?.answer === key;
  if (!found || found.answer === null || (!who && !right)) return who ? html`<span class="seen-not">${strings.marks[who]}</span>` : "";
  return html`<svg class=${right ? "tick" : "cross"} viewBox="0 0 16 16" aria-hidden="true"><path d=${right ? TICK : CROSS} /></svg><span class="seen-not">${strings.mark(who, right)}</span>`;
}

/** Whether the guess was right, and why, in one paragraph. */
export function outcome(guesses: Readonly<Record<string, string>>, guess: Guess, { answer, brief, early }: RunAnswer): TemplateResult {
  const counts = present(guess);
  const right = counts !== "" && counts === answer;
  const text = answer === null ? "" : (guesses[answer] ?? "");
  const verdict = text === "" ? strings.undecided : counts === "" || guess.first === "" ? strings.answer(text) : right ? strings.right(guess.last !== "") : strings.wrong(text);
  return html`<p class="answer" data-answer=${answer ?? ""} data-right=${counts === "" ? "" : String(right)} data-early=${String(early)}><b>${verdict}</b> ${brief.length > 0 ? html`<span class="brief">${sentence(brief)}</span>` : nothing}</p>`;
}

/** Brings an answer that has come into sight, unless its reader has gone elsewhere since the page was scrolled to that place; the page around a frame stays where it is. */
export function reveal(chapter: Element, place: number): void {
  const box = chapter.querySelector(".outcome")?.getBoundingClientRect();
  if (!box || Math.abs(scrollY - place) > MOVED) return;
  const top = Math.min(box.top - MARGIN, Math.max(0, box.bottom + MARGIN - innerHeight));
  if (top !== 0) scrollBy({ top, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
}
