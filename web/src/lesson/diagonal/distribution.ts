import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Plan } from "../../charts/chart.js";
import type * as plot from "../../charts/plot.js";
import type { Sheet } from "../../charts/sheet.js";
import type { About } from "../../panel/about.js";
import { heads, touches } from "../../panel/panel.js";
import { cell, number } from "../../text/format.js";
import { legend, type Key } from "../../charts/looks.js";
import { Pointed } from "../../charts/pointed.js";
import { lines as chart } from "../../charts/lines-strings.js";
import { families, normal, POSITIONS, shapeAt, type Family, type Shape } from "./shape.js";

const words = {
  family: "Columns",
  families: { slider: "from Gaussian to ±1", threepoint: "three points" } satisfies Record<Family, string>,
  ends: { slider: { from: "Gaussian", to: "±1" }, threepoint: { from: "two thirds are 0", to: "±1" } } satisfies Record<Family, { readonly from: string; readonly to: string }>,
  slider: (from: string, to: string) => `The column, from “${from}” to “${to}”`,
  value: (family: Family, parameter: number, tau: number) => `${{ slider: "a", threepoint: "p" }[family]} = ${number(parameter, 4)}, τ = ${number(tau)}`,
  heading: { slider: "Density of x = a·(±1) + √(1 − a²)·Gaussian", threepoint: "Shares of −1/√p, 0 and 1/√p" } satisfies Record<Family, string>,
  column: "this column",
  gaussian: "Gaussian",
  x: "x, in standard deviations",
  density: "density",
  ofGaussian: "density of a Gaussian",
  ofRows: "share of the rows",
  cursor: "x under the cursor",
  dense: (x: number, density: number, gaussian: number) => `x = ${cell(x)}: density ${number(density)}, of a Gaussian ${number(gaussian)}`,
  shared: (x: number, share: number) => `x = ${cell(x)}: share of the rows ${number(share)}`,
  peak: (height: number) => `↑ ${number(height, 2)}`,
  share: (share: number) => `${number(100 * share, 3).replace(/\.0+$/, "")} %`,
  data: "Data of this picture",
  names: {
    parameter: { slider: "a, weight of ±1", threepoint: "p, share not 0" } satisfies Record<Family, string>,
    kappa: "κ = E x³",
    phi: "φ = E x⁴",
    tau: "τ = φ − 1 − κ²",
  },
  told: {
    start: {
      slider: "Gaussian: x² differs from row to row, and x does not tell it. gFM’s diagonal shows.",
      threepoint: "Three points: x² is 0 in two rows of three and 3 in the others, and x does not tell it in a straight line. gFM’s diagonal shows.",
    } satisfies Record<Family, string>,
    between: "The rows gather at −1 and 1. x² differs less and less from 1, so there is less and less to learn the diagonal from.",
    end: "±1: x² is 1 in every row, so a square tells nothing. The diagonal merges into the bias; for two other values, such as 0 and 1, into the bias and the linear term.",
  },
  live: "Live: from the formula of this column, as you move it.",
  describe: ({ kappa, phi, tau, points, density }: Shape) =>
    `${density ? "Density of a column, on a Gaussian one: " : "Shares of the values of a column: "}${density ? `at −1 and 1 it is ${number(density(1), 2)}, at 0 ${number(density(0), 2)}` : points.map(({ x, share }) => `${number(share, 2)} at ${number(x, 3)}`).join(", ")}. κ is ${number(kappa)}, φ ${number(phi)}, τ ${number(tau)}.`,
};

const EDGE = 3; // sd, drawn on each side
const TOP = { slider: 1.5, threepoint: 0.8 } as const; // of the axis, which stays while the slider moves
const FINE = 481; // points of a curve
const COARSE = 25; // of them in the table
const PLACES = 121; // of the cursor on a curve, those of the table among them
const MARGIN = { left: 40, right: 16, top: 24, bottom: 40 }; // px
const grid = (n: number): number[] => Array.from({ length: n }, (_, i) => (2 * EDGE * i) / (n - 1) - EDGE);
const looks = {
  column: { colour: "gfm", dash: "", symbol: "" },
  gaussian: { colour: "base", dash: "6 4", symbol: "" },
} as const;

/** A column between Gaussian and ±1, with its moments: a slider takes it there. */
class Distribution extends Pointed<number> {
  @property() accessor family: Family = "slider";
  @property({ type: Number }) accessor position = 0; // 0 … POSITIONS
  @property() accessor beside = ""; // what the run shown near it says of such a column

  protected override render(): TemplateResult {
    const { family, position } = this;
    const shape = shapeAt(family, position);
    const end = words.ends[family];
    const told = position === POSITIONS ? words.told.end : position === 0 ? words.told.start[family] : words.told.between;
    return html`<div class="distribution">
      <p class="play">
        <label class="pick">
          <span>${words.family}</span>
          <select class="family" @change=${(e: Event) => this.emit("family", (e.target as HTMLSelectElement).value)}>
            ${families.map((of) => html`<option value=${of} .selected=${of === family}>${words.families[of]}</option>`)}
          </select>
        </label>
        <label class="slide">
          <span>${end.from}</span>
          <input
            type="range"
            min="0"
            max=${POSITIONS}
            step="1"
            .value=${String(position)}
            aria-label=${words.slider(end.from, end.to)}
            aria-valuetext=${words.value(family, shape.parameter, shape.tau)}
            @input=${(e: Event) => this.emit("position", Number((e.target as HTMLInputElement).value))}
          />
          <span>${end.to}</span>
        </label>
      </p>
      <div class="picture">
        ${legend(keys(family))}
        <figure class="chart">
          <figcaption>${words.heading[family]}</figcaption>
          <div class="frame">
            <div class="plot" role="img" aria-label=${words.describe(shape)}></div>
            ${this.cursorOver(shape)}
          </div>
          <p class="readout" aria-hidden="true">${this.cursor === null ? chart.hint(touches()) : says(shape, nearest(places(shape), this.cursor))}</p>
          <ifm-save .of=${this} heading=${words.heading[family]}></ifm-save>
          ${this.folded(words.data, () => table(family, shape))}
        </figure>
      </div>
      <div class="now">
        <dl class="numbers">
          ${(["parameter", "kappa", "phi", "tau"] as const).map((key) => html`<div class=${key}><dt>${key === "parameter" ? words.names.parameter[family] : words.names[key]}</dt><dd class="num" data-moment=${key} data-value=${shape[key]}>${key === "parameter" ? cell(shape[key]) : number(shape[key])}</dd></div>`)}
        </dl>
        <p class="end" data-end=${position === POSITIONS ? "yes" : "no"}>${told}</p>
        <p class="note beside" aria-live="off">${this.beside}</p>
        <p class="note">${words.live}</p>
      </div>
    </div>`;
  }

  private cursorOver(shape: Shape): TemplateResult {
    const { family, cursor } = this;
    const all = places(shape);
    const at = cursor === null ? null : nearest(all, cursor);
    const [left, y] = at === null ? [0, 0] : [(100 * (at + EDGE)) / (2 * EDGE), height(family, shape, at) / TOP[family]];
    return this.over({
      box: `left:${MARGIN.left}px;right:${MARGIN.right}px;top:${MARGIN.top}px;bottom:${MARGIN.bottom}px`,
      places: all,
      first: all.indexOf(nearest(all, 0)),
      name: words.cursor,
      says: (x) => says(shape, x),
      marks: at === null ? nothing : html`<div class="hair" data-cursor style="left:${left}%"></div>${y > 1 ? nothing : html`<div class="pin" data-cursor style="left:${left}%;top:${100 * (1 - y)}%"></div>`}`,
    });
  }

  protected override meant(x: number, _: number, box: DOMRect): number {
    return nearest(places(shapeAt(this.family, this.position)), (2 * EDGE * x) / box.width - EDGE);
  }

  protected override index(all: readonly number[]): number {
    return this.cursor === null ? -1 : all.indexOf(nearest(all, this.cursor));
  }

  /** It belongs to no run. */
  override get about(): About {
    return { name: this.family, says: words.live, seed: null, query: null };
  }

  override sheet(): Sheet {
    const shape = shapeAt(this.family, this.position);
    const { points, density } = shape;
    const rows = density ? grid(FINE).map((x) => [x, density(x)] as const) : points.map(({ x, share }) => [x, share] as const);
    return {
      what: "column",
      title: words.heading[this.family],
      described: words.describe(shape),
      notes: [words.value(this.family, shape.parameter, shape.tau)],
      legend: [{ ...looks.column, name: words.column }, ...(this.family === "slider" ? [{ ...looks.gaussian, name: words.gaussian }] : [])],
      columns: [
        { name: words.x, values: rows.map(([x]) => x) },
        { name: density ? words.density : words.ofRows, values: rows.map(([, y]) => y) },
        ...(density ? [{ name: words.ofGaussian, values: rows.map(([x]) => normal(x)) }] : []),
      ],
      picture: this.picture(),
    };
  }

  private emit(name: string, detail: string | number): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("family") || changed.has("position")) this.drawSoon();
  }

  protected override plan(Plot: typeof plot): Plan {
    const shape = shapeAt(this.family, this.position);
    const { points, density } = shape;
    const top = TOP[this.family];
    const curve = (of: (x: number) => number): { x: number; y: number }[] => grid(FINE).map((x) => ({ x, y: of(x) }));
    const stroke = "var(--gfm)";
    const own = density ? curve(density) : [];
    const highest = own.reduce((most, point) => (point.y > most.y ? point : most), { x: 0, y: 0 });
    const over = highest.y > top ? [-1, 1].map((side) => ({ x: side * Math.abs(highest.x), text: words.peak(highest.y) })) : [];
    const heads = points.map(({ x, share }) => ({ x, y: height(this.family, shape, x), text: words.share(share) }));
    const stems = heads.flatMap(({ x, y }, z) => [{ x, y: 0, z }, { x, y, z }]);
    const marks: plot.Markish[] = [
      Plot.gridY(ticks(top), { stroke: "var(--rule)", strokeOpacity: 1 }),
      Plot.axisY(ticks(top), { tickSize: 0, tickPadding: 8, fill: "var(--quiet)" }),
      Plot.axisX([-3, -2, -1, 0, 1, 2, 3], { tickSize: 4, tickFormat: (x: number) => String(x).replace("-", "−"), label: words.x, labelAnchor: "center", labelArrow: "none", fill: "var(--quiet)" }),
      this.family === "slider" ? Plot.line(curve(normal), { x: "x", y: "y", stroke: "var(--base)", strokeWidth: 1.5, strokeDasharray: looks.gaussian.dash }) : null,
      Plot.areaY(own, { x: "x", y: "y", fill: stroke, fillOpacity: 0.15, clip: true }),
      Plot.line(own, { x: "x", y: "y", stroke, strokeWidth: 2.25, clip: true }),
      Plot.line(stems, { x: "x", y: "y", z: "z", stroke, strokeWidth: 4 }),
      Plot.text(heads, { x: "x", y: "y", text: "text", dy: -10, fill: "var(--ink)" }),
      Plot.text(over, { x: "x", y: () => top, text: "text", dy: -10, fill: "var(--ink)" }),
    ];
    return {
      margin: MARGIN,
      x: { domain: [-EDGE, EDGE], label: words.x },
      y: { domain: [0, top], label: null },
      marks,
    };
  }
}

function keys(family: Family): Key[] {
  return [{ ...looks.column, name: words.column }, ...(family === "slider" ? [{ ...looks.gaussian, name: words.gaussian }] : [])];
}

function ticks(top: number): number[] {
  const step = top > 1 ? 0.5 : 0.2;
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(6)));
}

/** What x the cursor can be at. */
function places({ points, density }: Shape): readonly number[] {
  return density ? grid(PLACES) : points.map(({ x }) => x);
}

function nearest(all: readonly number[], x: number): number {
  return all.reduce((best, one) => (Math.abs(one - x) < Math.abs(best - x) ? one : best), all[0] ?? 0);
}

/** The density or the share at a place. */
function valueAt({ points, density }: Shape, x: number): number {
  return density ? density(x) : (points.find((point) => point.x === x)?.share ?? Number.NaN);
}

/** How high it is drawn there: a share beside densities has all the height. */
function height(family: Family, shape: Shape, x: number): number {
  return family === "slider" && !shape.density ? TOP.slider : valueAt(shape, x);
}

function says(shape: Shape, x: number): string {
  return shape.density ? words.dense(x, valueAt(shape, x), normal(x)) : words.shared(x, valueAt(shape, x));
}

/** What is drawn, in numbers. */
function table(family: Family, { points, density }: Shape): TemplateResult {
  const rows = density ? grid(COARSE).map((x) => [x, density(x)] as const) : points.map(({ x, share }) => [x, share] as const);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${words.data}, ${words.heading[family]}">
    <table class="numbers">
      ${heads([words.x, density ? words.density : words.ofRows, ...(density ? [words.ofGaussian] : [])])}
      <tbody>
        ${rows.map(([x, y]) => html`<tr><th scope="row">${cell(x)}</th><td>${number(y)}</td>${density ? html`<td>${number(normal(x))}</td>` : nothing}</tr>`)}
      </tbody>
    </table>
  </div>`;
}

customElements.define("ifm-distribution", Distribution);
