import { html, type TemplateResult } from "lit";
import { count, number } from "./format.js";
import { Panel } from "./panel.js";
import type { Model } from "./series.js";
import { fields, type Field, type Spec } from "./spec.js";
import { models, settingHelp, settings as strings } from "./strings.js";

/** Inputs for some fields of the Spec, with the bounds of their declaration. */
class Settings extends Panel {
  static override properties = { spec: { attribute: false }, keys: { attribute: false } };

  declare spec: Spec;
  declare keys: readonly (keyof Spec)[];

  protected override render(): TemplateResult {
    return html`<div class="settings">${this.keys.map((key) => this.input(key))}</div>`;
  }

  private input(key: keyof Spec): TemplateResult {
    const field = fields.find((f) => f.key === key);
    if (!field) throw new RangeError(`no setting is called ${key}`);
    const value = this.spec[key];
    const label = strings[key] ?? field.doc;
    if (field.kind === "set" && Array.isArray(value)) {
      return html`<fieldset>
        <legend>${label}</legend>
        ${field.options.map(
          (option) => html`<label class="check"><input type="checkbox" value=${option} .checked=${(value as readonly string[]).includes(option)} @change=${(e: Event) => this.toggle(field, e)} />${models[option as Model] ?? option}</label>`,
        )}
      </fieldset>`;
    }
    if (Array.isArray(value)) {
      return html`<label class="text"><span>${label}</span><input type="text" inputmode="decimal" .value=${value.join(", ")} @change=${(e: Event) => this.list(field, e)} /></label>`;
    }
    return html`<label class="text">
      <span>${label}</span>
      <input type="number" min=${field.min} max=${field.max} step=${field.kind === "int" ? "1" : "any"} title=${settingHelp(number(field.min, 1), field.max >= 1e6 ? number(field.max, 1) : count(field.max))} .value=${String(value)} @change=${(e: Event) => this.number(field, e)} />
    </label>`;
  }

  private toggle(field: Field, event: Event): void {
    const box = event.target as HTMLInputElement;
    const chosen = Array.from(this.querySelectorAll<HTMLInputElement>(`fieldset input:checked`), (input) => input.value);
    if (chosen.length === 0) box.checked = true; // one model at least
    else this.tell("ifm-spec", { [field.key]: field.options.filter((option) => chosen.includes(option)) });
  }

  /** Held to the bounds; what is no number leaves the setting as it was. */
  private number(field: Field, event: Event): void {
    const input = event.target as HTMLInputElement;
    const found = input.valueAsNumber;
    if (!Number.isFinite(found)) {
      this.requestUpdate();
      input.value = String(this.spec[field.key as keyof Spec]);
      return;
    }
    const held = Math.min(Math.max(field.kind === "int" ? Math.trunc(found) : found, field.min), field.max);
    input.value = String(held);
    this.tell("ifm-spec", { [field.key]: held });
  }

  private list(field: Field, event: Event): void {
    const input = event.target as HTMLInputElement;
    const found = input.value.split(/[\s,;]+/).filter((part) => part !== "").map(Number).filter((v) => Number.isFinite(v));
    const held = [...new Set(found.map((v) => Math.min(Math.max(field.kind === "ints" ? Math.trunc(v) : v, field.min), field.max)))].slice(0, 10);
    if (held.length > 0) this.tell("ifm-spec", { [field.key]: held });
    input.value = (held.length > 0 ? held : (this.spec[field.key as keyof Spec] as readonly number[])).join(", ");
  }
}

customElements.define("ifm-settings", Settings);
