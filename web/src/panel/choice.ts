// Which of several tables in a file is meant.
import { html, type TemplateResult } from "lit";
import type { Choice } from "../packed/piece.js";
import type { Spec } from "../state/spec.js";
import { pick } from "./inputs.js";
import { choices as strings } from "./strings.js";

const PRESSES = 8; // names that a press chooses

export type Chosen = Partial<Pick<Spec, Choice["key"]>>;

export function chosen({ key, names, chosen }: Choice, take: (change: Chosen) => void): TemplateResult {
  const all = chosen === "" ? ["", ...names] : names;
  return pick(strings.of[key], all, chosen, (name) => name || strings.none[key], (name) => take({ [key]: name }), key);
}

/** The question. */
export function choose(choice: Choice, take: (change: Chosen) => void): TemplateResult {
  const { key, names } = choice;
  const presses = names.map((name) => html`<button @click=${() => take({ [key]: name })}>${name}</button>`);
  return html`<div class="answers" role="group" aria-label=${strings.none[key]} data-choice=${key}>${names.length > PRESSES ? chosen(choice, take) : presses}</div>`;
}
