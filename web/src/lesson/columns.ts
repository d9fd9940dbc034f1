import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Column, Table } from "../engine/protocol.js";
import { Panel, sentence } from "../panel/panel.js";
import { cell, number } from "../text/format.js";
import { columns as strings } from "./strings.js";

const SHOWN = 20; // columns, and the others at a request
const FLOOR = 1; // τ̂√n below which Algorithm 1 refuses estimated moments, as in core/moment
const SAFE = 3; // from which gFM was found nearly always, on three-point columns

/** How a column's square stands to the column. */
type Standing =
  | "two" // two values: its square is affine in it
  | "levels" // becomes such columns, one a level
  | "small" // a third value, but too rare for so many rows
  | "near"
  | "clear";

interface Judged {
  readonly column: Column;
  readonly tau: number;
  readonly standing: Standing;
}

/** τ of each column of the reader's table, the smallest first, and what it means for gFM. */
class Columns extends Panel {
  @property({ attribute: false }) accessor table: Table | null = null;
  @property({ type: Boolean }) accessor framed = false; // in a page of somebody else's, which has no section for tables
  @state() private accessor all = false;

  protected override render(): TemplateResult {
    const { table } = this;
    return html`<section class="columns" aria-labelledby="columns-title">
      <h4 id="columns-title" aria-level=${this.framed ? 2 : nothing}>${strings.title}</h4>
      ${table ? this.list(table) : html`<p class="note">${strings.none} <a href="${this.framed ? location.pathname : ""}#table" target=${this.framed ? "_blank" : nothing}>${strings.open}</a></p>`}
    </section>`;
  }

  private list(table: Table): TemplateResult {
    const judged = judge(table);
    const shown = this.all ? judged : judged.slice(0, SHOWN);
    const none = judged.filter(({ tau }) => tau === 0).length;
    const small = judged.filter(({ standing }) => standing === "small").length;
    return html`
      <p class="about">${sentence(strings.summary(table.name, none, judged.length, small))} ${none + small > 0 ? strings.meaning : strings.fine} ${strings.caution}</p>
      ${judged.length === 0
        ? nothing
        : html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.caption(table.name)}>
            <table class="numbers">
              <caption>${strings.caption(table.name)}</caption>
              <thead>
                <tr>
                  <th scope="col">${strings.column}</th>
                  <th scope="col">${strings.tau}</th>
                  <th scope="col">${strings.root}</th>
                  <th scope="col" class="words">${strings.means}</th>
                </tr>
              </thead>
              <tbody>
                ${shown.map(
                  ({ column, tau, standing }) => html`<tr data-column=${column.name} data-standing=${standing}>
                    <th scope="row">${column.name}</th>
                    <td data-value=${tau}>${tau === 0 ? "0" : tau < 0.01 ? number(tau, 2) : tau.toFixed(2)}</td>
                    <td>${tau === 0 ? "0" : cell(Number((tau * Math.sqrt(table.rows)).toPrecision(2)))}</td>
                    <td class="words">${strings.standing[standing]}</td>
                  </tr>`,
                )}
              </tbody>
            </table>
          </div>`}
      ${judged.length > shown.length ? html`<button class="all" @click=${() => (this.all = true)}>${strings.more(judged.length - shown.length)}</button>` : nothing}
    `;
  }
}

/** Every column but those of one value, the smallest τ first. */
function judge({ columns, rows }: Table): Judged[] {
  const of = (column: Column): Judged[] => {
    if (column.distinctExact && column.distinct < 2) return [];
    if (column.kind === "sparse") return [];
    if (column.kind === "categorical") return [{ column, tau: 0, standing: column.distinctExact && column.distinct === 2 ? "two" : "levels" }];
    if (column.distinctExact && column.distinct === 2) return [{ column, tau: 0, standing: "two" }];
    if (Number.isNaN(column.tau)) return [];
    const root = column.tau * Math.sqrt(rows);
    return [{ column, tau: column.tau, standing: root < FLOOR ? "small" : root < SAFE ? "near" : "clear" }];
  };
  return columns.flatMap(of).sort((a, b) => a.tau - b.tau);
}

customElements.define("ifm-columns", Columns);
