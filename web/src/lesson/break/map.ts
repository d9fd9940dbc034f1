// One matrix of six features as a table whose cells have colours and numbers.
import { html, nothing, type TemplateResult } from "lit";
import { FEATURES, index, type Pairs } from "./pairs.js";
import { board as strings } from "./strings.js";

const DEEPEST = 62; // % of the colour at 1: numbers on it stay readable

const features = Array.from({ length: FEATURES }, (_, i) => i);

/** The style and class of a cell with this number. */
export function shade(value: number): { readonly sign: string; readonly depth: string } {
  return { sign: value > 0 ? "positive" : value < 0 ? "negative" : "", depth: `--depth:${Math.round(DEEPEST * Math.min(1, Math.abs(value)) ** 0.8)}%` };
}

/** A number as a cell has it: two decimals at most, and a true minus. */
export function figure(value: number): string {
  const rounded = Math.round(100 * value) / 100;
  return rounded === 0 ? "0" : String(rounded).replace("-", "−");
}

/** A number as a narrow cell has it: one decimal, without the zero before its point. */
export function short(value: number): string {
  return figure(Math.round(10 * value) / 10).replace(/^(−?)0/, "$1") || "0";
}

/** A number as a cell has it where there is room, and where there is little. */
export function numbered(value: number): TemplateResult {
  return html`<span class="full">${figure(value)}</span><span class="short" aria-hidden="true">${short(value)}</span>`;
}

/** The head of a matrix and its rows. */
export function grid(cell: (i: number, j: number) => TemplateResult): TemplateResult {
  return html`<thead>
      <tr>
        <td></td>
        ${features.map((j) => html`<th scope="col">${strings.feature(j)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${features.map((i) => html`<tr><th scope="row">${strings.feature(i)}</th>${features.map((j) => cell(i, j))}</tr>`)}
    </tbody>`;
}

/** A model's fit of M; pairs is null before it is known. hidden: the features whose rows are copied. */
export function fitted(name: string, key: "fm" | "ifm", pairs: Pairs | null, hidden: readonly number[]): TemplateResult {
  return html`<table class="painted-pairs" data-map=${key} aria-label=${strings.of(name)}>
    ${grid((i, j) => {
      const value = pairs?.[index(i, j)];
      if (i === j || value === undefined) return html`<td class="none">${i === j ? html`<span aria-label=${strings.none}>·</span>` : nothing}</td>`;
      const { sign, depth } = shade(value);
      const copied = hidden.includes(i) || hidden.includes(j);
      return html`<td class="${sign} ${copied ? "copied" : ""}" style=${depth} data-value=${value}>${numbered(value)}</td>`;
    })}
  </table>`;
}
