import { html, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { fields, type Spec } from "../state/spec.js";
import { options, settings as keys } from "../state/strings.js";
import { form, type Values } from "./form.js";
import { Panel } from "./panel.js";

/** Inputs for some fields of the Spec, with the bounds of their declaration. */
class Settings extends Panel {
  @property({ attribute: false }) accessor spec!: Spec;
  @property({ attribute: false }) accessor keys!: readonly (keyof Spec)[];
  @property({ attribute: false }) accessor without: readonly string[] = []; // options that make no sense here
  @property() accessor scope = "figure"; // names these inputs among the page's

  protected override render(): TemplateResult {
    const inputs = this.keys.flatMap((key) => fields.filter((field) => field.key === key)).map((field) => ({ ...field, options: field.options.filter((option) => !this.without.includes(option)) }));
    return html`<div class="settings">${form(inputs, this.spec as unknown as Values, { keys, options }, (key, value) => this.tell("ifm-spec", { [key]: value }), this.scope)}</div>`;
  }
}

customElements.define("ifm-settings", Settings);
