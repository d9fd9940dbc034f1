// Choosing a file, and which of several tables in it is meant.
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

export function choose(choice: Choice, take: (change: Chosen) => void): TemplateResult {
  const { key, names } = choice;
  const presses = names.map((name) => html`<button @click=${() => take({ [key]: name })}>${name}</button>`);
  return html`<div class="answers" role="group" aria-label=${strings.none[key]} data-choice=${key}>${names.length > PRESSES ? chosen(choice, take) : presses}</div>`;
}

/** A button that asks for a file. key names it among others; the same file can be chosen again. */
export function chooser(label: string, accept: string, take: (file: File) => void, key: string, kind = ""): TemplateResult {
  const change = ({ target }: Event): void => {
    const input = target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = "";
    if (file) take(file);
  };
  return html`<label class="button ${kind}"><input type="file" class="seen-not" data-file=${key} accept=${accept} @change=${change} /> <span>${label}</span></label>`;
}
