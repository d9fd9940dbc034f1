// A word of the figure that opens what it means where it stands.
import { html, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { partLost } from "../engine/strings.js";
import { during } from "../engine/pending.js";
import { Panel } from "../panel/panel.js";
import { placeBeside } from "../panel/popover.js";
import type { words } from "./glossary-strings.js";

type Word = keyof typeof words;

/** A text in pieces; a pair is a word and how it is written there. */
export type Worded = readonly (string | readonly [Word, string])[];

/** Opens by a press; closes by another, by Escape, or by a press elsewhere. Moves nothing. */
class Term extends Panel {
  @property() accessor word: Word = "fm";
  @property() accessor text = "";
  @state() private accessor meaning = ""; // "" while it is closed

  protected override render(): TemplateResult {
    return html`<button class="term" type="button">${this.text}</button><span class="meaning" popover role="note" @toggle=${this.toggle}>${this.meaning}</span>`;
  }

  protected override firstUpdated(): void {
    const button = this.querySelector("button");
    if (button) button.popoverTargetElement = this.querySelector(".meaning");
  }

  protected override updated(): void {
    if (this.meaning !== "") placeBeside(this.querySelector("button") ?? this, this.querySelector<HTMLElement>(".meaning"), "left");
  }

  private readonly toggle = async ({ newState }: ToggleEvent): Promise<void> => {
    const { word } = this;
    this.meaning = newState === "open" ? await during(import("./glossary-strings.js")).then(({ words }) => words[word], () => partLost) : "";
  };
}

export function worded(text: Worded): TemplateResult {
  return html`${text.map((piece) => (typeof piece === "string" ? piece : term(piece[0], piece[1])))}`;
}

/** One word that opens. */
export function term(word: Word, text: string): TemplateResult {
  return html`<ifm-term word=${word} text=${text}></ifm-term>`;
}

customElements.define("ifm-term", Term);
