// Settings as inputs with bounds, of a run and of an experiment.
import { html, nothing, type TemplateResult } from "lit";
import { cell, count } from "../text/format.js";
import { bounds } from "./strings.js";

export type Value = number | string | readonly number[];
export type Values = Readonly<Record<string, Value>>;

/** Declares one input. */
export type Input =
  | { readonly key: string; readonly kind: "int" | "float"; readonly min: number; readonly max: number }
  | { readonly key: string; readonly kind: "ints" | "floats"; readonly min: number; readonly max: number; readonly most: number }
  | { readonly key: string; readonly kind: "choice"; readonly options: readonly string[] };

type Numeric = Exclude<Input, { kind: "choice" }>;

/** What stands beside the inputs: a label a key, and a name an option. */
export interface Labels {
  readonly keys: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
}

/**
 * Inputs for values; change is told the key and the value within its bounds,
 * which stand beneath, as does what was done to a value beyond them. What is no
 * number leaves the value as it was. scope names these inputs among others.
 */
export function form(inputs: readonly Input[], values: Values, labels: Labels, change: (key: string, value: Value) => void, scope: string): TemplateResult[] {
  return inputs.map((input) => {
    const value = values[input.key] ?? "";
    const id = `bounds-${scope}-${input.key}`;
    return html`<div class="text">
      <label><span>${labels.keys[input.key] ?? input.key}</span> ${input.kind === "choice" ? choice(input, value, labels, change) : numeric(input, value, change, id)}</label>
      ${input.kind === "choice" ? nothing : html`<small id=${id}><span class="bounds">${bounds.range(said(input, input.min), said(input, input.max))}</span><span class="held" aria-live="polite"></span></small>`}
    </div>`;
  });
}

function said(input: Numeric, value: number): string {
  return input.max >= 1e4 ? count(value) : cell(value);
}

function choice(input: Extract<Input, { kind: "choice" }>, value: Value, labels: Labels, change: (key: string, value: Value) => void): TemplateResult {
  return html`<select data-key=${input.key} @change=${(e: Event) => change(input.key, (e.target as HTMLSelectElement).value)}>
    ${input.options.map((option) => html`<option value=${option} .selected=${option === value}>${labels.options[option] ?? option}</option>`)}
  </select>`;
}

function numeric(input: Numeric, value: Value, change: (key: string, value: Value) => void, id: string): TemplateResult {
  const list = Array.isArray(value) ? (value as readonly number[]) : null;
  const react = (event: Event): void => {
    const box = event.target as HTMLInputElement;
    const written = (list ? box.value.split(/[\s,;]+/) : [box.value]).filter((part) => part.trim() !== "");
    const found = written.map(Number).filter((v) => Number.isFinite(v));
    const held = [...new Set(found.map((v) => hold(input, v)))];
    const kept = "most" in input ? held.slice(0, input.most) : held;
    if (kept.length > 0) change(input.key, list ? kept : (kept[0] ?? Number.NaN));
    box.value = kept.length > 0 ? kept.join(", ") : text(value);
    const beside = box.closest(".text")?.querySelector(".held");
    if (beside) beside.textContent = tell(input, written.length, found, held.length, kept, box.value);
  };
  return list
    ? html`<input type="text" inputmode="decimal" data-key=${input.key} aria-describedby=${id} .value=${text(value)} @change=${react} />`
    : html`<input type="number" data-key=${input.key} min=${input.min} max=${input.max} step=${input.kind === "int" ? "1" : "any"} aria-describedby=${id} .value=${text(value)} @change=${react} />`;
}

/** What was done to what the reader wrote; "" when nothing was. */
function tell(input: Numeric, written: number, found: readonly number[], different: number, kept: readonly number[], now: string): string {
  if (found.length < written || written === 0) return bounds.noNumber(now);
  if (found.some((v) => v < input.min || v > input.max)) return bounds.held(now, said(input, input.min), said(input, input.max));
  if (found.some((v) => hold(input, v) !== v)) return bounds.whole(now);
  return "most" in input && different > kept.length ? bounds.most(input.most) : "";
}

function hold(input: Numeric, value: number): number {
  const whole = input.kind === "int" || input.kind === "ints";
  return Math.min(Math.max(whole ? Math.trunc(value) : value, input.min), input.max);
}

function text(value: Value): string {
  return Array.isArray(value) ? value.join(", ") : String(value);
}
