import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { signed } from "../../text/format.js";
import { Chart } from "../chart.js";
import { dataTable, savedColumns, type Column } from "../data.js";
import type { Sheet } from "../sheet.js";
import { largestOf, type Panelled } from "./panels.js";
import { matrix, spectrum as strings } from "./strings.js";

const ROOM = 1.18; // of the scale beyond the largest of the truth
const REACH = 44; // per cent of the height, from zero to the end of the scale
const COUNTS = 0.01; // of the scale: what is nearer to zero is not counted
const SEEN = 0.1; // of the scale: a place where all are nearer to zero is left out
const CROWD = 24; // stems from which their heads are small

type Values = readonly number[];

/** Eigenvalues side by side on one scale, as stems from zero, with one cursor for all. */
class Spectrum extends Chart {
  @property({ attribute: false }) accessor panels: readonly Panelled[] = [];
  @property({ type: Number }) accessor slots = 0; // there will be so many
  @property({ attribute: false }) accessor caption: TemplateResult | string = strings.title; // "": it stands elsewhere
  @property() accessor heading: string = strings.title; // of its files
  @state() private accessor at: number | null = null; // the place under the cursor, from 0; null: nowhere
  private readonly hatch = `hatch-${Math.random().toString(36).slice(2)}`;

  protected override render(): TemplateResult {
    const all = spectra(this.panels, this.slots);
    const most = scale(this.panels);
    const places = placesOf(all, most);
    const truth = all[this.panels.findIndex(({ key }) => key === "truth")] ?? null;
    const at = this.at === null || places.length === 0 ? null : Math.min(this.at, places.length - 1);
    return html`<figure class="spectrum">
      ${this.caption === "" ? nothing : html`<figcaption>${this.caption}</figcaption>`}
      <div class="row">
        ${this.panels.map((panel, i) => this.stems(panel, all[i] ?? null, truth, places, most, at))}
        <input
          type="range"
          class="cursor"
          min="0"
          max=${Math.max(0, places.length - 1)}
          .value=${String(at ?? 0)}
          ?disabled=${places.length === 0}
          aria-label=${strings.cursor}
          aria-valuetext=${this.says(all, places[at ?? 0])}
          @input=${({ target }: Event) => (this.at = Number((target as HTMLInputElement).value))}
          @focus=${() => (this.at ??= 0)}
          @blur=${() => (this.at = null)}
        />
      </div>
      <p class="readout" aria-hidden="true">${at === null ? nothing : this.says(all, places[at])}</p>
      ${this.saving(this.heading, strings.data, () => dataTable(strings.data, columns(this.panels, all), [...(all.find((values) => values) ?? []).keys()]))}
    </figure>`;
  }

  /** It is drawn as it is rendered. */
  protected override draw(): void {}

  private stems(panel: Panelled, values: Values | null, truth: Values | null, places: readonly number[], most: number, at: number | null): TemplateResult {
    const [above, below] = counted(values ?? [], most);
    const cannot = panel.key === "fm";
    const x = (place: number): string => `${((place + 0.5) * 100) / Math.max(1, places.length)}%`;
    const y = (value: number): string => `${most > 0 ? 50 - (REACH * value) / (most * ROOM) : 50}%`;
    const small = places.length > CROWD;
    const wrong = truth && panel.key !== "truth" ? beyondTruth(values ?? [], truth, most) : new Set<number>();
    const word = (text: string, name: string, down: string): SVGTemplateResult => svg`<text class="forbidden ${name}" x="50%" y="75%" dy=${down} text-anchor="middle">${text}</text>`;
    return html`<div class="map ${panel.key}" data-spectrum=${panel.key}>
      <p class="title"><b>${panel.title}</b></p>
      <div
        class="stems"
        role="img"
        aria-label=${values ? strings.describe(panel.title, above, below, values[0] ?? 0, values.at(-1) ?? 0, cannot ? strings.cannot : "", wrong.size) : `${panel.title}: ${matrix.waiting}`}
        @pointermove=${(e: PointerEvent) => this.point(e, places.length)}
        @pointerdown=${(e: PointerEvent) => this.point(e, places.length)}
        @pointerleave=${(e: PointerEvent) => e.pointerType !== "touch" && (this.at = null)}
      >
        <svg aria-hidden="true">
          ${cannot
            ? svg`<defs><pattern id=${this.hatch} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="7" /></pattern></defs>
              <rect x="0" y="50%" width="100%" height="50%" fill=${`url(#${this.hatch})`} />
              ${word(strings.never, "short", "0.3em")}${word(strings.cannotGo, "long", "-0.3em")}${word(strings.here, "long", "0.95em")}`
            : nothing}
          ${at === null ? nothing : svg`<rect class="band" data-cursor x=${`${(at * 100) / places.length}%`} width=${`${100 / places.length}%`} y="0" height="100%" />`}
          <line class="zero" x1="0" x2="100%" y1="50%" y2="50%" />
          ${values ? places.map((slot, place) => stem(values[slot] ?? 0, most, x(place), y, panel.key, small, wrong.has(slot))) : nothing}
        </svg>
      </div>
    </div>`;
  }

  sheet(): Sheet | null {
    const all = spectra(this.panels, this.slots);
    const most = scale(this.panels) * ROOM;
    const shown = this.panels.flatMap(({ key, title }, i) => {
      const map = this.querySelector(`[data-spectrum="${key}"]`);
      const drawing = map?.querySelector<SVGSVGElement>(".stems > svg");
      const values = all[i];
      return values && drawing ? [{ title, drawing, values, note: "", described: drawing.parentElement?.ariaLabel ?? "" }] : [];
    });
    if (shown.length === 0) return null;
    const beyond = shown.some(({ values }) => values.some((v) => Math.abs(v) > most));
    return {
      what: "eigenvalues",
      title: this.heading,
      described: shown.map(({ described }) => described).join(" "),
      notes: [strings.about, strings.scale(most), ...(beyond ? [strings.arrow] : []), ...(this.querySelector(".stem.wrong") ? [strings.wrong] : [])],
      legend: [],
      columns: savedColumns(columns(this.panels, all)),
      picture: { drawings: shown },
    };
  }

  private point(event: PointerEvent, places: number): void {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const place = Math.floor(((event.clientX - box.left) / box.width) * places);
    this.at = place >= 0 && place < places ? place : null;
  }

  private says(all: readonly (Values | null)[], slot: number | undefined): string {
    if (slot === undefined) return matrix.waiting;
    const slots = all.reduce((most, values) => Math.max(most, values?.length ?? 0), 0);
    return [strings.slot(slot + 1, slots), ...this.panels.flatMap(({ title }, i) => (all[i] ? [said(title, all[i][slot] ?? 0)] : []))].join("; ");
  }
}

function columns(panels: readonly Panelled[], all: readonly (Values | null)[]): Column[] {
  const longest = all.find((values) => values !== null) ?? [];
  return [
    { name: strings.column, head: strings.column, values: longest.map((_, i) => i + 1), cell: String },
    ...panels.map(({ title, column = title }, i): Column => {
      const values = all[i];
      return values ? { name: column, head: title, values, cell: (value) => signed(value) } : { head: title, values: [] };
    }),
  ];
}

/** One stem from zero. Its head is a cross where the truth has no such stem, an arrow where it is beyond the scale. */
function stem(value: number, most: number, x: string, y: (value: number) => string, key: string, small: boolean, wrong: boolean): SVGTemplateResult | typeof nothing {
  if (value === 0 || !(most > 0)) return nothing;
  const edge = most * ROOM;
  const beyond = Math.abs(value) > edge;
  const end = y(Math.min(Math.max(value, -edge), edge));
  const heads = {
    wrong: "M-5 -5 5 5M5 -5-5 5",
    arrow: value > 0 ? "M-6 9L0 0L6 9z" : "M-6 -9L0 0L6 -9z",
    fm: "M-5 -5h10v10h-10z",
    gfm: "M-6 5L0 -6L6 5z",
  };
  const path = wrong ? heads.wrong : beyond ? heads.arrow : key === "fm" ? heads.fm : key === "gfm" ? heads.gfm : "";
  const head = small && !beyond ? svg`<circle cx=${x} cy=${end} r="2" />` : path === "" ? svg`<circle cx=${x} cy=${end} r="5.5" />` : svg`<svg x=${x} y=${end} overflow="visible"><path d=${path} /></svg>`;
  return svg`<g class="stem ${value > 0 ? "positive" : "negative"} ${wrong ? "wrong" : ""} ${small ? "small" : ""}" data-value=${value}>
    <line x1=${x} x2=${x} y1="50%" y2=${end} />
    ${Math.abs(value) < SEEN * most ? nothing : head}
  </g>`;
}

/** Where a model has more of a sign than the truth: behind those that stand at the truth's. */
function beyondTruth(values: Values, truth: Values, most: number): Set<number> {
  const many = (sign: number): number => truth.filter((v) => v * sign > COUNTS * most).length;
  const [above, below] = [many(1), values.length - many(-1)];
  return new Set([...values.keys()].filter((slot) => (slot >= above && (values[slot] ?? 0) > SEEN * most) || (slot < below && (values[slot] ?? 0) < -SEEN * most)));
}

/** The slots where there is something to see. */
function placesOf(all: readonly (Values | null)[], most: number): number[] {
  const longest = all.reduce<Values>((best, values) => (values && values.length > best.length ? values : best), []);
  return [...longest.keys()].filter((slot) => all.some((values) => Math.abs(values?.[slot] ?? 0) > SEEN * most));
}

/** The eigenvalues of each panel in so many places at least: those above zero from the left, those below from the right, zeros between them. */
function spectra(panels: readonly Panelled[], slots: number): readonly (Values | null)[] {
  const length = panels.reduce((most, { values }) => Math.max(most, values?.eigenvalues.length ?? 0), slots);
  const most = scale(panels);
  const blocks = (values: Panelled["values"]): [above: Values, below: Values] => {
    const own = [...(values?.eigenvalues ?? [])];
    return [own.filter((v) => v >= 0), own.filter((v) => v < 0).reverse()];
  };
  const [above, below] = blocks(panels.find(({ key }) => key === "truth")?.values ?? null).map((block) => block.filter((v) => Math.abs(v) > COUNTS * most));
  return panels.map(({ values }) => {
    if (!values) return null;
    const [high, low] = blocks(values);
    return [...aligned(high, above ?? []), ...Array.from({ length: length - high.length - low.length }, () => 0), ...aligned(low, below ?? []).reverse()];
  });
}

/** Values of one sign, largest first. Where there are more than the truth has, those that come nearest to its values are first, and the others behind them. */
function aligned(own: Values, truth: Values): Values[number][] {
  const off = (from: number): number => truth.reduce((sum, v, i) => sum + Math.abs(v - (own[from + i] ?? 0)), 0);
  let best = 0;
  for (let from = 1; from <= own.length - truth.length; from++) if (off(from) < off(best)) best = from;
  const end = best + truth.length;
  return [...own.slice(best, end), ...own.slice(0, best), ...own.slice(end)];
}

function scale(panels: readonly Panelled[]): number {
  const truth = panels.filter(({ key }) => key === "truth"); // known or not: the scale waits for it
  return largestOf(truth.length > 0 ? truth : panels, ({ eigenvalues }) => eigenvalues.reduce((most, v) => Math.max(most, Math.abs(v)), 0));
}

/** How many are clearly above zero and clearly below. */
function counted(values: Values, most: number): [above: number, below: number] {
  return [values.filter((v) => v > COUNTS * most).length, values.filter((v) => v < -COUNTS * most).length];
}

function said(name: string, value: number): string {
  return value === 0 ? strings.none(name) : matrix.entry(name, value, value > 0 ? matrix.positive : matrix.negative);
}

customElements.define("ifm-spectrum", Spectrum);
