// Which of several tables in a file is meant.
import { html, type TemplateResult } from "lit";
import type { Choice } from "../packed/piece.js";
import type { Spec } from "../state/spec.js";
import { choices as strings } from "./strings.js";

const PRESSES = 8; // names that a press chooses

export type Chosen = Partial<Pick<Spec, Choice["key"]>>;

/** A choice that is made: another can be. */
export function chosen({ key, names, chosen }: Choice, take: (change: Chosen) => void): TemplateResult {
  return html`<label class="pick">
    <span>${strings.of[key]}</span>
    <select name=${key} @change=${(e: Event) => take({ [key]: (e.target as HTMLSelectElement).value })}>
      ${chosen === "" ? html`<option value="" selected disabled>${strings.none[key]}</option>` : ""} ${names.map((name) => html`<option value=${name} .selected=${name === chosen}>${name}</option>`)}
    </select>
  </label>`;
}

/** The question. */
export function choose(choice: Choice, take: (change: Chosen) => void): TemplateResult {
  const { key, names } = choice;
  return html`<div class="answers" role="group" aria-label=${strings.none[key]} data-choice=${key}>${names.length > PRESSES ? chosen(choice, take) : names.map((name) => html`<button @click=${() => take({ [key]: name })}>${name}</button>`)}</div>`;
}
