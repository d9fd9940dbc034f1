// Test errors by the levels of a column: for whom the model works less well.
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { answerOf } from "../../engine/calls.js";
import type { Opened, Pool } from "../../engine/pool.js";
import type { EngineError, ErrorsBy, LevelErrors, Measure } from "../../engine/protocol.js";
import { pick } from "../../panel/inputs.js";
import { Panel, prop, table } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import { number, percent } from "../../text/format.js";
import { measured, short } from "../../text/strings.js";
import type { Predictor, Rows } from "./rows.js";
import { errorsBy as strings } from "./strings.js";

class ErrorsByColumn extends Panel {
  @prop accessor pool!: Pool;
  @prop accessor opened!: Opened;
  @prop accessor rows!: Rows;
  @prop accessor hit: Float64Array = new Float64Array(); // as in the protocol
  @property() accessor whose: Predictor = "ifm";
  @property() accessor target = "";
  @property() accessor weight = "";
  @property() accessor measure: Measure = "rmse";
  @property({ type: Number }) accessor classes = 0;
  @state() private accessor column = ""; // "": none
  @state() private accessor found: ErrorsBy | EngineError | null = null; // stays until the next has come

  private asked = 0;

  protected override willUpdate(changed: PropertyValues): void {
    if (this.column !== "" && ["column", "rows", "hit", "opened"].some((name) => changed.has(name))) void this.ask();
  }

  private async ask(): Promise<void> {
    const { pool, opened, column, weight, hit, classes, rows: { line, actual, predicted } } = this;
    const asked = ++this.asked;
    const { result, error } = await answerOf(pool.callOn(opened, "errorsBy", { column, weight, line: Float64Array.from(line), actual, predicted, hit, classes }));
    pool.settle(opened);
    if (asked === this.asked) this.found = result ?? error;
  }

  protected override render(): TemplateResult {
    const columns = ["", ...this.opened.table.columns.map(({ name }) => name)];
    const { found, column } = this;
    const choose = (column: string): void => void Object.assign(this, { column, found: null });
    return html`<section class="errors-by" aria-labelledby="errors-by">
      <h3 id="errors-by">${strings.title}</h3>
      <p>${pick(strings.column, columns, column, (name) => name || strings.none, choose, "errors-by")}</p>
      ${column === "" || !found ? html`<p class="note">${strings.choose}</p>` : "kind" in found ? html`<p class="note" role="status">${problem(found)}</p>` : this.levels(found.levels)}
    </section>`;
  }

  private levels(levels: readonly LevelErrors[]): TemplateResult {
    const { measure, whose, target, column, classes } = this;
    const { level, rows, interval, covered, right, difference } = strings.columns;
    const shared = levels.some(({ share }) => !Number.isNaN(share));
    return html`${table(
      strings.caption(short[whose], measure, target, column),
      [level, rows, measured[measure], interval, ...(shared ? [classes > 0 ? right : covered] : []), difference],
      levels.map(
        (one) => html`<tr data-level=${name(one)} data-rows=${one.rows} data-value=${one.error} data-differs=${one.differs}>
          <th scope="row">${name(one)}</th>
          <td>${one.rows}</td>
          <td>${number(one.error)}</td>
          <td>${Number.isFinite(one.high) ? strings.interval(one.low, one.high) : strings.tooFew}</td>
          ${shared ? html`<td>${percent(one.share)}</td>` : nothing}
          <td>${strings.differs[one.differs as -1 | 0 | 1]}</td>
        </tr>`,
      ),
    )}
      <details><summary>${strings.how}</summary><p class="note">${strings.note}</p></details>`;
  }
}

function name({ level, pooled }: LevelErrors): string {
  if (pooled < 0) return strings.all;
  if (pooled === 1 && level !== "") return strings.few(level);
  return pooled > 0 ? strings.pooled(pooled) : level || strings.missing;
}

customElements.define("ifm-errors-by", ErrorsByColumn);
