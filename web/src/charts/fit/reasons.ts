import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Explained } from "../../engine/protocol.js";
import { Panel } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import { decimals, number } from "../../text/format.js";
import { short } from "../../text/strings.js";
import type { Reason } from "../../training/training.js";
import { reasons as strings } from "./strings.js";

/** What a line of the table tells. */
interface Part {
  readonly name: string;
  readonly cells: string;
  readonly value: number;
}

/** Why a model predicts what it does for one row: what each column and each pair adds to the prediction for the mean row. */
class ReasonPanel extends Panel {
  @property({ attribute: false }) accessor reason!: Reason;
  @property({ type: Number }) accessor actual = Number.NaN; // of the row
  @property() accessor target = "";

  private shown: Reason | null = null; // the last that was answered: it stays until the next is

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("reason") && this.reason.found) this.shown = this.reason;
  }

  /** Takes the reader who came by keyboard here. */
  override focus(): void {
    this.querySelector<HTMLElement>("section")?.focus();
  }

  protected override render(): TemplateResult {
    const { model, line, found } = this.shown ?? this.reason;
    const busy = !this.reason.found;
    return html`<section class="reasons" tabindex="-1" aria-labelledby="reasons" aria-busy=${String(busy)} data-line=${line} data-model=${model}>
      <div class="head">
        <h4 id="reasons">${strings.title(short[model], this.target, line)}</h4>
        <button title=${strings.closeHelp} @click=${() => this.dispatchEvent(new CustomEvent("ifm-close"))}>${strings.close}</button>
      </div>
      <p class="first" role="status">${found === null ? strings.soon : "kind" in found ? problem(found) : strings.says(number(found.raw, 4), found.learnt === this.target ? "" : `${found.learnt} = ${number(found.predicted, 4)}`, number(found.mean, 4), number(this.actual, 4))}</p>
      ${found && !("kind" in found) ? this.table(found) : nothing}
    </section>`;
  }

  private table(found: Explained): TemplateResult {
    const parts = partsOf(found);
    const most = Math.max(...parts.map(({ value }) => Math.abs(value)), Math.abs(found.rest)) || 1;
    const tell = decimals(Math.max(most, Math.abs(found.predicted) / 10));
    const names = strings.columns;
    return html`<table class="numbers">
        <thead>
          <tr>
            <th scope="col">${names.part}</th>
            <th scope="col">${names.cells}</th>
            <th scope="col" class="bars"><span class="seen-not">${names.bar}</span></th>
            <th scope="col">${names.adds}</th>
          </tr>
        </thead>
        <tbody>
          <tr data-part="mean" data-value=${found.mean}>
            <th scope="row">${strings.mean}</th>
            <td></td>
            <td class="bars"></td>
            <td>${tell(found.mean)}</td>
          </tr>
          ${parts.map((part) => this.line(part, most, tell))}
          ${found.others > 0 ? this.line({ name: strings.others(found.others), cells: "", value: found.rest }, most, tell) : nothing}
        </tbody>
        <tfoot>
          <tr data-part="predicted" data-value=${found.predicted}>
            <th scope="row">${strings.predicted}</th>
            <td></td>
            <td class="bars"></td>
            <td>${tell(found.predicted)}</td>
          </tr>
        </tfoot>
      </table>
      <p class="note">${strings.note(found.learnt)}</p>`;
  }

  private line({ name, cells, value }: Part, most: number, tell: (value: number) => string): TemplateResult {
    const share = (50 * Math.abs(value)) / most;
    const told = tell(value);
    return html`<tr data-part=${name} data-value=${value}>
      <th scope="row"><span title=${name}>${name}</span></th>
      <td><span title=${cells}>${cells}</span></td>
      <td class="bars" aria-hidden="true"><span class="bar ${value < 0 ? "negative" : "positive"}" style="width:${share}%;${value < 0 ? "right" : "left"}:50%"></span></td>
      <td>${value > 0 && /[1-9]/.test(told) ? "+" : ""}${told}</td>
    </tr>`;
  }
}

function partsOf({ columns, cells, first, second, values }: Explained): Part[] {
  const cell = (at: number): string => cells[at] || strings.missing;
  return Array.from(values, (value, i) => {
    const [a, b] = [first[i] ?? 0, second[i] ?? -1];
    return b < 0 ? { name: columns[a] ?? "", cells: cell(a), value } : { name: strings.pair(columns[a] ?? "", columns[b] ?? ""), cells: strings.both(cell(a), cell(b)), value };
  });
}

customElements.define("ifm-reasons", ReasonPanel);
