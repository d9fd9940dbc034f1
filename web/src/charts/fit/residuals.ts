import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { segments } from "../../panel/inputs.js";
import { Panel, prop } from "../../panel/panel.js";
import { count, number, percent, signed } from "../../text/format.js";
import { models, short } from "../../text/strings.js";
import { isModel } from "../../training/standing.js";
import type { Column } from "../data.js";
import { chart } from "../element.js";
import { place } from "../labels.js";
import { along, axisX, axisY, gridY, written, type Point } from "../marks.js";
import type { Content } from "../spec.js";
import { lineOf, textOf } from "../styles.js";
import { bin, edges, nice, type Bins, type Predictor, type Rows } from "./rows.js";
import { scatter } from "./scatter.js";
import { residuals as strings } from "./strings.js";

type All = ReadonlyMap<Predictor, Rows>;

const MARGIN = { left: 56, right: 16, top: 26, bottom: 40 }; // px
const LINE = 16; // px from one label to the next

/** What is off, and by how much: predicted − actual on the test rows, counted for every model or row by row for one. */
class Residuals extends Panel {
  @prop accessor all: All = new Map();
  @property() accessor whose: Predictor = "ifm"; // the one of the dots
  @property() accessor of: "line" | "row" = "line";
  @property() accessor target = "";
  @prop accessor explained: number | null = null; // as the scatter has it
  @prop accessor explain: ((line: number, byKey: boolean) => void) | null = null;
  @state() private accessor mode: "histogram" | "against" = "histogram";

  private bins: Bins | null = null;

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("all")) this.bins = this.all.size > 1 ? bin(this.all) : null;
  }

  protected override render(): TemplateResult {
    const { all, bins, whose, of, target, explained, explain } = this;
    return html`<div class="residuals">
      <div class="head">
        <p class="caption" id="residuals-${of}">${strings.title(target)}</p>
        ${segments(`residuals-${of}`, strings.mode, strings.modes, this.mode, (mode) => (this.mode = mode))}
      </div>
      <div ?hidden=${this.mode !== "histogram"}>${histogram(all, bins, of, target)}</div>
      ${this.mode === "against" ? scatter({ rows: all.get(whose) ?? null, whose, of, what: "residual", target, heading: "", explained, explain }) : nothing}
    </div>`;
  }
}

/** An outline for each of several models. */
function histogram(all: All, bins: Bins | null, of: "line" | "row", target: string): TemplateResult {
  return chart({ name: "errors", title: strings.title(target), caption: "", look: "scatter", waiting: strings.soon, data: strings.data, of: [all], content: bins && contentOf(all, bins, of, target) });
}

function contentOf(all: All, bins: Bins, of: "line" | "row", target: string): Content<number> {
  const { width, half, counts } = bins;
  const n = 2 * half + 1;
  const every = Array.from({ length: n }, (_, at) => at);
  const edge = (i: number): number => (i - half - 0.5) * width;
  const most = nice(Math.max(1, ...[...counts.values()].flat()) / 0.94);
  const outlines = [...counts].map(([whose, own]) => {
    const top = Math.max(...own);
    return { whose, own, top, peak: own.indexOf(top) };
  });
  const range = (at: number): string => {
    const [low, high] = edges(bins, at);
    return low === Number.NEGATIVE_INFINITY ? strings.below(high) : high === Number.POSITIVE_INFINITY ? strings.above(low) : strings.between(low, high);
  };
  const facts = Object.values(strings.facts);
  const table = ({ spread, residual }: Rows, own: readonly number[]): string[] => [number(spread.rmse), signed(spread.bias), percent(spread.within), signed(residual[spread.worst] ?? 0), ...own.map(count)];
  return {
    legend: outlines.map(({ whose }) => ({ ...look(whose), name: models[whose], symbol: "" })),
    rows: [...facts, ...every].map((_, row) => row),
    svg: "residuals-svg",
    x: { domain: [edge(0), edge(n)] },
    y: { domain: [0, most] },
    margin: () => MARGIN,
    summary: () =>
      [
        strings.describe(all.get("ridge")?.actual.length ?? 0),
        ...[...all].map(([whose, { line, residual, spread: { rmse, bias, within, worst } }]) => strings.spread(short[whose], rmse, bias, within, residual[worst] ?? 0, strings.place[of](line[worst] ?? 0))),
      ].join(" "),
    columns: () => [
      { head: strings.residual, values: [...facts, ...every.map(range)] },
      { name: strings.from, values: every.map((at) => edges(bins, at)[0]) },
      { name: strings.to, values: every.map((at) => edges(bins, at)[1]) },
      ...[...all].flatMap(([whose, rows]): Column[] => {
        const values = counts.get(whose) ?? [];
        return [{ name: `${strings.y}, ${short[whose]}`, values }, { head: short[whose], values: table(rows, values) }];
      }),
    ],
    cursor: {
      ...along([-0.5, n - 0.5], every),
      name: strings.cursor,
      hint: strings.hint,
      first: half,
      says: (at) => strings.at(range(at), [...counts].map(([whose, own]) => strings.count(short[whose], own[at] ?? 0))),
      mark: (at) => html`<div class="bin" style="left:${(100 * at) / n}%;width:${100 / n}%"></div>`,
    },
    marks(Plot, { width: wide, height }) {
      const bottom = height - MARGIN.bottom;
      const sorted = [...outlines].sort((a, b) => b.top - a.top);
      const wishes = sorted.map(({ top }) => ({ left: 0, right: 1, y: bottom - (top / most) * (bottom - MARGIN.top) }));
      const heights = place(wishes, [], LINE, MARGIN.top + LINE / 2, bottom - LINE / 2); // of the labels, beside the peaks
      return [
        gridY(Plot, 4),
        axisX(Plot, wide < 380 ? 3 : 5, strings.x(target)),
        axisY(Plot, 4, strings.y, { tickFormat: (v: number) => (Number.isInteger(v) ? count(v) : ""), labelAnchor: "top", labelOffset: 40 }),
        Plot.line([[0, 0], [0, most]], { stroke: "var(--base)", strokeWidth: 1, strokeDasharray: "2 3" }),
        ...outlines.map(({ whose, own }) => {
          const { colour, dash, width } = look(whose);
          const path: Point[] = [[edge(0), 0], ...own.flatMap((c, i): Point[] => [[edge(i), c], [edge(i + 1), c]]), [edge(n), 0]];
          return Plot.line(path, { stroke: `var(--${colour})`, strokeWidth: width, strokeDasharray: dash, strokeLinejoin: "miter" });
        }),
        ...sorted.map(({ whose, peak }, i) => {
          const [fill, weight] = textOf(whose);
          const left = peak > 0.7 * n;
          return written(Plot, short[whose], fill, weight, { x: [edge(left ? peak : peak + 1)], frameAnchor: "top", dx: left ? -8 : 8, dy: (heights[i] ?? 0) - MARGIN.top, textAnchor: left ? "end" : "start", lineAnchor: "middle", strokeWidth: 5 });
        }),
      ];
    },
  };
}

/** All that is no model has the line of ridge. */
function look(whose: Predictor): ReturnType<typeof lineOf> {
  return lineOf(isModel(whose) ? whose : "ridge");
}

customElements.define("ifm-residuals", Residuals);
