// The data of a chart: a file of it has the columns with a name, its table those with a head.
import { html, nothing, type TemplateResult } from "lit";
import { heads, scrolling } from "../panel/panel.js";
import { number } from "../text/format.js";
import type * as sheet from "./sheet.js";

export interface Column {
  readonly name?: string;
  readonly values: ArrayLike<number | string>; // a shorter column ends in empty cells
  readonly head?: string;
  readonly cell?: (value: number, row: number) => unknown; // how the table writes it, if not as a text or a number
}

export function savedColumns(columns: readonly Column[]): sheet.Column[] {
  return columns.flatMap(({ name, values }) => (name === undefined ? [] : [{ name, values }]));
}

/** A table of some rows of the columns, which scrolls where it is wide. */
export function dataTable(name: string, columns: readonly Column[], rows: readonly number[], note = ""): TemplateResult {
  const shown = columns.filter(({ head }) => head !== undefined);
  const [first, ...others] = shown;
  const write = ({ values, cell = (value) => (typeof value === "number" ? number(value, 4) : value) }: Column, row: number): unknown => (values[row] === undefined ? "" : cell(values[row] as number, row));
  return scrolling(
    name,
    html`<table class="numbers">
        ${heads(shown.map(({ head = "" }) => head))}
        <tbody>
          ${rows.map(
            (row) => html`<tr data-row=${row}>
              <th scope="row">${first && write(first, row)}</th>
              ${others.map((column) => html`<td data-column=${column.head} data-value=${column.values[row] ?? nothing}>${write(column, row)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
      ${note ? html`<p class="note">${note}</p>` : nothing}`,
  );
}
