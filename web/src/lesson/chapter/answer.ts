// What a run has to say to a guess, where the guess was made: a drawn sign and
// words on the buttons, and a sentence of the run's numbers under them.
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
export interface Found {
  readonly answer: string | null; // null where they decide nothing
  readonly brief: Phrase;
  readonly from: string; // which of the runs it comes from while others go on; "" from all
}

/** Each answer that there is to choose from, what was guessed, and what came of it; null before. */
export function answers(guesses: Readonly<Record<string, string>>, guess: Guess, found: Found | null, choose: (key: string) => void): TemplateResult {
  return html`<div class="guesses">
      ${Object.entries(guesses).map(
        ([key, text]) => html`<button data-guess=${key} aria-pressed=${present(guess) === key} @click=${() => choose(key)}>
          <span class="text">${text}</span>
          <span class="sign">${mark(guess, key, found)}</span>
        </button>`,
      )}
    </div>
    <div class="outcome" role="status">${found ? outcome(guesses, guess, found) : html`<p class="unsaid">${strings.unanswered}</p>`}</div>`;
}

/** What a guess has turned out to be. */
function mark(guess: Guess, key: string, found: Found | null): TemplateResult | string {
  const who = whose(guess, key);
  const right = found?.answer === key;
  if (!found || found.answer === null || (!who && !right)) return who ? strings.marks[who] : "";
  return html`<svg class=${right ? "tick" : "cross"} viewBox="0 0 16 16" aria-hidden="true"><path d=${right ? TICK : CROSS} /></svg>${strings.mark(who, right, found.from !== "")}`;
}

function outcome(guesses: Readonly<Record<string, string>>, guess: Guess, { answer, brief, from }: Found): TemplateResult {
  const [first, last, found] = [guesses[guess.first], guesses[guess.last], answer === null ? undefined : guesses[answer]];
  const counts = present(guess);
  const right = counts !== "" && counts === answer;
  const said = (): string => {
    if (found === undefined) return strings.undecided;
    if (first === undefined) return last === undefined ? strings.answer(found) : strings.late(last, found, right);
    return last === undefined ? strings.guessed(first, found, right) : strings.changed(first, last, found, right);
  };
  return html`${from === "" ? nothing : html`<p class="from">${from}</p>`}
    <p class="answer" data-answer=${answer ?? ""} data-right=${counts === "" ? "" : String(right)} data-early=${String(from !== "")}>${said()}</p>
    <p class="brief">${sentence(brief)}</p>`;
}

/** Brings an answer that has come into sight, unless its reader has gone elsewhere since the page was scrolled to that place; the page around a frame stays where it is. */
export function reveal(chapter: Element, place: number): void {
  const box = chapter.querySelector(".outcome")?.getBoundingClientRect();
  if (!box || Math.abs(scrollY - place) > MOVED) return;
  const top = Math.min(box.top - MARGIN, Math.max(0, box.bottom + MARGIN - innerHeight));
  if (top !== 0) scrollBy({ top, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
}
