import { html, nothing, svg, type PropertyValues, type TemplateResult } from "lit";
import { number, signed } from "./format.js";
import { Plotted, touches } from "./panel.js";
import type { Predictions } from "./protocol.js";
import { thin, type Model } from "./series.js";
import { result as strings } from "./strings.js";

const POINTS = 2000; // drawn at most, and as many rows for the slider to visit
const ROWS = 100; // of the table at most

type Range = readonly [number, number];

/** What the dots that are there were drawn for: while it stays, they only move up and down. */
interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly model: Model;
  readonly target: string;
  readonly n: number;
  readonly actual: readonly number[]; // of each dot
}

/** Predicted against actual on the test rows, with a cursor from the largest error down. */
class Scatter extends Plotted {
  static override properties = {
    predictions: { attribute: false },
    model: {},
    target: {},
    heading: {},
    at: { state: true },
  };

  declare predictions: Predictions | null;
  declare model: Model;
  declare target: string;
  declare heading: string;
  private declare at: number | null; // a row

  private drawn: Drawn | null = null;
  private ranked: { of: Predictions | null; worst: readonly number[] } = { of: null, worst: [] };

  constructor() {
    super();
    this.predictions = null;
    this.model = "ifm";
    this.target = "";
    this.heading = "";
    this.at = null;
  }

  protected override render(): TemplateResult {
    const p = this.predictions;
    const n = p?.actual.length ?? 0;
    const at = this.at !== null && this.at < n ? this.at : null; // what comes may have fewer rows
    const row = at ?? (p ? farthest(p) : 0);
    const says = p && row < n ? strings.row(p.line[row] ?? 0, p.actual[row] ?? 0, p.predicted[row] ?? 0) : "";
    return html`<figure class="chart scatter">
      <figcaption>${this.heading}</figcaption>
      <div class="frame">
        <div class="plot" role="img" aria-label=${p ? strings.describe(this.model, p.actual.length, p.rmse, correlation(p.actual, p.predicted)) : this.heading}></div>
        ${p
          ? html`<div class="over" style="inset:0" @pointermove=${this.point} @pointerleave=${this.leave}>
              ${at === null || this.width === 0 ? nothing : this.mark(p, at)}
              <input
                type="range"
                min="0"
                max=${Math.max(0, Math.min(n, POINTS) - 1)}
                .value=${String(at === null ? 0 : Math.max(0, this.worst().indexOf(at)))}
                aria-label=${strings.cursor}
                aria-valuetext=${says}
                @input=${(e: Event) => (this.at = this.worst()[Number((e.target as HTMLInputElement).value)] ?? null)}
                @focus=${() => (this.at ??= this.worst()[0] ?? null)}
                @blur=${() => (this.at = null)}
              />
            </div>`
          : nothing}
      </div>
      <p class="readout" aria-hidden="true">${at === null ? `${strings.hint(touches())}${n > POINTS ? ` ${strings.sampled(POINTS, n)}` : ""}` : says}</p>
      <details @toggle=${(e: Event) => (this.open = (e.target as HTMLDetailsElement).open)}>
        <summary>${strings.data}</summary>
        ${this.open && p ? this.table(p) : nothing}
      </details>
    </figure>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("predictions") || changed.has("width") || changed.has("model") || changed.has("plot")) this.drawSoon();
  }

  /** The rows with the largest errors, largest first. */
  private worst(): readonly number[] {
    const p = this.predictions;
    if (this.ranked.of !== p) this.ranked = { of: p, worst: p ? worst(p, POINTS) : [] };
    return this.ranked.worst;
  }

  private margins(): { left: number; right: number; top: number; bottom: number } {
    return { left: 56, right: 16, top: 10, bottom: 40 };
  }

  /** Of both axes: by the actual values alone, so that it stays while the model learns. */
  private range(p: Predictions): Range {
    const low = p.actual.reduce((best, v) => Math.min(best, v), Number.POSITIVE_INFINITY);
    const high = p.actual.reduce((best, v) => Math.max(best, v), Number.NEGATIVE_INFINITY);
    const room = 0.08 * (high - low || 1);
    return [low - room, high + room];
  }

  protected override draw(): void {
    const place = this.querySelector(".plot");
    const p = this.predictions;
    const Plot = this.plot;
    if (!place || !p || !Plot || this.width === 0) {
      place?.replaceChildren(this.instead);
      this.drawn = null;
      return;
    }
    const range = this.range(p);
    const margin = this.margins();
    const rows = thin(p.actual.length, POINTS);
    const spot = (i: number): [number, number] => [p.actual[i] ?? 0, Math.min(Math.max(p.predicted[i] ?? 0, range[0]), range[1])];
    const height = place.clientHeight;
    const y = this.down(range, height);
    const dots = place.querySelectorAll("circle");
    const last = this.drawn;
    const stays = last && dots.length === rows.length && last.width === this.width && last.height === height && last.model === this.model && last.target === this.target && last.n === p.actual.length && rows.every((i, at) => last.actual[at] === p.actual[i]);
    if (stays) {
      dots.forEach((dot, at) => dot.setAttribute("cy", String(y(spot(rows[at] ?? 0)[1]))));
      return;
    }
    this.drawn = { width: this.width, height, model: this.model, target: this.target, n: p.actual.length, actual: rows.map((i) => p.actual[i] ?? 0) };
    const chart = Plot.plot({
      width: this.width,
      height,
      marginLeft: margin.left,
      marginRight: margin.right,
      marginTop: margin.top,
      marginBottom: margin.bottom,
      className: "scatter-svg",
      style: { fontSize: "13px", overflow: "visible" },
      x: { domain: [...range] },
      y: { domain: [...range] },
      marks: [
        Plot.gridY({ ticks: 5, stroke: "var(--rule)", strokeOpacity: 1 }),
        Plot.gridX({ ticks: 5, stroke: "var(--rule)", strokeOpacity: 1 }),
        Plot.axisX({ ticks: 5, tickSize: 0, tickPadding: 8, label: strings.actual(this.target), labelArrow: "none", fill: "var(--quiet)" }),
        Plot.axisY({ ticks: 5, tickSize: 0, tickPadding: 8, label: strings.predicted, labelArrow: "none", labelAnchor: "top", fill: "var(--quiet)" }),
        Plot.line([range, range].map(([low, high], i) => (i === 0 ? [low, low] : [high, high])), { stroke: "var(--base)", strokeWidth: 1.5, strokeDasharray: "2 3" }),
        Plot.dot(rows.map(spot), { r: rows.length > 400 ? 2 : 3.2, fill: `var(--${this.model})`, fillOpacity: rows.length > 400 ? 0.35 : 0.6 }),
      ],
    });
    chart.setAttribute("aria-hidden", "true");
    place.replaceChildren(chart);
  }

  /** From a value to px from the left. */
  private across([low, high]: Range, width: number): (v: number) => number {
    const { left, right } = this.margins();
    return (v) => left + ((v - low) / (high - low)) * (width - left - right);
  }

  /** From a value to px from the top. */
  private down([low, high]: Range, height: number): (v: number) => number {
    const { top, bottom } = this.margins();
    return (v) => height - bottom - ((v - low) / (high - low)) * (height - top - bottom);
  }

  /** The row that is looked at, and how far off it is. */
  private mark(p: Predictions, row: number): TemplateResult {
    const range = this.range(p);
    const [actual, predicted] = [p.actual[row] ?? 0, Math.min(Math.max(p.predicted[row] ?? 0, range[0]), range[1])];
    const y = this.down(range, this.querySelector(".plot")?.clientHeight ?? 0);
    const x = this.across(range, this.width)(actual);
    return html`<svg class="mark" aria-hidden="true">
      ${svg`<line x1=${x} x2=${x} y1=${y(actual)} y2=${y(predicted)} /><circle cx=${x} cy=${y(predicted)} r="6" style="fill:var(--${this.model})" />`}
    </svg>`;
  }

  private readonly point = (event: PointerEvent): void => {
    const p = this.predictions;
    if (!p) return;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const range = this.range(p);
    const [px, py] = [this.across(range, box.width), this.down(range, box.height)];
    let [best, near] = [-1, 24 ** 2]; // px², no row farther away is meant
    for (const row of thin(p.actual.length, POINTS)) {
      const off = (px(p.actual[row] ?? 0) - event.clientX + box.left) ** 2 + (py(p.predicted[row] ?? 0) - event.clientY + box.top) ** 2;
      if (off < near) [best, near] = [row, off];
    }
    this.at = best < 0 ? null : best;
  };

  private readonly leave = (event: PointerEvent): void => {
    const input = (event.currentTarget as HTMLElement).querySelector("input");
    if (document.activeElement !== input) this.at = null;
  };

  private table(p: Predictions): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.data}>
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">${strings.columns.line}</th>
            <th scope="col">${strings.columns.actual}</th>
            <th scope="col">${strings.columns.predicted}</th>
            <th scope="col">${strings.columns.error}</th>
          </tr>
        </thead>
        <tbody>
          ${this.worst().slice(0, ROWS).map((i) => {
            const [actual, predicted] = [p.actual[i] ?? 0, p.predicted[i] ?? 0];
            return html`<tr>
              <th scope="row">${p.line[i]}</th>
              <td>${number(actual, 4)}</td>
              <td>${number(predicted, 4)}</td>
              <td>${signed(predicted - actual)}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }
}

function off(p: Predictions, row: number): number {
  return Math.abs((p.predicted[row] ?? 0) - (p.actual[row] ?? 0));
}

/** The row with the largest error. */
function farthest(p: Predictions): number {
  let best = 0;
  for (let row = 1; row < p.actual.length; row++) if (off(p, row) > off(p, best)) best = row;
  return best;
}

/** At most so many rows with the largest errors, largest first. Sorting all rows takes too long where there are many. */
function worst(p: Predictions, most: number): number[] {
  const rows = Array.from(p.actual.keys());
  const least = p.actual.map((_, row) => off(p, row)).sort().at(-most) ?? 0;
  return rows
    .filter((row) => !(off(p, row) < least))
    .sort((i, j) => off(p, j) - off(p, i))
    .slice(0, most);
}

function correlation(a: Float64Array, b: Float64Array): number {
  const mean = (v: Float64Array): number => v.reduce((sum, x) => sum + x, 0) / v.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  a.forEach((v, i) => {
    const [x, y] = [v - ma, (b[i] ?? 0) - mb];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  });
  return ab / Math.sqrt(aa * bb);
}

customElements.define("ifm-scatter", Scatter);
