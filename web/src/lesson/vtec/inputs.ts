import { html, type TemplateResult } from "lit";
import { form, type Value } from "../../panel/form.js";
import { fields, type Ionosphere } from "./settings.js";
import { vtecLabels } from "./strings.js";

/** Settings as inputs; scope names these among others. */
export function inputs(keys: readonly (keyof Ionosphere)[], settings: Ionosphere, change: (key: string, value: Value) => void, scope: string, kind = "settings"): TemplateResult {
  const declared = keys.flatMap((key) => fields.find((field) => field.key === key) ?? []);
  return html`<div class=${kind}>${form(declared, Object.fromEntries(Object.entries(settings)), vtecLabels, change, scope)}</div>`;
}
