import { html, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { Panel } from "../../panel/panel.js";
import { figure, grid, numbered, shade } from "./map.js";
import { changed, FEATURES, index, type Pairs } from "./pairs.js";
import { board as strings } from "./strings.js";

const BRUSHES = [-1, -0.5, 0, 0.5, 1] as const;
const STEP = 0.1;

/** The matrix as it is painted. */
export interface Painted {
  readonly pairs: Pairs;
  readonly rests: boolean; // the stroke is over
}

/** M, to be painted with mouse, finger or keys. */
class Editor extends Panel {
  @property({ attribute: false }) accessor pairs: Pairs = [];
  @state() private accessor brush = -1;
  @state() private accessor row = 0; // of the cell that keys reach
  @state() private accessor column = 1;

  private stroke: Pairs | null = null; // what it has painted so far

  protected override render(): TemplateResult {
    return html`<fieldset class="brushes">
        <legend class="seen-not">${strings.brush}</legend>
        ${BRUSHES.map(
          (value) => html`<label class=${shade(value).sign} style=${shade(value).depth}
            ><input type="radio" name="brush" value=${value} .checked=${value === this.brush} @change=${() => (this.brush = value)} /> <span>${figure(value)}</span></label
          >`,
        )}
      </fieldset>
      <table
        class="painted-pairs mine"
        role="grid"
        aria-label=${strings.mine}
        aria-describedby="break-keys"
        @keydown=${this.press}
        @pointerdown=${this.begin}
        @pointermove=${this.move}
        @pointerup=${this.end}
        @pointercancel=${this.end}
        @pointerleave=${this.end}
      >
        ${grid((i, j) => this.cell(i, j))}
      </table>
      <p class="note" id="break-keys">${strings.keys}</p>`;
  }

  private cell(i: number, j: number): TemplateResult {
    const value = this.pairs[index(i, j)] ?? 0;
    const { sign, depth } = shade(value);
    const reach = i === this.row && j === this.column ? "0" : "-1";
    if (i === j) return html`<td class="none" role="gridcell" tabindex=${reach} data-i=${i} data-j=${j} aria-readonly="true" aria-label=${strings.none}>·</td>`;
    return html`<td class=${sign} role="gridcell" tabindex=${reach} style=${depth} data-i=${i} data-j=${j} data-value=${value} aria-label=${strings.cell(i, j, value)} @focus=${() => Object.assign(this, { row: i, column: j })}>${numbered(value)}</td>`;
  }

  private paint(pairs: Pairs, rests: boolean): void {
    this.dispatchEvent(new CustomEvent<Painted>("paint", { detail: { pairs, rests } }));
  }

  private readonly press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { row, column } = this;
    const at = index(row, column);
    const now = this.pairs[at] ?? 0;
    const places: Readonly<Record<string, readonly [number, number]>> = { ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1], Home: [row, 0], End: [row, FEATURES - 1] };
    const place = places[event.key];
    const values: Readonly<Record<string, number>> = { "+": now + STEP, "=": now + STEP, "-": now - STEP, "−": now - STEP, Delete: 0, Backspace: 0, Enter: this.brush, " ": this.brush };
    const value = /^\d$/.test(event.key) ? ((now < 0 ? -1 : 1) * Number(event.key)) / 10 : values[event.key];
    if (!place && value === undefined) return;
    event.preventDefault();
    if (place) this.reach(Math.min(Math.max(place[0], 0), FEATURES - 1), Math.min(Math.max(place[1], 0), FEATURES - 1));
    else if (value !== undefined && at >= 0) this.paint(changed(this.pairs, at, value), true);
  };

  private reach(row: number, column: number): void {
    Object.assign(this, { row, column });
    this.querySelector<HTMLElement>(`.mine [data-i="${row}"][data-j="${column}"]`)?.focus();
  }

  private readonly begin = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const cell = (event.target as Element).closest<HTMLElement>("[data-value]");
    if (!cell) return;
    if (cell.hasPointerCapture(event.pointerId)) cell.releasePointerCapture(event.pointerId); // a finger keeps the first cell else
    this.stroke = this.pairs;
    this.touch(cell);
  };

  private readonly move = (event: PointerEvent): void => {
    if (!this.stroke) return;
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>(".mine [data-value]");
    if (cell && this.contains(cell)) this.touch(cell);
  };

  private readonly end = (): void => {
    if (!this.stroke) return;
    const pairs = this.stroke;
    this.stroke = null;
    this.paint(pairs, true);
  };

  private touch({ dataset }: HTMLElement): void {
    const at = index(Number(dataset["i"]), Number(dataset["j"]));
    if (!this.stroke || this.stroke[at] === this.brush) return;
    this.stroke = changed(this.stroke, at, this.brush);
    this.paint(this.stroke, false);
  }
}

customElements.define("ifm-editor", Editor);
