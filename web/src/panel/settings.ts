import { html, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { limits } from "../state/spec.gen.js";
import { fields, type Field, type Spec } from "../state/spec.js";
import { options, settings as labels } from "../state/strings.js";
import { models } from "../text/strings.js";
import type { Model } from "../training/series.js";
import { form, type Input, type Value } from "./form.js";
import { Panel } from "./panel.js";

/** Inputs for some fields of the Spec, with the bounds of their declaration. */
class Settings extends Panel {
  @property({ attribute: false }) accessor spec!: Spec;
  @property({ attribute: false }) accessor keys!: readonly (keyof Spec)[];
  @property({ attribute: false }) accessor without: readonly string[] = []; // options that make no sense here
  @property() accessor scope = "figure"; // names these inputs among the page's

  protected override render(): TemplateResult {
    const declared = this.keys.map((key) => {
      const field = fields.find((f) => f.key === key);
      if (!field) throw new RangeError(`no setting is called ${key}`);
      return field;
    });
    return html`<div class="settings">
      ${declared.map((field) =>
        field.kind === "set" ? this.set(field) : form([this.input(field)], { [field.key]: this.spec[field.key as keyof Spec] as Value }, { keys: labels, options }, (key, value) => this.tell("ifm-spec", { [key]: value }), this.scope),
      )}
    </div>`;
  }

  private input({ key, kind, min, max, options }: Field): Input {
    switch (kind) {
      case "int":
      case "float":
        return { key, kind, min, max };
      case "ints":
      case "floats":
        return { key, kind, min, max, most: limits.list };
      case "choice":
        return { key, kind, options: options.filter((option) => !this.without.includes(option)) };
      default:
        throw new RangeError(`a setting of kind ${kind} has no input`);
    }
  }

  private set(field: Field): TemplateResult {
    const chosen = this.spec[field.key as keyof Spec] as readonly string[];
    return html`<fieldset>
      <legend>${labels[field.key as keyof Spec]}</legend>
      ${field.options.map(
        (option) => html`<label class="check"><input type="checkbox" value=${option} .checked=${chosen.includes(option)} @change=${(e: Event) => this.toggle(field, e)} />${models[option as Model] ?? option}</label>`,
      )}
    </fieldset>`;
  }

  private toggle(field: Field, event: Event): void {
    const box = event.target as HTMLInputElement;
    const chosen = Array.from(this.querySelectorAll<HTMLInputElement>(`fieldset input:checked`), (input) => input.value);
    if (chosen.length === 0) box.checked = true; // one model at least
    else this.tell("ifm-spec", { [field.key]: field.options.filter((option) => chosen.includes(option)) });
  }
}

customElements.define("ifm-settings", Settings);
