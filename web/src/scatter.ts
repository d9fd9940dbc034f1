import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { number, signed } from "./format.js";
import { Chart, observeWidth, touches } from "./panel.js";
import type * as plot from "./plot.js";
import type { Predictions } from "./protocol.js";
import { thin, type Model } from "./series.js";
import { result as strings } from "./strings.js";

const POINTS = 2000; // drawn at most, and as many rows for the slider to visit
const ROWS = 100; // of the table at most

/** Predicted against actual on the test rows, with a cursor from the largest error down. */
class Scatter extends Chart {
  static override properties = {
    predictions: { attribute: false },
    model: {},
    target: {},
    heading: {},
    plot: { state: true },
    at: { state: true },
    width: { state: true },
    open: { state: true },
  };

  declare predictions: Predictions | null;
  declare model: Model;
  declare target: string;
  declare heading: string;
  private declare plot: typeof plot | null; // null: still on its way
  private declare at: number | null; // a row
  private declare width: number;
  private declare open: boolean;

  private observer: ResizeObserver | undefined;
  private ranked: { of: Predictions | null; worst: readonly number[] } = { of: null, worst: [] };

  constructor() {
    super();
    this.predictions = null;
    this.model = "ifm";
    this.target = "";
    this.heading = "";
    this.plot = null;
    this.at = null;
    this.width = 0;
    this.open = false;
    void import("./plot.js").then((plot) => (this.plot = plot));
  }

  protected override firstUpdated(): void {
    const frame = this.querySelector(".frame");
    if (frame) this.observer = observeWidth(frame, (width) => (this.width = width));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer?.disconnect();
  }

  protected override render(): TemplateResult {
    const p = this.predictions;
    const n = p?.actual.length ?? 0;
    const row = this.at ?? (p ? farthest(p) : 0);
    const says = p && row < n ? strings.row(p.line[row] ?? 0, p.actual[row] ?? 0, p.predicted[row] ?? 0) : "";
    return html`<figure class="chart scatter">
      <figcaption>${this.heading}</figcaption>
      <div class="frame">
        <div class="plot" role="img" aria-label=${p ? strings.describe(this.model, p.actual.length, p.rmse, correlation(p.actual, p.predicted)) : this.heading}></div>
        ${p
          ? html`<div class="over" style="inset:0" @pointermove=${this.point} @pointerleave=${this.leave}>
              <input
                type="range"
                min="0"
                max=${Math.max(0, Math.min(n, POINTS) - 1)}
                .value=${String(this.at === null ? 0 : Math.max(0, this.worst().indexOf(this.at)))}
                aria-label=${strings.cursor}
                aria-valuetext=${says}
                @input=${(e: Event) => (this.at = this.worst()[Number((e.target as HTMLInputElement).value)] ?? null)}
                @focus=${() => (this.at ??= this.worst()[0] ?? null)}
                @blur=${() => (this.at = null)}
              />
            </div>`
          : nothing}
      </div>
      <p class="readout" aria-hidden="true">${this.at === null ? `${strings.hint(touches())}${n > POINTS ? ` ${strings.sampled(POINTS, n)}` : ""}` : says}</p>
      <details @toggle=${(e: Event) => (this.open = (e.target as HTMLDetailsElement).open)}>
        <summary>${strings.data}</summary>
        ${this.open && p ? this.table(p) : nothing}
      </details>
    </figure>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("predictions") || changed.has("width") || changed.has("at") || changed.has("model") || changed.has("plot")) this.draw();
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
  private range(p: Predictions): [number, number] {
    const low = p.actual.reduce((best, v) => Math.min(best, v), Number.POSITIVE_INFINITY);
    const high = p.actual.reduce((best, v) => Math.max(best, v), Number.NEGATIVE_INFINITY);
    const room = 0.08 * (high - low || 1);
    return [low - room, high + room];
  }

  private draw(): void {
    const place = this.querySelector(".plot");
    const p = this.predictions;
    const Plot = this.plot;
    if (!place || !p || !Plot || this.width === 0) {
      place?.replaceChildren();
      return;
    }
    const range = this.range(p);
    const margin = this.margins();
    const rows = thin(p.actual.length, POINTS);
    const chosen = this.at ?? undefined;
    const spot = (i: number): [number, number] => [p.actual[i] ?? 0, Math.min(Math.max(p.predicted[i] ?? 0, range[0]), range[1])];
    const svg = Plot.plot({
      width: this.width,
      height: place.clientHeight,
      marginLeft: margin.left,
      marginRight: margin.right,
      marginTop: margin.top,
      marginBottom: margin.bottom,
      className: "scatter-svg",
      style: { fontSize: "13px", overflow: "visible" },
      x: { domain: range },
      y: { domain: range },
      marks: [
        Plot.gridY({ ticks: 5, stroke: "var(--rule)", strokeOpacity: 1 }),
        Plot.gridX({ ticks: 5, stroke: "var(--rule)", strokeOpacity: 1 }),
        Plot.axisX({ ticks: 5, tickSize: 0, tickPadding: 8, label: strings.actual(this.target), labelArrow: "none", fill: "var(--quiet)" }),
        Plot.axisY({ ticks: 5, tickSize: 0, tickPadding: 8, label: strings.predicted, labelArrow: "none", labelAnchor: "top", fill: "var(--quiet)" }),
        Plot.line([range, range].map(([low, high], i) => (i === 0 ? [low, low] : [high, high])), { stroke: "var(--base)", strokeWidth: 1.5, strokeDasharray: "2 3" }),
        Plot.dot(rows.map(spot), { r: rows.length > 400 ? 2 : 3.2, fill: `var(--${this.model})`, fillOpacity: rows.length > 400 ? 0.35 : 0.6 }),
        chosen === undefined
          ? null
          : [
              Plot.link([chosen], { x1: (i: number) => p.actual[i], x2: (i: number) => p.actual[i], y1: (i: number) => p.actual[i], y2: (i: number) => p.predicted[i], stroke: "var(--ink)" }),
              Plot.dot([spot(chosen)], { r: 6, fill: `var(--${this.model})`, stroke: "var(--ink)", strokeWidth: 2 }),
            ],
      ],
    });
    svg.setAttribute("aria-hidden", "true");
    place.replaceChildren(svg);
  }

  private readonly point = (event: PointerEvent): void => {
    const p = this.predictions;
    if (!p) return;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const margin = this.margins();
    const [low, high] = this.range(p);
    const [width, height] = [box.width - margin.left - margin.right, box.height - margin.top - margin.bottom];
    const px = (v: number): number => margin.left + ((v - low) / (high - low)) * width;
    const py = (v: number): number => box.height - margin.bottom - ((v - low) / (high - low)) * height;
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
