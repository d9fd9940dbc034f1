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
  @property() accessor word: Word = "rmse";
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
    const { clientWidth, scrollHeight } = document.documentElement;
    const below = at.bottom + BESIDE + scrollY;
    const left = Math.max(BESIDE, Math.min(at.left, clientWidth - offsetWidth - BESIDE));
    Object.assign(meaning.style, { left: `${left + scrollX}px`, top: `${below + offsetHeight > scrollHeight ? at.top + scrollY - BESIDE - offsetHeight : below}px` });
  }
}

export function worded(text: Worded): TemplateResult {
  return html`${text.map((piece) => (typeof piece === "string" ? piece : html`<ifm-term word=${piece[0]} text=${piece[1]}></ifm-term>`))}`;
}

customElements.define("ifm-term", Term);
