// The target, and what else could be.
import { html, type TemplateResult } from "lit";
import type { Column, Table } from "../engine/protocol.js";

/** What could be predicted instead of a column: what the engine thinks likely, then all else that can be: numbers that vary, and columns of two values. */
export function others({ columns }: Table, current: Column | undefined): string[] {
  const guess = columns.find((column) => column.guess === "target");
  const possible = columns.filter(canBe);
  const list = [...(guess ? [guess.name, ...guess.alternatives] : []), ...possible.filter(({ guess }) => guess !== "ignore").map(({ name }) => name), ...possible.map(({ name }) => name)];
  return [...new Set(list)].filter((name) => name !== current?.name);
}

/** Whether a column holds numbers that vary, or two values. */
function canBe({ mean, min, max, distinct }: Column): boolean {
  return Number.isNaN(mean) ? distinct === 2 : min < max;
}

/** A choice of another target. */
export function targets(label: string, names: readonly string[], take: (column: string) => void): TemplateResult {
  const choose = (event: Event): void => {
    const select = event.target as HTMLSelectElement;
    const { value } = select;
    select.value = "";
    if (value !== "") take(value);
  };
  return html`<select class="instead" aria-label=${label} @change=${choose}>
    <option value="" selected>${label}</option>
    ${names.map((name) => html`<option value=${name}>${name}</option>`)}
  </select>`;
}
