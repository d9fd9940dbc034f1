import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Matrix as Values } from "../../engine/protocol.js";
import { number } from "../../text/format.js";
import { Chart } from "../chart.js";
import { dataTable, type Column } from "../data.js";
import { largestPairs, type Pair } from "../largest.js";
import type { Sheet } from "../sheet.js";
import { largestOf, type Panelled } from "./panels.js";
import { matrix as strings } from "./strings.js";

export type { Panelled };

/** What one look at all entries tells. */
interface Facts {
  readonly size: number; // of the largest entry
  readonly positive: number; // pairs
  readonly negative: number;
  readonly crossed: boolean;
}

const SHADES = 255; // on either side of zero
const PAIRS = 500; // the slider visits at most
const ROWS = 20; // of the table
const CROSSED = 0.8; // of a matrix's squares: what crosses hold of it at least, where that is what it is made of

/** Symmetric matrices side by side on one diverging scale, with one cursor for all. */
class Matrices extends Chart {
  @property({ attribute: false }) accessor panels: readonly Panelled[] = [];
  @property({ attribute: false }) accessor heading: string = strings.title;
  @property({ attribute: false }) accessor note = ""; // beneath the heading
  @property() accessor doubted = ""; // the panel whose disagreement with the truth orders the pairs; "" orders by size
  @property({ type: Boolean }) accessor settled = false; // the run is over: until then the pairs keep their places
  @property({ type: Boolean }) accessor leads = false; // a chapter of the lesson can be gone to from here
  @property({ type: Boolean }) accessor dark = false;
  @state() private accessor at = 0; // index into the pairs
  @state() private accessor hover: Pair | null = null;

  private ranked: { values: Values | null; against: Values | null; pairs: readonly Pair[] } = { values: null, against: null, pairs: [] };
  private readonly facts = new WeakMap<Values, Facts>(); // a matrix of a thousand features is too large to look at twice
  private readonly drawn = new WeakMap<HTMLCanvasElement, { readonly values: Values | null; readonly most: number; readonly dark: boolean }>();

  protected override render(): TemplateResult {
    const most = this.most();
    const pairs = this.pairs();
    const pair = this.hover ?? pairs[Math.min(this.at, pairs.length - 1)] ?? null;
    return html`<figure class="matrices">
      <figcaption>${this.heading}${this.note ? html`<span class="note">${this.note}</span>` : nothing}</figcaption>
      <div class="row">
        ${this.panels.map((panel) => this.map(panel, pair))}
      </div>
      <div class="legend" aria-hidden="true">
        <span class="num">−${most > 0 ? number(most, 2) : nothing}</span><span class="ramp"></span><span class="num">+${most > 0 ? number(most, 2) : nothing}</span>
        <span class="caption">${strings.caption}</span>
      </div>
      <div class="pair">
        <label>
          <span>${this.doubted ? strings.doubted : strings.pair}</span>
          <input type="range" min="0" max=${Math.max(0, pairs.length - 1)} .value=${String(this.at)} ?disabled=${pairs.length === 0} aria-valuetext=${this.says(pair)} @input=${this.move} />
        </label>
        <p class="readout" aria-hidden="true">${this.readout(pair)}</p>
      </div>
      ${this.doubted ? this.hinted() : nothing}
      ${this.saving(this.heading, this.doubted ? strings.doubtedData : strings.data, () => this.table(pairs))}
    </figure>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("panels") || changed.has("dark")) this.drawSoon();
  }

  private map(panel: Panelled, pair: Pair | null): TemplateResult {
    const d = panel.values?.d ?? 0;
    const spot = (i: number, j: number): TemplateResult => html`<span class="spot" style="left:${(100 * j) / d}%;top:${(100 * i) / d}%;width:${100 / d}%;height:${100 / d}%"></span>`;
    return html`<div class="map ${panel.key}" data-matrix=${panel.key}>
      <p class="title"><b>${panel.title}</b> <span class="noted">${panel.values ? panel.note : strings.waiting}</span></p>
      <div class="cells" role="img" aria-label=${panel.values ? this.describe(panel.title, panel.values, panel.group) : `${panel.title}: ${strings.waiting}`} @pointermove=${(e: PointerEvent) => this.point(e, d)} @pointerleave=${() => (this.hover = null)}>
        <canvas data-key=${panel.key}></canvas>
        ${groups(d, panel.group).map((at, group, all) => html`<svg class="unseen" aria-hidden="true" style="left:${at.from}%;top:${at.from}%;width:${at.size}%;height:${at.size}%"></svg><b class="column" aria-hidden="true" style="left:${at.from + at.size / 2}%;top:${at.from + at.size / 2}%">${panel.values?.names[(group * d) / all.length]?.[0]}</b>`)}
        ${(panel.values && panel.crosses ? panel.crosses : []).map((j) => html`<span class="framed" style="inset:${(100 * j) / d}% 0 auto;height:${100 / d}%"></span><span class="framed" style="inset:0 auto 0 ${(100 * j) / d}%;width:${100 / d}%"></span>`)}
        ${pair && d > 0 ? [spot(pair.i, pair.j), spot(pair.j, pair.i)] : nothing}
      </div>
    </div>`;
  }

  /** What the doubted matrix is made of, where it is crosses. */
  private hinted(): TemplateResult | typeof nothing {
    const doubted = this.settled ? this.panels.find((panel) => panel.key === this.doubted)?.values : null;
    if (!doubted || !this.look(doubted).crossed) return nothing;
    return html`<p class="note crossed">${strings.crosses} ${this.leads ? html`<a href="#loophole">${strings.loophole}</a>` : nothing}</p>`;
  }

  private most(): number {
    return largestOf(this.panels, (values) => this.look(values).size);
  }

  private look(m: Values): Facts {
    const known = this.facts.get(m) ?? look(m);
    this.facts.set(m, known);
    return known;
  }

  private describe(name: string, m: Values, group?: number): string {
    const { size, positive, negative } = this.look(m);
    const of = groups(m.d, group).length;
    return `${strings.describe(name, m.d, positive, negative, size)}${of === 0 ? "" : ` ${strings.unseen(of)}`}`;
  }

  /**
   * The pairs of different features of the first matrix, strongest first; once
   * the run is over, those first where the doubted one is farthest from it. A
   * model that has learnt nothing disagrees by the whole size of the entry.
   */
  private pairs(): readonly Pair[] {
    const values = this.panels.find((panel) => panel.values)?.values ?? null;
    const doubted = this.settled ? (this.panels.find((panel) => panel.key === this.doubted)?.values ?? null) : null;
    const against = doubted === values ? null : doubted;
    if (this.ranked.values !== values || this.ranked.against !== against) {
      const at = (m: Values | null, i: number, j: number): number => m?.values[i * m.d + j] ?? 0;
      this.ranked = { values, against, pairs: largestPairs(values?.d ?? 0, PAIRS, (i, j) => Math.abs(at(values, i, j) - at(against, i, j))) };
    }
    return this.ranked.pairs;
  }

  private readonly move = ({ target }: Event): void => {
    Object.assign(this, { at: Number((target as HTMLInputElement).value), hover: null });
  };

  private point(event: PointerEvent, d: number): void {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const i = Math.floor(((event.clientY - box.top) / box.height) * d);
    const j = Math.floor(((event.clientX - box.left) / box.width) * d);
    this.hover = d > 0 && i >= 0 && j >= 0 && i < d && j < d ? { i, j } : null;
  }

  /** The pair in every matrix, each in a place of its own, which it keeps before it has a number. */
  private readout(pair: Pair | null): TemplateResult {
    const names = pair ? this.names(pair) : nothing;
    return html`<b title=${names}>${names}</b>${this.panels.map((panel) => html`<span class=${panel.key}>${pair && panel.values ? said(panel.title, entry(panel.values, pair)) : nothing}</span>`)}`;
  }

  private says(pair: Pair | null): string {
    if (!pair) return strings.waiting;
    return [this.names(pair), ...this.panels.flatMap((panel) => (panel.values ? [said(panel.title, entry(panel.values, pair))] : []))].join("; ");
  }

  private names({ i, j }: Pair): string {
    const names = this.panels.find((panel) => panel.values)?.values?.names ?? [];
    return strings.names(names[i] ?? String(i + 1), names[j] ?? String(j + 1));
  }

  private table(all: readonly Pair[]): TemplateResult {
    const pairs = all.slice(0, ROWS);
    const columns = this.panels.map(({ title, values }): Column => ({ head: title, values: values ? pairs.map((pair) => entry(values, pair)) : [], cell: (value) => number(value) }));
    return dataTable(`${this.doubted ? strings.doubtedData : strings.data}, ${this.heading}`, [{ head: strings.columns.pair, values: pairs.map((pair) => this.names(pair)) }, ...columns], [...pairs.keys()]);
  }

  protected override draw(): void {
    const most = this.most();
    let colours: Uint32Array | undefined; // to ask the style sheet costs a layout
    for (const panel of this.panels) {
      const canvas = this.querySelector<HTMLCanvasElement>(`canvas[data-key="${panel.key}"]`);
      if (!canvas) continue;
      const last = this.drawn.get(canvas);
      if (panel.key === "truth" && !panel.values) continue; // the one before stays until the next is there
      if (last && last.values === panel.values && last.most === most && last.dark === this.dark) continue;
      this.drawn.set(canvas, { values: panel.values, most, dark: this.dark });
      const d = panel.values?.d ?? 1;
      if (canvas.width !== d) canvas.width = canvas.height = d;
      const context = canvas.getContext("2d");
      if (!context) continue;
      if (!panel.values) {
        context.clearRect(0, 0, d, d);
        continue;
      }
      colours ??= this.shades();
      const image = context.createImageData(d, d);
      paint(new Uint32Array(image.data.buffer), panel.values, most, colours);
      context.putImageData(image, 0, 0);
    }
  }

  override sheet(): Sheet | null {
    const [most, ramp] = [this.most(), this.shades()];
    const maps = this.panels.flatMap(({ title, note, values }) => (values ? [{ title, note, values, pixels: paint(new Uint32Array(values.d ** 2), values, most, ramp) }] : []));
    if (maps.length === 0) return null;
    return { what: "interactions", title: this.heading, described: maps.map(({ title, values }) => this.describe(title, values)).join(" "), notes: [], legend: [], columns: [], picture: { maps, most, ramp } };
  }

  /** The colours from −1 to 1 as the style sheet has them now, ready to be stored. */
  private shades(): Uint32Array {
    const [negative, zero, positive] = this.ends();
    const bytes = new Uint8ClampedArray(4 * (2 * SHADES + 1));
    for (let s = -SHADES; s <= SHADES; s++) {
      const end = (s < 0 ? negative : positive) ?? [0, 0, 0];
      const weight = (Math.abs(s) / SHADES) ** 0.8; // small entries stay visible
      for (let c = 0; c < 3; c++) bytes[4 * (s + SHADES) + c] = (zero?.[c] ?? 0) * (1 - weight) + (end[c] ?? 0) * weight;
      bytes[4 * (s + SHADES) + 3] = 255;
    }
    return new Uint32Array(bytes.buffer);
  }

  /** The channels of the colours at −1, 0 and 1, read at once: for each reading the page works out its styles anew. */
  private ends(): number[][] {
    const probe = document.createElement("span");
    probe.style.cssText = "color: var(--neg); background-color: var(--zero); outline-color: var(--pos); forced-color-adjust: none"; // the scale means something: it stays
    this.append(probe);
    const { color, backgroundColor, outlineColor } = getComputedStyle(probe);
    const channels = [color, backgroundColor, outlineColor].map((colour) => colour.match(/[\d.]+/g)?.map(Number) ?? []);
    probe.remove();
    return channels;
  }
}

/** A pixel an entry, in the colours from −most to most. */
function paint(pixels: Uint32Array, { values }: Values, most: number, colours: Uint32Array): Uint32Array {
  const scale = most > 0 ? SHADES / most : 0;
  for (let at = 0; at < values.length; at++) {
    pixels[at] = colours[SHADES + Math.min(SHADES, Math.max(-SHADES, Math.round((values[at] ?? 0) * scale)))] ?? 0;
  }
  return pixels;
}

/** The blocks of features that never meet, in per cent of the map. */
function groups(d: number, group = 0): { readonly from: number; readonly size: number }[] {
  return group === 0 ? [] : Array.from({ length: d / group }, (_, g) => ({ from: (100 * g * group) / d, size: (100 * group) / d }));
}

function said(name: string, value: number): string {
  return strings.entry(name, value, value > 0 ? strings.positive : value < 0 ? strings.negative : strings.zero);
}

function entry(m: Values, { i, j }: Pair): number {
  return m.values[i * m.d + j] ?? Number.NaN;
}

/** Whether the rows and columns of as many features as it has eigenvalues, few of all, hold nearly all of a matrix without a diagonal. O(d²) */
function isOfCrosses({ d, values, eigenvalues }: Pick<Values, "d" | "values" | "eigenvalues">): boolean {
  const square = (at: number): number => (values[at] ?? 0) ** 2;
  const rows = Array.from({ length: d }, (_, i) => ({ i, size: 0 }));
  for (const row of rows) for (let l = 0; l < d; l++) row.size += square(row.i * d + l);
  const strongest = [...rows].sort((a, b) => b.size - a.size).slice(0, eigenvalues.length);
  const held = strongest.reduce((sum, { i, size }) => strongest.reduce((rest, { i: l }) => rest - square(i * d + l), sum + 2 * size), 0);
  const whole = rows.reduce((sum, { size }) => sum + size, 0);
  return whole > 0 && eigenvalues.length <= d / 4 && held > CROSSED * whole;
}

function look(m: Values): Facts {
  let size = 0;
  for (const v of m.values) size = Math.max(size, Math.abs(v));
  let [positive, negative] = [0, 0];
  for (let i = 0; i < m.d; i++) {
    for (let j = i + 1; j < m.d; j++) {
      const v = m.values[i * m.d + j] ?? 0;
      if (v > 1e-3 * size) positive++;
      else if (v < -1e-3 * size) negative++;
    }
  }
  return { size, positive, negative, crossed: isOfCrosses(m) };
}

customElements.define("ifm-matrix", Matrices);
