import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { chart } from "../../charts/element.js";
import { legend } from "../../charts/looks.js";
import { along, axisX, axisY, gridY, hair, share, ticked, type Point } from "../../charts/marks.js";
import type { Content } from "../../charts/spec.js";
import { multiples } from "../../charts/ticks.js";
import type { About } from "../../panel/about.js";
import { Panel } from "../../panel/panel.js";
import { cell, number } from "../../text/format.js";
import { pick } from "../chapter/element.js";
import { normal, POSITIONS, shapeAt, type Family, type Shape } from "./shape.js";

const words = {
  families: { slider: "from Gaussian to ±1", threepoint: "three points" } satisfies Record<Family, string>,
  ends: { slider: { from: "Gaussian", to: "±1" }, threepoint: { from: "two thirds are 0", to: "±1" } } satisfies Record<Family, { readonly from: string; readonly to: string }>,
  value: (family: Family, parameter: number, tau: number) => `${{ slider: "a", threepoint: "p" }[family]} = ${number(parameter, 4)}, τ = ${number(tau)}`,
  heading: { slider: "Density of x = a·(±1) + √(1 − a²)·Gaussian", threepoint: "Shares of −1/√p, 0 and 1/√p" } satisfies Record<Family, string>,
  x: "x, in standard deviations",
  density: "density",
  ofGaussian: "density of a Gaussian",
  ofRows: "share of the rows",
  names: {
    parameter: { slider: "a, weight of ±1", threepoint: "p, share not 0" } satisfies Record<Family, string>,
    kappa: "κ = E x³",
    phi: "φ = E x⁴",
    tau: "τ = φ − 1 − κ²",
  },
  told: {
    start: {
      slider: "Gaussian: x² differs from row to row, and no straight line in x predicts it. So gFM can learn its diagonal.",
      threepoint: "Three points: x² is 0 in two rows of three and 3 in the others, and no straight line in x predicts it. So gFM can learn its diagonal.",
    } satisfies Record<Family, string>,
    between: "The rows gather at −1 and 1. x² differs less and less from 1, so there is less and less to learn the diagonal from.",
    end: "±1: x² is 1 in every row, so a square tells nothing. The diagonal merges into the bias; for two other values, such as 0 and 1, into the bias and the linear term.",
  },
  live: "Live: computed as you move the slider.",
  describe: ({ kappa, phi, tau, points, density }: Shape) =>
    `${density ? "Density of a column, on a Gaussian one: " : "Shares of the values of a column: "}${density ? `at −1 and 1 it is ${number(density(1), 2)}, at 0 ${number(density(0), 2)}` : points.map(({ x, share }) => `${number(share, 2)} at ${number(x, 3)}`).join(", ")}. κ is ${number(kappa)}, φ ${number(phi)}, τ ${number(tau)}.`,
};


const EDGE = 3; // sd, drawn on each side
const TOP = { slider: 1.5, threepoint: 0.8 } as const; // of the axis, which stays while the slider moves
const FINE = 481; // points of a curve
const COARSE = 20; // of them are a step of the table
const PLACES = 121; // of the cursor on a curve, those of the table among them
const grid = (n: number): number[] => Array.from({ length: n }, (_, i) => (2 * EDGE * i) / (n - 1) - EDGE);
const column = { colour: "gfm", dash: "", symbol: "", name: "this column" } as const;
const gaussian = { colour: "base", dash: "6 4", symbol: "", name: "Gaussian" } as const;

/** A column between Gaussian and ±1, with its moments: a slider takes it there. */
class Distribution extends Panel {
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
        ${pick({ name: "family", label: "Columns", options: words.families }, family, (of) => this.emit("family", of))}
        <label class="slide">
          <span>${end.from}</span>
          <input
            type="range"
            min="0"
            max=${POSITIONS}
            step="1"
            .value=${String(position)}
            aria-label=${`The column, from “${end.from}” to “${end.to}”`}
            aria-valuetext=${words.value(family, shape.parameter, shape.tau)}
            @input=${(e: Event) => this.emit("position", Number((e.target as HTMLInputElement).value))}
          />
          <span>${end.to}</span>
        </label>
      </p>
      <div class="picture">
        ${legend(keys(family))}
        ${chart({ name: "column", title: words.heading[family], waiting: "", data: "Data of this picture", of: [family, position], content: contentOf(family, shape) })}
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

  /** It belongs to no run. */
  override get about(): About {
    return { name: this.family, says: words.live, seed: null, query: null };
  }

  private emit(name: string, detail: string | number): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

function keys(family: Family): (typeof column | typeof gaussian)[] {
  return family === "slider" ? [column, gaussian] : [column];
}

function contentOf(family: Family, shape: Shape): Content<number> {
  const { points, density } = shape;
  const top = TOP[family];
  const places = density ? grid(PLACES) : points.map(({ x }) => x);
  const xs = density ? grid(FINE) : places;
  const valueAt = (x: number): number => (density ? density(x) : (points.find((point) => point.x === x)?.share ?? Number.NaN));
  const height = (x: number): number => (family === "slider" && !density ? top : valueAt(x)); // a share beside densities has all the height
  const sides = along([-EDGE, EDGE], places);
  return {
    notes: [words.value(family, shape.parameter, shape.tau)],
    legend: keys(family),
    rows: [...xs.keys()].filter((row) => !density || row % COARSE === 0),
    x: { domain: [-EDGE, EDGE], label: words.x },
    y: { domain: [0, top], label: null },
    margin: () => ({ left: 40, right: 16, top: 24, bottom: 40 }),
    summary: () => words.describe(shape),
    columns: () => [
      { name: words.x, head: words.x, values: xs, cell },
      ...(density ? [{ name: words.density, head: words.density, values: xs.map(density), cell: short }, { name: words.ofGaussian, head: words.ofGaussian, values: xs.map(normal), cell: short }] : [{ name: words.ofRows, head: words.ofRows, values: xs.map(valueAt), cell: short }]),
    ],
    cursor: {
      ...sides,
      name: "x under the cursor",
      first: places.indexOf(sides.stays(0) ?? 0),
      says: (x) => (density ? `x = ${cell(x)}: density ${number(density(x))}, of a Gaussian ${number(normal(x))}` : `x = ${cell(x)}: share of the rows ${number(valueAt(x))}`),
      mark(x) {
        const [across, up] = [share([-EDGE, EDGE], x), height(x) / top];
        return html`${hair(across)}${up > 1 ? nothing : html`<div class="pin" data-cursor style="left:${100 * across}%;top:${100 * (1 - up)}%"></div>`}`;
      },
    },
    marks(Plot) {
      const stroke = "var(--gfm)";
      const curve = (of: (x: number) => number): Point[] => grid(FINE).map((x) => [x, of(x)]);
      const own = density ? curve(density) : [];
      const [at, highest] = own.reduce((most, point) => (point[1] > most[1] ? point : most), [0, 0]);
      const over = highest > top ? [-1, 1].map((side) => side * Math.abs(at)) : [];
      const stems = points.flatMap(({ x }, z) => [{ x, y: 0, z }, { x, y: height(x), z }]);
      const ticks = multiples(top > 1 ? 0.5 : 0.2, 0, top);
      return [
        gridY(Plot, ticks),
        axisY(Plot, ticks, null, { tickFormat: (y: number) => y.toFixed(1) }),
        axisX(Plot, multiples(1, -EDGE, EDGE), words.x, { ...ticked, tickFormat: (x: number) => String(x).replace("-", "−") }),
        family === "slider" ? Plot.line(curve(normal), { stroke: "var(--edge)", strokeWidth: 1.5, strokeDasharray: gaussian.dash }) : null,
        Plot.areaY(own, { x: "0", y: "1", fill: stroke, fillOpacity: 0.15, clip: true }),
        Plot.line(own, { stroke, strokeWidth: 2.25, clip: true }),
        Plot.line(stems, { x: "x", y: "y", z: "z", stroke, strokeWidth: 4 }),
        Plot.text(points, { x: "x", y: ({ x }: (typeof points)[number]) => height(x), text: ({ share }: (typeof points)[number]) => `${number(100 * share, 3).replace(/\.0+$/, "")} %`, dy: -10, fill: "var(--ink)" }),
        Plot.text(over, { x: (x: number) => x, y: () => top, text: () => `↑ ${number(highest, 2)}`, dy: -10, fill: "var(--ink)" }),
      ];
    },
  };
}

function short(value: number): string {
  return number(value);
}

customElements.define("ifm-distribution", Distribution);
