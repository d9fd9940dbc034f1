// A word of the figure that opens what it means where it stands.
import { html, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { charts } from "../charts/strings.js";
import { during } from "../engine/pending.js";
import { Panel } from "../panel/panel.js";
import type { words } from "./glossary-strings.js";

type Word = keyof typeof words;

/** A text in pieces; a pair is a word and how it is written there. */
export type Worded = readonly (string | readonly [Word, string])[];

const BESIDE = 6; // px, between a word and its meaning, and to the page's edges

/** Opens by a press; closes by another, by Escape, or by a press elsewhere. Moves nothing. */
class Term extends Panel {
  @property() accessor word: Word = "fm";
  @property() accessor text = "";
  @state() private accessor meaning = ""; // "" while it is closed

  protected override render(): TemplateResult {
    return html`<button class="term" type="button">${this.text}</button><span class="meaning" popover role="note" @toggle=${this.toggle}>${this.meaning}</span>`;
  }

  protected override firstUpdated(): void {
    const [button, meaning] = this.parts();
    if (button && meaning) button.popoverTargetElement = meaning;
  }

  protected override updated(): void {
    if (this.meaning !== "") this.place();
  }

  private parts(): [HTMLButtonElement | null, HTMLElement | null] {
    return [this.querySelector("button"), this.querySelector<HTMLElement>(".meaning")];
  }

  private readonly toggle = async ({ newState }: ToggleEvent): Promise<void> => {
    const { word } = this;
    this.meaning = newState === "open" ? await during(import("./glossary-strings.js")).then(({ words }) => words[word], () => charts.late) : "";
  };

  private place(): void {
    const [button, meaning] = this.parts();
    if (!button || !meaning) return;
    const at = button.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = meaning;
    const above = at.bottom + BESIDE + offsetHeight > innerHeight && at.top > offsetHeight + BESIDE;
    const left = Math.max(BESIDE, Math.min(at.left, document.documentElement.clientWidth - offsetWidth - BESIDE));
    Object.assign(meaning.style, { left: `${left + scrollX}px`, top: `${scrollY + (above ? at.top - BESIDE - offsetHeight : at.bottom + BESIDE)}px` });
  }
}

export function worded(text: Worded): TemplateResult {
  return html`${text.map((piece) => (typeof piece === "string" ? piece : term(piece[0], piece[1])))}`;
}

/** One word that opens. */
export function term(word: Word, text: string): TemplateResult {
  return html`<ifm-term word=${word} text=${text}></ifm-term>`;
}

customElements.define("ifm-term", Term);
