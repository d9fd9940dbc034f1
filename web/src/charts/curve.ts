import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Measure } from "../engine/protocol.js";
import { touches } from "../panel/panel.js";
import { verdict } from "../panel/strings.js";
import type { Spec } from "../state/spec.js";
import { cell, number, power } from "../text/format.js";
import { models, short } from "../text/strings.js";
import { thin, type Line, type Model } from "../training/series.js";
import type { Standing } from "../training/standing.js";
import type { Ghost, Phase } from "../training/training.js";
import { beyond, clip, hold, share, type Axis, type Point } from "./axis.js";
import { SIZE, type Plan } from "./chart.js";
import { unlike } from "./earlier.js";
import { place, type Box } from "./labels.js";
import type * as plot from "./plot.js";
import { Pointed } from "./pointed.js";
import type { Sheet } from "./sheet.js";
import { curve as strings, saved } from "./strings.js";

export interface Look {
  readonly dash: string;
  readonly symbol: "circle" | "square" | "triangle";
  readonly width: number;
}

export const looks: Readonly<Record<Model, Look>> = {
  fm: { dash: "7 4", symbol: "square", width: 2.25 },
  gfm: { dash: "2 4", symbol: "triangle", width: 2.25 },
  ifm: { dash: "", symbol: "circle", width: 2.5 },
};
export const baselineDash = { mean: "1 4", ridge: "9 3 1 3", quadratic: "5 3", trees: "9 3 1 3 1 3" } as const;

const POINTS = 400; // drawn of a line at most
const ROWS = 200; // of the table at most
const PADDING = 8; // px, between the ticks' texts and the axis
const STROKE = 2.5; // px, of ground around a label
const ASIDE = 10; // px, from a tip to its label
const LINE = 17; // px from one label to the next
const TIP = 8; // px, half of the largest mark at a tip with its edge
const RING = 8; // px, the same of a ring
const EXIT = 11; // px, half the height of the triangle where a line leaves the axis; it is narrower

interface Label {
  readonly text: string;
  readonly colour: string;
  readonly weight: number;
  readonly x: number; // in iterations
  readonly y: number; // px from the top
  readonly aside: number; // px from x, less than usual where the text would be cut
}

/** A line as it is drawn. */
interface Drawn {
  readonly line: Line;
  readonly points: readonly number[]; // indices of its records
  readonly path: readonly Point[];
  readonly exits: readonly Point[]; // where it leaves the axis
  readonly tip: Point; // its end, or where it left for good
}

/** The test error by iteration, with a cursor that a pointer or the arrow keys move. */
class Curve extends Pointed<number> {
  @property({ attribute: false }) accessor lines: readonly Line[] = [];
  @property({ attribute: false }) accessor baselines: readonly Standing[] = [];
  @property({ attribute: false }) accessor ghost: Ghost | null = null; // drawn faintly
  @property() accessor query = ""; // of the lines, to tell what the ghost has otherwise
  @property({ attribute: false }) accessor axis: Axis | null = null;
  @property({ attribute: false }) accessor heading: string = strings.title;
  @property() accessor measure: Measure = "rmse";
  @property({ attribute: false }) accessor caption: TemplateResult | null = null; // the heading, where its words open
  @property({ attribute: false }) accessor waiting = ""; // what to say while there is nothing to draw

  private readonly pen = document.createElement("canvas").getContext("2d"); // measures texts

  protected override render(): TemplateResult {
    const a = this.axis;
    const margin = this.margin();
    const [, last] = a?.x ?? [0, 0];
    const at = this.cursor;
    const says = at === null ? "" : this.says(at);
    return html`<figure class="chart">
      <figcaption>${this.caption ?? this.heading}</figcaption>
      <div class="frame" data-scale=${a?.scale ?? ""}>
        <div class="plot" role="img" aria-label=${a ? this.describe(a) : this.waiting}></div>
        ${a
          ? this.over({
              box: `left:${margin.left}px;right:${margin.right}px`,
              places: Array.from({ length: this.end() + 1 }, (_, iteration) => iteration),
              first: this.end(),
              name: strings.cursor,
              says: (iteration) => this.says(iteration),
              marks: at === null ? nothing : html`<div class="hair" style="left:${(100 * at) / Math.max(1, last)}%"></div>`,
            })
          : html`<p class="empty">${this.waiting}</p>`}
      </div>
      <p class="readout" aria-hidden="true">${says || (a ? html`${this.ghost ? html`<span class="before">${strings.ghost(this.otherwise(this.ghost))}</span> ` : nothing}${this.hint()}` : "")}</p>
      <ifm-save .of=${this} heading=${this.heading}></ifm-save>
      ${this.folded(strings.data, () => this.table())}
    </figure>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("lines") || changed.has("axis") || changed.has("baselines") || changed.has("ghost")) this.drawSoon();
  }

  private describe(a: Axis): string {
    return [
      strings.describe[a.scale](this.measure),
      ...this.lines.map((line) => strings.line(short[line.model], line.error[0] ?? Number.NaN, line.error.at(-1) ?? Number.NaN, line.iteration.at(-1) ?? 0)),
      ...this.baselines.map((b) => strings.reference(models[b.whose], b.error)),
      ...(this.ghost ? [strings.ghostEnds(this.otherwise(this.ghost), this.ghost.lines.map((line) => strings.value(short[line.model], line.error.at(-1) ?? Number.NaN)))] : []),
    ].join(" ");
  }

  private otherwise(ghost: Ghost): string {
    return unlike(this.query, ghost.query);
  }

  private hint(): string {
    const trials = Math.max(1, ...this.lines.map((line) => line.trials));
    const hint = strings.hint(touches());
    return trials > 1 ? `${strings.band(trials)} ${hint}` : hint;
  }

  private end(): number {
    return Math.max(0, ...this.lines.map((line) => line.iteration.at(-1) ?? 0));
  }

  private says(iteration: number): string {
    const parts = this.lines.flatMap((line) => {
      const value = line.error[iteration];
      return value === undefined ? [] : [strings.value(short[line.model], value)];
    });
    return strings.at(iteration, parts);
  }

  protected override meant(x: number, _: number, box: DOMRect): number {
    return Math.min(Math.max(Math.round((x / box.width) * (this.axis?.x[1] ?? 0)), 0), this.end());
  }

  protected override index(places: readonly number[]): number {
    return this.cursor === null ? -1 : Math.min(this.cursor, places.length - 1); // what comes may be shorter
  }

  private margin(): { left: number; right: number; top: number; bottom: number } {
    const phone = this.width < 480;
    const a = this.axis;
    const widest = Math.max(0, ...(a?.ticks ?? []).map((value) => this.long(a ? tick(a, value) : "", 400)));
    return { left: Math.max(phone ? 40 : 52, Math.ceil(widest) + PADDING + 4), right: phone ? 114 : 138, top: 10, bottom: 36 };
  }

  /** The width of a text in the chart, in px. */
  private long(text: string, weight: number): number {
    const context = this.pen;
    if (!context) return 0;
    context.font = `${weight} ${SIZE}px ${getComputedStyle(document.body).fontFamily}`; // its own would have the browser lay out the page
    return context.measureText(text).width;
  }

  protected override plan(Plot: typeof plot, height: number): Plan | null {
    const a = this.axis;
    if (!a) return null;
    const margin = this.margin();
    const drawn = this.lines.map((line) => this.drawn(a, line));
    return {
      margin,
      x: { domain: [...a.x], label: strings.x },
      y: { type: a.scale, domain: [...a.y], label: null },
      marks: [
        Plot.gridY([...a.ticks], { stroke: "var(--rule)", strokeOpacity: 1 }),
        Plot.axisY([...a.ticks], { tickSize: 0, tickPadding: PADDING, text: (v: number) => tick(a, v), fill: "var(--quiet)" }),
        Plot.axisX({ ticks: this.width < 480 ? 3 : 6, tickSize: 4, label: strings.x, labelAnchor: "center", labelArrow: "none", fill: "var(--quiet)" }),
        ...this.baselines.filter((b) => beyond(a, b.error) === 0).map((b) =>
          Plot.ruleY([b.error], { stroke: "var(--base)", strokeWidth: 1.5, strokeDasharray: baselineDash[b.whose as keyof typeof baselineDash] }),
        ),
        ...(this.ghost?.lines ?? []).map((line) => {
          const shown = thin(line.error.length, POINTS).map((i) => spot(line, i)).filter(([x]) => x <= a.x[1]);
          return Plot.line(clip(a, shown).path, { className: "ghost", stroke: `var(--${line.model})`, strokeWidth: 1.25, strokeOpacity: 0.5, strokeDasharray: looks[line.model].dash, strokeLinejoin: "round" });
        }),
        ...drawn.flatMap((one) => this.marks(Plot, a, one)),
        ...this.labels(a, height, drawn).map((label) =>
          Plot.text([label], {
            x: "x",
            frameAnchor: "top",
            dx: label.aside,
            dy: label.y - margin.top,
            lineAnchor: "middle",
            textAnchor: "start",
            text: "text",
            fill: label.colour,
            fontWeight: label.weight,
            stroke: "var(--ground)",
            strokeWidth: 2 * STROKE,
          }),
        ),
      ],
    };
  }

  private drawn(a: Axis, line: Line): Drawn {
    const points = thin(line.error.length, POINTS);
    const { path, exits } = clip(a, points.map((i) => spot(line, i)));
    const last = spot(line, line.error.length - 1);
    return { line, points, path, exits, tip: beyond(a, last[1]) === 0 ? last : (exits.at(-1) ?? last) };
  }

  private marks(Plot: typeof plot, a: Axis, { line, points, path, exits, tip }: Drawn): plot.Markish[] {
    const look = looks[line.model];
    const stroke = `var(--${line.model})`;
    const within = (indices: readonly number[]): Point[] => indices.map((i) => spot(line, i)).filter(([, y]) => beyond(a, y) === 0);
    return [
      line.trials > 1
        ? Plot.areaY(points, { x: (i: number) => line.iteration[i], y1: (i: number) => hold(a, line.low[i] ?? Number.NaN), y2: (i: number) => hold(a, line.high[i] ?? Number.NaN), fill: stroke, fillOpacity: 0.15 })
        : null,
      Plot.line(path, { stroke, strokeWidth: look.width, strokeDasharray: look.dash, strokeLinejoin: "round" }),
      Plot.dot(within(markers(line.error.length, a.x[1])), { symbol: look.symbol, fill: stroke, r: 3.5 }),
      ringed(line) && line.choice ? Plot.dot(within([line.choice.at]), { className: "ring", stroke, strokeWidth: 2, r: 7, fill: "none" }) : null,
      Plot.dot(exits.includes(tip) ? [] : [tip], { className: "tip", symbol: look.symbol, fill: stroke, stroke: "var(--ground)", strokeWidth: 1.5, r: 5 }),
      Plot.dot(exits, { className: "exit", symbol: "triangle", rotate: ([, y]: Point) => (y === a.y[1] ? 0 : 180), fill: stroke, stroke: "var(--ground)", strokeWidth: 1.5, r: 7 }),
    ];
  }

  /** At the tips of the lines and the ends of the reference lines, where they cover neither each other nor a mark. */
  private labels(a: Axis, height: number, drawn: readonly Drawn[]): Label[] {
    const margin = this.margin();
    const [top, bottom] = [margin.top, height - margin.bottom];
    const x = (value: number): number => margin.left + (value / Math.max(1, a.x[1])) * (this.width - margin.left - margin.right);
    const y = (value: number): number => bottom - share(a, value) * (bottom - top);
    const said = (name: string, value: number): string => {
      const text = `${name} ${number(value, this.width < 480 ? 2 : 3)}`;
      return value > a.y[1] ? strings.above(text) : value < a.y[0] ? strings.below(text) : text;
    };
    const all = [
      ...this.baselines.map((b) => ({ text: said(short[b.whose], b.error), colour: "var(--quiet)", weight: 400, x: a.x[1], y: y(b.error) })),
      ...drawn.map(({ line, tip: [x, y_] }) => {
        const value = line.error.at(-1) ?? Number.NaN;
        const name = ringed(line) ? strings.kept(short[line.model]) : short[line.model];
        return { text: said(name, line.done ? line.reached : value), colour: `var(--${line.model}-text)`, weight: 650, x, y: y(y_) };
      }),
    ].filter((label) => !Number.isNaN(label.y));
    const wishes = all.map((label) => {
      const width = this.long(label.text, label.weight) + STROKE;
      const left = Math.min(x(label.x) + ASIDE, this.width - width);
      return { left, right: left + width, y: label.y };
    });
    const marks = drawn.flatMap(({ line, exits, tip }) => {
      const kept = ringed(line) && line.choice ? spot(line, line.choice.at) : null;
      const mark = ([at, value]: Point, half: number): Box => ({ left: x(at) - Math.min(half, ASIDE - 1), right: x(at) + Math.min(half, ASIDE - 1), top: y(value) - half, bottom: y(value) + half });
      return [...exits.map((exit) => mark(exit, EXIT)), ...(exits.includes(tip) ? [] : [mark(tip, TIP)]), ...(kept && beyond(a, kept[1]) === 0 ? [mark(kept, RING)] : [])];
    });
    const placed = place(wishes, marks, LINE, top - 2, bottom - 4);
    return all.map((label, i) => ({ ...label, y: placed[i] ?? label.y, aside: (wishes[i]?.left ?? 0) - x(label.x) }));
  }

  override sheet(): Sheet | null {
    if (!this.axis) return null;
    const before = this.ghost?.lines ?? [];
    const longest = this.longest();
    const length = longest?.iteration.length ?? 0;
    const unit = this.about?.unit ?? "";
    const trials = Math.max(1, ...this.lines.map((line) => line.trials));
    return {
      what: "curve",
      title: this.heading,
      described: this.describe(this.axis),
      notes: [...(this.ghost ? [strings.ghost(this.otherwise(this.ghost))] : []), ...(trials > 1 ? [strings.band(trials)] : []), ...(this.lines.some(ringed) ? [verdict.ring] : [])],
      legend: [
        ...this.lines.map(({ model }) => ({ ...looks[model], name: models[model], colour: model })),
        ...this.baselines.map(({ whose }) => ({ name: models[whose], colour: "base", dash: baselineDash[whose as keyof typeof baselineDash], symbol: "" as const })),
      ],
      columns: [
        { name: strings.x, values: longest?.iteration ?? [] },
        ...this.lines.flatMap(({ model, trials, error: mean, low, high }) => {
          const name = saved.error(short[model], this.measure, unit);
          return trials > 1 ? [{ name: saved.mean(name), values: mean }, { name: saved.low(name), values: low }, { name: saved.high(name), values: high }] : [{ name, values: mean }];
        }),
        ...before.map((line) => ({ name: saved.error(strings.before(short[line.model]), this.measure, unit), values: line.error })),
        ...this.baselines.map((b) => ({ name: saved.error(saved.baseline(short[b.whose]), this.measure, unit), values: Array.from({ length }, () => b.error) })),
      ],
      picture: this.picture(),
    };
  }

  private longest(): Line | undefined {
    return [...this.lines, ...(this.ghost?.lines ?? [])].reduce<Line | undefined>((best, line) => (best && best.error.length >= line.error.length ? best : line), undefined);
  }

  private table(): TemplateResult {
    const before = this.ghost?.lines ?? [];
    const longest = this.longest();
    const rows = thin(longest?.error.length ?? 0, ROWS);
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.data}>
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">${strings.iteration}</th>
            ${this.lines.map((line) => html`<th scope="col">${short[line.model]}</th>`)} ${before.map((line) => html`<th scope="col">${strings.before(short[line.model])}</th>`)} ${this.baselines.map((b) => html`<th scope="col">${short[b.whose]}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (i) => html`<tr>
              <th scope="row">${longest?.iteration[i]}</th>
              ${[...this.lines, ...before].map((line) => html`<td>${line.error[i] === undefined ? "" : number(line.error[i], 4)}</td>`)}
              ${this.baselines.map((b) => html`<td>${number(b.error, 4)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }
}

function spot(line: Line, i: number): Point {
  return [line.iteration[i] ?? 0, line.error[i] ?? Number.NaN];
}

/** What to say while there is nothing to draw. */
export function waiting(phase: Phase, source: Spec["source"]): string {
  if (phase === "failed" || phase === "stopped") return strings.waiting[phase];
  if (phase === "starting") return source === "table" ? strings.waiting.fitting : strings.waiting.drawing;
  return strings.waiting.soon;
}

/** Whether the model that is kept is not the last one. */
function ringed(line: Line): boolean {
  return line.done && line.trials === 1 && line.choice !== null && line.choice.at < line.error.length - 1;
}

function tick(a: Axis, value: number): string {
  return a.scale === "log" && isPower(value) ? power(Math.round(Math.log10(value))) : cell(value).replace(/\.?0+ ×/, " ×");
}

function isPower(value: number): boolean {
  return Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
}

/** About six markers over the whole axis, none at the tip. */
function markers(length: number, end: number): number[] {
  const every = Math.max(1, Math.round(end / 6));
  const spots: number[] = [];
  for (let i = every; i < length - every / 4; i += every) spots.push(i);
  return spots;
}

customElements.define("ifm-curve", Curve);
