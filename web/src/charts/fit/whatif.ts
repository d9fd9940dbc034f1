// The cells of a row that is explained, each to be changed by a slider, a field or a choice.
import { html, nothing, type TemplateResult } from "lit";
import type { Input } from "../../engine/protocol.js";
import { cell } from "../../text/format.js";
import type { Changes } from "./explanations.js";
import { whatIf as strings } from "./strings.js";

const STEPS = 100; // of a slider, at least
const DAY = 86400;
const HOUR = 3600;

interface Options {
  readonly inputs: readonly Input[];
  readonly changes: Changes;
  readonly isAverage: boolean; // the row
  readonly change: (changes: Changes) => void;
}

/** The cells, each with the way back to what it was. */
export function cells({ inputs, changes, isAverage, change }: Options): TemplateResult {
  const set = (column: string, text: string): void => change({ ...changes, [column]: text });
  const reset = (column: string): void => change(Object.fromEntries(Object.entries(changes).filter(([name]) => name !== column)));
  const { back, backAll } = isAverage ? strings.average : strings.file;
  return html`<div class="row-cells">
      ${inputs.map((input, i) => {
        const { column, before, beyond } = input;
        const isChanged = column in changes;
        return html`<div class="cell" data-column=${column} data-beyond=${String(beyond)}>
          <label for="cell-${i}" title=${column}>${column}</label>
          <small class=${beyond ? "beyond" : ""}>${known(input)}</small>
          ${control(input, `cell-${i}`, changes[column] ?? before, (text) => set(column, text))}
          <button class="bare" aria-label=${back(column, before)} title=${back(column, before)} ?disabled=${!isChanged} @click=${() => reset(column)}>↺</button>
        </div>`;
      })}
    </div>
    <p><button class="as-it-was" ?disabled=${Object.keys(changes).length === 0} @click=${() => change({})}>${backAll}</button></p>`;
}

/** What the training rows have in a column. */
function known({ kind, least, most, levels, beyond, after }: Input): string {
  const say = kind === "date" ? (at: number): string => dated(at, false) : cell;
  const range = Number.isFinite(least) ? strings.range(say(least), say(most)) : strings.any;
  if (beyond) return kind === "level" ? strings.unseen(after) : strings.beyond(range);
  return kind === "level" ? strings.levels(levels.length) : range;
}

function control(input: Input, id: string, text: string, set: (text: string) => void): TemplateResult {
  const { column, kind, levels, point, before } = input;
  if (kind === "level") {
    const all = [...new Set([...levels, before, text, ""])];
    return html`<select id=${id} @change=${(e: Event) => set((e.target as HTMLSelectElement).value)}>
      ${all.map((level) => html`<option value=${level} .selected=${level === text}>${level === "" ? strings.missing : level}</option>`)}
    </select>`;
  }
  const isDate = kind === "date";
  const plain = isDate ? text.replace(" ", "T") : text.replace(point, ".");
  const written = (value: string): string => (isDate ? value.replace("T", " ") : value.replace(".", point));
  const { min, max, step } = scale(input);
  const at = isDate ? Date.parse(`${plain}${plain.includes("T") ? ":00" : "T00:00:00"}Z`) / 1000 : Number(plain || Number.NaN);
  const hear = (e: Event): void => {
    const field = e.target as HTMLInputElement;
    if (!field.validity.badInput) set(written(field.value)); // half a number, or half a date
  };
  return html`${min < max
      ? html`<input type="range" aria-label=${strings.slider(column)} aria-valuetext=${text === "" ? strings.missing : text} min=${min} max=${max} step=${step} .value=${String(Number.isFinite(at) ? at : (min + max) / 2)} @input=${(e: Event) => {
          const value = (e.target as HTMLInputElement).valueAsNumber;
          set(isDate ? dated(value, input.clock) : written(String(value)));
        }} />`
      : nothing}
    <input id=${id} type=${!isDate ? "number" : input.clock ? "datetime-local" : "date"} step=${isDate ? nothing : "any"} placeholder=${strings.missing} .value=${plain} @input=${hear} />`;
}

/** From where to where a slider goes, in round steps within the training rows. */
function scale({ kind, least, most, clock, before, point }: Input): { readonly min: number; readonly max: number; readonly step: number } {
  if (!(least < most)) return { min: 0, max: 0, step: 1 };
  if (kind === "date") return { min: least, max: clock ? most + DAY - HOUR : most, step: clock ? HOUR : DAY };
  const fine = 10 ** Math.floor(Math.log10((most - least) / STEPS));
  const step = [least, most, Number(before.replace(point, "."))].every(Number.isInteger) ? Math.max(1, fine) : fine;
  const round = (value: number): number => Number(value.toPrecision(12));
  return { min: round(Math.ceil(round(least / step)) * step), max: round(Math.floor(round(most / step)) * step), step };
}

/** Seconds since 1970 as the engine reads them. */
function dated(seconds: number, clock: boolean): string {
  const text = new Date(1000 * seconds).toISOString();
  return clock ? text.slice(0, 16).replace("T", " ") : text.slice(0, 10);
}
