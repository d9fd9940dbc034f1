import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Column, Table } from "../../engine/protocol.js";
import { Panel, sentence, table as numbers } from "../../panel/panel.js";
import { cell, count, number } from "../../text/format.js";
import { quantity, say } from "../../text/phrase.js";
import { counted } from "../../text/strings.js";

const words = {
  title: "Your own columns",
  heads: ["Column", "τ̂", "τ̂√n", "Its square, for gFM’s diagonal"],
  standing: {
    two: "two values: says nothing",
    levels: "levels, each a yes-or-no column: says nothing",
    small: "hardly differs: too little for so many rows",
    near: "differs little: learnt with luck",
    clear: "says something of its own",
  },
};

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
      <h3 id="columns-title">${words.title}</h3>
      ${table ? this.list(table) : html`<p class="note">No table is open, so there is nothing to list. <a href="${this.framed ? location.pathname : ""}#table" target=${this.framed ? "_blank" : nothing}>Open a table, and its columns appear here.</a></p>`}
    </section>`;
  }

  private list(table: Table): TemplateResult {
    const judged = judge(table);
    const shown = this.all ? judged : judged.slice(0, SHOWN);
    const none = judged.filter(({ tau }) => tau === 0).length;
    const small = judged.filter(({ standing }) => standing === "small").length;
    return html`
      <p class="about">${sentence(say`In ${table.name}, ${quantity("none", none, count(none))} of ${quantity("none", judged.length, count(judged.length))} ${judged.length === 1 ? "column has" : "columns have"} τ = 0${small > 0 ? say`, and ${quantity("none", small, count(small))} more a τ̂ too small for so many rows` : []}.`)} ${none + small > 0 ? "There gFM’s diagonal cannot be told from the bias and the linear part: it may predict as well as any, but what stands on its diagonal means nothing. FM and iFM have no diagonal." : "Each of them has a square that says something of its own, so gFM’s diagonal can be learnt."} τ̂ comes from the rows at hand, and the theorem is about independent columns, which those of a table are not: read it as a warning, not as a verdict.</p>
      ${judged.length === 0 ? nothing : numbers(`τ̂ of the columns of ${table.name}, the smallest first`, words.heads, shown.map((one) => row(one, table.rows)))}
      ${judged.length > shown.length ? html`<button class="all" @click=${() => (this.all = true)}>Show ${counted(judged.length - shown.length, "more column")}</button>` : nothing}
    `;
  }
}

function row({ column, tau, standing }: Judged, n: number): TemplateResult {
  return html`<tr data-column=${column.name} data-standing=${standing}>
    <th scope="row">${column.name}</th>
    <td data-value=${tau}>${tau === 0 ? "0" : tau < 0.01 ? number(tau, 2) : tau.toFixed(2)}</td>
    <td>${tau === 0 ? "0" : cell(Number((tau * Math.sqrt(n)).toPrecision(2)))}</td>
    <td>${words.standing[standing]}</td>
  </tr>`;
}

/** Every column but those of one value, the smallest τ first. */
function judge({ columns, rows }: Table): Judged[] {
  const of = (column: Column): Judged[] => {
    const { kind, distinct, distinctExact, tau } = column;
    const isTwo = distinctExact && distinct === 2;
    if ((distinctExact && distinct < 2) || kind === "sparse") return [];
    if (isTwo || kind === "categorical") return [{ column, tau: 0, standing: isTwo ? "two" : "levels" }];
    const root = tau * Math.sqrt(rows);
    return Number.isNaN(tau) ? [] : [{ column, tau, standing: root < FLOOR ? "small" : root < SAFE ? "near" : "clear" }];
  };
  return columns.flatMap(of).sort((a, b) => a.tau - b.tau);
}

customElements.define("ifm-columns", Columns);
