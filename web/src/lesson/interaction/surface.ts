import { html, nothing, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { Chart } from "../../charts/chart.js";
import { dataTable, savedColumns, type Column } from "../../charts/data.js";
import { legend, type Key } from "../../charts/looks.js";
import type { Drawings, Sheet } from "../../charts/sheet.js";
import { roundUp } from "../../charts/ticks.js";
import type { ModelFile } from "../../engine/protocol.js";
import { number, signed } from "../../text/format.js";
import { shades } from "../chapter/shades.js";

const strings = {
  title: "What iFM has learned: a plane plus a saddle",
  parts: { linear: "Linear part", product: "Interaction", sum: "Their sum" },
  formula: { linear: "b + w₁x₁ + w₂x₂", product: "m·x₁x₂", sum: "y" },
  negative: "negative", positive: "positive",
  caption: "x₁ and x₂ in standard deviations",
  axis: { x: "x₁", y: "x₂" },
  cursor: { x: "x₁ of the cursor", y: "x₂ of the cursor" },
  without: "No interaction",
  place: (x: string, y: string) => `x₁ = ${x}, x₂ = ${y}`,
  entry: (name: string, value: string) => `${name} ${value}`,
  lines: "y against x₁, for a few x₂",
  across: (formula: string) => `${formula}; x₁ across and x₂ up, both from −2 to 2`,
  along: (crossing: string, most: string) => `${crossing} x₁ across from −2 to 2, y up from −${most} to ${most}.`,
  held: (y: number) => `x₂ = ${signed(y, 1)}`,
  moved: (y: number) => `x₂ = ${signed(y, 2)}, yours`,
  parallel: "Parallel: x₁ does the same whatever x₂ is.",
  cross: (x: string) => `The lines cross at x₁ = ${x}: the slope in x₁ depends on x₂.`,
  lean: "Not parallel: the slope in x₁ depends on x₂.",
  data: "These pictures as a table",
  corner: (x: number, y: number, value: string) => `${value} at x₁ = ${signed(x, 1)}, x₂ = ${signed(y, 1)}`,
  describe: (name: string, ends: readonly string[]) => `${name}, as a heat map over x₁ and x₂ from −2 to 2: ${ends.join("; ")}.`,
  line: (y: number, from: string, to: string) => `for x₂ = ${signed(y, 1)} y goes from ${from} to ${to}`,
  chart: (told: readonly string[], crossing: string) => `Line chart of y against x₁ from −2 to 2: ${told.join("; ")}. ${crossing}`,
};

/** y = b + w₁x₁ + w₂x₂ + m·x₁x₂ in target units, x in standard deviations of the columns. */
interface Surface {
  readonly b: number;
  readonly w: readonly [number, number];
  readonly m: number;
}

/** The parts of the sum, in the order of the maps. */
const PARTS = ["linear", "product", "sum"] as const;
type Part = (typeof PARTS)[number];

interface Point {
  readonly x: number; // x₁
  readonly y: number; // x₂
}

const REACH = 2; // of the maps and lines, standard deviations to either side
const STEP = 0.1; // of the sliders
const ROOM = 1.06; // of the largest size, above the lines
const CELLS = 120; // of a map, on either axis
const TICKS = [[-2, "−2"], [-1, "−1"], [0, "0"], [0.5, "x₁"], [1, "+1"], [2, "+2"]] as const; // of the lines
const BANDS = 10; // shades on either side of zero
const HELD = [-1, 0, 1] as const; // x₂ of the lines that stay
const TABLE = [-2, -1, 0, 1, 2] as const; // x₁ and x₂ of the table
const SAVED = [-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2] as const; // and of its file
const LOOKS = { "-1": { colour: "neg", dash: "2 4" }, 0: { colour: "base", dash: "" }, 1: { colour: "pos", dash: "7 4" } } as const;

/** What a model file of two features says: its weights are over the scaled ones, and so is its product, 2·sym(M)₁₂. */
function surfaceOf(file: ModelFile): Surface {
  const { model, b, w, u, v, target } = JSON.parse(new TextDecoder().decode(file.bytes)) as {
    readonly model: string;
    readonly b: number;
    readonly w: readonly number[];
    readonly u: readonly (readonly number[])[];
    readonly v?: readonly (readonly number[])[];
    readonly target: { readonly scale: number };
  };
  const right = model === "fm" ? u : (v ?? []);
  const dot = (i: number, j: number): number => (u[i] ?? []).reduce((sum, factor, f) => sum + factor * (right[j]?.[f] ?? Number.NaN), 0);
  const { scale } = target;
  return { b: scale * b, w: [scale * (w[0] ?? Number.NaN), scale * (w[1] ?? Number.NaN)], m: scale * (dot(0, 1) + dot(1, 0)) };
}

function value(s: Surface, part: Part, { x, y }: Point): number {
  const linear = s.b + s.w[0] * x + s.w[1] * y;
  const product = s.m * x * y;
  return part === "linear" ? linear : part === "product" ? product : linear + product;
}

/** A model of two columns as a plane, a saddle and their sum, and as lines that only the saddle makes cross. */
class SurfacePicture extends Chart {
  @property({ attribute: false }) accessor model: ModelFile | null = null;
  @property() accessor waiting = ""; // what to say while there is none
  @state() private accessor at: Point = { x: 1, y: 1.5 }; // of the sliders
  @state() private accessor hover: Point | null = null; // of the pointer
  @state() private accessor flat = false; // the interaction is left out

  private surface: Surface | null = null;
  private maps: Readonly<Partial<Record<Part, readonly SVGTemplateResult[]>>> = {};

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("model")) this.surface = this.model && surfaceOf(this.model);
    if (!changed.has("model") && !changed.has("flat")) return;
    const shown = this.shown;
    this.maps = shown ? Object.fromEntries(PARTS.map((part) => [part, cells(shown, part, this.most)])) : {};
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("model")) this.drawSoon(); // so that it can be saved
  }

  /** Nothing: the maps are drawn as they are rendered. */
  protected override draw(): void {}

  override sheet(): Sheet | null {
    const s = this.shown;
    if (!s) return null;
    return {
      what: "surface",
      title: strings.title,
      described: [...PARTS.map((part) => this.describe(part, s)), this.reads(s)].join(" "),
      notes: [strings.caption],
      legend: keys(this.at.y),
      columns: savedColumns(columns(s, SAVED)),
      picture: {
        drawings: [
          ...PARTS.flatMap((part) => this.drawn(`[data-part=${part}] svg`, strings.parts[part], strings.across(strings.formula[part]))),
          ...this.drawn(".area svg", strings.lines, strings.along(this.crossing(s), number(this.most * ROOM, 2))),
        ],
      },
    };
  }

  private drawn(selector: string, title: string, note: string): Drawings["drawings"] {
    const drawing = this.querySelector<SVGSVGElement>(selector);
    return drawing ? [{ title, note, drawing }] : [];
  }

  /** The surface without its interaction where the reader wants it so. */
  private get shown(): Surface | null {
    return this.surface && this.flat ? { ...this.surface, m: 0 } : this.surface;
  }

  /** The end of the scale, which leaving the interaction out does not change. */
  private get most(): number {
    const s = this.surface;
    const corners = [-REACH, REACH].flatMap((x) => [-REACH, REACH].map((y) => ({ x, y })));
    return s ? Math.max(...PARTS.flatMap((part) => corners.map((corner) => Math.abs(value(s, part, corner))))) : 0;
  }

  protected override render(): TemplateResult {
    const s = this.shown;
    const at = this.hover ?? this.at;
    const signs = ["+", "="];
    return html`<figure class="surface">
      <figcaption>${strings.title}</figcaption>
      <div class="terms">${PARTS.map((part, i) => html`${i > 0 ? html`<span class="sign" aria-hidden="true">${signs[i - 1]}</span>` : nothing}${this.map(part, s, at)}`)}</div>
      <div class="legend ${s ? "" : "blank"}" aria-hidden="true">
        <span class="num">−${number(this.most, 2)}</span><span>${strings.negative}</span><span class="ramp bands"></span><span>${strings.positive}</span><span class="num">+${number(this.most, 2)}</span>
      </div>
      <div class="cut">
        <div class="turn">
          ${this.slider("x", at)} ${this.slider("y", at)}
          <label class="check"><input type="checkbox" .checked=${this.flat} ?disabled=${!s} @change=${(e: Event) => (this.flat = (e.target as HTMLInputElement).checked)} /> <span>${strings.without}</span></label>
          <dl class="sums" aria-hidden="true">
            ${PARTS.map((part) => html`<div class=${part}><dt>${strings.parts[part]}</dt><dd class="num">${s ? signed(value(s, part, at)) : "–"}</dd></div>`)}
          </dl>
        </div>
        <div class="lines">
          <p class="title"><b>${strings.lines}</b> <span>${s ? this.crossing(s) : this.waiting}</span></p>
          ${legend(keys(at.y))}
          ${this.lines(s, at)}
        </div>
      </div>
      ${this.saving(strings.title, strings.data, () => (s ? dataTable(strings.data, columns(s, TABLE), Array.from({ length: TABLE.length ** 2 }, (_, i) => i)) : nothing))}
    </figure>`;
  }

  private slider(axis: "x" | "y", at: Point): TemplateResult {
    return html`<label class="slide">
      <span>${strings.axis[axis]} <b class="num">${signed(at[axis], 2)}</b></span>
      <input
        type="range"
        data-axis=${axis}
        min=${-REACH}
        max=${REACH}
        step=${STEP}
        .value=${String(at[axis])}
        ?disabled=${!this.surface}
        aria-label=${strings.cursor[axis]}
        aria-valuetext=${this.says(at)}
        @input=${(e: Event) => {
          this.at = { ...this.at, [axis]: Number((e.target as HTMLInputElement).value) };
          this.hover = null;
        }}
      />
    </label>`;
  }

  private says(at: Point): string {
    const s = this.shown;
    const place = strings.place(signed(at.x, 2), signed(at.y, 2));
    return s ? `${place}: ${PARTS.map((part) => strings.entry(strings.parts[part], signed(value(s, part, at)))).join(", ")}` : `${place}: ${this.waiting}`;
  }

  private map(part: Part, s: Surface | null, at: Point): TemplateResult {
    return html`<div class="map" data-part=${part}>
      <p class="title"><b>${strings.parts[part]}</b> <span class="formula">${strings.formula[part]}</span></p>
      <div class="field">
        <span class="upright" aria-hidden="true"><i>+2</i><i>x₂</i><i>−2</i></span>
        <div
          class="plane"
          role="img"
          aria-label=${s ? this.describe(part, s) : `${strings.parts[part]}: ${this.waiting}`}
          @pointermove=${(e: PointerEvent) => (this.hover = s ? spot(e) : null)}
          @pointerdown=${(e: PointerEvent) => (this.at = s ? spot(e) : this.at)}
          @pointerleave=${() => (this.hover = null)}
        >
          <svg viewBox="0 0 ${CELLS} ${CELLS}" preserveAspectRatio="none" aria-hidden="true">${this.maps[part] ?? nothing}</svg>
          ${s ? html`${corners(s, part)}<span class="cross" style="left:${share(at.x)}%;top:${100 - share(at.y)}%"></span>` : nothing}
        </div>
        <span class="level" aria-hidden="true"><i>−2</i><i>x₁</i><i>+2</i></span>
      </div>
    </div>`;
  }

  private lines(s: Surface | null, at: Point): TemplateResult {
    const most = this.most * ROOM || 1;
    const step = roundUp(most / 3);
    const ticks = [-2, -1, 0, 1, 2].map((i) => i * step).filter((tick) => Math.abs(tick) <= most);
    const height = (y: number): string => `${50 - (50 * y) / most}%`;
    const line = (x2: number, kind: string, dash: string, colour: string): SVGTemplateResult | typeof nothing =>
      s
        ? svg`<line class=${kind} data-x2=${x2} x1="0" x2="100%" y1=${height(value(s, "sum", { x: -REACH, y: x2 }))} y2=${height(value(s, "sum", { x: REACH, y: x2 }))} stroke="var(--${colour})" stroke-dasharray=${dash} />`
        : nothing;
    return html`<div class="graph">
      <span class="upright" aria-hidden="true">${s ? ticks.map((tick) => html`<i style="top:${height(tick)}">${signed(Number(tick.toPrecision(6)), 1)}</i>`) : nothing}</span>
      <div class="area" role="img" aria-label=${s ? this.reads(s) : this.waiting} @pointermove=${(e: PointerEvent) => (this.hover = s ? { x: spot(e).x, y: this.at.y } : null)} @pointerdown=${(e: PointerEvent) => (this.at = s ? { x: spot(e).x, y: this.at.y } : this.at)} @pointerleave=${() => (this.hover = null)}>
        <svg aria-hidden="true">
          ${ticks.map((tick) => svg`<line class=${tick === 0 ? "zero" : "grid"} x1="0" x2="100%" y1=${height(tick)} y2=${height(tick)} />`)}
          ${s ? svg`<line class="hair" data-cursor x1="${share(at.x)}%" x2="${share(at.x)}%" y1="0" y2="100%" />` : nothing}
          ${HELD.map((x2) => line(x2, "held", LOOKS[x2].dash, LOOKS[x2].colour))} ${line(at.y, "moved", "", "ink")}
          ${s ? svg`<circle data-cursor cx="${share(at.x)}%" cy=${height(value(s, "sum", at))} r="5" />` : nothing}
        </svg>
      </div>
      <span class="level" aria-hidden="true">${TICKS.map(([x, name]) => html`<i style="left:${share(x)}%">${name}</i>`)}</span>
    </div>`;
  }

  /** Where the lines cross: x₂ changes nothing there. */
  private crossing({ m, w }: Surface): string {
    const x = -w[1] / m;
    if (m === 0) return strings.parallel;
    return Math.abs(x) <= REACH ? strings.cross(signed(x, 2)) : strings.lean;
  }

  private describe(part: Part, s: Surface): string {
    const ends = ([[-REACH, -REACH], [-REACH, REACH], [REACH, -REACH], [REACH, REACH]] as const).map(([x, y]) => strings.corner(x, y, signed(value(s, part, { x, y }))));
    return strings.describe(strings.parts[part], ends);
  }

  private reads(s: Surface): string {
    const told = HELD.map((y) => strings.line(y, signed(value(s, "sum", { x: -REACH, y })), signed(value(s, "sum", { x: REACH, y }))));
    return strings.chart(told, this.crossing(s));
  }
}

/** The lines: those that stay, and the reader's. */
function keys(moved: number): Key[] {
  return [...HELD.map((y): Key => ({ ...LOOKS[y], name: strings.held(y), symbol: "" })), { colour: "ink", dash: "", symbol: "circle", name: strings.moved(moved) }];
}

/** The surface at all pairs of these values. */
function columns(s: Surface, values: readonly number[]): Column[] {
  const places = values.flatMap((x) => values.map((y) => ({ x, y })));
  const of = (name: string, values: readonly number[], digits: number): Column => ({ name, head: name, values, cell: (value) => signed(value, digits) });
  return [of(strings.axis.x, places.map(({ x }) => x), 1), of(strings.axis.y, places.map(({ y }) => y), 1), ...PARTS.map((part) => of(strings.parts[part], places.map((place) => value(s, part, place)), 4))];
}

/** A map's cells. */
function cells(s: Surface, part: Part, most: number): SVGTemplateResult[] {
  const middle = (i: number): number => ((i + 0.5) / CELLS) * 2 * REACH - REACH;
  return shades(CELLS, CELLS, BANDS, (row, column) => (most > 0 ? Math.round((value(s, part, { x: middle(column), y: -middle(row) }) / most) * BANDS) : 0));
}

/** The sign in each corner: nothing is told by colour alone. */
function corners(s: Surface, part: Part): TemplateResult[] {
  const near = 0.9 * REACH;
  return [-near, near].flatMap((x) =>
    [-near, near].map((y) => {
      const found = value(s, part, { x, y });
      return html`<span class="corner" aria-hidden="true" style="left:${share(x)}%;top:${100 - share(y)}%">${found > 0 ? "+" : found < 0 ? "−" : "0"}</span>`;
    }),
  );
}

/** How far a number lies along its axis, in per cent. */
function share(x: number): number {
  return (100 * (x + REACH)) / (2 * REACH);
}

/** What a pointer points at, in steps of the sliders. */
function spot(event: PointerEvent): Point {
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  const along = (part: number): number => Number((Math.round((Math.min(Math.max(part, 0), 1) * 2 * REACH - REACH) / STEP) * STEP).toFixed(1));
  return { x: along((event.clientX - box.left) / box.width), y: along(1 - (event.clientY - box.top) / box.height) };
}

customElements.define("ifm-surface", SurfacePicture);
