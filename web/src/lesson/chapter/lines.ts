import { html, nothing, svg, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { Plotted } from "../../charts/chart.js";
import type { Plan } from "../../charts/chart.js";
import type * as plot from "../../charts/plot.js";
import type { Sheet } from "../../charts/sheet.js";
import { saved } from "../../charts/strings.js";
import { touches } from "../../panel/panel.js";
import { number, power } from "../../text/format.js";
import { thin } from "../../training/series.js";
import { chart as strings } from "./strings.js";

type Symbol = "circle" | "square" | "triangle";

/** One line of a chart, told from the others by colour, dash and marker. */
export interface Line {
  readonly name: string;
  readonly colour: string; // a custom property's name, without its dashes
  readonly dash: string;
  readonly symbol: Symbol | ""; // "": a reference without markers
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly low?: readonly number[] | undefined; // the band
  readonly high?: readonly number[] | undefined;
}

export interface Axis {
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
  readonly label: string;
  readonly format: (value: number) => string;
  readonly value?: (place: number) => number; // what stands there, where the axis has places of its own
}

/** An axis upwards. */
export interface Scale extends Axis {
  readonly type: "log" | "linear";
}

/** A picture and its words. */
export interface Drawing {
  readonly lines: readonly Line[];
  readonly x: Axis;
  readonly y: Scale;
  readonly at: (x: number) => string; // names the place under the cursor
}

const POINTS = 400; // drawn of a line at most
const ROWS = 200; // of the table at most
const MARGIN = { right: 12, top: 12, bottom: 40 }; // px
const LETTER = 7.5; // px, of the chart's texts
const LINE = 17; // px, the same
const ASIDE = 9; // px, of a label from its line
const LABELS: ReadonlySet<string> = new Set(["fm", "gfm", "ifm"]); // colours that letters have in a shade of their own

/** Several lines over one x, with a legend, a cursor that a pointer or the arrow keys move, and the data as a table. */
class Lines extends Plotted {
  @property() accessor heading = "";
  @property({ attribute: false }) accessor drawing: Drawing | null = null;
  @property() accessor waiting = ""; // what to say while there is nothing to draw
  @property({ type: Boolean }) accessor labelled = false; // at the ends of the lines
  @property({ attribute: false }) accessor mark = Number.NaN; // a place on the x axis, told in words elsewhere; NaN: none
  @state() private accessor cursor: number | null = null; // index into the places

  protected override render(): TemplateResult {
    const d = this.drawing;
    const places = this.places();
    const at = Math.min(this.cursor ?? places.length - 1, places.length - 1);
    const drawn = d !== null && places.length > 0;
    return html`<figure class="chart">
      <figcaption>${this.heading}</figcaption>
      <div class="frame" data-scale=${d?.y.type ?? ""}>
        <div class="plot" role="img" aria-label=${drawn ? this.describe(d) : this.waiting}></div>
        ${drawn
          ? html`<div class="over" style="left:${this.left()}px;right:${this.right()}px" @pointermove=${this.point} @pointerleave=${this.leave}>
              ${Number.isNaN(this.mark) ? nothing : html`<div class="hair here" style="left:${100 * this.share(d, this.mark)}%"></div>`}
              ${this.cursor === null ? nothing : html`<div class="hair" style="left:${100 * this.share(d, places[at] ?? 0)}%"></div>`}
              <input
                type="range"
                min="0"
                max=${places.length - 1}
                step="1"
                .value=${String(at)}
                aria-label=${strings.cursor(d.x.label)}
                aria-valuetext=${this.says(d, places[at] ?? 0)}
                @input=${(e: Event) => (this.cursor = Number((e.target as HTMLInputElement).value))}
                @focus=${() => (this.cursor ??= places.length - 1)}
                @blur=${() => (this.cursor = null)}
              />
            </div>`
          : html`<p class="empty">${this.waiting}</p>`}
      </div>
      <p class="readout" aria-hidden="true">${!drawn ? "" : this.cursor === null ? strings.hint(touches()) : this.says(d, places[at] ?? 0)}</p>
      <ifm-save .of=${this} heading=${this.heading}></ifm-save>
      ${this.folded(strings.data, () => (d ? this.table(d, places) : nothing))}
    </figure>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("drawing")) this.drawSoon();
  }

  /** Every x that a line has a point at, in order. */
  private places(): number[] {
    return [...new Set(this.drawing?.lines.flatMap((line) => line.x) ?? [])].sort((a, b) => a - b);
  }

  private share(d: Drawing, x: number): number {
    const [low, high] = d.x.domain;
    return (x - low) / (high - low || 1);
  }

  private says(d: Drawing, x: number): string {
    const parts = d.lines.flatMap((line) => {
      const y = line.y[line.x.indexOf(x)];
      return y === undefined ? [] : [`${line.name} ${number(y)}`];
    });
    return strings.at(d.at(x), parts);
  }

  private describe(d: Drawing): string {
    return [strings.describe(d.y.label, d.x.label, d.y.type), ...d.lines.filter((line) => line.y.length > 0).map((line) => strings.line(line.name, d.at(line.x[0] ?? 0), line.y[0] ?? Number.NaN, d.at(line.x.at(-1) ?? 0), line.y.at(-1) ?? Number.NaN))].join(" ");
  }

  private readonly point = (event: PointerEvent): void => {
    const d = this.drawing;
    if (!d) return;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width;
    const places = this.places();
    this.cursor = places.reduce((best, x, i) => (Math.abs(this.share(d, x) - at) < Math.abs(this.share(d, places[best] ?? 0) - at) ? i : best), 0);
  };

  /** Lets the reading go, but not a touch's: its end is a leave too. */
  private readonly leave = (event: PointerEvent): void => {
    if (event.pointerType === "touch") return;
    const input = (event.currentTarget as HTMLElement).querySelector("input");
    if (document.activeElement !== input) this.cursor = null;
  };

  private left(): number {
    const longest = Math.max(0, ...(this.drawing?.y.ticks ?? []).map((value) => this.drawing?.y.format(value).length ?? 0));
    return Math.max(36, 14 + LETTER * longest);
  }

  private right(): number {
    const longest = Math.max(0, ...(this.labelled ? (this.drawing?.lines ?? []) : []).map(({ name }) => name.length));
    return longest > 0 ? ASIDE + LETTER * longest + 4 : MARGIN.right;
  }

  /** A name beside the end of each line, none on another. */
  private labels(Plot: typeof plot, d: Drawing, height: number): plot.Markish[] {
    const [low, high] = d.y.domain;
    const of = (y: number): number => (d.y.type === "log" ? Math.log(y / low) / Math.log(high / low) : (y - low) / (high - low));
    const ends = d.lines.filter(({ y }) => Number.isFinite(y.at(-1) ?? Number.NaN));
    const [top, bottom] = [MARGIN.top, height - MARGIN.bottom];
    const placed = apart(ends.map(({ y }) => bottom - Math.min(Math.max(of(y.at(-1) ?? 0), 0), 1) * (bottom - top)), top, bottom);
    return ends.map(({ name, x, colour }, i) =>
      Plot.text([name], { x: [x.at(-1) ?? 0], frameAnchor: "top", dx: ASIDE, dy: (placed[i] ?? 0) - MARGIN.top, lineAnchor: "middle", textAnchor: "start", text: [name], fill: LABELS.has(colour) ? `var(--${colour}-text)` : "var(--quiet)", fontWeight: 600, stroke: "var(--ground)", strokeWidth: 4 }),
    );
  }

  protected override plan(Plot: typeof plot, height: number): Plan | null {
    const d = this.drawing;
    if (!d || this.places().length === 0) return null;
    const [low, high] = d.y.domain;
    const held = (y: number | undefined): number => Math.min(Math.max(y ?? Number.NaN, low), high);
    return {
      margin: { ...MARGIN, left: this.left(), right: this.right() },
      x: { domain: [...d.x.domain], label: d.x.label },
      y: { type: d.y.type, domain: [...d.y.domain], label: null },
      marks: [
        Plot.gridY([...d.y.ticks], { stroke: "var(--rule)", strokeOpacity: 1 }),
        Plot.axisY([...d.y.ticks], { tickSize: 0, tickPadding: 8, text: d.y.format, fill: "var(--quiet)" }),
        Plot.axisX([...d.x.ticks], { tickSize: 4, tickFormat: d.x.format, label: d.x.label, labelAnchor: "center", labelArrow: "none", fill: "var(--quiet)" }),
        ...(this.labelled ? [...d.lines].reverse() : d.lines).flatMap((line): plot.Markish[] => { // the first on top: a dash shows what lies beneath it
          const points = thin(line.x.length, POINTS).filter((i) => Number.isFinite(line.y[i]));
          const stroke = `var(--${line.colour})`;
          const spots = line.symbol === "" ? [] : points.filter((i) => i % spacing(line.x.length) === 0 || i === line.x.length - 1);
          const { low: least, high: most } = line;
          return [
            least && most ? Plot.areaY(points, { x: (i: number) => line.x[i], y1: (i: number) => held(least[i]), y2: (i: number) => held(most[i]), fill: stroke, fillOpacity: 0.15 }) : null,
            Plot.line(points, { x: (i: number) => line.x[i], y: (i: number) => held(line.y[i]), stroke, strokeWidth: line.symbol === "" ? 1.5 : 2.25, strokeDasharray: line.dash, strokeLinejoin: "round" }),
            line.symbol === "" ? null : Plot.dot(spots, { x: (i: number) => line.x[i], y: (i: number) => held(line.y[i]), symbol: line.symbol, fill: stroke, r: 3.5 }),
          ];
        }),
        ...(this.labelled ? this.labels(Plot, d, height) : []),
      ],
    };
  }

  override sheet(): Sheet | null {
    const [d, places] = [this.drawing, this.places()];
    if (!d || places.length === 0) return null;
    const at = (line: Line, values: readonly number[]): number[] => {
      const known = new Map(line.x.map((x, i) => [x, values[i] ?? Number.NaN]));
      return places.map((x) => known.get(x) ?? Number.NaN);
    };
    return {
      what: this.dataset["scenario"] ?? "curve",
      title: this.heading,
      described: this.describe(d),
      notes: [strings.axis(d.y.label)],
      legend: d.lines,
      columns: [
        { name: d.x.label, values: places.map((x) => d.x.value?.(x) ?? x) },
        ...d.lines.flatMap((line) => {
          const name = saved.of(line.name, d.y.label);
          const band = line.low && line.high ? [{ name: saved.low(name), values: at(line, line.low) }, { name: saved.high(name), values: at(line, line.high) }] : [];
          return [{ name, values: at(line, line.y) }, ...band];
        }),
      ],
      picture: this.picture(),
    };
  }

  private table(d: Drawing, places: readonly number[]): TemplateResult {
    const band = (line: Line, i: number): string => (line.low && line.high ? strings.band(line.low[i] ?? Number.NaN, line.high[i] ?? Number.NaN) : "");
    return html`<div class="scroll" tabindex="0" role="region" aria-label="${strings.data}, ${this.heading}">
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">${d.x.label}</th>
            ${d.lines.map((line) => html`<th scope="col">${line.name}</th>${line.low ? html`<th scope="col">${strings.range}</th>` : nothing}`)}
          </tr>
        </thead>
        <tbody>
          ${thin(places.length, ROWS).map((row) => {
            const x = places[row] ?? Number.NaN;
            return html`<tr>
              <th scope="row">${d.x.format(x)}</th>
              ${d.lines.map((line) => {
                const i = line.x.indexOf(x);
                return html`<td data-line=${line.name} data-value=${i < 0 ? "" : String(line.y[i])}>${i < 0 ? "" : number(line.y[i] ?? Number.NaN, 4)}</td>${line.low ? html`<td>${i < 0 ? "" : band(line, i)}</td>` : nothing}`;
              })}
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }
}

/** A chart of lines. name is a part of its files' names; mark is a place on the x axis. */
export function lines({ heading, drawing, waiting, labelled = false, mark = Number.NaN, name }: { readonly heading: string; readonly drawing: Drawing | null; readonly waiting: string; readonly labelled?: boolean; readonly mark?: number; readonly name?: string }): TemplateResult {
  return html`<ifm-lines data-scenario=${name ?? nothing} .heading=${heading} .drawing=${drawing} .waiting=${waiting} ?labelled=${labelled} .mark=${mark}></ifm-lines>`;
}

/** Heights at least a line apart, in the order of their wishes and as near to them as all of them can be together. */
function apart(wishes: readonly number[], top: number, bottom: number): number[] {
  const order = wishes.map((_, i) => i).sort((a, b) => (wishes[a] ?? 0) - (wishes[b] ?? 0));
  const groups: { at: number; members: number[] }[] = []; // at: the middle of what stands together
  const first = ({ at, members }: (typeof groups)[number]): number => at - ((members.length - 1) * LINE) / 2;
  for (const i of order) {
    let group = { at: wishes[i] ?? 0, members: [i] };
    for (let before = groups.at(-1); ; before = groups.at(-1)) {
      const room = ((group.members.length - 1) * LINE) / 2;
      group.at = Math.max(Math.min(group.at, bottom - room), top + room);
      if (!before || first(group) - (before.at + ((before.members.length - 1) * LINE) / 2) >= LINE) break;
      const members = [...before.members, ...group.members];
      groups.pop();
      group = { at: members.reduce((sum, m) => sum + (wishes[m] ?? 0), 0) / members.length, members };
    }
    groups.push(group);
  }
  const placed = [...wishes];
  for (const group of groups) group.members.forEach((i, n) => (placed[i] = first(group) + n * LINE));
  return placed;
}

/** Markers at so many points apart: about six of them on a long line, one at every point of a short one. */
function spacing(length: number): number {
  return length <= 16 ? 1 : Math.ceil(length / 6);
}

/** The legend of lines: a piece of each beside its name. */
export function legend(lines: readonly Line[]): TemplateResult {
  return html`<ul class="key">
    ${lines.map(
      (line) => html`<li>
        <svg viewBox="0 0 36 12" aria-hidden="true" style="--of:var(--${line.colour})">
          <line x1="1" y1="6" x2="35" y2="6" stroke-dasharray=${line.dash} />
          ${line.symbol === "circle" ? svg`<circle cx="18" cy="6" r="4" />` : line.symbol === "square" ? svg`<rect x="14.5" y="2.5" width="7" height="7" />` : line.symbol === "triangle" ? svg`<path d="M18 1.5l4.5 8h-9z" />` : nothing}
        </svg>
        ${line.name}
      </li>`,
    )}
  </ul>`;
}

export const looks = {
  fm: { colour: "fm", dash: "7 4", symbol: "square" },
  gfm: { colour: "gfm", dash: "2 4", symbol: "triangle" },
  ifm: { colour: "ifm", dash: "", symbol: "circle" },
} as const;

/** A tick of a logarithmic axis: powers of ten as such. */
export function powers(value: number): string {
  const exponent = Math.log10(value);
  return Math.abs(exponent - Math.round(exponent)) < 1e-9 ? power(Math.round(exponent)) : number(value, 2);
}

customElements.define("ifm-lines", Lines);
