// Settings as inputs with bounds, of a run and of an experiment.
import { html, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { limits } from "../state/spec.gen.js";
import { fields, type Field, type Spec } from "../state/spec.js";
import { options as optionNames, settings } from "../state/settings-strings.js";
import { cell, count } from "../text/format.js";
import { options } from "./inputs.js";
import { Panel, prop } from "./panel.js";
import { bounds } from "./strings.js";

export type Value = number | string | readonly number[] | readonly string[];
export type Values = Readonly<Record<string, Value>>;

/** Declares one input: a field of settings is one. */
export interface Input extends Pick<Field, "key" | "kind"> {
  readonly min?: number;
  readonly max?: number;
  readonly most?: number; // numbers of a list
  readonly options?: readonly string[];
}

/** What stands beside the inputs: a label a key, and a name an option. */
export interface Labels {
  readonly keys: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
}

type Change = (key: string, value: Value) => void;

/**
 * Inputs for values; change gets the key and the value within its bounds, which stand
 * beneath. What is no number changes nothing. scope names these inputs among others.
 */
export function form(inputs: readonly Input[], values: Values, labels: Labels, change: Change, scope: string): TemplateResult[] {
  return inputs.map((input) => {
    const { key, kind, options: all = [] } = input;
    const value = values[key] ?? "";
    const label = labels.keys[key] ?? key;
    const name = (option: string): string => labels.options[option] ?? option;
    const id = `bounds-${scope}-${key}`;
    if (kind === "set") return set(input, label, value as readonly string[], name, change);
    if (kind === "choice") {
      const select = html`<select data-key=${key} @change=${(e: Event) => change(key, (e.target as HTMLSelectElement).value)}>${options(all, value as string, name)}</select>`;
      return html`<div class="text"><label><span>${label}</span> ${select}</label></div>`;
    }
    return html`<div class="text">
      <label><span>${label}</span> ${numeric(input, value, change, id)}</label>
      <small id=${id}><span class="bounds">${bounds.range(...ends(input))}</span> <span class="held" aria-live="polite"></span></small>
    </div>`;
  });
}

function set({ key, options = [] }: Input, label: string, chosen: readonly string[], name: (option: string) => string, change: Change): TemplateResult {
  const toggle = ({ target }: Event): void => {
    const box = target as HTMLInputElement;
    const now = options.filter((option) => (option === box.value ? box.checked : chosen.includes(option)));
    if (now.length > 0) change(key, now);
    else box.checked = true;
  };
  return html`<fieldset @change=${toggle}>
    <legend>${label}</legend>
    ${options.map((option) => html`<label class="check"><input type="checkbox" value=${option} .checked=${chosen.includes(option)} />${name(option)}</label>`)}
  </fieldset>`;
}

function numeric(input: Input, value: Value, change: Change, id: string): TemplateResult {
  const { key, kind, min = 0, max = 0, most = limits.list } = input;
  const list = Array.isArray(value);
  const text = list ? value.join(", ") : String(value);
  const within = (v: number): number => Math.min(Math.max(kind === "int" || kind === "ints" ? Math.trunc(v) : v, min), max);
  const react = ({ target }: Event): void => {
    const box = target as HTMLInputElement;
    const written = (list ? box.value.split(/[\s,;]+/) : [box.value]).filter((part) => part.trim() !== "");
    const found = written.map(Number).filter((v) => Number.isFinite(v));
    const all = [...new Set(found.map(within))];
    const used = all.slice(0, most);
    const [first] = used;
    if (first !== undefined) change(key, list ? used : first);
    const now = first === undefined ? text : used.join(", ");
    box.value = now;
    const note = box.closest(".text")?.querySelector(".held");
    if (!note) return;
    if (found.length < written.length || written.length === 0) note.textContent = bounds.noNumber(now);
    else if (found.some((v) => v < min || v > max)) note.textContent = bounds.held(now, ...ends(input));
    else if (found.some((v) => within(v) !== v)) note.textContent = bounds.whole(now);
    else note.textContent = all.length > used.length ? bounds.most(most) : "";
  };
  return list
    ? html`<input type="text" inputmode="decimal" data-key=${key} aria-describedby=${id} .value=${text} @change=${react} />`
    : html`<input type="number" data-key=${key} min=${min} max=${max} step=${kind === "int" ? "1" : "any"} aria-describedby=${id} .value=${text} @change=${react} />`;
}

function ends({ min = 0, max = 0 }: Input): [string, string] {
  const write = max >= 1e4 ? count : cell;
  return [write(min), write(max)];
}

/** Inputs for some fields of the Spec, with the bounds of their declaration. */
class Settings extends Panel {
  @prop accessor spec!: Spec;
  @prop accessor keys!: readonly (keyof Spec)[];
  @prop accessor without: readonly string[] = []; // options that make no sense here
  @property() accessor scope = "figure"; // names these inputs among the page's

  protected override render(): TemplateResult {
    const inputs = this.keys.flatMap((key) => fields.filter((field) => field.key === key)).map((field) => ({ ...field, options: field.options.filter((option) => !this.without.includes(option)) }));
    return html`<div class="settings">${form(inputs, this.spec as unknown as Values, { keys: settings, options: optionNames }, (key, value) => this.tell("ifm-spec", { [key]: value }), this.scope)}</div>`;
  }
}

customElements.define("ifm-settings", Settings);
