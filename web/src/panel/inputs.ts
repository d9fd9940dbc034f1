// What a reader chooses with: one option of several, a yes or no.
import { html, nothing, type TemplateResult } from "lit";

export function options<T extends string>(all: readonly T[], chosen: T, name: (option: T) => string): TemplateResult[] {
  return all.map((option) => html`<option value=${option} .selected=${option === chosen}>${name(option)}</option>`);
}

/** A select with its label. key names it among others. */
export function pick<T extends string>(label: string, all: readonly T[], chosen: T, name: (option: T) => string, change: (option: T) => void, key = ""): TemplateResult {
  return html`<label class="pick"><span>${label}</span> <select name=${key || nothing} @change=${(e: Event) => change((e.target as HTMLSelectElement).value as T)}>${options(all, chosen, name)}</select></label>`;
}

export function check(label: string, checked: boolean, change: (checked: boolean) => void, key = "", help = ""): TemplateResult {
  return html`<label class="check"><input type="checkbox" name=${key || nothing} .checked=${checked} @change=${(e: Event) => change((e.target as HTMLInputElement).checked)} /><span title=${help || nothing}>${label}</span></label>`;
}

/** Options side by side in a frame, called name. Only screen readers get their legend unless it is shown. */
export function segments<T extends string>(name: string, legend: string, all: Readonly<Partial<Record<T, string>>>, chosen: T | undefined, change: (option: T) => void, { kind = "", isShown = false } = {}): TemplateResult {
  return html`<fieldset class="segments ${kind}">
    <legend class=${isShown ? "" : "seen-not"}>${legend}</legend>
    ${Object.entries<string | undefined>(all).map(([option, text]) => html`<label><input type="radio" name=${name} value=${option} .checked=${option === chosen} @change=${() => change(option as T)} /><span>${text}</span></label>`)}
  </fieldset>`;
}
